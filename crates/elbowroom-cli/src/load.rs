//! A world from its files: every fault and warning on standard error.

pub mod carried;
mod notes;
mod srdfs;

use crate::arguments::{GeometryChoice, WorldArguments};
use crate::held::held_notes;
use crate::limits;
use crate::note::Note;
use crate::out::{say_line, say_remark, say_warnings};
use crate::seen::Seen;
use crate::units::doubted_cloud;
use anyhow::{Result, anyhow, bail};
use elbowroom::World;
use elbowroom::describe::limits::MAX_COORDINATE;
use elbowroom::describe::{DoorDescription, WorldDescription};
use elbowroom::fault::Numeral;
use elbowroom::world::{AllowedReason, BodyId, PairStatus};
use elbowroom_files::fault::{self, ZoneKind, counted_things};
use elbowroom_files::rates::JointRates;
use elbowroom_files::world::load_world;
use elbowroom_files::{Fault, Loaded};
pub use notes::ToldNotes;
use notes::{checks_note, resting_note, tell_notes, world_notes, zero_overlaps_note};
pub use srdfs::{RobotSrdfs, SrdfParts, is_urdf};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// What every file reader is told.
pub fn file_options(arguments: &WorldArguments) -> elbowroom_files::Options {
    elbowroom_files::Options {
        package_paths: arguments.package_path.clone(),
        honour_up_axis: arguments.honour_up_axis,
        srdf: arguments.srdf.clone(),
        no_srdf: arguments.no_srdf,
        xacro: Some(arguments.xacro.clone()),
        ..elbowroom_files::Options::default()
    }
}

/// The compiled world and what a person must know about it before believing an answer.
pub struct LoadedWorld {
    /// The world.
    pub world: World,
    /// What is said on standard error, some of it only as a count.
    pub notes: Vec<Note>,
    /// The SRDFs that were read.
    pub srdfs: Vec<PathBuf>,
    /// Added to every robot shape (metres) ...
    pub padding: f64,
    /// ... and the most that a robot's shapes have besides.
    pub more_padding: f64,
    /// The robots' own names, as their files have them.
    pub robot_names: Vec<String>,
    /// What their SRDFs say, by robot.
    pub srdf_parts: Vec<SrdfParts>,
    /// The obstacles that are movable, and the spare places, in order.
    pub movable: Vec<BodyId>,
    /// What they may touch while they are carried, by their names.
    pub touch: BTreeMap<String, Vec<String>>,
    /// Those that move along a joint on what carries them.
    pub doors: BTreeMap<BodyId, DoorDescription>,
    /// The obstacles that stand for zones, by their names.
    pub zones: BTreeMap<String, ZoneKind>,
    /// How fast joints may go, as their URDFs say, by full name.
    pub rates: BTreeMap<String, JointRates>,
    /// What is wrong with that.
    pub rate_faults: Vec<Fault>,
    /// The pairs that --allow-zero-overlaps allows, where it is given.
    pub zero_overlaps: Option<Vec<[String; 2]>>,
    /// Warnings of the readers, already on standard error.
    pub warnings: Vec<String>,
    /// The folders in which packages were found that `package://` names.
    pub packages: Vec<(String, PathBuf)>,
    /// Every file that was read for it.
    pub files: Vec<PathBuf>,
    /// What it was compiled from, if that was asked for.
    description: Option<WorldDescription>,
}

impl LoadedWorld {
    /// The files that were read, as messages call them.
    pub fn input_files(&self) -> Vec<(&'static str, Option<&Path>)> {
        self.files.iter().map(|file| ("a file that the world reads", Some(file.as_path()))).collect()
    }

    /// Its robots and their SRDFs.
    pub fn robot_srdfs(&self) -> RobotSrdfs<'_> {
        let LoadedWorld { robot_names: names, srdf_parts: parts, srdfs, files, .. } = self;
        RobotSrdfs { names, parts, srdfs, files }
    }

    /// Says notes that are about the question, and keeps them for a page.
    pub fn add_notes(&mut self, notes: impl IntoIterator<Item = Note>) {
        for note in notes {
            say_remark(&note.to_string());
            self.notes.push(note);
        }
    }

    /// What is proved, or was sampled, of pairs that never touch holds within joint limits: for samples
    /// outside of them the pairs that an SRDF disables for that reason are checked. Needs [`load_for`] with
    /// `beyond_limits`.
    pub fn check_beyond_limits(&mut self, samples: usize) -> Result<()> {
        let Some(mut description) = self.description.take() else { return Ok(()) };
        for robot in &mut description.robots {
            robot.robot.disabled_pairs.retain(|pair| !is_never(&pair.reason));
        }
        let known = self.world.pairs().len();
        self.world = compile_world(&description, "the world without pairs that never touch")?;
        self.zero_overlaps = self.zero_overlaps.take().map(|_| zero_overlaps(&self.world));
        let more = self.world.pairs().len() - known;
        if more > 0 {
            let fact = format!(
                "{} the joint limits, and the reason Never of an SRDF holds within them only: {} disabled \
                 for it {} checked at every sample",
                if samples == 1 {
                    "1 sample is outside".into()
                } else {
                    format!("{samples} samples are outside")
                },
                counted_things(more, "pair"),
                if more == 1 { "is" } else { "are" }
            );
            self.notes.push(Note::new_asked(fact, ""));
            self.notes.last().into_iter().for_each(|note| say_remark(&note.to_string()));
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
            say_line(&format!("{option} is {value}: give metres from zero to {MAX_COORDINATE:e}"));
            faults += 1;
        }
    }
    for folder in arguments.package_path.iter().filter(|folder| !folder.is_dir()) {
        let what = if folder.exists() { "is not a folder" } else { "there is no such folder" };
        say_line(&format!("--package-path {}: {what}", folder.display()));
        faults += 1;
    }
    if faults > 0 {
        bail!("{} refused", if faults == 1 { "1 option is".into() } else { format!("{faults} options are") });
    }
    Ok(())
}

/// Reads and compiles, or prints every fault and fails.
pub fn load_from_arguments(arguments: &WorldArguments, geometry: GeometryChoice) -> Result<LoadedWorld> {
    Ok(load_with(arguments, geometry, &Seen::default(), ToldNotes::Counted)?.0)
}

/// Reads and compiles, for samples that may be outside the joint limits, or prints every fault and fails.
pub fn load_for(
    arguments: &WorldArguments,
    geometry: GeometryChoice,
    beyond_limits: bool,
    seen: &Seen,
) -> Result<LoadedWorld> {
    let (mut loaded, description) = load_with(arguments, geometry, seen, ToldNotes::Counted)?;
    let mut disabled = description.robots.iter().flat_map(|r| &r.robot.disabled_pairs);
    if beyond_limits && disabled.any(|pair| is_never(&pair.reason)) {
        loaded.description = Some(description);
    }
    Ok(loaded)
}

/// Reads and compiles, or prints every fault and fails. Gives the description beside the world: meshes and
/// all, twice the memory.
pub fn load_with_description(
    arguments: &WorldArguments,
    geometry: GeometryChoice,
    told: ToldNotes,
) -> Result<(LoadedWorld, WorldDescription)> {
    load_with(arguments, geometry, &Seen::default(), told)
}

/// Loads a world, adds what sensors saw, and tells notes. SRDFs that lie near are named before all else, but
/// by who tells all notes: `info` has them in its table.
fn load_with(
    arguments: &WorldArguments,
    geometry: GeometryChoice,
    seen: &Seen,
    told: ToldNotes,
) -> Result<(LoadedWorld, WorldDescription)> {
    refuse_options(arguments)?;
    let name = arguments.world.display();
    let loaded = match load_world(&arguments.world, &file_options(arguments)) {
        Ok(loaded) => loaded,
        Err(faults) => {
            say_line(&faults.to_string());
            bail!("{name} is refused");
        }
    };
    let robots = || loaded.value.robots.iter().map(|placed| &placed.robot);
    let robot_names: Vec<String> = robots().map(|robot| robot.name.clone()).collect();
    let srdf_parts: Vec<SrdfParts> = robots().map(SrdfParts::from_robot).collect();
    if told == ToldNotes::Counted {
        let Loaded { srdfs, files, .. } = &loaded;
        let robots = RobotSrdfs { names: &robot_names, parts: &srdf_parts, srdfs, files };
        robots.near_in_words(arguments).iter().for_each(|line| say_remark(&format!("note: {line}")));
    }
    say_warnings(&loaded.warnings);
    let mut warnings = fault::warning_lines(&loaded.warnings);
    let Loaded { value: mut description, files, srdfs, packages, touch, zones, rates, rate_faults, .. } =
        loaded;
    description.padding = arguments.padding.unwrap_or(description.padding);
    description.margin = arguments.margin.unwrap_or(description.margin);
    description.allow_zero_overlaps = arguments.allow_zero_overlaps;
    seen.add(&mut description)?;
    let padding = description.padding;
    let shapes = description.robots.iter().flat_map(|r| &r.robot.links).flat_map(|link| &link.shapes);
    let more_padding = shapes.map(|shape| shape.padding).fold(0.0, f64::max);
    let world = compile_world(&description, &name.to_string())?;
    for cloud in &seen.clouds {
        if let Some(doubt) = doubted_cloud(&world, &cloud.name, &cloud.points, limits::MAP_FAR) {
            say_remark(&format!("warning: {doubt}"));
            warnings.push(doubt);
        }
    }
    let zero_overlaps = arguments.allow_zero_overlaps.then(|| zero_overlaps(&world));
    let mut notes = world_notes(&world, geometry);
    if !description.checks.is_empty() {
        notes.extend(checks_note(&world));
        notes.extend(resting_note(&world, &description));
    }
    notes.extend(carried::far_notes(&world, &description));
    notes.extend(held_notes(&world, &description));
    notes.extend(zero_overlaps.as_deref().map(zero_overlaps_note));
    let movable = movable_bodies(&world, &description);
    let door = |door: &DoorDescription| Some((world.body_by_name(&door.body)?, door.clone()));
    let doors = description.doors.iter().filter_map(door).collect();
    let loaded = LoadedWorld {
        world,
        doors,
        movable,
        touch,
        zones,
        rates,
        rate_faults,
        notes,
        srdfs,
        padding,
        more_padding,
        robot_names,
        srdf_parts,
        zero_overlaps,
        warnings,
        packages,
        files,
        description: None,
    };
    tell_notes(&loaded.notes, arguments, told);
    Ok((loaded, description))
}

/// The world, compiled on demand; or every fault on standard error.
pub fn compile_world(description: &WorldDescription, name: &str) -> Result<World> {
    World::compile_on_demand(description).map_err(|faults| {
        for fault in &faults {
            say_line(&format!("{name}: {fault}"));
        }
        say_line(&counted_things(faults.len(), "fault"));
        anyhow!("{name} is refused")
    })
}

/// The obstacles that are movable, and the spare places: obstacles come behind all links.
fn movable_bodies(world: &World, description: &WorldDescription) -> Vec<BodyId> {
    let later = description.spares.len() + description.clouds.len();
    let links = world.bodies().len() - description.obstacles.len() - later;
    let obstacles = description.obstacles.iter().map(|obstacle| obstacle.movable);
    let movable = obstacles.chain(description.spares.iter().map(|_| true)).enumerate();
    movable.filter(|(_, movable)| *movable).map(|(i, _)| BodyId((links + i) as u32)).collect()
}

/// The pairs that are allowed because they overlap at the zero pose.
fn zero_overlaps(world: &World) -> Vec<[String; 2]> {
    let name = |id: BodyId| world.bodies()[id.index()].name.to_string();
    let of_robots = world.robots().iter().flat_map(|robot| {
        robot.links.clone().flat_map(|a| (a + 1..robot.links.end).map(move |b| [BodyId(a), BodyId(b)]))
    });
    let zero = |[a, b]: &[BodyId; 2]| {
        matches!(world.status(*a, *b), Some(PairStatus::Allowed(AllowedReason::ZeroOverlap)))
    };
    of_robots.filter(zero).map(|pair| pair.map(name)).collect()
}
