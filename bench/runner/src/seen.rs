//! What a work file says about what sensors saw: clouds of points, and the occupied cells of a map.

use crate::bytes::{read_floats, read_number};
use anyhow::Result;

/// All that was seen.
#[derive(Default)]
pub struct Seen {
    /// The radius of the ball at each point (metres).
    pub radius: f64,
    /// Clouds, one after the other (metres, world).
    pub frames: Vec<Vec<[f64; 3]>>,
    /// Cubes, parallel to the axes: centre and edge (metres).
    pub cells: Vec<([f64; 3], f64)>,
}

impl Seen {
    /// Reads it.
    pub fn read(rest: &mut &[u8]) -> Result<Seen> {
        let [radius] = read_floats(rest)?;
        let frame =
            |rest: &mut &[u8]| (0..read_number(rest)?).map(|_| read_floats(rest)).collect::<Result<_>>();
        let frames = (0..read_number(rest)?).map(|_| frame(rest)).collect::<Result<_>>()?;
        let cell = |rest: &mut &[u8]| read_floats(rest).map(|[x, y, z, edge]| ([x, y, z], edge));
        let cells = (0..read_number(rest)?).map(|_| cell(rest)).collect::<Result<_>>()?;
        Ok(Seen { radius, frames, cells })
    }

    /// Whether nothing was seen.
    pub fn is_empty(&self) -> bool {
        self.frames.is_empty() && self.cells.is_empty()
    }

    /// The cloud of a step.
    pub fn step_cloud(&self, step: usize) -> &[[f64; 3]] {
        if self.frames.is_empty() { &[] } else { &self.frames[step % self.frames.len()] }
    }
}
