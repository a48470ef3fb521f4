//! Warm starts: a shape query starts from what the last query of the same two shapes left, and a search from
//! the pair that was the nearest. They change how fast an answer comes, and its last digits, but never what
//! is proved.

use crate::model::id::{PairId, ShapeId};
use crate::model::world::World;
use crate::query::tolerance::{CROWD_SLOTS, SAME_NEAREST};
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_pair::Warm;

/// Where a pair of bodies has its slots for warm starts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WarmStartSlots {
    /// It has none.
    Cold,
    /// From this slot on, one for each pair of shapes.
    From(usize),
    /// From this slot on, [`CROWD_SLOTS`] that all pairs of a crowd share.
    Shared(usize),
}

impl WarmStartSlots {
    /// The slots of a listed pair.
    pub fn of_listed(world: &World, pair: PairId) -> WarmStartSlots {
        match world.starts.first.get(pair.index()) {
            Some(Some(first)) => WarmStartSlots::From(*first as usize),
            _ => WarmStartSlots::Cold,
        }
    }

    /// The slots of a crowd, by its number.
    pub fn of_crowd(world: &World, crowd: usize) -> WarmStartSlots {
        WarmStartSlots::Shared(world.starts.count + crowd * CROWD_SLOTS)
    }

    /// For a body that joints move against movable ones: the body's number. For all that is carried: the
    /// number behind the last of these.
    pub fn of_movable(world: &World, number: usize) -> WarmStartSlots {
        WarmStartSlots::of_crowd(world, world.checks.pairs.crowds.len() + number)
    }
}

/// How many share slots: the crowds, the bodies that joints move where bodies are movable, and all that is
/// carried together.
fn sharer_count(world: &World) -> usize {
    let movable = &world.checks.pairs.movable;
    let meet = if movable.is_empty() { 0 } else { movable.moving.len() + 1 };
    world.checks.pairs.crowds.len() + meet
}

/// The pair that was the nearest in the last answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastNearest {
    /// Its index in the order of the world's proofs.
    pub at: usize,
    /// Its last distance (metres).
    pub distance: f64,
    /// How many answers in a row it was the nearest.
    times: u32,
}

/// What queries left for the next ones: the warm starts of shapes, and which pair was the nearest.
#[derive(Clone, Debug)]
pub(crate) struct WarmStarts {
    /// The slots of listed pairs, then the shared ones.
    warm: Vec<Warm>,
    /// By shared slot, the shapes that it is for.
    sharers: Vec<Option<[ShapeId; 2]>>,
    /// The nearest of the listed pairs in the last answer about all pairs.
    nearest: Option<LastNearest>,
    /// Nothing is taken and nothing left: as if all queries had just been forgotten.
    pub cold: bool,
}

impl WarmStarts {
    /// For the pairs of a world.
    pub fn of_world(world: &World) -> WarmStarts {
        let shared = sharer_count(world) * CROWD_SLOTS;
        let warm = vec![Warm::default(); world.starts.count + shared];
        WarmStarts { warm, sharers: vec![None; shared], nearest: None, cold: false }
    }

    /// So many slots, none of them shared.
    pub fn with_own_slots(slots: usize) -> WarmStarts {
        WarmStarts { warm: vec![Warm::default(); slots], sharers: Vec::new(), nearest: None, cold: false }
    }

    /// How many slots there are.
    pub fn len(&self) -> usize {
        self.warm.len()
    }

    /// Changes the number of slots; new ones are cold.
    pub fn resize_slots(&mut self, slots: usize) {
        self.warm.resize(slots, Warm::default());
    }

    /// Takes over what holds in an edited world: all, if shapes and pairs have kept their numbers, but for
    /// shapes that came later; otherwise what is known of pairs of links, whose shapes an edit never changes
    /// but for their padding.
    pub fn take_over(&mut self, [mine, theirs]: [&World; 2], other: &WarmStarts) {
        let pairs = [mine, theirs].map(|world| &world.checks.pairs);
        let same = mine.solids.shapes.shared_with(&theirs.solids.shapes)
            && pairs[0].listed == pairs[1].listed
            && self.warm.len() == other.warm.len()
            && self.sharers.len() == other.sharers.len();
        if same {
            self.warm.clone_from(&other.warm);
            let shared = mine.solids.shapes.shared_count();
            let stays = |shapes: &[ShapeId; 2]| shapes.iter().all(|shape| shape.index() < shared);
            for (sharer, known) in self.sharers.iter_mut().zip(&other.sharers) {
                *sharer = known.filter(stays);
            }
            return;
        }
        let links = mine.kinematics.robots.last().map_or(0, |robot| robot.links.end);
        for (pair, first) in pairs[0].listed.iter().zip(&mine.starts.first) {
            let known = pairs[1].listed.binary_search(pair).ok().and_then(|at| theirs.starts.first[at]);
            let (Some(first), Some(known)) = (first, known) else { continue };
            if pair.b.0 < links {
                let slots = [pair.a, pair.b].map(|body| mine.solids.shape_count(body)).iter().product();
                let (first, known) = (*first as usize, known as usize);
                self.warm[first..][..slots].clone_from_slice(&other.warm[known..][..slots]);
            }
        }
    }

    /// Queries of a shape start cold again, where it shares slots with others.
    pub fn forget_shape(&mut self, shape: ShapeId) {
        let has_it = |sharer: &Option<[ShapeId; 2]>| sharer.is_some_and(|shapes| shapes.contains(&shape));
        self.sharers.iter_mut().filter(|sharer| has_it(sharer)).for_each(|sharer| *sharer = None);
    }

    /// All queries start cold again.
    pub fn forget_all(&mut self) {
        #[cfg(test)]
        crate::tally::add(crate::tally::Work::Forgotten, self.warm.len());
        self.warm.fill(Warm::default());
        self.nearest = None;
    }

    /// The pair that was the nearest in the last answers, at least [`SAME_NEAREST`] times in a row.
    pub fn last_nearest(&self) -> Option<LastNearest> {
        self.nearest.filter(|last| last.times >= SAME_NEAREST && !self.cold)
    }

    /// Takes the nearest pair of an answer, and its distance (metres).
    pub fn set_nearest(&mut self, world: &World, pair: PairId, distance: f64) {
        if self.cold {
            return;
        }
        let order = &world.proofs.order;
        let same = self.nearest.filter(|last| order.get(last.at) == Some(&pair));
        self.nearest = match same {
            Some(last) => Some(LastNearest { distance, times: last.times.saturating_add(1), ..last }),
            None => order.iter().position(|of| *of == pair).map(|at| LastNearest { at, distance, times: 1 }),
        };
    }

    /// The warm start of two shapes, pair `number` of the shapes of their bodies; `None` without a slot. A
    /// shared slot forgets what other shapes left.
    #[inline]
    pub fn warm_start(
        &mut self,
        start: WarmStartSlots,
        shapes: [ShapeId; 2],
        number: usize,
    ) -> Option<&mut Warm> {
        let at = match start {
            _ if self.cold => return None,
            WarmStartSlots::Cold => return None,
            WarmStartSlots::From(first) => first + number,
            WarmStartSlots::Shared(first) => {
                let at = first + (shapes[0].0 ^ shapes[1].0) as usize % CROWD_SLOTS;
                let own = self.warm.len() - self.sharers.len();
                let sharer = &mut self.sharers[at - own];
                if *sharer != Some(shapes) {
                    *sharer = Some(shapes);
                    self.warm[at] = Warm::default();
                }
                at
            }
        };
        self.warm.get_mut(at)
    }
}
