//! The options of the chore, as they are given on its command line.

use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

pub(super) const HELP: &str = "\
cargo xtask bench-peers [options]
  --items a,b      only these items of bench/items.json (a prefix such as `sep` takes all of them)
  --engines a,b    only these of: elbowroom coal mujoco pinocchio parry fcl vamp
                   and, where they are named, fcl_kept fcl_distance fcl_anew: coulombe20's Algorithm 2 by \
    FCL's trees of oriented boxes
  --before FILE    beside them, as engine `before`, an elbowroom-bench that was built from an older commit
                   (cargo build --profile peers --package elbowroom-bench)
  --long           also the items that take minutes or gigabytes; one that is named by its whole name is run \
    anyway
  --rounds N       rounds (default 5)
  --seconds S      least time of one engine in one round (default 0.25)
  --data DIR       folder with bench/, robots/, truth/ (default: $ELBOWROOM_DATA, else ../shared)
  --note TEXT      a remark for the record, e.g. what else ran on the machine
  --no-record      print only";

/// In the order of the table.
pub(super) const ENGINES: [&str; 7] = ["elbowroom", "coal", "mujoco", "pinocchio", "parry", "fcl", "vamp"];

/// Three ways in which coulombe20 may have asked FCL, for its Algorithm 2 alone: they run where they are
/// named.
pub(super) const NAMED: [&str; 3] = ["fcl_kept", "fcl_distance", "fcl_anew"];

/// This engine at an older commit: it takes part if its runner was given.
pub(super) const BEFORE: &str = "before";

/// Every engine that may take part, in the order of the table.
pub(super) fn engines_in_order() -> impl Iterator<Item = &'static str> {
    ENGINES.into_iter().chain(NAMED).chain([BEFORE])
}

/// What a run measures, and how.
pub(crate) struct Options {
    pub(crate) items: Vec<String>,
    pub(crate) engines: Vec<String>,
    pub(crate) before: Option<PathBuf>,
    pub(crate) rounds: usize,
    pub(crate) seconds: f64,
    pub(crate) data: PathBuf,
    pub(crate) note: String,
    pub(crate) record: bool,
    pub(crate) long: bool,
}

fn is_known(name: &str) -> bool {
    ENGINES.iter().chain(&NAMED).any(|known| *known == name)
}

/// The options of a command line, checked.
pub(super) fn parse(arguments: &[String], root: &Path) -> Result<Options> {
    let data = std::env::var_os("ELBOWROOM_DATA").map_or_else(|| root.join("../shared"), PathBuf::from);
    let mut options = Options {
        items: Vec::new(),
        engines: ENGINES.map(String::from).to_vec(),
        before: None,
        rounds: 5,
        seconds: 0.25,
        data,
        note: String::new(),
        record: true,
        long: false,
    };
    let list = |text: &str| text.split(',').map(String::from).collect::<Vec<_>>();
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        if word == "--no-record" {
            options.record = false;
            continue;
        }
        if word == "--long" {
            options.long = true;
            continue;
        }
        let value = words.next().with_context(|| format!("{word} needs a value, or is unknown\n{HELP}"))?;
        match word.as_str() {
            "--items" => options.items = list(value),
            "--engines" => options.engines = list(value),
            "--before" => options.before = Some(PathBuf::from(value)),
            "--rounds" => options.rounds = value.parse().context("--rounds")?,
            "--seconds" => options.seconds = value.parse().context("--seconds")?,
            "--data" => options.data = PathBuf::from(value),
            "--note" => options.note = value.clone(),
            _ => bail!("{word} is unknown\n{HELP}"),
        }
    }
    if let Some(unknown) = options.engines.iter().find(|name| !is_known(name)) {
        bail!(
            "there is no engine {unknown:?}; there are: {}",
            [ENGINES.join(" "), NAMED.join(" ")].join(" ")
        );
    }
    if let Some(before) = options.before.as_ref().filter(|runner| !runner.is_file()) {
        bail!("--before: there is no {}", before.display());
    }
    if options.rounds == 0 {
        bail!("--rounds must be at least 1");
    }
    if !options.data.join("bench/narrow").is_dir() {
        bail!(
            "{} has no bench/narrow: the bench needs the shared data; name its folder with --data or \
             ELBOWROOM_DATA",
            options.data.display()
        );
    }
    Ok(options)
}
