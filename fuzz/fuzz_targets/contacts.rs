//! Any bytes as contacts for a calibration.

#![no_main]
mod common;

use elbowroom::World;
use elbowroom_files::Options;
use elbowroom_files::contacts::load_contacts_from;
use libfuzzer_sys::fuzz_target;
use std::path::Path;
use std::sync::OnceLock;

static WORLD: OnceLock<Option<World>> = OnceLock::new();

fuzz_target!(|data: &[u8]| {
    let arm = concat!(env!("CARGO_MANIFEST_DIR"), "/../crates/elbowroom-files/examples/arm.urdf");
    let world = WORLD.get_or_init(|| World::compile(&elbowroom_files::load(arm).ok()?.value).ok());
    let Some(world) = world else { return };
    let files = common::files(&[("/c.jsonl", data)]);
    let Ok(loaded) = load_contacts_from(&files, Path::new("/c.jsonl"), world, &Options::default()) else {
        return;
    };
    for contact in &loaded.value {
        assert!(world.pair_names(contact.pair).is_some() && contact.line > 0);
        assert!(contact.readings.len() == world.dof_names().len());
        assert!(contact.readings.iter().all(|value| value.is_finite()));
        assert!(contact.within.is_none_or(|within| within.is_finite() && within >= 0.0));
    }
});
