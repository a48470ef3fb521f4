//! `elbowroom pairs`: each pair of bodies, checked, or allowed and why.

use crate::out::{Sink, clean, delivered, refuse_clashes, say};
use crate::{GeometryChoice, WorldArguments, limits, load, prove};
use anyhow::Result;
use clap::Args;
use elbowroom::pairs::{AllowedReason, PairStatus};
use serde_json::json;
use std::path::PathBuf;

/// The options of `pairs`.
#[derive(Args, Debug)]
pub struct Arguments {
    #[command(flatten)]
    pub world: WorldArguments,
    /// One JSON object a pair into this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Leave out pairs of which one body has no shape, and pairs fixed in the cell
    #[arg(long)]
    pub brief: bool,
    /// Prove over all joint values, by bounds and not by samples, which pairs never touch and which always overlap. Pairs
    /// that an SRDF disables are looked at too
    #[arg(long)]
    pub prove: bool,
    /// Write the pairs that need no check into this SRDF, with their proofs (`-`: standard output)
    #[arg(long, value_name = "FILE", requires = "prove")]
    pub srdf_out: Option<PathBuf>,
    /// Boxes of joint values that are asked for one pair before it is left to be checked
    #[arg(long, value_name = "N", requires = "prove", default_value_t = elbowroom::tolerance::PROVE_BOXES)]
    pub boxes: u64,
    /// What meshes count as in proofs
    #[arg(long, value_enum, default_value = "auto", requires = "prove")]
    pub geometry: GeometryChoice,
}

/// Runs the command and returns the exit code.
pub fn run(arguments: &Arguments) -> Result<u8> {
    let outputs = [("--json", arguments.json.as_deref()), ("--srdf-out", arguments.srdf_out.as_deref())];
    refuse_clashes(&outputs, &arguments.world.inputs())?;
    let loaded = load::load(&arguments.world)?;
    refuse_clashes(&outputs, &loaded.inputs())?;
    if arguments.prove {
        return prove::run(arguments, &loaded);
    }
    let world = &loaded.world;
    let listed = || {
        let trivial = |status: &PairStatus<'_>| {
            let PairStatus::Allowed(reason) = status else { return false };
            matches!(reason, AllowedReason::NoShapes | AllowedReason::BothFixed)
        };
        world.all_pairs().filter(move |(_, _, status)| !(arguments.brief && trivial(status)))
    };
    let count = format!("{} checked, {} allowed", world.pairs().len(), world.allowed_count());
    let name = |id: elbowroom::id::BodyId| &*world.bodies()[id.index()].name;

    if let Some(path) = &arguments.json {
        let mut out = Sink::open(path)?;
        for (a, b, status) in listed() {
            let pair = [name(a), name(b)];
            let line = match status {
                PairStatus::Checked(_) => json!({"pair": pair, "status": "checked"}),
                PairStatus::Allowed(reason) => json!({
                    "pair": pair, "status": "allowed", "why": reason.word(), "reason": reason.to_string(),
                }),
            };
            out.put(&format!("{line}\n"))?;
            if out.closed {
                break;
            }
        }
        out.flush()?;
        if out.closed || path.as_os_str() == "-" {
            say(&count);
            return Ok(delivered(0, out.closed));
        }
    }
    // Rows as they come: a cell may have millions of pairs, too many for a table that is laid out as a whole.
    let width = world.bodies().iter().map(|b| clean(&b.name).chars().count()).max().unwrap_or(0);
    let width = width.min(limits::NAME_COLUMNS);
    let mut out = Sink::stdout();
    for (a, b, status) in listed() {
        let (a, b) = (clean(name(a)), clean(name(b)));
        let status = match status {
            PairStatus::Checked(_) => "checked".to_string(),
            PairStatus::Allowed(reason) => format!("allowed  {}", clean(&reason.to_string())),
        };
        out.put(&format!("{a:width$}  {b:width$}  {status}\n"))?;
        if out.closed {
            break;
        }
    }
    out.put(&format!("{count}\n"))?;
    out.flush()?;
    Ok(delivered(0, out.closed))
}
