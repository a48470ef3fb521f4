//! Faults, all at once; and which pairs are checked.

use crate::support::describe::*;
#[cfg(feature = "rayon")]
use crate::support::rng::Rng;
use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::fault::{CompileFault, TransformProblem};
use elbowroom::math::{Mat3, Transform, Vec3, vec3};
use elbowroom::world::{AllowedReason, PairStatus};

fn faults(d: &WorldDescription) -> Vec<CompileFault> {
    World::compile(d).expect_err("accepted").0
}

#[test]
fn all_faults_are_one_error_of_a_line_each() {
    let ask = |d: &WorldDescription| -> Result<World, Box<dyn std::error::Error>> { Ok(World::compile(d)?) };
    let mut d = alone(row_of_balls("r", 2, 1.0, 0.1));
    assert!(ask(&d).is_ok());
    d.padding = -0.1;
    d.margin = f64::NAN;
    let told = ask(&d).expect_err("accepted").to_string();
    let faults = World::compile(&d).expect_err("accepted");
    assert_eq!(faults.len(), 2);
    assert!(told.lines().eq(faults.iter().map(|fault| fault.to_string())), "{told}");
    assert_eq!((format!("{faults:?}"), format!("{faults:#?}")), (told.clone(), told));
}

#[test]
fn a_dozen_faults_are_reported_together() {
    let mut robot = row_of_balls("r", 4, 1.0, 0.1);
    robot.joints[0].limits = None;
    robot.joints[1].axis = Vec3::ZERO;
    robot.joints[2].limits = Some(JointLimits { lower: 1.0, upper: f64::NAN });
    robot.joints[3].parent = "nobody".into();
    robot.links[1].shapes.push(ball(0.0, 0.0, 0.0, -1.0));
    robot.links[1].shapes[0].padding = f64::NAN;
    robot.links[2].shapes[0].shape_in_body.translation.x = f64::INFINITY;
    robot.links.push(link("3", vec![]));
    let mut d = alone(robot);
    d.padding = -0.1;
    d.obstacles.push(obstacle("post", [2e9, 0.0, 0.0], vec![]));
    d.obstacles.push(obstacle("post", [0.0; 3], vec![]));
    d.obstacles[1].attached_to = Some(Attachment { body: "r/hand".into(), touch: vec!["world/post".into()] });
    d.allowed.push(AllowedPair { a: "r/9".into(), b: "*".into(), reason: String::new() });
    d.checks.push(["r".into(), "wolrd".into()]);
    d.groups.push(BodyGroup { name: "g".into(), members: vec!["h".into(), "x".into()] });
    d.groups.push(BodyGroup { name: "h".into(), members: vec!["g".into()] });
    let found = faults(&d);
    let text: Vec<String> = found.iter().map(|f| f.to_string()).collect();
    for words in [
        "the world's padding is -0.1",
        "two body entries are called `r/3`",
        "two body entries are called `world/post`",
        "joint `r/j1` has no limits",
        "the axis of joint `r/j2` is (0, 0, 0)",
        "the limits of joint `r/j3` are 1 to NaN",
        "joint `r/j4`, its parent, refers to `nobody`, but there is no such link",
        "shape `2` of body `r/1`: the radius is -1",
        "shape `1` of body `r/1`: padding is NaN",
        "the pose of shape `1` of body `r/2` has a number that is not finite",
        "the pose of obstacle `post` lies more than",
        "the attachment of obstacle `post` refers to `r/hand`",
        "the attachment of obstacle `post` refers to `world/post`",
        "the allowed pair `r/9` - `*` refers to `r/9`",
        "the check `r` - `wolrd` refers to `wolrd`",
        "group `g` refers to `x`",
        "group `g` contains itself",
        "group `h` contains itself",
    ] {
        assert!(text.iter().any(|t| t.contains(words)), "no fault says: {words}\nbut:\n{}", text.join("\n"));
    }
    assert_eq!(found.len(), 18, "{}", text.join("\n"));
}

/// Every part of a world, and the order of faults.
#[cfg(feature = "rayon")]
#[test]
fn nothing_depends_on_the_number_of_threads() {
    let rng = &mut Rng::new(7);
    let mut d = alone(row_of_balls("arm", 7, 0.3, 0.1));
    for (link, shape) in d.robots[0].robot.links.iter_mut().zip(one_of_each()) {
        link.shapes = vec![shape.clone(), shape];
    }
    for i in 0..600 {
        let count = [4, 9, 30, 70, 200][i % 5];
        let vertices = (0..count).map(|_| (rng.direction() * 0.05).to_array()).collect();
        let at = std::array::from_fn(|_| rng.range(-9.0, 9.0));
        let hull = shape(ShapeDescription::Convex { vertices });
        d.obstacles.push(obstacle(&format!("o{i}"), at, vec![hull]));
    }
    let mut bad = d.clone();
    for i in [5, 6, 200, 599] {
        bad.obstacles[i].shapes[0].shape = ShapeDescription::Convex { vertices: vec![] };
        bad.obstacles[i].shapes[0].shape_in_body.translation.x = f64::NAN;
    }
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let compile = |d: &WorldDescription| World::compile(d).map(|world| format!("{world:?}"));
        pool.install(|| (compile(&d).unwrap(), compile(&bad).unwrap_err().to_string()))
    };
    let alone = on(1);
    assert_eq!(alone.1.lines().count(), 8);
    // Not `assert_eq`: it would print megabytes.
    assert!(alone == on(4), "worlds differ");
}

#[test]
fn robots_are_trees() {
    let three = || row_of_balls("r", 3, 1.0, 0.1);
    let mut robot = three();
    robot.joints[0].parent = "3".into();
    assert!(matches!(&faults(&alone(robot))[..], [CompileFault::Loop { links, .. }] if links.len() == 3));

    let mut robot = three();
    robot.joints.remove(1);
    let SeveralRoots { roots, .. } = &faults(&alone(robot))[0] else { panic!() };
    assert_eq!(roots, &["r/0", "r/2"]);
    use CompileFault::SeveralRoots;

    let mut robot = three();
    robot.joints[2].child = "1".into();
    let found = faults(&alone(robot));
    let CompileFault::SeveralParents { link, joints } = &found[0] else { panic!("{:?}", found[0]) };
    assert!(link == "r/1" && joints.len() == 2, "{:?}", found[0]);
    assert!(matches!(&found[1], CompileFault::SeveralRoots { .. }));

    let mut robot = three();
    robot.joints[1].child = "1".into();
    assert!(faults(&alone(robot)).iter().any(|f| matches!(f, CompileFault::SeveralParents { .. })));

    let nothing = RobotDescription { name: "r".into(), ..RobotDescription::default() };
    assert_eq!(faults(&alone(nothing)), [CompileFault::NoLinks { robot: "r".into() }]);

    // A ring of all links has no root at all; and a hundred thousand links in a row are no deep recursion.
    let mut robot = three();
    robot.joints.push(joint("back", JointKind::Fixed, "3", "0", [0.0; 3], Vec3::ZERO));
    assert!(matches!(&faults(&alone(robot))[0], CompileFault::Loop { links, .. } if links.len() == 4));
    let long = chain("r", &vec![(JointKind::Fixed, [0.0; 3], Vec3::ZERO); 60_000]);
    assert_eq!(World::compile(&alone(long)).unwrap().bodies().len(), 60_001);
}

#[test]
fn names_mimics_and_transforms() {
    let follow = |joint: &str| Some(Mimic { joint: joint.into(), multiplier: 1.0, offset: 0.0 });
    let mut robot = row_of_balls("r", 4, 1.0, 0.1);
    robot.joints[0].mimic = follow("j2");
    robot.joints[1].mimic = follow("j1");
    robot.joints[2].mimic = follow("j9");
    robot.joints[3].mimic = Some(Mimic { joint: "j3".into(), multiplier: f64::NAN, offset: 0.0 });
    let found = faults(&alone(robot));
    let loops = found.iter().filter(|f| matches!(f, CompileFault::MimicLoop { .. })).count();
    assert_eq!((loops, found.len()), (2, 4), "{found:?}");

    let mut robot =
        chain("r", &[(JointKind::Floating, [0.0; 3], Vec3::Z), (JointKind::Revolute, [0.0; 3], Vec3::Z)]);
    robot.joints[1].mimic = follow("j1");
    assert!(matches!(&faults(&alone(robot))[..], [CompileFault::BadMimic { .. }]));

    for name in ["", "world", "*", "a/b"] {
        let found = faults(&alone(RobotDescription { name: name.into(), ..row_of_balls("r", 1, 1.0, 0.1) }));
        assert!(matches!(&found[..], [CompileFault::BadName { kind: "robot", .. }]), "{found:?}");
    }
    let mut d = alone(row_of_balls("r", 1, 1.0, 0.1));
    d.robots.push(d.robots[0].clone());
    assert!(faults(&d).contains(&CompileFault::DuplicateName { kind: "robot", name: "r".into() }));

    let problem = |rotation: Mat3| {
        let mut d = alone(row_of_balls("r", 1, 1.0, 0.1));
        d.robots[0].base_in_world = Transform::new(rotation, Vec3::ZERO);
        match faults(&d).remove(0) {
            CompileFault::BadTransform { problem, .. } => problem,
            other => panic!("{other}"),
        }
    };
    let cols = [Vec3::X, Vec3::Y, Vec3::Z];
    assert_eq!(problem(Mat3 { cols: [Vec3::X, Vec3::Y, -Vec3::Z] }), TransformProblem::Mirrored);
    assert_eq!(problem(Mat3 { cols: [Vec3::X, Vec3::X, Vec3::Z] }), TransformProblem::Mirrored);
    let scaled = problem(Mat3 { cols: cols.map(|c| c * 1.001) });
    assert!(matches!(scaled, TransformProblem::NotARotation { defect } if defect > 1e-3));
    // Ten decimals are a rotation.
    let rounded = |v: f64| (v * 1e10).round() / 1e10;
    let cols = Mat3::from_rpy(0.3, 0.4, 0.5).cols.map(|c| vec3(rounded(c.x), rounded(c.y), rounded(c.z)));
    let mut d = alone(row_of_balls("r", 1, 1.0, 0.1));
    d.robots[0].base_in_world.rotation = Mat3 { cols };
    assert!(World::compile(&d).is_ok());
}

fn status<'w>(world: &'w World, a: &str, b: &str) -> PairStatus<'w> {
    world.status(world.body_by_name(a).unwrap(), world.body_by_name(b).unwrap()).unwrap()
}

fn reason<'w>(world: &'w World, a: &str, b: &str) -> Option<AllowedReason<'w>> {
    match status(world, a, b) {
        PairStatus::Checked(id) => {
            let names = world.pair_names(id).unwrap();
            assert!(names == [a, b] || names == [b, a]);
            None
        }
        PairStatus::Allowed(reason) => Some(reason),
    }
}

/// base -turn- a -fixed- b -turn- c -fixed- d, e; beside a shapeless link on b.
fn branched() -> RobotDescription {
    use JointKind::{Fixed, Revolute};
    let names = ["base", "a", "b", "c", "d", "e", "frame"];
    let mut links: Vec<_> = names.map(|n| link(n, vec![ball(0.0, 0.0, 0.0, 0.1)])).into();
    links[6].shapes.clear();
    let joints = [
        ("j1", Revolute, "base", "a"),
        ("j2", Fixed, "a", "b"),
        ("j3", Revolute, "b", "c"),
        ("j4", Fixed, "c", "d"),
        ("j5", Fixed, "d", "e"),
        ("j6", Fixed, "b", "frame"),
    ]
    .map(|(name, kind, parent, child)| joint(name, kind, parent, child, [1.0, 0.0, 0.0], Vec3::Z));
    RobotDescription { name: "r".into(), links, joints: joints.into(), ..RobotDescription::default() }
}

#[test]
fn chains_of_fixed_joints_count_as_one_link() {
    let world = World::compile(&alone(branched())).unwrap();
    use AllowedReason::*;
    for (a, b, wanted) in [
        ("base", "a", Some(Adjacent)),
        ("base", "b", Some(Adjacent)),
        ("a", "b", Some(RigidlyJoined)),
        ("a", "c", Some(Adjacent)),
        ("b", "e", Some(Adjacent)),
        ("c", "e", Some(RigidlyJoined)),
        ("base", "c", None),
        ("base", "e", None),
        ("frame", "base", Some(NoShapes)),
    ] {
        assert_eq!(reason(&world, &format!("r/{a}"), &format!("r/{b}")), wanted, "{a} {b}");
    }
    let checked = world.all_pairs().filter(|(_, _, s)| matches!(s, PairStatus::Checked(_))).count();
    assert_eq!((world.all_pairs().count(), checked, world.pairs().len()), (21, 3, 3));
    assert_eq!(world.allowed_count(), 18);
}

#[test]
fn rules_of_the_world_and_the_srdf() {
    let mut d = alone(branched());
    d.robots[0].robot.disabled_pairs = vec![
        DisabledPair { link_a: "e".into(), link_b: "base".into(), reason: "Never".into() },
        DisabledPair { link_a: "ghost".into(), link_b: "base".into(), reason: "Never".into() },
    ];
    d.robots[0].robot.groups = vec![LinkGroup { name: "wrist".into(), links: vec!["d".into(), "e".into()] }];
    let one = || vec![ball(0.0, 0.0, 0.0, 0.1)];
    d.obstacles = vec![obstacle("table", [0.0; 3], one()), obstacle("wall", [0.0; 3], one())];
    let mut part = obstacle("part", [0.0; 3], one());
    part.attached_to = Some(Attachment { body: "r/e".into(), touch: vec!["r/a".into()] });
    d.obstacles.push(part);
    let allow =
        |a: &str, b: &str| AllowedPair { a: a.into(), b: b.into(), reason: format!("{a} stands on {b}") };
    d.allowed = vec![allow("r/a", "world/table"), allow("far", "walls"), allow("r/wrist", "world/table")];
    d.groups = vec![
        BodyGroup { name: "far".into(), members: vec!["near".into(), "r/c".into()] },
        BodyGroup { name: "near".into(), members: vec!["r/b".into()] },
        BodyGroup { name: "walls".into(), members: vec!["world/wall".into()] },
    ];
    use AllowedReason::*;
    let world = World::compile(&d).unwrap();
    for (a, b, wanted) in [
        ("r/base", "r/e", Some(Disabled("Never"))),
        ("r/base", "r/d", None),
        ("r/base", "world/table", Some(BothFixed)),
        ("world/wall", "world/table", Some(BothFixed)),
        ("r/a", "world/table", Some(User("r/a stands on world/table"))),
        ("r/e", "world/table", Some(User("r/wrist stands on world/table"))),
        ("r/c", "world/table", None),
        ("r/b", "world/wall", Some(User("far stands on walls"))),
        ("r/c", "world/wall", Some(User("far stands on walls"))),
        ("r/e", "world/wall", None),
        // The part moves with c, d and e; it may touch a besides; it is not adjacent to b.
        ("world/part", "r/c", Some(RigidlyJoined)),
        ("world/part", "r/e", Some(RigidlyJoined)),
        ("world/part", "r/a", Some(Held)),
        ("world/part", "r/b", None),
        ("world/part", "world/table", None),
    ] {
        assert_eq!(reason(&world, a, b), wanted, "{a} {b}");
    }

    // With checks, only what is on the list; and both names asked for outweigh that both are fixed.
    d.checks = vec![
        ["r".into(), "walls".into()],
        ["world/table".into(), "r/base".into()],
        ["r/b".into(), "r/c".into()],
    ];
    let world = World::compile(&d).unwrap();
    for (a, b, wanted) in [
        ("r/base", "r/d", Some(NotAsked)),
        ("r/e", "world/wall", None),
        ("r/base", "world/wall", Some(BothFixed)),
        ("r/base", "world/table", None),
        ("r/c", "world/table", Some(NotAsked)),
        ("r/b", "r/c", None),
        ("r/b", "world/wall", Some(User("far stands on walls"))),
    ] {
        assert_eq!(reason(&world, a, b), wanted, "{a} {b}");
    }

    // What is asked for by name must be there to check.
    d.checks.push(["r/frame".into(), "r/base".into()]);
    d.checks.push(["r/a".into(), "r/a".into()]);
    let found = faults(&d);
    assert!(
        matches!(&found[..], [CompileFault::NothingToCheck { .. }, CompileFault::SelfCheck { .. }]),
        "{found:?}"
    );
    // A group of the SRDF that names a link in vain is a fault only where it is used.
    d.checks.clear();
    d.robots[0].robot.groups[0].links.push("ghost".into());
    assert!(matches!(&faults(&d)[..], [CompileFault::UnknownName { name, .. }] if name == "ghost"));
    d.allowed.pop();
    assert!(World::compile(&d).is_ok());
}

#[test]
fn many_fixed_bodies_cost_no_pairs() {
    let mut d = alone(row_of_balls("r", 2, 1.0, 0.1));
    d.obstacles = (0..5000)
        .map(|i| obstacle(&i.to_string(), [9.0, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]))
        .collect();
    let world = World::compile(&d).unwrap();
    assert_eq!(world.pairs().len(), 2 * 5000 + 1);
}

/// base - a - frame - b - c, each joined by a turning joint 0.1 apart, with balls of radius 0.08 on all but
/// `frame`; and `d`, whose ball lies in that of `b`, on a second frame of `a`.
fn with_frames() -> RobotDescription {
    let names = ["base", "a", "frame", "b", "c", "frame2", "d"];
    let mut links: Vec<_> = names.map(|n| link(n, vec![ball(0.0, 0.0, 0.0, 0.08)])).into();
    links[2].shapes.clear();
    links[5].shapes.clear();
    let ways = [
        ("base", "a", 0.1),
        ("a", "frame", 0.05),
        ("frame", "b", 0.05),
        ("b", "c", 0.0),
        ("a", "frame2", 0.05),
        ("frame2", "d", 0.05),
    ];
    let joints = ways.map(|(parent, child, x)| {
        joint(&format!("to_{child}"), JointKind::Revolute, parent, child, [x, 0.0, 0.0], Vec3::Z)
    });
    RobotDescription { name: "r".into(), links, joints: joints.into(), ..RobotDescription::default() }
}

#[test]
fn overlaps_at_zero_are_allowed_on_request() {
    use AllowedReason::*;
    let plain = alone(with_frames());
    let mut d = WorldDescription { allow_zero_overlaps: true, ..plain.clone() };
    let world = World::compile(&d).unwrap();
    let all = [
        ("a", "b"),
        ("a", "d"),
        ("a", "c"),
        ("b", "d"),
        ("c", "d"),
        ("base", "b"),
        ("base", "a"),
        ("frame", "a"),
    ];
    let expected = [
        // Only a frame between, and they overlap.
        Some(ZeroOverlap),
        Some(ZeroOverlap),
        // `b` is between, and it has a shape.
        None,
        // Neither hangs on the other.
        None,
        None,
        // `a` is between; and they do not overlap.
        None,
        Some(Adjacent),
        Some(NoShapes),
    ];
    for ((a, b), wanted) in all.iter().zip(expected) {
        let names = [format!("r/{a}"), format!("r/{b}")];
        assert_eq!(reason(&world, &names[0], &names[1]), wanted, "{a} {b}");
        let without = World::compile(&plain).unwrap();
        let without = reason(&without, &names[0], &names[1]);
        assert_eq!(without, wanted.filter(|r| *r != ZeroOverlap), "{a} {b}");
    }
    assert_eq!(world.pairs().len() + 2, World::compile(&plain).unwrap().pairs().len());
    // Padding makes no overlap that is not there: 0.1 apart, radii of 0.04.
    for link in &mut d.robots[0].robot.links {
        link.shapes.iter_mut().for_each(|s| s.shape = ShapeDescription::Sphere { radius: 0.04 });
    }
    for padding in [0.0, 0.03] {
        d.padding = padding;
        let world = World::compile(&d).unwrap();
        assert_eq!(reason(&world, "r/a", "r/b"), None, "{padding}");
    }
    for link in &mut d.robots[0].robot.links {
        link.shapes
            .iter_mut()
            .for_each(|s| (s.shape, s.padding) = (ShapeDescription::Sphere { radius: 0.08 }, 0.02));
    }
    let world = World::compile(&d).unwrap();
    assert_eq!(reason(&world, "r/a", "r/b"), Some(ZeroOverlap));
    // What is asked for by its names is checked.
    d.checks = vec![["r/a".into(), "r/b".into()], ["r".into(), "r".into()]];
    let world = World::compile(&d).unwrap();
    assert_eq!((reason(&world, "r/a", "r/b"), reason(&world, "r/a", "r/d")), (None, Some(ZeroOverlap)));
    // Fixed joints do not count, and neither does it matter that the base is among a crowd of fixed bodies.
    d.checks.clear();
    let robot = &mut d.robots[0].robot;
    robot.links[1].shapes.clear();
    robot.joints[0].joint_in_parent = Transform::IDENTITY;
    robot.joints[1].kind = JointKind::Fixed;
    for crowd in [0, 3000] {
        d.obstacles = (0..crowd)
            .map(|i| obstacle(&i.to_string(), [9.0, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]))
            .collect();
        let world = World::compile(&d).unwrap();
        assert_eq!(reason(&world, "r/base", "r/b"), Some(ZeroOverlap), "{crowd}");
        assert_eq!(world.pairs().iter().filter(|p| p.a.0 == 0 && p.b.0 == 3).count(), 0);
        assert_eq!(
            world.pairs().len(),
            world.all_pairs().filter(|p| matches!(p.2, PairStatus::Checked(_))).count()
        );
    }
}
