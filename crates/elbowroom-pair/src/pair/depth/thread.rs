//! A short way out to where several walls leave little room.
//!
//! A peg that is pressed into a wall of its hole comes out by a short way, but the room beyond may be a
//! micrometre wide while the way is a centimetre long: a step that is a thousandth too long ends in the
//! opposite wall. So each overlap that is seen gives the plane beyond which its two parts are apart, to the
//! last digit, and the next look is beyond all planes at once: as near as they allow, and away from each by a
//! small share of the way, or by about half the room that they leave, whichever is less. What still overlaps
//! there gives one more plane. Where it gives none, since the overlap is as small as rounding, the next look
//! is farther away from all. The first planes are forgotten where all together leave no room, since each is
//! that of the nearest face as seen from where it was found.
//!
//! The planes are those of faces that the bodies have ([`super::faces`]).
//!
//! It ends at a translation that is free, where planes leave no room nearer than the way out, or when its
//! work is spent. Regions are left alone: most of these overlaps lie beyond what a cover needs.

use super::planes::Planes;
use super::space::DepthScratch;
use super::way_out::{Found, WayOut};
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::tolerance::{
    COST_OF_LOOK, COST_OF_REGION, THREAD_DROPS, THREAD_LOOKS, THREAD_NARROWER, THREAD_SAME, THREAD_TRIES,
    THREAD_WIDER, WAY_OUT_HAIR,
};
use elbowroom_describe::math::Vec3;

/// Looks for a shorter way out; `out` keeps the shortest that is proved.
pub(super) fn find_way_between_walls(
    out: &mut WayOut,
    space: &mut DepthScratch,
    warm: &mut Warm,
    scratch: &mut Scratch,
) {
    let mut planes = Planes::NONE;
    let (mut t, mut share) = (Vec3::ZERO, WAY_OUT_HAIR);
    let (mut last, mut dropped) = (Vec3::ZERO, 0);
    for _ in 0..THREAD_LOOKS {
        if out.is_spent() {
            break;
        }
        out.work -= COST_OF_LOOK;
        let exit = match out.look(t, t, warm, scratch) {
            Found::Free { .. } => break,
            Found::Open => None,
            Found::Overlap(seen) => {
                out.work -= COST_OF_REGION;
                out.find_exit_plane(&seen, t, space, scratch)
            }
        };
        if exit.is_none_or(|(normal, _)| 1.0 - normal.dot(last) <= THREAD_SAME) {
            share *= THREAD_WIDER;
        }
        match exit {
            Some((normal, height)) => {
                // A part is smaller than its solid by a hair.
                planes.add_last(normal, height + out.sides.hair());
                last = normal;
            }
            None if share <= 1.0 => {}
            None => break,
        }
        let before = planes.len();
        let Some(next) = next_translation(&mut planes, share.min(1.0), out.most) else { break };
        dropped += before - planes.len();
        if dropped > THREAD_DROPS {
            break;
        }
        t = next;
    }
}

/// A translation that is shorter than `most` and beyond all planes. It keeps a distance from each plane: a
/// share of its own length, or less where the planes leave less room. While there is none, the plane that was
/// added first is dropped.
fn next_translation(planes: &mut Planes, share: f64, most: f64) -> Option<Vec3> {
    while planes.len() > 0 {
        if let Some(on) = planes.nearest().filter(|on| on.norm() < most) {
            let mut away = share * on.norm();
            for _ in 0..THREAD_TRIES {
                if let Some(t) = planes.nearest_beyond(away).filter(|t| t.norm() < most) {
                    return Some(t);
                }
                away *= THREAD_NARROWER;
            }
        }
        planes.drop_first();
    }
    None
}
