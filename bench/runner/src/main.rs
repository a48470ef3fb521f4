//! Engines of the bench: `elbowroom-bench parry|elbowroom` answers lines on stdin, `elbowroom-bench truth
//! WORK OUT` writes the slow, proved intervals that every engine is compared with, `elbowroom-bench cell OUT`
//! henrich97's cell, and `elbowroom-bench robot URDF OUT` and `elbowroom-bench cells MAP OUT` a robot and the
//! occupied cells of an OctoMap as this project's readers see them.

mod bytes;
mod changes;
mod changing;
mod described;
mod engine;
mod hull;
mod limits;
mod ours;
mod parry;
mod parry_changes;
mod parry_seen;
mod pose;
mod robot;
mod seen;
mod signed_distance;
mod truth;
mod truth_placed;
mod truth_seen;
mod truth_triangles;
mod truth_whole;
mod whole;
mod work;

use anyhow::{Context, Result, anyhow, bail};
use elbowroom_files::{
    Options,
    octomap::{Cell, load_octomap},
};
use elbowroom_lab::{
    henrich97::industrial_cell,
    limits::{CELL_SEED, ROOM_OF_OBJECT},
};
use std::fmt::Write;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["parry"] => engine::serve_lines::<parry::Parry>(),
        ["elbowroom"] => engine::serve_lines::<ours::Elbowroom>(),
        ["parry", "built", work] => engine::tell_built::<parry::Parry>(work),
        ["elbowroom", "built", work] => engine::tell_built::<ours::Elbowroom>(work),
        ["cell", out] => write_cell_objects(out),
        ["robot", urdf, out] => robot::write(urdf, out),
        ["cells", map, out] => write_map_cells(map, out),
        ["truth", work, out] => truth::write(work, out),
        _ => bail!(
            "usage: elbowroom-bench parry|elbowroom [built WORK] | truth WORK OUT | cell OUT | \
             robot URDF OUT | cells MAP OUT"
        ),
    }
}

/// Writes the hundred objects that henrich97's WBK1000 has ten times: how many; of each how many vertices
/// and, for there are none, triangles; then its vertices.
fn write_cell_objects(out: &str) -> Result<()> {
    let all = industrial_cell(1000, 1000, ROOM_OF_OBJECT, CELL_SEED);
    let mut text = String::from("100\n");
    for object in &all[..100] {
        let _ = writeln!(text, "{} 0", object.len());
        for corner in object {
            let _ = writeln!(text, "{} {} {}", corner.x, corner.y, corner.z);
        }
    }
    std::fs::write(out, text).with_context(|| format!("cannot write {out}"))
}

/// Writes the occupied cells of a map: centre and edge of each (metres), four f64, and nothing else.
fn write_map_cells(map: &str, out: &str) -> Result<()> {
    let loaded = load_octomap(map.as_ref(), &Options::default()).map_err(|faults| anyhow!("{faults}"))?;
    let numbers = |cell: &Cell| cell.centre.into_iter().chain([cell.edge]);
    let numbers: Vec<f64> = loaded.value.occupied.iter().flat_map(numbers).collect();
    engine::write_numbers(out, &numbers)
}
