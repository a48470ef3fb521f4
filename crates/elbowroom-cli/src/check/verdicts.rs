//! Samples of which nothing is told but how many have which verdict, and the first that fails: a test without
//! lines of JSON and without a page. They are asked in batches, which have the verdicts of single samples.

use crate::arguments::check::{AskChoice, CheckArguments};
use crate::limits;
use elbowroom::{Batch, Question, Verdict, World};

/// A batch of a thread, with its rows and their verdicts.
#[derive(Clone)]
pub struct Verdicts<'w> {
    batch: Batch<'w>,
    values: Vec<f64>,
    verdicts: Vec<Verdict>,
}

impl<'w> Verdicts<'w> {
    /// A batch for `count` samples. `None` if more than verdicts is wanted (`more` is one reason), or if
    /// single questions are quicker.
    pub fn new_if_useful(
        arguments: &CheckArguments,
        world: &'w World,
        question: &Question,
        count: usize,
        more: bool,
    ) -> Option<Verdicts<'w>> {
        let more = more || arguments.all_pairs || arguments.report.is_some() || arguments.continuous;
        if more || arguments.ask != AskChoice::Test || arguments.ignore_limits || count < limits::BATCH_LEAST
        {
            return None;
        }
        let batch = Batch::new(world);
        let quick = batch.uses_sieve(question);
        quick.then(|| Verdicts { batch, values: Vec::new(), verdicts: Vec::new() })
    }

    /// The verdicts of these poses.
    pub fn ask_poses(&mut self, rows: &[Vec<f64>], question: &Question) -> &[Verdict] {
        self.values.clear();
        self.values.extend(rows.iter().flatten());
        self.verdicts.clear();
        self.verdicts.resize(rows.len(), Verdict::Unknown);
        // Values were checked before. What is refused all the same stays unknown.
        let _ = self.batch.test(&self.values, question, &mut self.verdicts);
        &self.verdicts
    }
}
