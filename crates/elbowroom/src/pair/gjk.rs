//! The distance between two convex cores: Gilbert, Johnson and Keerthi's algorithm.
//!
//! What: the point `v` of the Minkowski difference A - B nearest to the origin, as a combination of at most
//! four points `w = a - b`. Everything is in A's frame, so a query needs only the relative pose.
//!
//! Why it is sound: the simplex only ever proposes. `v` is a combination of points of the shapes (an upper
//! bound), and the support point along `-v` gives a plane that nothing crosses (a lower bound). Both are
//! recomputed by [`crate::pair::certify`], which does not know how they were found.
//!
//! The first steps of a cold query use table look-ups instead of exact supports ([`Support::glance`]): any
//! point of A - B that makes progress will do. Only the step that claims there is no further progress must be
//! exact.
//!
//! It stops when the two bounds meet to within [`GJK_GAP`], when the question is decided ([`Goal::decided`]),
//! when the origin is inside the simplex (the cores overlap), or when rounding allows no further progress,
//! not even when the step is done again with more care for long thin simplices ([`careful`]).

pub(crate) mod careful;
mod reduce;

use crate::numeric::math::{Vec3, sqrt};
use crate::numeric::simd::{Lanes, Plain};
use crate::numeric::tolerance::ROUNDOFF;
use crate::pair::certify::{self, Gap};
use crate::pair::clearance::Ask;
use crate::pair::cores::Cores;
use crate::pair::farthest::{Direction, Farthest, Glance};
use crate::pair::simplex::{Corner, Order, Simplex};
use crate::pair::tolerance::{GJK_GAP, GJK_GLANCE, GJK_STEPS, SAME_WAY, SQUARE};
use crate::shape::plainly::Plainly;
use crate::shape::support::Support;
use reduce::reduce;

/// What a warm start remembers of the last query of a pair.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GjkMemory {
    pub len: u32,
    /// Vertices of A and B of each corner of the simplex.
    pub vertices: [[u32; 2]; 3],
    /// From B to A, in A's frame; zero if never asked.
    pub direction: Vec3,
}

/// When a caller has heard enough (distances between cores, metres).
#[derive(Clone, Copy)]
pub(crate) struct Goal {
    /// What is asked.
    pub ask: Ask,
    /// Stop once the distance is proved to be above this.
    pub above: f64,
    /// Stop once the distance is proved to be below this.
    pub below: f64,
    /// Stop once the lower bound is at least this fraction of the upper; above 1 for never.
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
pub(crate) struct Nearest {
    pub simplex: Simplex,
    /// From B to A; where `end` is `Inside`, the last direction before it.
    pub v: Vec3,
    /// The farthest points along `v`.
    pub far: Farthest,
    pub end: End,
    pub steps: u32,
}

impl Nearest {
    /// Nothing found yet.
    pub const NEW: Nearest = {
        let zero = Vec3::ZERO;
        let corner = Corner { w: zero, a: zero, b: zero, vertices: [0; 2] };
        let simplex = Simplex { len: 0, order: Order(0), weight: [0.0; 4], slot: [corner; 4] };
        Nearest { simplex, v: zero, far: Farthest::NONE, end: End::StepLimit, steps: 0 }
    };
}

/// True if the corner is one of the simplex' own.
#[inline(always)]
fn contains(s: &Simplex, c: &Corner) -> bool {
    let mut found = false;
    for k in 0..3 {
        let d = s.corner(k);
        found |= k < s.len && d.vertices == c.vertices;
    }
    found
}

/// Searches for the point of A - B nearest to the origin, into `found`, whatever is in it. `memory` is read
/// for a warm start and written at the end.
#[inline(always)]
pub(crate) fn nearest<L: Lanes, A: Support, B: Support>(
    l: L,
    cores: &Cores<A, B>,
    goal: Goal,
    memory: &mut GjkMemory,
    found: &mut Nearest,
) {
    let gap = GJK_GAP * cores.scale;
    // A direction below this length is rounding, not a direction.
    let tiny = 8.0 * ROUNDOFF * cores.scale;
    let numbered = cores.a.numbered() && cores.b.numbered();
    let s = &mut found.simplex;
    s.len = 0;
    // The memory of another pair may name vertices that are not there: then it is none.
    let known = |[a, b]: [u32; 2]| cores.a.has(a) && cores.b.has(b);
    let mut warm = memory.direction != Vec3::ZERO && memory.vertices.into_iter().all(known);
    let start = |v: Vec3| Direction::new(if v.norm_squared() > 0.0 { v } else { Vec3::X }, &cores.rotation);
    let mut v = start(if warm { memory.direction } else { cores.between });
    // Length of the nearest point so far, squared; the first direction is only a guess and bounds nothing.
    let mut vv = f64::INFINITY;
    let mut hints = memory.vertices[0];
    if numbered && warm {
        // Re-place the last simplex; its nearest point is the first real `v`.
        for i in 0..(memory.len as usize).min(3) {
            s.push(cores.corner_of(memory.vertices[i]));
        }
        let newest = s.corner(s.len.wrapping_sub(1)).w;
        if let (true, Some(r)) = (s.len > 0, reduce(l, s, newest, &cores.rotation)) {
            let (new, old) = (r.v.in_a, memory.direction);
            vv = new.norm_squared();
            let along = new.dot(old);
            if along > 0.0 && along * along > SAME_WAY * vv * old.norm_squared() {
                r.keep_in(s);
                v = if vv > 0.0 { r.v } else { start(new) };
            } else {
                // Somewhere else by now: climbs from there would be long ones.
                (warm, vv, s.len) = (false, f64::INFINITY, 0);
                v = start(cores.between);
            }
        }
    }

    let glances = cores.a.glances() || cores.b.glances();
    let mut steps = 0;
    let mut n = v.in_a.norm();
    let mut far = Farthest::NONE;
    // Whether `far` is of the direction that there is now.
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
                    // The first support already decides: it is the only point there is.
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
            // The slots of the simplex before are as they were.
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
    memory.len = s.len as u32;
    for i in 0..3 {
        memory.vertices[i] = if i < s.len { s.corner(i).vertices } else { [0; 2] };
    }
    memory.direction = v.in_a;
    if end != End::Inside && !fresh {
        far = Glance::hinted(l, cores, v, hints).exact(l, cores);
    }
    (found.v, found.far, found.end, found.steps) = (v.in_a, far, end, steps);
}

/// The better plane of a search that rounding ended. Corners that nearly coincide tilt it by the square root
/// of a rounding, and a wide face feels that; faces and sides of drawn shapes lie square in their frames, so
/// the direction without its small coordinates in either frame is tried too. And two corners that nearly
/// coincide may be of vertices that are far apart in both shapes: then lines between those are edges, or lie
/// in faces, and the cross product of two of them is a normal with all its digits. Returns what is then
/// proved.
#[cold]
#[inline(never)]
pub(crate) fn squared(cores: &Cores<Plainly, Plainly>, found: &mut Nearest) -> Gap {
    let square = |v: Vec3| {
        let least = SQUARE * v.max_abs();
        [v.x, v.y, v.z].map(|c| if c.abs() < least { 0.0 } else { c })
    };
    let v = found.far.direction();
    let mut lower = certify::plane(Plain, cores, &found.far);
    let mut propose = |found: &mut Nearest, w: Vec3| {
        let far = Farthest::new(Plain, cores, w);
        let bound = certify::plane(Plain, cores, &far);
        if bound > lower {
            // The normal of the answer is that of its plane.
            (found.far, found.v, lower) = (far, w, bound);
        }
    };
    for w in [Vec3::from(square(v.in_a)), cores.rotation * Vec3::from(square(v.in_b))] {
        propose(found, w);
    }
    let mut lines = [Vec3::ZERO; 6];
    for (k, (i, j)) in [(0, 1), (0, 2), (1, 2)].into_iter().enumerate() {
        if j < found.simplex.len {
            let (p, q) = (found.simplex.corner(i), found.simplex.corner(j));
            (lines[2 * k], lines[2 * k + 1]) = (q.a - p.a, q.b - p.b);
        }
    }
    for (i, p) in lines.iter().enumerate() {
        for q in &lines[i + 1..] {
            let n = p.cross(*q).normalized().unwrap_or(Vec3::ZERO);
            let along = n.dot(v.in_a);
            if along * along > (1.0 - SQUARE * SQUARE) * v.in_a.norm_squared() {
                propose(found, n * along);
            }
        }
    }
    certify::gap(Plain, cores, &found.simplex, &found.far)
}
