//! The depth of overlapping solids that are not convex: a bracket as narrow as is asked.
//!
//! The depth is the length of the shortest translation of A that separates the two. From above it is bounded
//! by ways out, translations that are proved to separate ([`way_out`]); from below by a cover of all shorter
//! ones with translations that are proved to overlap ([`cover`]). The way out that the hulls give is where it
//! begins. Both ends work on each other: a shorter way out leaves less to cover, and a translation in no part
//! of the cover that turns out to be free is the beginning of a shorter way out.
//!
//! It ends when the bracket is narrower than a share of the depth, or when the work is spent.

mod cover;
mod part;
mod planes;
mod regions;
mod sides;
pub(crate) mod space;
mod swept;
mod way_out;

use crate::numeric::math::Transform;
use crate::pair::clearance::{Clearance, Effort};
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::tolerance::{ORDINARY_DEPTH, ORDINARY_WORK, TIGHT_DEPTH, WAY_OUT_HAIR};
use crate::shape::solid::Shape;
use sides::Sides;
use way_out::WayOut;

/// Narrows the bracket `c` of two bodies that are proved to overlap, of which one is a mesh. `b_in_a` may be
/// off by `slack` (metres).
#[cold]
#[inline(never)]
pub(crate) fn measure(
    [a, b]: [&Shape; 2],
    (b_in_a, slack): (&Transform, f64),
    effort: Effort,
    c: &mut Clearance,
    warm: &mut Warm,
    scratch: &mut Scratch,
) {
    let (share, work) = match effort {
        Effort::Rough => return,
        Effort::Ordinary => (ORDINARY_DEPTH, ORDINARY_WORK),
        Effort::Tight { work } => (TIGHT_DEPTH, work),
    };
    let Some(sides) = Sides::new(a, b, b_in_a, slack).filter(|_| c.interval.lower.is_finite()) else {
        return;
    };
    // The next query of the pair starts where this one did.
    let found = warm.mesh;
    // The scratch space of the queries in between is another.
    let mut space = scratch.depth.take().unwrap_or_default();
    let mut search = WayOut::new(&sides, c);
    // A hair beyond the end, which touches.
    search.descend(search.out * (1.0 + WAY_OUT_HAIR), warm, scratch);
    cover::cover(&mut search, share, work, &mut space, warm, scratch);
    search.settle(warm, scratch);
    search.tell(c);
    scratch.depth = Some(space);
    warm.mesh = found;
}
