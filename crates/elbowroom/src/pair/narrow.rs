//! The distance between two shapes: one exhaustive table of pairs, the radii taken off once, always
//! certified.

use crate::numeric::math::{Transform, Vec3, vec3};
use crate::numeric::simd::{Kernel, Lanes, Plain, wide};
use crate::numeric::tolerance::{
    ALONG, ALONG_CURVED, CLIMB_FROM, DEPTH_GAP_CURVED, FREE_DIRECTION, LEVEL, LOWER_BOUND_RATIO, MESH_TIE,
    ROUNDOFF, STALLED_STARTS, WIDE,
};
use crate::pair::aligned::defect;
use crate::pair::analytic;
use crate::pair::certify;
use crate::pair::farthest::Farthest;
use crate::pair::gjk::{Cores, End, GjkMemory, Goal, Nearest, nearest, squared};
use crate::pair::mesh::{MeshScratch, MeshWarm};
use crate::pair::nonconvex;
use crate::pair::penetration::{Polytope, again, depth};
use crate::shape::solid::{Core, Shape};
use crate::shape::support::{Climb, Plainly, Scan, Simple, Support, with_support};

/// Which question is asked; each stops earlier than the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Only whether the shapes are farther apart than the cutoff, or overlap: stops at the first proof.
    Test,
    /// A proved lower bound, as good as it comes without searching for the last digits.
    LowerBound,
    /// Signed distance to full accuracy.
    Distance,
}

/// What a mesh counts as.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Geometry {
    /// What it is: its triangles, solid if they close. Its convex hull contains it and so is a bound: it may
    /// prove that the mesh is far enough off, and then there is no upper bound.
    #[default]
    Mesh,
    /// Its convex hull, which the body is declared to be.
    Hull,
}

/// Why a query stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// A formula gave the answer.
    ClosedForm,
    /// The interval is as narrow as asked.
    Converged,
    /// The question was decided before the interval was narrow.
    Decided,
    /// Rounding: no vertex improves the interval any more.
    Stalled,
    /// The iteration limit was reached; the interval is proved all the same.
    IterationLimit,
    /// Overlap is proved, its depth only bracketed: at most that of the hulls, at least what one pair of
    /// triangles or one point inside proves; or no two points of the bodies are known that show it. Only
    /// where a mesh is not convex.
    Bracketed,
    /// The bodies' surfaces are apart, but one body is shut in by an open mesh: from a point of it hardly a
    /// way leads out that meets no triangle. It is clear of the mesh as a surface (`upper` is how far), and
    /// inside it if it was meant to be solid.
    ShutIn,
}

/// A proved answer for two shapes. Points and directions are in the frame named by the function that returns
/// it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Clearance {
    /// The signed distance is at least this (metres; negative: minus an upper bound of the penetration
    /// depth).
    pub lower: f64,
    /// The signed distance is at most this; negative only if overlap is proved. Infinite where a lower bound
    /// was enough.
    pub upper: f64,
    /// Point of A nearest to B; where they overlap, A's deepest point. With [`Stop::Bracketed`] a point where
    /// overlap was found. Where `upper` is infinite neither point means anything.
    pub witness_a: Vec3,
    /// Point of B. With [`Stop::Bracketed`] a point where overlap was found, often the same as `witness_a`.
    pub witness_b: Vec3,
    /// Unit vector along which A escapes from B. `witness_a - witness_b` is the signed distance along it; not
    /// so with [`Stop::Bracketed`], where moving A by `-lower` along it is proved to lead out, though perhaps
    /// not the shortest way.
    pub normal: Vec3,
    /// Why the query stopped.
    pub stop: Stop,
    /// Steps of the searches.
    pub steps: u32,
}

impl Clearance {
    /// Nothing is proved.
    pub(crate) const NOTHING: Clearance = Clearance {
        lower: f64::NEG_INFINITY,
        upper: f64::INFINITY,
        witness_a: Vec3::ZERO,
        witness_b: Vec3::ZERO,
        normal: Vec3::Z,
        stop: Stop::IterationLimit,
        steps: 0,
    };
}

/// Memory of the last query of a pair, owned by the caller. `Default` is a cold start.
#[derive(Clone, Copy, Debug, Default)]
pub struct Warm {
    pub(crate) gjk: GjkMemory,
    pub(crate) mesh: MeshWarm,
}

/// Work space of the searches for a pair of convex cores.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    nearest: Nearest,
    polytope: Polytope,
}

impl Default for Work {
    fn default() -> Work {
        Work { nearest: Nearest::NEW, polytope: Polytope::default() }
    }
}

/// Work space of queries: one per thread, allocated here and never grown by a query.
#[derive(Clone, Debug)]
pub struct Scratch {
    pub(crate) work: Work,
    pub(crate) mesh: MeshScratch,
}

impl Scratch {
    /// For shapes whose meshes are at most this deep ([`Shape::mesh_depth`]); deeper ones work, but allocate.
    pub fn new(mesh_depth: usize) -> Scratch {
        Scratch { work: Work::default(), mesh: MeshScratch::for_depths(mesh_depth, mesh_depth) }
    }
}

impl Scratch {
    /// Bytes it holds beside itself.
    pub(crate) fn held(&self) -> usize {
        self.work.polytope.held() + self.mesh.held()
    }
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch::new(0)
    }
}

/// What is asked of a pair.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Query {
    /// The question.
    pub ask: Ask,
    /// Distances proved to be above this need not be exact (metres).
    pub cutoff: f64,
    /// What meshes count as.
    pub geometry: Geometry,
    /// Under [`Ask::LowerBound`]: the lower bound of meshes whose hulls are farther apart than this is that
    /// of the hulls (metres, >= 0).
    pub margin: f64,
    /// Error already contained in the pose (metres); both bounds are widened by it.
    pub slack: f64,
}

impl Default for Query {
    fn default() -> Query {
        let geometry = Geometry::Mesh;
        Query { ask: Ask::Distance, cutoff: f64::INFINITY, geometry, margin: 0.0, slack: 0.0 }
    }
}

/// Proved signed distance between `a` and `b` with `b_in_a` the pose of B's frame in A's. Points and normal
/// in A's frame.
///
/// The bounds hold for the numbers of `b_in_a` as they are; what they may be off by is the caller's `slack`.
pub fn clearance(
    a: &Shape,
    b: &Shape,
    b_in_a: &Transform,
    query: &Query,
    warm: &mut Warm,
    scratch: &mut Scratch,
) -> Clearance {
    let mut c = Clearance::NOTHING;
    // A pose that is not a number proves nothing.
    if !b_in_a.is_finite() {
        return c;
    }
    let radius = a.radius + b.radius;
    // What is taken off the lower bound at the end is asked for beforehand: a search that stops just above
    // the cutoff must still be above it then.
    let above = query.cutoff + radius;
    let above = above + query.slack + 8.0 * ROUNDOFF * (above.abs() + radius + query.slack);
    let goal = match query.ask {
        Ask::Test => Goal { above, below: radius, ratio: 2.0 },
        Ask::LowerBound => Goal { above, below: 0.0, ratio: LOWER_BOUND_RATIO },
        Ask::Distance => Goal { above, below: 0.0, ratio: 2.0 },
    };
    convex(a, b, b_in_a, query.ask, goal, &mut warm.gjk, &mut scratch.work, &mut c);
    // Radii move both bounds alike; the sums are rounded once each.
    let error = |bound: f64| 4.0 * ROUNDOFF * (bound.abs() + radius) + query.slack;
    if query.geometry == Geometry::Mesh && (a.mesh().is_some() || b.mesh().is_some()) {
        // Hulls contain their triangles: their lower bound is one of the triangles', and may be all that is
        // wanted.
        let apart = c.lower - radius - error(c.lower);
        let enough = c.lower > goal.above || query.ask == Ask::LowerBound && apart > query.margin.max(0.0);
        if enough {
            // Their upper bound is none of the triangles', nor are their points.
            (c.upper, c.stop) = (f64::INFINITY, Stop::Decided);
        } else {
            let hulls = c;
            c = nonconvex::refine(a, b, b_in_a, query.ask, goal, &hulls, warm, scratch);
            if c.lower - radius - error(c.lower) <= 0.0 && hulls.lower < c.lower {
                // Cores that are apart, bodies that may overlap: a way out of one wall may lead into the
                // next.
                c.lower = hulls.lower;
                // Decided stays only what overlap decides: the gap that may have been is none of the bodies.
                let told = query.ask == Ask::Test && c.upper < radius;
                if c.upper - c.lower > MESH_TIE * (a.reach + b.reach) && !told {
                    c.stop = if c.upper < radius { Stop::Bracketed } else { Stop::Stalled };
                    c.normal = hulls.normal;
                }
            }
        }
    }
    // A bound that is infinite says nothing, and must not take the other with it.
    c.lower = c.lower - radius - error(c.lower);
    c.upper = c.upper - radius + error(c.upper);
    if radius > 0.0 {
        to_surface(&mut c, a, b, radius);
    }
    c
}

/// Moves the witnesses from the cores to the surfaces. Round shapes meet along the line between the points of
/// their cores; where that is too short to have a direction, along the normal.
fn to_surface(c: &mut Clearance, a: &Shape, b: &Shape, radius: f64) {
    let apart = c.witness_a - c.witness_b;
    let line = if c.upper + radius > 0.0 && apart.norm() > FREE_DIRECTION * (a.reach + b.reach) {
        apart.normalized().unwrap_or(c.normal)
    } else {
        c.normal
    };
    c.witness_a -= line * a.radius;
    c.witness_b += line * b.radius;
}

/// The table: which search serves which pair of cores; meshes stand for their hulls. The answer is written
/// where the caller wants it: copying it costs as much as a step of the search.
#[allow(clippy::too_many_arguments)]
pub(crate) fn convex(
    a: &Shape,
    b: &Shape,
    b_in_a: &Transform,
    ask: Ask,
    goal: Goal,
    memory: &mut GjkMemory,
    work: &mut Work,
    answer: &mut Clearance,
) {
    if let Some(claim) = analytic::nearest(&a.core, &b.core, b_in_a) {
        *answer = closed(a, b, b_in_a, &claim);
        return;
    }
    with_support!(&a.core, core => against(core, a.center, b, b_in_a, ask, goal, memory, work, answer));
    if matches!(answer.stop, Stop::Stalled | Stop::IterationLimit) && ask == Ask::Distance {
        if answer.upper < 0.0 || answer.lower < -DEPTH_GAP_CURVED * (a.reach + b.reach) {
            again::deepen(&a.core, &b.core, b_in_a, &mut work.polytope, answer);
        } else {
            afresh(a, b, b_in_a, goal, memory, work, answer);
        }
    }
    if answer.upper < 0.0
        && answer.stop == Stop::Converged
        && ask == Ask::Distance
        && !shows(a, b, b_in_a, answer)
    {
        answer.stop = Stop::Stalled;
    }
}

/// Whether the vector between the deepest points lies along the normal: not so where the best plane and the
/// nearest face are of two ways out that are equally short, and no face was found that both belong to.
fn shows(a: &Shape, b: &Shape, b_in_a: &Transform, c: &Clearance) -> bool {
    let curved = |core: &Core| Simple(core).curved();
    let turned = if curved(&a.core) || curved(&b.core) { ALONG_CURVED } else { 0.0 };
    let off = c.witness_a - c.witness_b - c.normal * (0.5 * (c.lower + c.upper));
    off.norm() <= ALONG * (a.reach + b.reach + b_in_a.translation.norm()) - turned * c.upper
}

/// Searches on from where the search stalled, with a new simplex: the corners of the old one lie so close
/// together on a round rim that their rounding hides the way.
#[cold]
#[inline(never)]
fn afresh(
    a: &Shape,
    b: &Shape,
    b_in_a: &Transform,
    goal: Goal,
    memory: &mut GjkMemory,
    work: &mut Work,
    answer: &mut Clearance,
) {
    for start in 0..STALLED_STARTS as usize {
        if answer.upper - answer.lower <= WIDE * (a.reach + b.reach + b_in_a.translation.norm()) {
            break;
        }
        // From aside, each time from another: other corners come first.
        let aside = [vec3(0.5, 0.3, -0.4), vec3(-0.3, 0.5, 0.4), vec3(0.4, -0.4, 0.5)][start % 3];
        (memory.len, memory.direction) = (0, answer.normal + aside);
        let mut c = Clearance::NOTHING;
        // The same search: a lower bound is asked for to the goal, and starts no search afresh itself.
        convex(a, b, b_in_a, Ask::LowerBound, goal, memory, work, &mut c);
        answer.steps += c.steps;
        if c.lower > answer.lower {
            (answer.lower, answer.normal, answer.stop) = (c.lower, c.normal, c.stop);
        }
        if c.upper < answer.upper {
            (answer.upper, answer.witness_a, answer.witness_b) = (c.upper, c.witness_a, c.witness_b);
        }
    }
}

/// One row of the table: the core `a` against whatever B is.
#[allow(clippy::too_many_arguments)]
pub(crate) fn against<A: Support>(
    a: A,
    a_center: Vec3,
    b: &Shape,
    b_in_a: &Transform,
    ask: Ask,
    goal: Goal,
    memory: &mut GjkMemory,
    work: &mut Work,
    answer: &mut Clearance,
) {
    with_support!(&b.core, core => {
        let cores = Cores::new(a, core, b_in_a, a_center, b.center);
        let Some(l) = wide() else { return in_plain(&cores.plainly(), ask, goal, memory, work, answer) };
        let Work { nearest: found, polytope } = work;
        if !l.run(Solve { cores: &cores, goal, warm: memory, found, answer }) {
            *answer = l.run(Deepen { cores: &cores, ask, found, polytope });
        }
    })
}

/// Where a machine has no wide lanes: one piece of code for all kinds of cores, which would otherwise all be
/// compiled twice.
#[cold]
#[inline(never)]
fn in_plain(
    cores: &Cores<Plainly, Plainly>,
    ask: Ask,
    goal: Goal,
    memory: &mut GjkMemory,
    work: &mut Work,
    answer: &mut Clearance,
) {
    let Work { nearest: found, polytope } = work;
    if !(Solve { cores, goal, warm: memory, found, answer }).run(Plain) {
        *answer = Deepen { cores, ask, found, polytope }.run(Plain);
    }
}

/// Certifies a closed form.
fn closed(a: &Shape, b: &Shape, b_in_a: &Transform, claim: &analytic::Claim) -> Clearance {
    struct Check<'a>(Cores<Simple<'a>, Simple<'a>>, Vec3);
    impl Kernel for Check<'_> {
        type Output = (f64, f64);
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> (f64, f64) {
            (certify::plane(l, &self.0, &Farthest::new(l, &self.0, self.1)), certify::rounding(&self.0))
        }
    }
    let cores = Cores::new(Simple(&a.core), Simple(&b.core), b_in_a, a.center, b.center);
    // Where the nearest points are one, any direction is as good.
    let normal = claim.v.normalized().unwrap_or(Vec3::Z);
    let (lower, rounding) = Check(cores, normal).run(Plain);
    let upper = if claim.depth > 0.0 {
        // Formulas for depth measure in B's frame, as if the rotation were one.
        claim.error - claim.depth + 2.0 * defect(&b_in_a.rotation) * cores.scale
    } else {
        (claim.a - claim.b).norm()
    } + rounding;
    Clearance {
        lower,
        upper,
        witness_a: claim.a,
        witness_b: claim.b,
        normal,
        stop: Stop::ClosedForm,
        steps: 0,
    }
}

/// One pair of cores: the search for the nearest points, certified. False, with no answer yet, if depth must
/// be measured.
struct Solve<'a, A, B> {
    cores: &'a Cores<A, B>,
    goal: Goal,
    warm: &'a mut GjkMemory,
    found: &'a mut Nearest,
    answer: &'a mut Clearance,
}

impl<A: Support, B: Support> Kernel for Solve<'_, A, B> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> bool {
        let Solve { cores, goal, warm, found, answer } = self;
        nearest(l, cores, goal, warm, found);
        let (mut end, mut v) = (found.end, found.v);
        if end == End::Inside {
            return false;
        }
        let mut gap = certify::gap(l, cores, &found.simplex, &found.far);
        if end == End::Converged
            && gap.upper - gap.lower > WIDE * cores.scale
            && !(cores.a.curved() || cores.b.curved())
        {
            // No other vertex is nearer, but rounding turned the plane.
            end = End::Stalled;
        }
        if end == End::Stalled {
            gap = squared(&cores.plainly(), found);
            v = found.v;
        }
        if gap.lower <= 0.0 && end != End::Decided {
            return false;
        }
        answer.lower = gap.lower;
        answer.upper = gap.upper;
        answer.witness_a = gap.a;
        answer.witness_b = gap.b;
        answer.normal = v.normalized().unwrap_or(Vec3::Z);
        answer.stop = match end {
            End::Converged => Stop::Converged,
            End::Decided => Stop::Decided,
            End::Inside | End::Stalled => Stop::Stalled,
            End::StepLimit => Stop::IterationLimit,
        };
        answer.steps = found.steps;
        true
    }
}

/// Cores that overlap, or are too close for a separating plane to show.
struct Deepen<'a, A, B> {
    cores: &'a Cores<A, B>,
    ask: Ask,
    found: &'a Nearest,
    polytope: &'a mut Polytope,
}

impl<A: Support, B: Support> Kernel for Deepen<'_, A, B> {
    type Output = Clearance;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Clearance {
        let Deepen { cores, ask, found, polytope } = self;
        let enough = if ask == Ask::Test { certify::rounding(cores) * 2.0 } else { f64::INFINITY };
        let d = depth(l, cores, &found.simplex, enough, LEVEL, polytope);
        let mut c = Clearance {
            lower: -d.most,
            upper: if d.least > 0.0 { -d.least } else { d.apart },
            witness_a: d.a,
            witness_b: d.b,
            normal: d.escape.normalized().unwrap_or(Vec3::Z),
            stop: if d.converged {
                Stop::Converged
            } else if d.full {
                Stop::IterationLimit
            } else {
                Stop::Stalled
            },
            steps: found.steps + d.steps,
        };
        if found.end != End::Inside {
            // The nearest points still bound the distance from above, and their plane from below.
            let gap = certify::gap(l, cores, &found.simplex, &found.far);
            if gap.upper < c.upper {
                c.upper = gap.upper;
                (c.witness_a, c.witness_b) = (gap.a, gap.b);
            }
            if gap.lower > c.lower {
                c.lower = gap.lower;
                c.normal = found.v.normalized().unwrap_or(c.normal);
            }
        }
        c
    }
}

#[cfg(test)]
mod tests;
