//! Offsets of joints in world files.

use crate::support::{files, refused};
use elbowroom::math::Random;
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyId;
use elbowroom::{Checker, World};
use elbowroom_files::source::InMemory;
use elbowroom_files::world::{load_offsets_from, load_world_from};
use elbowroom_files::{Faults, Options};
use std::path::Path;

/// A chain of five joints. `turn` has an oblique axis, `second` follows it, and `third` follows `second`.
/// `slide` is prismatic, and `spin` has no limits.
const CHAIN: &str = r#"<robot name="arm">
<link name="base"/><link name="a"/><link name="b"/><link name="c"/><link name="d"/><link name="e"/>
<joint name="turn" type="revolute"><parent link="base"/><child link="a"/>
  <origin xyz="0.1 0.2 0.3" rpy="0.4 -0.3 1"/><axis xyz="1 2 -2"/><limit lower="-1" upper="2"/></joint>
<joint name="second" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0.5 0 0"/>
  <axis xyz="0 0 1"/><limit lower="-9" upper="9"/><mimic joint="turn" multiplier="-2" offset="0.3"/></joint>
<joint name="third" type="revolute"><parent link="b"/><child link="c"/><origin xyz="0 0.5 0"/>
  <axis xyz="0 1 0"/><limit lower="-9" upper="9"/><mimic joint="second" multiplier="0.5"/></joint>
<joint name="slide" type="prismatic"><parent link="c"/><child link="d"/><origin rpy="0 1 0"/>
  <axis xyz="0 3 0"/><limit lower="-0.5" upper="0.5"/></joint>
<joint name="spin" type="continuous"><parent link="d"/><child link="e"/><axis xyz="1 0 0"/></joint>
</robot>"#;

const TABLE: &str = "\"left/turn\" = 0.05\n\"left/slide\" = -0.02\n\"left/spin\" = -1\n";

fn chain(world: &str, table: &str) -> InMemory {
    let two = "[[robot]]\nurdf = \"arm.urdf\"\nname = \"left\"\n\
        [[robot]]\nurdf = \"arm.urdf\"\nname = \"right\"\nxyz = [1, 0, 0]\n";
    files(&[("/w/w.toml", &format!("{world}\n{two}")), ("/w/arm.urdf", CHAIN), ("/w/o.toml", table)])
}

fn compiled(files: &InMemory) -> Result<World, Faults> {
    let loaded = load_world_from(files, Path::new("/w/w.toml"), &Options::default())?;
    Ok(World::compile(&loaded.value).unwrap())
}

#[test]
fn readings_with_offsets_are_the_values_that_they_stand_for() {
    let plain = compiled(&chain("", "")).unwrap();
    let inline = format!("offsets = {{ {} }}", TABLE.trim().replace('\n', ", "));
    for text in [&inline, "offsets = \"o.toml\""] {
        let files = chain(text, TABLE);
        let world = compiled(&files).unwrap();
        assert_ne!(world.fingerprint(), plain.fingerprint());
        let known = load_offsets_from(&files, Path::new("/w/w.toml"), &world, &Options::default()).unwrap();
        assert_eq!(known.value, [0.05, -0.02, -1.0, 0.0, 0.0, 0.0]);
        for ((of_world, of_plain), offset) in
            world.value_ranges().iter().zip(plain.value_ranges()).zip(&known.value)
        {
            let moved = [of_plain.lower - offset, of_plain.upper - offset];
            let ends = [of_world.lower, of_world.upper];
            assert!(
                ends.iter().zip(moved).all(|(a, b)| *a == b || (a - b).abs() < 1e-12),
                "{ends:?} {moved:?}"
            );
        }
        let (mut with, mut without, mut random) = (Checker::new(&world), Checker::new(&plain), Random(3));
        for _ in 0..100 {
            let readings: Vec<f64> = known.value.iter().map(|_| random.range(-0.4, 0.4)).collect();
            let values: Vec<f64> = readings.iter().zip(&known.value).map(|(q, offset)| q + offset).collect();
            let free = SetOptions { ignore_limits: true };
            with.set_with(&readings, free).unwrap();
            without.set_with(&values, free).unwrap();
            for body in (0..world.bodies().len() as u32).map(BodyId) {
                let [a, b] = [&with, &without].map(|checker| checker.body_in_world(body).unwrap());
                let turned =
                    (0..3).map(|k| (a.rotation.cols[k] - b.rotation.cols[k]).norm()).fold(0.0, f64::max);
                assert!((a.translation - b.translation).norm() < 1e-14 && turned < 1e-14, "{body:?}");
            }
        }
    }
    let files = chain("", "");
    let none = load_offsets_from(&files, Path::new("/w/w.toml"), &plain, &Options::default()).unwrap();
    assert_eq!(none.value, [0.0; 6]);
}

#[test]
fn offsets_that_mean_nothing_are_refused_by_name() {
    let with = |world: &str, table: &str| compiled(&chain(world, table));
    let from_file = "offsets = \"o.toml\"";
    for (table, words) in [
        ("\"left/trun\" = 0.1", &["o.toml", "there is no joint value \"left/trun\"", "did you mean"][..]),
        ("turn = 0.1", &["turn is a joint of several robots", "\"robot/joint\""]),
        ("\"left/second\" = 0.1", &["left/second follows turn, whose offset it takes over"]),
        ("\n\"left/turn\" = 4", &["line 2", "left/turn: the offset 4 is beyond 3.14", "radians or metres"]),
        ("\"left/turn\" = \"1\"", &["left/turn is not a finite number"]),
        ("\"left/turn\" = nan", &["left/turn is not a finite number"]),
        ("\"left/turn\" = ", &["o.toml"]),
    ] {
        refused(table, with(from_file, table), words);
    }
    refused("no file", with("offsets = \"p.toml\"", ""), &["p.toml"]);
    refused("a number", with("offsets = 3", ""), &["offsets", "neither a table nor the name of a file"]);
}
