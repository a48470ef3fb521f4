//! A short way out, looked for from where the bodies are.
//!
//! Where two bodies overlap a little and their hulls deeply, as a peg that touches the wall of its hole, the
//! way out of the hulls is long, and a short one leads straight out through the faces that are crossed. The
//! parts that overlap ([`super::part`]) show where: beyond the nearest plane of their region they are apart.
//! The point nearest to the origin beyond the planes seen so far ([`super::planes`]) is where to look next.
//! If the bodies are apart there, a descent makes the way shorter. If they overlap, other parts do, and give
//! one more plane.
//!
//! Where walls face each other, as those of a hole do, the next look is between them, and not as far beyond
//! the one as usual.
//!
//! The regions stay for the cover, so to climb costs little more than its looks. It ends at a way out, where
//! nothing shorter is beyond the planes, after [`CLIMBS`] looks, or when the work is spent.

use super::cover::add_region;
use super::planes::Planes;
use super::space::DepthScratch;
use super::way_out::{Found, WayOut};
use crate::numeric::math::Vec3;
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::tolerance::{CLIMBS, COST_OF_DESCENT, COST_OF_LOOK, LONG_CLIMBS, WAY_OUT_HAIR};

/// May find a shorter way out. `share` is that of the depth to which the bracket is wanted.
pub(super) fn climb(
    out: &mut WayOut,
    share: f64,
    space: &mut DepthScratch,
    warm: &mut Warm,
    scratch: &mut Scratch,
) {
    let mut planes = Planes::NONE;
    let mut t = Vec3::ZERO;
    for looks in 0..CLIMBS {
        if t.norm() >= out.most || out.is_spent() {
            return;
        }
        out.work -= COST_OF_LOOK;
        match out.look(t, t, warm, scratch) {
            Found::Free { .. } => return descend_from(out, t, warm, scratch),
            Found::Overlap(seen) => {
                let Some((normal, height)) = add_region(out, (&seen, t), share, space, scratch) else {
                    return;
                };
                planes.add(normal, height);
                // A hair beyond, so that it may be proved. Where walls curve, each takes a little more. Walls
                // of many faces that leave little room are passed face by face.
                let beyond = if (1..LONG_CLIMBS).contains(&looks) { 1.0 } else { WAY_OUT_HAIR };
                let Some(next) = look_beyond(&planes, beyond, out) else { return };
                t = next;
            }
            Found::Open => return,
        }
    }
}

/// Where to look beyond planes: as far as a share of the way there, and as they leave room.
fn look_beyond(planes: &Planes, share: f64, out: &WayOut) -> Option<Vec3> {
    let gap = planes.nearest()?.norm() * share + out.sides.hair();
    planes.nearest_within(gap)
}

/// Makes the way shorter from a translation that is free.
fn descend_from(out: &mut WayOut, t: Vec3, warm: &mut Warm, scratch: &mut Scratch) {
    out.work -= COST_OF_DESCENT;
    out.descend(t, warm, scratch);
}
