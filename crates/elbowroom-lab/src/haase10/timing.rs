//! How long the parts of the test take.

use super::counts::LevelCounts;
use super::cylinder_box::does_cylinder_meet_box;
use super::cylinders::{FlatCylinder, joints_overlap, joints_overlap_as_printed};
use super::finger::{ELEMENTS, Element, FingerModel, element_kind, element_link, place_box};
use super::hand::Hand;
use super::kinematics::{HandPose, place_fingers};
use super::levels::{FINGER_PAIRS, HandLevels, tips_overlap};
use super::report::TimeRow;
use super::separating::{KeptAxis, boxes_overlap};
use super::tip::TipNode;
use crate::error::LabError;
use crate::limits::{LEVEL_DEPTH, TIMED_TOGETHER, WALKS_TOGETHER};
use crate::median::median;
use crate::primitives::OrientedBox;
use elbowroom::math::{Transform, Vec3};
use elbowroom::motion::{Field, FieldState};
use elbowroom::pair::Ask;
use elbowroom::{Checker, Question};
use std::hint::black_box;
use std::time::Instant;

/// All rows, in the order of the paper's own figures.
pub(super) fn measure_times(
    hand: &Hand,
    machine: Option<&Hand>,
    [poses, steps]: [&[HandPose]; 2],
    rounds: usize,
) -> Result<Vec<TimeRow>, LabError> {
    let mut rows = time_parts(poses, rounds);
    rows.extend(time_levels([poses, steps], rounds));
    rows.extend(time_engine("our hand", hand, [poses, steps], rounds)?);
    if let Some(machine) = machine {
        rows.extend(time_engine("the machine's meshes", machine, [poses, steps], rounds)?);
    }
    Ok(rows)
}

/// Pairs that the levels ask at poses: of boxes in level 1, and what meets in level 2.
#[derive(Default)]
struct AskedPairs {
    boxes: Vec<[OrientedBox; 2]>,
    joints: Vec<[FlatCylinder; 2]>,
    capped: Vec<(FlatCylinder, OrientedBox)>,
    tips: Vec<([TipNode; 2], [Transform; 2])>,
}

impl AskedPairs {
    fn at_poses(model: &FingerModel, poses: &[HandPose]) -> AskedPairs {
        let mut asked = AskedPairs::default();
        for frames in poses.iter().map(place_fingers) {
            for [f, g] in FINGER_PAIRS {
                for (i, j) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
                    let half =
                        |finger: usize, half: usize| place_box(model.half_box(half), &frames[finger][half]);
                    asked.boxes.push([half(f, i), half(g, j)]);
                }
                for (a, b) in (0..ELEMENTS).flat_map(|a| (0..ELEMENTS).map(move |b| (a, b))) {
                    asked.add_elements(
                        model,
                        [a, b],
                        [frames[f][element_link(a)], frames[g][element_link(b)]],
                    );
                }
            }
        }
        asked
    }

    fn add_elements(&mut self, model: &FingerModel, [a, b]: [usize; 2], places: [Transform; 2]) {
        let (box_a, box_b) =
            (place_box(model.element_box(a), &places[0]), place_box(model.element_box(b), &places[1]));
        if !boxes_overlap(&box_a, &box_b, &mut KeptAxis::default(), &mut LevelCounts::default()) {
            return;
        }
        match (element_kind(a), element_kind(b)) {
            (Element::Joint, Element::Joint) => {
                self.joints.push([model.joint_cylinder(&places[0]), model.joint_cylinder(&places[1])]);
            }
            (Element::Joint, _) => self.capped.push((model.joint_cylinder(&places[0]), box_b)),
            (Element::Tip(one), Element::Tip(other)) => self.tips.push(([one, other], places)),
            _ => {}
        }
    }
}

/// Nanoseconds of one of many. Some of all, few enough for the caches, are asked one after the other, again
/// and again; the fastest walk counts.
fn time_together<T>(items: &[T], rounds: usize, mut ask: impl FnMut(&T) -> bool) -> f64 {
    if items.is_empty() {
        return 0.0;
    }
    let some: Vec<&T> = items.iter().step_by(items.len().div_ceil(TIMED_TOGETHER)).collect();
    let walks = (0..WALKS_TOGETHER * rounds).map(|_| {
        let start = Instant::now();
        some.iter().for_each(|item| _ = black_box(ask(black_box(item))));
        start.elapsed().as_nanos() as f64 / some.len() as f64
    });
    walks.fold(f64::INFINITY, f64::min)
}

/// Passes of the separating axis test for two tips whose halves meet, by recursion from there: on average and
/// at most.
pub(super) fn count_tip_passes(poses: &[HandPose]) -> [f64; 2] {
    let model = FingerModel::new(LEVEL_DEPTH, 0.0);
    let tips = AskedPairs::at_poses(&model, poses).tips;
    let passes = tips.iter().map(|(nodes, [a, b])| {
        let mut counts = LevelCounts::default();
        tips_overlap(&model, *nodes, [a, b], &mut KeptAxis::default(), &mut counts);
        counts.passes as f64
    });
    let passes: Vec<f64> = passes.collect();
    let mean = passes.iter().sum::<f64>() / passes.len().max(1) as f64;
    [mean, passes.into_iter().fold(0.0, f64::max)]
}

fn time_parts(poses: &[HandPose], rounds: usize) -> Vec<TimeRow> {
    let model = FingerModel::new(LEVEL_DEPTH, 0.0);
    let asked = AskedPairs::at_poses(&model, poses);
    let counts = &mut LevelCounts::default();
    let row = |name, paper, ns, asked| row_of_parts(name, paper, ns, asked);
    let boxes =
        time_together(&asked.boxes, rounds, |[a, b]| boxes_overlap(a, b, &mut KeptAxis::default(), counts));
    let joints = time_together(&asked.joints, rounds, |[a, b]| joints_overlap(a, b, Vec3::Z).is_meeting());
    let printed = time_together(&asked.joints, rounds, |[a, b]| joints_overlap_as_printed(a, b, Vec3::Z));
    let capped = time_together(&asked.capped, rounds, |(c, b)| does_cylinder_meet_box(c, b).is_meeting());
    let tips = time_together(&asked.tips, rounds, |(nodes, [a, b])| {
        tips_overlap(&model, *nodes, [a, b], &mut KeptAxis::default(), &mut LevelCounts::default())
    });
    vec![
        row("two boxes, separating axes".into(), "4 to 7 us", boxes, asked.boxes.len()),
        row("joint and joint".into(), "3 us", joints, asked.joints.len()),
        row("joint and joint, as printed".into(), "3 us", printed, asked.joints.len()),
        row("joint and box".into(), "", capped, asked.capped.len()),
        row("tip and tip, b = 5".into(), "", tips, asked.tips.len()),
    ]
}

/// Times each pose by itself, `rounds` walks of all of them: the fastest run of each (nanoseconds).
fn time_each<E>(
    poses: &[HandPose],
    rounds: usize,
    mut ask: impl FnMut(&HandPose) -> Result<(), E>,
) -> Result<Vec<f64>, E> {
    let mut fastest = vec![f64::INFINITY; poses.len()];
    for _ in 0..rounds {
        for (phi, ns) in poses.iter().zip(&mut fastest) {
            let start = Instant::now();
            ask(black_box(phi))?;
            *ns = ns.min(start.elapsed().as_nanos() as f64);
        }
    }
    Ok(fastest)
}

fn row_of_parts(name: String, paper: &'static str, ns: f64, asked: usize) -> TimeRow {
    TimeRow { name, paper, fastest_ns: None, median_ns: ns, slowest_ns: None, asked }
}

/// A look-up in a field, at the values of poses.
pub(super) fn time_lookup(of: &str, field: &Field, values: &[[f64; 7]], rounds: usize) -> TimeRow {
    let ns = time_together(values, rounds, |values| field.state_at(values) == FieldState::Free);
    row_of_parts(format!("finger 2 and the palm, look-up in the field, {of}"), "a line (5)", ns, values.len())
}

fn row_of_poses(name: String, paper: &'static str, ns: &[f64]) -> TimeRow {
    TimeRow {
        name,
        paper,
        fastest_ns: Some(ns.iter().copied().fold(f64::INFINITY, f64::min)),
        median_ns: median(ns.iter().copied()),
        slowest_ns: Some(ns.iter().copied().fold(0.0, f64::max)),
        asked: ns.len(),
    }
}

fn time_levels([poses, steps]: [&[HandPose]; 2], rounds: usize) -> Vec<TimeRow> {
    let mut levels = HandLevels::new(LEVEL_DEPTH, 0.0);
    // Which level a pose ends at.
    let mut by_end: [Vec<HandPose>; 4] = Default::default();
    for phi in poses {
        let found = levels.find_collision(phi);
        by_end[levels.ending_level(found)].push(*phi);
    }
    let together = time_together(&by_end[0], rounds, |phi| levels.find_collision(phi).is_none());
    let parts = "level 1, free, poses between two looks at the clock";
    let first = row_of_parts(parts.into(), "36 us (Matlab)", together, by_end[0].len());
    let Ok(clock) = time_each(&poses[..1], rounds, |_| Ok::<(), std::convert::Infallible>(()));
    let mut time = |name: &str, paper: &'static str, poses: &[HandPose]| {
        let mut ask = |phi: &HandPose| {
            black_box(levels.find_collision(phi));
            Ok::<(), std::convert::Infallible>(())
        };
        let Ok(ns) = time_each(poses, rounds, &mut ask);
        row_of_poses(name.into(), paper, &ns)
    };
    vec![
        row_of_poses("the clock alone: in each row that has a slowest".into(), "", &clock),
        first,
        time("level 1, free", "36 us (Matlab)", &by_end[0]),
        time("levels 1 and 2, free", "36 + 59 us (Matlab)", &by_end[1]),
        time("levels 1 to 3, free", "", &by_end[2]),
        time("levels, until a collision", "", &by_end[3]),
        time("levels, random poses", "874 us (Matlab), 12 to 142 us (C)", poses),
        time("levels, small steps", "4 us (1 kHz target)", steps),
    ]
}

fn time_engine(
    of: &str,
    hand: &Hand,
    [poses, steps]: [&[HandPose]; 2],
    rounds: usize,
) -> Result<Vec<TimeRow>, LabError> {
    let mut rows = Vec::new();
    for (ask, what) in [(Ask::Test, "test"), (Ask::Distance, "smallest distance")] {
        for (poses, which) in [(poses, "random poses"), (steps, "small steps")] {
            let mut checker = Checker::new(&hand.world);
            let question = Question::from_ask(ask).margin(0.0);
            let ns = time_each(poses, rounds, |phi| {
                hand.set_pose(&mut checker, phi)?;
                black_box(checker.ask(&question));
                Ok::<(), LabError>(())
            })?;
            let name = format!("elbowroom, {what}, {of}, {which}");
            // Of poses that collide the smallest distance has a depth, which takes longest.
            let mut free = Vec::new();
            for (phi, ns) in poses.iter().zip(&ns) {
                hand.set_pose(&mut checker, phi)?;
                if checker.ask(&question).interval.lower > 0.0 {
                    free.push(*ns);
                }
            }
            rows.push(row_of_poses(name.clone(), "", &ns));
            if !free.is_empty() {
                rows.push(row_of_poses(name + ", free", "", &free));
            }
        }
    }
    Ok(rows)
}
