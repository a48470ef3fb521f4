//! Writes `robots/rrc_cell/`: two RRC K-1207i arms in a cell, and what they do there, as JSON lines.
//!
//! tran91 describes a monitor for two such arms that pick, move and place ORU boxes (orbital replacement
//! units) between stands. Neither its cell nor its motions were published. What is a fact of the machine are
//! the arm's offsets and axes; the shapes, the limits, the cell and the scripts are ours.
//!
//! Waypoints are places of the hand in the cell; a numerical search finds the joint values. The last step
//! plays every script through the engine, and refuses to write them if the clean one touches what it should
//! not, or another does not touch what it is there to touch.

mod arm;
mod cell;
mod motion;
mod robot;
mod survey;
mod tasks;

use anyhow::{Context, Result, bail};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Path below `robots/rrc_cell/` and contents.
type Written = BTreeMap<String, String>;

fn main() -> Result<()> {
    if std::env::args().len() > 1 {
        bail!("usage: cargo xtask rrc-cell    (no options)");
    }
    let files = generate()?;
    let figures = survey::survey(&files)?;
    for figures in &figures {
        println!("{figures}");
    }
    figures.iter().try_for_each(survey::Figures::check)?;
    let folder = folder();
    std::fs::create_dir_all(&folder)?;
    for (name, text) in &files {
        let path = folder.join(name);
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    println!("wrote {} files to {}", files.len(), folder.display());
    Ok(())
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/rrc_cell")
}

/// All files, the same bytes on every machine.
fn generate() -> Result<Written> {
    let mut files = Written::new();
    files.insert("rrc_k1207i.urdf".into(), robot::urdf());
    files.insert("cell.toml".into(), cell::world_file());
    for task in &tasks::TASKS {
        files.insert(format!("{}.jsonl", task.name), tasks::lines(task)?);
    }
    files.insert("README.md".into(), readme()?);
    Ok(files)
}

fn readme() -> Result<String> {
    let scripts = tasks::TASKS.iter().map(|task| {
        let meets = task.meets.map_or("nothing that it should not".to_string(), |(t, [a, b])| {
            format!("`{a}` and `{b}` at {t} s")
        });
        format!("| `{}.jsonl` | {} | {meets} |\n", task.name, task.about)
    });
    let readme = README.replace("SCRIPTS", &scripts.collect::<String>());
    let [left, right] = tasks::starts()?.map(|q| q.map(robot::short).join(","));
    Ok(readme.replace("FIRST", &left).replace("SECOND", &right))
}

const README: &str = "\
# Two RRC K-1207i arms in a cell

Tran and Bartholomew (1991) describe a safety monitor for two seven-joint arms that pick, move and place ORU
boxes (orbital replacement units) between equipment stands. Their cell and motions were never published. This
cell is ours, after their description, and so are its scripts. Written by `cargo xtask rrc-cell`; do not edit,
change the generator (`crates/elbowroom-lab/examples/rrc_cell`).

| file | what |
| --- | --- |
| `rrc_k1207i.urdf` | the arm, on a pedestal, with a hand of a palm and two fingers that do not move |
| `cell.toml` | two arms, `left` and `right`, and 23 obstacles |
| `*.jsonl` | what the arms do |

The arm's offsets and axes are facts from [rpiRobotics/ik-geo](https://github.com/rpiRobotics/ik-geo)
(BSD-3-Clause, Copyright (c) 2022, rpiRobotics); a test holds the file to ten poses from there. Its shapes,
its hand and all its limits are ours: of position, speed and effort the source says nothing.

Both arms begin in the same pose in all scripts, the left hand over the first box:

```sh
LEFT=FIRST
RIGHT=SECOND
elbowroom check robots/rrc_cell/cell.toml --at $LEFT,$RIGHT
```

## The cell

What rests on something rests 1 mm above it. Parts of one thing are obstacles of their own, so that each can
have a role of the paper:

| obstacles | what | role |
| --- | --- | --- |
| `table_top`, `stand_1_top`, `stand_2_top` | boxes may be put on them | supporting |
| `table_leg_1` to `_4`, `stand_1_column`, `stand_2_column` | what holds them up | none |
| `floor`, `camera_stand_foot`, `_pole`, `_camera` | the rest that stays where it is | none |
| `oru_1`, `oru_2`, `oru_3` | three boxes, movable | manipulating |
| `oru_1_handle`, `oru_2_handle` | carried by their boxes; the fingers pass them 2 mm away | manipulating |
| `oru_2_door`, `oru_2_camera` | a door, and a camera inside of the box; carried by it | none |
| `mug`, `mug_handle` | a coffee mug, movable | manipulating |
| `book` | beside the mug, movable | none |

## The scripts

A line is the state of one arm, or an event. Both arms report every 0.01 s, radians and radians per second to
six places; an event stands behind the states of its time.

```json
{\"t\": 0.01, \"robot\": \"left\", \"q\": [7 values], \"qd\": [7 values]}
{\"t\": 2.7, \"attach\": {\"name\": \"oru_1\", \"attached_to\": \"left/palm\", \"touch\": []}}
{\"t\": 4.2, \"intent\": {\"place\": \"world/oru_1\", \"on\": \"world/stand_2_top\", \"arm\": \"left\"}}
```

`attach`, `detach` and `open` are as in [motions](../../docs/motions.md). An `intent` says what an arm is
about to do from then on, instead of what was said of it before; one that names an arm alone says that it is
to touch nothing.

| script | what happens | what meets |
| --- | --- | --- |
SCRIPTS
Waypoints are places of the hand; a numerical search finds joint values. Between them each joint follows a
quintic from rest to rest, and velocities are its derivative. No joint exceeds 0.5 rad/s and 1.5 rad/s^2. Over
the last 5 cm to a handle or a support the hand is not faster than 0.05 m/s. A test plays every script through
the engine, and holds it to the table. The clean one is proved free between its samples, too. The others go on
through what they meet, as if nobody stopped them.

`[guard]` in `cell.toml` is for `elbowroom monitor` ([docs/monitor.md](../../docs/monitor.md)). How the
machine stops was never published; its numbers are ours. The clean script is never stopped, the others are
before they meet:

```sh
elbowroom monitor robots/rrc_cell/cell.toml < robots/rrc_cell/bump.jsonl
```
";

#[cfg(test)]
mod tests {
    use super::survey::{load, survey};
    use super::*;
    use elbowroom::pair::{Query, Scratch, Shape, Warm, posed};
    use elbowroom::{Checker, Question, Verdict};

    #[test]
    fn the_files_are_what_the_generator_writes() {
        for (name, text) in generate().unwrap() {
            let path = folder().join(&name);
            let on_disk = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert!(on_disk == text.as_bytes(), "{name} differs: run `cargo xtask rrc-cell`");
        }
    }

    #[test]
    fn scripts_meet_what_they_are_there_to_meet() {
        let figures = survey(&generate().unwrap()).unwrap();
        for figures in &figures {
            figures.check().unwrap();
        }
        // The clean one does come near what it takes, and where it puts it.
        let near: Vec<String> = figures[0].near.keys().map(|pair| pair.join(" ")).collect();
        for pair in ["left/finger_1 world/oru_1_handle", "world/stand_2_top world/oru_1"] {
            assert!(near.iter().any(|n| n == pair), "{near:?}");
        }
        // Three grasps and a placing were measured.
        assert_eq!(figures.iter().filter(|f| f.approach > 0.04).count(), 3);
    }

    #[test]
    fn the_start_is_clear() {
        let world = load(&generate().unwrap()).unwrap();
        let bodies = world.bodies().iter().filter(|body| !body.shapes.is_empty()).count();
        assert_eq!((bodies, world.dof_names().len()), (45, 14));
        let mut checker = Checker::new(&world);
        checker.set(&tasks::starts().unwrap().concat()).unwrap();
        let answer = checker.ask(&Question::distance());
        assert_eq!(answer.verdict, Verdict::Clear);
        assert!(answer.distance > 0.02, "{}", answer.distance);
    }

    /// The engine does not ask two bodies that rest. Here each pair is asked, shape by shape.
    #[test]
    fn what_rests_rests_a_millimetre_above_its_support() {
        let world = load(&generate().unwrap()).unwrap();
        let mut checker = Checker::new(&world);
        checker.set(&tasks::starts().unwrap().concat()).unwrap();
        let bodies: Vec<_> = world.bodies().iter().filter(|b| b.name.starts_with("world/")).collect();
        let shapes = |name: &str| -> Vec<(&Shape, _)> {
            let at = checker.body_in_world(world.body_by_name(name).unwrap()).unwrap();
            let body = bodies.iter().find(|b| &*b.name == name).unwrap();
            let of = |i: u32| &world.shapes()[i as usize];
            body.shapes.clone().map(|i| (&of(i).shape, at * of(i).shape_in_body())).collect()
        };
        let (mut warm, mut scratch) = (Warm::default(), Scratch::default());
        let mut resting = 0;
        for (i, a) in bodies.iter().enumerate() {
            for b in &bodies[..i] {
                // A handle sits on what carries it.
                if a.name.starts_with(&*b.name) {
                    continue;
                }
                let mut least = f64::INFINITY;
                for (one, one_at) in shapes(&a.name) {
                    for (other, other_at) in shapes(&b.name) {
                        let at = [&one_at, &other_at];
                        let query = Query::default();
                        let found = posed::clearance([one, other], at, &query, &mut warm, &mut scratch);
                        least = least.min(found.unwrap().interval.lower);
                        warm = Warm::default();
                    }
                }
                assert!(least > 0.000_99, "{} {} {least}", a.name, b.name);
                resting += usize::from(least < 0.001_01);
            }
        }
        // Three boxes, the mug and the book; four legs, two columns and a foot on the floor; the tops on legs
        // and columns; the pole on its foot, and the camera on the pole.
        assert_eq!(resting, 5 + 7 + 6 + 2);
    }
}
