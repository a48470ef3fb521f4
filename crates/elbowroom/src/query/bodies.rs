//! The clearance of two bodies, from all pairs of their shapes.
//!
//! The pair of shapes with the nearest balls is asked first: with its distance known, most others need not be
//! asked. All questions about bodies use this one loop: searches at a pose, and proofs between poses.

use crate::bounds::{Ball, ball_gap};
use crate::model::id::ShapeId;
use crate::pose::frames::Pose;
use crate::query::counts::Outcome;
use crate::query::resolved::Resolved;
use crate::query::tolerance::{CONTACT_SHARE, KEPT_BALLS, KEPT_GAPS, ROUGH_SHAPES, ROUGH_WIDTH};
use crate::query::warm_starts::{WarmStartSlots, WarmStarts};
use core::ops::Range;
use elbowroom_describe::math::Vec3;
use elbowroom_pair::Interval;
use elbowroom_pair::Witness;
use elbowroom_pair::shape_pair::ShapePair;
use elbowroom_pair::{Ask, Clearance, Effort, Query, Stop};
use elbowroom_pair::{Scratch, Warm};

/// What was measured of two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub interval: Interval,
    /// Of bodies apart, the points of the upper end. Of bodies that overlap, those of the lower end, where it
    /// is an overlap's.
    pub witness: Option<Witness>,
    pub stop: Option<Stop>,
}

impl Measured {
    /// A lower bound alone.
    pub fn from_lower_bound(lower: f64, asked: &Resolved) -> Measured {
        Measured { interval: Interval::new(lower, f64::INFINITY, asked.geometry), witness: None, stop: None }
    }

    /// Before any pair of shapes is asked.
    pub fn nothing_measured(asked: &Resolved) -> Measured {
        Measured::from_lower_bound(f64::INFINITY, asked)
    }

    /// Whether the bodies are proved apart or overlapping, or beyond a cutoff (metres).
    pub fn outcome(&self, cutoff: f64) -> Outcome {
        let proved = self.interval.is_decided() || self.interval.lower > cutoff;
        if proved { Outcome::Proved } else { Outcome::Unknown }
    }

    /// Whether there is an overlap, or a contact that may be one, whose depth could be measured more closely.
    #[inline]
    pub fn is_rough(&self) -> bool {
        let Interval { lower, upper, .. } = self.interval;
        upper < CONTACT_SHARE * -lower && upper - lower > ROUGH_WIDTH * -lower
    }

    /// Whether the answer takes the points of another pair of shapes instead. The nearer pair's points count;
    /// of two overlaps those of the one that may be deeper, since its way out is as long as the lower end
    /// says.
    #[inline]
    fn yields_to(&self, other: &Interval) -> bool {
        let Interval { lower, upper, .. } = self.interval;
        let nearer = if upper < 0.0 && other.upper < 0.0 { other.lower < lower } else { other.upper < upper };
        nearer || self.stop.is_none()
    }

    /// Takes in the clearance of a pair of shapes.
    #[inline]
    fn join(&mut self, placed: &ShapePair, clearance: &Clearance) {
        if self.yields_to(&clearance.interval) {
            self.stop = Some(clearance.stop);
            self.witness = clearance.interval.upper.is_finite().then(|| placed.witness(clearance));
        }
        self.widen_interval(&clearance.interval);
    }

    /// Takes in what was measured of other shapes of the same bodies.
    fn merge(&mut self, other: Measured) {
        if self.yields_to(&other.interval) {
            (self.stop, self.witness) = (other.stop, other.witness);
        }
        self.widen_interval(&other.interval);
    }

    #[inline]
    fn widen_interval(&mut self, other: &Interval) {
        self.interval.lower_to(other.lower);
        self.interval.upper = self.interval.upper.min(other.upper);
    }
}

/// Two shapes to be asked next.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeCandidate {
    pub shapes: [ShapeId; 2],
    /// Their number among the pairs of shapes of the two bodies.
    pub number: usize,
    /// A lower bound from the balls around them; minus infinity where they are the only pair.
    pub bound: f64,
}

impl ShapeCandidate {
    /// Whether balls or boxes around the shapes prove that they are farther apart than `cutoff` (metres).
    /// Then `measured` has their bound, and they need not be asked.
    #[inline]
    fn prune_if_beyond(&self, pose: &Pose, cutoff: f64, measured: &mut Measured) -> bool {
        // The boxes of a body's only shape have been asked.
        let alone = self.bound == f64::NEG_INFINITY;
        if alone || cutoff == f64::INFINITY {
            return false;
        }
        let mut bound = self.bound;
        if bound <= cutoff {
            bound = pose.shape_box_bound(self.shapes, bound, cutoff);
        }
        let beyond = bound > cutoff;
        if beyond {
            measured.interval.lower_to(bound);
        }
        beyond
    }
}

/// Gives `each` every pair of two ranges of shapes. The pair with the nearest balls comes first.
#[inline]
pub(crate) fn each_shape_pair(pose: &Pose, [a, b]: [Range<u32>; 2], mut each: impl FnMut(ShapeCandidate)) {
    if a.is_empty() || b.is_empty() {
        return;
    }
    let mut each = |number: usize, bound: f64| {
        let (i, j) = ((number / b.len()) as u32, (number % b.len()) as u32);
        each(ShapeCandidate { shapes: [ShapeId(a.start + i), ShapeId(b.start + j)], number, bound });
    };
    let count = a.len() * b.len();
    if count == 1 {
        return each(0, f64::NEG_INFINITY);
    }
    // Balls and gaps are kept as far as there is room, and computed again where there is none.
    let (mut balls, mut gaps) = ([Ball::UNBOUNDED; KEPT_BALLS], [0.0; KEPT_GAPS]);
    for (ball, j) in balls.iter_mut().zip(b.clone()) {
        *ball = pose.shape_ball(j);
    }
    let gap_from = |ball: &Ball, j: usize| match balls[..b.len().min(KEPT_BALLS)].get(j) {
        Some(other) => ball_gap(ball, other),
        None => ball_gap(ball, &pose.shape_ball(b.start + j as u32)),
    };
    let (mut first, mut smallest) = (0, f64::INFINITY);
    for (row, i) in a.clone().enumerate() {
        let ball = pose.shape_ball(i);
        for j in 0..b.len() {
            let (number, gap) = (row * b.len() + j, gap_from(&ball, j));
            if let Some(kept) = gaps.get_mut(number) {
                *kept = gap;
            }
            if gap < smallest {
                (first, smallest) = (number, gap);
            }
        }
    }
    // Where no ball bounds anything, nothing may be left out.
    each(first, if smallest < f64::INFINITY { smallest } else { f64::NEG_INFINITY });
    for number in (0..count).filter(|number| *number != first) {
        let again = || gap_from(&pose.shape_ball(a.start + (number / b.len()) as u32), number % b.len());
        each(number, gaps.get(number).copied().unwrap_or_else(again));
    }
}

/// Warm starts and scratch of shape queries, and how many queries there were.
#[derive(Clone, Debug)]
pub(crate) struct QueryWork {
    pub starts: WarmStarts,
    scratch: Scratch,
    /// Shape queries so far, and the steps of their searches.
    pub queries: usize,
    pub steps: usize,
}

impl QueryWork {
    /// For meshes whose trees have at most `mesh_depth` levels.
    pub fn new(starts: WarmStarts, mesh_depth: usize) -> QueryWork {
        QueryWork { starts, scratch: Scratch::new(mesh_depth), queries: 0, steps: 0 }
    }

    /// Nodes and triangles of meshes that were visited so far.
    pub fn visits(&self) -> u64 {
        self.scratch.visits()
    }
}

/// The clearance of two ranges of shapes. It is exact only up to `cutoff` (metres).
pub(crate) fn ask_shapes(
    pose: &Pose,
    shapes: [Range<u32>; 2],
    asked: &Resolved,
    cutoff: f64,
    start: WarmStartSlots,
    work: &mut QueryWork,
) -> Measured {
    if asked.ask == Ask::Distance && asked.depth != Effort::Rough && shapes.iter().any(|s| s.len() > 1) {
        return ask_deepest(pose, shapes, asked, cutoff, start, work);
    }
    let mut measured = Measured::nothing_measured(asked);
    each_shape_pair(pose, shapes, |candidate| {
        // A distance above that of another pair of shapes need not be exact.
        let cutoff = if asked.ask == Ask::Test { cutoff } else { cutoff.min(measured.interval.upper) };
        if !candidate.prune_if_beyond(pose, cutoff, &mut measured) {
            let posed = pose.shape_pair(candidate.shapes);
            ask_shape_pair(&posed, &candidate, asked, cutoff, start, work, &mut measured);
        }
    });
    measured
}

/// The clearance of two ranges of shapes with a close depth. It is exact only up to `cutoff` (metres). All
/// pairs of shapes are asked roughly, and those with the least lower ends again, until the lower end is that
/// of a pair which was.
fn ask_deepest(
    pose: &Pose,
    shapes: [Range<u32>; 2],
    asked: &Resolved,
    cutoff: f64,
    start: WarmStartSlots,
    work: &mut QueryWork,
) -> Measured {
    let rough = Resolved { depth: Effort::Rough, ..*asked };
    let mut measured = Measured::nothing_measured(asked);
    // Pairs that may be asked again; the last ones are empty.
    let mut waiting: [Option<(ShapeCandidate, Measured)>; ROUGH_SHAPES] = [None; ROUGH_SHAPES];
    let lower = |w: &Option<(ShapeCandidate, Measured)>| w.map_or(f64::INFINITY, |(_, m)| m.interval.lower);
    let mut known = cutoff;
    each_shape_pair(pose, shapes, |candidate| {
        if candidate.prune_if_beyond(pose, known, &mut measured) {
            return;
        }
        let mut one = Measured::nothing_measured(asked);
        ask_shape_pair(&pose.shape_pair(candidate.shapes), &candidate, &rough, known, start, work, &mut one);
        known = known.min(one.interval.upper);
        if !one.is_rough() {
            measured.merge(one);
            return;
        }
        // The list is sorted by the lower end, the least first. If it is full, its last pair is removed and
        // keeps its rough depth.
        let mut next = Some((candidate, one));
        for place in &mut waiting {
            if lower(&next) < lower(place) {
                core::mem::swap(&mut next, place);
            }
        }
        if let Some((_, gone)) = next {
            measured.merge(gone);
        }
    });
    for (candidate, rough) in waiting.into_iter().flatten() {
        if rough.interval.lower < measured.interval.lower {
            let posed = pose.shape_pair(candidate.shapes);
            ask_shape_pair(&posed, &candidate, asked, f64::INFINITY, start, work, &mut measured);
        } else {
            measured.merge(rough);
        }
    }
    measured
}

/// Asks two posed shapes, takes their clearance into `measured`, and returns its normal (A's frame).
#[inline]
pub(crate) fn ask_shape_pair(
    posed: &ShapePair,
    candidate: &ShapeCandidate,
    asked: &Resolved,
    cutoff: f64,
    start: WarmStartSlots,
    work: &mut QueryWork,
    measured: &mut Measured,
) -> Vec3 {
    let mut cold = Warm::default();
    let QueryWork { starts, scratch, .. } = work;
    let warm = starts.warm_start(start, candidate.shapes, candidate.number).unwrap_or(&mut cold);
    let Resolved { ask, geometry, margin, depth, .. } = *asked;
    let query = Query { ask, cutoff, geometry, margin, slack: 0.0, depth };
    let (clearance, queries) = posed.ask(query, warm, scratch);
    work.queries += queries;
    work.steps += clearance.steps as usize;
    measured.join(posed, &clearance);
    clearance.normal
}
