//! A core of any kind behind one type.

use crate::numeric::simd::{Lanes, Plain};
use crate::shape::extreme::{Extreme, Support};
use elbowroom_describe::math::Vec3;

/// [`Support`] in plain lanes, as methods of a trait object.
pub(crate) trait PlainSupport {
    fn is_numbered(&self) -> bool;
    fn does_glance(&self) -> bool;
    fn is_curved(&self) -> bool;
    fn plain_support(&self, d: Vec3, hint: u32) -> Extreme;
    fn plain_glance(&self, d: Vec3) -> Extreme;
    fn has_vertex(&self, index: u32) -> bool;
    fn vertex_at(&self, index: u32) -> Vec3;
    fn plain_beyond(&self, d: Vec3, e: Extreme) -> f64;
    fn plain_extent(&self) -> f64;
}

impl<S: Support> PlainSupport for S {
    fn is_numbered(&self) -> bool {
        self.has_numbers()
    }
    fn does_glance(&self) -> bool {
        self.is_glance_inexact()
    }
    fn is_curved(&self) -> bool {
        self.has_curved_surface()
    }
    fn plain_support(&self, d: Vec3, hint: u32) -> Extreme {
        self.support_point(Plain, d, hint)
    }
    fn plain_glance(&self, d: Vec3) -> Extreme {
        self.glance_point(Plain, d)
    }
    fn has_vertex(&self, index: u32) -> bool {
        self.has_vertex_number(index)
    }
    fn vertex_at(&self, index: u32) -> Vec3 {
        self.vertex(index)
    }
    fn plain_beyond(&self, d: Vec3, e: Extreme) -> f64 {
        self.height_bound(Plain, d, e)
    }
    fn plain_extent(&self) -> f64 {
        self.extent_from_origin()
    }
}

/// A core of any kind, always in plain lanes: the same bits, more slowly. For code that runs rarely and would
/// otherwise be compiled for each pair of kinds.
#[derive(Clone, Copy)]
pub(crate) struct Plainly<'a>(pub &'a dyn PlainSupport);

impl Support for Plainly<'_> {
    #[inline(always)]
    fn has_numbers(self) -> bool {
        self.0.is_numbered()
    }
    #[inline(always)]
    fn is_glance_inexact(self) -> bool {
        self.0.does_glance()
    }
    #[inline(always)]
    fn has_curved_surface(self) -> bool {
        self.0.is_curved()
    }
    #[inline(always)]
    fn support_point<L: Lanes>(self, _l: L, d: Vec3, hint: u32) -> Extreme {
        self.0.plain_support(d, hint)
    }
    #[inline(always)]
    fn glance_point<L: Lanes>(self, _l: L, d: Vec3) -> Extreme {
        self.0.plain_glance(d)
    }
    #[inline(always)]
    fn has_vertex_number(self, index: u32) -> bool {
        self.0.has_vertex(index)
    }
    #[inline(always)]
    fn vertex(self, index: u32) -> Vec3 {
        self.0.vertex_at(index)
    }
    #[inline(always)]
    fn height_bound<L: Lanes>(self, _l: L, d: Vec3, e: Extreme) -> f64 {
        self.0.plain_beyond(d, e)
    }
    #[inline(always)]
    fn extent_from_origin(self) -> f64 {
        self.0.plain_extent()
    }
}
