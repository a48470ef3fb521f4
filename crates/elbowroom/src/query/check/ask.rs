//! The clearance of one pair of bodies: over all pairs of their shapes.

use super::best::Answer;
use crate::bounds::ball_gap;
use crate::model::id::{BodyPair, PairId, ShapeId};
use crate::model::world::{COLD, World};
use crate::pair::clearance::{Ask, Query};
use crate::pair::scratch::Warm;
use crate::query::check_work::CheckWork;
use crate::query::options::Options;
use crate::query::report::Counts;
use core::ops::Range;

/// Where in `CheckWork::memory` a pair remembers its shape queries.
#[derive(Clone, Copy)]
pub(super) enum Memory {
    /// Nowhere.
    None,
    /// From here, a place for each pair of shapes.
    From(usize),
    /// In the few places from here, that many pairs share.
    Slots(usize),
}

impl Memory {
    pub fn of_listed(world: &World, pair: PairId) -> Memory {
        match world.memory.get(pair.index()) {
            Some(&first) if first != COLD => Memory::From(first as usize),
            _ => Memory::None,
        }
    }
}

/// The clearance of a pair of bodies over all pairs of their shapes. Exact only as far as `cutoff`.
pub(super) fn ask_pair(
    world: &World,
    checker: &mut CheckWork,
    bodies: BodyPair,
    memory: Memory,
    options: &Options,
    cutoff: f64,
    counts: &mut Counts,
) -> Answer {
    let shapes = [bodies.a, bodies.b].map(|id| world.bodies[id.index()].shapes.clone());
    let (answer, told) = ask_ranges(world, checker, shapes, memory, options, cutoff, counts);
    *(if told { &mut counts.proved } else { &mut counts.unknown }) += 1;
    answer
}

/// The clearance of some shapes of a body and some of another, and whether it was told: proved, not only
/// asked.
pub(super) fn ask_ranges(
    world: &World,
    checker: &mut CheckWork,
    [a, b]: [Range<u32>; 2],
    memory: Memory,
    options: &Options,
    cutoff: f64,
    counts: &mut Counts,
) -> (Answer, bool) {
    // Who asks knows the number.
    let pair = PairId(u32::MAX);
    let mut answer = Answer { pair, lower: f64::INFINITY, upper: f64::INFINITY, witness: None, stop: None };
    let gap = |checker: &CheckWork, i: u32, j: u32| {
        ball_gap(&checker.pose.shape_ball(world, i), &checker.pose.shape_ball(world, j))
    };

    // The pair of shapes with the smallest bound first; its distance spares most of the others theirs.
    let mut first = (a.start, b.start);
    if a.len() * b.len() > 1 {
        let mut smallest = f64::INFINITY;
        for (i, j) in a.clone().flat_map(|i| b.clone().map(move |j| (i, j))) {
            let bound = gap(checker, i, j);
            if bound < smallest {
                (smallest, first) = (bound, (i, j));
            }
        }
    }
    let others = a.clone().flat_map(|i| b.clone().map(move |j| (i, j))).filter(|pair| *pair != first);
    for (i, j) in core::iter::once(first).chain(others) {
        let reach = if options.ask == Ask::Test { cutoff } else { cutoff.min(answer.upper) };
        if (i, j) != first {
            let bound = gap(checker, i, j);
            if bound > reach {
                answer.lower = answer.lower.min(bound);
                continue;
            }
        }
        let memory = match memory {
            Memory::None => None,
            Memory::From(first) => Some(first + (i - a.start) as usize * b.len() + (j - b.start) as usize),
            Memory::Slots(first) => Some(checker.slot(first, [i, j])),
        };
        ask_shapes(world, checker, [ShapeId(i), ShapeId(j)], memory, options, reach, &mut answer, counts);
    }
    let told = answer.lower > 0.0 || answer.upper < 0.0 || answer.lower > cutoff;
    (answer, told)
}

/// Asks one pair of shapes and joins what it answers to the answer of its bodies.
#[allow(clippy::too_many_arguments)]
fn ask_shapes(
    world: &World,
    checker: &mut CheckWork,
    shapes: [ShapeId; 2],
    memory: Option<usize>,
    options: &Options,
    reach: f64,
    answer: &mut Answer,
    counts: &mut Counts,
) {
    let placed = checker.pose.shape_pair(world, shapes);
    let mut cold = Warm::default();
    let warm = memory.and_then(|i| checker.memory.get_mut(i)).unwrap_or(&mut cold);
    let Options { ask, geometry, margin, .. } = *options;
    let query = Query { ask, cutoff: reach, geometry, margin, slack: 0.0 };
    let (found, queries) = placed.ask(query, warm, &mut checker.scratch);
    counts.shape_queries += queries;
    counts.steps += found.steps as usize;
    answer.lower = answer.lower.min(found.lower);
    if found.upper < answer.upper || answer.stop.is_none() {
        answer.upper = answer.upper.min(found.upper);
        answer.stop = Some(found.stop);
        answer.witness = found.upper.is_finite().then(|| placed.witness(&found));
    }
}
