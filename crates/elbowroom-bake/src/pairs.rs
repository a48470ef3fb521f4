//! The checked pairs, each with what rounding can do to it.

use crate::bodies::Bodies;
use crate::kinematics::Kinematics;
use crate::limits::MAX_ERROR;
use crate::refusal::Refusal;
use crate::round::{round_down, round_up};
use elbowroom::{PairId, World};
use elbowroom_baked::BakedPair;
use elbowroom_baked::tolerance::{PAIR_ROUNDING, SHAPE_ROUNDING, UNDERFLOW};

/// All pairs in the engine's order.
pub(crate) fn bake_pairs(
    world: &World,
    kinematics: &Kinematics,
    bodies: &Bodies,
    refusals: &mut Vec<Refusal>,
) -> Vec<BakedPair> {
    let mut pairs = Vec::with_capacity(world.pairs().len());
    for (number, pair) in world.pairs().iter().enumerate() {
        let find = |id| bodies.ids.iter().position(|other| *other == id);
        let (Some(a), Some(b)) = (find(pair.a), find(pair.b)) else { continue };
        let error = body_error(kinematics, bodies, a) + body_error(kinematics, bodies, b) + UNDERFLOW;
        if !(error <= MAX_ERROR) {
            let [a, b] = world.body_names(pair).unwrap_or_default();
            let problem = format!(
                "may be off by {error:.1e} m in f32, and {MAX_ERROR} m is the most: bring the cell's parts \
                 nearer to the first robot's base, or leave them out"
            );
            refusals.push(Refusal::new(format!("{a} - {b}"), problem));
        }
        let id = PairId(number as u32);
        pairs.push(BakedPair {
            a: a as u16,
            b: b as u16,
            error: round_up(error),
            enough: round_up(world.margin() + error).next_up(),
            floor: world.never_nearer(id).map_or(f32::NEG_INFINITY, round_down),
        });
    }
    pairs
}

/// What rounding can do to the heights of a body, and its share of the pair's gap (metres).
fn body_error(kinematics: &Kinematics, bodies: &Bodies, body: usize) -> f64 {
    let frame = kinematics.errors[usize::from(bodies.bodies[body].frame)];
    let reach = bodies.reaches[body];
    let moved = frame.shift + frame.rotation * reach + bodies.slacks[body];
    let rounded = SHAPE_ROUNDING * (frame.distance + 2.0 * reach);
    moved + rounded + PAIR_ROUNDING * (frame.distance + reach)
}
