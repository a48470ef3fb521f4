//! Two bodies asked: over all pairs of their shapes.
//!
//! The pair of shapes whose balls are nearest comes first: its distance spares most of the others theirs.
//! Everything that asks about bodies runs through the one loop here: searches at a pose, and what is proved
//! between poses.

use crate::bounds::ball_gap;
use crate::model::id::ShapeId;
use crate::numeric::math::Vec3;
use crate::pair::clearance::{Ask, Clearance, Query, Stop};
use crate::pair::interval::Interval;
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::shape_pair::ShapePair;
use crate::pair::witness::Witness;
use crate::pose::frames::Pose;
use crate::query::counts::Told;
use crate::query::resolved::Resolved;
use crate::query::warm_starts::{Start, WarmStarts};
use core::ops::Range;

/// What was found of two bodies.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Measured {
    pub interval: Interval,
    /// The points of the upper end.
    pub witness: Option<Witness>,
    pub stop: Option<Stop>,
}

impl Measured {
    /// A lower bound alone.
    pub fn bound(lower: f64, asked: &Resolved) -> Measured {
        Measured { interval: Interval::new(lower, f64::INFINITY, asked.geometry), witness: None, stop: None }
    }

    /// Before any pair of shapes was asked.
    pub fn none(asked: &Resolved) -> Measured {
        Measured::bound(f64::INFINITY, asked)
    }

    /// Whether it was proved what the bodies are, or that they are beyond a cutoff (metres).
    pub fn told(&self, cutoff: f64) -> Told {
        let told = self.interval.is_decided() || self.interval.lower > cutoff;
        if told { Told::Proved } else { Told::Unknown }
    }

    /// Joins what a pair of shapes answers.
    #[inline]
    fn join(&mut self, placed: &ShapePair, clearance: &Clearance) {
        let interval = &mut self.interval;
        interval.lower_to(clearance.interval.lower);
        if clearance.interval.upper < interval.upper || self.stop.is_none() {
            interval.upper = interval.upper.min(clearance.interval.upper);
            self.stop = Some(clearance.stop);
            self.witness = clearance.interval.upper.is_finite().then(|| placed.witness(clearance));
        }
    }
}

/// Two shapes whose turn it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShapeCandidate {
    pub shapes: [ShapeId; 2],
    /// Their number among the pairs of shapes of these bodies.
    pub number: usize,
    /// A lower bound from the balls around them; none where they are the only ones.
    pub bound: f64,
    /// Whether they are the first.
    pub first: bool,
}

/// Tells `each` pair of two ranges of shapes, the nearest by their balls first.
#[inline]
pub(crate) fn each_shape_pair(pose: &Pose, [a, b]: [Range<u32>; 2], mut each: impl FnMut(ShapeCandidate)) {
    let pairs = || a.clone().flat_map(|i| b.clone().map(move |j| (i, j)));
    let gap = |(i, j): (u32, u32)| ball_gap(&pose.shape_ball(i), &pose.shape_ball(j));
    let mut first = ((a.start, b.start), f64::NEG_INFINITY);
    if a.len() * b.len() > 1 {
        let mut smallest = f64::INFINITY;
        for pair in pairs() {
            let bound = gap(pair);
            if bound < smallest {
                smallest = bound;
                first = (pair, bound);
            }
        }
    } else if a.is_empty() || b.is_empty() {
        return;
    }
    let candidate = |(i, j): (u32, u32), bound: f64, first: bool| ShapeCandidate {
        shapes: [ShapeId(i), ShapeId(j)],
        number: (i - a.start) as usize * b.len() + (j - b.start) as usize,
        bound,
        first,
    };
    each(candidate(first.0, first.1, true));
    for pair in pairs().filter(|pair| *pair != first.0) {
        each(candidate(pair, gap(pair), false));
    }
}

/// Work space of shape queries, and how many there were.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub starts: WarmStarts,
    scratch: Scratch,
    /// Shape queries so far, and the steps of their searches.
    pub queries: usize,
    pub steps: usize,
}

impl Work {
    /// For meshes with trees of so many levels.
    pub fn new(starts: WarmStarts, mesh_depth: usize) -> Work {
        Work { starts, scratch: Scratch::new(mesh_depth), queries: 0, steps: 0 }
    }

    /// Bytes it holds beside itself.
    pub fn heap_bytes(&self) -> usize {
        self.starts.heap_bytes() + self.scratch.heap_bytes()
    }
}

/// The clearance of two ranges of shapes. Exact only as far as `cutoff` (metres).
pub(crate) fn ask_shapes(
    pose: &Pose,
    shapes: [Range<u32>; 2],
    asked: &Resolved,
    cutoff: f64,
    start: Start,
    work: &mut Work,
) -> Measured {
    let mut found = Measured::none(asked);
    each_shape_pair(pose, shapes, |candidate| {
        // What is farther than another pair of shapes need not be known exactly.
        let reach = if asked.ask == Ask::Test { cutoff } else { cutoff.min(found.interval.upper) };
        if !candidate.first && candidate.bound > reach {
            found.interval.lower_to(candidate.bound);
            return;
        }
        let placed = pose.shape_pair(candidate.shapes);
        ask_pair(&placed, &candidate, asked, reach, start, work, &mut found);
    });
    found
}

/// Asks two shapes where they are, joins the answer to what was found, and returns its normal (A's frame).
#[inline]
pub(crate) fn ask_pair(
    placed: &ShapePair,
    candidate: &ShapeCandidate,
    asked: &Resolved,
    cutoff: f64,
    start: Start,
    work: &mut Work,
    found: &mut Measured,
) -> Vec3 {
    let mut cold = Warm::default();
    let Work { starts, scratch, .. } = work;
    let warm = starts.of(start, candidate.shapes, candidate.number).unwrap_or(&mut cold);
    let Resolved { ask, geometry, margin, .. } = *asked;
    let query = Query { ask, cutoff, geometry, margin, slack: 0.0 };
    let (clearance, queries) = placed.ask(query, warm, scratch);
    work.queries += queries;
    work.steps += clearance.steps as usize;
    found.join(placed, &clearance);
    clearance.normal
}
