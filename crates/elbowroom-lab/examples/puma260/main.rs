//! Writes `robots/puma260/`: a Puma 260 of ten convex polytopes, the cell BOTTLENECK of seven, and a path of
//! 119 poses.
//!
//! henrich97 drives this robot (ten polytopes of 30 vertices on average) along a fixed path of 119
//! configurations through a cell of seven objects of 7.4 vertices on average, and collides in about half of
//! them. The models were never published; these have the same counts and are our own. What is a fact of the
//! machine are its kinematics: link lengths, axes and limits of the Puma 260B. The shapes are plausible round
//! bodies around those axes.
//!
//! Frames: a link's frame lies in its joint, parallel to the base when all joints are zero; z is up, metres.
//! With all joints at zero the upper arm points along x and the forearm hangs down; joint 5 at 90 degrees
//! stretches the wrist.
//!
//! The cell is a window between two pillars, a bench and a lintel. The path begins beside it, reaches
//! through, swings about inside, and leaves. The seed moves the corners of the objects, so that nothing is
//! exactly parallel. The last step asks the engine whether the result is what the experiment needs, and
//! refuses to write it if not.

mod cell;
mod path;
mod robot;
mod survey;

use anyhow::{Context, Result, bail};
use elbowroom::math::{Vec3, vec3};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Configurations of the path.
const SAMPLES: usize = 119;
/// Path below `robots/puma260/` and contents.
type Written = BTreeMap<String, String>;

fn main() -> Result<()> {
    if std::env::args().len() > 1 {
        bail!("usage: cargo xtask puma260    (no options: the seed is part of the result)");
    }
    let files = generate()?;
    let figures = survey::survey(&files)?;
    for line in figures.lines() {
        println!("{line}");
    }
    figures.check()?;
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
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/puma260")
}

/// All files, the same bytes on every machine.
fn generate() -> Result<Written> {
    let mut files = Written::new();
    for (_, name, points) in robot::parts() {
        files.insert(format!("meshes/{name}.obj"), robot::obj(name, &points)?);
    }
    files.insert("puma260.urdf".into(), robot::urdf());
    files.insert("bottleneck.toml".into(), cell::world_file()?);
    files.insert("path.csv".into(), path::path_file());
    files.insert("README.md".into(), README.into());
    Ok(files)
}

/// To a hundredth of a millimetre, as the files have it; no negative zero.
fn rounded(p: Vec3) -> Vec3 {
    let r = |x: f64| (x * 1e5).round() / 1e5 + 0.0;
    vec3(r(p.x), r(p.y), r(p.z))
}

const README: &str = "\
# Puma 260 and the cell BOTTLENECK
A Puma 260 of ten convex polytopes (29.6 vertices on average), a cell of seven convex objects (7.4 on average)
and a path of 119 configurations of which about half collide: the experiment of Henrich, Gontermann and Woern
(1997), whose own models were never published. The kinematics and limits are those of the machine (Puma 260B);
the shapes, the cell and the path are ours. Written by `cargo xtask puma260`; do not edit, change the
generator.

| file | what |
| --- | --- |
| `puma260.urdf`, `meshes/` | the robot; joint 5 at 90 degrees stretches the wrist |
| `bottleneck.toml` | the cell with the robot in it |
| `path.csv` | the path, radians |
";

#[cfg(test)]
mod tests {
    use super::cell::objects;
    use super::robot::parts;
    use super::survey::{load, survey};
    use super::*;
    use elbowroom::{Checker, Question};

    #[test]
    fn the_files_are_what_the_generator_writes() {
        for (name, text) in generate().unwrap() {
            let path = folder().join(&name);
            let on_disk = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            assert!(on_disk == text.as_bytes(), "{name} differs: run `cargo xtask puma260`");
        }
    }

    #[test]
    fn the_counts_are_those_of_the_experiment() {
        let parts = parts();
        let vertices: usize = parts.iter().map(|p| p.2.len()).sum();
        assert_eq!(parts.len(), 10);
        assert!((280..=320).contains(&vertices), "{vertices}");
        let objects = objects();
        assert_eq!((objects.len(), objects.iter().map(|o| o.1.len()).sum::<usize>()), (7, 52));
        let figures = survey(&generate().unwrap()).unwrap();
        figures.check().unwrap();
        assert!(figures.largest_step < 0.15, "{}", figures.largest_step);
    }

    #[test]
    fn meshes_are_their_own_hulls_and_closed() {
        let (world, _) = load(&generate().unwrap()).unwrap();
        // A mesh that is proved to be closed and its own hull is compiled to the hull.
        for (shape, (_, name, points)) in world.shapes().iter().zip(parts()) {
            let elbowroom::pair::shape::Core::Hull(hull) = shape.shape.core() else { panic!("{name}") };
            assert_eq!(hull.vertices().len(), points.len(), "{name}");
        }
    }

    /// Links that share a joint touch; others never do, over the whole path, and every pair of them is
    /// checked.
    #[test]
    fn only_parent_and_child_touch() {
        let (world, rows) = load(&generate().unwrap()).unwrap();
        let own =
            |pair: elbowroom::PairId| world.pair_names(pair).unwrap().iter().all(|n| n.starts_with("puma/"));
        // Seven links: 21 pairs less 6 of neighbours.
        assert_eq!((0..world.pairs().len() as u32).filter(|i| own(elbowroom::PairId(*i))).count(), 15);
        let mut checker = Checker::new(&world);
        for (i, row) in rows.iter().enumerate() {
            checker.set(row).unwrap();
            checker.all_pairs(&Question::distance(), |pair| {
                let names = world.pair_names(pair.pair).unwrap();
                assert!(
                    !own(pair.pair) || pair.interval.lower > 0.0,
                    "sample {i}: {names:?} {}",
                    pair.distance
                );
            });
        }
    }

    /// Three poses of the flange published for the Puma 260B, to the four digits they have.
    #[test]
    fn the_flange_is_where_it_was_published() {
        let (world, _) = load(&generate().unwrap()).unwrap();
        let mut checker = Checker::new(&world);
        let published = [
            ([0.0; 6], [0.254, -0.12446, 0.10795]),
            ([180.0, -90.0, -90.0, 90.0, 90.0, 90.0], [-0.01905, 0.12446, 0.7874]),
            ([50.0, -105.0, 31.0, 4.0, 126.0, -184.0], [0.2236, 0.0693, 0.4265]),
        ];
        let tool = world.body_by_name("puma/tool0").unwrap();
        for (degrees, [x, y, z]) in published {
            checker.set(&degrees.map(f64::to_radians)).unwrap();
            let at = checker.body_in_world(tool).unwrap().translation;
            assert!((at - vec3(x, y, z)).norm() < 1e-4, "{degrees:?}: {at:?}");
        }
    }
}
