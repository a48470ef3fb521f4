//! The crates that are in the program: `cargo tree` knows which, `cargo metadata` what each is.

use crate::metadata::read_packages;
use crate::steps::read_step;
use anyhow::{Context, Result};
use serde_json::Value;
use std::collections::HashMap;
use std::path::PathBuf;

/// A crate in the program.
#[derive(Debug)]
pub struct Part {
    pub name: String,
    pub version: String,
    /// As its manifest has it.
    pub licence: Option<String>,
    /// Where its sources come from.
    pub repository: Option<String>,
    /// Who wrote it, if its manifest says so.
    pub authors: Vec<String>,
    /// Where its files lie.
    pub folder: PathBuf,
    /// The SHA-256 of its package in the registry; `None` for a crate of this repository.
    pub checksum: Option<String>,
    /// Which of the parts it uses.
    pub uses: Vec<usize>,
}

/// The program's crates on a computer, itself first. What runs while they are compiled is not in it.
pub fn find_parts(triple: &str) -> Result<Vec<Part>> {
    let mut tree = crate::cargo_command()?;
    tree.args(["tree", "--locked", "-p", "elbowroom-cli", "--target", triple, "--format", " {p}"]);
    let nodes = read_tree(&read_step(tree.args(["--edges", "normal,no-proc-macro", "--prefix", "depth"]))?)?;
    let packages = read_packages(triple, &[])?;
    let checksums = read_checksums()?;
    let part = |node: Node| {
        let is_it = |package: &&Value| package["name"] == node.name && package["version"] == node.version;
        let package = packages.iter().find(is_it).with_context(|| format!("no metadata of {}", node.name))?;
        let word = |key: &str| package[key].as_str().map(String::from);
        let author = |author: &Value| author.as_str().map(String::from);
        let manifest = PathBuf::from(word("manifest_path").context("a package without a manifest")?);
        Ok(Part {
            licence: word("license"),
            repository: word("repository"),
            authors: package["authors"].as_array().into_iter().flatten().filter_map(author).collect(),
            folder: manifest.parent().context("a manifest in no folder")?.to_path_buf(),
            checksum: checksums.get(&(node.name.clone(), node.version.clone())).cloned(),
            name: node.name,
            version: node.version,
            uses: node.uses,
        })
    };
    nodes.into_iter().map(part).collect()
}

/// A crate in a tree.
#[derive(Debug, PartialEq)]
struct Node {
    name: String,
    version: String,
    uses: Vec<usize>,
}

/// Reads lines as `2 serde v1.0.0 (*)`: how deep, what, and what does not matter.
fn read_tree(text: &str) -> Result<Vec<Node>> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut above: Vec<usize> = Vec::new();
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let mut words = line.split_whitespace();
        let mut word = || words.next().with_context(|| format!("cargo tree wrote {line:?}"));
        let (depth, name, version) = (word()?.parse::<usize>(), word()?, word()?);
        let depth = depth.with_context(|| format!("cargo tree wrote {line:?}"))?;
        let version = version.strip_prefix('v').with_context(|| format!("cargo tree wrote {line:?}"))?;
        let known = nodes.iter().position(|node| node.name == name && node.version == version);
        let at = known.unwrap_or(nodes.len());
        if known.is_none() {
            nodes.push(Node { name: name.into(), version: version.into(), uses: Vec::new() });
        }
        above.truncate(depth);
        if let Some(&user) = above.last()
            && !nodes[user].uses.contains(&at)
        {
            nodes[user].uses.push(at);
        }
        above.push(at);
    }
    Ok(nodes)
}

/// The checksums in `Cargo.lock`, by name and version.
fn read_checksums() -> Result<HashMap<(String, String), String>> {
    let lock = std::fs::read_to_string(crate::repository_root()?.join("Cargo.lock")).context("Cargo.lock")?;
    let lock: toml::Table = lock.parse().context("Cargo.lock")?;
    let packages =
        lock.get("package").and_then(|list| list.as_array()).context("Cargo.lock has no package")?;
    let one = |package: &toml::Value| {
        let word = |key: &str| Some(package.get(key)?.as_str()?.to_string());
        Some(((word("name")?, word("version")?), word("checksum")?))
    };
    Ok(packages.iter().filter_map(one).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_has_each_crate_once_and_every_use() {
        let text = "0 program v1.0.0 (/here)\n1 a v2.0.0\n2 b v0.3.1\n3 c v1.0.0\n1 c v1.0.0\n\
                    1 d v1.0.0\n2 b v0.3.1 (*)\n2 a v1.0.0\n";
        let nodes = read_tree(text).unwrap();
        let listed: Vec<(String, &[usize])> =
            nodes.iter().map(|node| (format!("{} {}", node.name, node.version), &*node.uses)).collect();
        let expected: [(&str, &[usize]); 6] = [
            ("program 1.0.0", &[1, 3, 4]),
            ("a 2.0.0", &[2]),
            ("b 0.3.1", &[3]),
            ("c 1.0.0", &[]),
            ("d 1.0.0", &[2, 5]),
            ("a 1.0.0", &[]),
        ];
        assert_eq!(listed.len(), expected.len());
        for (read, expected) in listed.iter().zip(expected) {
            assert_eq!((read.0.as_str(), read.1), expected);
        }
        assert!(read_tree("a v1.0.0").is_err() && read_tree("0 a 1.0.0").is_err());
    }

    #[test]
    fn the_program_has_its_crates_and_not_those_that_only_compile_them() {
        let parts = find_parts("x86_64-unknown-linux-musl").unwrap();
        let has = |name: &str| parts.iter().any(|part| part.name == name);
        assert_eq!(parts[0].name, "elbowroom-cli");
        assert!(has("elbowroom-pair") && has("rayon") && has("signal-hook"));
        // They make code, are for tests, or for another system.
        assert!(!has("syn") && !has("serde_derive") && !has("elbowroom-testkit") && !has("ctrlc"));
        for part in &parts {
            assert_eq!(part.checksum.is_none(), part.name.starts_with("elbowroom"), "{}", part.name);
            assert!(part.folder.join("Cargo.toml").is_file() && part.licence.is_some(), "{}", part.name);
        }
    }
}
