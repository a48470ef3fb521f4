//! Other methods for a depth whose interval stayed wide.
//!
//! The depth of a point in a core comes from a formula or from a visit to every facet; round cores are
//! searched again after erosion. All this is rare, so it is compiled once for all kinds of cores.

use super::remainder::{Exit, Remainder, improve};
use super::{Polytope, depth, eroded, facets};
use crate::numeric::simd::Plain;
use crate::pair::aligned::defect;
use crate::pair::analytic::from_point;
use crate::pair::certify::rounding;
use crate::pair::clearance::{Clearance, Stop};
use crate::pair::cores::Cores;
use crate::pair::simplex::Simplex;
use crate::pair::tolerance::{DEPTH_GAP, DEPTH_GAP_CURVED, LEVELS};
use crate::shape::extreme::Support;
use crate::shape::solid::Core;
use elbowroom_describe::math::{Transform, Vec3};

/// The exit of a core that is a point from another core.
fn point_in(core: &Core, other: &Core, other_in_core: &Transform) -> Option<Exit> {
    let point = match other {
        Core::Point => other_in_core.translation,
        Core::Hull(h) if h.vertex_count() == 1 => other_in_core.point(h.vertex(0)),
        _ => return None,
    };
    if let Some(h) = core.hull() {
        return facets::exit(h, point);
    }
    let (near, out, depth) = from_point(core, point)?;
    Some(Exit { near, point, out: out.normalized()?, depth })
}

/// Narrows the proved depth `c` of two cores that overlap, if it can.
#[cold]
#[inline(never)]
pub(crate) fn deepen(a: &Core, b: &Core, b_in_a: &Transform, work: &mut Polytope, c: &mut Clearance) {
    let cores = Cores::new(Remainder::whole(a), Remainder::whole(b), b_in_a, Vec3::ZERO, Vec3::ZERO);
    let curved = cores.a.has_curved_surface() || cores.b.has_curved_surface();
    // The width at which a search that does not stall ends, rounding included.
    let wide = 2.0 * cores.scale * if curved { DEPTH_GAP_CURVED } else { DEPTH_GAP };
    if c.interval.upper - c.interval.lower <= wide {
        return;
    }
    if let Some(e) = point_in(a, b, b_in_a) {
        improve(c, &cores, e.depth - rounding(&cores), e.near, e.point, -e.out);
    } else if let Some(e) = point_in(b, a, &b_in_a.inverse()) {
        let (near, point) = (b_in_a.point(e.near), b_in_a.point(e.point));
        // In B's frame the defect of the rotation moves the point, and B, by this.
        let error = rounding(&cores) + 2.0 * defect(&b_in_a.rotation) * cores.scale;
        improve(c, &cores, e.depth - error, point, near, b_in_a.direction(e.out));
    } else if curved {
        eroded::deepen([a, b], &cores, wide, work, c);
    } else if c.stop == Stop::Stalled {
        // A larger tolerance for "level" avoids slivers that rounding has turned over.
        for level in LEVELS {
            if c.interval.upper - c.interval.lower <= wide {
                break;
            }
            let d = depth(Plain, &cores, &Simplex::default(), f64::INFINITY, level, work);
            c.steps += d.steps;
            if d.least > 0.0
                && let Some(escape) = d.escape.normalized()
            {
                improve(c, &cores, d.least, d.a, d.b, escape);
            }
        }
    }
    if c.interval.upper - c.interval.lower <= wide {
        c.stop = Stop::Converged;
    }
}
