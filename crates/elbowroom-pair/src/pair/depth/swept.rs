//! A core swept by a ball, as a core.

use crate::numeric::simd::Lanes;
use crate::numeric::tolerance::ROUNDOFF;
use crate::shape::extreme::{Extreme, Support};
use elbowroom_describe::math::Vec3;

/// A core and the radius around it (metres).
#[derive(Clone, Copy)]
pub(super) struct Swept<S> {
    pub core: S,
    pub radius: f64,
}

impl<S: Support> Support for Swept<S> {
    #[inline(always)]
    fn has_numbers(self) -> bool {
        false
    }
    #[inline(always)]
    fn has_curved_surface(self) -> bool {
        self.radius > 0.0 || self.core.has_curved_surface()
    }
    #[inline(always)]
    fn is_glance_inexact(self) -> bool {
        false
    }
    #[inline(always)]
    fn support_point<L: Lanes>(self, l: L, d: Vec3, _hint: u32) -> Extreme {
        let e = self.core.finish(l, d, self.core.glance_point(l, d));
        let n = d.norm();
        let out = if n > 0.0 { d * (self.radius / n) } else { Vec3::ZERO };
        Extreme { index: 0, point: e.point + out }
    }
    #[inline(always)]
    fn height_bound<L: Lanes>(self, l: L, d: Vec3, _e: Extreme) -> f64 {
        self.core.support_height(l, d, 0) + self.radius * d.norm() * (1.0 + 8.0 * ROUNDOFF)
    }
    #[inline(always)]
    fn extent_from_origin(self) -> f64 {
        (self.core.extent_from_origin() + self.radius) * (1.0 + 2.0 * ROUNDOFF)
    }
}
