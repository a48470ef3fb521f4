//! The cells of the experiment: the paper's three, as far as they are known, and one as heavy as its largest.
//!
//! What a speedup can be depends on how long a detection takes beside what nobody can share. In the paper's
//! WBK1000 a detection takes 23 ms on one processor ([`WBK1000_BOUND`]), in ours a third of that at the
//! paper's costs. The paper does not say where its objects lie, so a further cell is made until a detection
//! costs as much. It is made like ours: a hundred objects of the same kinds and sizes, ten times at the same
//! places. Two things differ.
//!
//! * The robot's path is as free of objects as its column: the hundred are the nearest of those that stay
//!   [`FREE_AROUND_PATH`] away. A pose that collides ends after a few nodes, so collisions make a cell light;
//!   and where something is very near, it is found at once and leaves little else to ask.
//! * The objects are denser ([`ROOM_OF_HEAVY`]), so that many are about as far away as the nearest.
//!
//! Neither does it alone. At eleven densities, with room from 0.02 down to 0.001 cubic metres for an object,
//! a detection takes 14 ms at most if nothing else changes, and as much if objects that collide are left out.
//! With the path free and the usual room it takes 5 ms.

use super::network::PAPER_WORK;
use crate::error::LabError;
use crate::henrich97::cells::industrial_cell;
use crate::henrich97::system::{Stop, System};
use crate::limits::{FREE_AROUND_PATH, ROOM_OF_HEAVY, ROOM_OF_OBJECT, WBK1000_BOUND};
use crate::parts::robot_error;
use crate::puma::Puma;
use elbowroom::Checker;
use elbowroom::bounds::hierarchy::Tree;
use elbowroom::math::Vec3;

/// The objects of a cell, each by its corners (metres).
pub type Objects = Vec<Vec<Vec3>>;

/// The cells of the paper's Fig. 5, and the heavy one.
pub const CELLS: [&str; 4] = ["BOTTLENECK", "WBK100", "WBK1000", "heavy"];

/// What a detection in the paper's WBK1000 takes on one processor (us).
pub const PAPER_WBK1000_US: f64 = WBK1000_BOUND * PAPER_WORK.serial;

/// The cells, each with its objects. A thousand are a hundred, ten times at the same places, as in the paper.
///
/// # Errors
/// A pose of the path is none, or a cell has too few objects.
pub fn experiment_cells(
    puma: &Puma,
    moving: &Tree,
    seed: u64,
) -> Result<[(&'static str, Objects); 4], LabError> {
    let hundred = industrial_cell(100, 1000, ROOM_OF_OBJECT, seed);
    let dense = industrial_cell(1000, 1000, ROOM_OF_HEAVY, seed);
    let heavy = objects_off_path(dense, 100, FREE_AROUND_PATH, puma, moving)?;
    let [thousand, heavy] = [&hundred, &heavy].map(|all| all.iter().cycle().take(1000).cloned().collect());
    let objects = [puma.bottleneck.clone(), hundred, thousand, heavy];
    let mut objects = objects.into_iter();
    Ok(CELLS.map(|name| (name, objects.next().unwrap_or_default())))
}

/// The first `count` of these objects that stay farther away than `free` (metres) from the robot all along
/// its path.
fn objects_off_path(
    objects: Objects,
    count: usize,
    free: f64,
    puma: &Puma,
    moving: &Tree,
) -> Result<Objects, LabError> {
    let mut checker = Checker::new(&puma.world);
    let mut kept = Vec::with_capacity(count);
    for object in objects {
        if kept.len() == count {
            break;
        }
        let mut system = System::new(std::slice::from_ref(&object), &puma.parts, moving, true)?;
        let mut is_free = true;
        for q in &puma.path {
            checker.set(q).map_err(|e| robot_error(&e.to_string()))?;
            let found = system.detect_collision(&checker, Stop::Distance);
            is_free = !found.collides && found.distance > free;
            if !is_free {
                break;
            }
        }
        if is_free {
            kept.push(object);
        }
    }
    if kept.len() < count { Err(robot_error("too few objects leave the path free")) } else { Ok(kept) }
}
