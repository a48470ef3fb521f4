//! Joint and joint: section III-A.

use super::{Truth, cylinder_shape, race, random_cylinder, truth_of};
use elbowroom::math::{Vec3, sin_cos, vec3};
use elbowroom_lab::haase10::cylinders::{
    CylinderEnd, FlatCylinder, cylinders_overlap, joints_overlap, joints_overlap_as_printed,
};
use elbowroom_lab::haase10::dimensions::{JOINT_LENGTH, JOINT_RADIUS};
use std::collections::BTreeMap;

const ENDS: [CylinderEnd; 5] = [
    CylinderEnd::Above,
    CylinderEnd::ApartAtCut,
    CylinderEnd::MeetAtCut,
    CylinderEnd::ApartAfterSearch,
    CylinderEnd::MeetAfterSearch,
];

fn count_ends(ends: impl Iterator<Item = CylinderEnd>) -> Vec<usize> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    ends.for_each(|end| *counts.entry(format!("{end:?}")).or_default() += 1);
    ENDS.iter().map(|end| counts.get(&format!("{end:?}")).copied().unwrap_or(0)).collect()
}

#[test]
fn cylinders_anywhere_meet_if_and_only_if_the_engine_says_so() {
    let outcomes = race(1.0, |rng| {
        let [a, b] = [(); 2].map(|()| random_cylinder(rng, 1.0));
        let end = cylinders_overlap(&a, &b);
        let truth = truth_of(&cylinder_shape(&a), &cylinder_shape(&b), 1.0);
        let other_way = cylinders_overlap(&b, &a).is_meeting();
        if !truth.allows(end.is_meeting()) || !truth.allows(other_way) {
            return Err(format!("{end:?} {other_way}, but {truth:?}: {a:?} {b:?}"));
        }
        Ok((end, truth))
    });
    let counts = count_ends(outcomes.iter().map(|o| o.0));
    println!("{} pairs: {ENDS:?} {counts:?}", outcomes.len());
    assert!(counts.iter().all(|n| n * 200 > outcomes.len()), "{counts:?}");
    assert!(outcomes.iter().filter(|o| o.1 != Truth::Open).count() * 100 > outcomes.len() * 90);
}

/// Two joints of the hand, as near to each other as they may meet.
fn random_joint(rng: &mut super::Rng) -> FlatCylinder {
    let (sin, cos) = sin_cos(rng.range(0.0, std::f64::consts::TAU));
    let center = vec3(rng.range(-0.025, 0.025), rng.range(-0.025, 0.025), rng.range(-0.02, 0.02));
    FlatCylinder { center, axis: vec3(cos, sin, 0.0), radius: JOINT_RADIUS, half_length: 0.5 * JOINT_LENGTH }
}

#[test]
fn the_printed_test_of_joints_never_says_apart_of_parallel_ones_that_meet_but_of_others() {
    let outcomes = race(1.0, |rng| {
        let (a, mut b) = (random_joint(rng), random_joint(rng));
        let is_parallel = rng.chance(0.25);
        if is_parallel {
            b.axis = a.axis;
        }
        let (end, printed) = (joints_overlap(&a, &b, Vec3::Z), joints_overlap_as_printed(&a, &b, Vec3::Z));
        let (shape_a, shape_b) = (cylinder_shape(&a), cylinder_shape(&b));
        let truth = truth_of(&shape_a, &shape_b, JOINT_RADIUS);
        if !truth.allows(end.is_meeting()) {
            return Err(format!("{end:?}, but {truth:?}: {a:?} {b:?}"));
        }
        if (printed || is_parallel) && !truth.allows(printed) {
            return Err(format!("printed {printed}, but {truth:?}: {a:?} {b:?}"));
        }
        let depth = if truth == Truth::Meet && !printed {
            let c = super::distance(&shape_a.0, &shape_a.1, &shape_b.0, &shape_b.1).unwrap();
            Some(-c.interval.upper)
        } else {
            None
        };
        Ok((end, is_parallel, depth))
    });
    let missed: Vec<f64> = outcomes.iter().filter_map(|o| o.2).collect();
    let meet = outcomes.iter().filter(|o| o.0.is_meeting()).count();
    let deepest = missed.iter().copied().fold(0.0, f64::max);
    println!(
        "{} pairs of joints, {meet} meet, {} of them missed as printed, by up to {:.2} mm",
        outcomes.len(),
        missed.len(),
        1e3 * deepest
    );
    assert!(outcomes.iter().all(|o| !(o.1 && o.2.is_some())));
    // It misses some, and by millimetres.
    assert!(missed.len() * 200 > meet && deepest > 0.1 * JOINT_RADIUS && deepest < 0.2 * JOINT_RADIUS);
}

#[test]
fn a_cap_that_meets_a_side_is_missed_as_printed() {
    let joint = |center: Vec3, axis: Vec3| FlatCylinder { center, axis, radius: 1.0, half_length: 1.0 };
    let (a, b) = (joint(Vec3::ZERO, Vec3::X), joint(vec3(0.0, 1.95, 0.9), Vec3::Y));
    // At the first one's height its side is a whole radius wide, and the second's cap is 0.95 from its axis.
    assert!(joints_overlap(&a, &b, Vec3::Z) == CylinderEnd::MeetAfterSearch);
    assert!(!joints_overlap_as_printed(&a, &b, Vec3::Z));
    assert_eq!(truth_of(&cylinder_shape(&a), &cylinder_shape(&b), 1.0), Truth::Meet);
}
