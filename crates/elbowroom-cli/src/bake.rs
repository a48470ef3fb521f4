//! `elbowroom bake`: one world for a microcontroller.

mod folder;
mod library;

use crate::arguments::{GeometryChoice, WorldArguments};
use crate::load::{ToldNotes, load_with_description};
use crate::out::{Sink, delivered_code, say_line};
use crate::summary::bodies;
use anyhow::Result;
use clap::Args;
use elbowroom_bake::{Baked, Refusal, bake_world, project_files};
use elbowroom_files::fault::counted_things;
use folder::NewFolder;
use library::{HOST, build_library};
use std::fmt::Write;
use std::path::PathBuf;

/// The options of `bake`.
#[derive(Args, Debug)]
pub struct BakeArguments {
    #[command(flatten)]
    world: WorldArguments,
    /// The folder to make: constants, a C header, an example in C, and what a compiler needs. It is written
    /// as DIR.incomplete and renamed
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Refuse constants of more bytes than this
    #[arg(long, value_name = "BYTES")]
    most: Option<usize>,
    /// Also build libelbowroom_world.a with cargo, for this machine or for TARGET, as thumbv7em-none-eabihf
    #[arg(long, value_name = "TARGET", num_args = 0..=1, require_equals = true, default_missing_value = HOST)]
    build: Option<String>,
}

/// Runs the command and returns the exit code.
pub fn run(arguments: &BakeArguments) -> Result<u8> {
    let (loaded, description) =
        load_with_description(&arguments.world, GeometryChoice::Mesh, ToldNotes::Counted)?;
    let name = arguments.world.world.display().to_string();
    let baked = bake_world(&description, &loaded.world).map_err(|refusals| refuse_all(&name, &refusals))?;
    if let Some(most) = arguments.most {
        baked.fit_into(most).map_err(|refusal| refuse_all(&name, &[refusal]))?;
    }
    let folder = NewFolder::create_beside(&arguments.out)?;
    for file in project_files(&baked) {
        folder.write_file(file.path, &file.text)?;
    }
    let library = arguments.build.as_ref().map(|target| build_library(folder.path(), target)).transpose()?;
    folder.finish()?;
    let mut out = Sink::open_stdout();
    out.put_text(&summary_text(&baked, library))?;
    if loaded.world.shapes().iter().any(|shape| shape.shape.mesh().is_some()) {
        out.put_text("meshes      each counts as its convex hull, so less is proved than by the engine\n")?;
    }
    let closed = out.finish()?;
    Ok(delivered_code(0, closed))
}

/// Says each refusal with the name of its file.
fn refuse_all(name: &str, refusals: &[Refusal]) -> anyhow::Error {
    for refusal in refusals {
        say_line(&format!("{name}: {refusal}"));
    }
    anyhow::anyhow!("{name} cannot be baked: {}", counted_things(refusals.len(), "refusal"))
}

/// What was baked, for people.
fn summary_text(baked: &Baked, library: Option<u64>) -> String {
    let (world, [joints, shapes]) = (baked.world(), baked.scratch_sizes());
    let always = world.pairs.iter().filter(|pair| pair.floor > world.margin).count();
    let [bytes, corners] = baked.constant_bytes();
    let mut text = format!(
        "fingerprint {:#018x}\n\
         world       {}, {}, {}, {}, {}, {always} of them clear at all poses\n\
         constants   {bytes} bytes, {corners} of them corners of hulls\n\
         memory      no heap; frames and centres take {} bytes of stack\n\
         worst case  {} directions a test\n\
         error       {:.1} um at most are taken off each distance for f32\n",
        world.fingerprint,
        counted_things(world.limits.len(), "joint value"),
        counted_things(joints, "joint"),
        bodies(world.bodies.len()),
        counted_things(shapes, "shape"),
        counted_things(world.pairs.len(), "pair"),
        48 * joints + 12 * shapes,
        world.worst_iterations(),
        baked.largest_error() * 1e6,
    );
    if let Some(bytes) = library {
        let _ = writeln!(text, "library     libelbowroom_world.a, {bytes} bytes before it is linked");
    }
    text
}
