//! How two parts come apart straight through a face of one of them.
//!
//! The nearest plane beyond which two parts are apart may be no wall of the bodies: it may be where a part
//! was cut off from its neighbours, or where the next triangle begins. A step beyond it ends in the next
//! part. So only planes of the bodies' own faces are taken.

use super::part::Part;
use crate::numeric::simd::{Kernel, Lanes};
use crate::shape::extreme::{Support, max_height};
use crate::shape::solid::Shape;
use crate::with_support;
use elbowroom_describe::math::{Transform, Vec3};

/// Looks for the plane nearest to `t` among those parallel to a face: a translation of A beyond it parts the
/// two. The result is its unit normal and height. It is a proposal, not a proof.
pub(super) struct PartFaces<'a> {
    pub shapes: [&'a Shape; 2],
    pub parts: &'a [Part; 2],
    pub b_in_a: &'a Transform,
    pub t: Vec3,
}

impl Kernel for PartFaces<'_> {
    type Output = Option<(Vec3, f64)>;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Option<(Vec3, f64)> {
        let PartFaces { shapes: [a, b], parts: [pa, pb], b_in_a, t } = self;
        let (r, at) = (&b_in_a.rotation, b_in_a.translation);
        let mut best: Option<(Vec3, f64)> = None;
        let of_a = pa.faces().iter().filter(|_| a.mesh().is_some()).map(|n| -*n);
        let of_b = pb.faces().iter().filter(|_| b.mesh().is_some()).map(|n| *r * *n);
        for n in of_a.chain(of_b) {
            // A moves along `n` until it is beyond B.
            let h = shape_height(l, b, pb, r.transpose_mul(n)) + n.dot(at) + shape_height(l, a, pa, -n);
            if best.is_none_or(|(m, g)| h - n.dot(t) < g - m.dot(t)) {
                best = Some((n, h));
            }
        }
        best
    }
}

/// The height of the farthest point of a shape along the unit vector `d` (the shape's frame, metres); for a
/// mesh, of its part.
#[inline(always)]
fn shape_height<L: Lanes>(l: L, shape: &Shape, part: &Part, d: Vec3) -> f64 {
    let core = match shape.mesh() {
        Some(_) => max_height(l, part.blocks(), d),
        None => with_support!(&shape.core, core => core.support_height(l, d, 0)),
    };
    core + shape.radius
}
