//! Batches on all threads: chunks of rows, a [`Batch`] on each thread.

use super::fault::{BatchCounts, BatchFault};
use super::rows::Batch;
use crate::model::world::World;
use crate::query::answer::Answer;
use crate::query::question::Question;
use crate::query::tolerance::{BATCH_CHUNK, BATCH_FAULTS};
use elbowroom_pair::Verdict;
use rayon::prelude::*;

/// [`Batch::test`] on the threads of the current rayon pool. Verdicts do not depend on the number of
/// threads.
///
/// # Errors
/// Those of [`Batch::test`].
pub fn test_on_threads(
    world: &World,
    values: &[f64],
    question: &Question,
    verdicts: &mut [Verdict],
) -> Result<BatchCounts, BatchFault> {
    on_threads(world, values, verdicts, |batch, values, answers| batch.test(values, question, answers))
}

/// [`Batch::ask`] on the threads of the current rayon pool.
///
/// # Errors
/// Those of [`Batch::ask`].
pub fn ask_on_threads(
    world: &World,
    values: &[f64],
    question: &Question,
    answers: &mut [Answer],
) -> Result<BatchCounts, BatchFault> {
    on_threads(world, values, answers, |batch, values, answers| batch.ask(values, question, answers))
}

fn on_threads<T: Send>(
    world: &World,
    values: &[f64],
    answers: &mut [T],
    ask: impl Fn(&mut Batch, &[f64], &mut [T]) -> Result<BatchCounts, BatchFault> + Sync,
) -> Result<BatchCounts, BatchFault> {
    let width = world.kinematics.dof_names.len();
    let expected = answers.len().saturating_mul(width);
    if expected != values.len() {
        return Err(BatchFault::WrongSize { expected, given: values.len() });
    }
    let chunk = |number: usize| {
        let start = number * BATCH_CHUNK * width;
        &values[start..(start + BATCH_CHUNK * width).min(values.len())]
    };
    let results = answers
        .par_chunks_mut(BATCH_CHUNK)
        .enumerate()
        .map_init(|| Batch::new(world), |batch, (i, answers)| ask(batch, chunk(i), answers));
    // Collected in the order of the rows, so the named faults do not depend on threads.
    let results: alloc::vec::Vec<_> = results.collect();
    let mut all = BatchCounts { poses: answers.len(), ..BatchCounts::default() };
    let (mut named, mut refused) = (alloc::vec::Vec::new(), 0);
    for (i, counts) in results.into_iter().enumerate() {
        match counts {
            Ok(counts) => {
                all.by_lanes += counts.by_lanes;
                all.shape_queries += counts.shape_queries;
            }
            Err(BatchFault::Poses { first, count }) => {
                refused += count;
                let left = BATCH_FAULTS - named.len();
                named.extend(first.into_iter().take(left).map(|(row, fault)| (row + i * BATCH_CHUNK, fault)));
            }
            Err(other) => return Err(other),
        }
    }
    if refused == 0 { Ok(all) } else { Err(BatchFault::Poses { first: named, count: refused }) }
}
