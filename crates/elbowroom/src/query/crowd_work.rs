//! Work space of the search through crowds of fixed shapes.

use crate::bounds::AlignedBox;
use crate::bounds::hierarchy::{WideQuery, WideScratch};
use crate::model::world::World;
use crate::numeric::heap_bytes::heap_bytes;
use crate::pose::frames::Pose;
use crate::query::counts::{Counts, Told};
use crate::query::tolerance::LEAVES_WAITING;
use alloc::vec;
use alloc::vec::Vec;
/// Work space of the search, kept with the checker.
#[derive(Clone, Debug)]
pub(crate) struct CrowdWork {
    /// Boxes of the moving bodies and of what joins them, by node of `World::crowd_tree`.
    boxes: Vec<AlignedBox>,
    pub queries: Vec<WideQuery>,
    pub scratch: WideScratch,
    pub waiting: Waiting,
}

impl CrowdWork {
    pub fn new(world: &World) -> CrowdWork {
        let crowds = world.checks.pairs.crowds.len();
        let pairs = if world.bounds.fixed.shared { crowds * world.checks.pairs.fixed.len() } else { 0 };
        let asked = Asked { last: vec![0; pairs], search: 0 };
        let waiting = Waiting { candidates: Vec::with_capacity(LEAVES_WAITING), asked };
        let nodes = world.bounds.crowd_tree.len();
        let scratch = WideScratch::new(&world.bounds.fixed.tree, crowds);
        let boxes = vec![AlignedBox::EMPTY; nodes];
        CrowdWork { boxes, queries: Vec::with_capacity(nodes), scratch, waiting }
    }

    /// Bytes it holds beside itself.
    pub fn heap_bytes(&self) -> usize {
        let Waiting { candidates, asked } = &self.waiting;
        heap_bytes(&self.boxes)
            + heap_bytes(&self.queries)
            + self.scratch.bytes()
            + heap_bytes(candidates)
            + heap_bytes(&asked.last)
    }

    /// Makes ready for the bodies where they are.
    pub fn start(&mut self, pose: &Pose) {
        let world = pose.world;
        self.queries.clear();
        let tree = &world.bounds.fixed.tree;
        for (slot, around) in world.bounds.crowds.iter().zip(&mut self.boxes) {
            *around = pose.box_around(*slot);
            self.queries.push(tree.query(around));
        }
        world.bounds.crowd_tree.refit_above(&mut self.boxes);
        self.queries
            .extend(self.boxes[world.checks.pairs.crowds.len()..].iter().map(|around| tree.query(around)));
        self.waiting.candidates.clear();
        self.waiting.asked.search += 2;
        if self.waiting.asked.search >= u32::MAX - 1 {
            self.waiting.asked.last.fill(0);
            self.waiting.asked.search = 2;
        }
    }
}

/// What was asked in this search, so that a pair of bodies counts once, however many of its shapes are asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// For each crowd and each fixed body, if bodies have several shapes: the number of the search that asked
    /// them last, and a last bit for a pair that was not told.
    pub last: Vec<u32>,
    pub search: u32,
}

impl Asked {
    /// Counts a pair of bodies once: as unknown if one of its shapes was not told.
    pub fn count(&mut self, at: usize, told: Told, counts: &mut Counts) {
        let Some(last) = self.last.get_mut(at) else {
            counts.asked(told);
            return;
        };
        let unknown = u32::from(told == Told::Unknown);
        if *last & !1 != self.search {
            *last = self.search | unknown;
            counts.asked(told);
        } else if *last & 1 == 0 && told == Told::Unknown {
            *last |= 1;
            (counts.proved, counts.unknown) = (counts.proved - 1, counts.unknown + 1);
        }
    }
}

/// A moving body and a fixed shape that wait to be asked, with their bound.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub bound: f64,
    pub crowd: u32,
    pub leaf: u32,
}

/// Leaves that were handed out by their boxes and wait for their turn by a better bound.
#[derive(Clone, Debug)]
pub(crate) struct Waiting {
    /// The nearest last, of equals the first that came.
    pub candidates: Vec<Candidate>,
    pub asked: Asked,
}

impl Waiting {
    /// The bound of the leaf whose turn is next.
    #[inline]
    pub fn bound(&self) -> Option<f64> {
        self.candidates.last().map(|t| t.bound)
    }
}
