//! Fixed worlds have the same fingerprints on every computer, and fixed pairs the same fields: what one has
//! proved, kept or recorded is read on every other. `ELBOWROOM_BLESS=1` writes `fingerprints.txt` anew.
use elbowroom_testkit as support;

use elbowroom::World;
use elbowroom::describe::{
    Attachment, CloudDescription, DoorDescription, JointKind, JointLimits, Mimic, PadDescription,
    ShapeDescription, SpareDescription, WorldDescription,
};
use elbowroom::math::{Transform, Vec3, hash_bytes};
use elbowroom::motion::{FieldOptions, Prover};
use std::collections::BTreeSet;
use support::describe::{alone, ball, chain, obstacle, one_of_each, placed, shape};
use support::worlds::odd_worlds;

/// A world with one of everything that a description may have.
fn one_of_everything() -> WorldDescription {
    let kinds = [
        JointKind::Fixed,
        JointKind::Revolute,
        JointKind::Continuous,
        JointKind::Prismatic,
        JointKind::Planar,
        JointKind::Floating,
        JointKind::Revolute,
    ];
    let axes = [Vec3::Z, Vec3::X, Vec3 { x: 1.0, y: 2.0, z: -0.5 }];
    let joints: Vec<_> =
        kinds.iter().zip(0..).map(|(kind, k)| (*kind, [0.5, 0.0, 0.1], axes[k % 3])).collect();
    let mut robot = chain("arm", &joints);
    robot.links.iter_mut().for_each(|link| link.shapes = one_of_each());
    // A pad is a part of one shape.
    robot.links[7].shapes = vec![shape(ShapeDescription::Box { size: [0.1, 0.2, 0.3] })];
    let last = robot.joints.len() - 1;
    robot.joints[last].mimic =
        Some(Mimic { joint: robot.joints[1].name.clone(), multiplier: -0.7, offset: 0.1 });
    let mut d = WorldDescription { robots: vec![placed(robot)], margin: 0.013, ..Default::default() };
    d.robots[0].base_in_world = Transform::from_xyz_rpy([0.1, -0.2, 0.3], [0.3, 0.2, -2.1]);
    let movable = |name: &str, xyz| {
        let mut made = obstacle(name, xyz, vec![ball(0.0, 0.1, 0.0, 0.05)]);
        made.movable = true;
        made
    };
    let held = |to: &str| Some(Attachment { body: to.into(), touch: vec!["arm/1".into()] });
    d.obstacles = vec![obstacle("table", [0.0, 0.0, -1.0], one_of_each()), movable("box", [3.0, 0.0, 0.0])];
    d.obstacles.push(movable("door", [0.1, 0.0, 0.0]));
    d.obstacles[2].attached_to = Some(Attachment { body: "world/box".into(), touch: Vec::new() });
    d.obstacles.push(movable("part", [0.0, 0.3, 0.0]));
    d.obstacles[3].attached_to = held("arm/2");
    let limits = JointLimits { lower: -0.2, upper: 1.3 };
    d.doors.push(DoorDescription {
        body: "world/door".into(),
        kind: JointKind::Revolute,
        axis: Vec3 { x: 0.0, y: 3.0, z: 4.0 },
        limits,
    });
    d.clouds.push(CloudDescription { name: "seen".into(), radius: 0.004, capacity: 5_000 });
    d.spares.push(SpareDescription { name: "spare".into(), corners: 60 });
    d.pads.push(PadDescription {
        name: "pad".into(),
        link: "arm/7".into(),
        depth: 0.002,
        region_in_link: Transform::IDENTITY,
        size: [1.0; 3],
    });
    d
}

/// The hash of what is proved of a pair over its two joints.
fn field_hash() -> u64 {
    let reach = [0.3, 0.0, 0.0];
    let mut robot =
        chain("arm", &[(JointKind::Revolute, reach, Vec3::Z), (JointKind::Revolute, reach, Vec3::Y)]);
    for link in [0, 2] {
        robot.links[link].shapes = vec![shape(ShapeDescription::Box { size: [0.5, 0.1, 0.2] })];
    }
    let world = World::compile(&alone(robot)).expect("no faults");
    let pair = world.pairs().iter().next().expect("a pair");
    let options = FieldOptions { boxes: 2_000, ..FieldOptions::default() };
    let field = Prover::new(&world).field(pair, &options).expect("two joints are few enough");
    let [free, overlap, _] = field.count_cells();
    assert!(free > 0 && overlap > 0, "{free} free, {overlap} overlap");
    let bricks = field.bricks().iter().flat_map(|brick| brick.to_le_bytes());
    hash_bytes(bricks.chain(field.brick_cells().iter().flat_map(|word| word.to_le_bytes())))
}

#[test]
fn worlds_and_fields_are_those_of_every_computer() {
    let mut worlds = vec![("one of everything", one_of_everything())];
    worlds.extend(odd_worlds(40).into_iter().map(|odd| (odd.name, odd.description)));
    let mut text = String::new();
    let mut seen = BTreeSet::new();
    for (name, description) in &worlds {
        let fingerprint = World::compile(description).expect(name).fingerprint();
        assert!(seen.insert(fingerprint), "{name} has the fingerprint of another world");
        text += &format!("{fingerprint:016x} {name}\n");
    }
    text += &format!("{:016x} field of two joints\n", field_hash());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fingerprints.txt");
    if std::env::var_os("ELBOWROOM_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(
        committed, text,
        "records and fields of before are refused; if meant, ELBOWROOM_BLESS=1 writes fingerprints.txt anew"
    );
}
