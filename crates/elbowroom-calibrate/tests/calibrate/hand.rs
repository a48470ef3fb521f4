//! The hand of haase10: seven values, offsets of 0 to 3 degrees, encoders of 360/1024 degrees.

use crate::simulated::Machine;
use elbowroom::{PairId, World};
use elbowroom_calibrate::{
    CalibrateOptions, Calibration, Contact, ContactState, calibrate, propose_contacts,
};
use elbowroom_testkit::robots::robots_folder;

pub fn hand() -> World {
    let loaded = elbowroom_files::load(robots_folder().join("sdh2/hand.toml")).expect("the hand");
    World::compile(&loaded.value).expect("the hand compiles")
}

fn is_of_fingers(world: &World, pair: PairId) -> bool {
    world.pair_names(pair).is_some_and(|names| names.iter().all(|name| name.contains("finger_")))
}

const DEGREE: f64 = std::f64::consts::PI / 180.0;

/// Measures ten contacts, asks for the next ten, and so on.
fn measure_by_tens(
    machine: &mut Machine,
    options: &CalibrateOptions,
    tens: usize,
) -> (Vec<Contact>, Calibration) {
    let mut contacts = Vec::new();
    let mut found = calibrate(machine.world, &contacts, options).expect("no contact is a list");
    for _ in 0..tens {
        for step in propose_contacts(machine.world, &found, options, 10, &mut machine.random) {
            contacts.extend(machine.measure_contact(step.pair, &step.readings));
        }
        found = calibrate(machine.world, &contacts, options).expect("contacts");
    }
    (contacts, found)
}

/// Of 20 such hands all came back within 0.2 degrees from 80 contacts, 18 from 60 and 15 from 40.
#[test]
fn offsets_come_back_within_a_fifth_of_a_degree() {
    let world = hand();
    let options = CalibrateOptions::for_world(&world);
    for seed in [0, 1] {
        let mut machine = Machine::with_offsets(&world, seed);
        let largest = machine.offsets.iter().fold(0.0_f64, |most, offset| most.max(offset.abs()));
        let (contacts, found) = measure_by_tens(&mut machine, &options, 8);
        let [degrees, deviations] = machine.errors(&found, DEGREE);
        assert!(largest > 2.0 * DEGREE && contacts.len() > 75, "{largest} {}", contacts.len());
        assert!(degrees < 0.2 && deviations < 4.0, "{degrees} degrees, {deviations} deviations");
        assert!(found.is_settled(), "{found:?}");
        assert!(found.scatter.is_some_and(|scatter| (0.7..1.3).contains(&scatter)), "{:?}", found.scatter);
    }
}

/// What is told of uncertainty is true: errors have the size of their deviations, and contacts that are good
/// are not suspected.
#[test]
fn errors_are_as_large_as_their_deviations() {
    let world = hand();
    let options = CalibrateOptions::for_world(&world);
    let (mut squares, mut count, mut suspected) = (0.0, 0, 0);
    for seed in 0..12 {
        let mut machine = Machine::with_offsets(&world, 1000 + seed);
        let contacts = machine.draw_contacts(30, |pair| is_of_fingers(&world, pair));
        let found = calibrate(&world, &contacts, &options).expect("contacts");
        suspected += found.contacts.iter().filter(|contact| contact.state != ContactState::Used).count();
        for joint in found.joints.iter().filter(|joint| joint.is_determined) {
            squares += ((joint.offset - machine.offsets[joint.value]) / joint.deviation).powi(2);
            count += 1;
        }
    }
    let ratio = (squares / f64::from(count)).sqrt();
    assert!(count > 60 && (0.7..1.3).contains(&ratio), "{ratio} of {count}");
    assert!(suspected <= 1, "{suspected} of 360 good contacts are suspected");
}

#[test]
fn a_joint_that_no_contact_moves_is_named() {
    let world = hand();
    let mut machine = Machine::with_offsets(&world, 3);
    let contacts = machine.draw_contacts(60, |pair| {
        world.pair_names(pair).is_some_and(|[a, b]| a.contains("finger_1") && b.contains("finger_2"))
    });
    let found = calibrate(&world, &contacts, &CalibrateOptions::for_world(&world)).expect("contacts");
    let open: Vec<usize> = found.joints.iter().filter(|j| !j.is_determined).map(|j| j.value).collect();
    assert_eq!(open, [5, 6], "finger 3 touches nothing: {:?}", found.joints);
    for joint in &found.joints[5..] {
        assert_eq!(joint.offset, 0.0);
    }
    assert_eq!(found.loose.len(), 2);
    let moved = |value: usize| found.loose.iter().map(|d| d.moves[value].abs()).fold(0.0, f64::max);
    assert!(moved(5) > DEGREE && moved(6) > DEGREE && moved(1) < 1e-6 * DEGREE);
    assert!(!found.is_settled());
}

#[test]
fn too_few_contacts_say_so() {
    let world = hand();
    let mut machine = Machine::with_offsets(&world, 4);
    let contacts = machine.draw_contacts(4, |pair| is_of_fingers(&world, pair));
    let found = calibrate(&world, &contacts, &CalibrateOptions::for_world(&world)).expect("contacts");
    assert!(found.loose.len() >= 3, "four contacts leave three directions at least");
    assert!(found.joints.iter().filter(|joint| !joint.is_determined).count() >= 3 && !found.is_settled());
}

#[test]
fn wrong_contacts_are_named_and_do_not_count() {
    let world = hand();
    let options = CalibrateOptions::for_world(&world);
    let mut machine = Machine::with_offsets(&world, 5);
    let mut contacts = machine.draw_contacts(60, |pair| is_of_fingers(&world, pair));
    let without = calibrate(&world, &contacts, &options).expect("contacts");
    assert!(without.contacts.iter().all(|contact| contact.state == ContactState::Used));
    // A reading of a finger that touches is off by some degrees: the largest share of what the contact says.
    let wrong = [7, 23, 41];
    for k in wrong {
        let shares = &without.contacts[k].shares;
        let (value, _) = shares.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1)).expect("seven");
        contacts[k].readings[value] += 6.0 * DEGREE;
    }
    let found = calibrate(&world, &contacts, &options).expect("contacts");
    let out: Vec<usize> = (0..60).filter(|k| found.contacts[*k].state != ContactState::Used).collect();
    assert_eq!(out, wrong, "{:?}", wrong.map(|k| found.contacts[k].clone()));
    let [_, deviations] = machine.errors(&found, DEGREE);
    assert!(deviations < 4.0 && !found.is_settled());
}
