//! Outputs that would write over what is read, or over each other.

use anyhow::{Result, bail};
use std::path::{Path, PathBuf};

/// A name that is the same for every path to one file, there already or not; `None` for devices and pipes,
/// which lose nothing by being written to.
fn file_identity(path: &Path) -> Option<PathBuf> {
    if path.exists() && !path.is_file() {
        return None;
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let new = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(new)
}

/// True if two paths lead to one file: by the same name once links are followed, or by another (hard) link to
/// it.
fn same_file(a: &Path, b: &Path) -> bool {
    match (file_identity(a), file_identity(b)) {
        (Some(x), Some(y)) => x == y || file_inode(a).is_some_and(|a| Some(a) == file_inode(b)),
        _ => false,
    }
}

/// Device and number of a file that is there.
#[cfg(unix)]
fn file_inode(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    std::fs::metadata(path).ok().map(|m| (m.dev(), m.ino()))
}

#[cfg(not(unix))]
fn file_inode(_: &Path) -> Option<(u64, u64)> {
    None
}

/// Refuses outputs that would write over what is read, or over each other, before anything is opened.
pub fn refuse_clashes(outputs: &[(&str, Option<&Path>)], inputs: &[(&str, Option<&Path>)]) -> Result<()> {
    let outputs: Vec<(&str, &Path)> = outputs.iter().filter_map(|(name, p)| Some((*name, (*p)?))).collect();
    let stdout = Path::new("-");
    for (k, (option, path)) in outputs.iter().enumerate() {
        let twice = |other: &Path| if *path == stdout { other == stdout } else { same_file(path, other) };
        if let Some((other, _)) = outputs[..k].iter().find(|(_, p)| twice(p)) {
            bail!("{other} and {option} both go to {}: give each its own file", path.display());
        }
        let over = inputs.iter().find(|(_, p)| *path != stdout && p.is_some_and(|p| same_file(path, p)));
        if let Some((input, _)) = over {
            bail!("{option} would write over {input}, {}: give another file", path.display());
        }
    }
    Ok(())
}
