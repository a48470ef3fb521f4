//! Cores that are eroded by a ball, exits of points from cores, and updates of a depth.

use crate::numeric::simd::{Lanes, Plain};
use crate::pair::certify::plane;
use crate::pair::clearance::Clearance;
use crate::pair::cores::Cores;
use crate::pair::farthest::Farthest;
use crate::pair::tolerance::{DEPTH_GAP, DEPTH_GAP_CURVED};
use crate::shape::extreme::{Extreme, Support};
use crate::shape::hull::Hull;
use crate::shape::solid::Core;
use crate::shape::support::{Scan, Simple};
use elbowroom_describe::math::Vec3;

/// A core, perhaps eroded, as a support: one type for all kinds of cores, slower than the supports of the
/// first search.
#[derive(Clone, Copy)]
pub(super) struct Remainder<'a> {
    core: &'a Core,
    hull: Option<&'a Hull>,
    /// Erosion along the normal (metres), for ellipsoids.
    erosion: f64,
    /// Shift along z (metres).
    shift: f64,
    /// The extent of the whole core, so that rounding is not underestimated.
    extent: f64,
}

impl<'a> Remainder<'a> {
    pub fn whole(core: &'a Core) -> Remainder<'a> {
        let hull = core.hull();
        let extent = hull.map_or(Simple(core).extent_from_origin(), |h| Scan::new(h).extent_from_origin());
        Remainder { core, hull, erosion: 0.0, shift: 0.0, extent }
    }
    /// The core after erosion.
    pub fn eroded(self, left: &'a Option<(Core, f64, f64)>) -> Remainder<'a> {
        match left {
            Some((core, erosion, shift)) => Remainder { core, erosion: *erosion, shift: *shift, ..self },
            None => self,
        }
    }
}

impl Support for Remainder<'_> {
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
        self.hull.is_none() && Simple(self.core).has_curved_surface()
    }
    #[inline(always)]
    fn support_point<L: Lanes>(self, l: L, d: Vec3, hint: u32) -> Extreme {
        if let Some(h) = self.hull {
            return Scan::new(h).support_point(l, d, hint);
        }
        let mut point = Simple(self.core).support_point(l, d, hint).point;
        point.z += self.shift;
        if self.erosion > 0.0 {
            point -= d.normalized().unwrap_or(Vec3::X) * self.erosion;
        }
        Extreme { index: 0, point }
    }
    #[inline(always)]
    fn height_bound<L: Lanes>(self, l: L, d: Vec3, e: Extreme) -> f64 {
        match self.hull {
            Some(h) => Scan::new(h).height_bound(l, d, e),
            // A bound without the erosion is only higher.
            None => Simple(self.core).support_height(l, d, 0) + self.shift * d.z,
        }
    }
    #[inline(always)]
    fn extent_from_origin(self) -> f64 {
        self.extent
    }
}

/// The exit of a point from a core, in the core's frame.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    /// Nearest point of the surface.
    pub near: Vec3,
    /// The point.
    pub point: Vec3,
    /// Direction of the way out.
    pub out: Vec3,
    /// Lower bound on the depth, without rounding (metres).
    pub depth: f64,
}

/// Updates a clearance where it is better: with a depth of at least `least` and its points, and with the
/// plane across `escape`.
pub(super) fn improve(
    c: &mut Clearance,
    cores: &Cores<Remainder, Remainder>,
    least: f64,
    a: Vec3,
    b: Vec3,
    escape: Vec3,
) {
    let lower = plane(Plain, cores, &Farthest::new(Plain, cores, escape));
    let mut level = c.interval.lower;
    if -least < c.interval.upper {
        (c.interval.upper, c.witness_a, c.witness_b) = (-least, a, b);
        // Of equally short ways out, the one of the witnesses is kept.
        let curved = cores.a.has_curved_surface() || cores.b.has_curved_surface();
        level -= cores.scale * if curved { DEPTH_GAP_CURVED } else { DEPTH_GAP };
    }
    if lower > level {
        (c.interval.lower, c.normal) = (lower, escape);
    }
}
