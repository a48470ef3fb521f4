//! A folder made into an archive: sorted, of one owner, with one time, so that the same files are the same
//! bytes.

use crate::steps::{read_step, run_step};
use anyhow::{Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the archive's only folder is called.
pub fn name_folder(version: &str, triple: &str) -> String {
    format!("elbowroom-{version}-{triple}")
}

/// What the archive of a folder is called: what its system unpacks by itself.
pub fn name_archive(folder: &str) -> String {
    format!("{folder}{}", if is_for_windows(folder) { ".zip" } else { ".tar.gz" })
}

fn is_for_windows(folder: &str) -> bool {
    folder.contains("-windows-")
}

/// Packs the folder `name` in `stage`, as of a second since 1970, into `out`.
pub fn pack_folder(stage: &Path, name: &str, seconds: &str, out: &Path) -> Result<PathBuf> {
    let archive = out.join(name_archive(name));
    if archive.exists() {
        std::fs::remove_file(&archive)?;
    }
    let mut files = Vec::new();
    list_files(stage, Path::new(name), &mut files)?;
    println!("== {} files into {}", files.len(), archive.display());
    if is_for_windows(name) {
        let date = format!("--date=@{seconds}");
        read_step(Command::new("touch").current_dir(stage).arg(date).args(&files))?;
        // A zip has local times.
        let mut zip = Command::new("zip");
        zip.env("TZ", "UTC").args(["-X", "-q", "-9"]).arg(&archive).args(&files);
        read_step(zip.current_dir(stage))?;
    } else {
        let mut tar = Command::new("tar");
        tar.args(["--format=ustar", "--owner=0", "--group=0", "--numeric-owner", "--no-recursion"]);
        tar.arg(format!("--mtime=@{seconds}")).args(["--use-compress-program=gzip -9n", "-cf"]);
        read_step(tar.arg(&archive).args(&files).current_dir(stage))?;
    }
    Ok(archive)
}

/// Unpacks an archive in a folder.
pub fn unpack(archive: &Path, into: &Path) -> Result<()> {
    if archive.extension().is_some_and(|kind| kind == "zip") {
        run_step(Command::new("unzip").arg("-q").arg(archive).arg("-d").arg(into))
    } else {
        run_step(Command::new("tar").arg("-xzf").arg(archive).arg("-C").arg(into))
    }
}

/// All files below a folder, sorted, from `stage` on.
fn list_files(stage: &Path, folder: &Path, into: &mut Vec<PathBuf>) -> Result<()> {
    let entries = std::fs::read_dir(stage.join(folder))?;
    let mut names = entries.map(|entry| Ok(entry?.file_name())).collect::<Result<Vec<_>>>()?;
    names.sort();
    for name in names {
        let path = folder.join(name);
        if stage.join(&path).is_dir() {
            list_files(stage, &path, into)?;
        } else {
            into.push(path);
        }
    }
    Ok(())
}

/// Writes `SHA256SUMS` beside all that lies in a folder.
pub fn write_checksums(folder: &Path) -> Result<()> {
    let mut files = Vec::new();
    list_files(folder, Path::new(""), &mut files)?;
    files.retain(|file| file != Path::new("SHA256SUMS"));
    if files.is_empty() {
        bail!("nothing was made");
    }
    let sums = read_step(Command::new("sha256sum").current_dir(folder).args(&files))?;
    Ok(std::fs::write(folder.join("SHA256SUMS"), sums)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::release::ARCHIVED;

    /// What cargo-binstall asks for, for a computer: its templates with their words filled in.
    fn binstall_words(triple: &str) -> (String, String, String) {
        let manifest = crate::repository_root().unwrap().join("crates/elbowroom-cli/Cargo.toml");
        let manifest: toml::Table = std::fs::read_to_string(manifest).unwrap().parse().unwrap();
        let given = &manifest["package"]["metadata"]["binstall"];
        let own = given.get("overrides").and_then(|all| all.get(triple));
        let word = |key: &str| {
            let text = own.and_then(|own| own.get(key)).unwrap_or_else(|| &given[key]).as_str().unwrap();
            let ending = if triple.contains("windows") { ".exe" } else { "" };
            let words =
                [("version", "1.2.3"), ("target", triple), ("bin", "elbowroom"), ("binary-ext", ending)];
            words.iter().fold(text.to_string(), |text, (word, is)| text.replace(&format!("{{ {word} }}"), is))
        };
        (word("pkg-url"), word("bin-dir"), word("pkg-fmt"))
    }

    #[test]
    fn binstall_asks_for_the_archives_that_are_made() {
        // It gives files the names of programs, and starts none by an engine for WebAssembly.
        for computer in ARCHIVED.iter().filter(|computer| computer.name != "wasm32") {
            let folder = name_folder("1.2.3", computer.triple);
            let archive = name_archive(&folder);
            let (url, inside, format) = binstall_words(computer.triple);
            assert_eq!(url, format!("{{ repo }}/releases/download/v1.2.3/{archive}"));
            assert_eq!(inside, format!("{folder}/{}", computer.program));
            assert_eq!(format, if archive.ends_with(".zip") { "zip" } else { "tgz" });
        }
    }

    #[test]
    fn the_same_files_are_the_same_bytes() {
        let folder = std::env::temp_dir().join(format!("elbowroom-xtask-{}", std::process::id()));
        let mut archives = Vec::new();
        for (time, name) in [("first", "a"), ("second", "a"), ("third", "a-windows-gnu")] {
            let (stage, out) = (folder.join(time), folder.join(format!("{time}-out")));
            std::fs::create_dir_all(stage.join(name).join("inside")).unwrap();
            std::fs::create_dir_all(&out).unwrap();
            // Made in another order: a folder lists its files as they came.
            let files = ["b", "inside/c", "a"];
            let turned: Vec<&str> = files.iter().rev().copied().collect();
            for file in if time == "second" { turned } else { files.to_vec() } {
                std::fs::write(stage.join(name).join(file), file).unwrap();
            }
            archives.push(std::fs::read(pack_folder(&stage, name, "1000000000", &out).unwrap()).unwrap());
        }
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(archives[0], archives[1]);
        assert!(archives[2].starts_with(b"PK") && !archives[0].starts_with(b"PK"));
    }
}
