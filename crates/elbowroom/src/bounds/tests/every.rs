//! Every bound there is against the slow reference, on the same placements: of two primitives, of boxes
//! around them, in f64 and f32, one by one and in lanes, given where they are or carried there by a pose.
//!
//! A lower bound above the true distance anywhere is a fault, and so is one of two primitives far below it.
//! `ELBOWROOM_RACE` is the number of the long run.

use super::gaps::random;
use crate::bounds::aligned_box::{AlignedBox, box_gap};
use crate::bounds::ball::{Ball, ball_gap};
use crate::bounds::body_box::BodyBox;
use crate::bounds::capsule::Capsule;
use crate::bounds::gap;
use crate::bounds::hierarchy::{Child, WideScratch, WideTree};
use crate::bounds::lanes::*;
use crate::bounds::oriented_box::OrientedBox;
use crate::bounds::primitive::{Kind, Primitive};
use crate::numeric::math::{Transform, Vec3, vec3};
use crate::rng::Rng;
use crate::slow::truth_of;
use elbowroom_reference::Truth;
use std::collections::BTreeMap;
use std::string::String;
use std::vec::Vec;
use std::{format, vec};

/// What a bound did: how often it was asked, was above the truth by more than the reference's rounding, told
/// that bodies are apart, and how often they were.
#[derive(Clone, Copy, Debug, Default)]
struct Told {
    asked: u64,
    wrong: u64,
    positive: u64,
    apart: u64,
}

type Tally = BTreeMap<&'static str, Told>;

/// A box around a primitive.
fn around(p: &Primitive) -> AlignedBox {
    match p {
        Primitive::Ball(b) => {
            CapsuleRecord::new(&Capsule { a: b.center, b: b.center, radius: b.radius }).around()
        }
        Primitive::Capsule(c) => CapsuleRecord::new(c).around(),
        Primitive::Aligned(b) => *b,
        Primitive::Oriented(b) => {
            AlignedBox { low: -b.half, high: b.half }.moved(&Transform::new(b.axes, b.center), 0.0)
        }
    }
}

/// The capsule that a primitive is.
fn as_capsule(p: &Primitive) -> Option<Capsule> {
    match *p {
        Primitive::Ball(Ball { center, radius }) => Some(Capsule { a: center, b: center, radius }),
        Primitive::Capsule(c) => Some(c),
        Primitive::Aligned(_) | Primitive::Oriented(_) => None,
    }
}

/// The same in a frame of its own, and its place.
fn own(p: &Primitive, at: &Transform) -> (Primitive, Transform) {
    match p {
        Primitive::Ball(b) => (Primitive::Ball(Ball { center: Vec3::ZERO, ..*b }), *at),
        Primitive::Capsule(c) => {
            let h = at.inverse().direction((c.b - c.a) * 0.5);
            // The axis is that of its frame.
            let h = vec3(0.0, 0.0, h.z);
            (Primitive::Capsule(Capsule { a: -h, b: h, radius: c.radius }), *at)
        }
        Primitive::Aligned(b) => {
            let h = b.size() * 0.5;
            (Primitive::Aligned(AlignedBox { low: -h, high: h }), Transform::from_translation(b.center()))
        }
        Primitive::Oriented(b) => {
            (Primitive::Aligned(AlignedBox { low: -b.half, high: b.half }), Transform::new(b.axes, b.center))
        }
    }
}

/// One placement.
struct Seen {
    kinds: [Kind; 2],
    pair: [Primitive; 2],
    truth: Truth,
    /// Of all numbers in it (metres).
    scale: f64,
    /// The bound of the two primitives.
    gap: f64,
}

/// How often each two kinds were seen to overlap, and apart.
type Count = [[[u64; 2]; 4]; 4];

/// Every bound of one placement.
fn every(seed: u64, mut each: impl FnMut(&'static str, f64)) -> Seen {
    let rng = &mut Rng::new(seed);
    let kinds = [Kind::ALL[(seed % 4) as usize], Kind::ALL[(seed / 4 % 4) as usize]];
    let size = rng.decades(-3.0, 3.0);
    let far = size * rng.pick(&[0.02, 0.1, 0.4, 1.5]);
    let (a, solid_a, a_at) = random(kinds[0], size, far, rng);
    let (b, solid_b, b_at) = random(kinds[1], size * rng.decades(-1.0, 0.0), far, rng);
    let truth = truth_of(&solid_a, &solid_b, &a_at.relative(&b_at));
    let scale = truth.scale + a_at.translation.norm() + b_at.translation.norm();

    // Of the primitives, and of the same seen from elsewhere.
    let of_primitives = gap(&a, &b);
    each("primitives", of_primitives);
    each("primitives", gap(&b, &a));
    let view = rng.pose(2.0 * size);
    each("moved primitives", gap(&a.moved(&view, 0.0), &b.moved(&view, 0.0)));

    // Of boxes around them: f64, and f32 in one of the lanes of a node and through a whole tree.
    let boxes = [around(&a), around(&b)];
    each("boxes", box_gap(&boxes[0], &boxes[1]));
    let mut many = vec![boxes[1]; 1 + rng.below(20)];
    let lane = rng.below(many.len());
    for (i, other) in many.iter_mut().enumerate().filter(|(i, _)| *i != lane) {
        let away = rng.point(size) + Vec3::X * (size * (3.0 + i as f64));
        *other = AlignedBox { low: boxes[1].low + away, high: boxes[1].high + away };
    }
    let tree = WideTree::build(&many).unwrap();
    let mut queries = vec![("tree of boxes", tree.query(&boxes[0]))];
    if let Some(c) = as_capsule(&a) {
        queries.push(("tree of boxes, capsule", tree.capsule_query(&boxes[0], [c.a, c.b], c.radius)));
    }
    for (name, query) in &queries {
        let gaps = tree.children_gaps(tree.root().unwrap(), query);
        for k in 0..gaps.count {
            // A node's bound holds for what is in it.
            if gaps.child(k) == Child::Leaf(lane as u32) || (many.len() > 8 && gaps.count == 1) {
                each(name, f64::from(gaps.lower[k]));
            }
        }
        let mut handed = None;
        let visits =
            tree.nearest(&[*query], f64::INFINITY, &mut WideScratch::new(&tree, 1), |_, leaf, lower| {
                handed = (leaf == lane as u32).then_some(lower).or(handed);
                f64::INFINITY
            });
        assert_eq!(visits.leaves, many.len() as u64);
        each(name, handed.unwrap());
        // Cut off at once: what is left bounds it.
        let visits =
            tree.nearest(&[*query], f64::INFINITY, &mut WideScratch::new(&tree, 1), |_, leaf, lower| {
                handed = Some(if leaf == lane as u32 { lower } else { f64::INFINITY });
                f64::NEG_INFINITY
            });
        each(name, f64::from(visits.left).min(handed.unwrap()));
    }

    // In lanes.
    let block = BoxBlock::blocks(&many);
    let mut gaps = vec![0.0; many.len()];
    let capsules = [as_capsule(&a), as_capsule(&b)];
    if let Some(c) = capsules[0] {
        capsule_box_gaps(&CapsuleRecord::new(&c), &block, &mut gaps);
        each("a capsule and boxes", gaps[lane]);
    }
    if let [Some(c), Some(d)] = capsules {
        let records = [CapsuleRecord::new(&c), CapsuleRecord::new(&d)];
        let mut gaps = [0.0; 5];
        capsule_gaps(&records, &[[0, 1], [1, 0], [0, 0], [0, 1], [1, 0]], &mut gaps);
        [0, 1, 3, 4].iter().for_each(|k| each("capsules", gaps[*k]));
        capsule_row_gaps(&records[0], &records, &mut gaps[..2]);
        each("capsules", gaps[1]);
    }
    if let (Some(c), Primitive::Ball(ball)) = (capsules[0], &b) {
        each("a capsule and a ball", CapsuleRecord::new(&c).ball_gap(ball));
    }
    if let (Primitive::Ball(x), Primitive::Ball(y)) = (&a, &b) {
        each("balls", ball_gap(x, y));
        let mut gaps = [0.0; 3];
        ball_gaps(&[BallRecord::new(x), BallRecord::new(y)], &[[0, 1], [1, 0], [0, 1]], &mut gaps);
        gaps.iter().for_each(|g| each("balls in lanes", *g));
    }

    // Carried by a pose, as bodies are.
    let placed = [own(&a, &a_at), own(&b, &b_at)];
    let carried = placed.map(|(p, at)| {
        let reach = at.translation.norm();
        let c = as_capsule(&p).unwrap_or_else(|| {
            let Primitive::Aligned(b) = p else { unreachable!() };
            Capsule { a: Vec3::ZERO, b: Vec3::ZERO, radius: b.high.norm() * (1.0 + 1e-15) }
        });
        let radius = CapsuleRecord::radius_placed(&c, reach, 0.0);
        let aligned = if let Primitive::Aligned(b) = p { b } else { around(&p) };
        (CapsuleRecord::new(&c).placed(&at, radius), BodyBox::new(Some(aligned)), at, radius - c.radius)
    });
    let [(r, p, p_at, p_room), (s, q, q_at, q_room)] = &carried;
    let mut lanes = [0.0; 1];
    capsule_gaps(&[*r, *s], &[[0, 1]], &mut lanes);
    each("carried capsules", lanes[0]);
    each("carried capsules' boxes", box_gap(&r.around(), &s.around()));
    let known = f64::NEG_INFINITY;
    each("faces of carried boxes", BodyBox::faces_gap([p, q], [p_at, q_at], p_room + q_room, known));
    each("boxes around carried boxes", box_gap(&p.around(p_at, *p_room), &q.around(q_at, *q_room)));
    if let Primitive::Ball(ball) = &b {
        each("a carried capsule and a ball", r.ball_gap(ball));
    }
    if let (Primitive::Aligned(x), Primitive::Aligned(y)) = (&a, &b) {
        let [x, y] = [x, y].map(|b| Primitive::Oriented(OrientedBox::from_aligned(b)));
        each("boxes as oriented ones", gap(&x, &y));
    }
    Seen { kinds, pair: [a, b], truth, scale, gap: of_primitives }
}

fn race(from: u64, n: u64) {
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get()) as u64;
    let share = |k: u64| {
        let (mut tally, mut faults) = (Tally::new(), Vec::<String>::new());
        let (mut told, mut count) = (Vec::new(), Count::default());
        for seed in (from + k..from + n).step_by(threads as usize) {
            told.clear();
            let Seen { kinds, pair, truth, scale, gap } = every(seed, |name, bound| told.push((name, bound)));
            // The reference's own error is part of its bracket; that of the pose relative to it is not.
            let (upper, lower) = (truth.upper + 2e-15 * scale, truth.lower);
            if lower > 0.0 || truth.upper < 0.0 {
                count[kinds[0] as usize][kinds[1] as usize][usize::from(lower > 0.0)] += 1;
            }
            // The reference brackets the depth of long thin boxes less sharply.
            let tight = if lower > 0.0 { 1e-12 } else { 1e-9 };
            if !(gap >= lower - tight * scale - (truth.upper - lower).max(0.0)) {
                let by = (lower - gap) / scale;
                faults.push(format!("seed {seed}: {gap:e} below {lower:e} by {by:e} of the scale: {pair:?}"));
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
                        faults.push(format!("seed {seed}: {name}: {bound:e} above {upper:e}: {pair:?}"));
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
    assert_eq!(wrong, 0, "bounds above the distance or far below it, named above");
    let few = counts.iter().flatten().flatten().any(|c| *c * 400 < n);
    assert!(!few, "too few of a kind, overlapping or apart: {counts:?}");
    // Each was asked often, of bodies apart and not, and none says nothing.
    let few = |t: &Told| {
        t.asked * 20 < n || t.apart * 40 < n || (t.asked - t.apart) * 400 < n || t.positive * 3 < t.apart
    };
    assert!(all.len() == 16 && !all.values().any(few), "{} kinds of bounds", all.len());
}

#[test]
fn no_bound_is_above_the_distance_and_no_gap_far_below() {
    race(0, 100_000);
}

/// `ELBOWROOM_RACE` placements, a million unless told.
#[test]
#[ignore = "long: for nights and before a release"]
fn race_of_every_bound() {
    let n = std::env::var("ELBOWROOM_RACE").ok().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    race(1 << 33, n);
}
