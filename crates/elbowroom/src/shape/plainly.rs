//! A core of any kind behind one type.

use crate::numeric::math::Vec3;
use crate::numeric::simd::{Lanes, Plain};
use crate::shape::extreme::{Extreme, Support};

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
        self.numbered()
    }
    fn does_glance(&self) -> bool {
        self.glances()
    }
    fn is_curved(&self) -> bool {
        self.curved()
    }
    fn plain_support(&self, d: Vec3, hint: u32) -> Extreme {
        self.support(Plain, d, hint)
    }
    fn plain_glance(&self, d: Vec3) -> Extreme {
        self.glance(Plain, d)
    }
    fn has_vertex(&self, index: u32) -> bool {
        self.has(index)
    }
    fn vertex_at(&self, index: u32) -> Vec3 {
        self.vertex(index)
    }
    fn plain_beyond(&self, d: Vec3, e: Extreme) -> f64 {
        self.beyond(Plain, d, e)
    }
    fn plain_extent(&self) -> f64 {
        self.extent()
    }
}

/// A core of any kind, always in plain lanes: the same bits, more slowly. For code that runs rarely and would
/// otherwise be compiled for each pair of kinds.
#[derive(Clone, Copy)]
pub(crate) struct Plainly<'a>(pub &'a dyn PlainSupport);

impl Support for Plainly<'_> {
    #[inline(always)]
    fn numbered(self) -> bool {
        self.0.is_numbered()
    }
    #[inline(always)]
    fn glances(self) -> bool {
        self.0.does_glance()
    }
    #[inline(always)]
    fn curved(self) -> bool {
        self.0.is_curved()
    }
    #[inline(always)]
    fn support<L: Lanes>(self, _l: L, d: Vec3, hint: u32) -> Extreme {
        self.0.plain_support(d, hint)
    }
    #[inline(always)]
    fn glance<L: Lanes>(self, _l: L, d: Vec3) -> Extreme {
        self.0.plain_glance(d)
    }
    #[inline(always)]
    fn has(self, index: u32) -> bool {
        self.0.has_vertex(index)
    }
    #[inline(always)]
    fn vertex(self, index: u32) -> Vec3 {
        self.0.vertex_at(index)
    }
    #[inline(always)]
    fn beyond<L: Lanes>(self, _l: L, d: Vec3, e: Extreme) -> f64 {
        self.0.plain_beyond(d, e)
    }
    #[inline(always)]
    fn extent(self) -> f64 {
        self.0.plain_extent()
    }
}
