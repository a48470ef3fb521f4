//! What is in an archive.

use super::commit::Commit;
use super::{bill, manual, notices, parts, runtimes};
use crate::computers::Computer;
use crate::first_command;
use anyhow::{Context, Result, bail};
use std::path::Path;

/// Files of the repository, and what they are called in an archive.
const COPIED: [(&str, &str); 6] = [
    ("README.md", "README.md"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("docs/install.md", "INSTALL.md"),
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("GLOSSARY.md", "GLOSSARY.md"),
    ("ACCURACY.md", "ACCURACY.md"),
];

/// Folders of the repository.
const COPIED_FOLDERS: [&str; 3] = ["docs", "schema", first_command::FOLDER];

/// What makes an image of the program, where it is static and for Linux.
const CONTAINER_FILE: &str = "Containerfile";

/// The program twice.
pub struct Programs<'p> {
    /// For the archive's computer.
    pub built: &'p Path,
    /// For this one, to be asked for its manual.
    pub asked: &'p Path,
}

/// Lays a new folder out as an archive has it.
pub fn fill_folder(commit: &Commit, computer: &Computer, programs: &Programs, folder: &Path) -> Result<()> {
    if folder.exists() {
        std::fs::remove_dir_all(folder)?;
    }
    std::fs::create_dir_all(folder)?;
    let copy = |from: &Path, to: &Path| -> Result<()> {
        std::fs::copy(from, to).with_context(|| format!("{} to {}", from.display(), to.display()))?;
        Ok(())
    };
    copy(programs.built, &folder.join(computer.program))?;
    for (from, to) in COPIED {
        copy(&commit.root.join(from), &folder.join(to))?;
    }
    for name in COPIED_FOLDERS {
        copy_folder(&commit.root.join(name), &folder.join(name))?;
    }
    manual::write_manual(programs.asked, folder)?;
    let parts = parts::find_parts(computer.triple)?;
    let runtimes = runtimes::find_runtimes(computer)?;
    notices::write_notices(&parts, &runtimes, &folder.join("licences"))?;
    let list = bill::describe_parts(&parts, &runtimes, &commit.version, &commit.moment);
    std::fs::write(folder.join("elbowroom.cdx.json"), serde_json::to_string_pretty(&list)? + "\n")?;
    if computer.triple.contains("-linux-musl") {
        let text = std::fs::read_to_string(commit.root.join(CONTAINER_FILE)).context(CONTAINER_FILE)?;
        if let Some(missing) = copied_paths(&text).find(|path| !folder.join(path).exists()) {
            bail!("{CONTAINER_FILE} copies {missing}, which no archive has");
        }
        std::fs::write(folder.join(CONTAINER_FILE), text)?;
    }
    set_modes(folder, computer.program)
}

fn copy_folder(from: &Path, to: &Path) -> Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).with_context(|| from.display().to_string())? {
        let path = entry?.path();
        let target = to.join(path.file_name().context("a file without a name")?);
        if path.is_dir() {
            copy_folder(&path, &target)?;
        } else {
            std::fs::copy(&path, &target).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

/// What a container file copies.
fn copied_paths(text: &str) -> impl Iterator<Item = &str> {
    text.lines().filter_map(|line| line.strip_prefix("COPY ")).flat_map(|line| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let sources = words.len().saturating_sub(1);
        words.into_iter().take(sources)
    })
}

/// The program may be run, all else is read: whatever the mask of whoever makes it.
#[cfg(unix)]
fn set_modes(folder: &Path, program: &str) -> Result<()> {
    use std::os::unix::fs::PermissionsExt;
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let may_run = path.is_dir() || path.ends_with(program);
        std::fs::set_permissions(&path, PermissionsExt::from_mode(if may_run { 0o755 } else { 0o644 }))?;
        if path.is_dir() {
            set_modes(&path, program)?;
        }
    }
    Ok(())
}

#[cfg(not(unix))]
fn set_modes(_: &Path, _: &str) -> Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_container_file_copies_what_it_names() {
        let text = "# COPY nothing\nFROM scratch\nCOPY a /a\nCOPY b c/ /d/\nENTRYPOINT [\"/a\"]\n";
        assert_eq!(copied_paths(text).collect::<Vec<_>>(), ["a", "b", "c/"]);
    }

    #[test]
    fn the_container_file_starts_the_program_that_it_copies() {
        let text = std::fs::read_to_string(crate::repository_root().unwrap().join(CONTAINER_FILE)).unwrap();
        let paths: Vec<&str> = copied_paths(&text).collect();
        assert_eq!(paths, ["elbowroom", "LICENSE-MIT", "licences/"]);
        assert!(text.contains("FROM scratch\n") && text.contains("ENTRYPOINT [\"/elbowroom\"]\n"));
    }
}
