//! The experiment again: Table I, the levels over random poses and small steps, times, the line of equation
//! (5), and the estimate of a table of all poses.
//!
//! Poses are random within the limits, or small steps along straight ways between such poses. The engine's
//! proved distance of the fingers is the truth of each. Times are of one thread: each pose is timed in turns,
//! its fastest run counts, and of all poses the middle one and the slowest are reported.

use super::base_line::{LINE_AXES, PRINTED_LINE, says_base_collides};
use super::closing::run_closings;
use super::dimensions::{BEND_LIMITS, PIVOT_LIMITS, TIP_RADIUS};
use super::hand::{Hand, MACHINE_NAMES, hand_error};
use super::joint::StopKind;
use super::kinematics::{HandPose, place_fingers};
use super::late::measure_stops;
use super::levels::HandLevels;
use super::measured::{measure_finger, measure_tip};
use super::report::{BaseRow, Haase10Report, LevelRow, TableColumn};
use super::timing;
use super::tip::{approximation_error, box_count};
use crate::error::LabError;
use crate::limits::{
    BASE_STEP, CLEARANCE, HAND_POSES, HAND_ROUNDS, HAND_SEED, HAND_STEP, LEVEL_DEPTH, WRONG_DISTANCE,
};
use elbowroom::math::Random;
use elbowroom::motion::{FieldFault, FieldOptions, Prover};
use elbowroom::{Checker, Interval};
use std::path::PathBuf;
use std::time::Instant;

/// Random closings with each kind of stop.
const CLOSINGS: usize = 200;

/// Where to read, how much to do.
#[derive(Clone, Debug)]
pub struct Haase10Options {
    /// The folder of robots, with `sdh2` in it; `None`: `robots`.
    pub data: Option<PathBuf>,
    /// The machine's own URDF, if it is at hand.
    pub machine: Option<PathBuf>,
    /// Random poses, and as many small steps.
    pub poses: usize,
    /// How often each pose is timed.
    pub rounds: usize,
    /// Which poses.
    pub seed: u64,
}

impl Default for Haase10Options {
    fn default() -> Haase10Options {
        Haase10Options { data: None, machine: None, poses: HAND_POSES, rounds: HAND_ROUNDS, seed: HAND_SEED }
    }
}

/// Depth and greatest error of the paper's Table I (millimetres).
pub const TABLE: [(u32, f64); 6] = [(3, 3.3), (4, 1.74), (5, 0.9), (6, 0.46), (7, 0.23), (8, 0.12)];

/// Runs the experiment.
///
/// # Errors
/// Data missing or unreadable.
pub fn run(options: &Haase10Options) -> Result<Haase10Report, LabError> {
    let hand = Hand::load_hand(options.data.as_deref())?;
    let machine = match &options.machine {
        Some(file) => Some(Hand::load_file(file, &MACHINE_NAMES)?),
        None => None,
    };
    let random = &mut Random(options.seed);
    let poses: Vec<HandPose> = (0..options.poses.max(1)).map(|_| random_pose(random)).collect();
    let steps = small_steps(options.poses.max(1), random);
    let mut table = Vec::new();
    for (depth, paper) in TABLE {
        let formula = 1e3 * approximation_error(TIP_RADIUS, box_count(depth));
        table.push(TableColumn { depth, paper, formula, measured: 1e3 * measure_tip(&hand, depth)? });
    }
    let truth = prove_poses(&hand, &poses)?;
    let truth_of_steps = prove_poses(&hand, &steps)?;
    let mut levels = Vec::new();
    for (depth, _) in TABLE {
        let name = format!("random poses, b = {depth}");
        levels.push(run_levels(name, HandLevels::new(depth, 0.0), 0.0, &poses, &truth));
    }
    let usual = || HandLevels::new(LEVEL_DEPTH, 0.0);
    let rest = [
        ("s = 5 mm, b = 5", HandLevels::new(LEVEL_DEPTH, CLEARANCE), CLEARANCE, &poses, &truth),
        ("as printed, b = 5", usual().as_printed(), 0.0, &poses, &truth),
        ("small steps, b = 5", usual(), 0.0, &steps, &truth_of_steps),
        ("no axis kept, b = 5", usual().without_kept_axes(), 0.0, &steps, &truth_of_steps),
    ];
    levels.extend(rest.map(|(name, test, s, poses, truth)| run_levels(name.into(), test, s, poses, truth)));
    let mut base = vec![compare_base("our hand", &hand)?];
    if let Some(machine) = &machine {
        base.push(compare_base("the machine's meshes", machine)?);
    }
    let stops = [StopKind::Emergency, StopKind::Command];
    let [emergency, command] = stops.map(|kind| run_closings(&hand.world, kind, 0, CLOSINGS));
    let closings = [emergency?, command?];
    let rounds = options.rounds.max(1);
    let mut times = timing::measure_times(&hand, machine.as_ref(), [&poses, &steps], rounds)?;
    for (row, hand) in base.iter().zip([Some(&hand), machine.as_ref()].into_iter().flatten()) {
        let values: Vec<[f64; 7]> = poses.iter().map(|phi| hand.joint_values(phi)).collect();
        times.extend(row.field.iter().map(|field| timing::time_lookup(row.name, field, &values, rounds)));
    }
    Ok(Haase10Report {
        poses: poses.len(),
        rounds,
        overlapping: truth.iter().filter(|t| t.overlaps()).count(),
        has_machine: machine.is_some(),
        tip_passes: timing::count_tip_passes(&poses),
        table,
        errors: measure_finger(&hand)?.map(|x| 1e3 * x),
        levels,
        base,
        late: measure_stops()?,
        closings,
        times,
    })
}

fn random_pose(random: &mut Random) -> HandPose {
    std::array::from_fn(|i| {
        let [lower, upper] = if i == 0 { PIVOT_LIMITS } else { BEND_LIMITS };
        random.range(lower.to_radians(), upper.to_radians())
    })
}

/// So many poses along straight ways between random ones; no joint moves farther from one to the next than
/// [`HAND_STEP`].
fn small_steps(count: usize, random: &mut Random) -> Vec<HandPose> {
    let mut at = random_pose(random);
    let mut poses = Vec::with_capacity(count);
    while poses.len() < count {
        let to = random_pose(random);
        let farthest = at.iter().zip(&to).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        let n = (farthest / HAND_STEP).ceil().max(1.0);
        for k in 0..n as usize {
            let part = k as f64 / n;
            poses.push(std::array::from_fn(|j| at[j] + part * (to[j] - at[j])));
        }
        at = to;
    }
    poses.truncate(count);
    poses
}

/// The proved distance of the fingers at each pose.
fn prove_poses(hand: &Hand, poses: &[HandPose]) -> Result<Vec<Interval>, LabError> {
    let mut checker = Checker::new(&hand.world);
    let prove = |phi: &HandPose| {
        hand.set_pose(&mut checker, phi)?;
        Ok(hand.finger_clearance(&mut checker))
    };
    poses.iter().map(prove).collect()
}

/// The levels over poses, beside what is proved. With a clearance `s` fingers that are free are `2 s` apart.
fn run_levels(
    name: String,
    mut levels: HandLevels,
    clearance: f64,
    poses: &[HandPose],
    truth: &[Interval],
) -> LevelRow {
    let mut row = LevelRow { name, poses: poses.len(), ..LevelRow::default() };
    for (phi, proved) in poses.iter().zip(truth) {
        let found = levels.find_meeting_fingers(&place_fingers(phi));
        row.ended[levels.ending_level(found)] += 1;
        row.counts += &levels.counts;
        let (over, under) = (proved.lower - 2.0 * clearance, 2.0 * clearance - proved.upper);
        if found.is_some() && over > 0.0 {
            row.false_alarms += 1;
            row.farthest = row.farthest.max(over);
        }
        if found.is_none() && under > WRONG_DISTANCE {
            row.missed += 1;
            row.deepest = row.deepest.max(under);
        }
    }
    row
}

/// Equation (5) beside the engine, on a grid of both angles where they can matter.
fn compare_base(name: &'static str, hand: &Hand) -> Result<BaseRow, LabError> {
    let mut checker = Checker::new(&hand.world);
    let mut row = BaseRow { name, least: [f64::INFINITY; 2], ..BaseRow::default() };
    let count = (90.0 / BASE_STEP) as u32;
    for i in 0..=count {
        for j in 0..=count {
            let [phi_3, phi_4] = [i, j].map(|n| f64::from(n) * BASE_STEP);
            // Fingers 1 and 3 stand aside.
            let phi = [90.0, -60.0, 0.0, phi_3, phi_4, -60.0, 0.0].map(f64::to_radians);
            hand.set_pose(&mut checker, &phi)?;
            let proved = hand.base_clearance(&mut checker);
            let said = says_base_collides(phi_3, phi_4);
            row.asked += 1;
            row.colliding += usize::from(proved.overlaps());
            row.missed += usize::from(proved.overlaps() && !said);
            row.false_alarms += usize::from(proved.lower > 0.0 && said);
            if proved.overlaps() {
                row.least = [row.least[0].min(phi_3), row.least[1].min(phi_4)];
            }
        }
    }
    let field_error = |fault: FieldFault| hand_error(&fault.to_string());
    let started = Instant::now();
    let pair = hand.base_bodies().ok_or_else(|| hand_error("finger 2 and the palm are not checked"))?;
    let field = Prover::new(&hand.world).field(pair, &FieldOptions::default()).map_err(field_error)?;
    row.seconds = started.elapsed().as_secs_f64();
    (row.cells, row.bytes) = (field.count_cells(), field.byte_count());
    row.printed = field
        .count_line_errors(LINE_AXES, &PRINTED_LINE)
        .ok_or_else(|| hand_error("the field of finger 2 and the palm has not two joints"))?;
    row.fitted = field.fit_line(LINE_AXES);
    row.field = Some(field);
    Ok(row)
}
