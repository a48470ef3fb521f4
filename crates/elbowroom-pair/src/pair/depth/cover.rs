//! A cover of the translations that are shorter than the way out: each leaves an overlap.
//!
//! Branch and bound: cuboids of translations wait in the order of their least length. If one of the known
//! regions holds the next cuboid ([`super::regions`]), it is proved. Else its centre is looked at. If the
//! bodies are apart there, it begins a shorter way out. If they overlap where no region says so, a convex
//! part of each is grown around a point that both have in common ([`super::part`]), and the translations at
//! which these two overlap are one more region. Then the cuboid is halved along the axes that matter: those
//! along which it leaves the region of its centre. A part that lies in that region is proved at once. One
//! whose translations are all nearly as long as the way out needs no look. All translations shorter than the
//! least of those left are proved to overlap.
//!
//! Two or three regions usually suffice, because parts are exact where the bodies touch last.
//!
//! It ends when that least length is close to the way out, or when the work is spent.

use super::regions::longest;
use super::sides::{GrowAim, Seen};
use super::space::{Cuboid, DepthScratch};
use super::way_out::{Found, WayOut};
use crate::numeric::heap::{pop, push};
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::tolerance::{
    BLOCKS_OF_VISIT, COST_OF_DESCENT, COST_OF_LOOK, COST_OF_REGION, CUBOID_LEVELS, CUBOIDS, PLANES_OF_WORK,
    REGION_TOLERANCE,
};
use elbowroom_describe::math::{Vec3, round_up};

/// Learns from an overlap that was seen after A was moved by `t`: grows a part of each body there, and adds
/// the region in which they overlap. Returns a near plane beyond which these two are apart.
pub(super) fn add_region(
    out: &mut WayOut,
    (seen, t): (&Seen, Vec3),
    share: f64,
    space: &mut DepthScratch,
    scratch: &mut Scratch,
) -> Option<(Vec3, f64)> {
    let DepthScratch { regions, parts, grow, .. } = space;
    if !regions.has_room() {
        return None;
    }
    out.work -= COST_OF_REGION;
    let aim = GrowAim { size: out.most, reach: out.most, faces: false, solid: false };
    let grown = out.grow_parts(seen, t, aim, (parts, grow), scratch);
    let fit = (out.most, out.most * share * REGION_TOLERANCE);
    if !grown {
        return None;
    }
    let exit = out.sides.region(parts, t, fit, regions, &mut scratch.work);
    if out.long {
        // Each corner of the region was looked for among all corners of the parts.
        let blocks = parts.iter().map(|part| part.blocks().len()).sum::<usize>();
        out.visits -= (blocks * scratch.work.polytope.corner_count() / BLOCKS_OF_VISIT) as i64;
    }
    exit
}

/// Raises [`WayOut::least`], and may find shorter ways out, until the two differ by less than a share of the
/// depth or the work is spent.
pub(super) fn cover(
    out: &mut WayOut,
    share: f64,
    space: &mut DepthScratch,
    warm: &mut Warm,
    scratch: &mut Scratch,
) {
    // Longer ones are not covered.
    let reach = round_up(out.most * (1.0 - share));
    let smallest = reach / (1 << CUBOID_LEVELS) as f32;
    space.cuboids.clear();
    space.cuboids.push(Cuboid::new([0.0; 3], [reach; 3], 0));
    // The least length in the cuboids that were given up.
    let mut left = f64::from(reach);
    while let Some(cuboid) = pop(&mut space.cuboids) {
        let lower = f64::from(cuboid.lower);
        if lower >= out.most * (1.0 - share) || out.is_spent() {
            left = left.min(lower);
            break;
        }
        let Cuboid { center, half, hint, .. } = cuboid;
        let (regions, mut tested) = (&space.regions, 0);
        let known = regions.len();
        let held = regions.find(hint, center, half, &mut tested).is_some();
        let mut hint = if held { None } else { regions.find(hint, center, [0.0; 3], &mut tested) };
        out.work -= 1 + (tested / PLANES_OF_WORK) as i64;
        if held {
            continue;
        }
        let middle = regions.translation(center);
        if hint.is_none() && middle.norm() < out.most {
            out.work -= COST_OF_LOOK;
            match out.look(middle, middle, warm, scratch) {
                Found::Free { .. } => {
                    out.work -= COST_OF_DESCENT;
                    out.descend(middle, warm, scratch);
                }
                Found::Overlap(seen) => {
                    if add_region(out, (&seen, middle), share, space, scratch).is_some() {
                        if space.regions.holds(known, center, half) {
                            continue;
                        }
                        hint = Some(known);
                    }
                }
                Found::Open => {}
            }
        }
        // Along an axis that may still be halved.
        let large = half.map(|h| if h > smallest { h } else { 0.0 });
        let halved = hint.map_or_else(|| longest(large), |k| space.regions.crossed(k, center, half, large));
        if halved == 0 || space.cuboids.len() + 8 > CUBOIDS {
            left = left.min(lower);
            continue;
        }
        for which in (0..8).filter(|which| which & !halved == 0) {
            let part = cuboid.part(halved, which, hint.unwrap_or(0) as u32);
            let lower = f64::from(part.lower);
            if lower >= out.most * (1.0 - share) {
                // Long enough for the bracket that is asked: it needs no look.
                left = left.min(lower);
            } else if !hint.is_some_and(|k| space.regions.holds(k, part.center, part.half)) {
                push(&mut space.cuboids, part);
            }
        }
    }
    // The error of the pose is in the regions.
    out.least = out.least.max(left.min(out.most - out.sides.error));
}
