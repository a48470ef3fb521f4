//! What is fitted around shapes of every kind, and every bound between two such fits, against the true
//! distance of the shapes: none is above it. Scales from a millimetre to a kilometre, features facing each
//! other at given gaps.
//!
//! `ELBOWROOM_RACE` sets how many pairs (seven hundred by default), `ELBOWROOM_RACE_FROM` the first seed.
use elbowroom_testkit as support;

use elbowroom::bounds::ball_gap;
use elbowroom::bounds::fit::{BallSet, fit_aligned_box, fit_ball, fit_capsule};
use elbowroom::bounds::hierarchy::WideTree;
use elbowroom::bounds::lanes::{CapsuleId, CapsuleRecord, capsule_gaps};
use support::fitted::{Placed, no_bound_is_above_the_distance};
use support::number_from_environment;

/// Four bounds between fits around both shapes where they are.
fn bounds(placed: &mut Placed) {
    let [a_at, b_at] = placed.at;
    let sets = [(&placed.pair.a, a_at), (&placed.pair.b, b_at)].map(|(shape, at)| {
        let mut set = BallSet::new();
        set.add(shape, &at, 0.0);
        set
    });
    let [p, q] = sets.each_ref().map(|set| fit_ball(set).unwrap());
    placed.add_bound("balls", ball_gap(&p, &q));
    let record = |set: &BallSet| CapsuleRecord::new(&fit_capsule(set, placed.effort).unwrap());
    let [c, d] = sets.each_ref().map(record);
    let mut one = [0.0];
    capsule_gaps(&[c, d], &[[0, 1]].map(|p| p.map(CapsuleId)), &mut one);
    placed.add_bound("capsules", one[0]);
    placed.add_bound("capsule and ball", c.ball_gap(&q));
    let [around, b] = sets.each_ref().map(|set| fit_aligned_box(set).unwrap());
    let tree = WideTree::build(&[b]).unwrap();
    placed.add_bound("tree", f64::from(tree.children_gaps(0, &tree.prepare_query(&around)).lower[0]));
}

#[test]
fn no_bound_between_fits_is_above_the_distance_of_what_they_contain() {
    let (from, n) =
        (number_from_environment("ELBOWROOM_RACE_FROM", 0), number_from_environment("ELBOWROOM_RACE", 700));
    no_bound_is_above_the_distance(from, n, 4, bounds);
}
