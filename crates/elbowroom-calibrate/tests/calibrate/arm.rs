//! An arm that taps a table, and a post.

use crate::simulated::Machine;
use elbowroom::World;
use elbowroom::describe::{ObstacleDescription, PlacedShape, ShapeDescription};
use elbowroom::math::{Transform, vec3};
use elbowroom_calibrate::{CalibrateOptions, ContactState, calibrate};
use elbowroom_testkit::data::data;

fn boxed(name: &str, at: [f64; 3], size: [f64; 3]) -> ObstacleDescription {
    let shape = ShapeDescription::Box { size };
    let (part, shape_in_body) = (String::new(), Transform::IDENTITY);
    ObstacleDescription {
        name: name.into(),
        pose: Transform::from_translation(vec3(at[0], at[1], at[2])),
        shapes: vec![PlacedShape { name: part, shape_in_body, shape, padding: 0.0 }],
        attached_to: None,
        movable: false,
    }
}

#[test]
fn a_table_alone_leaves_the_turn_about_its_normal_open_and_a_post_finds_it() {
    let Some(data) = data() else { return };
    let urdf = data.join("robots/mecademic_meca500_r3/meca_500_r3.urdf");
    let mut description = elbowroom_files::load(urdf).expect("the arm").value;
    description.obstacles.push(boxed("table", [0.0, 0.0, -0.06], [1.0, 1.0, 0.1]));
    description.obstacles.push(boxed("post", [0.2, 0.1, 0.1], [0.03, 0.03, 0.3]));
    let world = World::compile(&description).expect("the cell");
    let touches = |obstacle: &'static str| {
        let world = &world;
        move |pair| world.pair_names(pair).is_some_and(|names| names.contains(&obstacle))
    };
    let mut machine = Machine::with_offsets(&world, 8);
    let options = CalibrateOptions::for_world(&world);
    let mut contacts = machine.draw_contacts(40, touches("world/table"));
    let found = calibrate(&world, &contacts, &options).expect("contacts");
    assert!(!found.joints[0].is_determined && found.joints[0].offset.abs() < 1e-6, "{:?}", found.joints);
    assert!(found.joints[1].is_determined && found.joints[2].is_determined, "{:?}", found.joints);
    assert!(found.contacts.iter().all(|contact| contact.shares[0] < 1e-9));

    contacts.extend(machine.draw_contacts(40, touches("world/post")));
    let found = calibrate(&world, &contacts, &options).expect("contacts");
    assert!(found.joints[..5].iter().all(|joint| joint.is_determined), "{:?}", found.joints);
    assert!(found.contacts.iter().filter(|c| c.state != ContactState::Used).count() <= 1);
    let [_, deviations] = machine.errors(&found, 1.0);
    assert!(deviations < 4.0, "{deviations} {:?}", found.joints);
}
