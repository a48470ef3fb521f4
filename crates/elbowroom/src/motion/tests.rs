//! What motions of long chains cost, in counts: how it grows with the joints, and what a certificate's check
//! costs beside the proof.

use super::{Edge, EdgeOptions, MotionChecker, verify};
use crate::World;
use crate::tally::{Work, count_in};
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::{Transform, Vec3, vec3};
use elbowroom_describe::{
    JointDescription, JointKind, JointLimits, LinkDescription, PlacedRobot, PlacedShape, RobotDescription,
    ShapeDescription, WorldDescription,
};

/// A chain of rods, a decimetre each: a turn of every joint winds it up to a helix that rises by `pitch`
/// (radians) a joint.
fn helix(joints: usize, pitch: f64) -> World {
    let rod = PlacedShape {
        name: "".into(),
        shape_in_body: Transform::from_xyz_rpy([0.05, 0.0, 0.0], [0.0, 1.5, 0.0]),
        shape: ShapeDescription::Capsule { radius: 0.01, length: 0.04 },
        padding: 0.0,
    };
    let link = |k: usize| LinkDescription { name: k.to_string(), shapes: vec![rod.clone()] };
    let joint = |k: usize| JointDescription {
        name: k.to_string(),
        kind: JointKind::Revolute,
        parent: (k - 1).to_string(),
        child: k.to_string(),
        joint_in_parent: Transform::from_xyz_rpy([0.1, 0.0, 0.0], [pitch, 0.0, 0.0]),
        axis: Vec3::Z,
        limits: Some(JointLimits { lower: -2.0, upper: 2.0 }),
        mimic: None,
    };
    let (links, joints) = ((0..=joints).map(link).collect(), (1..=joints).map(joint).collect());
    let robot = RobotDescription { name: "r".into(), links, joints, ..RobotDescription::default() };
    let base_in_world = Transform::from_translation(vec3(0.1, 0.2, 0.3));
    let placed = PlacedRobot { name: "r".into(), base_in_world, robot };
    World::compile(&WorldDescription { robots: vec![placed], ..WorldDescription::default() }).unwrap()
}

/// All joints of a chain from one angle to another.
fn ends(joints: usize, [from, to]: [f64; 2]) -> [Vec<f64>; 2] {
    [vec![from; joints], vec![to; joints]]
}

/// What a free motion takes, and its check: poses, pairs, terms.
fn free_counts(joints: usize, turn: [f64; 2]) -> [[u64; 3]; 2] {
    let world = helix(joints, 0.1);
    let [from, to] = ends(joints, turn);
    let (mut checker, options) = (MotionChecker::new(&world), EdgeOptions::default());
    let mut proof = |work| {
        checker.forget_history();
        count_in(work, || {
            assert_eq!(checker.check_edge([&from, &to], &options).unwrap(), Edge::Free, "{joints}");
        })
    };
    let [mut poses, _, terms] = [Work::Poses, Work::Pairs, Work::Terms].map(&mut proof);
    // Both ends are set before the search.
    poses -= 2;
    let asked = checker.edge_counts().asked;
    let check = [Work::Poses, Work::Pairs, Work::Terms]
        .map(|work| count_in(work, || verify(&world, [&from, &to], checker.pieces(), &options).unwrap()));
    let forgotten =
        count_in(Work::Forgotten, || verify(&world, [&from, &to], checker.pieces(), &options).unwrap());
    std::println!("{joints} {turn:?}: proof {poses} {asked} {terms}, check {check:?} {forgotten}");
    assert_eq!(forgotten, 0);
    [[poses, asked, terms], check]
}

#[test]
fn a_certificate_is_checked_with_the_work_of_its_proof() {
    for (joints, turn) in [(100, [0.3, 0.29]), (200, [0.3, 0.29]), (60, [0.3, 0.2])] {
        let [proof, check] = free_counts(joints, turn);
        for (what, k) in [("poses", 0), ("pairs", 1), ("terms", 2)] {
            assert!(check[k] <= proof[k] + 4, "{joints} joints: {} {what} beside {}", check[k], proof[k]);
        }
    }
}

#[test]
fn free_motions_of_chains_cost_what_their_pairs_do() {
    for turn in [[0.3, 0.299], [0.3, 0.29]] {
        let [short, long] = [100, 200].map(|joints| free_counts(joints, turn)[0][2]);
        assert!(long < 5 * short, "{turn:?}: {short} and {long} terms");
    }
}

/// Coils that touch leave pairs open, and each of these is followed along all joints between its bodies: so
/// the terms are at most a few for each joint of each pair that was asked.
#[test]
fn chains_in_contact_cost_at_most_their_joints_for_each_pair_asked() {
    let counts = [50, 100, 200].map(|joints| {
        let world = helix(joints, 0.0);
        let [from, to] = ends(joints, [0.25, 0.22]);
        let (mut checker, options) = (MotionChecker::new(&world), EdgeOptions::default());
        let mut edge = None;
        let terms = count_in(Work::Terms, || edge = checker.check_edge([&from, &to], &options).ok());
        assert!(matches!(edge, Some(Edge::Contact { .. })), "{joints}: {edge:?}");
        let asked = checker.edge_counts().asked;
        std::println!("{joints}: {asked} pairs asked, {terms} terms");
        assert!(terms < 4 * joints as u64 * asked, "{joints}: {terms} terms, {asked} pairs asked");
        asked
    });
    // As pairs grow: four times for twice the joints, and a few intervals more.
    assert!(counts.windows(2).all(|c| c[1] < 6 * c[0]), "{counts:?}");
}
