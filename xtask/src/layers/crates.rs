//! Which crate may depend on which: the table of crates in ARCHITECTURE.md. A crate depends on crates above
//! it, and on none below: so no product stands on the papers' experiments. What only tests need is free.

use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use toml::{Table, Value};

/// A package of this repository and the packages that it is built from.
struct Package {
    name: String,
    needs: Vec<String>,
}

/// Dependencies that the table forbids, and packages that it lacks.
pub fn check_crates(text: &str, root: &Path) -> Result<Vec<String>> {
    let mut rows = Vec::new();
    for name in named_crates(text)? {
        let folder = crate_folder(root, &name);
        let manifest = folder.join("Cargo.toml");
        let text = std::fs::read_to_string(&manifest).with_context(|| manifest.display().to_string())?;
        rows.push(read_package(&text).with_context(|| manifest.display().to_string())?);
    }
    let wrong = upward_dependencies(&rows);
    Ok(wrong.into_iter().chain(absent_crates(root, &rows)?).collect())
}

/// The crates in the order of the table, below the head `| crate |`: names, or folders.
fn named_crates(text: &str) -> Result<Vec<String>> {
    let rows = text.lines().skip_while(|line| !line.starts_with("| crate |")).skip(2);
    let name = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_string());
    let names: Vec<String> = rows.map_while(name).collect();
    ensure!(!names.is_empty(), "ARCHITECTURE.md has no table of crates: its head is `| crate |`");
    Ok(names)
}

/// Where a crate of the table is.
fn crate_folder(root: &Path, name: &str) -> PathBuf {
    let in_crates = root.join("crates").join(name);
    if in_crates.is_dir() { in_crates } else { root.join(name) }
}

fn read_package(text: &str) -> Result<Package> {
    let table: Table = text.parse()?;
    let name = table.get("package").and_then(|package| package.get("name")).and_then(Value::as_str);
    let platforms = table.get("target").and_then(Value::as_table).into_iter().flat_map(|all| all.values());
    let tables = platforms.filter_map(Value::as_table).chain([&table]);
    let kinds = tables.flat_map(|table| ["dependencies", "build-dependencies"].map(|kind| table.get(kind)));
    let needs = kinds.flatten().filter_map(Value::as_table).flat_map(|all| all.keys().cloned()).collect();
    Ok(Package { name: name.context("no name of a package")?.into(), needs })
}

fn upward_dependencies(rows: &[Package]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (number, package) in rows.iter().enumerate() {
        let below = rows[number..].iter().filter(|other| package.needs.contains(&other.name));
        wrong.extend(below.map(|other| {
            format!(
                "`{}` depends on `{}`, which stands below it in the table of crates of ARCHITECTURE.md",
                package.name, other.name
            )
        }));
    }
    wrong
}

/// Crates that the table lacks.
fn absent_crates(root: &Path, rows: &[Package]) -> Result<Vec<String>> {
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(root.join("crates"))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if !rows.iter().any(|package| package.name == name) {
            wrong.push(format!("crates/{name} is not in the table of crates of ARCHITECTURE.md"));
        }
    }
    Ok(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crate_depends_on_crates_above_it() -> Result<()> {
        let low = "[package]\nname = \"low\"\n[dev-dependencies]\nhigh = \"1\"\n";
        let high = "[package]\nname = \"high\"\n[dependencies]\nlow.workspace = true\nserde = \"1\"\n";
        let read = |texts: &[&str]| texts.iter().map(|text| read_package(text)).collect::<Result<Vec<_>>>();
        assert_eq!(upward_dependencies(&read(&[low, high])?), Vec::<String>::new());
        assert_eq!(upward_dependencies(&read(&[high, low])?).len(), 1);
        let unix = format!("{low}[target.'cfg(unix)'.dependencies]\nhigh = {{ path = \"x\" }}\n");
        let wrong = upward_dependencies(&read(&[&unix, high])?);
        assert!(wrong.len() == 1 && wrong[0].starts_with("`low` depends on `high`"), "{wrong:?}");
        Ok(())
    }

    #[test]
    fn a_crate_that_the_table_lacks_is_named() -> Result<()> {
        let root = crate::repository_root()?;
        let wrong = check_crates("| crate | what |\n| --- | --- |\n| `xtask` | chores |\n", &root)?;
        assert!(wrong.iter().any(|line| line.starts_with("crates/elbowroom-lab is not")), "{wrong:?}");
        assert!(check_crates("no table", &root).is_err());
        Ok(())
    }
}
