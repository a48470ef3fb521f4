//! Scratch of the search through crowds of fixed shapes.

use crate::bounds::hierarchy::{WideQuery, WideScratch};
use crate::bounds::tolerance::OPEN_LIST;
use crate::model::world::World;
use crate::numeric::work_list::WorkList;
use crate::pose::frames::Pose;
use crate::query::counts::{Counts, Outcome};
use crate::query::tolerance::LEAVES_WAITING;
use alloc::vec;
use alloc::vec::Vec;

/// Scratch of the search; a checker keeps it.
#[derive(Clone, Debug)]
pub(crate) struct CrowdWork {
    /// The boxes around moving bodies and groups of them, by node of the crowd tree.
    pub queries: WorkList<WideQuery>,
    pub scratch: WideScratch,
    pub waiting: WaitingLeaves,
}

impl CrowdWork {
    pub fn new(world: &World) -> CrowdWork {
        let crowds = world.checks.pairs.crowds.len();
        let pairs = if world.bounds.fixed.shared { crowds * world.checks.pairs.fixed.len() } else { 0 };
        let asked = Asked { last: vec![0; pairs], search: 0 };
        let waiting = WaitingLeaves { candidates: WorkList::with_capacity(LEAVES_WAITING), asked };
        let nodes = world.bounds.crowd_tree.len();
        let scratch = WideScratch::for_levels(world.bounds.fixed.max_levels(), crowds, OPEN_LIST);
        CrowdWork { queries: WorkList::with_capacity(nodes), scratch, waiting }
    }

    /// Prepares a search at a pose.
    pub fn start_search(&mut self, pose: &Pose) {
        let world = pose.world;
        let (crowds, tree) = (&world.bounds.crowds, &world.bounds.crowd_tree);
        pose.queries_around(crowds, tree, &world.bounds.fixed.origin(), &mut self.queries);
        self.waiting.start_search();
    }
}

/// Which pairs of bodies were asked in this search. A pair counts once, however many of its shapes are asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// By crowd and fixed body, the number of the search that asked the pair last, plus 1 if its outcome was
    /// unknown. Empty where every fixed body has one shape.
    pub last: Vec<u32>,
    /// The number of this search, which is even.
    pub search: u32,
}

impl Asked {
    /// Whether a pair was asked in this search. Not known where every fixed body has one shape.
    pub fn has_pair(&self, at: usize) -> bool {
        self.last.get(at).is_some_and(|last| *last & !1 == self.search)
    }

    /// Counts a pair of bodies once: as unknown if the outcome for one of its shapes is unknown.
    pub fn count_pair_once(&mut self, at: usize, outcome: Outcome, counts: &mut Counts) {
        let Some(last) = self.last.get_mut(at) else {
            counts.count_pair(outcome);
            return;
        };
        let unknown = u32::from(outcome == Outcome::Unknown);
        if *last & !1 != self.search {
            *last = self.search | unknown;
            counts.count_pair(outcome);
        } else if *last & 1 == 0 && outcome == Outcome::Unknown {
            *last |= 1;
            (counts.proved, counts.unknown) = (counts.proved - 1, counts.unknown + 1);
        }
    }
}

/// A moving body and a fixed shape to be asked, with a lower bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub bound: f64,
    pub crowd: u32,
    pub leaf: u32,
}

/// Leaves of the tree that wait to be asked, in the order of a better bound than the tree's.
#[derive(Clone, Debug)]
pub(crate) struct WaitingLeaves {
    /// The nearest is last; of equals, the one that came first.
    pub candidates: WorkList<Candidate>,
    pub asked: Asked,
}

impl WaitingLeaves {
    /// Begins a search: nothing waits, and no pair was asked.
    pub fn start_search(&mut self) {
        self.candidates.clear();
        self.asked.search += 2;
        if self.asked.search >= u32::MAX - 1 {
            self.asked.last.fill(0);
            self.asked.search = 2;
        }
    }

    /// The bound of the leaf that is asked next.
    #[inline]
    pub fn next_bound(&self) -> Option<f64> {
        self.candidates.last().map(|candidate| candidate.bound)
    }
}
