//! The gap of two shapes along one direction, as a proved lower bound.
//!
//! Motion in any direction can use up a distance. Only motion along a direction can use up the gap along it.

use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::certify;
use elbowroom_pair::cores::Cores;
use elbowroom_pair::farthest::Farthest;
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use elbowroom_pair::numeric::tolerance::ROUNDOFF;
use elbowroom_pair::shape::extreme::Support;
use elbowroom_pair::shape::solid::Shape;
use elbowroom_pair::with_support;

struct AlongNormal<A, B> {
    cores: Cores<A, B>,
    normal: Vec3,
}

impl<A: Support, B: Support> Kernel for AlongNormal<A, B> {
    type Output = f64;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f64 {
        certify::plane(l, &self.cores, &Farthest::new(l, &self.cores, self.normal))
    }
}

/// The least of `normal . (a - b)` over the points `a` and `b` of two shapes (metres), less `slack`; meshes
/// stand for their hulls. `normal` is a unit vector in A's frame.
pub(crate) fn gap_along(a: &Shape, b: &Shape, b_in_a: &Transform, normal: Vec3, slack: f64) -> f64 {
    let bound = with_support!(a.core(), core_a => with_support!(b.core(), core_b => {
        let cores = Cores::new(core_a, core_b, b_in_a, a.center(), b.center());
        dispatch_kernel(AlongNormal { cores, normal })
    }));
    let radius = a.radius() + b.radius();
    let gap = bound - radius - 4.0 * ROUNDOFF * (bound.abs() + radius) - slack;
    if gap.is_nan() { f64::NEG_INFINITY } else { gap }
}
