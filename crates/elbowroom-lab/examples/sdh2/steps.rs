//! The paper's three steps, and all at once: what `calibration.md` says of the contacts.

use super::contacts::{ContactKind, OFFSETS};
use super::folder;
use elbowroom::World;
use elbowroom_calibrate::{CalibrateOptions, Calibration, Contact, WITHIN, calibrate};
use elbowroom_files::contacts::load_contacts;

/// How far offsets may be off (degrees): what the paper's offsets of 0 to 3 degrees come back to.
const WITHIN_DEGREES: f64 = 0.2;

fn read_contacts(world: &World, kind: Option<ContactKind>) -> Vec<Contact> {
    let file = folder().join("contacts.jsonl");
    let lines = load_contacts(&file, world, &elbowroom_files::Options::default()).unwrap().value;
    let is_kind = |name: &str| kind.is_none_or(|kind| name.starts_with(kind.word()));
    let contact = |line: elbowroom_files::contacts::ContactLine| Contact {
        name: line.name,
        pair: line.pair,
        readings: line.readings,
        within: WITHIN,
    };
    lines.into_iter().filter(|line| is_kind(&line.name)).map(contact).collect()
}

fn check_offsets(found: &Calibration) {
    for joint in &found.joints {
        let error = joint.offset.to_degrees() - OFFSETS[joint.value];
        assert!(error.abs() < WITHIN_DEGREES, "phi_{}: {error} degrees", joint.value);
    }
    assert!(found.is_settled());
}

#[test]
fn three_steps_find_the_offsets_and_so_does_one() {
    let loaded = elbowroom_files::load(folder().join("hand.toml")).unwrap();
    let world = World::compile(&loaded.value).unwrap();
    let mut options = CalibrateOptions::for_world(&world);
    for (kind, free) in [
        (ContactKind::Proximal, &[1, 3, 5][..]),
        (ContactKind::Pivot, &[0]),
        (ContactKind::Distal, &[2, 4, 6]),
    ] {
        options.free = (0..7).map(|value| free.contains(&value)).collect();
        let found = calibrate(&world, &read_contacts(&world, Some(kind)), &options).unwrap();
        check_offsets(&found);
        options.start = found.offsets(&options);
    }
    let contacts = read_contacts(&world, None);
    assert_eq!(contacts.len(), 80);
    check_offsets(&calibrate(&world, &contacts, &CalibrateOptions::for_world(&world)).unwrap());
}
