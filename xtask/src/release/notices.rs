//! The licences of all that is in the program, with their texts: who hands it on owes them.

use super::parts::Part;
use super::runtimes::Runtime;
use anyhow::{Context, Result};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// How names of files with licences begin, in small letters.
const NAMES: [&str; 6] = ["license", "licence", "copying", "copyright", "notice", "unlicense"];

/// Writes `crates.txt` and a file for each of the other libraries into a folder.
pub fn write_notices(parts: &[Part], runtimes: &[Runtime], folder: &Path) -> Result<()> {
    std::fs::create_dir_all(folder)?;
    let mut head = "What is in the program besides elbowroom itself, and its licences.\n\n".to_string();
    for runtime in runtimes {
        let version = runtime.version.as_deref().map(|version| format!(" {version}")).unwrap_or_default();
        let file = runtime.text.as_ref().map(|text| name_file(runtime, text));
        let text = file.as_deref().unwrap_or("its text was not where this was made");
        writeln!(head, "{}{version}: {}. {text}", runtime.name, runtime.licence)?;
        if let (Some(from), Some(file)) = (&runtime.text, &file) {
            std::fs::copy(from, folder.join(file)).with_context(|| from.display().to_string())?;
        }
    }
    let crates = parts.iter().filter(|part| part.checksum.is_some());
    let crates: Vec<(&Part, Vec<String>)> =
        crates.map(|part| Ok((part, find_texts(part)?))).collect::<Result<_>>()?;
    Ok(std::fs::write(folder.join("crates.txt"), head + &list_crates(&crates)?)?)
}

fn name_file(runtime: &Runtime, text: &Path) -> String {
    let ending = text.extension().map_or("txt".into(), |ending| ending.to_string_lossy());
    format!("{}.{ending}", runtime.name)
}

/// Each crate with the numbers of its texts, then each text once: most have the same.
fn list_crates(crates: &[(&Part, Vec<String>)]) -> Result<String> {
    let mut texts: Vec<&str> = Vec::new();
    let mut list = String::new();
    for (part, own) in crates {
        let mut numbers = Vec::new();
        for text in own {
            let known = texts.iter().position(|known| known == text);
            let at = known.unwrap_or(texts.len());
            if known.is_none() {
                texts.push(text);
            }
            numbers.push((at + 1).to_string());
        }
        let licence = part.licence.as_deref().unwrap_or("no licence is named");
        let pointer = match numbers.len() {
            0 => "its package has no text".to_string(),
            1 => format!("text {}", numbers[0]),
            _ => format!("texts {}", numbers.join(", ")),
        };
        writeln!(list, "{} {}: {licence}. {pointer}", part.name, part.version)?;
    }
    for (at, text) in texts.iter().enumerate() {
        write!(list, "\n==== text {} ====\n\n{text}", at + 1)?;
    }
    Ok(list)
}

/// The texts of a crate's licences. A package without any gets the common text of MIT with its authors, if it
/// may be handed on under that.
fn find_texts(part: &Part) -> Result<Vec<String>> {
    let mut texts = read_texts(&part.folder)?;
    // A link to a file above the package was packed as its path.
    texts.retain(|text| !(text.starts_with("..") && text.lines().count() == 1));
    let may_be_mit = part.licence.as_deref().is_some_and(|all| all.split([' ', '/']).any(|one| one == "MIT"));
    if texts.is_empty() && may_be_mit {
        let holders = if part.authors.is_empty() { &part.name } else { &part.authors.join(", ") };
        let text = include_str!("../../../LICENSE-MIT");
        let terms = text.find("Permission is hereby granted").context("LICENSE-MIT has no terms")?;
        texts.push(format!("MIT License\n\nCopyright (c) {holders}\n\n{}", &text[terms..]));
    }
    Ok(texts)
}

/// The texts of licences in a crate's folder, by name; ends of lines are as on Unix.
fn read_texts(folder: &Path) -> Result<Vec<String>> {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .with_context(|| folder.display().to_string())?
        .map(|entry| Ok(entry?.path()))
        .collect::<Result<_>>()?;
    files.retain(|file| file.is_file() && is_named_so(file));
    files.sort();
    let read = |file: &PathBuf| {
        let bytes = std::fs::read(file).with_context(|| file.display().to_string())?;
        let text = String::from_utf8_lossy(&bytes);
        let lines = text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
        Ok(lines.trim_matches('\n').to_string() + "\n")
    };
    files.iter().map(read).collect()
}

fn is_named_so(file: &Path) -> bool {
    let name = file.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
    NAMES.iter().any(|beginning| name.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(name: &str, folder: &Path) -> Part {
        Part {
            name: name.into(),
            version: "1.0.0".into(),
            licence: Some("MIT".into()),
            repository: None,
            authors: vec!["A. Author".into()],
            folder: folder.to_path_buf(),
            checksum: Some("0".into()),
            uses: Vec::new(),
        }
    }

    #[test]
    fn every_crate_has_its_texts_and_every_text_is_there_once() {
        let folder = std::env::temp_dir().join(format!("elbowroom-notices-{}", std::process::id()));
        let files = [
            ("a/LICENSE-MIT", "one\r\nline\r\n"),
            ("a/src/license.rs", "no text of a licence"),
            ("b/License.md", "\none\nline"),
            ("b/NOTICE", "two"),
            ("c/README.md", "none"),
            ("d/LICENSE", "../LICENSE"),
        ];
        for (file, text) in files {
            std::fs::create_dir_all(folder.join(file).parent().unwrap()).unwrap();
            std::fs::write(folder.join(file), text).unwrap();
        }
        std::fs::write(folder.join("copyright"), "of musl").unwrap();
        let mut parts: Vec<Part> =
            ["a", "b", "c", "d"].iter().map(|name| part(name, &folder.join(name))).collect();
        parts[2].licence = Some("Zlib".into());
        // What is ours has the licence of the archive.
        parts.push(Part { checksum: None, ..part("own", &folder.join("missing")) });
        let text = Some(folder.join("copyright"));
        let below = [
            Runtime { name: "musl", version: None, licence: "MIT", text },
            Runtime { name: "std", version: Some("1.95.0".into()), licence: "MIT", text: None },
        ];
        write_notices(&parts, &below, &folder.join("out")).unwrap();
        let written = std::fs::read_to_string(folder.join("out/crates.txt")).unwrap();
        let musl = std::fs::read_to_string(folder.join("out/musl.txt")).unwrap();
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(musl, "of musl");
        let expected = "What is in the program besides elbowroom itself, and its licences.\n\n\
                        musl: MIT. musl.txt\n\
                        std 1.95.0: MIT. its text was not where this was made\n\
                        a 1.0.0: MIT. text 1\n\
                        b 1.0.0: MIT. texts 1, 2\n\
                        c 1.0.0: Zlib. its package has no text\n\
                        d 1.0.0: MIT. text 3\n\
                        \n==== text 1 ====\n\none\nline\n\
                        \n==== text 2 ====\n\ntwo\n\
                        \n==== text 3 ====\n\nMIT License\n\nCopyright (c) A. Author\n\nPermission is";
        assert!(written.starts_with(expected), "{written}");
    }
}
