//! Rows of joint values, answered on one thread.

use super::chunk::{Chunk, Row};
use super::fault::{BatchCounts, BatchFault};
use super::model::Model;
use super::sieve::Sift;
use crate::model::world::World;
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
use alloc::vec::Vec;
use core::ops::Range;

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
    /// The model and a chunk, if lanes can be used.
    pub(super) lanes: Option<(Model, Chunk)>,
}

impl<'w> Batch<'w> {
    /// A batch for a world. It allocates everything here.
    pub fn new(world: &'w World) -> Batch<'w> {
        let lanes = Model::new(world).map(|model| {
            let chunk = Chunk::new(&model);
            (model, chunk)
        });
        Batch { checker: Checker::new(world), lanes }
    }

    /// Takes over from a checker of the same world where movable bodies are, who carries them, and which
    /// pairs are allowed: poses are then asked with these. False for a checker of another world, from which
    /// nothing is taken.
    pub fn take_places(&mut self, checker: &Checker) -> bool {
        self.checker.space.take_places(&checker.space)
    }

    /// Bytes that it has on the heap.
    pub(crate) fn heap_bytes(&self) -> usize {
        let lanes = self.lanes.as_ref().map_or(0, |(model, chunk)| model.heap_bytes() + chunk.heap_bytes());
        self.checker.space.heap_bytes() + lanes
    }

    /// The world that it asks.
    pub fn world(&self) -> &'w World {
        self.checker.world()
    }

    /// Whether tests with this margin go through the sieve, or are asked one by one all the same.
    pub fn sieves(&self, question: &Question) -> bool {
        let margin = Resolved::new(question, self.world()).margin;
        // Lanes decide verdicts only for an ordinary margin, and only if all pairs that the model lacks are
        // proved to stay beyond that margin.
        let usable = |model: &Model| !model.pairs.is_empty() && model.floor > margin;
        // Lanes do not know which pairs a checker allows for the time being, so they are used only if there
        // are none.
        let all = self.checker.space.pose.policy.is_empty() && !self.world().blind;
        self.lanes.as_ref().is_some_and(|(model, _)| usable(model)) && all && margin >= 0.0
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
        let by_lanes = self.sieves(question);
        // Warm starts change last digits, and so a verdict where bodies touch. Without them, verdicts do not
        // depend on which thread has which rows.
        self.checker.space.work.starts.cold = true;
        let counts = self.answer(values, verdicts.len(), |batch, chunk, rows, tally| {
            if by_lanes {
                batch.sift(chunk, rows.len(), asked);
            }
            let width = batch.world().kinematics.value_names.len();
            let mut next = 0;
            for (k, row) in rows.enumerate() {
                let (known, own) = match &batch.lanes {
                    Some((_, found)) if by_lanes => found.of_row(k, next),
                    _ => (Row::Whole, 0..0),
                };
                next = own.end;
                let values = &chunk[k * width..(k + 1) * width];
                verdicts[row] = match known {
                    Row::Sieved if !own.is_empty() => batch.ask(values, asked, Some(own), row, tally),
                    Row::Whole => batch.ask(values, asked, None, row, tally),
                    Row::Sieved | Row::Overlap => {
                        tally.counts.by_lanes += 1;
                        verdicts[row] =
                            if known == Row::Overlap { Verdict::Collision } else { Verdict::Clear };
                        continue;
                    }
                }
                .map_or(Verdict::Unknown, |answer| answer.verdict);
            }
        });
        self.checker.space.work.starts.cold = false;
        counts
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
                let values = &chunk[k * width..(k + 1) * width];
                if let Some(answer) = batch.ask(values, asked, None, row, tally) {
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
        mut each: impl FnMut(&mut Batch<'w>, &[f64], Range<usize>, &mut Tally),
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

    /// Sieves the poses of a chunk.
    fn sift(&mut self, values: &[f64], count: usize, asked: Resolved) {
        let proofs = &self.world().proofs;
        let Some((model, chunk)) = &mut self.lanes else { return };
        let (heights, insides, target) =
            (&proofs.heights, proofs.insides(asked.geometry), round_up(asked.margin));
        dispatch(Sift { model, chunk, values, count, heights, insides, target });
        chunk.sort_left();
    }

    /// Asks one row: of the sieve's pairs that stay open, those of a range, or else all. `None` if it is not
    /// a configuration.
    fn ask(
        &mut self,
        values: &[f64],
        asked: Resolved,
        open: Option<Range<usize>>,
        row: usize,
        tally: &mut Tally,
    ) -> Option<Answer> {
        if let Err(fault) = self.checker.set(values) {
            tally.refused += 1;
            if tally.first.len() < BATCH_FAULTS {
                tally.first.push((row, fault));
            }
            return None;
        }
        let space = &mut self.checker.space;
        let answer = match (open, &self.lanes) {
            (Some(open), Some((_, chunk))) => {
                search::of_listed(space, asked, chunk.left[open].iter().map(|left| left.pair))
            }
            _ => search::smallest(space, asked),
        };
        tally.counts.shape_queries += answer.counts.shape_queries;
        Some(answer)
    }
}

/// Counts and faults of a batch.
struct Tally {
    counts: BatchCounts,
    /// The first rows that were refused, and why.
    first: Vec<(usize, PoseFault)>,
    refused: usize,
}
