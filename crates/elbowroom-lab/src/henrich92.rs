//! henrich92, section 4: five ways to the collision vector of two classes, step by step along a motion.
//!
//! Two scenes: the Puma 260 of ten parts among 16 obstacles (BOTTLENECK and the nine nearest objects of
//! [`industrial_cell`]), and two such arms that reach towards each other. The motion is the path of 119
//! configurations with [`STEPS_BETWEEN`] steps from each to the next; the second arm is half the path behind.
//! Robot, cell and motion are ours: the paper's were never published, and its Fig. 5 has no numbers that
//! could stand beside ours.
//!
//! As in the paper, times leave out moving the corners of the polytopes, which is the same for all five, and
//! are apart for steps with and without collision. The engine's times have its kinematics in them; it moves
//! no corners.
//!
//! Beside the five stand what the paper says of them in words: (e) together with initialization, with the
//! local and with the global update, the other descent, and the four strategies for pairs of primitives.
//!
//! A second table is about section 3.2: how many hierarchies are best somewhere, when the first three joints
//! are sampled by [`SAMPLING`], and how often the commonest is;
//! and what (e) takes with the structures of each cost. Two of them are drawn, as in Fig. 2.

mod approach;
mod class;
mod counts;
mod report;

pub use crate::figure::DrawnTree;
pub use approach::{Approach, Pair};
pub use class::Class;
pub use counts::ApproachCounts;
pub use report::{ApproachReport, Henrich92Report, SceneReport, StructureRow};

use crate::cost::Cost;
use crate::error::LabError;
use crate::henrich97::cells::industrial_cell;
use crate::limits::{
    CELL_SEED, ROOM_OF_OBJECT, SAMPLING, SECOND_ARM, STEPS_BETWEEN, THRESHOLD, WALKS, WRONG_DISTANCE,
};
use crate::parts::{Part, box_of, compile_world, convex_parts, part_in_world, robot_error};
use crate::puma::Puma;
use crate::structures::{KeepStructures, Structures};
use crate::truth::Truth;
use elbowroom::bounds::AlignedBox;
use elbowroom::describe::WorldDescription;
use elbowroom::math::{Mat3, Transform, Vec3, vec3};
use elbowroom::pair::Ask;
use elbowroom::world::RobotId;
use elbowroom::{Checker, Interval, Question, World};
use std::hint::black_box;
use std::path::PathBuf;
use std::time::Instant;

/// Where to read, where to write, how much to do.
#[derive(Clone, Debug)]
pub struct Henrich92Options {
    /// The folder of robots, with `puma260` in it; `None`: `robots`.
    pub data: Option<PathBuf>,
    /// How often each motion is walked by each approach.
    pub rounds: usize,
    /// Which generated obstacles.
    pub seed: u64,
}

impl Default for Henrich92Options {
    fn default() -> Henrich92Options {
        Henrich92Options { data: None, rounds: WALKS, seed: CELL_SEED }
    }
}

/// A scene: a world for the engine, the two classes, and the motion.
#[derive(Debug)]
pub struct Scene {
    /// What it is called.
    pub name: &'static str,
    /// The engine's.
    pub world: World,
    /// The paper's.
    pub pair: Pair,
    /// Joint values of every step.
    pub steps: Vec<Vec<f64>>,
}

/// The structures of the arm over its first three joints, the wrist stretched; and the angle between samples
/// (radians).
///
/// # Errors
/// Too many parts.
pub fn sample_arm_structures(puma: &Puma, cost: Cost, angle: f64) -> Result<Structures, LabError> {
    let world = &puma.world;
    let mut checker = Checker::new(world);
    let limits: Vec<_> = world.limits().iter().filter(|l| l.value < 3).collect();
    let [one, two, three] = limits[..] else {
        return Err(robot_error("the first three joints have no limits"));
    };
    let values = [one, two, three].map(|l| {
        let count = ((l.upper - l.lower) / angle).floor() as usize + 1;
        (0..count).map(|k| l.lower + k as f64 * angle).collect::<Vec<f64>>()
    });
    let mut q = world.neutral_values();
    if let Some(bend) = q.get_mut(4) {
        *bend = std::f64::consts::FRAC_PI_2;
    }
    let mut corners: Vec<Vec<Vec3>> = puma.parts.iter().map(|p| p.corners.clone()).collect();
    let [n, m, o] = values.each_ref().map(Vec::len);
    let sample = |k: u64, boxes: &mut [AlignedBox]| {
        let k = k as usize;
        if k >= n * m * o {
            return false;
        }
        (q[0], q[1], q[2]) = (values[0][k / (m * o)], values[1][k / o % m], values[2][k % o]);
        if checker.set(&q).is_err() {
            return false;
        }
        for ((part, corners), b) in puma.parts.iter().zip(&mut corners).zip(boxes) {
            let at = part_in_world(&checker, part);
            corners.iter_mut().zip(&part.corners).for_each(|(to, from)| *to = at.point(*from));
            *b = box_of(corners);
        }
        true
    };
    Structures::sample_structures(puma.parts.len(), cost, KeepStructures::default(), sample)
        .ok_or_else(|| robot_error("too many parts"))
}

/// The path with steps between.
fn interpolate_path(path: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let mut steps = Vec::new();
    for (p, q) in path.iter().zip(&path[1..]) {
        for k in 0..STEPS_BETWEEN {
            let s = k as f64 / STEPS_BETWEEN as f64;
            steps.push(p.iter().zip(q).map(|(a, b)| a + (b - a) * s).collect());
        }
    }
    steps.extend(path.last().cloned());
    steps
}

/// Both scenes, the arms' hierarchies by their diameter.
///
/// # Errors
/// They cannot be made of this robot.
pub fn build_scenes(puma: &Puma, seed: u64) -> Result<Vec<Scene>, LabError> {
    scenes_of(puma, &sample_arm_structures(puma, Cost::Diameter, SAMPLING)?, seed)
}

/// Both scenes, the arms with these hierarchies.
fn scenes_of(puma: &Puma, found: &Structures, seed: u64) -> Result<Vec<Scene>, LabError> {
    let steps = interpolate_path(&puma.path);
    let mut objects = puma.bottleneck.clone();
    objects.extend(industrial_cell(9, 1000, ROOM_OF_OBJECT, seed));
    let world = puma.world_with_objects(&objects)?;
    let checker = Checker::new(&world);
    let arm = |checker: &Checker, robot: u32| {
        Class::new(checker, convex_parts(checker.world(), Some(RobotId(robot)))?, Some(found.clone()))
    };
    let classes = [arm(&checker, 0)?, Class::new(&checker, convex_parts(&world, None)?, None)?];
    let among = Scene {
        name: "Puma 260, 16 obstacles",
        pair: Pair::new(classes, THRESHOLD),
        world,
        steps: steps.clone(),
    };

    let mut two = WorldDescription { obstacles: Vec::new(), ..puma.cell.clone() };
    let mut second = two.robots.first().cloned().ok_or_else(|| robot_error("no robot"))?;
    let first = second.name.clone();
    second.name = format!("{first}_2");
    let turned = Mat3::from_axis_angle(Vec3::Z, std::f64::consts::PI);
    second.base_in_world = Transform::new(turned, vec3(SECOND_ARM[0], SECOND_ARM[1], 0.0));
    two.checks = vec![[first, second.name.clone()]];
    two.robots.push(second);
    let world = compile_world(&two)?;
    let checker = Checker::new(&world);
    let classes = [arm(&checker, 0)?, arm(&checker, 1)?];
    let n = steps.len();
    let both = (0..n).map(|k| [steps[k].clone(), steps[(k + n / 2) % n].clone()].concat()).collect();
    let arms = Scene { name: "two Puma 260", pair: Pair::new(classes, THRESHOLD), world, steps: both };
    Ok(vec![among, arms])
}

/// Whether a length lies in the proved interval, as far as the approach is exact, within [`WRONG_DISTANCE`].
pub fn agrees_with_proof(length: f64, approach: Approach, threshold: f64, proved: &Interval) -> bool {
    let Interval { lower, upper, .. } = *proved;
    if length <= 0.0 {
        return lower <= WRONG_DISTANCE;
    }
    let exact = !approach.has_threshold() || length <= threshold;
    upper >= -WRONG_DISTANCE
        && length <= upper.max(0.0) + WRONG_DISTANCE
        && (!exact || length >= lower - WRONG_DISTANCE)
}

/// Runs the experiment.
///
/// # Errors
/// Data missing or unreadable.
pub fn run(options: &Henrich92Options) -> Result<Henrich92Report, LabError> {
    let puma = Puma::load_bottleneck(options.data.as_deref())?;
    let (mut rows, mut drawn) = (Vec::new(), Vec::new());
    for (name, cost) in [("diameter", Cost::Diameter), ("surface", Cost::Surface), ("volume", Cost::Volume)] {
        let s = sample_arm_structures(&puma, cost, SAMPLING)?;
        if cost == Cost::Diameter {
            drawn = drawn_structures(&puma, &s);
        }
        let mut walks = Vec::new();
        for mut scene in scenes_of(&puma, &s, options.seed)? {
            walks.push(walk_hierarchies(&mut scene, options.rounds)?);
        }
        rows.push(StructureRow {
            walks,
            cost: name,
            samples: s.sample_count(),
            found: s.found_count(),
            commonest: s.commonest_share(),
            kept: s.trees().len(),
            kept_share: s.kept_share(),
        });
    }
    let mut reports = Vec::new();
    for mut scene in build_scenes(&puma, options.seed)? {
        reports.push(measure_scene(&mut scene, options.rounds)?);
    }
    let report = Henrich92Report { scenes: reports, structures: rows, drawn };
    Ok(report)
}

/// (e) alone along a motion: microseconds a step of each walk, and what one walk computes.
fn walk_hierarchies(scene: &mut Scene, rounds: usize) -> Result<(Vec<f64>, ApproachCounts), LabError> {
    let Scene { world, pair, steps, .. } = scene;
    let mut checker = Checker::new(world);
    let (mut rounds_us, mut counts) = (Vec::new(), ApproachCounts::default());
    for _ in 0..rounds.max(1) {
        pair.forget_steps();
        pair.counts = ApproachCounts::default();
        let mut seconds = 0.0;
        for q in steps.iter() {
            checker.set(q).map_err(|e| robot_error(&e.to_string()))?;
            pair.classes.iter_mut().for_each(|c| c.move_corners(&checker));
            let start = Instant::now();
            black_box(pair.measure_step(Approach::Hierarchies));
            seconds += start.elapsed().as_secs_f64();
        }
        counts = pair.counts;
        rounds_us.push(seconds * 1e6 / steps.len() as f64);
    }
    Ok((rounds_us, counts))
}

/// The two structures of Fig. 2: the commonest, and the one that is best least often.
fn drawn_structures(puma: &Puma, found: &Structures) -> Vec<DrawnTree> {
    // A link of several parts has its name and their numbers.
    let name = |k: usize, part: &Part| {
        let same = |other: &&Part| other.body == part.body;
        let (all, before) = (puma.parts.iter().filter(same), puma.parts[..k].iter().filter(same));
        let link = &puma.world.bodies()[part.body.index()].name;
        let link = link.rsplit('/').next().unwrap_or(link);
        if all.count() > 1 { format!("{link}.{}", before.count() + 1) } else { link.to_string() }
    };
    let leaves: Vec<String> = puma.parts.iter().enumerate().map(|(k, part)| name(k, part)).collect();
    let last = found.trees().len() - 1;
    let drawn = [("a", 0), ("b", last)].map(|(which, k)| {
        let share = 100.0 * found.counts()[k] as f64 / found.sample_count().max(1) as f64;
        DrawnTree {
            title: format!("{which}: best for {share:.2} % of the configurations"),
            leaves: leaves.clone(),
            joins: found.trees()[k].joins().to_vec(),
        }
    });
    drawn.to_vec()
}

/// How the engine is asked.
const ENGINE: [(&str, Ask); 2] = [("elbowroom, distance", Ask::Distance), ("elbowroom, test", Ask::Test)];

fn measure_scene(scene: &mut Scene, rounds: usize) -> Result<SceneReport, LabError> {
    let Scene { world, pair, steps, .. } = scene;
    let mut checker = Checker::new(world);
    let set = |checker: &mut Checker, q: &[f64]| checker.set(q).map_err(|e| robot_error(&e.to_string()));
    let mut proved = Vec::with_capacity(steps.len());
    let truth = Truth::new(world);
    for q in steps.iter() {
        set(&mut checker, q)?;
        proved.push(truth.proved_interval(&mut checker));
    }
    let colliding = proved.iter().filter(|p| p.overlaps()).count();
    let kind = |k: usize| usize::from(proved[k].overlaps());
    let mut methods: Vec<ApproachReport> = Approach::ALL.map(|a| ApproachReport::new(a.name())).to_vec();
    methods.extend(ENGINE.map(|(name, _)| ApproachReport::new(name)));
    let (mut moving, mut commonest) = (0.0, 0);
    for round in 0..rounds.max(1) {
        for (m, method) in methods.iter_mut().enumerate() {
            pair.forget_steps();
            let mut sums = [0.0; 2];
            for (k, q) in steps.iter().enumerate() {
                let start = Instant::now();
                set(&mut checker, q)?;
                let seconds = if let Some(&approach) = Approach::ALL.get(m) {
                    pair.classes.iter_mut().for_each(|c| c.move_corners(&checker));
                    moving += start.elapsed().as_secs_f64();
                    pair.counts = ApproachCounts::default();
                    let start = Instant::now();
                    let length = black_box(pair.measure_step(approach));
                    let seconds = start.elapsed().as_secs_f64();
                    if round == 0 {
                        method.disagreements +=
                            usize::from(!agrees_with_proof(length, approach, pair.threshold, &proved[k]));
                        method.counts[kind(k)] += &pair.counts;
                        if approach == Approach::Hierarchies {
                            commonest += usize::from(pair.classes[0].chosen_index() == 0);
                        }
                    }
                    seconds
                } else {
                    let ask = ENGINE[m - Approach::ALL.len()].1;
                    let question = Question::from_ask(ask).margin(0.0);
                    let answer = black_box(checker.ask(&question));
                    let seconds = start.elapsed().as_secs_f64();
                    if round == 0 {
                        let (polytopes, steps) = (answer.counts.shape_queries, answer.counts.steps);
                        method.counts[kind(k)] +=
                            &ApproachCounts { polytopes, steps, ..ApproachCounts::default() };
                    }
                    seconds
                };
                sums[kind(k)] += seconds * 1e6;
            }
            method
                .rounds_us
                .push([sums[0] / (steps.len() - colliding).max(1) as f64, sums[1] / colliding.max(1) as f64]);
        }
    }
    let walks = rounds.max(1) * Approach::ALL.len() * steps.len();
    Ok(SceneReport {
        name: scene.name,
        steps: [steps.len() - colliding, colliding],
        unknown: proved.iter().filter(|p| p.contains(0.0)).count(),
        moving_us: moving * 1e6 / walks as f64,
        commonest: commonest as f64 / steps.len() as f64,
        methods,
    })
}
