//! Every file of the repository's crates with its purpose: the first sentence of its documentation.
//!
//! `cargo xtask map` prints all, `cargo xtask map pair/depth` what lies in a folder of the engine, `cargo
//! xtask map crates/elbowroom-files` what lies in any other.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<()> {
    ensure!(arguments.len() <= 1, "cargo xtask map takes one folder, or none");
    let root = crate::repository_root()?;
    let folders = match arguments.first() {
        None => crate::layers::CRATES.iter().map(|src| root.join(src)).collect(),
        Some(name) => vec![find_folder(&root, name)?],
    };
    let files = folders.iter().map(|folder| find_files(folder)).collect::<Result<Vec<_>>>()?.concat();
    let rows = files.iter().map(|file| read_row(&root, file)).collect::<Result<Vec<_>>>()?;
    let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
    for (name, purpose) in rows {
        println!("{name:width$}  {purpose}");
    }
    Ok(())
}

/// A folder by its path in the repository, or in the engine.
fn find_folder(root: &Path, name: &str) -> Result<PathBuf> {
    let rooms = ["crates/elbowroom-pair/src", "crates/elbowroom/src"].map(|src| root.join(src).join(name));
    let found = [root.join(name)].into_iter().chain(rooms).find(|place| place.is_dir());
    found.with_context(|| format!("no folder {name}, nor one of the engine"))
}

/// The sources in a folder, without tests, in the order of their names: a file before the folder of its name.
pub fn find_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            let is_test = path.file_stem().is_some_and(|stem| stem == "tests");
            if path.is_dir() && !is_test {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "rs") && !is_test {
                files.push(path);
            }
        }
    }
    files.sort_by_key(|file| file.with_extension(""));
    Ok(files)
}

/// A file's path, and its purpose.
fn read_row(root: &Path, file: &Path) -> Result<(String, String)> {
    let name = file.strip_prefix(root).unwrap_or(file).display().to_string();
    let text = std::fs::read_to_string(file).with_context(|| name.clone())?;
    Ok((name, first_sentence(&text)))
}

/// The first sentence of the documentation of a file.
fn first_sentence(text: &str) -> String {
    let lines = text.lines().skip_while(|line| line.is_empty());
    let doc =
        lines.map_while(|line| line.strip_prefix("//!")).map(str::trim).take_while(|line| !line.is_empty());
    let paragraph = doc.collect::<Vec<_>>().join(" ");
    match paragraph.find(". ") {
        Some(end) => paragraph[..=end].into(),
        None => paragraph,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_sentence_is_the_purpose() {
        let text = "//! What a thing is\n//! for. And more.\n//!\n//! Even more.\n\nuse x;\n";
        assert_eq!(first_sentence(text), "What a thing is for.");
        assert_eq!(first_sentence("//! Short\n\nuse x;\n"), "Short");
        assert_eq!(first_sentence("use x;\n"), "");
    }

    /// A newcomer finds the place for a change by reading these.
    #[test]
    fn every_file_says_what_it_is_for() -> Result<()> {
        let root = crate::repository_root()?;
        let mut silent = Vec::new();
        for src in crate::layers::CRATES {
            for file in find_files(&root.join(src))? {
                let (name, purpose) = read_row(&root, &file)?;
                silent.extend(purpose.is_empty().then_some(name));
            }
        }
        assert_eq!(silent, Vec::<String>::new());
        Ok(())
    }
}
