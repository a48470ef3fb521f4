//! A cover of the translations that are shorter than the way out: each leaves an overlap.
//!
//! Branch and bound: cubes of translations wait in the order of their least length. If one of the known
//! regions holds the next cube ([`super::regions`]), it is proved. Else its centre is looked at. If the
//! bodies are apart there, it begins a shorter way out. If they overlap where no region says so, a convex
//! part of each is grown around a point that both have in common ([`super::part`]), and the translations at
//! which these two overlap are one more region. Then the cube is cut into eight. An eighth that
//! lies in the region of the cube's centre is proved at once. One whose translations are all nearly as long
//! as the way out needs no look. All translations shorter than the least of those left are proved to overlap.
//!
//! Two or three regions usually suffice, because parts are exact where the bodies touch last.
//!
//! It ends when that least length is close to the way out, or when the work is spent.

use super::space::{Cube, DepthScratch};
use super::way_out::{Found, WayOut};
use crate::numeric::heap::{pop, push};
use crate::numeric::math::{round_up, vec3};
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::tolerance::{
    COST_OF_DESCENT, COST_OF_LOOK, COST_OF_REGION, CUBE_LEVELS, CUBES, REGION_TOLERANCE,
};

/// Raises [`WayOut::least`], and may find shorter ways out, until the two differ by less than a share of the
/// depth or the work is spent.
pub(super) fn cover(
    out: &mut WayOut,
    share: f64,
    space: &mut DepthScratch,
    warm: &mut Warm,
    scratch: &mut Scratch,
) {
    let sides = out.sides;
    let DepthScratch { cubes, regions, parts, grow } = space;
    let half = round_up(out.most);
    let smallest = half / (1 << CUBE_LEVELS) as f32;
    regions.clear((2.0 * half).into());
    cubes.clear();
    cubes.push(Cube::new([0.0; 3], half, 0));
    // The least length in the cubes that were given up.
    let mut left = f64::INFINITY;
    while let Some(cube) = pop(cubes) {
        let lower = f64::from(cube.lower);
        if lower >= out.most * (1.0 - share) || out.is_spent() {
            left = left.min(lower);
            break;
        }
        out.work -= 1;
        let known = regions.len();
        let order = || (0..known).map(|k| (cube.hint as usize + k) % known);
        if order().any(|k| regions.holds(k, cube.center, cube.half)) {
            continue;
        }
        let mut hint = order().find(|k| regions.holds(*k, cube.center, 0.0));
        let [x, y, z] = cube.center.map(f64::from);
        let middle = vec3(x, y, z);
        if hint.is_none() && middle.norm() < out.most {
            out.work -= COST_OF_LOOK;
            match out.look(middle, middle, warm, scratch) {
                Found::Free { .. } => {
                    out.work -= COST_OF_DESCENT;
                    out.descend(middle, warm, scratch);
                }
                Found::Overlap(seen) if regions.has_room() => {
                    out.work -= COST_OF_REGION;
                    let fit = (out.most, out.most * share * REGION_TOLERANCE);
                    let before = scratch.mesh.nearest.visits + grow.visits();
                    let grown = sides.grow(&seen, (middle, out.most), (parts, grow), scratch);
                    let now = scratch.mesh.nearest.visits + grow.visits();
                    out.visits -= (now - before) as i64;
                    if grown && sides.region(parts, middle, fit, regions, &mut scratch.work) {
                        if regions.holds(known, cube.center, cube.half) {
                            continue;
                        }
                        hint = Some(known);
                    }
                }
                Found::Overlap(_) | Found::Open => {}
            }
        }
        if cube.half <= smallest || cubes.len() + 8 > CUBES {
            left = left.min(lower);
            continue;
        }
        for which in 0..8 {
            let eighth = cube.eighth(which, hint.unwrap_or(0) as u32);
            let lower = f64::from(eighth.lower);
            if lower >= out.most * (1.0 - share) {
                // Long enough for the bracket that is asked: it needs no look.
                left = left.min(lower);
            } else if !hint.is_some_and(|k| regions.holds(k, eighth.center, eighth.half)) {
                push(cubes, eighth);
            }
        }
    }
    // The error of the pose is in the regions.
    out.least = out.least.max(left.min(out.most - sides.error));
}
