//! Writes `robots/sdh2/`: a hand of three fingers and seven values, motions of it, and contacts for its
//! calibration.
//!
//! Haase and Woern (2010) have the SCHUNK SDH-2: three equal fingers of 155 mm, joint 0 that turns fingers 1
//! and 3 together, and six joints that bend. Kinematics and limits are facts of the machine; the shapes are
//! boxes, cylinders and a rounded tip of our own (`elbowroom_lab::haase10::dimensions` has every number and
//! where it is from). The last step asks the engine whether one motion is clear, and whether the other
//! touches nothing but pads, and refuses to write them if not.

mod contacts;
mod grasp;
mod guard;
mod pinch;
mod robot;
#[cfg(test)]
mod steps;
mod survey;

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Path below `robots/sdh2/` and contents.
type Written = BTreeMap<String, String>;

fn main() -> Result<()> {
    if std::env::args().len() > 1 {
        bail!("usage: cargo xtask sdh2    (no options)");
    }
    let files = generate()?;
    let figures = survey::survey(&files)?;
    println!("{}", figures.line());
    figures.check()?;
    println!("{}", pinch::survey(&files)?);
    let folder = folder();
    for (name, text) in &files {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().unwrap_or(&folder))?;
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    println!("wrote {} files to {}", files.len(), folder.display());
    Ok(())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/sdh2")
}

/// All files but the texts: the same bytes on every machine.
fn generate() -> Result<Written> {
    let files = [
        ("hand.urdf", robot::urdf()),
        ("meshes/tip.obj", robot::tip_mesh()),
        ("hand.toml", WORLD.to_string() + &guard::guard_table()),
        ("grasp.csv", grasp::grasp_file()),
        ("pads.toml", pinch::world()),
        ("pinch.csv", pinch::pinch_file()),
        ("grasp.jsonl", guard::states_file(&grasp::VIAS)),
        ("pinch.jsonl", guard::states_file(&pinch::VIAS)),
    ];
    let mut files: Written = files.map(|(name, text)| (name.to_string(), text)).into();
    let (world, _) = survey::load(&files, "hand.toml", "grasp.csv")?;
    files.insert("contacts.jsonl".into(), contacts::contacts_file(&world)?);
    Ok(files)
}

/// The hand alone. What touches by design is a knuckle, its limb and its tip, and those pairs have a joint
/// between them, so they are not checked.
const WORLD: &str = "\
# The hand alone. A finger's knuckle and limb touch, and so do its limb and tip: a joint is between them, so
# these pairs are not checked. `elbowroom pairs robots/sdh2/hand.toml` lists all others.
# The proximal joints lie 2.7 mm over the palm at all poses.
# Written by `cargo xtask sdh2`; metres.

margin = 0.001

[[robot]]
name = \"hand\"
urdf = \"hand.urdf\"

";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_are_what_the_generator_writes_and_the_motion_is_clear() {
        let files = generate().unwrap();
        for (name, text) in &files {
            let path = folder().join(name);
            let on_disk = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert!(on_disk == text.as_bytes(), "{name} differs: run `cargo xtask sdh2`");
        }
        survey::survey(&files).unwrap().check().unwrap();
        pinch::survey(&files).unwrap();
    }

    #[test]
    fn the_tip_is_closed_and_its_own_hull() {
        let (world, _) = survey::load(&generate().unwrap(), "hand.toml", "grasp.csv").unwrap();
        let hull = |s: &elbowroom::world::BodyShape| match s.shape.core() {
            elbowroom::pair::shape::Core::Hull(hull) => Some(hull.vertices().len()),
            _ => None,
        };
        let corners: Vec<usize> = world.shapes().iter().filter_map(hull).collect();
        assert_eq!(corners, [132; 3], "two outlines of 66 corners, of each finger");
    }
}
