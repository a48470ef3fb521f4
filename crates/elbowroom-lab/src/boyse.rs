//! Boyse, "Interference detection among solids and surfaces" (1979), as tran91 section 2.1 uses it: edges
//! against faces, standing still, and while one solid slides along a line or turns about an axis.
//!
//! *Standing still*: two solids interfere if an edge of the one goes through a face of the other, or if one
//! lies in the other. Solids whose sides lie on each other interfere without either, so the middles of faces
//! are looked for inside of the other solid, too.
//!
//! *Moving*: what touches first is a corner and a face, or two edges. A contact of two faces, or of an edge
//! and a face, is a polygon or a segment, and its ends are contacts of these two kinds. So there are two
//! families of events, each with a root in closed form:
//!
//! * The *locus of a corner*, a line or a circle, meets the plane of a face of the other solid; it counts
//!   where it does so inside of the face. Corners of the solid that stands still move backwards as seen from
//!   the other.
//! * The *surface that an edge sweeps* meets an edge of the other solid. For a slide it is a quadrilateral,
//!   for a turn a hyperboloid of one sheet, a cone, or a part of a plane. Boyse intersects surface and line,
//!   then finds the angle. Two lines meet exactly where they are coplanar, and that is one equation for the
//!   angle itself, so here the surface is not needed.
//!
//! Each is `c + a t = 0` for a slide, and `c + a cos t + b sin t = 0` for a turn: one root, or two.
//!
//! *Rounding.* An event is not a number but the time within which the corner is nearer to the plane than a
//! tolerance, or the two lines are coplanar but for rounding. It is *possible* unless the corner, or the
//! point where the edges cross, is outside by more than the tolerance, and *certain* if it is inside by more,
//! and the sign changes: then the two do meet. The first possible event ends what is proved free; the first
//! certain one is a contact. What touches at a corner or an edge is never certain. There, and at the
//! tolerance of an event that is only possible, the solids are tried a little later by the test of those that
//! stand still: if they overlap by more than rounding, that is a contact.
//!
//! *Tolerance.* A corner and a plane: [`BOYSE_PARALLEL`] times the longest edge, because two edges whose
//! directions differ by less than that count as parallel. If such edges touch, a corner of one is that near
//! to the other, and an event of corners stands for them. Everything else is rounding: [`BOYSE_ROUNDING`]
//! times the greatest coordinate, divided by the sine of the angle of two edges.
//!
//! *What this does not see.* A corner that stays in the plane of a face, and edges that stay coplanar, are
//! left out: other faces of the same solid stop them at the border. So all faces must belong to solids.
//! Contact at the start is found as such, and then nothing is proved free.
//!
//! The work is the product of the numbers of features; boxes and rings around their ways leave most pairs
//! out. It ends after both lists, and after [`BOYSE_PROBES`] later times.

mod feature;
mod law;
mod motion;
mod polyhedron;
mod search;
mod still;

pub use motion::Motion;
pub use polyhedron::Polyhedron;
pub use search::{First, first_contact};
pub use still::{contains, solids_overlap};

#[cfg(doc)]
use crate::limits::{BOYSE_PARALLEL, BOYSE_PROBES, BOYSE_ROUNDING};
