//! The corners of a polytope that planes cut out.
//!
//! Seen from a point inside, a plane is a point along its normal, at the inverse of its distance. The faces
//! of the hull of these points are the corners of the polytope.

use super::Polytope;
use crate::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use crate::pair::certify::surface::unpack;
use crate::pair::simplex::Corner;
use crate::pair::tolerance::{DUAL_LEVEL, DUAL_START};
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// Writes the corners of the polytope of points at least `hair` below all planes, which are normals with
/// heights, about its point `from`; none where they are more than `corners` has room for, or where rounding
/// tears the hull. `size` is about that of the polytope (metres).
pub(crate) fn corners(
    planes: impl Iterator<Item = (Vec3, f64)>,
    from: Vec3,
    (hair, size): (f64, f64),
    work: &mut Polytope,
    corners: &mut Vec<Vec3>,
) {
    dispatch_kernel(Dual { planes, from, hair, size, work, corners });
}

/// [`corners`].
struct Dual<'a, P> {
    planes: P,
    from: Vec3,
    hair: f64,
    size: f64,
    work: &'a mut Polytope,
    corners: &'a mut Vec<Vec3>,
}

impl<P: Iterator<Item = (Vec3, f64)>> Kernel for Dual<'_, P> {
    type Output = ();
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) {
        let Dual { planes, from, hair, size, work, corners } = self;
        corners.clear();
        work.clear();
        work.level = DUAL_LEVEL;
        // Four planes far away.
        for w in [[1.0, 1.0, 1.0], [1.0, -1.0, -1.0], [-1.0, 1.0, -1.0], [-1.0, -1.0, 1.0]] {
            work.first.push(Corner { w: Vec3::from(w) * DUAL_START, ..Corner::default() });
        }
        work.first_faces(l);
        for (normal, height) in planes {
            let inside = height - normal.dot(from) - hair;
            if !(inside > 0.0) {
                return;
            }
            let w = normal * (size / inside);
            let above = work.level * w.norm();
            let sees = |f: &u16| {
                let (n, d) = work.surface.plane(*f);
                n.dot(w) - d > above && work.surface.is_alive(*f)
            };
            let seen = (0..work.surface.slots() as u16).find(sees);
            if seen.is_some_and(|f| !work.expand(l, Corner { w, ..Corner::default() }, f)) {
                return;
            }
        }
        for f in 0..work.surface.slots() as u16 {
            if !work.surface.is_alive(f) {
                continue;
            }
            let [a, b, c] = unpack(work.surface.face(f)).map(|k| work.surface.corner(k).w);
            let n = (b - a).cross(c - a);
            let height = n.dot(a);
            if !(height > 0.0) || corners.len() == corners.capacity() {
                corners.clear();
                return;
            }
            corners.push(from + n * (size / height));
        }
    }
}
