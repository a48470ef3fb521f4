//! Batches on all threads: chunks of rows, a [`Batch`] on each thread.

use super::fault::{BatchCounts, BatchFault};
use super::rows::Batch;
use crate::query::answer::Answer;
use crate::query::asked_world::AskedWorld;
use crate::query::question::Question;
use crate::query::tolerance::{BATCH_CHUNK, BATCH_FAULTS};
use elbowroom_pair::Verdict;
use rayon::prelude::*;

/// [`Batch::test`] on the threads of the current rayon pool: in a world as it was compiled (`&world`), or
/// with the changes of a checker (`&checker`). Verdicts do not depend on the number of threads.
///
/// # Errors
/// Those of [`Batch::test`].
pub fn test_on_threads<'a>(
    asked: impl Into<AskedWorld<'a>>,
    values: &[f64],
    question: &Question,
    verdicts: &mut [Verdict],
) -> Result<BatchCounts, BatchFault> {
    test_rows(asked.into(), values, question, verdicts)
}

/// [`Batch::ask`] on the threads of the current rayon pool: in a world as it was compiled (`&world`), or with
/// the changes of a checker (`&checker`).
///
/// ```
/// use elbowroom::batch::ask_on_threads;
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::math::{Transform, vec3};
/// use elbowroom::{Answer, Checker, Question, World};
///
/// // The rod of the crate's first example, and a post that can be moved.
/// let mut description = rod_and_post();
/// description.obstacles[0].movable = true;
/// let world = World::compile(&description)?;
/// let mut checker = Checker::new(&world);
/// let post = world.body_by_name("world/post").expect("it is there");
/// checker.place(post, &Transform::from_translation(vec3(1.5, 0.0, 0.0)))?;
///
/// let mut answers = [Answer::default(); 2];
/// ask_on_threads(&checker, &[0.0, 1.0], &Question::distance(), &mut answers)?;
/// assert!(answers[0].interval.contains(0.2) && answers[1].interval.lower > 0.2);
/// ask_on_threads(&world, &[0.0, 1.0], &Question::distance(), &mut answers)?;
/// assert!(answers[0].interval.lower > 1.0, "where it was described");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Those of [`Batch::ask`].
pub fn ask_on_threads<'a>(
    asked: impl Into<AskedWorld<'a>>,
    values: &[f64],
    question: &Question,
    answers: &mut [Answer],
) -> Result<BatchCounts, BatchFault> {
    ask_rows(asked.into(), values, question, answers)
}

// Not generic, so that they are compiled here and not in each crate that calls.

fn test_rows(
    asked: AskedWorld,
    values: &[f64],
    question: &Question,
    verdicts: &mut [Verdict],
) -> Result<BatchCounts, BatchFault> {
    on_threads(asked, values, verdicts, |batch, values, verdicts| batch.test(values, question, verdicts))
}

fn ask_rows(
    asked: AskedWorld,
    values: &[f64],
    question: &Question,
    answers: &mut [Answer],
) -> Result<BatchCounts, BatchFault> {
    on_threads(asked, values, answers, |batch, values, answers| batch.ask(values, question, answers))
}

fn on_threads<T: Send>(
    asked: AskedWorld,
    values: &[f64],
    answers: &mut [T],
    ask: impl Fn(&mut Batch, &[f64], &mut [T]) -> Result<BatchCounts, BatchFault> + Sync,
) -> Result<BatchCounts, BatchFault> {
    let width = asked.world().kinematics.dof_names.len();
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
        .map_init(|| Batch::in_asked_world(asked), |batch, (i, answers)| ask(batch, chunk(i), answers));
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
