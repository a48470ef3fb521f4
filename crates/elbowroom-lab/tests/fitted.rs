//! Every kind of primitive fitted around shapes of every kind, and every bound between two such fits, against
//! the true distance of the shapes: none is above it. Scales from a millimetre to a kilometre, features
//! facing each other at given gaps.
//!
//! `ELBOWROOM_RACE` sets how many pairs (five hundred by default), `ELBOWROOM_RACE_FROM` the first seed.
#[path = "../../elbowroom/tests/support/mod.rs"]
mod support;

use elbowroom::bounds::fit::{Cloud, Effort};
use elbowroom::math::Transform;
use elbowroom_lab::primitives::{Fitted, Kind, gap};
use std::collections::BTreeMap;
use support::cases::case;
use support::rng::Rng;
use support::slow::{prepare, truth_of};
use support::threads::each;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// What a pair showed: its kinds, whether it is apart, what each bound said, and what is wrong.
struct Outcome {
    kinds: String,
    apart: bool,
    told: Vec<(String, bool)>,
    faults: Vec<String>,
}

fn run(seed: u64) -> Outcome {
    let case = case(seed);
    let t = {
        let (a, b) = (prepare(&case.a, case.padding[0]).unwrap(), prepare(&case.b, case.padding[1]).unwrap());
        truth_of(&a, &b, &case.b_in_a())
    };
    let rng = &mut Rng::new(seed);
    // Both seen from elsewhere, as bodies in a cell are.
    let a_at = if seed.is_multiple_of(2) { Transform::IDENTITY } else { rng.pose(t.scale) };
    let b_at = a_at * case.b_in_a();
    let pair = support::engine::pair(&case).unwrap();
    let effort = if seed.is_multiple_of(64) { Effort::Thorough } else { Effort::Quick };
    let fits = [&pair.a, &pair.b].map(|s| Fitted::around(&Cloud::of_shape(s), effort).unwrap());
    let mut out = Outcome { kinds: case.pair(), apart: t.lower > 0.0, told: Vec::new(), faults: Vec::new() };
    // The product of two poses is rounded; what is fitted and moved is not to profit.
    let limit = t.upper + 4e-15 * (t.scale + a_at.translation.norm() + b_at.translation.norm());
    let mut each = |name: String, bound: f64| {
        if !(bound <= limit) {
            out.faults.push(format!(
                "{name}: {bound:e} above {:e} by {:e} of the scale",
                t.upper,
                (bound - t.upper) / t.scale
            ));
        }
        out.told.push((name, bound > 0.0));
    };
    let moved = |k: usize, kind: Kind| fits[k].primitive(kind).moved(&[a_at, b_at][k], 0.0);
    for k in Kind::ALL {
        for l in Kind::ALL {
            each(format!("{k:?} {l:?}"), gap(&moved(0, k), &moved(1, l)));
        }
    }
    out
}

#[test]
fn no_bound_between_fits_is_above_the_distance_of_what_they_contain() {
    let (from, n) = (number("ELBOWROOM_RACE_FROM", 0), number("ELBOWROOM_RACE", 500));
    let outcomes = each(n as usize, |i| run(from + i as u64));
    let (mut kinds, mut told, mut failed, mut apart) = (BTreeMap::new(), BTreeMap::new(), 0, 0);
    for (seed, o) in (from..).zip(&outcomes) {
        *kinds.entry(&o.kinds).or_insert(0_u64) += 1;
        apart += u64::from(o.apart);
        for (name, positive) in o.told.iter().filter(|_| o.apart) {
            *told.entry(name).or_insert(0_u64) += u64::from(*positive);
        }
        if !o.faults.is_empty() {
            failed += 1;
            if failed <= 10 {
                println!("seed {seed}: {}\n  {}", o.faults.join("; "), case(seed).json());
            }
        }
    }
    println!("{n} pairs of {} kinds, {apart} apart; apart by bounds: {told:?}", kinds.len());
    assert_eq!(failed, 0, "pairs of which a bound is above the distance");
    assert!(
        kinds.len() >= 100 && apart * 4 > n && apart * 10 < n * 9,
        "{} kinds, {apart} apart",
        kinds.len()
    );
    assert!(told.len() == 16 && told.values().all(|k| *k * 4 > apart), "a bound says nothing: {told:?}");
}
