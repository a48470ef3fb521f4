//! What is proved of the listed pairs over all configurations, and what tests look at because of it.

use crate::bounds::heights::Heights;
use crate::bounds::inside::Inside;
use crate::bounds::lanes::CapsuleId;
use crate::model::body_bounds::BodyBounds;
use crate::model::id::PairId;
use crate::model::solids::Solids;
use crate::model::tolerance::HEIGHT_BODIES;
use alloc::vec;
use alloc::vec::Vec;

/// The order in which listed pairs are bounded, and the tables of the bodies that tests look at.
#[derive(Clone, Debug)]
pub(crate) struct Proofs {
    /// By listed pair, what is proved at every configuration within limits to be no more than its signed
    /// distance (metres).
    pub floors: Vec<f64>,
    /// The listed pairs in the order in which they are bounded: those first that tests have to look at.
    pub order: Vec<PairId>,
    /// Their capsules, in that order.
    pub capsules: Vec<[CapsuleId; 2]>,
    /// How many of `order` tests look at: all others are proved to stay farther apart than the margin at
    /// every configuration within limits.
    pub near: usize,
    /// The least that is proved of the others, and of which; infinite if there are none.
    pub floor: (f64, PairId),
    /// Of bodies that tests look at, by capsule.
    pub heights: Vec<Option<Heights>>,
    pub insides: Vec<Option<Inside>>,
}

impl Proofs {
    /// Of floors for the listed pairs, in a world with a margin (metres).
    pub fn new(floors: Vec<f64>, margin: f64, bounds: &BodyBounds, solids: &Solids) -> Proofs {
        let Order { order, capsules, near, floor } = Order::new(&floors, margin, bounds);
        let (heights, insides) = tables(&capsules[..near], bounds, solids);
        Proofs { floors, order, capsules, near, floor, heights, insides }
    }

    /// Before anything is proved, and without tables.
    pub fn none(bounds: &BodyBounds) -> Proofs {
        let floors = vec![f64::NEG_INFINITY; bounds.listed.len()];
        let Order { order, capsules, near, floor } = Order::new(&floors, 0.0, bounds);
        let count = bounds.capsules.len();
        Proofs {
            floors,
            order,
            capsules,
            near,
            floor,
            heights: vec![None; count],
            insides: vec![None; count],
        }
    }

    /// The same with more floors: what was proved once stays proved, so that who has taken pairs out of
    /// account keeps being right.
    pub fn with(self, more: &[f64], margin: f64, bounds: &BodyBounds) -> Proofs {
        let floors: Vec<f64> = self.floors.iter().zip(more).map(|(known, floor)| known.max(*floor)).collect();
        let Order { order, capsules, near, floor } = Order::new(&floors, margin, bounds);
        Proofs { floors, order, capsules, near, floor, ..self }
    }
}

/// What follows from floors alone.
struct Order {
    order: Vec<PairId>,
    capsules: Vec<[CapsuleId; 2]>,
    near: usize,
    floor: (f64, PairId),
}

impl Order {
    fn new(floors: &[f64], margin: f64, bounds: &BodyBounds) -> Order {
        let far = |pair: &PairId| floors[pair.index()] > margin.max(0.0);
        let mut order: Vec<PairId> = (0..floors.len() as u32).map(PairId).collect();
        order.sort_by_key(far);
        let near = order.iter().filter(|pair| !far(pair)).count();
        let mut floor = (f64::INFINITY, PairId(0));
        for &pair in &order[near..] {
            if floors[pair.index()] < floor.0 {
                floor = (floors[pair.index()], pair);
            }
        }
        let capsules = order.iter().map(|pair| bounds.listed[pair.index()]).collect();
        Order { order, capsules, near, floor }
    }
}

/// Tables of heights for the bodies that tests look at, and of what is inside them, by capsule.
fn tables(
    near: &[[CapsuleId; 2]],
    bounds: &BodyBounds,
    solids: &Solids,
) -> (Vec<Option<Heights>>, Vec<Option<Inside>>) {
    let mut heights = vec![None; bounds.capsules.len()];
    let mut insides = vec![None; bounds.capsules.len()];
    let mut count = 0;
    for capsule in bounds.crowds.iter().chain(near.iter().flatten()) {
        let at = capsule.index();
        if heights[at].is_none() && count < HEIGHT_BODIES {
            let body = bounds.capsules[at].body;
            heights[at] = Some(Heights::of_shapes(solids.on_body(body)));
            insides[at] = Inside::of_shapes(solids.on_body(body));
            count += 1;
        }
    }
    (heights, insides)
}
