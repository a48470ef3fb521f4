//! A convex core and all places that a motion takes it to, as one convex core.
//!
//! What a motion sweeps is bounded by a convex body whose farthest points are known ([`super::course`]). The
//! search for the distance of two convex cores and its certificate then prove a whole motion at once, with
//! the plane that suits it best: a peg that slides along its hole, or turns in it, sweeps no more of the
//! clearance than it takes itself.

use super::course::{Arc, Course, Turning};
use crate::motion::tolerance::{RIM_TILT, TRAIL_ROUNDING};
use elbowroom_describe::math::{Vec3, sqrt, vec3};
use elbowroom_pair::numeric::simd::Lanes;
use elbowroom_pair::numeric::tolerance::ROUNDOFF;
use elbowroom_pair::shape::extreme::{Extreme, Support, dot_error, find_farthest};
use elbowroom_pair::shape::hull::Block;
use elbowroom_pair::shape::solid::Core;
use elbowroom_pair::shape::support::Simple;

/// A convex core, or a convex part of one: the hull of points, or a core with a formula.
#[derive(Clone, Copy)]
pub(crate) enum Part<'a> {
    Points {
        /// At least one.
        blocks: &'a [Block],
        /// At least the distance of every point from the frame's origin (metres).
        extent: f64,
        /// How far points of the core may lie outside the hull of these (metres).
        defect: f64,
    },
    Formula(&'a Core),
}

impl<'a> Part<'a> {
    /// A core; of a mesh its hull.
    pub fn of_core(core: &'a Core) -> Part<'a> {
        match core.hull() {
            Some(hull) => {
                Part::Points { blocks: hull.blocks(), extent: hull.max_abs(), defect: hull.defect() }
            }
            None => Part::Formula(core),
        }
    }

    /// At least the distance of the farthest point from another point (metres).
    pub fn farthest_from(self, center: Vec3) -> f64 {
        let most = match (self, self.rims()) {
            (Part::Points { blocks, defect, .. }, _) => {
                let points = blocks.iter().flat_map(|block| (0..4).map(|i| block.point(i)));
                points.fold(0.0_f64, |most, p| most.max((p - center).norm())) + defect
            }
            (Part::Formula(_), Some(rims)) => {
                let far = |(point, radius): &(Vec3, f64)| {
                    let Vec3 { x, y, z } = *point - center;
                    let out = sqrt(x * x + y * y) + radius;
                    sqrt(out * out + z * z)
                };
                rims.points[..rims.count].iter().map(far).fold(0.0, f64::max)
            }
            (Part::Formula(core), None) => Simple(core).extent_from_origin() + center.norm(),
        };
        most * (1.0 + 16.0 * ROUNDOFF)
    }

    /// Points with discs around them whose hull is the core: each point, and the radius of the disc at a
    /// right angle to z about it. `None` of cores that have none, and of those that are points already.
    fn rims(self) -> Option<Rims> {
        let Part::Formula(core) = self else { return None };
        let mut rims = Rims { points: [(Vec3::ZERO, 0.0); 8], count: 1 };
        match *core {
            Core::Point => {}
            Core::Segment { half_length: h } => {
                rims.set(&[(vec3(0.0, 0.0, h), 0.0), (vec3(0.0, 0.0, -h), 0.0)])
            }
            Core::Cylinder { radius, half_length: h } => {
                rims.set(&[(vec3(0.0, 0.0, h), radius), (vec3(0.0, 0.0, -h), radius)]);
            }
            Core::Cone { radius, half_length: h } => {
                rims.set(&[(vec3(0.0, 0.0, h), 0.0), (vec3(0.0, 0.0, -h), radius)]);
            }
            Core::Box { half } => {
                rims.count = 8;
                for (i, (point, _)) in rims.points.iter_mut().enumerate() {
                    let sign = |bit: usize| if i >> bit & 1 == 0 { 1.0 } else { -1.0 };
                    *point = half.scaled(vec3(sign(0), sign(1), sign(2)));
                }
            }
            Core::Ellipsoid { .. } | Core::Hull(_) | Core::Mesh { .. } => return None,
        }
        Some(rims)
    }
}

impl Support for Part<'_> {
    #[inline(always)]
    fn has_numbers(self) -> bool {
        false
    }
    #[inline(always)]
    fn has_curved_surface(self) -> bool {
        match self {
            Part::Points { .. } => false,
            Part::Formula(core) => Simple(core).has_curved_surface(),
        }
    }
    #[inline(always)]
    fn support_point<L: Lanes>(self, l: L, d: Vec3, hint: u32) -> Extreme {
        match self {
            Part::Points { blocks, .. } => {
                let index = find_farthest(l, blocks, d);
                Extreme { index, point: blocks[index as usize / 4].point(index as usize % 4) }
            }
            Part::Formula(core) => Simple(core).support_point(l, d, hint),
        }
    }
    #[inline(always)]
    fn is_glance_inexact(self) -> bool {
        false
    }
    #[inline(always)]
    fn height_bound<L: Lanes>(self, l: L, d: Vec3, e: Extreme) -> f64 {
        match self {
            Part::Points { extent, defect, .. } => {
                e.point.dot(d) + dot_error(d, extent) + defect * d.norm() * (1.0 + 8.0 * ROUNDOFF)
            }
            Part::Formula(core) => Simple(core).height_bound(l, d, e),
        }
    }
    #[inline(always)]
    fn extent_from_origin(self) -> f64 {
        match self {
            Part::Points { extent, .. } => extent,
            Part::Formula(core) => Simple(core).extent_from_origin(),
        }
    }
}

/// Points with discs around them.
#[derive(Clone, Copy)]
struct Rims {
    points: [(Vec3, f64); 8],
    count: usize,
}

impl Rims {
    fn set(&mut self, points: &[(Vec3, f64)]) {
        self.count = points.len();
        self.points[..self.count].copy_from_slice(points);
    }
}

/// A part, and where its course takes it.
#[derive(Clone, Copy)]
pub(crate) struct Trail<'a> {
    part: Part<'a>,
    rims: Option<Rims>,
    course: Course,
    extent: f64,
}

impl<'a> Trail<'a> {
    pub fn new(part: Part<'a>, course: &Course) -> Trail<'a> {
        let (mut course, mut rims) = (*course, None);
        if let Turning::About(arc) = course.turning {
            rims = part.rims();
            // A disc about an axis that is nearly that of the turn stays in one across the turn's axis.
            let aside = sqrt(arc.axis.x * arc.axis.x + arc.axis.y * arc.axis.y);
            let round = rims.is_some_and(|rims| rims.points.iter().any(|(_, radius)| *radius > 0.0));
            if round && !(aside <= RIM_TILT) || rims.is_none() && matches!(part, Part::Formula(_)) {
                (course, rims) = (course.without_arc(part.extent_from_origin()), None);
            }
        }
        Trail { part, rims, course, extent: course.extent(part.extent_from_origin()) }
    }

    /// What rounding adds to heights along a unit vector.
    pub fn rounding(&self) -> f64 {
        8.0 * TRAIL_ROUNDING * ROUNDOFF * self.extent
    }

    /// The farthest place along `d` of the part's points on their arcs.
    #[inline(always)]
    fn farthest_on(&self, arc: &Arc, d: Vec3) -> Vec3 {
        let view = ArcView::new(arc, d);
        let mut best = (f64::NEG_INFINITY, Vec3::ZERO);
        match (&self.rims, self.part) {
            (Some(rims), _) => {
                // The disc, and how far it leans out of it along the axis.
                let axis = arc.axis;
                let aside = sqrt(axis.x * axis.x + axis.y * axis.y);
                let lean = axis * aside.copysign(axis.dot(d));
                let out = lean + view.ahead;
                for (point, radius) in &rims.points[..rims.count] {
                    let (height, place) = view.farthest(*point);
                    let height = height + *radius * out.dot(d);
                    if height > best.0 {
                        best = (height, place + out * *radius);
                    }
                }
            }
            (None, Part::Points { blocks, .. }) => {
                for block in blocks {
                    for i in 0..4 {
                        let (height, place) = view.farthest(block.point(i));
                        if height > best.0 {
                            best = (height, place);
                        }
                    }
                }
            }
            (None, Part::Formula(_)) => {}
        }
        best.1
    }
}

/// The unit vector at a right angle to an axis that goes most along `d`. Twice, because what rounding leaves
/// of a direction along the axis points anywhere.
#[inline(always)]
fn ahead_across(axis: Vec3, d: Vec3) -> Vec3 {
    let flat = |d: Vec3| d - axis * axis.dot(d);
    let ahead = flat(d).normalized().map(flat).filter(|ahead| ahead.norm_squared() > 0.5);
    ahead.and_then(Vec3::normalized).unwrap_or_else(|| axis.any_perpendicular())
}

/// An arc as seen along a direction: the axis, the part of the direction across it, and both at a right
/// angle.
struct ArcView<'a> {
    arc: &'a Arc,
    d: Vec3,
    ahead: Vec3,
    beside: Vec3,
    /// Lengths of `d` along the axis, and across it.
    along: f64,
    across: f64,
}

impl ArcView<'_> {
    #[inline(always)]
    fn new(arc: &Arc, d: Vec3) -> ArcView<'_> {
        let along = arc.axis.dot(d);
        let across = (d - arc.axis * along).norm();
        let ahead = ahead_across(arc.axis, d);
        ArcView { arc, d, ahead, beside: arc.axis.cross(ahead), along, across }
    }

    /// How high a point comes on its arc, and where.
    #[inline(always)]
    fn farthest(&self, point: Vec3) -> (f64, Vec3) {
        let Arc { axis, center, cos, sin, .. } = *self.arc;
        let r = point - center;
        let (x, y, z) = (r.dot(self.ahead), r.dot(self.beside), r.dot(axis));
        let radius = sqrt(x * x + y * y);
        // Straight ahead, if it comes so far.
        let (ahead, beside) = if x < radius * cos {
            let side = if y > 0.0 { 1.0 } else { -1.0 };
            (x * cos + y.abs() * sin, side * (y.abs() * cos - x * sin))
        } else {
            (radius, 0.0)
        };
        let place = center + axis * z + self.ahead * ahead + self.beside * beside;
        (self.d.dot(center) + self.along * z + self.across * ahead, place)
    }
}

impl Support for Trail<'_> {
    #[inline(always)]
    fn has_numbers(self) -> bool {
        false
    }
    #[inline(always)]
    fn has_curved_surface(self) -> bool {
        true
    }
    #[inline(always)]
    fn support_point<L: Lanes>(self, l: L, d: Vec3, _hint: u32) -> Extreme {
        let Course { turning, segments, across, disc, .. } = &self.course;
        let mut point = match turning {
            Turning::Never => self.part.support_point(l, d, 0).point,
            Turning::About(arc) => self.farthest_on(arc, d),
            Turning::Freely { spin, shift } => {
                let tilt = d.cross(*spin);
                let p = self.part.support_point(l, d + tilt, 0).point;
                let q = self.part.support_point(l, d - tilt, 0).point;
                let (p, q) = (p + (spin.cross(p) + *shift), q - (spin.cross(q) + *shift));
                if p.dot(d) >= q.dot(d) { p } else { q }
            }
        };
        for segment in segments {
            point += if segment.dot(d) >= 0.0 { *segment } else { -*segment };
        }
        if *disc > 0.0 {
            point += ahead_across(*across, d) * *disc;
        }
        Extreme { index: 0, point }
    }
    #[inline(always)]
    fn is_glance_inexact(self) -> bool {
        false
    }
    #[inline(always)]
    fn height_bound<L: Lanes>(self, _l: L, d: Vec3, e: Extreme) -> f64 {
        let defect = match (self.part, self.course.turning) {
            (Part::Points { defect, .. }, Turning::Freely { spin, .. }) => defect * (1.0 + spin.norm()),
            (Part::Points { defect, .. }, Turning::Never | Turning::About(_)) => defect,
            (Part::Formula(_), _) => 0.0,
        };
        e.point.dot(d) + TRAIL_ROUNDING * dot_error(d, self.extent) + 2.0 * defect * d.norm()
    }
    #[inline(always)]
    fn extent_from_origin(self) -> f64 {
        self.extent
    }
}

#[cfg(all(test, feature = "std"))]
mod tests;
