//! The offsets that were found, as a table that a world file can use.

use crate::units::is_angle;
use anyhow::{Result, anyhow, bail};
use elbowroom::World;
use elbowroom_calibrate::{CalibrateOptions, Calibration, ContactState};
use elbowroom_files::Options;
use elbowroom_files::fault::counted_things;
use elbowroom_files::world::load_offsets;
use std::fmt::Write as _;
use std::path::Path;

/// What the world adds to readings already (radians, metres), by joint value.
pub fn read_known(path: &Path, world: &World) -> Result<Vec<f64>> {
    let loaded = load_offsets(path, world, &Options::default());
    Ok(loaded.map_err(|faults| anyhow!("{faults}"))?.value)
}

/// The table. `known` are the offsets that the world has already: the table has their sums with what was
/// found. A joint that the contacts do not determine keeps the offset at which the search began.
pub fn offset_table(
    world: &World,
    found: &Calibration,
    options: &CalibrateOptions,
    known: &[f64],
) -> Result<String> {
    if !found.has_converged || found.is_scattered() {
        bail!("--out: nothing is written, since these offsets are no result: see the report");
    }
    let used = found.contacts.iter().filter(|contact| contact.state == ContactState::Used).count();
    let offsets = found.offsets(options);
    let mut text = format!(
        "# What is added to what joints read (radians, metres). In the world file: offsets = \"THIS FILE\"\n\
         # Written by `elbowroom calibrate`, from {used} of {}.\n",
        counted_things(found.contacts.len(), "contact")
    );
    for (value, name) in world.dof_names().iter().enumerate() {
        let joint = found.joints.iter().find(|joint| joint.value == value);
        let is_good = joint.is_none_or(|joint| joint.is_determined && !joint.is_at_bound);
        let offset = known[value] + if is_good { offsets[value] } else { options.start[value] };
        let unit = if is_angle(world, value) { "rad" } else { "m" };
        let note = match joint {
            Some(joint) if is_good => format!("  # +- {:.2e} {unit}", joint.deviation),
            Some(joint) if joint.is_at_bound => "  # not taken over: at its bound".into(),
            Some(_) => "  # not determined by these contacts".into(),
            None => String::new(),
        };
        if joint.is_some() || offset != 0.0 {
            let _ = writeln!(text, "{} = {offset:.9}{note}", quoted_name(name));
        }
    }
    Ok(text)
}

/// A name in the quotes of TOML.
fn quoted_name(name: &str) -> String {
    let mut text = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => text.extend(['\\', c]),
            c if c.is_control() => _ = write!(text, "\\u{:04X}", u32::from(c)),
            c => text.push(c),
        }
    }
    text.push('"');
    text
}
