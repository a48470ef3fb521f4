//! Cubics through transforms, as a controller makes them: by their formula, beside other joints, and what is
//! told of turns.

use crate::support::refused;
use crate::transforms::{
    DRONE, QUARTER, assert_close, cart, flight, lift, read_by, read_in, transform, values_at, world,
};
use elbowroom_files::motion::Motion;
use elbowroom_files::source::TransformWays;

/// A start at the origin, and points of a flight without turns.
fn straight_up(points: &[(f64, [f64; 3])]) -> String {
    let start = "trajectory_start: {joint_state: {name: [elbow], position: [1]}, multi_dof_joint_state: \
                 {joint_names: [fly], transforms: [{}]}}\n";
    let points: Vec<_> = points.iter().map(|(t, xyz)| (*t, transform(*xyz, [1.0, 0.0, 0.0, 0.0]))).collect();
    format!("{start}multi_dof_joint_trajectory: {{{}}}\n", flight(&points))
}

/// The middle velocity of three points is 3 (p2 - p0) / (4 h): the spline swings out behind the middle point.
#[test]
fn cubics_through_transforms_are_those_of_the_formula() {
    let world = world(&[("drone", DRONE)]);
    let text = straight_up(&[(0.0, [0.0; 3]), (2.0, [1.0, 0.0, 2.0]), (4.0, [1.0, 0.0, 4.0])]);
    let read = read_by(&world, &text, TransformWays::Cubic).unwrap();
    assert!(read.warnings.is_empty(), "{:?}", read.warnings);
    let at_of = |motion: &Motion, row: usize, part: f64| {
        let mut values = vec![0.0; 8];
        motion.spline_to(&world, row).unwrap().write_values(part, &mut values);
        values
    };
    let motion = read.value;
    let at = |row: usize, part: f64| at_of(&motion, row, part);
    // x from 0 to 1 at 3 / 8 m/s, then back to it; z at 3 / 2 m/s in the middle.
    let hermite = |p: f64, q: f64, v: f64, w: f64, x: f64| {
        let (v, w) = (2.0 * v, 2.0 * w);
        p + v * x + (3.0 * (q - p) - 2.0 * v - w) * x * x + (v + w - 2.0 * (q - p)) * x * x * x
    };
    for x in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let expected = [hermite(0.0, 1.0, 0.0, 0.375, x), 0.0, hermite(0.0, 2.0, 0.0, 1.5, x)];
        assert_close(&at(1, x)[..3], &expected);
        let expected = [hermite(1.0, 1.0, 0.375, 0.0, x), 0.0, hermite(2.0, 4.0, 1.5, 0.0, x)];
        assert_close(&at(2, x)[..3], &expected);
        // What has no transform stays as it was.
        assert_close(&at(2, x)[3..], &[1.0, 0.0, 0.0, 0.0, 1.0]);
    }
    assert!(at(2, 1.0 / 3.0)[0] > 1.1);
    // Straight where that is not asked for.
    let straight = read_in(&world, &text).unwrap().value;
    assert!(straight.is_straight_to(2));
    // From a start at rest, which is a point too, and in a plane.
    let late = straight_up(&[(2.0, [1.0, 0.0, 2.0]), (4.0, [1.0, 0.0, 4.0])]);
    let late = read_by(&world, &late, TransformWays::Cubic).unwrap().value;
    assert_eq!(late.t, motion.t);
    for (row, x) in [(1, 0.25), (1, 0.75), (2, 0.25), (2, 0.75)] {
        assert_close(&at_of(&late, row, x), &at(row, x));
    }
    let cart = self::world(&[("cart", &cart("0 0 1"))]);
    let quarter = [0.0, 2.0, 4.0].map(|t| (t, transform([t * t, 0.0, 0.0], [QUARTER, 0.0, 0.0, QUARTER])));
    let text = format!("{{{}}}", flight(&quarter).replace("fly", "roll"));
    let rolled = read_by(&cart, &text, TransformWays::Cubic).unwrap();
    let mut values = vec![0.0; 3];
    rolled.value.spline_to(&cart, 1).unwrap().write_values(0.5, &mut values);
    assert_close(&values, &[hermite(0.0, 4.0, 0.0, 6.0, 0.5), 0.0, std::f64::consts::FRAC_PI_2]);
}

/// Joints of one value keep their own splines beside cubics of transforms, quintics too.
#[test]
fn cubics_of_transforms_go_beside_splines_of_other_joints() {
    let world = world(&[("drone", DRONE)]);
    let bodies = flight(&[0.0, 2.0, 4.0].map(|t| (t, transform([t * t, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]))));
    for (rates, middle) in [
        // From rest to rest, a cubic and a quintic, a quarter of the way after 0.5 s.
        ("velocities: [0]", 0.15625),
        ("velocities: [0], accelerations: [0]", 0.103515625),
        ("velocities: []", 0.25),
    ] {
        let points = [0, 2, 4].map(|t| format!("{{positions: [{t}], {rates}, time_from_start: {t}}}"));
        let text = format!(
            "joint_trajectory: {{joint_names: [elbow], points: [{}]}}\nmulti_dof_joint_trajectory: \
             {{{bodies}}}\n",
            points.join(", ")
        );
        let motion = read_by(&world, &text, TransformWays::Cubic).unwrap().value;
        let at = values_at(&world, &motion, 0.25);
        // 3 (16 - 0) / (4 * 2) = 6 m/s at the middle point.
        let x = 0.25_f64.powi(2) * (3.0 * 4.0 - 12.0) + 0.25_f64.powi(3) * (12.0 - 2.0 * 4.0);
        assert_close(&at[..1], &[x]);
        assert_close(&at[7..], &[2.0 * middle]);
    }
}

/// Turns at constant speed may not be those of the controller: the warning says by how much, from rest to
/// rest by sqrt(3) / 18 of the angle.
#[test]
fn turns_beside_cubics_are_told_with_the_tolerance_that_proves_them() {
    let world = world(&[("drone", DRONE)]);
    let start = "trajectory_start: {joint_state: {name: [elbow], position: [1]}}\n";
    let text = format!("{start}multi_dof_joint_trajectory: {{{}}}\n", lift());
    let read = read_by(&world, &text, TransformWays::Cubic).unwrap();
    let told = read.warnings[0].to_string();
    assert!(told.contains("\"drone/fly\" turns at constant speed from point to point"), "{told}");
    let bulge = told.split("--tolerance drone/fly/rot_w=").nth(1).unwrap().trim_end_matches(['.', ')', '\n']);
    let exact = 3.0_f64.sqrt() / 18.0 * std::f64::consts::FRAC_PI_2;
    assert!((bulge.parse::<f64>().unwrap() - exact).abs() < 1e-9, "{told}");
    // What has no transform has no cubics; and times must grow.
    let none = "joint_state: {name: [elbow, fly/trans_x, fly/trans_y, fly/trans_z, fly/rot_w, fly/rot_x, \
                fly/rot_y, fly/rot_z], position: [1, 0, 0, 0, 1, 0, 0, 0]}\n";
    let told = read_by(&world, none, TransformWays::Cubic).unwrap().warnings[0].to_string();
    assert!(told.contains("has no joint with transforms, whose ways could be cubics"), "{told}");
    let still = text.replace("time_from_start: 2", "time_from_start: 0");
    refused(
        "times",
        read_by(&world, &still, TransformWays::Cubic),
        &["a controller refuses times that do not grow"],
    );
    assert!(read_in(&world, &still).is_ok());
}
