//! A ball that slides towards a wall: what few contacts say, and wrong ones.

use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3, vec3};
use elbowroom::{PairId, World};
use elbowroom_calibrate::{
    CalibrateOptions, Contact, ContactState, SLIDE_BOUND, calibrate, propose_contacts,
};

fn placed(shape: ShapeDescription) -> Vec<PlacedShape> {
    let (name, shape_in_body) = (String::new(), Transform::IDENTITY);
    vec![PlacedShape { name, shape_in_body, shape, padding: 0.0 }]
}

/// The wall's face is 0.4 m from where the ball is at zero.
fn ball_and_wall() -> World {
    ball_and(ShapeDescription::Box { size: [0.2, 1.0, 1.0] }, 0.6)
}

/// The ball, and an obstacle whose middle is that far along its way.
fn ball_and(obstacle: ShapeDescription, at: f64) -> World {
    let ball = placed(ShapeDescription::Sphere { radius: 0.1 });
    let robot = RobotDescription {
        name: "probe".into(),
        links: vec![
            LinkDescription { name: "rail".into(), shapes: vec![] },
            LinkDescription { name: "ball".into(), shapes: ball },
        ],
        joints: vec![JointDescription {
            name: "slide".into(),
            kind: JointKind::Prismatic,
            parent: "rail".into(),
            child: "ball".into(),
            joint_in_parent: Transform::IDENTITY,
            axis: Vec3::X,
            limits: Some(JointLimits { lower: 0.0, upper: 0.6 }),
            mimic: None,
        }],
        ..RobotDescription::default()
    };
    let wall = ObstacleDescription {
        name: "wall".into(),
        pose: Transform::from_translation(vec3(at, 0.0, 0.0)),
        shapes: placed(obstacle),
        attached_to: None,
        movable: false,
    };
    let world = WorldDescription {
        robots: vec![PlacedRobot { name: "arm".into(), base_in_world: Transform::IDENTITY, robot }],
        obstacles: vec![wall],
        ..WorldDescription::default()
    };
    World::compile(&world).expect("a ball and a wall")
}

fn touches(readings: &[f64]) -> Vec<Contact> {
    let touch = |reading: &f64| Contact {
        name: format!("at {reading}"),
        pair: PairId(0),
        readings: vec![*reading],
        within: 1e-4,
    };
    readings.iter().map(touch).collect()
}

#[test]
fn two_that_contradict_each_other_are_both_named() {
    let world = ball_and_wall();
    let options = CalibrateOptions::for_world(&world);
    let found = calibrate(&world, &touches(&[0.399, 0.396]), &options).expect("contacts");
    for (k, other) in [(0, 1), (1, 0)] {
        assert_eq!(found.contacts[k].state, ContactState::Contradicts { others: vec![other] });
    }
    assert!(!found.joints[0].is_determined && found.loose.len() == 1 && !found.is_settled());
    // A third decides between them.
    let found = calibrate(&world, &touches(&[0.399, 0.396, 0.39902]), &options).expect("contacts");
    let states: Vec<bool> = found.contacts.iter().map(|c| c.state == ContactState::Used).collect();
    assert_eq!((states, found.contacts[1].state.clone()), (vec![true, false, true], ContactState::Outlier));
    assert!((found.joints[0].offset - 1e-3).abs() < 3e-5, "{:?}", found.joints);
    assert!((found.contacts[1].residual.expect("a distance") - 3e-3).abs() < 3e-5);
    assert!(!found.is_settled(), "somebody has to look at it");
}

#[test]
fn two_against_two_are_all_named_and_two_against_three_are_wrong() {
    let world = ball_and_wall();
    let options = CalibrateOptions::for_world(&world);
    let found = calibrate(&world, &touches(&[0.399, 0.396, 0.39902, 0.39602]), &options).expect("contacts");
    for (k, contact) in found.contacts.iter().enumerate() {
        let others = (0..4).filter(|other| *other != k).collect();
        assert_eq!(contact.state, ContactState::Contradicts { others });
    }
    assert!(!found.joints[0].is_determined && found.joints[0].offset.abs() < 1e-12, "{:?}", found.joints);
    let more = touches(&[0.399, 0.396, 0.39902, 0.39602, 0.39899]);
    let found = calibrate(&world, &more, &options).expect("contacts");
    let used: Vec<bool> = found.contacts.iter().map(|c| c.state == ContactState::Used).collect();
    assert_eq!(used, [true, false, true, false, true], "{:?}", found.contacts);
    assert!((found.joints[0].offset - 1e-3).abs() < 3e-5, "{:?}", found.joints);
}

#[test]
fn without_a_contact_the_bound_is_all_that_is_known() {
    let world = ball_and_wall();
    let options = CalibrateOptions::for_world(&world);
    let found = calibrate(&world, &[], &options).expect("no contact is a list");
    let joint = &found.joints[0];
    assert!((joint.deviation - SLIDE_BOUND / 3.0_f64.sqrt()).abs() < 1e-12 && !joint.is_determined);
    assert_eq!((joint.offset, found.scatter), (0.0, None));
    // The next contact is the wall, and it says how well it will be known: encoders of 0.1 mm, and a contact
    // within 0.1 mm either way.
    let next = propose_contacts(&world, &found, &options, 2, &mut elbowroom::math::Random(1));
    assert!((next[0].readings[0] - 0.4).abs() < 1e-6 && next[0].value == 0, "{next:?}");
    let expected = (1e-8_f64 / 12.0 + 1e-8 / 3.0).sqrt();
    assert!((next[0].deviation[1] / expected - 1.0).abs() < 0.01, "{next:?}");
    assert!(next[1].deviation[1] < 0.75 * next[0].deviation[1]);
}

#[test]
fn an_offset_beyond_its_bound_is_told() {
    let world = ball_and_wall();
    let options = CalibrateOptions::for_world(&world);
    let found = calibrate(&world, &touches(&[0.392]), &options).expect("a contact");
    assert!(found.joints[0].is_at_bound && !found.is_settled(), "{found:?}");
    assert_eq!(found.joints[0].offset, SLIDE_BOUND);
    // Where it is known before, the bound is about that.
    let known = CalibrateOptions { start: vec![7e-3], ..options.clone() };
    let found = calibrate(&world, &touches(&[0.392]), &known).expect("a contact");
    assert!((found.joints[0].offset - 8e-3).abs() < 1e-5 && found.is_settled(), "{found:?}");
    // A joint that is not free keeps what is known.
    let fixed = CalibrateOptions { free: vec![false], ..known };
    let refused = calibrate(&world, &touches(&[0.392]), &fixed).expect_err("nothing is free");
    assert!(refused[0].what.contains("no joint is free"));
}

#[test]
fn what_cannot_be_used_is_refused_all_at_once() {
    let world = ball_and_wall();
    let mut contacts = touches(&[0.4, 0.4, f64::NAN]);
    contacts[0].pair = PairId(7);
    contacts[1].within = -1.0;
    contacts[2].readings.push(0.0);
    let mut options = CalibrateOptions::for_world(&world);
    options.bounds[0] = 0.0;
    let refused = calibrate(&world, &contacts, &options).expect_err("four faults");
    let said: Vec<String> = refused.iter().map(ToString::to_string).collect();
    assert_eq!(said.len(), 4, "{said:?}");
    for (words, said) in
        ["the bound of arm/slide is zero", "contact 1: this world has no", "contact 2: within", "contact 3: "]
            .iter()
            .zip(&said)
    {
        assert!(said.contains(words), "{said}");
    }
}

/// A depth of which only a bracket is known is not a number, and the contact does not count.
#[test]
fn an_unknown_depth_is_not_used() {
    // A box with a slit. The ball in it is clear of its surface, or deep inside.
    let corner = |k: usize| [1, 2, 4].map(|bit| if k & bit == 0 { -0.3 } else { 0.3 });
    let beside_slit = [[0.3, 0.28, 0.0]];
    let open_box = ShapeDescription::Mesh {
        vertices: (0..8).map(corner).chain(beside_slit).collect(),
        triangles: vec![
            [0, 2, 1],
            [1, 2, 3],
            [4, 5, 6],
            [5, 7, 6],
            [0, 1, 4],
            [1, 5, 4],
            [2, 6, 3],
            [3, 6, 7],
            [0, 4, 2],
            [2, 4, 6],
            [1, 3, 5],
            [7, 5, 8],
            [5, 3, 8],
        ],
    };
    let world = ball_and(open_box, 0.4);
    let options = CalibrateOptions::for_world(&world);
    let found = calibrate(&world, &touches(&[0.41]), &options).expect("a contact");
    let contact = &found.contacts[0];
    assert_eq!((contact.state.clone(), contact.residual), (ContactState::Unmeasured, None));
    assert!(contact.interval.lower == f64::NEG_INFINITY && contact.interval.upper > 0.1, "{contact:?}");
    assert!(found.joints[0].offset == 0.0 && !found.joints[0].is_determined && !found.is_settled());
}
