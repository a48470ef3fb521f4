//! What happens to movable bodies, and to what is checked, in the course of a motion.

use elbowroom::describe::PlacedShape;
use elbowroom::math::Transform;

/// Something that happens between two samples.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// What happens.
    pub change: Change,
    /// Its line in the file, from 1.
    pub line: u64,
    /// The sample that comes next, from 0. The event happens at the pose of the sample before that; before
    /// the first sample, at the pose of the first.
    pub sample: usize,
}

/// A change. Bodies are named as they were written: an obstacle with `world/` before its name or without.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// A body is put somewhere.
    Place {
        /// The body.
        name: String,
        /// Its frame in the world.
        pose: Transform,
    },
    /// Another body carries a body from now on.
    Attach {
        /// The body.
        name: String,
        /// Who carries it.
        attached_to: String,
        /// What it may touch while it is carried, beside its carrier.
        touch: Vec<String>,
    },
    /// A body is moved along its joint on what carries it.
    Open {
        /// The body.
        name: String,
        /// The joint's value (radians or metres).
        value: f64,
    },
    /// It is moved back to where that joint began.
    Close {
        /// The body.
        name: String,
    },
    /// A body is let go.
    Detach {
        /// The body.
        name: String,
    },
    /// A body is taken out of the cell.
    Hide {
        /// The body.
        name: String,
    },
    /// A hidden body is there again.
    Show {
        /// The body.
        name: String,
    },
    /// A spare place gets a shape.
    Fill {
        /// The place.
        name: String,
        /// The shape at its place on the body.
        shape: Box<PlacedShape>,
    },
    /// The shape in a spare place is taken out.
    Empty {
        /// The place.
        name: String,
    },
    /// A pair is not checked from now on.
    Allow {
        /// One body.
        a: String,
        /// The other.
        b: String,
        /// Why, if that is said.
        reason: Option<String>,
    },
    /// A pair that was allowed is checked again.
    Forbid {
        /// One body.
        a: String,
        /// The other.
        b: String,
    },
}
