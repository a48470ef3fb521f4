//! The search for a ball that two solids have in common.
//!
//! Solids whose faces lie in common planes, as on a grid, may share a volume though their surfaces do not
//! cross. The depth of a point in both is the smaller of its depths in each, negative outside. It changes by
//! at most the distance between points. So if the middle of a box has depth `d`, and no point of the box is
//! farther from it than `r`, then no point is deeper than `d + r`. Boxes are halved along each side, the one
//! with the largest bound first, as in the search for the pole of a polygon ("polylabel", V. Agafonkin 2016).
//! The search ends when a middle is proved to be inside both, when no box can contain such a point, or at the
//! limit of points. The proof does not depend on the bounds: only the ball counts.
//!
//! The tested points are a little off the middles, so that they do not lie on the planes of a grid.

use super::point::{ball_inside, from_point};
use super::queue::{Entry, MeshScratch};
use crate::numeric::heap::{pop, push};
use crate::pair::tolerance::{OFF_MIDDLE, SHARED_LEVELS, SHARED_LOOKS};
use crate::shape::mesh::{Mesh, inside};
use elbowroom_describe::math::{Transform, Vec3, vec3};

/// A point in A's frame and the radii of balls about it, one in each solid.
pub(super) struct Shared {
    pub(super) at: Vec3,
    pub(super) radii: [f64; 2],
}

/// Bits of a coordinate of a box, in units of its own size.
const BITS: u32 = 10;

struct SharedSearch<'a> {
    meshes: [&'a Mesh; 2],
    a_in_b: Transform,
    /// Error of a point transformed from one frame to the other (metres).
    error: f64,
    low: Vec3,
    extent: Vec3,
}

/// Searches a point with balls in both solids, of radii above `error`, which bounds the error of `b_in_a`
/// (metres).
pub(super) fn ball_in_both(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    error: f64,
    scratch: &mut MeshScratch,
) -> Option<Shared> {
    if !(a.encloses_volume() && b.encloses_volume()) {
        return None;
    }
    let center = b_in_a.point(b.origin);
    let cols = b_in_a.rotation.cols.map(Vec3::abs);
    let half = cols[0] * b.half.x + cols[1] * b.half.y + cols[2] * b.half.z;
    let low = (a.origin - a.half).max(center - half);
    let extent = (a.origin + a.half).min(center + half) - low;
    if !(extent.x > 0.0 && extent.y > 0.0 && extent.z > 0.0) {
        return None;
    }
    let search = SharedSearch { meshes: [a, b], a_in_b: b_in_a.inverse(), error, low, extent };
    search.run(scratch)
}

impl SharedSearch<'_> {
    fn run(&self, scratch: &mut MeshScratch) -> Option<Shared> {
        scratch.heap.clear();
        let mut next = Some(Entry::bounded(0, 0, 0.0));
        let mut tested = 0;
        while let Some(Entry { a: cell, b: level, .. }) = next {
            let at = [0, 1, 2].map(|k| cell >> (k * BITS) & ((1 << BITS) - 1));
            for child in 0..if level < SHARED_LEVELS { 8 } else { 0 } {
                if tested == SHARED_LOOKS {
                    return None;
                }
                tested += 1;
                let at = [0, 1, 2].map(|k| 2 * at[k] + (child >> k & 1));
                match self.test(at, level + 1, scratch) {
                    Ok(shared) => return Some(shared),
                    Err(bound) if bound > self.error && scratch.heap.len() < scratch.heap.capacity() => {
                        let cell = at[0] | at[1] << BITS | at[2] << (2 * BITS);
                        push(&mut scratch.heap, Entry::bounded(cell, level + 1, -bound));
                    }
                    Err(_) => {}
                }
            }
            next = pop(&mut scratch.heap);
        }
        None
    }

    /// The balls about the middle of a box, or a bound on the depth in both solids of all points of the box.
    fn test(&self, at: [u32; 3], level: u32, scratch: &mut MeshScratch) -> Result<Shared, f64> {
        let size = self.extent * (1.0 / f64::from(1_u32 << level));
        let middle = vec3(at[0].into(), at[1].into(), at[2].into()) + Vec3::from(OFF_MIDDLE);
        let x = self.low + size.scaled(middle);
        let far = size.norm() * 0.55;
        let (mut bound, mut in_both) = (f64::INFINITY, true);
        for (mesh, x) in self.meshes.into_iter().zip([x, self.a_in_b.point(x)]) {
            let is_in = inside::contains(mesh, x);
            let near = from_point(mesh, x, 0.0, &mut scratch.nearest);
            let depth = if is_in == Some(false) { -near.lower } else { near.upper };
            bound = bound.min(depth + far);
            in_both &= is_in == Some(true);
            if bound <= self.error {
                return Err(bound);
            }
        }
        if in_both {
            let mut ball = |mesh: &Mesh, x| ball_inside(mesh, x, self.error, &mut scratch.nearest);
            if let (Some(r), Some(s)) = (ball(self.meshes[0], x), ball(self.meshes[1], self.a_in_b.point(x)))
            {
                return Ok(Shared { at: x, radii: [r, s] });
            }
        }
        Err(bound)
    }
}
