//! tran91, sections 2.1 and 2.2: the paper's cell under a guard, and the paper's octree on the same motion.
//!
//! Two arms take, move and place boxes, and in six of seven scripts something meets what it should not. Each
//! script is played to its end as if nobody stopped it. What is told of it: what the guard said first and
//! when, and when something would have met, by the engine's proved distances.
//!
//! The paper's own algorithm runs once as a whole beside the guard: the octree's pairs, Boyse's test on the
//! links' polyhedra, the table of roles, and for each arm whether it may go on, and how fast
//! ([`ChainReport`]).
//!
//! Then the same motion is given to the paper's octree, by both of its rules, and to the engine. The octree
//! gets the boxes of all bodies at each sample, and gives the pairs whose boxes meet; what these pairs do is
//! still to be asked. The engine gives the answer itself. The cell and its scripts are ours: the paper's were
//! never published.

mod bodies;
mod chain;
mod index;
mod links;
mod play;
mod report;
mod script;

pub use chain::{ArmAnswer, ChainReport, Foreseen};
pub use report::{IndexReport, Meeting, Said, ScriptReport, Tran91Report};

use crate::error::LabError;
use crate::limits::PLAYS;
use crate::parts::compile_world;
use elbowroom_files::guard::load_guard;
use elbowroom_files::world::load_world;
use std::path::{Path, PathBuf};

/// Where to read, how much to do.
#[derive(Clone, Debug)]
pub struct Tran91Options {
    /// The folder of robots, with `rrc_cell` in it; `None`: `robots`.
    pub data: Option<PathBuf>,
    /// How often each script is played for the clock.
    pub rounds: usize,
}

impl Default for Tran91Options {
    fn default() -> Tran91Options {
        Tran91Options { data: None, rounds: PLAYS }
    }
}

/// Runs the experiment.
///
/// # Errors
/// Data missing or unreadable.
pub fn run(options: &Tran91Options) -> Result<Tran91Report, LabError> {
    let folder = options.data.as_deref().unwrap_or(Path::new("robots")).join("rrc_cell");
    let toml = folder.join("cell.toml");
    let files = script::NAMES.iter().map(|(name, _)| folder.join(format!("{name}.jsonl")));
    if let Some(missing) = files.chain([toml.clone()]).find(|file| !file.is_file()) {
        return Err(LabError::NoCell(missing));
    }
    let told = elbowroom_files::Options::default();
    let loaded = load_world(&toml, &told)?;
    let world = compile_world(&loaded.value)?;
    let settings = load_guard(&toml, &world, &told)?.value;
    let mut scripts = Vec::new();
    for (name, means) in script::NAMES {
        let script = script::read(&folder, name, &world, &settings, &loaded.touch)?;
        let mut report = play::play_script(&world, &settings, &script, options.rounds)?;
        report.chain = chain::run(&world, &settings, &script)?;
        report.indices = index::compare_indices(&world, &script, options.rounds)?;
        (report.name, report.means) = (name, means);
        scripts.push(report);
    }
    Ok(Tran91Report {
        rounds: options.rounds,
        bodies: world.bodies().len(),
        pairs: world.pairs().len(),
        scripts,
    })
}
