//! The list of parts, as CycloneDX 1.5 in JSON.
//!
//! Written here and not by cargo-cyclonedx: that is one more program to compile, its list has no standard
//! library and no C library, and has the crates that only compile the others.

use super::parts::Part;
use super::runtimes::Runtime;
use serde_json::{Value, json};

/// The list, as of a moment (ISO 8601). The first part is the program.
pub fn describe_parts(parts: &[Part], runtimes: &[Runtime], version: &str, moment: &str) -> Value {
    let components = parts.iter().skip(1).map(describe_crate);
    let components: Vec<Value> = components.chain(runtimes.iter().map(describe_runtime)).collect();
    let mut uses: Vec<Value> = parts
        .iter()
        .map(|part| {
            let mut used: Vec<String> = part.uses.iter().map(|&i| name_part(&parts[i])).collect();
            used.sort();
            json!({ "ref": name_part(part), "dependsOn": used })
        })
        .collect();
    // The libraries below are used by all: it is said of the program alone.
    if let Some(Value::Array(used)) = uses.first_mut().map(|first| first["dependsOn"].take()) {
        let below = runtimes.iter().map(|runtime| Value::from(runtime.name));
        uses[0]["dependsOn"] = used.into_iter().chain(below).collect();
    }
    json!({
        "$schema": "http://cyclonedx.org/schema/bom-1.5.schema.json",
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {
            "timestamp": moment,
            "tools": { "components": [{ "type": "application", "name": "cargo xtask release" }] },
            "component": {
                "type": "application",
                "bom-ref": parts.first().map(name_part),
                "name": "elbowroom",
                "version": version,
                "licenses": name_licences(parts.first().and_then(|part| part.licence.as_deref())),
            },
        },
        "components": components,
        "dependencies": uses,
    })
}

/// What a crate is called in the list: where the registry has it, or its name here.
fn name_part(part: &Part) -> String {
    let scheme = if part.checksum.is_some() { "pkg:cargo/" } else { "" };
    format!("{scheme}{}@{}", part.name, part.version)
}

fn describe_crate(part: &Part) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": name_part(part),
        "name": part.name,
        "version": part.version,
        "scope": "required",
        "licenses": name_licences(part.licence.as_deref()),
    });
    if let Some(checksum) = &part.checksum {
        component["purl"] = name_part(part).into();
        component["hashes"] = json!([{ "alg": "SHA-256", "content": checksum }]);
    }
    if let Some(repository) = &part.repository {
        component["externalReferences"] = json!([{ "type": "vcs", "url": repository }]);
    }
    component
}

fn describe_runtime(runtime: &Runtime) -> Value {
    let mut component = json!({
        "type": "library",
        "bom-ref": runtime.name,
        "name": runtime.name,
        "scope": "required",
        "licenses": name_licences(Some(runtime.licence)),
    });
    if let Some(version) = &runtime.version {
        component["version"] = version.as_str().into();
    }
    component
}

/// A licence as CycloneDX has it: an SPDX expression, or a name where it is none.
fn name_licences(licence: Option<&str>) -> Value {
    let Some(licence) = licence else { return json!([]) };
    // Old manifests write "MIT/Apache-2.0".
    match spdx::Expression::canonicalize(licence) {
        Ok(changed) => json!([{ "expression": changed.as_deref().unwrap_or(licence) }]),
        Err(_) => json!([{ "license": { "name": licence } }]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    fn part(name: &str, licence: &str, checksum: Option<&str>, uses: &[usize]) -> Part {
        Part {
            name: name.into(),
            version: "1.2.3".into(),
            licence: Some(licence.into()),
            authors: Vec::new(),
            repository: checksum.map(|_| "https://example.org".into()),
            folder: PathBuf::new(),
            checksum: checksum.map(String::from),
            uses: uses.to_vec(),
        }
    }

    #[test]
    fn a_list_has_every_part_its_licence_and_what_it_uses() {
        let checksum = "0".repeat(64);
        let parts = [
            part("program", "MIT", None, &[2, 1]),
            part("own", "MIT", None, &[2]),
            part("taken", "Unlicense/MIT", Some(&checksum), &[]),
        ];
        let below = Runtime { name: "musl", version: None, licence: "MIT", text: None };
        let list = describe_parts(&parts, &[below], "1.2.3", "2026-01-01T00:00:00Z");
        let program = &list["metadata"]["component"];
        assert_eq!((&program["bom-ref"], &program["version"]), (&json!("program@1.2.3"), &json!("1.2.3")));
        let components = list["components"].as_array().unwrap();
        let references: Vec<&str> = components.iter().map(|c| c["bom-ref"].as_str().unwrap()).collect();
        assert_eq!(references, ["own@1.2.3", "pkg:cargo/taken@1.2.3", "musl"]);
        assert_eq!(components[1]["licenses"], json!([{ "expression": "Unlicense OR MIT" }]));
        assert_eq!(components[1]["purl"], components[1]["bom-ref"]);
        assert_eq!(components[1]["hashes"], json!([{ "alg": "SHA-256", "content": checksum }]));
        // What is on no registry has no address there.
        assert!(components[0].get("purl").is_none() && components[0].get("hashes").is_none());
        let expected = json!([
            { "ref": "program@1.2.3", "dependsOn": ["own@1.2.3", "pkg:cargo/taken@1.2.3", "musl"] },
            { "ref": "own@1.2.3", "dependsOn": ["pkg:cargo/taken@1.2.3"] },
            { "ref": "pkg:cargo/taken@1.2.3", "dependsOn": [] },
        ]);
        assert_eq!(list["dependencies"], expected);
    }

    #[test]
    fn a_licence_is_an_expression_or_a_name() {
        assert_eq!(name_licences(Some("MIT OR Zlib")), json!([{ "expression": "MIT OR Zlib" }]));
        assert_eq!(name_licences(Some("as you like")), json!([{ "license": { "name": "as you like" } }]));
        assert_eq!(name_licences(None), json!([]));
    }
}
