//! A short way out, looked for from where the bodies are.
//!
//! Where two bodies overlap a little and their hulls deeply, as a peg that touches the wall of its hole, the
//! way out of the hulls is long, and a short one leads straight out through the faces that are crossed. The
//! parts that overlap ([`super::part`]) show where: beyond the nearest plane of their region they are apart.
//! The point nearest to the origin beyond the planes seen so far ([`super::planes`]) is where to look next.
//! If the bodies are apart there, a descent makes the way shorter. If they overlap, other parts do, and give
//! one more plane.
//!
//! The regions stay for the cover, so to climb costs little more than its looks. It ends at a way out, where
//! nothing shorter is beyond the planes, or after [`CLIMBS`] looks.

use super::cover::add_region;
use super::planes::Planes;
use super::space::DepthScratch;
use super::way_out::{Found, WayOut};
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::tolerance::{CLIMBS, COST_OF_DESCENT, COST_OF_LOOK, WAY_OUT_HAIR};
use elbowroom_describe::math::Vec3;

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
            break;
        }
        out.work -= COST_OF_LOOK;
        match out.look(t, t, warm, scratch) {
            Found::Free { .. } => {
                out.work -= COST_OF_DESCENT;
                out.descend(t, warm, scratch);
                break;
            }
            Found::Overlap(seen) => {
                let Some((normal, height)) = add_region(out, (&seen, t), share, space, scratch) else {
                    break;
                };
                planes.add(normal, height);
                let Some(next) = planes.nearest() else { break };
                // A hair beyond, so that it may be proved. Where walls curve, each takes a little more.
                let beyond = if looks == 0 { WAY_OUT_HAIR } else { 1.0 };
                t = next + normal * out.sides.hair() + next * beyond;
            }
            Found::Open => break,
        }
    }
}
