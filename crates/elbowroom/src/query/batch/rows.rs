//! Rows of joint values, answered on one thread.

use super::chunk::{Chunk, Row};
use super::crowds::Crowds;
use super::fault::{BatchCounts, BatchFault};
use super::model::Model;
use super::sieve::Sift;
use crate::model::world::World;
use crate::pose::fault::PoseFault;
use crate::query::answer::Answer;
#[cfg(feature = "rayon")]
use crate::query::asked_world::AskedWorld;
use crate::query::checker::Checker;
use crate::query::question::Question;
use crate::query::resolved::Resolved;
use crate::query::search;
use crate::query::tolerance::{BATCH_CHUNK, BATCH_FAULTS};
use alloc::vec::Vec;
use core::ops::Range;
use elbowroom_describe::math::round_up;
use elbowroom_pair::Ask;
use elbowroom_pair::Verdict;
use elbowroom_pair::numeric::simd::dispatch_kernel;

/// Asks many poses of a world in one call.
///
/// ```
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::{Answer, Batch, Question, Verdict, World};
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = World::compile(&rod_and_post())?;
/// let mut batch = Batch::new(&world);
/// // A row for each pose: here of one joint value.
/// let rows = [0.0, 1.0, 1.5];
/// let mut verdicts = [Verdict::Unknown; 3];
/// let counts = batch.test(&rows, &Question::test(), &mut verdicts)?;
/// assert_eq!(verdicts, [Verdict::Clear, Verdict::Clear, Verdict::Collision]);
/// assert_eq!(counts.poses, 3);
///
/// let mut answers = [Answer::default(); 3];
/// batch.ask(&rows, &Question::distance(), &mut answers)?;
/// // The distance of the centres is a chord of the unit circle.
/// assert!(answers[0].interval.contains(2.0_f64.sqrt() - 0.3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch<'w> {
    checker: Checker<'w>,
    /// The model and a chunk, if lanes can be used.
    pub(super) lanes: Option<(Model, Chunk)>,
    /// For the pairs of fixed shapes, if lanes are used and there are any.
    pub(super) crowds: Option<Crowds>,
}

impl<'w> Batch<'w> {
    /// A batch for a world. It allocates everything here.
    pub fn new(world: &'w World) -> Batch<'w> {
        let lanes = Model::new(world).map(|model| {
            let chunk = Chunk::new(&model);
            (model, chunk)
        });
        let crowds = Crowds::new(world).filter(|_| lanes.is_some());
        Batch { checker: Checker::new(world), lanes, crowds }
    }

    /// Takes over from a checker of the same world where movable bodies are, who carries them, and which
    /// pairs are allowed: poses are then asked with these. False for a checker of another world, from which
    /// nothing is taken.
    pub fn copy_state_from(&mut self, checker: &Checker) -> bool {
        self.checker.space.copy_state_from(&checker.space)
    }

    /// A batch with the changes of what is asked.
    #[cfg(feature = "rayon")]
    pub(super) fn in_asked_world(asked: AskedWorld<'w>) -> Batch<'w> {
        let mut batch = Batch::new(asked.world());
        if let AskedWorld::Changed(checker) = asked {
            batch.copy_state_from(checker);
        }
        batch
    }

    /// The world that it asks.
    pub fn world(&self) -> &'w World {
        self.checker.world()
    }

    /// Whether tests with this margin go through the sieve, or are asked one by one all the same.
    pub fn uses_sieve(&self, question: &Question) -> bool {
        let margin = question.policy.margin_in(self.world());
        // Lanes decide verdicts only for an ordinary margin, and only if all pairs that the model lacks are
        // proved to stay beyond that margin.
        let usable =
            |model: &Model| (!model.pairs.is_empty() || !model.crowds.is_empty()) && model.floor > margin;
        let some = !self.world().checks.pairs.is_empty();
        // Lanes do not know which pairs a checker allows for the time being, so they are used only if there
        // are none.
        let all = self.checker.space.pose.allowed_now.is_empty() && !self.world().blind;
        self.lanes.as_ref().is_some_and(|(model, _)| usable(model)) && all && some && margin >= 0.0
    }

    /// The verdict of each pose. It is that of [`Checker::ask`] for a test with this margin and geometry,
    /// without warm starts. `values` has one row of the world's joint values for each verdict (radians,
    /// metres; see [`World::dof_names`]).
    ///
    /// # Errors
    /// The array has the wrong length; or some rows are not configurations: these get [`Verdict::Unknown`]
    /// and are named.
    pub fn test(
        &mut self,
        values: &[f64],
        question: &Question,
        verdicts: &mut [Verdict],
    ) -> Result<BatchCounts, BatchFault> {
        let asked = Resolved { ask: Ask::Test, ..Resolved::new(question, self.world()) };
        let by_lanes = self.uses_sieve(question);
        // Warm starts change last digits, and so a verdict where bodies touch. Without them, verdicts do not
        // depend on which thread has which rows.
        self.checker.space.work.starts.cold = true;
        let counts = self.for_each_chunk(values, verdicts.len(), |batch, chunk, rows, tally| {
            if by_lanes {
                batch.sieve_chunk(chunk, rows.len(), asked);
            }
            let width = batch.world().kinematics.dof_names.len();
            let mut next = 0;
            for (k, row) in rows.enumerate() {
                let (known, own) = match &batch.lanes {
                    Some((_, found)) if by_lanes => found.of_row(k, next),
                    _ => (Row::Whole, 0..0),
                };
                next = own.end;
                let values = &chunk[k * width..(k + 1) * width];
                let verdict = match known {
                    Row::Sieved if own.is_empty() && batch.crowds.is_none() => {
                        tally.counts.by_lanes += 1;
                        Some(Verdict::Clear)
                    }
                    Row::Sieved => batch.ask_open(values, asked, own, [k, row], tally),
                    Row::Whole => batch.answer_row(values, asked, row, tally).map(|answer| answer.verdict),
                    Row::Overlap => {
                        tally.counts.by_lanes += 1;
                        Some(Verdict::Collision)
                    }
                };
                verdicts[row] = verdict.unwrap_or(Verdict::Unknown);
            }
        });
        self.checker.space.work.starts.cold = false;
        counts
    }

    /// The answer of each pose: that of [`Checker::ask`]. `values` has one row for each answer. Lanes are
    /// not used here: a smallest distance needs shapes at every pose.
    ///
    /// # Errors
    /// The array has the wrong length; or some rows are not configurations: these leave their answers as they
    /// were, and are named.
    pub fn ask(
        &mut self,
        values: &[f64],
        question: &Question,
        answers: &mut [Answer],
    ) -> Result<BatchCounts, BatchFault> {
        let asked = Resolved::new(question, self.world());
        self.for_each_chunk(values, answers.len(), |batch, chunk, rows, tally| {
            let width = batch.world().kinematics.dof_names.len();
            for (k, row) in rows.enumerate() {
                // Answers do not depend on which thread has which chunk.
                if k == 0 || asked.ask == Ask::Test {
                    batch.checker.forget_history();
                }
                let values = &chunk[k * width..(k + 1) * width];
                if let Some(answer) = batch.answer_row(values, asked, row, tally) {
                    answers[row] = answer;
                }
            }
        })
    }

    /// Gives `each` one chunk of rows after another: the values, and the numbers of the rows.
    fn for_each_chunk(
        &mut self,
        values: &[f64],
        count: usize,
        mut each: impl FnMut(&mut Batch<'w>, &[f64], Range<usize>, &mut Tally),
    ) -> Result<BatchCounts, BatchFault> {
        let width = self.world().kinematics.dof_names.len();
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
    fn sieve_chunk(&mut self, values: &[f64], count: usize, asked: Resolved) {
        let proofs = &self.world().proofs;
        let Some((model, chunk)) = &mut self.lanes else { return };
        let (heights, insides, prune_above) =
            (&proofs.heights, proofs.insides(asked.geometry), round_up(asked.margin));
        dispatch_kernel(Sift { model, chunk, values, count, heights, insides, prune_above });
        chunk.sort_left();
    }

    /// The verdict of one row by what the sieve leaves of it: a range of its listed pairs, and what it finds
    /// among the fixed shapes. The row has a number in its chunk and one in the batch. `None` if it is not a
    /// configuration.
    fn ask_open(
        &mut self,
        values: &[f64],
        asked: Resolved,
        mut own: Range<usize>,
        [in_chunk, row]: [usize; 2],
        tally: &mut Tally,
    ) -> Option<Verdict> {
        let mut told: Option<Verdict> = None;
        self.start_crowds(in_chunk);
        loop {
            let last = self.find_among_fixed(in_chunk, asked.margin);
            let leaves = self.crowds.as_ref().map_or(&[][..], |crowds| &crowds.open);
            if !own.is_empty() || !leaves.is_empty() {
                if told.is_none() && !set_row(&mut self.checker, values, row, tally) {
                    return None;
                }
                let (space, Some((_, chunk))) = (&mut self.checker.space, &self.lanes) else { return None };
                let listed = chunk.left[own.clone()].iter().map(|left| left.pair);
                let answer = search::of_open(space, asked, listed, leaves);
                tally.counts.shape_queries += answer.counts.shape_queries;
                own.start = own.end;
                told = Some(told.map_or(answer.verdict, |before| worse_verdict(before, answer.verdict)));
            }
            if last || told == Some(Verdict::Collision) {
                break;
            }
        }
        tally.counts.by_lanes += usize::from(told.is_none());
        Some(told.unwrap_or(Verdict::Clear))
    }

    /// Begins to look among the fixed shapes, in a row of the chunk.
    fn start_crowds(&mut self, row: usize) {
        let (Some((model, chunk)), Some(crowds)) = (&self.lanes, &mut self.crowds) else { return };
        let nodes = model.crowds.len() + model.joins.len();
        crowds.start_pose(self.checker.world(), &chunk.around[row / 8 * nodes..][..nodes], row % 8);
    }

    /// Goes on with that. True if there is nothing more.
    fn find_among_fixed(&mut self, row: usize, margin: f64) -> bool {
        let (Some((model, chunk)), Some(crowds)) = (&self.lanes, &mut self.crowds) else { return true };
        let links = model.links.len();
        let frames = &chunk.frames[row / 8 * links..][..links];
        crowds.find_open_pairs(model, (frames, row % 8), &self.checker.space.pose, margin)
    }

    /// Asks one row about all pairs. `None` if it is not a configuration.
    fn answer_row(
        &mut self,
        values: &[f64],
        asked: Resolved,
        row: usize,
        tally: &mut Tally,
    ) -> Option<Answer> {
        if !set_row(&mut self.checker, values, row, tally) {
            return None;
        }
        let answer = search::find_smallest(&mut self.checker.space, asked);
        tally.counts.shape_queries += answer.counts.shape_queries;
        Some(answer)
    }
}

/// Sets a row; false if it is not a configuration, which is counted.
fn set_row(checker: &mut Checker, values: &[f64], row: usize, tally: &mut Tally) -> bool {
    let told = checker.set(values);
    if let Err(fault) = told {
        tally.refused += 1;
        if tally.first.len() < BATCH_FAULTS {
            tally.first.push((row, fault));
        }
        return false;
    }
    true
}

/// The verdict of pairs that have one verdict and of others that have another.
fn worse_verdict(a: Verdict, b: Verdict) -> Verdict {
    let rank = |verdict: Verdict| match verdict {
        Verdict::Clear => 0,
        Verdict::Near | Verdict::ExpectedContact => 1,
        Verdict::Unknown => 2,
        Verdict::Collision => 3,
    };
    if rank(b) > rank(a) { b } else { a }
}

/// Counts and faults of a batch.
struct Tally {
    counts: BatchCounts,
    /// The first rows that were refused, and why.
    first: Vec<(usize, PoseFault)>,
    refused: usize,
}
