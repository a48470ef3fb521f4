//! Files whose names differ from the wanted one in case only.
//!
//! Robots that were made where case does not matter name `Base.STL` and hold `base.stl`. Which of two files
//! is meant is not guessed: a fault names the one that is there.

use crate::source::{Files, Kind};
use std::path::{Component, Path, PathBuf};

/// What lies at a path but for the case of its letters, if there is one such file.
pub(crate) fn find_in_other_case(files: &dyn Files, wanted: &Path) -> Option<PathBuf> {
    let parts: Vec<Component<'_>> = wanted.components().collect();
    let mut found = PathBuf::new();
    for part in parts {
        let exact = found.join(part);
        let is_name = matches!(part, Component::Normal(_));
        if !is_name || files.kind(&exact) != Kind::Missing {
            found = exact;
            continue;
        }
        let name = part.as_os_str().to_string_lossy().to_lowercase();
        let is_like = |path: &PathBuf| {
            path.file_name().is_some_and(|other| other.to_string_lossy().to_lowercase() == name)
        };
        let mut alike = files.inside(&found).into_iter().filter(is_like);
        found = alike.next().filter(|_| alike.next().is_none())?;
    }
    (files.kind(&found) == Kind::File).then_some(found)
}
