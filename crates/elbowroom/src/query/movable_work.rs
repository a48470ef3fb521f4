//! Scratch of the search among movable bodies.

use crate::bounds::hierarchy::{WideQuery, WideScratch, WideTree};
use crate::bounds::tolerance::OPEN_LIST;
use crate::model::id::PairId;
use crate::model::movable_pairs::MovablePartner;
use crate::model::world::World;
use crate::numeric::work_list::WorkList;
use crate::pose::frames::Pose;
use crate::query::counts::{Counts, Outcome};
use crate::query::tolerance::{LEAVES_WAITING, PAIRS_COUNTED};

/// Scratch of the search; a checker keeps it.
#[derive(Clone, Debug)]
pub(crate) struct MovableWork {
    /// Boxes that are searched with: around bodies, and around groups of them.
    pub queries: WorkList<WideQuery>,
    /// The movable bodies that links carry.
    pub held: WorkList<u32>,
    pub among_movable: WideScratch,
    pub among_still: WideScratch,
    /// Pairs that wait to be asked, in the order of their bounds; the nearest is last.
    pub waiting: WorkList<WaitingPair>,
    pub counted: Counted,
}

impl MovableWork {
    /// For a world with these movable bodies.
    pub fn new(world: &World, tree: &WideTree) -> MovableWork {
        let pairs = &world.checks.pairs.movable;
        let nodes = world.movables.moving_tree.len();
        let queries = nodes.max(pairs.movable.len());
        MovableWork {
            queries: WorkList::with_capacity(queries),
            held: WorkList::with_capacity(pairs.movable.len()),
            among_movable: WideScratch::new(tree, queries),
            among_still: WideScratch::for_levels(world.bounds.fixed.max_levels(), queries, OPEN_LIST),
            waiting: WorkList::with_capacity(LEAVES_WAITING),
            counted: Counted { asked: WorkList::with_capacity(PAIRS_COUNTED) },
        }
    }

    /// Notes which bodies links carry.
    pub fn fill_held(&mut self, pose: &Pose) {
        self.held.clear();
        self.held.extend(pose.placements().iter().flat_map(|placements| &placements.held));
    }
}

/// A pair of a movable body that waits to be asked, with a lower bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WaitingPair {
    pub pair: PairId,
    pub movable: u32,
    pub partner: MovablePartner,
    /// The one shape of the partner that is asked; `None` where it is all of them.
    pub shape: Option<u32>,
    /// Metres.
    pub bound: f64,
}

/// The pairs that were asked in this search, so that one counts once, however many of its shapes are asked.
#[derive(Clone, Debug)]
pub(crate) struct Counted {
    pub asked: WorkList<(PairId, Outcome)>,
}

impl Counted {
    /// Counts a pair once: as unknown if the outcome for one of its shapes is unknown. If there is no room
    /// for another pair, a proved one counts with those that bounds decided; an unknown one takes the place
    /// of one that is proved and counted already, so that it is told.
    pub fn count_pair_once(&mut self, pair: PairId, outcome: Outcome, counts: &mut Counts) {
        if let Some((_, known)) = self.asked.iter_mut().find(|(other, _)| *other == pair) {
            if *known == Outcome::Proved && outcome == Outcome::Unknown {
                *known = outcome;
                (counts.proved, counts.unknown) = (counts.proved - 1, counts.unknown + 1);
            }
        } else if self.asked.len() < self.asked.capacity() {
            self.asked.push((pair, outcome));
            counts.count_pair(outcome);
        } else if outcome == Outcome::Unknown
            && let Some(place) = self.asked.iter_mut().find(|(_, known)| *known == Outcome::Proved)
        {
            *place = (pair, outcome);
            counts.count_pair(outcome);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_pair_is_told_without_room_for_it() {
        let (mut counted, mut counts) = (Counted { asked: WorkList::with_capacity(4) }, Counts::default());
        let room = counted.asked.capacity() as u32;
        (0..room + 2).for_each(|pair| counted.count_pair_once(PairId(pair), Outcome::Proved, &mut counts));
        assert_eq!((counts.proved, counts.unknown), (room as usize, 0));
        // Two of its shapes are unknown: it counts once.
        (0..2).for_each(|_| counted.count_pair_once(PairId(room), Outcome::Unknown, &mut counts));
        counted.count_pair_once(PairId(1), Outcome::Unknown, &mut counts);
        assert_eq!((counts.proved, counts.unknown), (room as usize - 1, 2));
        assert_eq!(counted.asked.capacity(), room as usize, "it allocated");
    }
}
