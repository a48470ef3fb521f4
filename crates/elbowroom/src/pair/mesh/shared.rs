//! A ball that two solids have in common.
//!
//! Solids whose faces lie in the same planes, as those of parts on a common grid do, may share a volume
//! though no surface crosses the other. How deep a point is in both, the smaller of its depths in each and
//! negative outside, changes by no more than the way from point to point. So where the middle of a box has
//! depth `d` and no point of the box is farther from it than `r`, none is deeper than `d + r`. Boxes are
//! halved along each side, that with the largest such bound first, as in the search for the pole of a polygon
//! ("polylabel", V. Agafonkin 2016), until a middle is proved to be inside both, no box can hold such a
//! point, or the looks are spent. What is proved does not depend on the bounds: only the ball found counts.
//!
//! Middles are a little off, so that they do not lie on the planes of the grid that the box began with.

use super::point::{ball_inside, from_point};
use super::queue::{Entry, MeshScratch};
use crate::numeric::heap::{pop, push};
use crate::numeric::math::{Transform, Vec3, vec3};
use crate::pair::tolerance::{OFF_MIDDLE, SHARED_LEVELS, SHARED_LOOKS};
use crate::shape::mesh::{Mesh, inside};

/// A point in A's frame and the radii of balls about it, one in each solid.
pub(super) struct Shared {
    pub(super) at: Vec3,
    pub(super) radii: [f64; 2],
}

/// Bits of a coordinate of a box, in units of its own size.
const BITS: u32 = 10;

struct Search<'a> {
    meshes: [&'a Mesh; 2],
    a_in_b: Transform,
    /// How far a point may be off in B's frame (metres), in either direction.
    error: f64,
    low: Vec3,
    extent: Vec3,
}

/// Looks for a ball that both solids hold, of a radius above `error`; that is how far B may be from where
/// `b_in_a` has it (metres).
pub(super) fn ball_in_both(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    error: f64,
    scratch: &mut MeshScratch,
) -> Option<Shared> {
    if !(a.encloses() && b.encloses()) {
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
    let search = Search { meshes: [a, b], a_in_b: b_in_a.inverse(), error, low, extent };
    search.run(scratch)
}

impl Search<'_> {
    fn run(&self, scratch: &mut MeshScratch) -> Option<Shared> {
        scratch.heap.clear();
        let mut next = Some(Entry { a: 0, b: 0, lower: 0.0 });
        let mut looks = 0;
        while let Some(Entry { a: place, b: level, .. }) = next {
            let at = [0, 1, 2].map(|k| place >> (k * BITS) & ((1 << BITS) - 1));
            for child in 0..if level < SHARED_LEVELS { 8 } else { 0 } {
                if looks == SHARED_LOOKS {
                    return None;
                }
                looks += 1;
                let at = [0, 1, 2].map(|k| 2 * at[k] + (child >> k & 1));
                match self.look(at, level + 1, scratch) {
                    Ok(found) => return Some(found),
                    Err(bound) if bound > self.error && scratch.heap.len() < scratch.heap.capacity() => {
                        let place = at[0] | at[1] << BITS | at[2] << (2 * BITS);
                        push(&mut scratch.heap, Entry { a: place, b: level + 1, lower: -bound as f32 });
                    }
                    Err(_) => {}
                }
            }
            next = pop(&mut scratch.heap);
        }
        None
    }

    /// The balls about the middle of a box, or how deep in both solids a point of the box can be.
    fn look(&self, at: [u32; 3], level: u32, scratch: &mut MeshScratch) -> Result<Shared, f64> {
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
