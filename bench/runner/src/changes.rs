//! What a work file says about a world that changes: the obstacles that are placed elsewhere before a step.

use crate::bytes::{read_floats, read_number};
use anyhow::{Result, ensure};
use std::ops::Range;

/// An obstacle is placed elsewhere.
pub struct Change {
    /// Which.
    pub obstacle: usize,
    /// World from obstacle.
    pub pose: [f64; 12],
}

/// The placed obstacle hangs on the robot while it is asked about.
pub struct Held {
    /// The joint, from 0.
    pub joint: usize,
    /// Shapes of the robot that it must not touch.
    pub meets: Vec<usize>,
}

/// All changes of an item.
#[derive(Default)]
pub struct Changes {
    /// Whether a peer makes its structure over the obstacles again before each step.
    pub anew: bool,
    /// Set where the one obstacle that a step places is held.
    pub held: Option<Held>,
    /// In the order of steps.
    pub rows: Vec<Change>,
    /// Where the rows of each step start, and the end of all.
    starts: Vec<usize>,
}

impl Changes {
    /// The rows of a step.
    pub fn step_rows(&self, step: usize) -> Range<usize> {
        self.starts[step]..self.starts[step + 1]
    }

    /// Reads them.
    pub fn read(rest: &mut &[u8], steps: usize) -> Result<Changes> {
        let anew = read_number(rest)? == 1;
        let joint = read_number(rest)? as usize;
        let meets =
            (0..read_number(rest)?).map(|_| Ok(read_number(rest)? as usize)).collect::<Result<_>>()?;
        let held = joint.checked_sub(1).map(|joint| Held { joint, meets });
        let (mut rows, mut starts) = (Vec::new(), vec![0; steps + 1]);
        let mut last = 0;
        for _ in 0..read_number(rest)? {
            let (step, obstacle) = (read_number(rest)? as usize, read_number(rest)? as usize);
            ensure!((last..steps).contains(&step), "changes are not in the order of steps");
            last = step;
            rows.push(Change { obstacle, pose: read_floats(rest)? });
            starts[step + 1] = rows.len();
        }
        for step in 0..steps {
            starts[step + 1] = starts[step + 1].max(starts[step]);
        }
        Ok(Changes { anew, held, rows, starts })
    }

    /// Whether all that they name is there, of so many shapes, joints and obstacles.
    pub fn check_names(&self, [shapes, joints, obstacles]: [usize; 3]) -> Result<()> {
        ensure!(
            self.rows.iter().all(|row| row.obstacle < obstacles),
            "a change of an obstacle that is not there"
        );
        if let Some(held) = &self.held {
            let one_each = self.starts.windows(2).all(|step| step[1] == step[0] + 1);
            ensure!(one_each && held.joint < joints, "not one obstacle a step on a joint that is there");
            ensure!(held.meets.iter().all(|&shape| shape < shapes), "a shape is named that is not there");
        }
        Ok(())
    }
}
