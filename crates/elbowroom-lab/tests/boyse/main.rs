//! Boyse's edges and faces beside the engine's search of whole motions: two ways to the first contact that
//! share no code.
//!
//! `ELBOWROOM_BOYSE` sets how many random motions (3,000 by default), `ELBOWROOM_RACE_FROM` the first seed. A
//! motion that fails is named by its seed.

use elbowroom_testkit as support;

mod compare;
mod degenerate;
mod real;
mod solids;

use compare::{Told, compare, world_of};
use elbowroom::math::{Mat3, Transform, Vec3, vec3};
use elbowroom::motion::MotionChecker;
use elbowroom_lab::boyse::Motion;
use solids::{random_solid, random_turn};
use std::collections::BTreeMap;
use support::number_from_environment;
use support::rng::Rng;
use support::threads::run_each;

/// What a motion came to.
struct Case {
    told: Told,
    /// How well the first contact is known (part of the motion).
    width: Option<f64>,
    turns: bool,
    convex: bool,
}

/// A vector with coordinates up to `far` (metres): any, or in whole tenths.
fn vector(rng: &mut Rng, far: f64, tenths: bool) -> Vec3 {
    let v = vec3(rng.range(-far, far), rng.range(-far, far), rng.range(-far, far));
    if tenths { to_tenths(v) } else { v }
}

fn to_tenths(v: Vec3) -> Vec3 {
    let round = |x: f64| (x * 10.0).round() / 10.0;
    vec3(round(v.x), round(v.y), round(v.z))
}

/// A direction along one of the axes.
fn along_axis(rng: &mut Rng) -> Vec3 {
    rng.pick(&[Vec3::X, Vec3::Y, Vec3::Z]) * rng.pick(&[1.0, -1.0])
}

/// One random motion of one random solid, past another.
fn run(seed: u64) -> Case {
    let rng = &mut Rng::new(seed);
    let tenths = rng.chance(0.3);
    let solids = [(); 2].map(|()| random_solid(rng, tenths));
    let turns = rng.chance(0.5);
    let straight = rng.chance(0.3);
    let start = vector(rng, 0.3, tenths);
    let motion = if turns {
        let axis = if straight { along_axis(rng) } else { rng.direction() };
        Motion::Turn { at: vector(rng, 1.2, tenths), axis, angle: rng.range(-6.0, 6.0) }
    } else {
        let d = if straight { along_axis(rng) } else { rng.direction() };
        Motion::Slide(d * rng.range(0.3, 3.0))
    };
    // Somewhere on its way, or beside it.
    let part = rng.unit();
    let met = match motion {
        Motion::Slide(along) => start + along * part,
        Motion::Turn { at, axis, angle } => Mat3::from_axis_angle(axis, angle * part) * (start - at) + at,
    };
    let beside = vector(rng, 0.5, tenths) + if tenths { to_tenths(met) } else { met };
    let places = [Transform::new(random_turn(rng), start), Transform::new(random_turn(rng), beside)];
    let (world, ends) = world_of(&solids, &places, &motion);
    let mut edges = MotionChecker::new(&world);
    let (told, width) = compare(&mut edges, &ends, &solids, &places, &motion)
        .unwrap_or_else(|error| panic!("ELBOWROOM_RACE_FROM={seed} ELBOWROOM_BOYSE=1: {error}"));
    Case { told, width, turns, convex: solids.iter().all(|solid| solid.convex) }
}

#[test]
fn first_contacts_are_those_of_the_engine() {
    let count = number_from_environment("ELBOWROOM_BOYSE", 3000);
    let from = number_from_environment("ELBOWROOM_RACE_FROM", 0);
    let mut counts = BTreeMap::new();
    let mut widths = Vec::new();
    for case in run_each(count as usize, |i| run(from + i as u64)) {
        *counts.entry((case.told, case.turns, case.convex)).or_insert(0_u64) += 1;
        widths.extend(case.width);
    }
    for (case, count) in &counts {
        println!("{count:6} {case:?}");
    }
    widths.sort_by(f64::total_cmp);
    if let (Some(middle), Some(most)) = (widths.get(widths.len() / 2), widths.last()) {
        println!("Boyse's first contacts are known to {middle:.1e} of the motion, at worst {most:.1e}");
    }
    if count < 3000 {
        return;
    }
    for (turns, convex) in [(false, false), (false, true), (true, false), (true, true)] {
        for told in [Told::Free, Told::Contact, Told::AtStart] {
            let reached = counts.get(&(told, turns, convex)).copied().unwrap_or(0);
            assert!(reached * 200 >= count, "{told:?} {turns} {convex}: {reached}");
        }
    }
    // Both are undecided in the same few cases, and neither alone but where rounding decides.
    let all = |told: Told| counts.iter().filter(|(case, _)| case.0 == told).map(|(_, n)| n).sum::<u64>();
    assert!(all(Told::Undecided) > 0 && all(Told::Undecided) * 100 <= count, "{}", all(Told::Undecided));
    assert!(all(Told::OneSided) * 1000 <= count, "{}", all(Told::OneSided));
}
