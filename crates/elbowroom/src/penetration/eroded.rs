//! The depth once more, of cores that are worn off by a ball, where a polytope has too few corners for round ones.
//!
//! If A' swept by a ball of radius r lies in A, and B' swept by one of radius s in B, then a ball in A' - B' grown by
//! r + s lies in A - B: whatever depth is proved for A' and B' is proved, and r + s more, for A and B. What is lost by
//! covering a round body with flat faces shrinks with the body, and nothing else is lost where the nearest way out leads
//! through a side, a cap, or an ellipsoid's surface; on a rim the answer stays as it was.
//!
//! A cylinder and a cone are worn off to a smaller one. A ball summand of an ellipsoid may be as large as its least radius
//! of curvature, the shortest half axis squared over the longest (Blaschke's rolling theorem; Schneider, "Convex bodies:
//! the Brunn-Minkowski theory", 3.2): what is left has the support `|Dn| - r`, and is no ellipsoid.

use super::{Polytope, depth};
use crate::aligned::inside_ellipsoid;
use crate::certify::{plane, rounding};
use crate::gjk::{Cores, Simplex};
use crate::hull::Hull;
use crate::math::{Transform, Vec3, sqrt};
use crate::narrow::Clearance;
use crate::shape::Core;
use crate::simd::{Lanes, Plain};
use crate::support::{Extreme, Scan, Simple, Support};
use crate::tolerance::{DEPTH_GAP_CURVED, ERODED_MOST, ERODED_ROUNDING};

/// What is left of a core, as a support. Slower than the supports of the first search, and one type for all.
#[derive(Clone, Copy)]
struct Part<'a> {
    core: &'a Core,
    hull: Option<&'a Hull>,
    /// Taken off along the normal (metres): of ellipsoids.
    off: f64,
    /// Moved along z (metres).
    shift: f64,
    /// At least as large as that of the whole core, so that rounding is not underrated.
    extent: f64,
}

impl<'a> Part<'a> {
    fn whole(core: &'a Core) -> Part<'a> {
        let hull = match core {
            Core::Hull(h) | Core::Mesh { hull: h, .. } => Some(&**h),
            Core::Point
            | Core::Segment { .. }
            | Core::Box { .. }
            | Core::Cylinder { .. }
            | Core::Cone { .. }
            | Core::Ellipsoid { .. } => None,
        };
        let extent = hull.map_or(Simple(core).extent(), |h| Scan(h).extent());
        Part { core, hull, off: 0.0, shift: 0.0, extent }
    }
    /// The same place and size, with another core.
    fn worn(self, core: &'a Core, off: f64, shift: f64) -> Part<'a> {
        Part { core, off, shift, ..self }
    }
}

impl Support for Part<'_> {
    const NUMBERED: bool = false;
    const GLANCES: bool = false;
    #[inline(always)]
    fn curved(self) -> bool {
        self.hull.is_none() && Simple(self.core).curved()
    }
    #[inline(always)]
    fn support<L: Lanes>(self, l: L, d: Vec3, hint: u32) -> Extreme {
        if let Some(h) = self.hull {
            return Scan(h).support(l, d, hint);
        }
        let mut point = Simple(self.core).support(l, d, hint).point;
        point.z += self.shift;
        if self.off > 0.0 {
            point -= d.normalized().unwrap_or(Vec3::X) * self.off;
        }
        Extreme { index: 0, point }
    }
    #[inline(always)]
    fn glance<L: Lanes>(self, l: L, d: Vec3) -> Extreme {
        self.support(l, d, 0)
    }
    #[inline(always)]
    fn vertex(self, _index: u32) -> Vec3 {
        Vec3::ZERO
    }
    #[inline(always)]
    fn height<L: Lanes>(self, l: L, d: Vec3, hint: u32) -> f64 {
        match self.hull {
            Some(h) => Scan(h).height(l, d, hint),
            // Taking nothing off only raises it.
            None => Simple(self.core).height(l, d, hint) + self.shift * d.z,
        }
    }
    #[inline(always)]
    fn extent(self) -> f64 {
        self.extent
    }
}

/// Radius of the largest ball by which a core can be worn off; zero for those with corners.
fn largest(core: &Core) -> f64 {
    match *core {
        Core::Cylinder { radius, half_length } => radius.min(half_length),
        Core::Cone { radius, half_length: h } => {
            2.0 * h * radius / (radius + sqrt(radius * radius + 4.0 * h * h))
        }
        Core::Ellipsoid { radii } => {
            let least = radii.x.min(radii.y).min(radii.z);
            least * (least / radii.max_abs())
        }
        Core::Point | Core::Segment { .. } | Core::Box { .. } | Core::Hull(_) | Core::Mesh { .. } => 0.0,
    }
}

/// What is left of a core worn off by a ball: another core, what is to be taken off its normals, and its place on z.
/// `None` for cores that keep as they are.
fn wear(core: &Core, ball: f64) -> Option<(Core, f64, f64)> {
    match *core {
        Core::Cylinder { radius, half_length } => {
            Some((Core::Cylinder { radius: radius - ball, half_length: half_length - ball }, 0.0, 0.0))
        }
        Core::Cone { radius, half_length } => {
            // The base comes up by the radius, the apex down by as much over the sine of half its angle.
            let down = ball * sqrt(radius * radius + 4.0 * half_length * half_length) / radius;
            let left = half_length - 0.5 * (ball + down);
            let cone = Core::Cone { radius: radius * (left / half_length), half_length: left };
            Some((cone, 0.0, 0.5 * (ball - down)))
        }
        Core::Ellipsoid { radii } => Some((Core::Ellipsoid { radii }, ball, 0.0)),
        Core::Point | Core::Segment { .. } | Core::Box { .. } | Core::Hull(_) | Core::Mesh { .. } => None,
    }
}

/// For a polytope of one vertex in an ellipsoid, in the ellipsoid's frame: the nearest point of the surface, the vertex,
/// the way out and how far it is.
fn vertex_in_ellipsoid(core: &Core, other: &Core, other_in_core: &Transform) -> Option<(Vec3, Vec3, Vec3, f64)> {
    let (Core::Ellipsoid { radii }, Core::Hull(h)) = (core, other) else { return None };
    let [v] = h.vertices() else { return None };
    let p = other_in_core.point(*v);
    let (near, out, deep) = inside_ellipsoid(*radii, p)?;
    Some((near, p, out, deep))
}

/// Narrows the proved depth `c` of two cores that overlap; leaves it as it is where that does not succeed.
#[cold]
#[inline(never)]
pub(crate) fn deepen(a: &Core, b: &Core, b_in_a: &Transform, work: &mut Polytope, c: &mut Clearance) {
    let (whole_a, whole_b) = (Part::whole(a), Part::whole(b));
    let cores = Cores::new(whole_a, whole_b, b_in_a, Vec3::ZERO, Vec3::ZERO);
    if !(cores.a.curved() || cores.b.curved()) || c.upper - c.lower <= DEPTH_GAP_CURVED * cores.scale {
        return;
    }
    if let Some((near, p, out, deep)) = vertex_in_ellipsoid(a, b, b_in_a) {
        return take(c, &cores, deep - rounding(&cores), near, p, -out);
    }
    if let Some((near, p, out, deep)) = vertex_in_ellipsoid(b, a, &b_in_a.inverse()) {
        let (near, p, out) = (b_in_a.point(near), b_in_a.point(p), b_in_a.direction(out));
        return take(c, &cores, deep - rounding(&cores), p, near, out);
    }
    // All but a little of the balls that fit, and of the depth.
    let (most_a, most_b) = (largest(a), largest(b));
    let share = ERODED_MOST * (-c.upper / (most_a + most_b)).min(1.0);
    let (ball_a, ball_b) = (most_a * share, most_b * share);
    let (left_a, left_b) = (wear(a, ball_a), wear(b, ball_b));
    let part_a = left_a.as_ref().map_or(whole_a, |(core, off, shift)| whole_a.worn(core, *off, *shift));
    let part_b = left_b.as_ref().map_or(whole_b, |(core, off, shift)| whole_b.worn(core, *off, *shift));
    let worn = Cores::new(part_a, part_b, b_in_a, Vec3::ZERO, Vec3::ZERO);
    let d = depth(Plain, &worn, &Simplex::default(), f64::INFINITY, work);
    c.steps += d.steps;
    if d.least > 0.0 {
        let Some(escape) = d.escape.normalized() else { return };
        let least = d.least + (ball_a + ball_b) - ERODED_ROUNDING * cores.scale;
        take(c, &cores, least, d.a - escape * ball_a, d.b + escape * ball_b, escape);
    }
}

/// Takes over what is better: a depth of at least `least` with its points, and what the plane across `escape` proves.
fn take(c: &mut Clearance, cores: &Cores<Part, Part>, least: f64, a: Vec3, b: Vec3, escape: Vec3) {
    if -least < c.upper {
        (c.upper, c.witness_a, c.witness_b) = (-least, a, b);
    }
    let lower = plane(Plain, cores, escape, (0, 0));
    if lower > c.lower {
        (c.lower, c.normal) = (lower, escape);
    }
}
