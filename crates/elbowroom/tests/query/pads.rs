//! Contact on pads: presses whose depth is known by construction, from every side, with every kind of shape.

use crate::support::describe::{alone, joint, link, obstacle, shape, shape_at};
use elbowroom::describe::*;
use elbowroom::fault::{CompileFault, PadFault};
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
use elbowroom::{Checker, PadChecker, Question, Verdict, World};

/// How far the pad gives way (metres), as those of the hand in haase10 do.
const DEPTH: f64 = 0.0013;

/// A finger that slides along x and y, its front at x = 0.01 m, before a wall whose face is at x = 0.05 m and
/// another whose face is at y = 0.05 m.
fn finger(of: ShapeDescription, at: Transform) -> WorldDescription {
    let slide = |name: &str, parent: &str, child: &str, axis: Vec3| {
        let limits = Some(JointLimits { lower: -0.1, upper: 0.1 });
        JointDescription { axis, limits, ..joint(name, JointKind::Prismatic, parent, child, [0.0; 3], axis) }
    };
    let robot = RobotDescription {
        name: "hand".into(),
        links: vec![link("base", vec![]), link("slide", vec![]), link("finger", vec![shape_at(of, at)])],
        joints: vec![slide("x", "base", "slide", Vec3::X), slide("y", "slide", "finger", Vec3::Y)],
        ..RobotDescription::default()
    };
    let wall = |name: &str, xyz: [f64; 3], size: [f64; 3]| {
        obstacle(name, xyz, vec![shape(ShapeDescription::Box { size })])
    };
    let mut d = alone(robot);
    d.obstacles =
        vec![wall("front", [0.1, 0.0, 0.0], [0.1, 0.3, 0.1]), wall("side", [0.0, 0.1, 0.0], [0.3, 0.1, 0.1])];
    d.margin = 1e-4;
    d
}

fn boxed() -> WorldDescription {
    finger(ShapeDescription::Box { size: [0.02, 0.02, 0.06] }, Transform::IDENTITY)
}

/// A pad on what lies beyond x = 8 mm.
fn pad() -> PadDescription {
    PadDescription {
        name: "tip".into(),
        link: "hand/finger".into(),
        depth: DEPTH,
        region_in_link: Transform::from_translation(vec3(0.058, 0.0, 0.0)),
        size: [0.1, 0.2, 0.2],
    }
}

fn with_pad(d: WorldDescription, pad: PadDescription) -> WorldDescription {
    WorldDescription { pads: vec![pad], ..d }
}

/// The verdict of the declared bodies, of pads, the signed distance, and what is left of the pads.
fn judge(world: &World, values: [f64; 2], question: &Question) -> (Verdict, Verdict, f64, Vec<f64>) {
    let (mut checker, mut pads) = (Checker::new(world), PadChecker::new(world).unwrap());
    checker.set(&values).unwrap();
    let answer = checker.ask(question);
    let judged = pads.judge_answer(&mut checker, question, answer);
    assert_eq!((judged.interval, judged.pair), (answer.interval, answer.pair), "the number stays");
    (answer.verdict, judged.verdict, answer.distance, pads.presses().iter().map(|press| press.left).collect())
}

#[test]
fn a_box_is_pressed_into_a_pad() {
    let world = World::compile(&with_pad(boxed(), pad())).unwrap();
    let at = |press: f64, aside: f64| judge(&world, [0.04 + press, 0.04 + aside], &Question::distance());
    for (press, verdict) in [
        (-0.01, Verdict::Clear),
        (-5e-5, Verdict::Near),
        (0.0, Verdict::ExpectedContact),
        (0.0005, Verdict::ExpectedContact),
        (0.001299, Verdict::ExpectedContact),
        (0.0014, Verdict::Collision),
    ] {
        let (plain, judged, distance, left) = at(press, -0.02);
        assert_eq!(judged, verdict, "{press}");
        assert!(press < 1e-3 || plain == Verdict::Collision, "the declared bodies collide: {press}");
        let pressed = verdict == Verdict::ExpectedContact;
        assert_eq!(left.len(), usize::from(pressed), "{press}");
        assert!(!pressed || (distance + press).abs() < 1e-9 && (left[0] - (DEPTH - press)).abs() < 2e-7);
    }
    // From the side there is no pad, and beside a press nothing is excused.
    assert_eq!(at(-0.01, 0.0005).1, Verdict::Collision);
    assert_eq!(at(0.0005, 0.0005).1, Verdict::Collision);
    assert_eq!(at(0.0005, -5e-5).1, Verdict::ExpectedContact, "near to the other wall");
    // A test proves the declared bodies, and is judged all the same.
    let test = judge(&world, [0.0405, 0.02], &Question::test());
    assert_eq!((test.0, test.1, test.3.len()), (Verdict::Collision, Verdict::ExpectedContact, 1));
}

#[test]
fn each_pair_is_judged_by_itself() {
    let world = World::compile(&with_pad(boxed(), pad())).unwrap();
    let (mut checker, mut pads) = (Checker::new(&world), PadChecker::new(&world).unwrap());
    checker.set(&[0.0405, 0.0405]).unwrap();
    let question = Question::distance();
    let mut verdicts = Vec::new();
    assert!(pads.copy_state_from(&checker));
    let answer =
        checker.all_pairs(&question, |pair| verdicts.push(pads.judge_pair(&question, pair).0.verdict));
    assert_eq!(verdicts, [Verdict::ExpectedContact, Verdict::Collision]);
    assert_eq!(pads.judge_answer(&mut checker, &question, answer).verdict, Verdict::Collision);
    let other = World::compile(&with_pad(boxed(), pad())).unwrap();
    assert!(!pads.copy_state_from(&Checker::new(&other)), "a checker of another world");
}

/// The names of the pads that are pressed.
fn pressed(world: &World, x: f64) -> Vec<&str> {
    let (mut checker, mut pads) = (Checker::new(world), PadChecker::new(world).unwrap());
    checker.set(&[x, 0.0]).unwrap();
    let answer = checker.distance();
    let judged = pads.judge_answer(&mut checker, &Question::distance(), answer);
    assert_eq!(judged.verdict, Verdict::ExpectedContact, "{x}");
    assert_eq!(pads.presses().len(), 1, "{x}");
    pads.presses()[0].pads(world).map(|pad| &*pad.name).collect()
}

#[test]
fn of_several_pads_on_a_link_those_that_are_pressed_are_named() {
    let soft = |name: &str, xyz: [f64; 3], size: [f64; 3]| PadDescription {
        name: name.into(),
        region_in_link: Transform::from_translation(vec3(xyz[0], xyz[1], xyz[2])),
        size,
        ..pad()
    };
    // Front and back of one box: the wall reaches the region of the front alone.
    let mut d = boxed();
    d.pads = vec![
        soft("back", [-0.058, 0.0, 0.0], [0.1, 0.2, 0.2]),
        soft("front", [0.058, 0.0, 0.0], [0.1, 0.2, 0.2]),
    ];
    assert_eq!(pressed(&World::compile(&d).unwrap(), 0.0405), ["front"]);
    // Two boxes, one shorter by a millimetre. The wall reaches both regions, and at first one of the boxes.
    let mut d = boxed();
    let short = ShapeDescription::Box { size: [0.018, 0.02, 0.06] };
    d.robots[0].robot.links[2]
        .shapes
        .push(shape_at(short, Transform::from_translation(vec3(0.0, -0.03, 0.0))));
    d.pads = vec![
        soft("long", [0.058, 0.0, 0.0], [0.1, 0.024, 0.2]),
        soft("short", [0.058, -0.03, 0.0], [0.1, 0.024, 0.2]),
    ];
    let world = World::compile(&d).unwrap();
    assert_eq!(pressed(&world, 0.0405), ["long"]);
    assert_eq!(pressed(&world, 0.0412), ["long", "short"]);
    // Padding lies around the pads.
    d.padding = 0.0004;
    let padded = World::compile(&d).unwrap();
    assert_eq!(pressed(&padded, 0.0405), ["long"], "0.9 mm deep, and the short box is 0.1 mm apart");
    assert_eq!(pressed(&padded, 0.0407), ["long", "short"]);
}

/// A fine ball of triangles, or a column along x with a round outline.
fn triangles(round: bool) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let n = 24;
    let turn = |k: usize, of: usize| elbowroom::math::sin_cos(std::f64::consts::TAU * k as f64 / of as f64);
    let (mut vertices, mut triangles) = (vec![[-0.01, 0.0, 0.0]], Vec::new());
    let rows: usize = if round { 23 } else { 4 };
    for i in 0..rows {
        let (x, r) = if round {
            let (s, c) = turn(i + 1, 48);
            (-0.01 * c, 0.01 * s)
        } else {
            [(-0.01, 0.01), (0.01, 0.01), (0.01, 0.005), (0.01, 0.002)][i]
        };
        vertices.extend((0..n).map(|j| [x, r * turn(j, n).1, r * turn(j, n).0]));
    }
    vertices.push([0.01, 0.0, 0.0]);
    let at = |i: usize, j: usize| (1 + i * n + j % n) as u32;
    let last = vertices.len() as u32 - 1;
    for j in 0..n {
        triangles.push([0, at(0, j + 1), at(0, j)]);
        triangles.push([last, at(rows - 1, j), at(rows - 1, j + 1)]);
        for i in 0..rows - 1 {
            triangles.extend([
                [at(i, j), at(i, j + 1), at(i + 1, j + 1)],
                [at(i, j), at(i + 1, j + 1), at(i + 1, j)],
            ]);
        }
    }
    (vertices, triangles)
}

#[test]
fn every_kind_of_shape_has_pads() {
    let along_x = Transform::from_xyz_rpy([0.0; 3], [0.0, std::f64::consts::FRAC_PI_2, 0.0]);
    let whole = PadDescription { region_in_link: Transform::IDENTITY, size: [0.1; 3], ..pad() };
    let (ball, ball_triangles) = triangles(true);
    let (column, column_triangles) = triangles(false);
    let mesh = |vertices: &[[f64; 3]], triangles: &[[u32; 3]]| ShapeDescription::Mesh {
        vertices: vertices.to_vec(),
        triangles: triangles.to_vec(),
    };
    let cap = PadDescription {
        region_in_link: Transform::from_translation(vec3(0.05, 0.0, 0.0)),
        size: [0.1, 0.1, 0.1],
        ..pad()
    };
    let middle = PadDescription {
        size: [0.01, 0.011, 0.011],
        region_in_link: Transform::from_translation(vec3(0.01, 0.0, 0.0)),
        ..pad()
    };
    let cases = [
        ("sphere", ShapeDescription::Sphere { radius: 0.01 }, Transform::IDENTITY, &whole, 1.0),
        ("capsule", ShapeDescription::Capsule { radius: 0.005, length: 0.01 }, along_x, &whole, 1.0),
        ("cylinder", ShapeDescription::Cylinder { radius: 0.004, length: 0.02 }, along_x, &pad(), 1.0),
        (
            "ellipsoid",
            ShapeDescription::Ellipsoid { radii: [0.01, 0.008, 0.02] },
            Transform::IDENTITY,
            &whole,
            1.0,
        ),
        ("hull", ShapeDescription::Convex { vertices: ball.clone() }, Transform::IDENTITY, &cap, 1.0),
        (
            "hull with a flat end",
            ShapeDescription::Convex { vertices: column.clone() },
            Transform::IDENTITY,
            &pad(),
            1.0,
        ),
        ("mesh", mesh(&ball, &ball_triangles), Transform::IDENTITY, &cap, 1.0),
        ("mesh with a flat end", mesh(&column, &column_triangles), Transform::IDENTITY, &pad(), 1.0),
        // The rim of the end stays.
        ("dent", mesh(&column, &column_triangles), Transform::IDENTITY, &middle, 0.0),
    ];
    for (what, of, at, pad, share) in cases {
        let world =
            World::compile(&with_pad(finger(of, at), pad.clone())).unwrap_or_else(|f| panic!("{what}: {f}"));
        let at = |press: f64| judge(&world, [0.04 + press, 0.0], &Question::distance());
        let (plain, judged, distance, left) = at(0.5 * DEPTH);
        assert_eq!(plain, Verdict::Collision, "{what}");
        assert!((distance + 0.5 * DEPTH).abs() < 1e-4 * DEPTH, "{what}: {distance}");
        if share > 0.0 {
            assert_eq!(judged, Verdict::ExpectedContact, "{what}");
            assert!(left[0] > 0.4 * DEPTH && left[0] < 0.5 * DEPTH, "{what}: {left:?}");
        } else {
            assert_eq!(judged, Verdict::Collision, "{what}");
        }
        assert_eq!(at(1.05 * DEPTH).1, Verdict::Collision, "{what}");
    }
}

#[test]
fn pads_that_cannot_be_drawn_back_are_refused_by_name() {
    let region = |x: f64, size: [f64; 3]| PadDescription {
        region_in_link: Transform::from_translation(vec3(x, 0.0, 0.0)),
        size,
        ..pad()
    };
    let (vertices, mut open) = triangles(true);
    open.pop();
    let open = finger(ShapeDescription::Mesh { vertices, triangles: open }, Transform::IDENTITY);
    let cone = finger(ShapeDescription::Cone { radius: 0.01, length: 0.02 }, Transform::IDENTITY);
    let ball = finger(ShapeDescription::Sphere { radius: 0.01 }, Transform::IDENTITY);
    let mut two = boxed();
    two.robots[0].robot.links[2].shapes.push(shape(ShapeDescription::Sphere { radius: 0.012 }));
    let cases: Vec<(WorldDescription, PadDescription, &str)> = vec![
        (boxed(), PadDescription { link: "hand/thumb".into(), ..pad() }, "no such link"),
        (boxed(), PadDescription { link: "world/front".into(), ..pad() }, "no such link"),
        (boxed(), PadDescription { link: "hand/base".into(), ..pad() }, "has no shape"),
        (boxed(), PadDescription { name: String::new(), ..pad() }, "is empty"),
        (boxed(), PadDescription { depth: 0.0, ..pad() }, "its depth is 0"),
        (boxed(), PadDescription { depth: 1.3, ..pad() }, "its depth is 1.3"),
        (boxed(), PadDescription { depth: f64::NAN, ..pad() }, "its depth is NaN"),
        (boxed(), PadDescription { size: [0.1, -0.1, 0.1], ..pad() }, "a size of its region is -0.1"),
        (boxed(), region(1.0, [0.1; 3]), "away from all shapes"),
        (boxed(), region(0.01, [0.01; 3]), "no whole face"),
        (boxed(), PadDescription { depth: 0.02, ..pad() }, "give a smaller depth"),
        (two, pad(), "several shapes of its link, `1`, `2`"),
        (open, pad(), "edges of its mesh do not have"),
        (cone, pad(), "a cone cannot be drawn back"),
        (ball, pad(), "does not contain the whole sphere"),
    ];
    for (d, pad, says) in cases {
        let faults = World::compile(&with_pad(d, pad)).unwrap_err();
        assert!(faults.to_string().contains(says) && faults.len() == 1, "{says}: {faults}");
    }
    let pads = vec![pad(), PadDescription { name: "other".into(), ..region(0.1, [0.2; 3]) }];
    let faults = World::compile(&WorldDescription { pads, ..boxed() }).unwrap_err();
    assert!(
        matches!(
            &faults.0[..],
            [CompileFault::Pad { pad, fault: PadFault::Overlaps { other }, .. }]
                if pad == "other" && other == "tip"
        ),
        "{faults}"
    );
    let faults = World::compile(&WorldDescription { pads: vec![pad(), pad()], ..boxed() }).unwrap_err();
    assert!(faults.to_string().contains("two pad entries are called `tip`"), "{faults}");
}

#[test]
fn two_pads_on_one_shape_and_padding_around_both() {
    let side = PadDescription {
        name: "side".into(),
        depth: 0.002,
        region_in_link: Transform::from_translation(vec3(0.0, 0.058, 0.0)),
        size: [0.021, 0.1, 0.2],
        ..pad()
    };
    // The regions must be apart, so they end before each other's face.
    let front = PadDescription {
        size: [0.1, 0.2, 0.2],
        region_in_link: Transform::from_translation(vec3(0.0605, 0.0, 0.0)),
        ..pad()
    };
    let faults =
        World::compile(&WorldDescription { pads: vec![front, side.clone()], ..boxed() }).unwrap_err();
    assert!(
        faults.to_string().contains("no whole face") || faults.to_string().contains("overlaps"),
        "{faults}"
    );
    // Behind each other they are.
    let back = PadDescription {
        name: "back".into(),
        depth: 0.002,
        region_in_link: Transform::from_translation(vec3(-0.058, 0.0, 0.0)),
        ..pad()
    };
    let mut d = WorldDescription { pads: vec![pad(), back], padding: 0.003, ..boxed() };
    d.robots[0].robot.links[2].shapes[0].padding = 0.001;
    let world = World::compile(&d).unwrap();
    assert_eq!(world.pads().len(), 2);
    let at = |press: f64| judge(&world, [0.036 + press, 0.0], &Question::distance()).1;
    assert_eq!(
        (at(-0.001), at(0.001), at(0.0014)),
        (Verdict::Clear, Verdict::ExpectedContact, Verdict::Collision)
    );
    // An edit of the world keeps the pads, also where it changes the padding.
    let mut edit = world.edit();
    edit.pad("hand", 0.0).remove("world/side");
    let edited = edit.finish().unwrap();
    let at = |press: f64| judge(&edited, [0.04 + press, 0.04], &Question::distance()).1;
    assert_eq!(
        (at(-0.001), at(0.001), at(0.0014)),
        (Verdict::Clear, Verdict::ExpectedContact, Verdict::Collision)
    );
    assert_ne!(
        world.fingerprint(),
        World::compile(&WorldDescription { pads: vec![], ..d }).unwrap().fingerprint()
    );
}

#[test]
fn what_is_placed_and_attached_presses_pads_too() {
    let mut d = with_pad(boxed(), pad());
    for wall in &mut d.obstacles {
        wall.movable = true;
    }
    let world = World::compile(&d).unwrap();
    let (mut checker, mut pads) = (Checker::new(&world), PadChecker::new(&world).unwrap());
    let front = world.body_by_name("world/front").unwrap();
    let question = Question::distance();
    let mut at = |x: f64| {
        checker.place(front, &Transform::from_translation(vec3(x + 0.06, 0.0, 0.0))).unwrap();
        let answer = checker.ask(&question);
        pads.judge_answer(&mut checker, &question, answer).verdict
    };
    assert_eq!(
        (at(0.001), at(-0.001), at(-0.0014)),
        (Verdict::Clear, Verdict::ExpectedContact, Verdict::Collision)
    );
    // Attached to the base, and then allowed to touch the finger.
    let base = world.body_by_name("hand/base").unwrap();
    checker.attach(front, base, &[world.body_by_name("hand/finger").unwrap()]).unwrap();
    let answer = checker.ask(&question);
    assert_ne!(pads.judge_answer(&mut checker, &question, answer).verdict, Verdict::Collision);
}

#[test]
fn a_motion_that_only_presses_pads_is_free_with_these_drawn_back() {
    let world = World::compile(&with_pad(boxed(), pad())).unwrap();
    let (mut declared, mut drawn) =
        (MotionChecker::new(&world), MotionChecker::new(world.drawn_back().unwrap()));
    let options = EdgeOptions::default().margin(0.0);
    let mut ask = |to: [f64; 2]| {
        let way = [&[0.0, 0.0][..], &to[..]];
        let [declared, drawn] =
            [&mut declared, &mut drawn].map(|edges| edges.check_edge(way, &options).unwrap());
        (declared == Edge::Free, drawn == Edge::Free)
    };
    assert_eq!(
        (ask([0.039, 0.0]), ask([0.041, 0.0]), ask([0.0414, 0.0])),
        ((true, true), (false, true), (false, false))
    );
    assert!(drawn.copy_state_from(&Checker::new(&world)), "the state of the declared world");
    assert!(!declared.copy_state_from(&Checker::new(world.drawn_back().unwrap())), "but not the other way");
}
