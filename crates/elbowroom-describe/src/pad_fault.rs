//! Why a pad cannot be drawn back.

use crate::limits::{LEAST_PAD_DEPTH, MAX_PAD_DEPTH, MAX_PAD_REACH, MAX_PAD_TRIANGLES};
use crate::numeral::Numeral;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// Why the surface under a pad cannot be drawn back.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum PadFault {
    /// The depth is not a number of metres in the accepted range.
    Depth {
        /// Its value (metres).
        value: f64,
    },
    /// A size of the region is not positive or not finite.
    Size {
        /// Its value (metres).
        value: f64,
    },
    /// The link has no shape.
    NoShape,
    /// The region lies away from all shapes of the link.
    NothingThere,
    /// Shapes of the link besides the one under the pad meet the region.
    SeveralShapes {
        /// Their names, or their numbers on the link.
        shapes: Vec<String>,
    },
    /// No part of the surface lies wholly in the region.
    NoSurface {
        /// What would have to lie in it, in the words of the shape: `face`, `triangle`.
        part: &'static str,
    },
    /// Triangles lie in the region, but each of their corners is held by others that do not.
    Held {
        /// How many triangles lie in the region.
        triangles: usize,
    },
    /// The shape cannot be drawn back in part, and does not lie wholly in the region.
    NotWhole {
        /// The kind of shape.
        kind: &'static str,
    },
    /// A shape of this kind cannot be drawn back.
    Kind {
        /// The kind of shape.
        kind: &'static str,
    },
    /// The shape is not deep enough under the pad: nothing would be left of it.
    TooDeep {
        /// Its extent there (metres).
        extent: f64,
        /// By how much that would be drawn back (metres).
        drawn: f64,
    },
    /// The mesh does not close, or its triangles are not wound alike.
    OpenMesh {
        /// How many of its edges do not have one triangle on each side.
        edges: usize,
    },
    /// The surface, drawn back, is not proved to lie in the body.
    Crossing {
        /// One of its corners, where it was before (metres, in the link's frame).
        at: [f64; 3],
    },
    /// The shape is too large, or too far from its frame, for its rounding to be covered.
    Reach {
        /// Its largest coordinate (metres).
        value: f64,
    },
    /// More triangles than are drawn back.
    TooManyTriangles {
        /// How many there are in the region.
        triangles: usize,
    },
    /// The regions of two pads of one link overlap, or nearly.
    Overlaps {
        /// The other pad.
        other: String,
    },
}

impl fmt::Display for PadFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PadFault::Depth { value } => {
                let value = Numeral(*value);
                write!(
                    f,
                    "its depth is {value}: give a number of metres from {LEAST_PAD_DEPTH:e} to \
                     {MAX_PAD_DEPTH}"
                )
            }
            PadFault::Size { value } => {
                write!(f, "a size of its region is {}: give numbers of metres above zero", Numeral(*value))
            }
            PadFault::NoShape => f.write_str("its link has no shape: name the link that has the soft part"),
            PadFault::NothingThere => f.write_str(
                "its region lies away from all shapes of its link: move the region, which is in the link's \
                 frame",
            ),
            PadFault::SeveralShapes { shapes } => write!(
                f,
                "its region meets several shapes of its link, `{}`: make it smaller, so that it meets one, \
                 or give the link one closed mesh",
                shapes.join("`, `")
            ),
            PadFault::NoSurface { part } => write!(
                f,
                "no whole {part} of the surface lies in its region: make the region larger, so that it \
                 contains the soft part with its edges"
            ),
            PadFault::Held { triangles } => write!(
                f,
                "{triangles} triangles lie in its region, but every corner of theirs is also a corner of \
                 others that do not: make the region larger, or the mesh finer there"
            ),
            PadFault::NotWhole { kind } => write!(
                f,
                "its region does not contain the whole {kind}, and a {kind} is drawn back only as a whole: \
                 make the region larger, or describe the link as a closed mesh"
            ),
            PadFault::Kind { kind } => {
                write!(f, "a {kind} cannot be drawn back: describe the link as a convex shape or closed mesh")
            }
            PadFault::TooDeep { extent, drawn } => write!(
                f,
                "its body is {} m wide there, and would be drawn back by {} m: give a smaller depth",
                Numeral(*extent),
                Numeral(*drawn)
            ),
            PadFault::OpenMesh { edges } => write!(
                f,
                "{edges} edges of its mesh do not have one triangle on each side, wound alike, so nothing is \
                 known of what lies under the surface: repair the mesh, so that it closes"
            ),
            PadFault::Crossing { at } => {
                let [x, y, z] = at.map(Numeral);
                write!(
                    f,
                    "its surface, drawn back near ({x}, {y}, {z}), is not proved to lie inside its body: \
                     give a smaller depth, or a region without thin parts and sharp bends"
                )
            }
            PadFault::Reach { value } => write!(
                f,
                "its shape has coordinates up to {} m: give it a frame within {MAX_PAD_REACH} m",
                Numeral(*value)
            ),
            PadFault::TooManyTriangles { triangles } => write!(
                f,
                "{triangles} triangles lie in its region, more than {MAX_PAD_TRIANGLES}: give the link a \
                 coarser mesh"
            ),
            PadFault::Overlaps { other } => write!(
                f,
                "its region overlaps that of pad `{other}`: keep the regions of one link apart, or make one \
                 of both"
            ),
        }
    }
}

impl core::error::Error for PadFault {}
