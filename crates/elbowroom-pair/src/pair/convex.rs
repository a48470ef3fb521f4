//! Two convex cores: a closed form or a search, always certified.

use crate::numeric::simd::{Kernel, Lanes, Plain, detect_wide_lanes};
use crate::pair::aligned::defect;
use crate::pair::claim::Claim;
use crate::pair::clearance::{Ask, Clearance, Stop};
use crate::pair::cores::Cores;
use crate::pair::farthest::Farthest;
use crate::pair::geometry::Geometry;
use crate::pair::gjk::{End, GjkStart, Goal, Nearest, nearest, squared};
use crate::pair::interval::Interval;
use crate::pair::penetration::{Polytope, again, depth};
use crate::pair::scratch::Work;
use crate::pair::tolerance::{ALONG, ALONG_CURVED, DEPTH_GAP_CURVED, LEVEL, STALLED_STARTS, WIDE};
use crate::pair::{analytic, certify};
use crate::shape::Shape;
use crate::shape::extreme::Support;
use crate::shape::plainly::Plainly;
use crate::shape::solid::Core;
use crate::shape::support::Simple;
use crate::with_support;
use elbowroom_describe::math::{Transform, Vec3, vec3};

/// The clearance of two cores, meshes counting as their hulls. It is written to `answer`, because copying it
/// costs as much as a step of the search.
pub(crate) fn convex(
    a: &Shape,
    b: &Shape,
    b_in_a: &Transform,
    goal: Goal,
    warm_start: &mut GjkStart,
    work: &mut Work,
    answer: &mut Clearance,
) {
    if let Some(claim) = analytic::nearest(&a.core, &b.core, b_in_a) {
        *answer = closed(a, b, b_in_a, &claim);
        return;
    }
    with_support!(&a.core, core => against((core, a.center), b, b_in_a, goal, warm_start, work, answer));
    if matches!(answer.stop, Stop::Stalled | Stop::IterationLimit) && goal.ask == Ask::Distance {
        if answer.interval.upper < 0.0
            || answer.interval.lower < -DEPTH_GAP_CURVED * (a.bounding_radius + b.bounding_radius)
        {
            again::deepen(&a.core, &b.core, b_in_a, &mut work.polytope, answer);
        } else {
            restart(a, b, b_in_a, goal, warm_start, work, answer);
        }
    }
    if answer.interval.upper < 0.0
        && answer.stop == Stop::Converged
        && goal.ask == Ask::Distance
        && !points_along_normal(a, b, b_in_a, answer)
    {
        answer.stop = Stop::Stalled;
    }
}

/// Whether the vector between the deepest points lies along the normal. It does not where two ways out are
/// equally short, and the best plane belongs to one of them and the nearest face to the other.
fn points_along_normal(a: &Shape, b: &Shape, b_in_a: &Transform, c: &Clearance) -> bool {
    let curved = |core: &Core| Simple(core).has_curved_surface();
    let angle = if curved(&a.core) || curved(&b.core) { ALONG_CURVED } else { 0.0 };
    let off = c.witness_a - c.witness_b - c.normal * (0.5 * (c.interval.lower + c.interval.upper));
    off.norm()
        <= ALONG * (a.bounding_radius + b.bounding_radius + b_in_a.translation.norm())
            - angle * c.interval.upper
}

/// Restarts a stalled search with a new simplex: the corners of the old one lie so close together on a round
/// rim that rounding hides the direction.
#[cold]
#[inline(never)]
fn restart(
    a: &Shape,
    b: &Shape,
    b_in_a: &Transform,
    goal: Goal,
    warm_start: &mut GjkStart,
    work: &mut Work,
    answer: &mut Clearance,
) {
    for start in 0..STALLED_STARTS as usize {
        if answer.interval.upper - answer.interval.lower
            <= WIDE * (a.bounding_radius + b.bounding_radius + b_in_a.translation.norm())
        {
            break;
        }
        // From another direction each time, so that other corners come first.
        let aside = [vec3(0.5, 0.3, -0.4), vec3(-0.3, 0.5, 0.4), vec3(0.4, -0.4, 0.5)][start % 3];
        (warm_start.len, warm_start.direction) = (0, answer.normal + aside);
        let mut c = Clearance::NOTHING;
        // With a lower bound as the question, the same search does not restart itself.
        let goal = Goal { ask: Ask::LowerBound, ..goal };
        convex(a, b, b_in_a, goal, warm_start, work, &mut c);
        answer.steps += c.steps;
        if c.interval.lower > answer.interval.lower {
            (answer.interval.lower, answer.normal, answer.stop) = (c.interval.lower, c.normal, c.stop);
        }
        if c.interval.upper < answer.interval.upper {
            (answer.interval.upper, answer.witness_a, answer.witness_b) =
                (c.interval.upper, c.witness_a, c.witness_b);
        }
    }
}

/// The clearance of a core `a` and any shape B.
pub(crate) fn against<A: Support>(
    (a, a_center): (A, Vec3),
    b: &Shape,
    b_in_a: &Transform,
    goal: Goal,
    warm_start: &mut GjkStart,
    work: &mut Work,
    answer: &mut Clearance,
) {
    with_support!(&b.core, core => {
        let cores = Cores::new(a, core, b_in_a, a_center, b.center);
        let Some(l) = detect_wide_lanes() else {
            return in_plain(&cores.plainly(), goal, warm_start, work, answer);
        };
        let Work { nearest, polytope } = work;
        if !l.run(Solve { cores: &cores, goal, warm_start, result: nearest, answer }) {
            *answer = l.run(Deepen { cores: &cores, ask: goal.ask, result: nearest, polytope });
        }
    })
}

/// For machines without wide lanes: one code for all kinds of cores, which would otherwise be compiled twice
/// for each pair of kinds.
#[cold]
#[inline(never)]
fn in_plain(
    cores: &Cores<Plainly, Plainly>,
    goal: Goal,
    warm_start: &mut GjkStart,
    work: &mut Work,
    answer: &mut Clearance,
) {
    let Work { nearest, polytope } = work;
    if !(Solve { cores, goal, warm_start, result: nearest, answer }).run(Plain) {
        *answer = Deepen { cores, ask: goal.ask, result: nearest, polytope }.run(Plain);
    }
}

/// Certifies a closed form.
fn closed(a: &Shape, b: &Shape, b_in_a: &Transform, claim: &Claim) -> Clearance {
    struct Check<'a>(Cores<Simple<'a>, Simple<'a>>, Vec3);
    impl Kernel for Check<'_> {
        type Output = (f64, f64);
        #[inline(always)]
        fn run<L: Lanes>(self, l: L) -> (f64, f64) {
            (certify::plane(l, &self.0, &Farthest::new(l, &self.0, self.1)), certify::rounding(&self.0))
        }
    }
    let cores = Cores::new(Simple(&a.core), Simple(&b.core), b_in_a, a.center, b.center);
    // Without a direction any is as good.
    let normal = claim.v.normalized().unwrap_or(Vec3::Z);
    let (lower, rounding) = Check(cores, normal).run(Plain);
    let upper = if claim.depth > 0.0 {
        // Formulas for depth measure in B's frame, as if the matrix were a rotation.
        claim.error - claim.depth + 2.0 * defect(&b_in_a.rotation) * cores.scale
    } else {
        (claim.a - claim.b).norm()
    } + rounding;
    Clearance {
        interval: Interval::new(lower, upper, Geometry::Mesh),
        witness_a: claim.a,
        witness_b: claim.b,
        normal,
        stop: Stop::ClosedForm,
        steps: 0,
    }
}

/// The search for the nearest points, certified. False, without an answer, if the depth must be measured.
struct Solve<'a, A, B> {
    cores: &'a Cores<A, B>,
    goal: Goal,
    warm_start: &'a mut GjkStart,
    result: &'a mut Nearest,
    answer: &'a mut Clearance,
}

impl<A: Support, B: Support> Kernel for Solve<'_, A, B> {
    type Output = bool;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> bool {
        let Solve { cores, goal, warm_start, result, answer } = self;
        nearest(l, cores, goal, warm_start, result);
        let (mut end, mut v) = (result.end, result.v);
        if end == End::Inside {
            return false;
        }
        let mut gap = certify::gap(l, cores, &result.simplex, &result.far);
        if end == End::Converged
            && gap.upper - gap.lower > WIDE * cores.scale
            && !(cores.a.has_curved_surface() || cores.b.has_curved_surface())
        {
            // No vertex is nearer, but rounding tilted the plane.
            end = End::Stalled;
        }
        if end == End::Stalled {
            gap = squared(&cores.plainly(), result);
            v = result.v;
        }
        if gap.lower <= 0.0 && end != End::Decided {
            return false;
        }
        answer.interval.lower = gap.lower;
        answer.interval.upper = gap.upper;
        answer.witness_a = gap.a;
        answer.witness_b = gap.b;
        answer.normal = v.normalized().unwrap_or(Vec3::Z);
        answer.stop = match end {
            End::Converged => Stop::Converged,
            End::Decided => Stop::Decided,
            End::Inside | End::Stalled => Stop::Stalled,
            End::StepLimit => Stop::IterationLimit,
        };
        answer.steps = result.steps;
        true
    }
}

/// The depth of cores that overlap, or are too close for a separating plane.
struct Deepen<'a, A, B> {
    cores: &'a Cores<A, B>,
    ask: Ask,
    result: &'a Nearest,
    polytope: &'a mut Polytope,
}

impl<A: Support, B: Support> Kernel for Deepen<'_, A, B> {
    type Output = Clearance;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Clearance {
        let Deepen { cores, ask, result, polytope } = self;
        let enough_depth = if ask == Ask::Test { certify::rounding(cores) * 2.0 } else { f64::INFINITY };
        let d = depth(l, cores, &result.simplex, enough_depth, LEVEL, polytope);
        let upper = if d.least > 0.0 { -d.least } else { d.apart };
        let mut c = Clearance {
            interval: Interval::new(-d.most, upper, Geometry::Mesh),
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
            steps: result.steps + d.steps,
        };
        if result.end != End::Inside {
            // The nearest points still bound the distance from above, and their plane from below.
            let gap = certify::gap(l, cores, &result.simplex, &result.far);
            if gap.upper < c.interval.upper {
                c.interval.upper = gap.upper;
                (c.witness_a, c.witness_b) = (gap.a, gap.b);
            }
            if gap.lower > c.interval.lower {
                c.interval.lower = gap.lower;
                c.normal = result.v.normalized().unwrap_or(c.normal);
            }
        }
        c
    }
}

#[cfg(test)]
mod tests;
