//! Every bound there is against the slow reference, on the same placements: of balls, capsules and boxes, of
//! boxes around them, in f64 and f32, one by one and in lanes, given where they are or carried there by a
//! pose.
//!
//! A lower bound above the true distance anywhere is a fault. `ELBOWROOM_RACE` is the number of the long run.

use super::box_distance;
use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::ball::{Ball, ball_gap};
use crate::bounds::body_box::BodyBox;
use crate::bounds::capsule::Capsule;
use crate::bounds::hierarchy::{Child, WideScratch, WideTree};
use crate::bounds::lanes::*;
use crate::rng::Rng;
use crate::slow::{prepare, truth_of};
use elbowroom_describe::ShapeDescription as Shape;
use elbowroom_describe::math::{Transform, Vec3, vec3};
use elbowroom_reference::{Solid, Truth};
use std::collections::BTreeMap;
use std::string::String;
use std::vec::Vec;
use std::{format, vec};

/// How often a bound was asked, was above the truth by more than the reference's rounding, and told that
/// bodies are apart; and how often they were.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    asked: u64,
    wrong: u64,
    positive: u64,
    apart: u64,
}

type Tally = BTreeMap<&'static str, Told>;

/// A ball, a capsule or a box in a frame of its own, and where that is.
struct Body {
    kind: usize,
    /// Its capsule, if it is one.
    capsule: Option<Capsule>,
    /// Around it, in its frame.
    own: AlignedBox,
    solid: Solid,
    at: Transform,
}

impl Body {
    /// A body of a kind below [`KINDS`]. By rounding, body and shape differ by less than `1e-15` of the size.
    fn random(kind: usize, size: f64, far: f64, rng: &mut Rng) -> Body {
        let at = rng.place(size, far);
        let [x, y, z] = [0; 3].map(|_| rng.side(size));
        if kind == 2 {
            let half = vec3(x, y, z) * 0.5;
            let own = AlignedBox { low: -half, high: half };
            let solid = prepare(&Shape::Box { size: [x, y, z] }, 0.0).unwrap();
            return Body { kind, capsule: None, own, solid, at };
        }
        let length = if kind == 0 || rng.chance(0.1) { 0.0 } else { y };
        let radius = if kind == 1 && rng.chance(0.3) { x * 0.01 } else { x };
        let half = vec3(0.0, 0.0, 0.5 * length);
        let capsule = Capsule { a: -half, b: half, radius };
        let solid = prepare(&Shape::Capsule { radius, length }, 0.0).unwrap();
        Body { kind, capsule: Some(capsule), own: CapsuleRecord::new(&capsule).bounding_box(), solid, at }
    }

    /// The capsule in its pose, if it is one; rounding not included.
    fn posed(&self) -> Option<Capsule> {
        let c = self.capsule?;
        Some(Capsule { a: self.at.point(c.a), b: self.at.point(c.b), radius: c.radius })
    }

    fn ball(&self) -> Option<Ball> {
        let radius = self.capsule?.radius;
        (self.kind == 0).then_some(Ball { center: self.at.translation, radius })
    }
}

/// Balls, capsules, boxes.
const KINDS: usize = 3;

/// One placement.
struct Seen {
    kinds: [usize; 2],
    truth: Truth,
    /// The largest of all numbers in it (metres).
    scale: f64,
}

/// How often each two kinds were seen to overlap, and apart.
type Count = [[[u64; 2]; KINDS]; KINDS];

/// Every bound of one placement.
fn every(seed: u64, mut each: impl FnMut(&'static str, f64)) -> Seen {
    let rng = &mut Rng::new(seed);
    let kinds = [seed as usize % KINDS, seed as usize / KINDS % KINDS];
    let size = rng.decades(-3.0, 3.0);
    let far = size * rng.pick(&[0.02, 0.1, 0.4, 1.5]);
    let a = Body::random(kinds[0], size, far, rng);
    let b = Body::random(kinds[1], size * rng.decades(-1.0, 0.0), far, rng);
    let truth = truth_of(&a.solid, &b.solid, &a.at.relative(&b.at));
    let scale = truth.scale + a.at.translation.norm() + b.at.translation.norm();

    // Capsules as they are given.
    if let (Some(c), Some(d)) = (a.posed(), b.posed()) {
        let records = [CapsuleRecord::new(&c), CapsuleRecord::new(&d)];
        let mut gaps = [0.0; 5];
        capsule_gaps(
            &records,
            &[[0, 1], [1, 0], [0, 0], [0, 1], [1, 0]].map(|p| p.map(CapsuleId)),
            &mut gaps,
        );
        [0, 1, 3, 4].iter().for_each(|k| each("capsules", gaps[*k]));
    }
    if let (Some(c), Some(ball)) = (a.posed(), b.ball()) {
        each("a capsule and a ball", CapsuleRecord::new(&c).ball_gap(&ball));
    }
    if let (Some(x), Some(y)) = (a.ball(), b.ball()) {
        each("balls", ball_gap(&x, &y));
    }

    // Carried by a pose, as bodies are.
    let carried = [&a, &b].map(|body| {
        let distance = body.at.translation.norm();
        let c = body.capsule.unwrap_or_else(|| {
            let radius = body.own.high.norm() * (1.0 + 1e-15);
            Capsule { a: Vec3::ZERO, b: Vec3::ZERO, radius }
        });
        let radius = CapsuleRecord::posed_radius(c.radius, c.reach_from_origin(), distance, 0.0);
        let record = CapsuleRecord::new(&c).transform_by(&body.at, radius);
        (record, BodyBox::new(Some(body.own)), body.at, radius - c.radius)
    });
    let [(r, p, p_at, p_room), (s, q, q_at, q_room)] = &carried;
    let mut lanes = [0.0; 1];
    capsule_gaps(&[*r, *s], &[[0, 1]].map(|p| p.map(CapsuleId)), &mut lanes);
    each("carried capsules", lanes[0]);
    each("carried capsules' boxes", box_distance(&r.bounding_box(), &s.bounding_box()));
    let known = f64::NEG_INFINITY;
    let faces = BodyBox::faces_gap([p, q], [p_at, q_at], p_room + q_room, known, f64::INFINITY);
    each("faces of carried boxes", faces);
    let boxes = [p.aligned_box_at(p_at, *p_room), q.aligned_box_at(q_at, *q_room)];
    each("boxes around carried boxes", box_distance(&boxes[0], &boxes[1]));
    if let Some(ball) = b.ball() {
        each("a carried capsule and a ball", r.ball_gap(&ball));
    }

    // The bound of boxes in f32: in one of the lanes of a node, and through a whole tree.
    let mut many = vec![boxes[1]; 1 + rng.below(20)];
    let lane = rng.below(many.len());
    for (i, other) in many.iter_mut().enumerate().filter(|(i, _)| *i != lane) {
        let away = rng.point(size) + Vec3::X * (size * (3.0 + i as f64));
        *other = AlignedBox { low: boxes[1].low + away, high: boxes[1].high + away };
    }
    let tree = WideTree::build(&many).unwrap();
    let query = tree.prepare_query(&boxes[0]);
    let gaps = tree.children_gaps(tree.root().unwrap(), &query);
    for k in 0..gaps.count {
        // A node's bound holds for what is in it.
        if gaps.child_at(k) == Child::Leaf(lane as u32) || (many.len() > 8 && gaps.count == 1) {
            each("tree of boxes", f64::from(gaps.lower[k]));
        }
    }
    let mut handed = None;
    let visits =
        tree.visit_nearest(&[query], f64::INFINITY, &mut WideScratch::new(&tree, 1), |_, leaf, lower| {
            handed = (leaf == lane as u32).then_some(lower).or(handed);
            f64::INFINITY
        });
    assert_eq!(visits.leaves, many.len() as u64);
    each("tree of boxes", handed.unwrap());
    // The search is cut off at once, and the rest bounds it.
    let visits =
        tree.visit_nearest(&[query], f64::INFINITY, &mut WideScratch::new(&tree, 1), |_, leaf, lower| {
            handed = Some(if leaf == lane as u32 { lower } else { f64::INFINITY });
            f64::NEG_INFINITY
        });
    each("tree of boxes", f64::from(visits.left).min(handed.unwrap()));
    Seen { kinds, truth, scale }
}

fn race(from: u64, n: u64) {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get()) as u64;
    let share = |k: u64| {
        let (mut tally, mut faults) = (Tally::new(), Vec::<String>::new());
        let (mut told, mut count) = (Vec::new(), Count::default());
        for seed in (from + k..from + n).step_by(threads as usize) {
            told.clear();
            let Seen { kinds, truth, scale } = every(seed, |name, bound| told.push((name, bound)));
            // The reference's own error is part of its bracket; that of the pose relative to it is not.
            let (upper, lower) = (truth.upper + 2e-15 * scale, truth.lower);
            if lower > 0.0 || truth.upper < 0.0 {
                count[kinds[0]][kinds[1]][usize::from(lower > 0.0)] += 1;
            }
            for (name, bound) in &told {
                let t = tally.entry(name).or_default();
                t.asked += 1;
                t.apart += u64::from(lower > 0.0);
                t.positive += u64::from(*bound > 0.0);
                // No number is no bound either.
                if !(*bound <= upper) {
                    t.wrong += 1;
                    if t.wrong <= 3 {
                        faults.push(format!("seed {seed}: {name}: {bound:e} above {upper:e}"));
                    }
                }
            }
        }
        (tally, faults, count)
    };
    let parts: Vec<(Tally, Vec<String>, Count)> = std::thread::scope(|s| {
        let share = &share;
        let handles: Vec<_> = (0..threads).map(|k| s.spawn(move || share(k))).collect();
        handles.into_iter().map(|h| h.join().unwrap()).collect()
    });
    let (mut all, mut wrong, mut counts) = (Tally::new(), 0, Count::default());
    for (tally, faults, count) in parts {
        faults.iter().take(24).for_each(|f| std::println!("{f}"));
        wrong += faults.len();
        for (sum, more) in
            counts.as_flattened_mut().as_flattened_mut().iter_mut().zip(count.iter().flatten().flatten())
        {
            *sum += more;
        }
        for (name, t) in tally {
            let sum = all.entry(name).or_default();
            (sum.asked, sum.wrong) = (sum.asked + t.asked, sum.wrong + t.wrong);
            (sum.positive, sum.apart) = (sum.positive + t.positive, sum.apart + t.apart);
        }
    }
    for (name, t) in &all {
        std::println!(
            "{name}: {} bounds, {} wrong, apart by it {} of {}",
            t.asked,
            t.wrong,
            t.positive,
            t.apart
        );
    }
    assert_eq!(wrong, 0, "bounds above the distance, named above");
    let few = counts.iter().flatten().flatten().any(|c| *c * 400 < n);
    assert!(!few, "too few of a kind, overlapping or apart: {counts:?}");
    // Each was asked often, of bodies apart and not, and none says nothing.
    let few = |t: &Told| {
        t.asked * 20 < n || t.apart * 40 < n || (t.asked - t.apart) * 400 < n || t.positive * 3 < t.apart
    };
    assert!(all.len() == 9 && !all.values().any(few), "{} kinds of bounds", all.len());
}

#[test]
fn no_bound_is_above_the_distance() {
    race(0, 50_000);
}

/// `ELBOWROOM_RACE` placements, a million unless told.
#[test]
#[ignore = "a long run: cargo xtask race 1000000 race"]
fn race_of_every_bound() {
    let n = std::env::var("ELBOWROOM_RACE").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    race(1 << 33, n);
}
