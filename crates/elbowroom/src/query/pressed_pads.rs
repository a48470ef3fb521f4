//! Which pads are pressed, where two bodies are in contact on pads alone.
//!
//! The proof of a press says that nothing but pads is touched. It does not say which of them. Two bodies may
//! have several pads, most of them far from the contact. A pad is left out if the *other* body is proved
//! apart from all that the pad gives up when it is pressed. It is enough that the other body is apart from
//! the shape of the pad, or from its region, wider by its depth (and the padding) on all sides: what is given
//! up lies within the depth of the soft surface ([`elbowroom_pair::shape::drawn_back`]), and all of that
//! surface lies in the region. So a pad that is left out is surely not pressed. Any contact is on one or more
//! of the pads that stay. All of their regions are reached, so nothing more is known.
//!
//! Source: haase10 section IV-D, which has one pad a part of a finger.

use crate::model::id::{BodyId, BodyPair};
use crate::model::pads::Pad;
use crate::model::world::World;
use crate::pose::frames::Pose;
use elbowroom_describe::ShapeDescription;
use elbowroom_describe::math::Transform;
use elbowroom_pair::shape::solid::Shape;
use elbowroom_pair::{Ask, Query, Scratch, Warm, posed};

/// So many pads of a pair are judged, in their order. All others are named.
const JUDGED: u32 = u64::BITS;

/// The pads of a pair that are surely not pressed, a bit each in the order of [`World::pads_of`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct UntouchedPads(u64);

impl UntouchedPads {
    /// Whether the pad at this place is surely not pressed.
    pub fn contains(self, place: usize) -> bool {
        u32::try_from(place).is_ok_and(|place| place < JUDGED && self.0 >> place & 1 == 1)
    }
}

/// Finds the pads that are not pressed. The pose may be one of the drawn-back world: frames are the same.
pub(crate) fn find_untouched_pads(
    world: &World,
    pose: &Pose,
    bodies: BodyPair,
    scratch: &mut Scratch,
) -> UntouchedPads {
    let count = world.pads_of(bodies).count() as u32;
    // A pad that is alone is the one that is pressed.
    if count < 2 {
        return UntouchedPads::default();
    }
    let mut untouched = 0;
    for (place, pad) in (0..JUDGED).zip(world.pads_of(bodies)) {
        let other = if pad.body == bodies.a { bodies.b } else { bodies.a };
        if is_out_of_reach(world, pose, pad, other, scratch) {
            untouched |= 1 << place;
        }
    }
    // The contact itself may not be proved, and then all pads may be out of reach. All are named then.
    let all = u64::MAX >> (JUDGED - count.min(JUDGED));
    UntouchedPads(if untouched == all { 0 } else { untouched })
}

/// Whether a body is proved apart from what a pad gives up.
fn is_out_of_reach(world: &World, pose: &Pose, pad: &Pad, other: BodyId, scratch: &mut Scratch) -> bool {
    let others = world.solids.bodies[other.index()].shapes.clone();
    // The shapes of clouds and spare places are not in the world: such a body may reach every pad.
    if others.is_empty() {
        return false;
    }
    let (own, at) = (&world.solids.shapes[pad.shape], pose.body_frame(pad.body));
    let padding = own.shape.radius() - world.solids.own_radii[pad.shape];
    let size = (pad.half * 2.0).to_array();
    let region = Shape::new(&ShapeDescription::Box { size }, pad.depth + padding.max(0.0));
    let placed = (region.ok(), at * pad.region_in_body);
    let whole = (Some(own.shape.clone()), at * own.shape_in_body());
    let frame = pose.body_frame(other);
    [whole, placed].iter().any(|(shape, at)| {
        shape.as_ref().is_some_and(|shape| {
            others.clone().all(|number| {
                let of_other = &world.solids.shapes[number as usize];
                let there = frame * of_other.shape_in_body();
                are_apart([shape, &of_other.shape], [at, &there], scratch)
            })
        })
    })
}

/// Whether two shapes are proved to be apart.
fn are_apart(shapes: [&Shape; 2], at: [&Transform; 2], scratch: &mut Scratch) -> bool {
    let query = Query { ask: Ask::Test, cutoff: 0.0, ..Query::default() };
    let asked = posed::clearance(shapes, at, &query, &mut Warm::default(), scratch);
    asked.is_ok_and(|clearance| clearance.interval.lower > 0.0)
}
