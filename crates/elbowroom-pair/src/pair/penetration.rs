//! The depth of overlapping convex cores: the expanding polytope algorithm (EPA) with bounds on both sides.
//!
//! The length of the shortest translation that separates the cores is the distance from the origin to the
//! boundary of A - B. A polytope of points of A - B around the origin gives a lower bound of it, by its
//! nearest face; the support plane along any direction gives an upper bound. The nearest face is pushed out
//! along its normal until the two meet.
//!
//! Source: van den Bergen, "Proximity queries and penetration depth computation on 3D game objects" (2001).
//! The bounds are proved again by [`crate::pair::certify`], which needs only that the surface is closed
//! around the origin.
//!
//! It stops when the bounds meet to within [`DEPTH_GAP`] (for curved cores [`DEPTH_GAP_CURVED`]), when the
//! question is decided, when the origin is outside a support plane (the cores are separated after all), when
//! the polytope is full, or when rounding would tear the surface.

pub(crate) mod again;
pub(crate) mod dual;
mod eroded;
mod facets;
mod landing;
mod polytope;
mod remainder;
pub(crate) mod shell;
mod start;

use crate::numeric::simd::{Lanes, Plain};
use crate::pair::certify::enclosed::enclosed_ball;
use crate::pair::certify::surface::Surface;
use crate::pair::certify::{plane, rounding, witnesses};
use crate::pair::cores::Cores;
use crate::pair::farthest::Farthest;
use crate::pair::gjk::careful::keep_nearest;
use crate::pair::simplex::Simplex;
use crate::pair::tolerance::{DEPTH_CORNERS, DEPTH_GAP, DEPTH_GAP_CURVED, SAME_FACE};
use crate::shape::extreme::Support;
use crate::shape::plainly::Plainly;
use elbowroom_describe::math::Vec3;
use landing::{barycentric, landing, of_face, outside};
pub(crate) use polytope::Polytope;
use start::{solid, tetrahedron};

/// The interval of a depth (metres, of the cores), and the deepest points.
#[derive(Clone, Copy)]
pub(crate) struct Depth {
    /// At least this; zero or negative if no overlap is proved.
    pub least: f64,
    /// At most this; negative if the cores are proved to be this far apart.
    pub most: f64,
    /// If the cores do not overlap, their distance is at most this.
    pub apart: f64,
    /// Direction in which A escapes.
    pub escape: Vec3,
    pub a: Vec3,
    pub b: Vec3,
    pub converged: bool,
    /// The polytope could hold no more corners.
    pub full: bool,
    pub steps: u32,
}

/// The depth of an overlap, from the simplex of a search. The search ends once `least` is above
/// `enough_depth` (metres; a distance if negative), or `most` below it. Corners within `level` of a face, as
/// a fraction of the scale, count as level with it.
#[inline(always)]
pub(crate) fn depth<L: Lanes, A: Support, B: Support>(
    l: L,
    cores: &Cores<A, B>,
    s: &Simplex,
    enough_depth: f64,
    level: f64,
    work: &mut Polytope,
) -> Depth {
    work.clear();
    let slack = rounding(cores);
    let curved = cores.a.has_curved_surface() || cores.b.has_curved_surface();
    let gap = cores.scale * if curved { DEPTH_GAP_CURVED } else { DEPTH_GAP };
    if solid(s, cores.scale) {
        work.first.extend(s.corners());
    } else if let Err(thin) = tetrahedron(&cores.plainly(), s, &mut work.first) {
        return flat(&cores.plainly(), s, thin, slack);
    }
    work.level = level * cores.scale;
    work.first_faces(l);

    // The best plane: the depth is at most this, and its farthest points.
    let mut most = (f64::INFINITY, Farthest::NONE);
    let mut steps = 0;
    let mut converged = false;
    // Least bound of a face that could not be pushed out.
    let mut stuck = f64::INFINITY;
    let mut f;
    loop {
        steps += 1;
        let d;
        (f, d) = work.nearest(l);
        if d >= most.0 - gap || d > enough_depth || d >= stuck + gap {
            converged = stuck == f64::INFINITY;
            break;
        }
        let n = work.surface.plane(f).0;
        let far = Farthest::new(l, cores, -n);
        let c = far.corner(cores);
        let h = n.dot(c.w);
        if h < most.0 {
            most = (h, far);
        }
        if h - d <= gap || h < -slack {
            converged = true;
            break;
        }
        if steps as usize >= 2 * DEPTH_CORNERS || work.surface.has(l, c.w) || !work.expand(l, c, f) {
            // The face should be pushed out and cannot be, because rounding tilts its plane. A sliver may be
            // farther away than its plane. Otherwise the face stays and counts in the proof, and the search
            // goes on with the others.
            let away = work.surface.measure_odd(f);
            if away > d + gap && (steps as usize) < 2 * DEPTH_CORNERS {
                work.set_offset(f, away);
                continue;
            }
            stuck = stuck.min(d);
            work.set_offset(f, f64::INFINITY);
            if steps as usize >= 2 * DEPTH_CORNERS {
                (f, _) = work.nearest(l);
                break;
            }
        }
    }

    let least = enclosed_ball(&work.surface, cores.scale, slack);
    let (mut n, offset) = work.surface.plane(f);
    if most.0 == f64::INFINITY {
        most = (0.0, Farthest::new(l, cores, -n));
    }
    let mut simplex = of_face(&work.surface, f);
    simplex.weight = barycentric(&simplex, n, offset);
    let (mut escape, mut most) = (most.1.direction().in_a, -plane(l, cores, &most.1));
    if outside(&simplex.weight) > 0.0 || -escape.dot(n) < 1.0 - SAME_FACE {
        // Several ways out are equally short, or several faces lie in the nearest plane.
        (simplex, n) = landing(&work.surface, simplex, n, -escape, most + gap);
        let across = -plane(l, cores, &Farthest::new(l, cores, -n));
        if across <= most + gap {
            (escape, most) = (-n, across);
        }
    }
    let (a, b) = witnesses(&simplex);
    // The proved bounds may be wider than those of the search.
    converged &= least > enough_depth || most - least <= 2.0 * gap + 4.0 * slack;
    let full = work.surface.full();
    let mut d = Depth { least, most, apart: (a - b).norm() + slack, escape, a, b, converged, full, steps };
    if least <= 0.0 {
        touch(&work.surface, slack, &mut d);
    }
    d
}

/// Without a proved overlap, the cores are at most as far apart as the surface is from the origin. All faces
/// are measured, because the face with the nearest plane need not be the nearest.
#[cold]
#[inline(never)]
fn touch(surface: &Surface, slack: f64, d: &mut Depth) {
    for f in 0..surface.slots() as u16 {
        if !surface.is_alive(f) {
            continue;
        }
        nearer(&mut of_face(surface, f), slack, d);
    }
}

/// Makes the point of a simplex nearest to the origin the witnesses, if it is nearer than the present ones.
fn nearer(s: &mut Simplex, slack: f64, d: &mut Depth) {
    if s.len > 0 && keep_nearest(s) {
        let (a, b) = witnesses(s);
        let apart = (a - b).norm() + slack;
        if apart < d.apart {
            (d.apart, d.a, d.b) = (apart, a, b);
        }
    }
}

/// The depth where A - B has no volume: none can be proved, and along the thin direction there is almost
/// none.
#[cold]
#[inline(never)]
fn flat(cores: &Cores<Plainly, Plainly>, s: &Simplex, thin: Vec3, slack: f64) -> Depth {
    let most = |v| -plane(Plain, cores, &Farthest::new(Plain, cores, v));
    let (p, m) = (most(thin), most(-thin));
    let (most, escape) = if p <= m { (p, thin) } else { (m, -thin) };
    let (a, b) = witnesses(s);
    let apart = if s.len > 0 { (a - b).norm() + slack } else { f64::INFINITY };
    let mut d = Depth { least: 0.0, most, apart, escape, a, b, converged: true, full: false, steps: 0 };
    let mut s = *s;
    nearer(&mut s, slack, &mut d);
    d
}
