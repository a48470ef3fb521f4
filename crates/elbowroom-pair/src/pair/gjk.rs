//! The distance between two convex cores: Gilbert, Johnson and Keerthi's algorithm.
//!
//! It finds the point `v` of the Minkowski difference A - B nearest to the origin, as a combination of at
//! most four points `w = a - b`. Everything is in A's frame, so a query needs only the relative pose.
//!
//! It is sound because the simplex only proposes. `v` is a combination of points of the shapes (an upper
//! bound), and the support point along `-v` gives a plane that nothing crosses (a lower bound). Both are
//! recomputed by [`crate::pair::certify`], independently of how they were found.
//!
//! The first steps of a cold query use table look-ups instead of exact supports ([`Support::glance_point`]):
//! any point of the difference that makes progress is good. Only the step that finds no further progress must
//! be exact.
//!
//! It stops when the two bounds meet to within [`GJK_GAP`], when the `Goal` is reached, when the origin is
//! inside the simplex (the cores overlap), or when rounding allows no further progress, even after the step
//! was repeated with more care for long thin simplices (`careful`).

pub(crate) mod careful;
mod reduce;

use crate::numeric::simd::{Lanes, Plain};
use crate::numeric::tolerance::ROUNDOFF;
use crate::pair::certify::{self, Gap};
use crate::pair::clearance::Ask;
use crate::pair::cores::Cores;
use crate::pair::farthest::{Direction, Farthest, Glance};
use crate::pair::simplex::{Corner, Order, Simplex};
use crate::pair::tolerance::{GJK_GAP, GJK_GLANCE, GJK_STEPS, SAME_WAY, SQUARE};
use crate::shape::extreme::Support;
use crate::shape::plainly::Plainly;
use elbowroom_describe::math::{Vec3, sqrt};
use reduce::reduce;

/// The warm start of a pair: the simplex and the direction of its last query.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GjkStart {
    pub len: u32,
    /// Vertices of A and B of each corner of the simplex.
    pub vertices: [[u32; 2]; 3],
    /// From B to A, in A's frame; zero for a cold start.
    pub direction: Vec3,
}

/// When a search may stop early (distances between cores, metres).
#[derive(Clone, Copy)]
pub(crate) struct Goal {
    /// The question.
    pub ask: Ask,
    /// Stop once the distance is proved to be above this.
    pub above: f64,
    /// Stop once the distance is proved to be below this.
    pub below: f64,
    /// Stop once the lower bound is at least this fraction of the upper; above 1 means never.
    pub ratio: f64,
}

/// How the search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// `v` is the answer to within the tolerance.
    Converged,
    /// The goal was reached first.
    Decided,
    /// The origin is inside the simplex.
    Inside,
    /// Rounding allows no further progress.
    Stalled,
    /// Out of steps.
    StepLimit,
}

/// The result: a simplex and a direction to be certified.
#[derive(Clone, Debug)]
pub struct Nearest {
    pub(crate) simplex: Simplex,
    /// From B to A; where `end` is `Inside`, the last direction before it.
    pub v: Vec3,
    /// The farthest points along `v`.
    pub far: Farthest,
    pub(crate) end: End,
    /// Steps of the search.
    pub steps: u32,
}

impl Nearest {
    /// No result yet.
    pub const NEW: Nearest = {
        let zero = Vec3::ZERO;
        let corner = Corner { w: zero, a: zero, b: zero, vertices: [0; 2] };
        let simplex = Simplex { len: 0, order: Order(0), weight: [0.0; 4], slot: [corner; 4] };
        Nearest { simplex, v: zero, far: Farthest::NONE, end: End::StepLimit, steps: 0 }
    };
}

/// Whether the simplex has a corner of the same vertices.
#[inline(always)]
fn contains(s: &Simplex, c: &Corner) -> bool {
    let mut has = false;
    for k in 0..3 {
        let d = s.corner(k);
        has |= k < s.len && d.vertices == c.vertices;
    }
    has
}

/// Searches for the point of A - B nearest to the origin and overwrites `result`. `warm_start` is read first,
/// and updated at the end.
#[inline(always)]
pub(crate) fn nearest<L: Lanes, A: Support, B: Support>(
    l: L,
    cores: &Cores<A, B>,
    goal: Goal,
    warm_start: &mut GjkStart,
    result: &mut Nearest,
) {
    let gap = GJK_GAP * cores.scale;
    // A vector below this length is only rounding.
    let tiny = 8.0 * ROUNDOFF * cores.scale;
    let numbered = cores.a.has_numbers() && cores.b.has_numbers();
    let s = &mut result.simplex;
    s.len = 0;
    // The warm start of another pair may name vertices that do not exist: then the start is cold.
    let known = |[a, b]: [u32; 2]| cores.a.has_vertex_number(a) && cores.b.has_vertex_number(b);
    let mut warm = warm_start.direction != Vec3::ZERO && warm_start.vertices.into_iter().all(known);
    let start = |v: Vec3| Direction::new(if v.norm_squared() > 0.0 { v } else { Vec3::X }, &cores.rotation);
    let mut v = start(if warm { warm_start.direction } else { cores.between });
    // Squared length of the nearest point so far. The first direction is a guess and bounds nothing.
    let mut vv = f64::INFINITY;
    let mut hints = warm_start.vertices[0];
    if numbered && warm {
        // The last simplex in the new pose; its nearest point is the first real `v`.
        for i in 0..(warm_start.len as usize).min(3) {
            s.push(cores.corner_of(warm_start.vertices[i]));
        }
        let newest = s.corner(s.len.wrapping_sub(1)).w;
        if let (true, Some(r)) = (s.len > 0, reduce(l, s, newest, &cores.rotation)) {
            let (new, old) = (r.v.in_a, warm_start.direction);
            vv = new.norm_squared();
            let along = new.dot(old);
            if along > 0.0 && along * along > SAME_WAY * vv * old.norm_squared() {
                r.keep_in(s);
                v = if vv > 0.0 { r.v } else { start(new) };
            } else {
                // The pair has moved too far: climbs from the old vertices would be long.
                (warm, vv, s.len) = (false, f64::INFINITY, 0);
                v = start(cores.between);
            }
        }
    }

    let glances = cores.a.is_glance_inexact() || cores.b.is_glance_inexact();
    let mut steps = 0;
    let mut n = v.in_a.norm();
    let mut far = Farthest::NONE;
    // Whether `far` belongs to the current direction.
    let mut fresh;
    let end = loop {
        steps += 1;
        fresh = false;
        let glance = if warm { Glance::hinted(l, cores, v, hints) } else { Glance::new(l, cores, v) };
        let mut c = glance.corner(cores);
        let mut vw = v.in_a.dot(c.w);
        let coarse = glances && !warm && vw < GJK_GLANCE * vv && vw <= goal.above * n && !contains(s, &c);
        if !coarse {
            far = glance.exact(l, cores);
            fresh = true;
            if glances {
                c = far.corner(cores);
                vw = v.in_a.dot(c.w);
            }
            // `vw / n` is the lower bound that this support proves, before rounding.
            if vw > goal.above * n || vw > goal.ratio * vv {
                if s.len == 0 {
                    // The first support point decides, and is the only point.
                    s.push(c);
                    s.weight = [1.0, 0.0, 0.0, 0.0];
                }
                break End::Decided;
            }
            if s.len > 0 && (vv - vw <= gap * n || (numbered && contains(s, &c))) {
                break End::Converged;
            }
        }
        hints = c.vertices;
        let (len, order) = (s.len, s.order);
        s.push(c);
        let Some(mut r) = reduce(l, s, c.w, &cores.rotation) else { break End::Inside };
        let mut rr = r.v.in_a.norm_squared();
        if rr >= vv {
            // The slots of the simplex before this step are unchanged.
            let before = Simplex { len, order, ..*s };
            let was = careful::reduce(&before, &cores.rotation).map_or(vv, |r| r.v.in_a.norm_squared());
            let Some(again) = careful::reduce(s, &cores.rotation) else { break End::Inside };
            (r, rr) = (again, again.v.in_a.norm_squared());
            if rr >= was {
                (s.len, s.order) = (len, order);
                break End::Stalled;
            }
        }
        r.keep_in(s);
        (v, vv, fresh) = (r.v, rr, false);
        n = sqrt(vv);
        if vv <= tiny * tiny {
            break End::Stalled;
        }
        if vv < goal.below * goal.below && goal.below > 0.0 {
            break End::Decided;
        }
        if steps >= GJK_STEPS {
            break End::StepLimit;
        }
    };
    warm_start.len = s.len as u32;
    for i in 0..3 {
        warm_start.vertices[i] = if i < s.len { s.corner(i).vertices } else { [0; 2] };
    }
    warm_start.direction = v.in_a;
    if end != End::Inside && !fresh {
        far = Glance::hinted(l, cores, v, hints).exact(l, cores);
    }
    (result.v, result.far, result.end, result.steps) = (v.in_a, far, end, steps);
}

/// A better plane after rounding ended a search; returns the gap that it proves.
///
/// Corners that nearly coincide tilt the plane by the square root of a rounding, which matters for a wide
/// face. Two other directions are tried. Faces of designed shapes are often parallel to the axes of their
/// frames: so the direction without its small coordinates, in either frame. And corners of A - B that nearly
/// coincide may belong to vertices that are far apart in both shapes: then lines between those vertices lie
/// in faces, and the cross product of two of them is an accurate normal.
#[cold]
#[inline(never)]
pub(crate) fn squared(cores: &Cores<Plainly, Plainly>, result: &mut Nearest) -> Gap {
    let square = |v: Vec3| {
        let least = SQUARE * v.max_abs();
        [v.x, v.y, v.z].map(|c| if c.abs() < least { 0.0 } else { c })
    };
    let v = result.far.direction();
    let mut lower = certify::plane(Plain, cores, &result.far);
    let mut propose = |result: &mut Nearest, w: Vec3| {
        let far = Farthest::new(Plain, cores, w);
        let bound = certify::plane(Plain, cores, &far);
        if bound > lower {
            (result.far, result.v, lower) = (far, w, bound);
        }
    };
    for w in [Vec3::from(square(v.in_a)), cores.rotation * Vec3::from(square(v.in_b))] {
        propose(result, w);
    }
    let mut lines = [Vec3::ZERO; 6];
    for (k, (i, j)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
        if j < result.simplex.len {
            let (p, q) = (result.simplex.corner(i), result.simplex.corner(j));
            (lines[2 * k], lines[2 * k + 1]) = (q.a - p.a, q.b - p.b);
        }
    }
    for (i, p) in lines.iter().enumerate() {
        for q in &lines[i + 1..] {
            let n = p.cross(*q).normalized().unwrap_or(Vec3::ZERO);
            let along = n.dot(v.in_a);
            if along * along > (1.0 - SQUARE * SQUARE) * v.in_a.norm_squared() {
                propose(result, n * along);
            }
        }
    }
    certify::gap(Plain, cores, &result.simplex, &result.far)
}
