//! Many poses, each with the most that every joint may move from it. It tells around which of these poses all
//! pairs stay beyond a margin.
//!
//! The joints bring a pair nearer by at most a sum: the change of each joint value times the pair's gain for
//! that value. If the distance at the pose is greater than the margin plus this sum, the pair stays beyond
//! the margin. The lanes of the sieve compute the sums, one for each pair and pose, and take them as targets.
//! Once one pair of a pose stays open, its other pairs are not looked at.

use super::chunk::{Chunk, Row};
use super::model::Model;
use super::sieve::{PruneAbove, Sift};
use crate::model::id::BodyPair;
use crate::model::world::World;
use crate::numeric::work_list::WorkList;
use crate::query::tolerance::{BATCH_APPROACH, BATCH_APPROACH_LEAST, BATCH_CHUNK};
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::round_up;
use elbowroom_pair::numeric::simd::{Lanes, dispatch_kernel};

/// How much nearer a pair comes for each unit of a joint value (metres per radian, or per metre).
#[derive(Clone, Copy, Debug)]
struct Gain {
    value: u32,
    gain: f32,
}

/// A chunk of poses, each with the most that each joint value changes from it.
#[derive(Clone, Debug)]
pub(crate) struct Vicinities<'w> {
    world: &'w World,
    model: Model,
    chunk: Chunk,
    /// Each pair of the model has the range `first[pair]..first[pair + 1]` of `gains`.
    first: Vec<u32>,
    gains: Vec<Gain>,
    /// Joint values, a row for each pose (radians, metres).
    values: WorkList<f64>,
    /// By value, the changes of all poses.
    changes: Vec<[f32; BATCH_CHUNK]>,
    count: usize,
}

impl<'w> Vicinities<'w> {
    /// `None` if lanes cannot be used. `gains` gives its closure each value that moves a pair, and the pair's
    /// gain.
    pub fn new(
        world: &'w World,
        gains: impl Fn(BodyPair, &mut dyn FnMut(usize, f64)),
    ) -> Option<Vicinities<'w>> {
        let model = Model::new(world)
            .filter(|m| !m.pairs.is_empty() && m.values > 0 && !world.blind && m.crowds.is_empty())?;
        let (mut first, mut all) = (vec![0], Vec::new());
        for pair in &world.proofs.order[..model.pairs.len()] {
            gains(world.checks.pairs.listed[pair.index()], &mut |value, gain| {
                all.push(Gain { value: value as u32, gain: round_up(gain * (1.0 + BATCH_APPROACH)) });
            });
            first.push(all.len() as u32);
        }
        let chunk = Chunk::new(&model);
        let values = WorkList::with_capacity(model.values * BATCH_CHUNK);
        let changes = vec![[0.0; BATCH_CHUNK]; model.values];
        Some(Vicinities { world, model, chunk, first, gains: all, values, changes, count: 0 })
    }

    /// Whether it says anything for this margin (metres): if all pairs that lanes do not look at are proved
    /// to stay beyond it.
    pub fn covers_margin(&self, margin: f64) -> bool {
        margin >= 0.0 && self.model.floor > margin
    }

    /// Begins a new chunk.
    pub fn clear(&mut self) {
        self.values.clear();
        self.count = 0;
    }

    /// Whether no more fit in.
    pub fn is_full(&self) -> bool {
        self.count == BATCH_CHUNK
    }

    /// Adds a pose from which values change by at most `change`, if there is room.
    pub fn push(&mut self, values: &[f64], change: &[f64]) {
        if self.is_full() {
            return;
        }
        self.values.extend_from_slice(values);
        for (changes, change) in self.changes.iter_mut().zip(change) {
            changes[self.count] = round_up(change * (1.0 + BATCH_APPROACH));
        }
        self.count += 1;
    }

    /// Looks at all poses. Afterwards [`Vicinities::is_clear`] tells of each.
    pub fn sieve_poses(&mut self, margin: f64) {
        if self.count == 0 {
            return;
        }
        let Vicinities { model, chunk, first, gains, changes, .. } = self;
        // A relative margin pays for the rounding of the sums, an absolute one for products that underflow.
        let margin = round_up(margin * (1.0 + BATCH_APPROACH) + BATCH_APPROACH_LEAST);
        let prune_above = Approach { margin, first, gains, changes };
        let (values, count, heights) = (&self.values, self.count, &self.world.proofs.heights);
        dispatch_kernel(Sift { model, chunk, values, count, heights, insides: &[], prune_above });
    }

    /// Whether all pairs stay beyond the margin around a pose; false if that is not proved.
    pub fn is_clear(&self, pose: usize) -> bool {
        self.chunk.rows[pose] == Row::Sieved
    }
}

/// The margin, and by how much each pair can come nearer.
struct Approach<'a> {
    /// Metres.
    margin: f32,
    first: &'a [u32],
    gains: &'a [Gain],
    changes: &'a [[f32; BATCH_CHUNK]],
}

impl Approach<'_> {
    #[inline(always)]
    fn sum_changes<L: Lanes>(&self, l: L, pair: usize, change: impl Fn(&[f32; BATCH_CHUNK]) -> L::E) -> L::E {
        let mut sum = l.splat8(0.0);
        for gain in &self.gains[self.first[pair] as usize..self.first[pair + 1] as usize] {
            sum = l.add8(sum, l.mul8(l.splat8(gain.gain), change(&self.changes[gain.value as usize])));
        }
        l.add8(sum, l.splat8(self.margin))
    }
}

impl PruneAbove for Approach<'_> {
    const WHOLE: bool = true;
    #[inline(always)]
    fn of_eight<L: Lanes>(&self, l: L, pair: usize, eight: usize) -> L::E {
        self.sum_changes(l, pair, |changes| l.load8(&changes.as_chunks::<8>().0[eight]))
    }
    #[inline(always)]
    fn of_poses<L: Lanes>(&self, l: L, pair: usize, poses: [u32; 8]) -> L::E {
        let poses = l.load_indices8(&poses);
        self.sum_changes(l, pair, |changes| l.gather8(changes, poses, 0))
    }
}
