//! Rows of joint values, answered on one thread.

use super::eights::Eights;
use super::fault::{BatchCounts, BatchFault};
use super::gaps::Row;
use super::lanes::Bounds;
use super::model::Model;
use crate::model::world::World;
use crate::numeric::heap_bytes::heap_bytes;
use crate::numeric::math::round_up;
use crate::numeric::simd::dispatch;
use crate::pair::clearance::Ask;
use crate::pair::verdict::Verdict;
use crate::pose::fault::PoseFault;
use crate::query::answer::Answer;
use crate::query::checker::Checker;
use crate::query::question::Question;
use crate::query::resolved::Resolved;
use crate::query::search;
use crate::query::tolerance::{BATCH_CHUNK, BATCH_FAULTS};
use alloc::vec;
use alloc::vec::Vec;

/// Asks many poses of a world in one call.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::{Answer, Batch, Question, Verdict, World};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = World::compile(&rod_and_post([0.0, 1.0, 0.0]))?;
/// let mut batch = Batch::new(&world);
/// // A row for each pose: here of one joint value.
/// let rows = [0.0, 1.0, 1.5];
/// let mut verdicts = [Verdict::Unknown; 3];
/// let counts = batch.tests(&rows, &Question::test(), &mut verdicts)?;
/// assert_eq!(verdicts, [Verdict::Clear, Verdict::Clear, Verdict::Collision]);
/// assert_eq!(counts.poses, 3);
///
/// let mut answers = [Answer::default(); 3];
/// batch.nearest(&rows, &Question::distance(), &mut answers)?;
/// // The distance of the centres is a chord of the unit circle.
/// assert!(answers[0].interval.contains(2.0_f64.sqrt() - 0.3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch<'w> {
    checker: Checker<'w>,
    model: Option<Model>,
    frames: Vec<[Eights; 12]>,
    capsules: Vec<[Eights; 6]>,
    lanes: Vec<Row>,
}

impl<'w> Batch<'w> {
    /// A batch for a world. It allocates everything here.
    pub fn new(world: &'w World) -> Batch<'w> {
        let model = Model::new(world);
        let (mut frames, mut capsules) = (Vec::new(), 0);
        if let Some(model) = &model {
            let all = |root: &[[f32; 3]; 4]| {
                let mut frame = [[0.0; 8]; 12];
                for (out, value) in frame.iter_mut().zip(root.iter().flatten()) {
                    *out = [*value; 8];
                }
                frame
            };
            frames = model.roots.iter().map(all).collect();
            frames.resize(model.roots.len() + model.links.len(), [[0.0; 8]; 12]);
            capsules = model.capsules.len();
        }
        let (capsules, lanes) = (vec![[[0.0; 8]; 6]; capsules], vec![Row::Open; BATCH_CHUNK]);
        Batch { checker: Checker::new(world), model, frames, capsules, lanes }
    }

    /// Bytes that it has on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let model = self.model.as_ref().map_or(0, Model::heap_bytes);
        self.checker.space.heap_bytes()
            + model
            + heap_bytes(&self.frames)
            + heap_bytes(&self.capsules)
            + heap_bytes(&self.lanes)
    }

    /// The world that it asks.
    pub fn world(&self) -> &'w World {
        self.checker.world()
    }

    /// The verdict of each pose. It is that of [`Checker::nearest`] for a test with this margin and geometry,
    /// without warm starts. `values` has one row of the world's joint values for each verdict (radians,
    /// metres; see [`World::value_names`]).
    ///
    /// # Errors
    /// The array has the wrong length; or some rows are not configurations: these get [`Verdict::Unknown`]
    /// and are named.
    pub fn tests(
        &mut self,
        values: &[f64],
        question: &Question,
        verdicts: &mut [Verdict],
    ) -> Result<BatchCounts, BatchFault> {
        let asked = Resolved { ask: Ask::Test, ..Resolved::new(question, self.world()) };
        // Lanes decide verdicts only for an ordinary margin, and only if all pairs that the model lacks are
        // proved to stay beyond that margin.
        let floor = self.model.as_ref().map_or(f64::NEG_INFINITY, |model| model.floor);
        let by_lanes = !self.world().blind && floor > asked.margin && asked.margin >= 0.0;
        self.answer(values, verdicts.len(), |batch, chunk, rows, tally| {
            if by_lanes {
                batch.bound_rows(chunk, rows.len(), round_up(asked.margin));
            } else {
                batch.leave_open(rows.len());
            }
            let width = batch.world().kinematics.value_names.len();
            for (k, row) in rows.enumerate() {
                let decided = match batch.lanes[k] {
                    Row::Clear => Some(Verdict::Clear),
                    Row::Overlap => Some(Verdict::Collision),
                    Row::Open => None,
                };
                if let Some(verdict) = decided {
                    tally.counts.by_lanes += 1;
                    verdicts[row] = verdict;
                    continue;
                }
                // Warm starts change last digits, and so a verdict where bodies touch. Without them, verdicts
                // do not depend on which thread has which rows.
                batch.checker.forget();
                let answer = batch.ask(&chunk[k * width..(k + 1) * width], asked, row, tally);
                verdicts[row] = answer.map_or(Verdict::Unknown, |answer| answer.verdict);
            }
        })
    }

    /// The answer of each pose: that of [`Checker::nearest`]. `values` has one row for each answer. Lanes are
    /// not used here: a smallest distance needs shapes at every pose.
    ///
    /// # Errors
    /// The array has the wrong length; or some rows are not configurations: these leave their answers as they
    /// were, and are named.
    pub fn nearest(
        &mut self,
        values: &[f64],
        question: &Question,
        answers: &mut [Answer],
    ) -> Result<BatchCounts, BatchFault> {
        let asked = Resolved::new(question, self.world());
        self.answer(values, answers.len(), |batch, chunk, rows, tally| {
            let width = batch.world().kinematics.value_names.len();
            for (k, row) in rows.enumerate() {
                // Answers do not depend on which thread has which chunk.
                if k == 0 || asked.ask == Ask::Test {
                    batch.checker.forget();
                }
                if let Some(answer) = batch.ask(&chunk[k * width..(k + 1) * width], asked, row, tally) {
                    answers[row] = answer;
                }
            }
        })
    }

    /// Gives `each` one chunk of rows after another: the values, and the numbers of the rows.
    fn answer(
        &mut self,
        values: &[f64],
        count: usize,
        mut each: impl FnMut(&mut Batch<'w>, &[f64], core::ops::Range<usize>, &mut Tally),
    ) -> Result<BatchCounts, BatchFault> {
        let width = self.world().kinematics.value_names.len();
        if count.checked_mul(width) != Some(values.len()) {
            return Err(BatchFault::WrongSize { expected: count.saturating_mul(width), given: values.len() });
        }
        let counts = BatchCounts { poses: count, ..BatchCounts::default() };
        let mut tally = Tally { counts, first: Vec::new(), refused: 0 };
        for start in (0..count).step_by(BATCH_CHUNK) {
            let rows = start..(start + BATCH_CHUNK).min(count);
            each(self, &values[start * width..rows.end * width], rows, &mut tally);
        }
        let Tally { counts, first, refused } = tally;
        if refused == 0 { Ok(counts) } else { Err(BatchFault::Poses { first, count: refused }) }
    }

    /// Bounds the poses of a chunk in lanes: are they beyond `target` (metres)?
    fn bound_rows(&mut self, values: &[f64], rows: usize, target: f32) {
        let world = self.world();
        let Batch { model, frames, capsules, lanes: out, .. } = self;
        let rows = &mut out[..rows];
        match model {
            Some(model) if !model.pairs.is_empty() => {
                let (heights, insides) = (&world.proofs.heights, &world.proofs.insides);
                dispatch(Bounds { model, values, frames, capsules, heights, insides, target, rows });
            }
            _ => rows.fill(Row::Open),
        }
    }

    /// Leaves all poses of a chunk to be asked by themselves.
    fn leave_open(&mut self, rows: usize) {
        self.lanes[..rows].fill(Row::Open);
    }

    /// Asks one row; `None` if it is not a configuration.
    fn ask(&mut self, values: &[f64], asked: Resolved, row: usize, tally: &mut Tally) -> Option<Answer> {
        match self.checker.set(values) {
            Ok(()) => {
                let answer = search::smallest(&mut self.checker.space, asked);
                tally.counts.shape_queries += answer.counts.shape_queries;
                Some(answer)
            }
            Err(fault) => {
                tally.refused += 1;
                if tally.first.len() < BATCH_FAULTS {
                    tally.first.push((row, fault));
                }
                None
            }
        }
    }
}

/// Counts and faults of a batch.
struct Tally {
    counts: BatchCounts,
    /// The first rows that were refused, and why.
    first: Vec<(usize, PoseFault)>,
    refused: usize,
}
