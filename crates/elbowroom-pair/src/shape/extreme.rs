//! The farthest point of a core along a direction, and a proved bound on its height: what searches ask of a
//! core. Points in blocks are scanned four at a time.

use crate::numeric::simd::{Lanes, lane_numbers, largest_lane, splat_vec3};
use crate::numeric::tolerance::ROUNDOFF;
use crate::shape::hull::Block;
use elbowroom_describe::math::Vec3;

/// A point of a core, with the number of the vertex if the core is a polytope.
#[derive(Clone, Copy, Debug)]
pub struct Extreme {
    /// The number of the vertex; zero where there are none.
    pub index: u32,
    /// The point (the core's frame).
    pub point: Vec3,
}

/// A core as searches see it.
pub trait Support: Copy {
    /// Whether points are vertices with numbers, so that a search can start from them in another pose.
    fn has_numbers(self) -> bool;
    /// Whether the core has a curved surface, so that there is no finite set of vertices.
    #[inline(always)]
    fn has_curved_surface(self) -> bool {
        false
    }
    /// A farthest point along `d`; `hint` is a vertex to start from.
    fn support_point<L: Lanes>(self, l: L, d: Vec3, hint: u32) -> Extreme;
    /// Whether [`Support::glance_point`] may be inexact.
    fn is_glance_inexact(self) -> bool;
    /// A point far along `d`, in less time; if [`Support::is_glance_inexact`], it may not be the farthest.
    #[inline(always)]
    fn glance_point<L: Lanes>(self, l: L, d: Vec3) -> Extreme {
        self.support_point(l, d, 0)
    }
    /// The hinted vertex itself if [`Support::is_glance_inexact`], a farthest point otherwise.
    #[inline(always)]
    fn hinted_point<L: Lanes>(self, l: L, d: Vec3, hint: u32) -> Extreme {
        if self.is_glance_inexact() {
            Extreme { index: hint, point: self.vertex(hint) }
        } else {
            self.support_point(l, d, hint)
        }
    }
    /// The farthest point along `d`, starting from a glance.
    #[inline(always)]
    fn finish<L: Lanes>(self, l: L, d: Vec3, e: Extreme) -> Extreme {
        if self.is_glance_inexact() { self.support_point(l, d, e.index) } else { e }
    }
    /// Whether there is a vertex of this number; true for cores without numbers.
    #[inline(always)]
    fn has_vertex_number(self, _index: u32) -> bool {
        true
    }
    /// The vertex of a number; the origin for cores without numbers. Panics if there is no such vertex.
    #[inline(always)]
    fn vertex(self, _index: u32) -> Vec3 {
        Vec3::ZERO
    }
    /// A proved bound on `d.x` for all points x of the core (d of any length). `e` is the farthest point
    /// along `d`, from [`Support::support_point`] or [`Support::finish`].
    fn height_bound<L: Lanes>(self, l: L, d: Vec3, e: Extreme) -> f64;
    /// A proved bound on `d.x` for all points x of the core (d of any length), where no farthest point is
    /// known; `hint` is a vertex to start from.
    #[inline(always)]
    fn support_height<L: Lanes>(self, l: L, d: Vec3, hint: u32) -> f64 {
        self.height_bound(l, d, self.support_point(l, d, hint))
    }
    /// Largest distance of a point of the core from the frame's origin, rounded up.
    fn extent_from_origin(self) -> f64;
}

/// The number of the point farthest along `d`; of equals, the first of the first lane that has one.
#[inline(always)]
pub fn find_farthest<L: Lanes>(l: L, blocks: &[Block], d: Vec3) -> u32 {
    let dv = splat_vec3(l, d);
    let mut best = l.splat(f64::NEG_INFINITY);
    let mut best_at = lane_numbers(l);
    let mut at = best_at;
    let four = l.splat(4.0);
    // By index: a slice iterator costs a division by the size of its elements.
    let mut i = 0;
    while i < blocks.len() {
        let b = &blocks[i];
        i += 1;
        let h = l.add(l.add(l.mul(l.load(&b.x), dv.x), l.mul(l.load(&b.y), dv.y)), l.mul(l.load(&b.z), dv.z));
        let m = l.gt(h, best);
        best = l.max(h, best);
        best_at = l.select(m, at, best_at);
        at = l.add(at, four);
    }
    largest_lane(l, best, best_at).1
}

/// The largest `d.x` of the points, as computed.
#[inline(always)]
pub(crate) fn max_height<L: Lanes>(l: L, blocks: &[Block], d: Vec3) -> f64 {
    let dv = splat_vec3(l, d);
    let mut best = l.splat(f64::NEG_INFINITY);
    let mut i = 0;
    while i < blocks.len() {
        let b = &blocks[i];
        i += 1;
        let h = l.add(l.add(l.mul(l.load(&b.x), dv.x), l.mul(l.load(&b.y), dv.y)), l.mul(l.load(&b.z), dv.z));
        best = l.max(h, best);
    }
    let [p, q, r, s] = l.to_array(best);
    p.max(q).max(r.max(s))
}

/// Rounding error of a computed `d.x` with `|x| <= extent`, and of the comparisons made with it.
#[inline(always)]
pub fn dot_error(d: Vec3, extent: f64) -> f64 {
    4.0 * ROUNDOFF * (d.x.abs() + d.y.abs() + d.z.abs()) * extent
}
