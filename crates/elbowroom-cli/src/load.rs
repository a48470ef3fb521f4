//! A world from its files: every fault and warning on standard error.

use crate::out::say;
use crate::summary::bodies;
use crate::{WorldArguments, limits};
use anyhow::{Result, anyhow, bail};
use elbowroom::compile::compile;
use elbowroom::describe::WorldDescription;
use elbowroom::fault::Numeral;
use elbowroom::tolerance::MAX_COORDINATE;
use elbowroom::world::World;
use elbowroom_files::Warning;
use elbowroom_files::fault::{self, counted};
use elbowroom_files::world::load_world;
use std::path::{Path, PathBuf};

/// What every file reader is told.
pub fn options(arguments: &WorldArguments) -> elbowroom_files::Options {
    elbowroom_files::Options {
        package_paths: arguments.package_path.clone(),
        honour_up_axis: arguments.honour_up_axis,
        srdf: arguments.srdf.clone(),
        no_srdf: arguments.no_srdf,
        ..elbowroom_files::Options::default()
    }
}

/// The compiled world and what a person must know about it before believing an answer.
pub struct LoadedWorld {
    /// The world.
    pub world: World,
    /// Sentences, already on standard error.
    pub notes: Vec<String>,
    /// The SRDFs that were read.
    pub srdfs: Vec<PathBuf>,
    /// Added to every robot shape (metres) ...
    pub padding: f64,
    /// ... and the most that a robot's shapes have besides.
    pub more_padding: f64,
    /// The robots' own names, as their files have them.
    pub robot_names: Vec<String>,
    /// Every file that was read for it.
    files: Vec<PathBuf>,
    /// What it was compiled from, if that was asked for.
    description: Option<WorldDescription>,
}

impl LoadedWorld {
    /// The files that were read, as messages call them.
    pub fn inputs(&self) -> Vec<(&'static str, Option<&Path>)> {
        self.files.iter().map(|file| ("a file that the world reads", Some(file.as_path()))).collect()
    }

    /// What is proved, or was sampled, of pairs that never touch holds within joint limits: for samples outside of them the pairs that
    /// an SRDF disables for that reason are checked. Needs [`load_for`] with `beyond_limits`.
    pub fn check_beyond_limits(&mut self, samples: usize) -> Result<()> {
        let Some(mut description) = self.description.take() else { return Ok(()) };
        for robot in &mut description.robots {
            robot.robot.disabled_pairs.retain(|pair| !is_never(&pair.reason));
        }
        let known = self.world.pairs().len();
        self.world = compiled(&description, "the world without pairs that never touch")?;
        let more = self.world.pairs().len() - known;
        if more > 0 {
            self.notes.push(format!(
                "note: {} the joint limits, and the reason Never of an SRDF holds within them only: {} disabled for it \
                 {} checked at every sample",
                if samples == 1 { "1 sample is outside".into() } else { format!("{samples} samples are outside") },
                counted(more, "pair"),
                if more == 1 { "is" } else { "are" }
            ));
            self.notes.last().into_iter().for_each(|note| say(note));
        }
        Ok(())
    }
}

/// Whether an SRDF disables a pair because it never touches; the other reasons do not depend on limits.
fn is_never(reason: &str) -> bool {
    reason.trim().eq_ignore_ascii_case("never")
}

/// Refuses values of options that no world could take, in the options' own names.
fn refuse_options(arguments: &WorldArguments) -> Result<()> {
    let mut faults = 0;
    for (option, value) in [("--margin", arguments.margin), ("--padding", arguments.padding)] {
        if let Some(value) = value.filter(|v| !(0.0..=MAX_COORDINATE).contains(v)) {
            let value = Numeral(value);
            say(&format!("{option} is {value}: give metres from zero to {MAX_COORDINATE:e}"));
            faults += 1;
        }
    }
    for folder in arguments.package_path.iter().filter(|folder| !folder.is_dir()) {
        let what = if folder.exists() { "is not a folder" } else { "there is no such folder" };
        say(&format!("--package-path {}: {what}", folder.display()));
        faults += 1;
    }
    if faults > 0 {
        bail!("{} refused", if faults == 1 { "1 option is".into() } else { format!("{faults} options are") });
    }
    Ok(())
}

/// Prints the warnings of a reader, those that are alike as one.
pub fn warn(warnings: &[Warning]) {
    let lines = fault::lines(warnings);
    for line in lines.iter().take(limits::WARNINGS) {
        say(&format!("warning: {line}"));
    }
    if lines.len() > limits::WARNINGS {
        say(&format!("warning: {}", counted(lines.len() - limits::WARNINGS, "more warning")));
    }
}

/// Reads and compiles, or prints every fault and fails.
pub fn load(arguments: &WorldArguments) -> Result<LoadedWorld> {
    load_for(arguments, false)
}

/// The same for samples that may be outside the joint limits.
pub fn load_for(arguments: &WorldArguments, beyond_limits: bool) -> Result<LoadedWorld> {
    refuse_options(arguments)?;
    let name = arguments.world.display();
    let loaded = match load_world(&arguments.world, &options(arguments)) {
        Ok(loaded) => loaded,
        Err(faults) => {
            say(&faults.to_string());
            bail!("{name} is refused");
        }
    };
    warn(&loaded.warnings);
    let (mut description, files, srdfs) = (loaded.value, loaded.files, loaded.srdfs);
    description.padding = arguments.padding.unwrap_or(description.padding);
    description.margin = arguments.margin.unwrap_or(description.margin);
    let padding = description.padding;
    let shapes = description.robots.iter().flat_map(|r| &r.robot.links).flat_map(|link| &link.shapes);
    let more_padding = shapes.map(|shape| shape.padding).fold(0.0, f64::max);
    let world = compiled(&description, &name.to_string())?;
    let notes = notes(&world);
    for note in &notes {
        say(note);
    }
    let robot_names = description.robots.iter().map(|r| r.robot.name.clone()).collect();
    let never =
        description.robots.iter().flat_map(|r| &r.robot.disabled_pairs).any(|pair| is_never(&pair.reason));
    let description = (beyond_limits && never).then_some(description);
    Ok(LoadedWorld { world, notes, srdfs, padding, more_padding, robot_names, files, description })
}

/// The compiled world, or every fault on standard error.
fn compiled(description: &WorldDescription, name: &str) -> Result<World> {
    compile(description).map_err(|faults| {
        for fault in &faults {
            say(&format!("{name}: {fault}"));
        }
        say(&counted(faults.len(), "fault"));
        anyhow!("{name} is refused")
    })
}

/// Missing geometry never means free: what is not checked at all is said.
fn notes(world: &World) -> Vec<String> {
    let mut notes = Vec::new();
    let open: Vec<&str> = world
        .bodies()
        .iter()
        .filter(|b| {
            b.shapes.clone().any(|s| world.shapes()[s as usize].shape.mesh().is_some_and(|m| !m.is_closed()))
        })
        .map(|b| &*b.name)
        .collect();
    if !open.is_empty() {
        let shown = open.iter().take(6).copied().collect::<Vec<_>>().join(", ");
        let more = if open.len() > 6 { ", ..." } else { "" };
        let are = match open.len() {
            1 => "has an open mesh and is treated as a surface",
            _ => "have open meshes and are treated as surfaces",
        };
        notes.push(format!(
            "note: {} {are}; what one encloses is unknown (--geometry hull takes them as solid hulls): {shown}{more}",
            bodies(open.len())
        ));
    }
    for robot in world.robots_without_shapes() {
        notes.push(format!(
            "WARNING: robot `{}` has no collision shape at all: nothing is known about it, and nothing is proved free",
            robot.name
        ));
    }
    if world.pairs().is_empty() {
        notes.push(
            "WARNING: no pair is checked: nothing is proved. `elbowroom pairs` says why each pair is left out"
                .into(),
        );
    }
    for robot in world.robots() {
        let bare: Vec<&str> = robot
            .links
            .clone()
            .map(|l| &world.bodies()[l as usize])
            .filter(|b| b.shapes.is_empty())
            .map(|b| b.name.split_once('/').map_or(&*b.name, |(_, link)| link))
            .collect();
        let links = robot.links.len();
        if !bare.is_empty() && bare.len() < links {
            let shown = bare.iter().take(6).copied().collect::<Vec<_>>().join(", ");
            let more = if bare.len() > 6 { ", ..." } else { "" };
            notes.push(format!(
                "note: links of `{}` without a collision shape, which are not checked ({} of {links}): {shown}{more}",
                robot.name,
                bare.len()
            ));
        }
    }
    notes
}
