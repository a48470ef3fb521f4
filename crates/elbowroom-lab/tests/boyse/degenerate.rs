//! What random solids never do: edges that stay parallel, corners that meet corners, faces that slide on each
//! other, contact at the start. The first contact is known on paper, and the engine is asked too.

use crate::compare::{agree, options, world_of};
use crate::solids::{Solid, block, hull, mesh};
use elbowroom::math::{Mat3, Transform, Vec3, vec3};
use elbowroom::motion::MotionChecker;
use elbowroom_lab::boyse::{First, Motion, Polyhedron, first_contact};
use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI, TAU};

/// Both are asked, and do not contradict each other; what Boyse's test says.
fn both(solids: [Solid; 2], places: [Transform; 2], motion: Motion) -> First {
    let [moving, still] = [0, 1].map(|i| solids[i].faces.transformed_by(&places[i]));
    let boyse = first_contact(&moving, &still, &motion).unwrap();
    let (world, [from, to]) = world_of(&solids, &places, &motion);
    let engine = MotionChecker::new(&world).check_edge([&from, &to], &options()).unwrap();
    assert!(agree(&engine, &boyse).is_some(), "the engine says {engine:?}, Boyse's test {boyse:?}");
    boyse
}

/// The contact is at a part of the motion, and known this well.
fn contact(first: First, at: f64, width: f64) {
    let First::Contact { free_until, touches_at } = first else { panic!("{first:?}, and not at {at}") };
    assert!(free_until <= at + 1e-13 && at - 1e-13 <= touches_at, "{first:?}, and not at {at}");
    assert!(touches_at - free_until < width, "{first:?}");
}

fn at(x: f64, y: f64, z: f64) -> Transform {
    Transform::from_translation(vec3(x, y, z))
}

fn turned(x: f64, y: f64, z: f64, yaw: f64) -> Transform {
    Transform::new(Mat3::from_rpy(0.0, 0.0, yaw), vec3(x, y, z))
}

fn cube() -> Solid {
    block([1.0; 3])
}

/// About z, through the origin.
fn about_z(angle: f64) -> Motion {
    Motion::Turn { at: Vec3::ZERO, axis: Vec3::Z, angle }
}

#[test]
fn faces_meet_faces() {
    // Equal squares, then one that is shifted, then one inside of the other.
    for (y, z) in [(0.0, 0.0), (0.3, 0.0), (0.3, -0.2)] {
        let places = [at(-3.0, y, z), at(0.0, 0.0, 0.0)];
        contact(both([cube(), cube()], places, Motion::Slide(Vec3::X * 4.0)), 0.5, 1e-6);
    }
    let places = [at(-3.0, 0.0, 0.0), at(0.0, 0.0, 0.0)];
    contact(both([block([1.0, 0.2, 0.2]), cube()], places, Motion::Slide(Vec3::X * 4.0)), 0.5, 1e-6);
}

#[test]
fn parallel_edges_meet() {
    // Two upright edges come at each other; the boxes are shifted along them, or one is longer.
    let reach = 0.5_f64.sqrt();
    for (z, height) in [(0.0, 1.0), (0.4, 1.0), (0.0, 0.5)] {
        let places = [turned(-3.0, 0.0, z, FRAC_PI_4), turned(0.0, 0.0, 0.0, FRAC_PI_4)];
        let first = both([block([1.0, 1.0, height]), cube()], places, Motion::Slide(Vec3::X * 4.0));
        contact(first, (3.0 - 2.0 * reach) / 4.0, 1e-6);
    }
    // An edge comes down on a face.
    let places = [turned(-3.0, 0.1, 0.0, FRAC_PI_4), at(0.0, 0.0, 0.0)];
    contact(both([cube(), cube()], places, Motion::Slide(Vec3::X * 4.0)), (2.5 - reach) / 4.0, 1e-6);
}

#[test]
fn crossed_edges_meet() {
    // One edge lies, the other stands: they meet in their middles.
    let lies = Transform::new(Mat3::from_rpy(0.0, FRAC_PI_4, 0.0), vec3(-3.0, 0.0, 0.0));
    let places = [lies, turned(0.0, 0.0, 0.0, FRAC_PI_4)];
    let first = both([cube(), cube()], places, Motion::Slide(Vec3::X * 4.0));
    contact(first, (3.0 - 2.0_f64.sqrt()) / 4.0, 1e-12);
}

#[test]
fn corners_meet_corners() {
    let places = [at(-2.0, -2.0, -2.0), at(0.0, 0.0, 0.0)];
    contact(both([cube(), cube()], places, Motion::Slide(vec3(2.0, 2.0, 2.0))), 0.5, 1e-5);
    // Corners that pass each other touch in one instant at most.
    let first = both([cube(), cube()], places, Motion::Slide(vec3(2.0, 2.0, 0.0)));
    assert_eq!(first, First::Free);
    let places = [at(-1.0, -1.0, -3.0), at(0.0, 0.0, 0.0)];
    match both([cube(), cube()], places, Motion::Slide(Vec3::Z * 6.0)) {
        First::Near { free_until } => assert!((free_until - 2.0 / 6.0).abs() < 1e-6, "{free_until}"),
        other => panic!("upright edges that slide along each other: {other:?}"),
    }
}

#[test]
fn faces_slide_on_each_other() {
    // A box on a table: nothing is proved free, and nothing certainly overlaps.
    let table = || block([4.0, 4.0, 1.0]);
    for x in [0.0, -1.0] {
        let places = [at(x, 0.0, 1.0), at(0.0, 0.0, 0.0)];
        let first = both([cube(), table()], places, Motion::Slide(vec3(0.7, 0.2, 0.0)));
        assert_eq!(first, First::Near { free_until: 0.0 });
        // A micrometre over it, it is free; it turns freely, too.
        let places = [at(x, 0.0, 1.000_001), at(0.0, 0.0, 0.0)];
        assert_eq!(both([cube(), table()], places, Motion::Slide(vec3(0.7, 0.2, 0.0))), First::Free);
        assert_eq!(both([cube(), table()], places, about_z(2.0)), First::Free);
    }
    // Two boxes of one height whose tops and bottoms are in two planes: they meet at their sides.
    let places = [at(-3.0, 0.2, 0.0), at(0.0, 0.0, 0.0)];
    let first = both([cube(), cube()], places, Motion::Slide(Vec3::X * 4.0));
    contact(first, 0.5, 1e-6);
    let places = [at(0.0, -2.0, 0.0), at(2.0, 0.0, 0.0)];
    let first = both([cube(), cube()], places, about_z(FRAC_PI_2));
    // The corner (0.5, -1.5) comes to x = 1.5 at the angle at which its way crosses that side.
    let angle = (1.5_f64 / 2.5_f64.sqrt()).acos();
    contact(first, ((1.5_f64 / 0.5).atan() - angle) / FRAC_PI_2, 1e-6);
}

#[test]
fn contact_at_the_start() {
    let places = [at(-1.0, 0.0, 0.0), at(0.0, 0.0, 0.0)];
    // Into it, and away from it.
    contact(both([cube(), cube()], places, Motion::Slide(Vec3::X)), 0.0, 1e-5);
    assert_eq!(
        both([cube(), cube()], places, Motion::Slide(Vec3::X * -1.0)),
        First::Near { free_until: 0.0 }
    );
    // It stays where it is, in contact, apart, overlapping.
    assert_eq!(both([cube(), cube()], places, about_z(0.0)), First::Near { free_until: 0.0 });
    let [one, other] = places.map(|place| cube().faces.transformed_by(&place));
    let still = first_contact(&one, &other, &Motion::Slide(Vec3::ZERO));
    assert_eq!(still, Some(First::Near { free_until: 0.0 }));
    let places = [at(-1.1, 0.0, 0.0), at(0.0, 0.0, 0.0)];
    assert_eq!(both([cube(), cube()], places, about_z(0.0)), First::Free);
    let places = [at(-0.9, 0.1, 0.2), at(0.0, 0.0, 0.0)];
    contact(both([cube(), cube()], places, about_z(0.0)), 0.0, 1e-12);
}

#[test]
fn one_in_the_other() {
    for (moving, still) in [(block([0.2; 3]), cube()), (cube(), block([0.2; 3]))] {
        let places = [at(0.1, 0.0, 0.0), at(0.0, 0.0, 0.0)];
        contact(both([moving, still], places, Motion::Slide(Vec3::X * 0.1)), 0.0, 1e-12);
    }
    // In the notch of an L, and in no part of it.
    let elbowroom::describe::ShapeDescription::Mesh { vertices, triangles } = crate::support::bent::bent(1.0)
    else {
        unreachable!()
    };
    let corners: Vec<Vec3> = vertices.into_iter().map(Vec3::from).collect();
    let ell = || mesh(&corners, &triangles);
    let places = [at(1.5, 1.5, 0.5), at(0.0, 0.0, 0.0)];
    assert_eq!(both([block([0.2; 3]), ell()], places, Motion::Slide(Vec3::X)), First::Free);
    contact(both([block([0.2; 3]), ell()], places, Motion::Slide(Vec3::X * -1.0)), 0.4, 1e-6);
    contact(both([block([0.2; 3]), ell()], places, Motion::Slide(Vec3::Y * -1.0)), 0.4, 1e-6);
}

/// A triangle's worth of solid: a needle from `a` to `b`, with a small third and fourth corner beside `a`.
fn needle(a: Vec3, b: Vec3) -> Solid {
    let d = (b - a).normalized().unwrap();
    let u = d.any_perpendicular().normalized().unwrap();
    hull(&[a, b, a - d * 0.01 + u * 0.01, a - d * 0.01 + d.cross(u) * 0.01])
}

#[test]
fn surfaces_that_edges_sweep() {
    let still = [Transform::IDENTITY; 2];
    // A cylinder: an edge along the axis meets an upright box's edge or side.
    let upright = || block([0.1, 0.1, 1.0]);
    let places = [at(1.0, 0.0, 0.0), at(-1.0, 0.0, 0.0)];
    let First::Contact { free_until, touches_at } = both([upright(), upright()], places, about_z(PI)) else {
        panic!("they meet");
    };
    assert!(free_until > 0.9 && touches_at < 1.0 && touches_at - free_until < 1e-6);
    // A plane: both edges are in it, one through the axis, and the end of one meets the other.
    let ray = needle(vec3(0.1, 0.0, 0.0), vec3(1.0, 0.0, 0.0));
    let bar = needle(vec3(-1.0, 0.6, 0.0), vec3(1.0, 0.6, 0.0));
    let first = both([ray.clone(), bar], still, about_z(PI));
    let First::Contact { free_until, touches_at } = first else { panic!("{first:?}") };
    assert!((free_until - (0.6_f64).asin() / PI).abs() < 1e-3 && touches_at - free_until < 1e-6, "{first:?}");
    // A cone: both edges lead through one point of the axis.
    let slanted = |around: f64| {
        let to = Mat3::from_axis_angle(Vec3::Z, around) * vec3(1.0, 0.0, 1.0);
        needle(to * 0.2, to)
    };
    let First::Contact { free_until, touches_at } = both([slanted(0.0), slanted(2.0)], still, about_z(3.0))
    else {
        panic!("they meet");
    };
    assert!(free_until < 2.0 / 3.0 && 0.6 < free_until && touches_at - free_until < 0.1);
    // A hyperboloid: an edge askew to the axis meets one that crosses it, in a point inside of both.
    let askew = needle(vec3(0.5, -1.0, -1.0), vec3(0.5, 1.0, 1.0));
    let across = needle(vec3(0.0, 0.3, 0.45), vec3(-2.0, 0.3, 0.45));
    let first = both([askew, across], still, about_z(3.0));
    let First::Contact { free_until, touches_at } = first else { panic!("{first:?}") };
    assert!(touches_at - free_until < 1e-9, "{first:?}");
}

#[test]
fn grazes() {
    // The corner at (1.5, 0.5) of a square about its own distance from the axis: its circle has a radius of
    // the root of 2.5. A wall beyond it is never reached.
    let reach = 2.5_f64.sqrt();
    let wall = || block([1.0, 8.0, 1.0]);
    for (gap, free) in [(1e-6, true), (1e-4, true), (-1e-6, false), (-1e-3, false)] {
        let places = [at(0.0, 1.0, 0.0), at(reach + 0.5 + gap, 0.0, 0.0)];
        match both([cube(), wall()], places, about_z(-PI)) {
            First::Free => assert!(free, "{gap}"),
            First::Contact { .. } | First::Near { .. } => assert!(!free, "{gap}"),
        }
    }
}

#[test]
fn whole_turns_and_more() {
    let places = [at(2.0, 0.0, 0.0), at(0.0, -3.0, 0.0)];
    // Free all the way round, many times round.
    for angle in [TAU, -TAU, 40.0] {
        assert_eq!(both([block([0.2; 3]), block([0.2; 3])], places, about_z(angle)), First::Free);
    }
    // An angle is a smaller part of a longer way.
    let places = [at(2.0, 0.0, 0.0), at(0.0, 2.0, 0.0)];
    let first = |angle| match both([block([0.2; 3]), block([0.2; 3])], places, about_z(angle)) {
        First::Contact { free_until, .. } => free_until * angle,
        other => panic!("{other:?}"),
    };
    assert!((first(2.0) - first(20.0)).abs() < 1e-9);
    assert!((first(-2.0 * PI) + (TAU - FRAC_PI_2 - (FRAC_PI_2 - first(2.0)))).abs() < 1e-6);
}

#[test]
fn numbers_that_are_none_are_refused() {
    let one = cube().faces;
    for motion in [
        Motion::Slide(Vec3::X * f64::NAN),
        Motion::Slide(Vec3::X * f64::INFINITY),
        about_z(f64::NAN),
        Motion::Turn { at: Vec3::ZERO, axis: Vec3::ZERO, angle: 1.0 },
        Motion::Turn { at: Vec3::X * f64::NAN, axis: Vec3::Z, angle: 1.0 },
    ] {
        assert_eq!(first_contact(&one, &one.transformed_by(&at(3.0, 0.0, 0.0)), &motion), None, "{motion:?}");
    }
    assert!(Polyhedron::new(&[Vec3::X * f64::NAN], &[]).is_none());
    assert!(Polyhedron::new(&[Vec3::X], &[[0, 1, 2]]).is_none());
    // Nothing touches nothing; triangles without area are no faces.
    let nothing = Polyhedron::new(&[Vec3::X, Vec3::Y], &[[0, 1, 1]]).unwrap();
    assert!(nothing.faces.is_empty());
    assert_eq!(first_contact(&nothing, &one, &about_z(1.0)), Some(First::Free));
}
