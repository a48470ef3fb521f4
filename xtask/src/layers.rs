//! Which crate may depend on which, and which part of the engine may import which: the tables of crates and
//! of rooms in ARCHITECTURE.md, held against manifests and imports.
//!
//! A room may import rooms above it in the table, and none below. No two files of a crate import each other,
//! not around a corner either. Functions over `Lanes` are inlined, or they would run without wide registers.
//! Nothing is public and hidden from the documentation: others stand on public faces only.

mod crates;
pub(crate) mod source;

use anyhow::{Context, Result, bail, ensure};
use source::Source;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Sources that have rooms.
const ROOMED: &[&str] = &["crates/elbowroom-pair/src", "crates/elbowroom/src"];

/// Sources that are held to have no circle of files.
pub const CRATES: &[&str] = &[
    "crates/elbowroom-describe/src",
    "crates/elbowroom-pair/src",
    "crates/elbowroom/src",
    "crates/elbowroom-files/src",
    "crates/elbowroom-cli/src",
    "crates/elbowroom-baked/src",
    "crates/elbowroom-bake/src",
    "crates/elbowroom-calibrate/src",
    "crates/elbowroom-c/src",
    "crates/elbowroom-lab/src",
    "crates/elbowroom-monitor/src",
    "crates/elbowroom-py/src",
    "crates/elbowroom-reference/src",
    "crates/elbowroom-testkit/src",
    "bench/runner/src",
    "bench/times/src",
    "xtask/src",
];

/// Runs the chore.
pub fn run(arguments: &[String]) -> Result<()> {
    ensure!(arguments.is_empty(), "cargo xtask layers takes no arguments");
    let root = crate::repository_root()?;
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).context("ARCHITECTURE.md")?;
    let rooms = read_rooms(&text)?;
    let mut wrong = crates::check_crates(&text, &root)?;
    for src in CRATES {
        let sources = read_all(&root, &root.join(src))?;
        let modules: BTreeMap<&[String], usize> =
            sources.iter().enumerate().map(|(i, source)| (&*source.module, i)).collect();
        let edges: Vec<Edge> = import_edges(&sources, &modules);
        if ROOMED.contains(src) {
            wrong.extend(upward_imports(&sources, &edges, &rooms));
        }
        wrong.extend(import_circles(&sources, &edges));
        for source in &sources {
            wrong.extend(source.lanes.iter().map(|(line, name)| {
                let file = source.file.display();
                format!(
                    "{file}:{line}: `{name}` is generic over Lanes and not #[inline(always)]: it would \
                     run without AVX2"
                )
            }));
            wrong.extend(source.hidden.iter().map(|line| {
                format!("{}:{line}: it is public, and hidden from the documentation", source.file.display())
            }));
        }
    }
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    println!("{} rooms, downward only; no circle of files in {} crates", rooms.len(), CRATES.len());
    Ok(())
}

/// The rooms in the order of the table in ARCHITECTURE.md: its rows begin with a name in backticks, below the
/// head `| room |`.
fn read_rooms(text: &str) -> Result<Vec<String>> {
    let rows = text.lines().skip_while(|line| !line.starts_with("| room |")).skip(2);
    let name = |line: &str| Some(line.strip_prefix("| `")?.split_once('`')?.0.to_string());
    let rooms: Vec<String> = rows.map_while(name).collect();
    ensure!(!rooms.is_empty(), "ARCHITECTURE.md has no table of rooms: its head is `| room |`");
    Ok(rooms)
}

/// Reads all files of a crate but its tests.
fn read_all(root: &Path, src: &Path) -> Result<Vec<Source>> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut folders = vec![src.to_path_buf()];
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
    files.sort();
    files.iter().map(|file| Source::read(root, src, file)).collect()
}

/// A file that takes something from another.
struct Edge {
    from: usize,
    to: usize,
    /// What, and on which line.
    what: String,
    line: usize,
}

fn import_edges(sources: &[Source], modules: &BTreeMap<&[String], usize>) -> Vec<Edge> {
    let mut edges = Vec::new();
    for (from, source) in sources.iter().enumerate() {
        for named in &source.named {
            let Some(whole) = absolute_path(&source.module, &named.path, modules) else { continue };
            let to = (0..=whole.len()).rev().find_map(|n| modules.get(&whole[..n]));
            // Names that the root hands on to users belong to no room.
            if let Some(&to) = to.filter(|to| **to != from && !sources[**to].module.is_empty()) {
                edges.push(Edge { from, to, what: whole.join("::"), line: named.line });
            }
        }
    }
    edges
}

/// A path from the crate's root; `None` where it leads out of the crate.
fn absolute_path(
    module: &[String],
    path: &[String],
    modules: &BTreeMap<&[String], usize>,
) -> Option<Vec<String>> {
    let mut whole = module.to_vec();
    match path.first()?.as_str() {
        "crate" => return Some(path[1..].to_vec()),
        "self" => whole.extend_from_slice(&path[1..]),
        "super" => {
            let ups = path.iter().take_while(|segment| *segment == "super").count();
            whole.truncate(whole.len().checked_sub(ups)?);
            whole.extend_from_slice(&path[ups..]);
        }
        first => {
            whole.push(first.to_string());
            modules.get(&*whole)?;
            whole.extend_from_slice(&path[1..]);
        }
    }
    Some(whole)
}

/// Imports of a room from one below it in the table, and rooms that the table lacks.
fn upward_imports(sources: &[Source], edges: &[Edge], rooms: &[String]) -> Vec<String> {
    let room = |i: usize| sources[i].module.first().map_or("", String::as_str);
    let place = |name: &str| rooms.iter().position(|room| room == name);
    let mut wrong: BTreeSet<String> = BTreeSet::new();
    for source in sources.iter().filter(|source| !source.module.is_empty()) {
        if place(&source.module[0]).is_none() {
            wrong.insert(format!(
                "{}: the room `{}` is not in the table of ARCHITECTURE.md",
                source.file.display(),
                source.module[0]
            ));
        }
    }
    for edge in edges.iter().filter(|edge| !sources[edge.from].module.is_empty()) {
        let (from, to) = (room(edge.from), room(edge.to));
        if place(from).zip(place(to)).is_some_and(|(from, to)| to > from) {
            wrong.insert(format!(
                "{}:{}: `{from}` imports {}: `{to}` stands below it in the table of ARCHITECTURE.md, and a \
                 room knows only those above",
                sources[edge.from].file.display(),
                edge.line,
                edge.what
            ));
        }
    }
    wrong.into_iter().collect()
}

/// Files that import each other, directly or by way of others, with the imports that close the circle.
fn import_circles(sources: &[Source], edges: &[Edge]) -> Vec<String> {
    // The files that each file reaches.
    let mut next: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); sources.len()];
    for edge in edges {
        next[edge.from].insert(edge.to);
    }
    let reach = |from: usize| {
        let (mut seen, mut stack) = (BTreeSet::new(), vec![from]);
        while let Some(at) = stack.pop() {
            stack.extend(next[at].iter().filter(|to| seen.insert(**to)));
        }
        seen
    };
    let reached: Vec<BTreeSet<usize>> = (0..sources.len()).map(reach).collect();
    // Two files have one line, however many names they import.
    let mut closing: BTreeMap<(usize, usize), Vec<&Edge>> = BTreeMap::new();
    for edge in edges.iter().filter(|edge| reached[edge.to].contains(&edge.from)) {
        closing.entry((edge.from, edge.to)).or_default().push(edge);
    }
    let line = |((from, to), taken): ((usize, usize), Vec<&Edge>)| {
        let more = if taken.len() > 1 { format!(" and {} more", taken.len() - 1) } else { String::new() };
        format!(
            "{}:{}: takes {}{more} from {}, which leads back: files must not import each other in a circle",
            sources[from].file.display(),
            taken[0].line,
            taken[0].what,
            sources[to].file.display()
        )
    };
    closing.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A crate in a folder of its own: files with their texts.
    fn checked(name: &str, files: &[(&str, &str)]) -> Vec<String> {
        let root = std::env::temp_dir().join(format!("layers-{name}-{}", std::process::id()));
        let src = root.join("src");
        for (file, text) in files {
            let path = src.join(file);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let sources = read_all(&root, &src).unwrap();
        let modules: BTreeMap<&[String], usize> =
            sources.iter().enumerate().map(|(i, source)| (&*source.module, i)).collect();
        let edges = import_edges(&sources, &modules);
        let rooms = read_rooms("| room | x |\n| --- | --- |\n| `low` | x |\n| `high` | x |\n\n").unwrap();
        let mut wrong = upward_imports(&sources, &edges, &rooms);
        wrong.extend(import_circles(&sources, &edges));
        wrong.extend(sources.iter().flat_map(|s| &s.lanes).map(|(line, name)| format!("{line} {name}")));
        wrong.extend(sources.iter().flat_map(|s| &s.hidden).map(|line| format!("{line} hidden")));
        std::fs::remove_dir_all(root).unwrap();
        wrong
    }

    #[test]
    fn downward_is_right_and_upward_is_named_with_its_line() {
        let high = ("high.rs", "use crate::low::{self, Thing};\nfn f() { low::g() }");
        assert_eq!(checked("down", &[("low.rs", "pub struct Thing;"), high]), Vec::<String>::new());
        for upward in [
            "\nuse crate::high::Other;",
            "\nuse crate::{high::Other};",
            "\nfn f() { crate::high::other() }",
            "\nfn f() { assert!(super::high::other()) }",
            "\nmod inner { use super::super::high::Other; }",
        ] {
            let wrong = checked("up", &[("low.rs", upward), ("high.rs", "pub struct Other;")]);
            assert!(
                wrong.len() == 1 && wrong[0].contains("low.rs:2: `low` imports high"),
                "{upward}: {wrong:?}"
            );
        }
    }

    #[test]
    fn what_is_no_import_counts_for_nothing() {
        let low = "// crate::high::Other\nconst S: &str = \"crate::high::Other\";\n#[cfg(test)]\n\
            mod tests { use crate::high::Other; }\n\
                   #[cfg(test)]\nuse crate::high::Other;\npub fn f() {}";
        let files =
            [("low.rs", low), ("high.rs", "pub struct Other;"), ("low/tests.rs", "use crate::high::Other;")];
        assert_eq!(checked("none", &files), Vec::<String>::new());
    }

    #[test]
    fn circles_are_found_around_corners() {
        let files = [
            ("low.rs", "mod a; mod b; mod c;"),
            ("low/a.rs", "use super::b::B; pub struct A;"),
            ("low/b.rs", "use crate::low::c; pub struct B; fn f() { c::g() }"),
            ("low/c.rs", "pub fn g() { super::a::h() }"),
        ];
        let wrong = checked("circle", &files);
        assert!(wrong.len() == 3 && wrong.iter().all(|w| w.contains("leads back")), "{wrong:?}");
    }

    #[test]
    fn nothing_public_is_hidden() {
        let low = "pub struct A;\nimpl A {\n #[doc(hidden)]\n pub fn b() {}\n}\n// #[doc(hidden)]";
        assert_eq!(checked("hidden", &[("low.rs", low)]), ["3 hidden"]);
    }

    #[test]
    fn lanes_must_be_inlined() {
        let low = "#[inline(always)]\nfn a<L: Lanes>(l: L) {}\n#[inline]\nfn b<L: Lanes>(l: L) {}\n\
            trait T { fn c<L: Lanes>(l: L); }\nfn d(l: u8) {}";
        assert_eq!(checked("lanes", &[("low.rs", low)]), ["4 b"]);
    }
}
