//! How deep two bodies overlap at most that touch, where not even the sign of their distance is proved.
//!
//! A body that rests in a hollow of another touches it as any other does, but their hulls overlap deeply, so
//! the way out of the hulls says nothing. And where nothing is proved to overlap there are no parts from
//! which a climb could start ([`super::climb`]). But a body that touches is free after a tiny step away from
//! what it touches. A few directions all around are tried; where one meets a wall, the step is tried once
//! more, turned away from that wall. From a free end shorter steps and a descent lead back to the contact,
//! and what is left of the step is the rounding of its last look.
//!
//! A body that fits exactly, between walls on all sides, is free after no step, and its bracket stays wide.

use super::way_out::{Found, WayOut};
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::tolerance::{THREAD_VISITS, TOUCH_SHRINK, TOUCH_SHRINKS, TOUCH_STEPS, TOUCH_WIDTH};
use elbowroom_describe::math::{Vec3, vec3};

/// May find a way out that is as short as can be told. `size` is that of the bodies (metres).
pub(super) fn step_away(out: &mut WayOut, size: f64, warm: &mut Warm, scratch: &mut Scratch) {
    for length in TOUCH_STEPS.map(|step| step * size) {
        // Each has its own, since contacts cost most, and where there is little play all long steps meet one.
        out.visits = THREAD_VISITS / 2;
        for start in directions_around() {
            let mut direction = start;
            for _ in 0..2 {
                if length >= out.most || out.visits <= 0 {
                    return;
                }
                if let Found::Free { .. } = out.look(direction * length, direction, warm, scratch) {
                    return shrink_to_contact(out, direction * length, size, warm, scratch);
                }
                // Away from what is met there.
                let met = [warm.mesh.triangle_a, warm.mesh.triangle_b];
                let away = direction + out.sides.outward_direction(met, scratch);
                let Some(turned) = away.normalized() else { break };
                direction = turned;
            }
        }
    }
}

/// Shortens a free translation until its end is as near to the contact as can be told, and descends from
/// there. Where walls meet, what is free near the contact is a cone, or nearly: a shorter step in the same
/// direction ends free too. A descent alone would run into the next wall again and again.
fn shrink_to_contact(out: &mut WayOut, free: Vec3, size: f64, warm: &mut Warm, scratch: &mut Scratch) {
    let mut step = free;
    for _ in 0..TOUCH_SHRINKS {
        if out.most <= TOUCH_WIDTH * size {
            break;
        }
        let shorter = step * TOUCH_SHRINK;
        let Found::Free { .. } = out.look(shorter, shorter, warm, scratch) else { break };
        step = shorter;
    }
    out.descend(step, warm, scratch);
}

/// Unit vectors to the corners and the faces of a cube. Those to the corners come first: between walls at
/// right angles others lead along one.
fn directions_around() -> impl Iterator<Item = Vec3> {
    let faces = [Vec3::X, Vec3::Y, Vec3::Z].into_iter().flat_map(|v| [v, -v]);
    let side = |i: u32, bit: u32| if i >> bit & 1 == 0 { 1.0 } else { -1.0 };
    let corners = (0..8).filter_map(move |i| vec3(side(i, 0), side(i, 1), side(i, 2)).normalized());
    corners.chain(faces)
}
