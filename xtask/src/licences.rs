//! The licences of all dependencies against the list in `deny.toml`. cargo-deny asks the same and more
//! (`cargo xtask deny`); this needs nothing installed, and is a step of `cargo xtask test`.

use crate::metadata::{host_platform, read_packages};
use anyhow::{Context, Result, bail};

/// Names every package of this platform whose licence asks for what the list does not allow.
pub fn check_licences() -> Result<()> {
    let rules = read_rules(&std::fs::read_to_string(crate::repository_root()?.join("deny.toml"))?)?;
    let packages = read_packages(&host_platform()?, &["--all-features"])?;
    let faults: Vec<String> = packages
        .iter()
        .filter_map(|package| {
            let word = |key: &str| package[key].as_str().unwrap_or("?");
            let fault = licence_fault(package["license"].as_str(), &rules.allowed_for(word("name")))?;
            Some(format!("{} {}: {fault}", word("name"), word("version")))
        })
        .collect();
    if !faults.is_empty() {
        bail!("licences that deny.toml does not allow:\n{}", faults.join("\n"));
    }
    Ok(())
}

/// The lists in `deny.toml`.
struct LicenceRules {
    /// For all packages.
    allow: Vec<String>,
    /// And for one: its name, and what it may have besides.
    exceptions: Vec<(String, Vec<String>)>,
}

impl LicenceRules {
    fn allowed_for(&self, package: &str) -> Vec<String> {
        let own = self.exceptions.iter().filter(|(name, _)| name == package);
        self.allow.iter().chain(own.flat_map(|(_, licences)| licences)).cloned().collect()
    }
}

fn read_rules(text: &str) -> Result<LicenceRules> {
    let table: toml::Table = text.parse().context("deny.toml")?;
    let licences = table.get("licenses").context("deny.toml has no licenses")?;
    let names = |of: &toml::Value| -> Option<Vec<String>> {
        Some(of.get("allow")?.as_array()?.iter().filter_map(|name| name.as_str().map(String::from)).collect())
    };
    let allow = names(licences).context("deny.toml has no list licenses.allow")?;
    let exceptions = licences.get("exceptions").and_then(|list| list.as_array());
    let one = |exception: &toml::Value| {
        let name = exception.get("crate")?.as_str()?.to_string();
        Some((name, names(exception)?))
    };
    let exceptions = exceptions.into_iter().flatten().map(|e| one(e).context("an exception of deny.toml"));
    Ok(LicenceRules { allow, exceptions: exceptions.collect::<Result<_>>()? })
}

/// What is wrong with a package's licence.
fn licence_fault(licence: Option<&str>, allowed: &[String]) -> Option<String> {
    let Some(licence) = licence else { return Some("its manifest names no licence".into()) };
    // Old manifests write "MIT/Apache-2.0".
    let Ok(expression) = spdx::Expression::parse_mode(licence, spdx::ParseMode::LAX) else {
        return Some(format!("{licence:?} is no SPDX expression"));
    };
    let fits = expression.evaluate(|asked| allowed.contains(&asked.to_string()));
    (!fits).then(|| licence.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_licence_must_be_on_the_list() {
        let rules = "[licenses]\nallow = [\"MIT\", \"Zlib\"]\n\
                     exceptions = [{ allow = [\"MPL-2.0\"], crate = \"tool\" }]";
        let rules = read_rules(rules).unwrap();
        let list = rules.allowed_for("a");
        assert_eq!(licence_fault(Some("MPL-2.0"), &rules.allowed_for("tool")), None);
        assert!(licence_fault(Some("MPL-2.0"), &list).is_some());
        for fine in ["MIT", "MIT OR GPL-3.0-only", "MIT/Apache-2.0", "(MIT OR Apache-2.0) AND Zlib"] {
            assert_eq!(licence_fault(Some(fine), &list), None);
        }
        let exception = "Apache-2.0 WITH LLVM-exception";
        for wrong in ["GPL-3.0-only", "MIT AND Apache-2.0", exception, "as you like", ""] {
            assert!(licence_fault(Some(wrong), &list).is_some(), "{wrong}");
        }
        assert!(licence_fault(None, &list).is_some());
        for broken in ["[licenses]", "", "[licenses]\nallow = []\nexceptions = [{ crate = \"tool\" }]"] {
            assert!(read_rules(broken).is_err(), "{broken}");
        }
    }
}
