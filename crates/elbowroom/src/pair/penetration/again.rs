//! What the search for the depth left wide, narrowed by other ways: which of them serves which pair.
//!
//! A point in a core is as deep as a formula or a look at every facet says; round cores are searched
//! again in a smaller version of themselves. All this is rare, so it is written once for all kinds of cores.

use super::{Polytope, depth, eroded, facets};
use crate::numeric::math::{Transform, Vec3};
use crate::numeric::simd::{Lanes, Plain};
use crate::numeric::tolerance::{DEPTH_GAP, DEPTH_GAP_CURVED, LEVELS};
use crate::pair::aligned::defect;
use crate::pair::analytic::from_point;
use crate::pair::certify::{plane, rounding};
use crate::pair::farthest::Farthest;
use crate::pair::gjk::{Cores, Simplex};
use crate::pair::narrow::{Clearance, Stop};
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

/// For a core that is a point, in another: how deep it is inside.
fn point_in(core: &Core, other: &Core, other_in_core: &Transform) -> Option<Exit> {
    let point = match other {
        Core::Point => other_in_core.translation,
        Core::Hull(h) if h.vertex_count() == 1 => other_in_core.point(h.vertex(0)),
        _ => return None,
    };
    if let Core::Hull(h) | Core::Mesh { hull: h, .. } = core {
        return facets::exit(h, point);
    }
    let (near, out, deep) = from_point(core, point)?;
    Some(Exit { near, point, out: out.normalized()?, deep })
}

/// Narrows the proved depth `c` of two cores that overlap; leaves it as it is where that does not succeed.
#[cold]
#[inline(never)]
pub(crate) fn deepen(a: &Core, b: &Core, b_in_a: &Transform, work: &mut Polytope, c: &mut Clearance) {
    let cores = Cores::new(Part::whole(a), Part::whole(b), b_in_a, Vec3::ZERO, Vec3::ZERO);
    let curved = cores.a.curved() || cores.b.curved();
    // What a search that does not stall ends with, rounding included.
    let wide = 2.0 * cores.scale * if curved { DEPTH_GAP_CURVED } else { DEPTH_GAP };
    if c.upper - c.lower <= wide {
        return;
    }
    if let Some(e) = point_in(a, b, b_in_a) {
        take(c, &cores, e.deep - rounding(&cores), e.near, e.point, -e.out);
    } else if let Some(e) = point_in(b, a, &b_in_a.inverse()) {
        let (near, point) = (b_in_a.point(e.near), b_in_a.point(e.point));
        // Seen from B, what the rotation lacks to being one moves the point, and B, by so much of the scale.
        let error = rounding(&cores) + 2.0 * defect(&b_in_a.rotation) * cores.scale;
        take(c, &cores, e.deep - error, point, near, b_in_a.direction(e.out));
    } else if curved {
        eroded::deepen([a, b], &cores, wide, work, c);
    } else if c.stop == Stop::Stalled {
        // Slivers that rounding turned the wrong way are not made where what is nearly level counts as level.
        for level in LEVELS {
            if c.upper - c.lower <= wide {
                break;
            }
            let d = depth(Plain, &cores, &Simplex::default(), f64::INFINITY, level, work);
            c.steps += d.steps;
            if d.least > 0.0
                && let Some(escape) = d.escape.normalized()
            {
                take(c, &cores, d.least, d.a, d.b, escape);
            }
        }
    }
    if c.upper - c.lower <= wide {
        c.stop = Stop::Converged;
    }
}

/// Takes over what is better: a depth of at least `least` with its points, and what the plane across `escape` proves.
pub(super) fn take(c: &mut Clearance, cores: &Cores<Part, Part>, least: f64, a: Vec3, b: Vec3, escape: Vec3) {
    let lower = plane(Plain, cores, &Farthest::new(Plain, cores, escape));
    let mut level = c.lower;
    if -least < c.upper {
        (c.upper, c.witness_a, c.witness_b) = (-least, a, b);
        // Of ways out that are equally short, the one that the witnesses are on.
        let curved = cores.a.curved() || cores.b.curved();
        level -= cores.scale * if curved { DEPTH_GAP_CURVED } else { DEPTH_GAP };
    }
    if lower > level {
        (c.lower, c.normal) = (lower, escape);
    }
}
