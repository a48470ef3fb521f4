//! Box and cylinder: section III-C.

use super::{Truth, box_shape, cylinder_shape, race, random_box, random_cylinder, truth_of};
use elbowroom::math::{Mat3, Vec3, vec3};
use elbowroom_lab::haase10::cylinder_box::{CapEnd, does_cylinder_meet_box, overlaps_as_printed};
use elbowroom_lab::haase10::cylinders::FlatCylinder;
use elbowroom_lab::primitives::OrientedBox;

const ENDS: [CapEnd; 6] = [
    CapEnd::Far,
    CapEnd::AxisInside,
    CapEnd::Beside,
    CapEnd::LinesOutside,
    CapEnd::BesideFace,
    CapEnd::CapMeets,
];

#[test]
fn a_cylinder_and_a_box_meet_if_and_only_if_the_engine_says_so() {
    let outcomes = race(1.0, |rng| {
        let (mut c, mut b) = (random_cylinder(rng, 1.0), random_box(rng, 1.0));
        // Half of the cases lie about a cap's rim, where the steps differ.
        if rng.chance(0.5) {
            let rim = c.axis.any_perpendicular() * (c.radius * rng.range(0.2, 1.3));
            b.half = b.half * 0.5;
            b.center = c.center + c.axis * (c.half_length * rng.range(0.9, 1.4)) + rim + rng.point(0.3);
        }
        if rng.chance(0.05) {
            c.half_length = 1e-3;
        }
        let (end, printed) = (does_cylinder_meet_box(&c, &b), overlaps_as_printed(&c, &b));
        let truth = truth_of(&cylinder_shape(&c), &box_shape(&b), 1.0);
        if !truth.allows(end.is_meeting()) {
            return Err(format!("{end:?}, but {truth:?}: {c:?} {b:?}"));
        }
        // With one plane it may miss what meets, and no more.
        if printed.is_meeting() && !truth.allows(true) {
            return Err(format!("printed {printed:?}, but {truth:?}: {c:?} {b:?}"));
        }
        Ok((end, truth, truth == Truth::Meet && !printed.is_meeting()))
    });
    let counts = ENDS.map(|end| outcomes.iter().filter(|o| o.0 == end).count());
    let missed = outcomes.iter().filter(|o| o.2).count();
    println!("{} pairs: {ENDS:?} {counts:?}; missed as printed {missed}", outcomes.len());
    assert!(counts.iter().all(|n| n * 200 > outcomes.len()), "{counts:?}");
    assert!(missed > 0, "the printed steps missed nothing");
    assert!(outcomes.iter().filter(|o| o.1 != Truth::Open).count() * 100 > outcomes.len() * 90);
}

#[test]
fn a_cap_that_meets_the_face_beside_the_nearest_edge_is_missed_with_one_plane() {
    // An upright cylinder with its cap at z = 1, and a box turned by 30 degrees. Its lowest left edge lies
    // over the cap at (0.2, 1.1) and is nearest. The bottom goes down from there to the right, into the cap;
    // the left face goes up.
    let c = FlatCylinder { center: Vec3::ZERO, axis: Vec3::Z, radius: 1.0, half_length: 1.0 };
    let axes = Mat3::from_axis_angle(Vec3::Y, std::f64::consts::FRAC_PI_6);
    let b = OrientedBox { center: vec3(0.883, 0.0, 1.283), axes, half: vec3(0.5, 0.5, 0.5) };
    assert_eq!(truth_of(&cylinder_shape(&c), &box_shape(&b), 1.0), Truth::Meet);
    assert_eq!(does_cylinder_meet_box(&c, &b), CapEnd::CapMeets);
    assert_eq!(overlaps_as_printed(&c, &b), CapEnd::BesideFace);
}
