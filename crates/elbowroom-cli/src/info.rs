//! `elbowroom info`: what was read, before anything is asked of it.

pub mod facts;
mod frames;
mod object;
mod scope;
mod size;
mod table;

use crate::arguments::{GeometryChoice, WorldArguments};
use crate::clashes::refuse_clashes;
use crate::load::{ToldNotes, load_with_description};
use crate::out::{Sink, delivered_code};
use anyhow::Result;
use clap::Args;
use object::json_info;
use scope::Info;
use std::path::PathBuf;
use table::{frames_table, info_table};

/// The options of `info`.
#[derive(Args, Debug)]
pub struct InfoArguments {
    #[command(flatten)]
    world: WorldArguments,
    /// Also where each link and each obstacle is at this pose: joint values in order; or joint=value,...; or
    /// the name of an SRDF state
    #[arg(long, value_name = "POSE", allow_hyphen_values = true)]
    at: Option<String>,
    /// At that pose, only where this link or obstacle is (repeatable)
    #[arg(long, value_name = "NAME", requires = "at")]
    frame: Vec<String>,
    /// Only this link or obstacle: its size, its shapes and the joints beside it, and with --at where it is
    /// (repeatable)
    #[arg(long, value_name = "NAME", conflicts_with = "frame")]
    body: Vec<String>,
    /// One JSON object into this file (`-`: standard output)
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// Runs the command and returns the exit code.
pub fn run(arguments: &InfoArguments) -> Result<u8> {
    let outputs = [("--json", arguments.json.as_deref())];
    refuse_clashes(&outputs, &arguments.world.input_files())?;
    let (loaded, description) =
        load_with_description(&arguments.world, GeometryChoice::Mesh, ToldNotes::All)?;
    refuse_clashes(&outputs, &loaded.input_files())?;
    let frames = arguments
        .at
        .as_ref()
        .map(|pose| frames::frames_at_pose(pose, &arguments.world, &loaded))
        .transpose()?;
    let named = frames::bodies_by_name("--frame", &arguments.frame, &loaded.world)?;
    let only = frames::bodies_by_name("--body", &arguments.body, &loaded.world)?;
    let info = Info {
        arguments: &arguments.world,
        loaded: &loaded,
        description: &description,
        frames: frames.as_ref(),
        only: &only,
    };
    let mut closed = false;
    if let Some(path) = &arguments.json {
        let mut out = Sink::open(path)?;
        out.put_text(&format!("{}\n", json_info(&info)))?;
        closed |= out.finish()?;
    }
    if arguments.json.as_deref().is_none_or(|path| path.as_os_str() != "-") {
        let mut out = Sink::open_stdout();
        match frames.as_ref().filter(|_| !named.is_empty()) {
            Some(frames) => out.put_text(&frames_table(&loaded.world, frames, &named))?,
            None => out.put_text(&info_table(&info))?,
        }
        closed |= out.finish()?;
    }
    Ok(delivered_code(0, closed))
}
