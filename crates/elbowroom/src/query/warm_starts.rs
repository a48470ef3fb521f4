//! Where shape queries start: from what the last query of the same two shapes left.
//!
//! It never changes what is proved, only how fast and to which last digits.

use crate::model::id::{PairId, ShapeId};
use crate::model::world::World;
use crate::numeric::heap_bytes::heap_bytes;
use crate::pair::scratch::Warm;
use crate::query::tolerance::CROWD_MEMORY;
use alloc::vec;
use alloc::vec::Vec;

/// Where a pair of bodies has its warm starts.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Start {
    /// Nowhere.
    Cold,
    /// From here, a place for each pair of shapes.
    From(usize),
    /// In the few places from here, which many pairs share.
    Shared(usize),
}

impl Start {
    /// Of a listed pair.
    pub fn of_listed(world: &World, pair: PairId) -> Start {
        match world.starts.first.get(pair.index()) {
            Some(Some(first)) => Start::From(*first as usize),
            _ => Start::Cold,
        }
    }

    /// Of a crowd, by its number.
    pub fn of_crowd(world: &World, crowd: usize) -> Start {
        Start::Shared(world.starts.count + crowd * CROWD_MEMORY)
    }
}

/// What shape queries left.
#[derive(Clone, Debug)]
pub(crate) struct WarmStarts {
    /// The places of single pairs, then those that many share.
    warm: Vec<Warm>,
    /// Whose shared places are.
    sharers: Vec<Option<[ShapeId; 2]>>,
}

impl WarmStarts {
    /// For the pairs of a world.
    pub fn of_world(world: &World) -> WarmStarts {
        let shared = world.checks.pairs.crowds.len() * CROWD_MEMORY;
        WarmStarts { warm: vec![Warm::default(); world.starts.count + shared], sharers: vec![None; shared] }
    }

    /// So many places, none of them shared.
    pub fn own(places: usize) -> WarmStarts {
        WarmStarts { warm: vec![Warm::default(); places], sharers: Vec::new() }
    }

    /// How many places there are.
    pub fn len(&self) -> usize {
        self.warm.len()
    }

    /// Leaves so many places; new ones are cold.
    pub fn resize(&mut self, places: usize) {
        self.warm.resize(places, Warm::default());
    }

    /// Bytes it holds beside itself.
    pub fn heap_bytes(&self) -> usize {
        heap_bytes(&self.warm) + heap_bytes(&self.sharers)
    }

    /// All start cold again.
    pub fn forget(&mut self) {
        self.warm.fill(Warm::default());
    }

    /// The place of two shapes, `number` among the pairs of shapes of their bodies. In a shared place what
    /// other shapes left is forgotten.
    #[inline]
    pub fn of(&mut self, start: Start, shapes: [ShapeId; 2], number: usize) -> Option<&mut Warm> {
        let at = match start {
            Start::Cold => return None,
            Start::From(first) => first + number,
            Start::Shared(first) => {
                let at = first + (shapes[0].0 ^ shapes[1].0) as usize % CROWD_MEMORY;
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
