//! What is left of a core, where a point leaves one, and how a better depth is taken over.

use crate::pair::clearance::Clearance;
use crate::pair::penetration::{Cores, DEPTH_GAP, DEPTH_GAP_CURVED, Farthest, Lanes, Plain, Vec3, plane};
use crate::shape::hull::Hull;
use crate::shape::solid::Core;
use crate::shape::support::{Extreme, Scan, Simple, Support};
/// What is left of a core, as a support. Slower than the supports of the first search, and one type for all.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
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
    pub fn whole(core: &'a Core) -> Part<'a> {
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
    /// What is left of it.
    pub fn worn(self, left: &'a Option<(Core, f64, f64)>) -> Part<'a> {
        match left {
            Some((core, off, shift)) => Part { core, off: *off, shift: *shift, ..self },
            None => self,
        }
    }
}

impl Support for Part<'_> {
    #[inline(always)]
    fn numbered(self) -> bool {
        false
    }
    #[inline(always)]
    fn glances(self) -> bool {
        false
    }
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
    fn beyond<L: Lanes>(self, l: L, d: Vec3, e: Extreme) -> f64 {
        match self.hull {
            Some(h) => Scan(h).beyond(l, d, e),
            // Taking nothing off only raises it.
            None => Simple(self.core).height(l, d, 0) + self.shift * d.z,
        }
    }
    #[inline(always)]
    fn extent(self) -> f64 {
        self.extent
    }
}

/// Where a point leaves a core, in the core's frame.
#[derive(Clone, Copy)]
pub(super) struct Exit {
    /// Nearest point of the surface.
    pub near: Vec3,
    /// The point.
    pub point: Vec3,
    /// Way out.
    pub out: Vec3,
    /// At least so deep, rounding apart (metres).
    pub deep: f64,
}

/// Takes over what is better: a depth of at least `least` with its points, and what the plane across `escape`
/// proves.
pub(super) fn take(c: &mut Clearance, cores: &Cores<Part, Part>, least: f64, a: Vec3, b: Vec3, escape: Vec3) {
    let lower = plane(Plain, cores, &Farthest::new(Plain, cores, escape));
    let mut level = c.interval.lower;
    if -least < c.interval.upper {
        (c.interval.upper, c.witness_a, c.witness_b) = (-least, a, b);
        // Of ways out that are equally short, the one that the witnesses are on.
        let curved = cores.a.curved() || cores.b.curved();
        level -= cores.scale * if curved { DEPTH_GAP_CURVED } else { DEPTH_GAP };
    }
    if lower > level {
        (c.interval.lower, c.normal) = (lower, escape);
    }
}
