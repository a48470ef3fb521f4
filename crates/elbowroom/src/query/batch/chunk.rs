//! A chunk of poses: what the sieve works with, and what it finds.

use super::eights::Eights;
use super::lanes::Column;
use super::model::{LaneCapsule, Model};
use crate::numeric::work_list::WorkList;
use crate::query::tolerance::{BATCH_CHUNK, BATCH_LEFT};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;

/// Eights in a chunk.
const EIGHTS: usize = BATCH_CHUNK / 8;
/// A bit for each pose of a chunk.
pub(super) type Poses = [u64; BATCH_CHUNK / 64];

/// What the sieve knows of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Row {
    /// Every pair is farther apart than asked for, but for those that are left.
    Sieved,
    /// Two bodies are proved to overlap.
    Overlap,
    /// Nothing: it is asked whole.
    Whole,
}

/// A pair that stays open in one pose.
#[derive(Clone, Copy, Debug)]
pub(super) struct Left {
    pub row: u32,
    /// Its index in the order of the world's proofs.
    pub pair: u32,
    /// The best lower bound (metres).
    pub bound: f32,
}

/// How many pairs of poses each stage decided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Stages {
    pub capsules: usize,
    pub boxes: usize,
    pub planes: usize,
    pub points: usize,
    pub left: usize,
    /// Rows that are not configurations.
    pub refused: usize,
    /// Pairs that found no place in the list.
    pub overflowed: usize,
}

/// Poses that go through the sieve together, and what it finds. Everything is allocated when it is made.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    pub columns: Vec<Column>,
    pub roots: Vec<[Eights; 12]>,
    /// The frames of the links: eight by eight, the columns and the translation of each.
    pub frames: Vec<[Eights; 12]>,
    /// The middle and the half axis of each capsule, of eight poses.
    pub capsules: Vec<[Eights; 6]>,
    /// The boxes around the crowds' bodies, eight poses by eight: by node of the crowds' tree, two corners.
    pub around: Vec<[Eights; 6]>,
    /// By pair, the poses that capsules leave.
    pub open: Vec<[u8; EIGHTS]>,
    /// While one pair is looked at: the numbers of the poses that are left, B's frames in A's, the directions
    /// of the next planes, and the best lower bounds (metres).
    pub numbers: Vec<u32>,
    pub relative: Vec<[Eights; 12]>,
    pub directions: Vec<[Eights; 3]>,
    pub bounds: Vec<Eights>,
    /// What is known of each row of the chunk.
    pub rows: Vec<Row>,
    /// The pairs of poses that stay open.
    pub left: WorkList<Left>,
    pub stages: Stages,
}

impl Chunk {
    pub fn new(model: &Model) -> Chunk {
        let all = |root: &[[f32; 3]; 4]| {
            let mut frame = [[0.0; 8]; 12];
            for (out, value) in frame.iter_mut().zip(root.iter().flatten()) {
                *out = [*value; 8];
            }
            frame
        };
        let roots: Vec<[Eights; 12]> = model.roots.iter().map(all).collect();
        let still = |capsule: &LaneCapsule| match model.roots.get(capsule.frame as usize) {
            None => [[0.0; 8]; 6],
            Some(root) => {
                let [x, y, z, t] = root;
                let at = |v: &[f32; 3], k: usize| x[k] * v[0] + y[k] * v[1] + z[k] * v[2];
                let (center, half) = (&capsule.center, &capsule.half);
                core::array::from_fn(|i| [if i < 3 { at(center, i) + t[i] } else { at(half, i - 3) }; 8])
            }
        };
        Chunk {
            columns: vec![[[0.0; 4]; 2]; model.values],
            roots,
            frames: vec![[[0.0; 8]; 12]; model.links.len() * EIGHTS],
            capsules: model.capsules.iter().map(still).collect(),
            around: vec![[[0.0; 8]; 6]; (model.crowds.len() + model.joins.len()) * EIGHTS],
            open: vec![[0; EIGHTS]; model.pairs.len()],
            numbers: vec![0; BATCH_CHUNK],
            relative: vec![[[0.0; 8]; 12]; EIGHTS],
            directions: vec![[[0.0; 8]; 3]; EIGHTS],
            bounds: vec![[0.0; 8]; EIGHTS],
            rows: vec![Row::Whole; BATCH_CHUNK],
            left: WorkList::with_capacity(BATCH_CHUNK * BATCH_LEFT),
            stages: Stages::default(),
        }
    }

    /// Numbers the poses that capsules leave of a pair; returns how many there are.
    #[inline(always)]
    pub fn compact_poses(&mut self, pair: usize, poses: &Poses) -> usize {
        let mut n = 0;
        for (word, (poses, open)) in poses.iter().zip(self.open[pair].as_chunks::<8>().0).enumerate() {
            let mut bits = poses & u64::from_le_bytes(*open);
            self.stages.capsules += (poses & !bits).count_ones() as usize;
            while bits != 0 {
                self.numbers[n] = (64 * word) as u32 + bits.trailing_zeros();
                n += 1;
                bits &= bits - 1;
            }
        }
        n
    }

    /// The poses of a block of the first `n`; the last one fills lanes that have none of their own.
    #[inline(always)]
    pub fn poses_of(&self, block: usize, n: usize) -> [u32; 8] {
        let mut poses = [0; 8];
        for (k, pose) in poses.iter_mut().enumerate() {
            *pose = self.numbers[(8 * block + k).min(n - 1)];
        }
        poses
    }

    /// Moves the lanes of a block that stay behind the first `left` poses; returns how many these are then.
    #[inline(always)]
    pub fn retain_lanes(&mut self, block: usize, mut lanes: u32, mut left: usize) -> usize {
        if lanes == 0xff && left == 8 * block {
            return left + 8;
        }
        while lanes != 0 {
            let lane = lanes.trailing_zeros() as usize;
            let (to, k) = (left / 8, left % 8);
            self.numbers[left] = self.numbers[8 * block + lane];
            self.bounds[to][k] = self.bounds[block][lane];
            for j in 0..12 {
                self.relative[to][j][k] = self.relative[block][j][lane];
            }
            for j in 0..3 {
                self.directions[to][j][k] = self.directions[block][j][lane];
            }
            left += 1;
            lanes &= lanes - 1;
        }
        left
    }

    /// Sorts the pairs that are left by row, and those of a row by their bounds: the one that overlaps the
    /// deepest comes first.
    pub fn sort_left(&mut self) {
        let order = |a: &Left, b: &Left| a.row.cmp(&b.row).then(a.bound.total_cmp(&b.bound));
        self.left.sort_unstable_by(|a, b| order(a, b).then(a.pair.cmp(&b.pair)));
    }

    /// What is known of a row, and the range of its pairs in `left`, which does not begin before `from`.
    pub fn of_row(&self, row: usize, from: usize) -> (Row, Range<usize>) {
        let count = self.left[from..].iter().take_while(|left| left.row as usize == row).count();
        (self.rows[row], from..from + count)
    }

    /// Gives the first `n` poses up, and takes them from `poses`.
    pub fn give_up(&mut self, n: usize, poses: &mut Poses) {
        self.stages.left += n;
        for pose in self.numbers[..n].iter().map(|pose| *pose as usize) {
            self.rows[pose] = Row::Whole;
            poses[pose / 64] &= !(1 << (pose % 64));
        }
    }

    /// Keeps the first `n` poses of a pair to be asked.
    pub fn queue_poses(&mut self, pair: usize, n: usize) {
        self.stages.left += n;
        for (k, pose) in self.numbers[..n].iter().enumerate() {
            if self.left.len() == self.left.capacity() {
                self.rows[*pose as usize] = Row::Whole;
                self.stages.overflowed += 1;
            } else {
                let bound = self.bounds[k / 8][k % 8];
                self.left.push(Left { row: *pose, pair: pair as u32, bound });
            }
        }
    }
}
