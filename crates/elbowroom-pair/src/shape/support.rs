//! Support functions of cores: the farthest point along a direction, and a proved bound on its height.
//!
//! There are three kinds. [`Scan`] visits every vertex, four at a time: exact, and fastest below about a
//! hundred vertices. [`Climb`] climbs the vertex graph of a large hull (Ong and Gilbert's enhancement,
//! coulombe20 II-C), from an entry of the direction table or from the last support point. [`Simple`] has a
//! formula.

use crate::numeric::simd::{Lanes, V3, dot_vec3, splat_vec3};
use crate::numeric::tolerance::ROUNDOFF;
use crate::shape::extreme::{Extreme, Support, dot_error, find_farthest};
use crate::shape::hull::{Block, Graph, Hull};
use crate::shape::solid::Core;
use crate::shape::tolerance::CLIMB_SLACK_MAX;
use elbowroom_describe::math::{Vec3, sqrt, vec3};

/// Evaluates an expression with the [`Support`] of a core; a mesh counts as its hull.
#[macro_export]
macro_rules! with_support {
    ($core:expr, $support:ident => $body:expr) => {{
        let core: &$crate::shape::solid::Core = $core;
        match core.hull() {
            Some(h) if h.vertex_count() >= $crate::shape::tolerance::CLIMB_FROM => {
                let $support = $crate::shape::support::Climb::new(h);
                $body
            }
            Some(h) => {
                let $support = $crate::shape::support::Scan::new(h);
                $body
            }
            None => {
                let $support = $crate::shape::support::Simple(core);
                $body
            }
        }
    }};
}

/// A hull of few vertices.
#[derive(Clone, Copy, Debug)]
pub struct Scan<'a> {
    hull: &'a Hull,
    blocks: &'a [Block],
}

impl<'a> Scan<'a> {
    /// Looks at all vertices each time.
    #[inline(always)]
    pub fn new(hull: &'a Hull) -> Scan<'a> {
        Scan { hull, blocks: hull.blocks() }
    }
}

impl Support for Scan<'_> {
    #[inline(always)]
    fn has_numbers(self) -> bool {
        true
    }
    #[inline(always)]
    fn is_glance_inexact(self) -> bool {
        false
    }
    #[inline(always)]
    fn support_point<L: Lanes>(self, l: L, d: Vec3, _hint: u32) -> Extreme {
        // The last block repeats the last vertex, but of equals the smaller number wins.
        let index = find_farthest(l, self.blocks, d);
        Extreme { index, point: self.vertex(index) }
    }
    #[inline(always)]
    fn has_vertex_number(self, index: u32) -> bool {
        (index as usize) < self.hull.vertex_count()
    }
    #[inline(always)]
    fn vertex(self, index: u32) -> Vec3 {
        self.blocks[index as usize / 4].point(index as usize % 4)
    }
    #[inline(always)]
    fn height_bound<L: Lanes>(self, _l: L, d: Vec3, e: Extreme) -> f64 {
        e.point.dot(d)
            + dot_error(d, self.extent_from_origin())
            + self.hull.defect() * d.norm() * (1.0 + 8.0 * ROUNDOFF)
    }
    #[inline(always)]
    fn extent_from_origin(self) -> f64 {
        self.hull.max_abs()
    }
}

/// A hull of many vertices.
#[derive(Clone, Copy, Debug)]
pub struct Climb<'a> {
    hull: &'a Hull,
    blocks: &'a [Block],
    graph: Option<&'a Graph>,
}

impl<'a> Climb<'a> {
    /// Goes from vertex to vertex.
    #[inline(always)]
    pub fn new(hull: &'a Hull) -> Climb<'a> {
        Climb { hull, blocks: hull.blocks(), graph: hull.graph() }
    }

    /// Climbs from `v` until no neighbour is higher. It ends because each step is strictly higher.
    #[inline(always)]
    fn climb_from<L: Lanes>(self, l: L, d: Vec3, mut v: u32) -> u32 {
        let dv = splat_vec3(l, d);
        let p = self.vertex(v);
        let mut best = p.x * d.x + p.y * d.y + p.z * d.z;
        loop {
            let (blocks, numbers) = self.graph.map_or((&[][..], &[][..]), |g| g.neighbour_blocks(v as usize));
            let mut next = v;
            for (b, n) in blocks.iter().zip(numbers) {
                let (x, y, z) = (l.load(&b.x), l.load(&b.y), l.load(&b.z));
                let h = dot_vec3(l, V3 { x, y, z }, dv);
                if l.mask_bits(l.gt(h, l.splat(best))) != 0 {
                    let h = l.to_array(h);
                    for i in 0..4 {
                        if h[i] > best {
                            (best, next) = (h[i], n[i]);
                        }
                    }
                }
            }
            if next == v {
                return v;
            }
            v = next;
        }
    }
}

impl Support for Climb<'_> {
    #[inline(always)]
    fn has_numbers(self) -> bool {
        true
    }
    #[inline(always)]
    fn is_glance_inexact(self) -> bool {
        true
    }
    #[inline(always)]
    fn support_point<L: Lanes>(self, l: L, d: Vec3, hint: u32) -> Extreme {
        let index = self.climb_from(l, d, hint);
        Extreme { index, point: self.vertex(index) }
    }
    #[inline(always)]
    fn glance_point<L: Lanes>(self, _l: L, d: Vec3) -> Extreme {
        let index = self.graph.map_or(0, |g| g.start_vertex(d));
        Extreme { index, point: self.vertex(index) }
    }
    #[inline(always)]
    fn has_vertex_number(self, index: u32) -> bool {
        (index as usize) < self.hull.vertex_count()
    }
    #[inline(always)]
    fn vertex(self, index: u32) -> Vec3 {
        self.blocks[index as usize / 4].point(index as usize % 4)
    }
    #[inline(always)]
    fn height_bound<L: Lanes>(self, l: L, d: Vec3, e: Extreme) -> f64 {
        let error = dot_error(d, self.extent_from_origin());
        let slack = self.graph.map_or(f64::INFINITY, |g| g.vertex_slack(e.index as usize));
        let defect = self.hull.defect() * d.norm() * (1.0 + 8.0 * ROUNDOFF);
        if slack <= CLIMB_SLACK_MAX {
            // Every comparison of the climb may be wrong by the rounding of two products.
            return e.point.dot(d) + error * (1.0 + 2.0 * slack) + defect;
        }
        self.vertex(find_farthest(l, self.blocks, d)).dot(d) + error + defect
    }
    #[inline(always)]
    fn extent_from_origin(self) -> f64 {
        self.hull.max_abs()
    }
}

/// A triangle of a mesh.
#[derive(Clone, Copy)]
pub(crate) struct TriangleCorners<'a>(pub &'a [Vec3; 3]);

impl Support for TriangleCorners<'_> {
    #[inline(always)]
    fn has_numbers(self) -> bool {
        true
    }
    #[inline(always)]
    fn is_glance_inexact(self) -> bool {
        false
    }
    #[inline(always)]
    fn support_point<L: Lanes>(self, _l: L, d: Vec3, _hint: u32) -> Extreme {
        let h = self.0.map(|p| p.dot(d));
        let index = if h[0] >= h[1] && h[0] >= h[2] {
            0
        } else if h[1] >= h[2] {
            1
        } else {
            2
        };
        Extreme { index, point: self.vertex(index) }
    }
    #[inline(always)]
    fn vertex(self, index: u32) -> Vec3 {
        self.0[index.min(2) as usize]
    }
    #[inline(always)]
    fn height_bound<L: Lanes>(self, _l: L, d: Vec3, e: Extreme) -> f64 {
        e.point.dot(d) + dot_error(d, self.extent_from_origin())
    }
    #[inline(always)]
    fn extent_from_origin(self) -> f64 {
        let [p, q, r] = self.0.map(Vec3::norm);
        p.max(q).max(r) * (1.0 + 4.0 * ROUNDOFF)
    }
}

/// A core with a formula.
#[derive(Clone, Copy, Debug)]
pub struct Simple<'a>(pub &'a Core);

#[inline(always)]
fn copy_sign(x: f64, d: f64) -> f64 {
    if d < 0.0 { -x } else { x }
}

impl Support for Simple<'_> {
    #[inline(always)]
    fn has_numbers(self) -> bool {
        false
    }
    #[inline(always)]
    fn is_glance_inexact(self) -> bool {
        false
    }
    #[inline(always)]
    fn has_curved_surface(self) -> bool {
        match self.0 {
            Core::Cylinder { .. } | Core::Cone { .. } | Core::Ellipsoid { .. } => true,
            Core::Point | Core::Segment { .. } | Core::Box { .. } | Core::Hull(_) | Core::Mesh { .. } => {
                false
            }
        }
    }
    #[inline(always)]
    fn support_point<L: Lanes>(self, _l: L, d: Vec3, _hint: u32) -> Extreme {
        let point = match *self.0 {
            Core::Segment { half_length } => vec3(0.0, 0.0, copy_sign(half_length, d.z)),
            Core::Box { half } => {
                vec3(copy_sign(half.x, d.x), copy_sign(half.y, d.y), copy_sign(half.z, d.z))
            }
            Core::Cylinder { radius, half_length } => {
                let p = circle_support(radius, d);
                vec3(p.x, p.y, copy_sign(half_length, d.z))
            }
            Core::Cone { radius, half_length } => {
                let p = circle_support(radius, d);
                let base = vec3(p.x, p.y, -half_length);
                let apex = vec3(0.0, 0.0, half_length);
                if apex.dot(d) >= base.dot(d) { apex } else { base }
            }
            Core::Ellipsoid { radii } => {
                // Scaled first, against underflow and overflow.
                let e = d * (1.0 / d.max_abs().max(f64::MIN_POSITIVE));
                let s = radii.scaled(e);
                let n = s.norm();
                if n > 0.0 { radii.scaled(s) * (1.0 / n) } else { vec3(radii.x, 0.0, 0.0) }
            }
            Core::Point | Core::Hull(_) | Core::Mesh { .. } => Vec3::ZERO,
        };
        Extreme { index: 0, point }
    }
    #[inline(always)]
    fn height_bound<L: Lanes>(self, _l: L, d: Vec3, e: Extreme) -> f64 {
        // The computed point is within 4 roundings of a true support point.
        e.point.dot(d) + 3.0 * dot_error(d, self.extent_from_origin())
    }
    #[inline(always)]
    fn extent_from_origin(self) -> f64 {
        let e = match *self.0 {
            Core::Segment { half_length } => half_length,
            Core::Box { half } => half.norm(),
            Core::Cylinder { radius, half_length } | Core::Cone { radius, half_length } => {
                sqrt(radius * radius + half_length * half_length)
            }
            Core::Ellipsoid { radii } => radii.max_abs(),
            Core::Point | Core::Hull(_) | Core::Mesh { .. } => 0.0,
        };
        e * (1.0 + 4.0 * ROUNDOFF)
    }
}

/// The point of the circle of `radius` farthest along `d`; some point of it where `d` is parallel to the
/// axis.
#[inline(always)]
fn circle_support(radius: f64, d: Vec3) -> Vec3 {
    let m = d.x.abs().max(d.y.abs());
    if m > 0.0 {
        let (x, y) = (d.x / m, d.y / m);
        let s = radius / sqrt(x * x + y * y);
        vec3(x * s, y * s, 0.0)
    } else {
        vec3(radius, 0.0, 0.0)
    }
}
