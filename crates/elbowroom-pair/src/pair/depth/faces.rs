//! How two parts come apart straight through a face of one of them.
//!
//! The nearest exit of two parts may lead past the end of one: along the wall of a hole, to where the next
//! triangle begins or where a part was cut off from its neighbours. Another part then leads back. Through a
//! face that is a face of the bodies, there is something to gain.

use super::part::Part;
use crate::numeric::simd::{Kernel, Lanes};
use crate::shape::extreme::{Support, max_height};
use crate::shape::solid::Shape;
use crate::with_support;
use elbowroom_describe::math::{Transform, Vec3};

/// The nearest plane, as seen from `t`, of those that have the direction of a face: beyond it the parts are
/// apart. By unit normal and height, as a plane of translations of A. Nothing is proved of it.
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
        let mut take = |n: Vec3| {
            // A moves along `n` until it is beyond B.
            let h = highest(l, b, pb, r.transpose_mul(n)) + n.dot(at) + highest(l, a, pa, -n);
            if best.is_none_or(|(m, g)| h - n.dot(t) < g - m.dot(t)) {
                best = Some((n, h));
            }
        };
        if a.mesh().is_some() {
            pa.faces().iter().for_each(|n| take(-*n));
        }
        if b.mesh().is_some() {
            pb.faces().iter().for_each(|n| take(*r * *n));
        }
        best
    }
}

/// How far a shape, or the part of a mesh, reaches along a unit vector (its frame).
#[inline(always)]
fn highest<L: Lanes>(l: L, shape: &Shape, part: &Part, d: Vec3) -> f64 {
    let core = match shape.mesh() {
        Some(_) => max_height(l, part.blocks(), d),
        None => with_support!(&shape.core, core => core.support_height(l, d, 0)),
    };
    core + shape.radius
}
