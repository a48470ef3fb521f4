//! Work files: shapes, pairs, poses and the question, as `bench/peers/prepare.py` writes them.

use anyhow::{Context, Result, bail, ensure};

/// The question of an item, in the order of the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Separation of a pair, cold.
    Distance,
    /// Separation along a motion; the previous query may help.
    Coherent,
    /// Signed distance of an overlapping pair.
    Depth,
    /// Separation of every pair of a robot.
    AllDistances,
    /// Number of the first colliding pair of a robot, or -1.
    FirstCollision,
    /// Smallest distance between the triangles of a robot's pairs.
    SmallestTriangleDistance,
}

/// Vertices (metres) and triangles, counter-clockwise from outside.
pub struct ShapeData {
    /// Points.
    pub vertices: Vec<[f64; 3]>,
    /// Indices of corners.
    pub triangles: Vec<[u32; 3]>,
}

/// One item's input.
pub struct Work {
    /// The question.
    pub ask: Ask,
    /// All shapes.
    pub shapes: Vec<ShapeData>,
    /// Shape numbers: one pair a step, or all pairs of every step of a robot item.
    pub pairs: Vec<[u32; 2]>,
    /// Queries of a pair item, poses of a robot item.
    pub steps: usize,
    /// Two for a pair item, one for each shape of a robot.
    pub poses_a_step: usize,
    /// World from shape: rotation row-major, translation (metres).
    pub poses: Vec<[f64; 12]>,
}

impl Work {
    /// Whether each step asks about all pairs.
    pub fn is_robot(&self) -> bool {
        matches!(self.ask, Ask::AllDistances | Ask::FirstCollision | Ask::SmallestTriangleDistance)
    }

    /// Numbers an engine answers with in one step.
    pub fn answers_a_step(&self) -> usize {
        if self.ask == Ask::AllDistances { self.pairs.len() } else { 1 }
    }

    /// Reads a work file and checks that every index in it exists.
    pub fn read(path: &str) -> Result<Work> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot open {path}"))?;
        let mut rest = &bytes[..];
        ensure!(take(&mut rest, 8)? == b"EBWORK01", "{path} is not a work file");
        let ask = match number(&mut rest)? {
            0 => Ask::Distance,
            1 => Ask::Coherent,
            2 => Ask::Depth,
            3 => Ask::AllDistances,
            4 => Ask::FirstCollision,
            5 => Ask::SmallestTriangleDistance,
            other => bail!("{path}: no question has the number {other}"),
        };
        let shapes = (0..number(&mut rest)?)
            .map(|_| {
                let (vertices, triangles) = (number(&mut rest)?, number(&mut rest)?);
                Ok(ShapeData {
                    vertices: (0..vertices).map(|_| floats(&mut rest)).collect::<Result<_>>()?,
                    triangles: (0..triangles).map(|_| numbers(&mut rest)).collect::<Result<_>>()?,
                })
            })
            .collect::<Result<Vec<_>>>()?;
        let pairs: Vec<[u32; 2]> =
            (0..number(&mut rest)?).map(|_| numbers(&mut rest)).collect::<Result<_>>()?;
        let (steps, poses_a_step) = (number(&mut rest)? as usize, number(&mut rest)? as usize);
        let poses = (0..steps * poses_a_step).map(|_| floats(&mut rest)).collect::<Result<_>>()?;
        ensure!(rest.is_empty(), "{path} is longer than it says");
        ensure!(
            pairs.iter().flatten().all(|&shape| (shape as usize) < shapes.len()),
            "{path}: a pair names a shape that is not there"
        );
        let work = Work { ask, shapes, pairs, steps, poses_a_step, poses };
        let expected = if work.is_robot() { work.shapes.len() } else { 2 };
        ensure!(poses_a_step == expected, "{path}: {poses_a_step} poses a step, {expected} expected");
        ensure!(work.is_robot() || work.pairs.len() == steps, "{path}: not one pair a step");
        Ok(work)
    }
}

fn take<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8]> {
    let (head, tail) = rest.split_at_checked(count).context("work file is cut short")?;
    *rest = tail;
    Ok(head)
}

fn number(rest: &mut &[u8]) -> Result<u32> {
    Ok(u32::from_le_bytes(take(rest, 4)?.try_into()?))
}

fn numbers<const N: usize>(rest: &mut &[u8]) -> Result<[u32; N]> {
    let mut row = [0; N];
    for value in &mut row {
        *value = number(rest)?;
    }
    Ok(row)
}

fn floats<const N: usize>(rest: &mut &[u8]) -> Result<[f64; N]> {
    let mut row = [0.0; N];
    for value in &mut row {
        *value = f64::from_le_bytes(take(rest, 8)?.try_into()?);
    }
    Ok(row)
}
