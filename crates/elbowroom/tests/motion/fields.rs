//! Fields: what they prove of cells, against answers at poses in these cells.

use crate::contacts::rod;
use crate::support::bent::ell;
use crate::support::describe::*;
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use crate::support::shapes::{KINDS, draw_shape};
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3};
use elbowroom::motion::{Field, FieldFault, FieldOptions, FieldState, Prover};
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyPair;
use elbowroom::{Checker, Geometry, PairId, Policy, Question, World};

/// An arm of one to three joints that turn or slide, with shapes of every kind, and a post beside it. The
/// last joint may follow the first.
fn draw_world(rng: &mut Rng, joints: usize, follows: bool) -> World {
    let axes = [Vec3::X, Vec3::Y, Vec3::Z];
    let described: Vec<(JointKind, [f64; 3], Vec3)> = (0..joints + usize::from(follows))
        .map(|_| {
            let kind = if rng.chance(0.25) { JointKind::Prismatic } else { JointKind::Revolute };
            (kind, rng.point(0.3).to_array(), axes[rng.below(3)])
        })
        .collect();
    let mut robot = chain("arm", &described);
    for joint in &mut robot.joints {
        let size = if joint.kind == JointKind::Prismatic { 0.4 } else { rng.range(0.5, 3.0) };
        joint.limits = Some(JointLimits { lower: -size * rng.range(0.1, 1.0), upper: size });
    }
    if follows {
        let leader = robot.joints[0].name.clone();
        let (kind, limits) = (robot.joints[0].kind, robot.joints[0].limits);
        let last = robot.joints.last_mut().unwrap();
        (last.kind, last.limits) = (kind, limits);
        last.mimic = Some(Mimic { joint: leader, multiplier: 1.0, offset: 0.0 });
    }
    let tip = robot.links.last_mut().unwrap();
    for _ in 0..1 + rng.below(2) {
        let kind = KINDS[rng.below(KINDS.len())];
        tip.shapes.push(shape_at(draw_shape(kind, 0.3, rng), rng.pose(0.1)));
    }
    let mut d = alone(robot);
    let kind = KINDS[rng.below(KINDS.len())];
    let at = rng.point(0.35).to_array();
    d.obstacles.push(obstacle("post", at, vec![shape_at(draw_shape(kind, 0.4, rng), Transform::IDENTITY)]));
    World::compile(&d).unwrap()
}

/// Poses in a field, against the answers there; how often each state was found.
fn race_field(world: &World, field: &Field, rng: &mut Rng, poses: usize) -> [usize; 3] {
    let (mut checker, mut found) = (Checker::new(world), [0; 3]);
    let mut values = world.neutral_values();
    for _ in 0..poses {
        for joint in field.joints() {
            let [low, high] = joint.range;
            // Now and then on the border of two cells, or as near to it as a number can be.
            let cell =
                low + (high - low) * (rng.below(joint.cells as usize + 1) as f64 / f64::from(joint.cells));
            values[joint.value] = match rng.below(8) {
                0 => cell.clamp(low, high),
                1 => cell.next_up().clamp(low, high),
                2 => cell.next_down().clamp(low, high),
                _ => rng.range(low, high),
            };
        }
        let state = field.state_at(&values);
        found[state as usize] += 1;
        checker.set_with(&values, SetOptions { ignore_limits: true }).unwrap();
        let interval = checker.ask(&Question::distance()).interval;
        match state {
            FieldState::Free => assert!(interval.upper > field.margin(), "{values:?} {interval:?}"),
            FieldState::Overlap => assert!(interval.lower < 0.0, "{values:?} {interval:?}"),
            FieldState::Open => {}
        }
    }
    found
}

/// `ELBOWROOM_FIELDS` worlds, two hundred unless told, and four hundred poses in each.
#[test]
fn a_cell_is_free_or_overlaps_wherever_in_it_one_looks() {
    let worlds = number_from_environment("ELBOWROOM_FIELDS", 200);
    let (mut found, mut mixed) = ([0; 3], [0; 3]);
    for seed in 0..worlds {
        let rng = &mut Rng::new(seed);
        let (joints, follows) = (1 + rng.below(3), rng.chance(0.25));
        let world = draw_world(rng, joints, follows);
        let Some(pair) = world.pairs().get(PairId(0)) else { continue };
        let options = FieldOptions {
            policy: [Policy::default(), Policy::default().margin(0.02)][rng.below(2)],
            cells: Some([256, 64, 16][joints - 1]),
            boxes: 20_000,
            ..FieldOptions::default()
        };
        let field = Prover::new(&world).field(pair, &options).unwrap();
        assert_eq!(field.joints().len(), joints);
        let [free, overlap, open] = field.count_cells();
        let cells: u64 = field.joints().iter().map(|joint| u64::from(joint.cells)).product();
        assert_eq!(free + overlap + open, cells, "seed {seed}");
        mixed[joints - 1] += usize::from(free > 0 && overlap > 0);
        for (sum, n) in found.iter_mut().zip(race_field(&world, &field, rng, 400)) {
            *sum += n;
        }
    }
    assert!(found[1] > 50 * worlds as usize && found[2] > 5 * worlds as usize, "{found:?}");
    assert!(mixed.iter().all(|n| *n * 100 > worlds as usize), "{mixed:?} of {worlds}");
}

#[test]
fn the_field_of_a_rod_ends_where_the_rod_touches() {
    // A ball of 0.1 on a ring of radius 1, and a ball of 0.2 at one side.
    let world = rod(1.0);
    let pair = world.pairs().get(PairId(0)).unwrap();
    let options = FieldOptions { cells: Some(4096), ..FieldOptions::default().margin(0.0) };
    let field = Prover::new(&world).field(pair, &options).unwrap();
    let [free, overlap, open] = field.count_cells();
    assert!(free > 3000 && overlap > 100, "{free} free, {overlap} overlap");
    // Where it touches, and in the cells beside.
    assert!(open <= 8, "{open} open");
}

#[test]
fn a_field_says_nothing_of_what_it_does_not_cover() {
    let world = rod(1.0);
    let pair = world.pairs().get(PairId(0)).unwrap();
    let field = Prover::new(&world).field(pair, &FieldOptions::default()).unwrap();
    assert_eq!((field.pair(), field.fingerprint()), (pair, world.fingerprint()));
    for outside in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e300, -1e300, 4.0, -4.0] {
        assert_eq!(field.state_at(&[outside]), FieldState::Open);
    }
    assert_eq!(field.state_at(&[]), FieldState::Open);
    // Without any work nothing is proved.
    let options = FieldOptions { boxes: 0, ..FieldOptions::default() };
    let field = Prover::new(&world).field(pair, &options).unwrap();
    assert_eq!(field.count_cells(), [0, 0, 256]);
}

#[test]
fn a_pair_without_a_field_is_told_why() {
    let mut d = alone(row_of_balls("arm", 5, 0.3, 0.05));
    d.obstacles.push(obstacle("post", [0.5, 0.6, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]));
    let mut tray = obstacle("tray", [0.0, 0.9, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]);
    tray.movable = true;
    d.obstacles.push(tray);
    let world = World::compile(&d).unwrap();
    let body = |name: &str| world.body_by_name(name).unwrap();
    let of = |a: &str, b: &str, options: FieldOptions| {
        Prover::new(&world).field(BodyPair { a: body(a), b: body(b) }, &options).unwrap_err()
    };
    let usual = FieldOptions::default();
    let FieldFault::TooManyJoints(names) = of("arm/5", "world/post", usual) else { panic!("five joints") };
    assert_eq!(names.len(), 5);
    assert_eq!(of("arm/0", "world/post", usual), FieldFault::NoJoint);
    assert_eq!(of("arm/2", "world/tray", usual), FieldFault::Movable);
    assert_eq!(of("arm/3", "arm/3", usual), FieldFault::NoPair);
    assert_eq!(of("arm/2", "arm/0", usual.margin(f64::NAN)), FieldFault::NoMargin);
    let cells = Some(1 << 20);
    assert_eq!(of("arm/2", "arm/0", FieldOptions { cells, ..usual }), FieldFault::TooManyCells);
}

#[test]
fn a_field_of_hulls_says_so() {
    // A ball that passes through the notch of an L: its hull is in the way, the L is not.
    let legs = [[-1.0, -0.1], [0.1, -0.1], [0.1, 0.1], [-0.8, 0.1], [-0.8, 0.9], [-1.0, 0.9]];
    let mut robot = chain("arm", &[(JointKind::Revolute, [-0.4, 0.5, 0.0], Vec3::Z)]);
    robot.joints[0].limits = Some(JointLimits { lower: -0.5, upper: 0.5 });
    robot.links[1].shapes.push(ball(0.0, 0.0, 0.0, 0.05));
    let mut d = alone(robot);
    d.obstacles.push(obstacle("ell", [0.0; 3], vec![shape(ell(legs, [-0.2, 0.2]))]));
    let world = World::compile(&d).unwrap();
    let pair = world.pairs().get(PairId(0)).unwrap();
    for (geometry, state) in [(Geometry::Mesh, FieldState::Free), (Geometry::Hull, FieldState::Overlap)] {
        let options = FieldOptions::default().geometry(geometry);
        let field = Prover::new(&world).field(pair, &options).unwrap();
        assert_eq!((field.geometry(), field.state_at(&[0.1])), (geometry, state));
    }
}
