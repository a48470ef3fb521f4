//! A running search.

use super::best::Best;
use super::scope::Scope;
use crate::model::world::World;
use crate::query::answer::Answer;
use crate::query::counts::Counts;
use crate::query::workspace::Workspace;

/// The workspace of a search, the pairs it is about, and its state.
pub(super) struct PairSearch<'s, 'w> {
    pub world: &'w World,
    pub space: &'s mut Workspace<'w>,
    pub scope: Scope<'w>,
    pub best: Best,
}

impl PairSearch<'_, '_> {
    /// The answer, once no pair that is left can change it.
    pub fn finish(mut self) -> Answer {
        self.refine_pairs();
        with_work(self.best.finish(), self.space)
    }
}

/// An answer with the counts of its shape queries.
pub(super) fn with_work(answer: Answer, space: &Workspace) -> Answer {
    let (shape_queries, steps) = (space.work.queries, space.work.steps);
    Answer { counts: Counts { shape_queries, steps, ..answer.counts }, ..answer }
}
