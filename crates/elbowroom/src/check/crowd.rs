//! The search among what never moves.
//!
//! A crowd is a moving body against the fixed bodies. What the search keeps open are nodes, a moving body and a part of the fixed
//! shapes, and leaves, a moving body and one fixed shape, each with a lower bound on the distance, the smallest first (the open list of
//! henrich97 section 2). A node is refined into its parts, a leaf into the proved distance.

use super::Scope;
use super::ask::{Memory, ask_ranges};
use super::best::{Answer, Best};
use crate::bounds::ball_gap;
use crate::pairs::{BodyPair, ordered};
use crate::pose::Pose;
use crate::tolerance::CROWD_MEMORY;
use crate::world::World;
use alloc::vec::Vec;

/// What the search has open: work space, kept with the pose.
#[derive(Clone, Debug, Default)]
pub(crate) struct CrowdSearch {
    open: Vec<Open>,
    /// For each crowd and each fixed body of several shapes: the number of the query that asked them last, and a last bit for one
    /// that was not told.
    asked: Vec<u32>,
    query: u32,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Open {
    bound: f64,
    crowd: u32,
    what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum What {
    /// All fixed shapes.
    Root,
    /// The place of a shape among the fixed ones.
    Leaf(u32),
}

impl Open {
    /// Smaller is refined first; no two are equal.
    fn before(&self, other: &Open) -> bool {
        match self.bound.total_cmp(&other.bound) {
            core::cmp::Ordering::Equal => (self.crowd, self.what) < (other.crowd, other.what),
            order => order.is_lt(),
        }
    }
}

impl CrowdSearch {
    /// Room for the searches of a world.
    pub fn new(world: &World) -> CrowdSearch {
        let crowds = world.pairs.crowds.len();
        CrowdSearch {
            open: Vec::with_capacity(crowds * (1 + world.fixed_shapes.len())),
            asked: alloc::vec![0; if world.fixed_share { crowds * world.pairs.fixed.len() } else { 0 }],
            query: 0,
        }
    }

    /// Opens the crowds.
    pub fn start(&mut self, world: &World, pose: &Pose) {
        self.open.clear();
        self.query += 2;
        if self.query == u32::MAX - 1 {
            self.asked.fill(0);
            self.query = 2;
        }
        for crowd in 0..world.pairs.crowds.len() as u32 {
            let _ = pose;
            self.push(Open { bound: f64::NEG_INFINITY, crowd, what: What::Root });
        }
    }

    /// The smallest bound of all that is open.
    #[inline]
    pub fn bound(&self) -> Option<f64> {
        self.open.first().map(|o| o.bound)
    }

    /// Refines what has the smallest bound.
    pub(super) fn refine(&mut self, world: &World, pose: &mut Pose, scope: Scope, best: &mut Best) {
        let Some(open) = self.pop() else { return };
        let crowd = &world.pairs.crowds[open.crowd as usize];
        match open.what {
            What::Root => {
                let mover = pose.body_balls[crowd.body.index()];
                for (leaf, shape) in world.fixed_shapes.iter().enumerate() {
                    let place = world.fixed_places[leaf];
                    if !crowd.checks(place) || !scope.includes(self.bodies(world, open.crowd, place)) {
                        continue;
                    }
                    let bound = ball_gap(&mover, &pose.shape_balls[shape.index()]);
                    if best.matters(bound) {
                        self.push(Open { bound, crowd: open.crowd, what: What::Leaf(leaf as u32) });
                    } else if best.leaves_less(bound) {
                        best.leave(bound, crowd.pair(place));
                    }
                }
            }
            What::Leaf(leaf) => self.ask(world, pose, open.crowd, leaf, best),
        }
    }

    /// The proved distance of a moving body and a fixed shape.
    fn ask(&mut self, world: &World, pose: &mut Pose, crowd_number: u32, leaf: u32, best: &mut Best) {
        let crowd = &world.pairs.crowds[crowd_number as usize];
        let place = world.fixed_places[leaf as usize];
        let bodies = self.bodies(world, crowd_number, place);
        let fixed = world.fixed_shapes[leaf as usize].0;
        let mover = world.bodies[crowd.body.index()].shapes.clone();
        let (a, b) =
            if bodies.a == crowd.body { (mover, fixed..fixed + 1) } else { (fixed..fixed + 1, mover) };
        let memory = Memory::Slots(world.memory_size + crowd_number as usize * CROWD_MEMORY);
        let cutoff = best.cutoff();
        let (answer, told) = ask_ranges(world, pose, [a, b], memory, best.options, cutoff, &mut best.counts);
        // A body of several shapes counts once.
        let (mut first, mut known) = (true, true);
        if let Some(stamp) =
            self.asked.get_mut(crowd_number as usize * world.pairs.fixed.len() + place as usize)
        {
            first = *stamp & !1 != self.query;
            known = first || *stamp & 1 == 0;
            *stamp = self.query | u32::from(!(told && known));
        }
        match (first, told) {
            (true, true) => best.counts.proved += 1,
            (true, false) => best.counts.unknown += 1,
            (false, false) if known => {
                (best.counts.proved, best.counts.unknown) = (best.counts.proved - 1, best.counts.unknown + 1)
            }
            (false, _) => {}
        }
        best.take(Answer { pair: crowd.pair(place), ..answer });
    }

    /// What is still open bounds the answer too.
    pub(super) fn leave(&mut self, world: &World, best: &mut Best) {
        let Some(open) = self.open.first() else { return };
        let crowd = &world.pairs.crowds[open.crowd as usize];
        let place = match open.what {
            What::Root => 0,
            What::Leaf(leaf) => world.fixed_places[leaf as usize],
        };
        if best.leaves_less(open.bound) {
            best.leave(open.bound, crowd.pair(place));
        }
    }

    fn bodies(&self, world: &World, crowd: u32, place: u32) -> BodyPair {
        let (a, b) = ordered(world.pairs.crowds[crowd as usize].body, world.pairs.fixed[place as usize]);
        BodyPair { a, b }
    }

    fn push(&mut self, open: Open) {
        self.open.push(open);
        let mut at = self.open.len() - 1;
        while at > 0 {
            let up = (at - 1) / 2;
            if !self.open[at].before(&self.open[up]) {
                break;
            }
            self.open.swap(at, up);
            at = up;
        }
    }

    fn pop(&mut self) -> Option<Open> {
        let last = self.open.len().checked_sub(1)?;
        self.open.swap(0, last);
        let top = self.open.pop();
        let mut at = 0;
        loop {
            let (left, right) = (2 * at + 1, 2 * at + 2);
            if left >= self.open.len() {
                return top;
            }
            let down = if right < self.open.len() && self.open[right].before(&self.open[left]) {
                right
            } else {
                left
            };
            if !self.open[down].before(&self.open[at]) {
                return top;
            }
            self.open.swap(at, down);
            at = down;
        }
    }
}
