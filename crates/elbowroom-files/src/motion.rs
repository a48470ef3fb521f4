//! Motions: one pose of all joints a row, from CSV, NPY or JSON lines, or a message of ROS or MoveIt. JSON
//! lines may have events between poses.
//!
//! ```
//! use elbowroom_files::motion::{Joints, load_motion_from, mimic_rules};
//! use elbowroom_files::{Options, source::InMemory};
//!
//! let urdf = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/arm.urdf");
//! let arm = elbowroom_files::load(urdf)?.value;
//! let world = elbowroom::World::compile(&arm)?;
//! let mut files = InMemory::default();
//! files.0.insert("lift.csv".into(), "t,elbow,shoulder\n0,0.5,0\n0.1,0.5,0.1\n".into());
//! let joints = Joints { names: world.dof_names(), mimics: &mimic_rules(&world), ..Joints::default() };
//! let motion = load_motion_from(&files, "lift.csv".as_ref(), joints, &Options::default())?.value;
//! // Rows are in the world's order, whatever that of the columns: the shoulder comes first.
//! assert_eq!(motion.rows, [[0.0, 0.5], [0.1, 0.5]]);
//! assert_eq!(motion.t, Some(vec![0.0, 0.1]), "seconds");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod changes;
mod clocks;
mod columns;
mod data;
mod documents;
pub mod event;
mod free_joints;
mod jsonl;
mod knots;
mod message;
mod message_reader;
mod mimic;
pub mod names;
mod npy;
mod other_robot;
mod pieces;
mod placed_file;
mod pose_file;
mod table;
mod time_order;
mod trajectory;
mod trajectory_halves;
mod transforms;
pub(crate) mod values;
mod way_splines;
mod ways;

pub use clocks::{RobotJoints, join_motions};
pub use data::{Joints, Motion, mimic_rules, turning_values};
pub use free_joints::{FreeJoint, free_joints};
pub use pose_file::{PoseFile, RowFault};
pub use table::TableColumns;
pub use ways::{MotionWays, RowRates};

use crate::fault::{Faults, Loaded, Log};
use crate::limits;
use crate::other_kind::{OtherKind, recognize_other_kind};
use crate::scene::is_scene_text;
use crate::session::Session;
use crate::source::{Disk, Files, Options, TransformWays};
use crate::tree::node::Node;
use columns::{PoseColumns, RateColumns, TitleLine, TitlePlace};
use elbowroom::fault::Numeral;
use jsonl::{is_own_line, read_jsonl_motion};
use message::{has_plan, is_message, read_message_motion};
use npy::read_npy_motion;
use std::path::Path;
use time_order::{refuse_still_time, warn_backward_time};

/// Reads a motion for a model that has these joints.
///
/// CSV has a header of the names of its values; the robot may be left out where the rest is unique; a column
/// `t` is time in seconds. Columns of mimic joints may be there: they must agree with what they follow,
/// within [`limits::MIMIC_DEFECT`]. NPY holds an array of poses by values, f4 or f8, in the model's order,
/// without mimic joints. JSON lines hold an object each: a sample, `{"t": 0.1, "q": [...]}` in the model's
/// order or `"q": {"joint": 0.5, ...}`, or an event ([`event::Change`]). YAML or JSON may be a message: a
/// trajectory, a planning request (its start and its goal), or joint states.
///
/// Time that runs backwards is a warning.
///
/// # Errors
/// All faults together: unknown, repeated and missing columns, numbers that are not finite, and mimic joints
/// that contradict what they follow, with line, sample (from 0) and column. In events: unknown words, several
/// events in a line, and missing words. Whether a world has the bodies that events name is not checked here.
pub fn load_motion(path: &Path, joints: Joints<'_>, options: &Options) -> Result<Loaded<Motion>, Faults> {
    load_motion_from(&Disk, path, joints, options)
}

/// [`load_motion`] from any [`Files`].
///
/// # Errors
/// See [`load_motion`].
pub fn load_motion_from(
    files: &dyn Files,
    path: &Path,
    joints: Joints<'_>,
    options: &Options,
) -> Result<Loaded<Motion>, Faults> {
    read_motion_from(files, path, joints, options).map_err(|(faults, _)| faults)
}

/// [`load_motion`]. A faulty motion also returns the rows that were read, so that everything else that is
/// wrong with them can be told at once. Values that could not be read are NaN in them.
///
/// # Errors
/// See [`load_motion`].
pub fn read_motion(
    path: &Path,
    joints: Joints<'_>,
    options: &Options,
) -> Result<Loaded<Motion>, (Faults, Box<Motion>)> {
    read_motion_from(&Disk, path, joints, options)
}

/// [`read_motion`] from any [`Files`].
///
/// # Errors
/// See [`load_motion`].
pub fn read_motion_from(
    files: &dyn Files,
    path: &Path,
    joints: Joints<'_>,
    options: &Options,
) -> Result<Loaded<Motion>, (Faults, Box<Motion>)> {
    let mut session = Session::new(files, options);
    let (mut motion, mut has_transforms) = (Motion::default(), false);
    let whole = session.read_plain(path, options.max_file_bytes).and_then(|bytes| {
        if bytes.starts_with(crate::npy::MAGIC) {
            read_npy_motion(path, &bytes, joints.names, &mut motion.rows, &mut session.log)
        } else if has_ending(path, "npy") {
            session.log.add_fault(path, "", "is not an NPY file", "save it with numpy.save");
            None
        } else if let Some(OtherKind { what, help }) =
            recognize_other_kind(&bytes).or_else(|| recognize_world_kind(path, &bytes))
        {
            session.log.add_fault(path, "", format!("is {what}, and no list of poses"), help);
            None
        } else if let Some(text) = find_message(path, &bytes) {
            has_transforms = read_message_motion(path, text, joints, options, &mut motion, &mut session.log)?;
            Some(())
        } else if is_jsonl(path, &bytes) {
            read_jsonl_motion(path, &bytes, joints, options, &mut motion, &mut session)
        } else {
            read_csv_motion(path, &bytes, joints, options, &mut motion, &mut session.log)
        }
    });
    if whole.is_some() {
        warn_moving_end(path, &motion, &mut session.log);
        if options.transforms == TransformWays::Cubic && !has_transforms {
            let what = "has no joint with transforms, whose ways could be cubics";
            session.log.add_warning(
                path,
                "",
                what,
                "they are in a MultiDOFJointTrajectory or RobotTrajectory",
            );
        }
    }
    match session.finish(whole) {
        Ok(loaded) => Ok(loaded.replace_value(motion)),
        Err(faults) => Err((faults, Box::new(motion))),
    }
}

/// Warns of a last row that is not at rest.
fn warn_moving_end(path: &Path, motion: &Motion, log: &mut Log) {
    let seconds = motion.t.as_deref().map_or(0.0, |t| match t {
        [.., from, to] => to - from,
        _ => 0.0,
    });
    let speed = motion.ways.end_speed(seconds);
    if speed > limits::REST_SPEED {
        let what = format!(
            "ends at speed, with up to {} rad/s or m/s: what comes behind its end is not known",
            Numeral::computed(speed)
        );
        let help =
            "joint_trajectory_controller refuses that, but for allow_nonzero_velocity_at_trajectory_end";
        log.add_warning(path, "", what, help);
    }
}

/// Whether a motion is JSON lines: by its name, or because it begins with an object.
fn is_jsonl(path: &Path, bytes: &[u8]) -> bool {
    has_ending(path, "jsonl") || bytes.trim_ascii_start().starts_with(b"{")
}

/// The text of a file that is not one of the program's own kinds, by its name or by its first line.
fn foreign_text<'b>(path: &Path, bytes: &'b [u8]) -> Option<&'b str> {
    let text = std::str::from_utf8(bytes).ok().filter(|_| !has_ending(path, "csv"))?;
    let first = text.trim_start().lines().next().unwrap_or("");
    // A line that is broken is one of ours.
    let own = is_own_line(first) || has_ending(path, "jsonl") && serde_json::from_str::<Node>(first).is_err();
    (!own).then_some(text)
}

fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// Whether YAML or JSON has a key, told from its lines.
fn has_key(text: &str, key: &str) -> bool {
    // On one line JSON may have it anywhere, and YAML without quotes.
    let begins = |text: &str| text.ends_with(['{', '[', ',', ' ', '\n']);
    let plain = format!("{key}:");
    if text.trim_start().starts_with(['{', '['])
        && (text.contains(&format!("\"{key}\""))
            || text.match_indices(&plain).any(|(k, _)| text.get(..k).is_some_and(begins)))
    {
        return true;
    }
    let mut words = text.lines().map(|line| line.trim_start().trim_start_matches(['{', '[', '-', ' ']));
    words.any(|line| {
        line.trim_start_matches('"')
            .strip_prefix(key)
            .is_some_and(|rest| rest.trim_start_matches('"').trim_start().starts_with(':'))
    })
}

/// What a file is that is no motion, and what to do: a world or a scene.
fn recognize_world_kind(path: &Path, bytes: &[u8]) -> Option<OtherKind> {
    let text = foreign_text(path, bytes)?;
    let scene =
        OtherKind { what: "a scene of MoveIt", help: "name it in a world file: [[scene]] file = \"...\"" };
    if has_ending(path, "toml") || text.lines().any(|line| line.trim_start().starts_with("[[")) {
        let help = "give it in the place of the world: elbowroom check WORLD --motion FILE";
        Some(OtherKind { what: "a world file", help })
    } else if is_scene_text(text) {
        Some(scene)
    } else if has_plan(|key| has_key(text, key)) {
        // A request may have a scene in it.
        None
    } else if has_key(text, "robot_state") || has_key(text, "world") && has_key(text, "collision_objects") {
        Some(scene)
    } else {
        None
    }
}

/// The text of a message of MoveIt or ROS, in YAML or JSON: by its name, or by keys that no motion of ours
/// has.
fn find_message<'b>(path: &Path, bytes: &'b [u8]) -> Option<&'b str> {
    let is_yaml = has_ending(path, "yaml") || has_ending(path, "yml");
    foreign_text(path, bytes).filter(|text| is_yaml || is_message(|key| has_key(text, key)))
}

/// Reads into an empty motion; `None` after at least one fault.
fn read_csv_motion(
    path: &Path,
    bytes: &[u8],
    joints: Joints<'_>,
    options: &Options,
    motion: &mut Motion,
    log: &mut Log,
) -> Option<()> {
    let names = joints.names;
    if bytes.iter().take(4096).any(|&b| b == 0) {
        log.add_fault(path, "", "is not a text file", "give a CSV, NPY or JSONL file");
        return None;
    }
    let (first, rest) =
        bytes.split_at(bytes.iter().position(|&b| b == b'\n' || b == b'\r').unwrap_or(bytes.len()));
    let TitleLine { delimiter, text: first } = TitleLine::find_delimiter(first, names);
    let bytes = std::io::Read::chain(first, rest);
    let mut reader = csv::ReaderBuilder::new()
        .delimiter(delimiter)
        .trim(csv::Trim::All)
        .comment(Some(b'#'))
        .flexible(true)
        .from_reader(bytes);
    let header = match reader.headers() {
        Ok(header) => header.clone(),
        Err(e) => {
            log.add_fault(path, "line 1", format!("its header cannot be read: {e}"), "write CSV as UTF-8");
            return None;
        }
    };
    let place = (TitlePlace::FirstLine, RateColumns::Read);
    let columns = PoseColumns::read_titles_of(place, path, &header, joints, options, log)?;
    let (time, moves) = (columns.has_time(), columns.has_rates());
    let mut rates = Vec::new();
    let mut pose = columns.empty_line(joints);
    let mut t = Vec::new();
    let mut record = csv::StringRecord::new();
    let before = log.fault_count();
    let mut values = 0_usize;
    loop {
        match reader.read_record(&mut record) {
            Ok(false) => break,
            Ok(true) => {}
            Err(e) => {
                let place = e.position().map(|p| format!("line {}", p.line())).unwrap_or_default();
                log.add_fault(path, place, format!("cannot be read: {e}"), "write CSV as UTF-8");
                return None;
            }
        }
        // A record is said to begin behind the one before it: the lines between hold nothing.
        let line = record.position().map_or(0, |p| {
            let begin = usize::try_from(p.byte()).ok().and_then(|at| at.checked_sub(first.len()));
            p.line().saturating_add(begin.and_then(|at| rest.get(at..)).map_or(0, empty_lines))
        });
        // A line of nothing but separators ends some spreadsheets' files.
        if record.iter().all(str::is_empty) {
            continue;
        }
        let place = || format!("line {line}, sample {}", motion.rows.len());
        columns.read_line(joints, (record.iter(), record.len()), &mut pose, |(what, help)| {
            log.add_fault(path, place(), what, help);
        });
        t.extend(pose.t);
        motion.lines.push(line);
        motion.rows.push(pose.row.clone());
        if moves {
            rates.push(pose.rates.clone());
        }
        let numbers = pose.row.len() + pose.rates.velocities.len() + pose.rates.accelerations.len();
        values = values.saturating_add(numbers.max(1));
        if values > limits::MOTION_VALUES || log.is_full() {
            log.add_fault(path, format!("line {line}"), "holds too many values or faults", "split the file");
            return None;
        }
    }
    if motion.rows.is_empty() {
        log.add_fault(path, "", "has no row below its header", "give at least one pose");
    }
    if time && log.fault_count() == before {
        if moves {
            refuse_still_time(path, &t, &motion.lines, log);
        } else {
            warn_backward_time(path, &t, &motion.lines, log);
        }
    }
    if moves {
        motion.ways = MotionWays::Rates(rates);
    }
    motion.t = time.then_some(t);
    (log.fault_count() == before).then_some(())
}

/// How many lines end before the first that is neither empty nor a comment.
fn empty_lines(mut bytes: &[u8]) -> u64 {
    let mut lines = 0;
    while let [byte @ (b'\n' | b'\r' | b'#'), rest @ ..] = bytes {
        lines += u64::from(*byte == b'\n');
        let to_end = || rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
        bytes = if *byte == b'#' { &rest[to_end()..] } else { rest };
    }
    lines
}
