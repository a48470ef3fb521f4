//! The questions asked of a pose: the smallest clearance of all checked pairs, and the clearance of each.
//!
//! **Smallest clearance.** Every pair of bodies has a lower bound from the balls around them. The pair with the
//! smallest bound is asked first: its distance is an upper bound for the answer, and every pair whose lower bound is
//! not below it is done with. The others are asked in the order of their bounds, each answer lowering the upper bound,
//! until the next bound is not below it. A pair of bodies with several shapes is asked in the same way one level
//! down. The answer is the interval `[smallest lower bound of any pair, smallest upper bound of any pair]`, bounds of
//! pairs that were never asked included: nothing is left out of a proof. Only lower bounds prune.
//!
//! **Test.** Pairs whose bound exceeds the margin are clear. The others are asked in the order of their bounds until
//! one is proved to overlap, or cannot be proved either way, which means stop just the same.
//!
//! Nothing here fails, panics or allocates. The order in which things are asked depends on the values alone.

use crate::bounds::ball_gap;
use crate::id::{PairId, ShapeId};
use crate::kinematics::relative_error;
use crate::narrow::{self, Ask, Geometry, Query, Stop, Warm};
use crate::pose::Pose;
use crate::report::{Counts, PairReport, Report, Witness, within};
use crate::verdict::Verdict;
use crate::world::{COLD, World};

/// What is asked of a pose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Options {
    /// How much is asked.
    pub ask: Ask,
    /// Clearance below which a verdict is [`Verdict::Near`] (metres, >= 0).
    pub margin: f64,
    /// Pairs proved farther apart than this need no exact distance (metres); never less than the margin.
    pub cutoff: f64,
    /// What meshes stand for.
    pub geometry: Geometry,
}

impl Default for Options {
    /// The exact distance, no margin, no cutoff, hulls first.
    fn default() -> Options {
        Options { ask: Ask::Distance, margin: 0.0, cutoff: f64::INFINITY, geometry: Geometry::HullThenMesh }
    }
}

impl Options {
    /// The default with the margin of a world.
    pub fn of(world: &World) -> Options {
        Options { margin: world.margin, ..Options::default() }
    }

    /// Pairs whose lower bound is above this are done with.
    fn limit(&self) -> f64 {
        if self.ask == Ask::Test { self.margin } else { self.cutoff.max(self.margin) }
    }
}

/// The answer for one pair of bodies, before it has a verdict.
#[derive(Clone, Copy, Debug)]
struct Answer {
    pair: PairId,
    lower: f64,
    upper: f64,
    witness: Option<Witness>,
    stop: Option<Stop>,
}

/// The smallest signed distance of all checked pairs.
///
/// The pair in the report is the one with the smallest upper bound; under [`Ask::LowerBound`], and where the verdict
/// is [`Verdict::Unknown`], the one with the smallest lower bound; under [`Ask::Test`] the one that decided. The report
/// says of both ends of the interval which pair they are of. Ties go to the smaller [`PairId`]. Without any checked
/// pair the distance is infinite and the verdict clear, unless a robot has no shape at all: of that robot nothing is
/// known.
pub fn smallest(world: &World, pose: &mut Pose, options: &Options) -> Report {
    let mut counts = Counts { pairs: world.pairs.len(), allowed: world.allowed_count(), ..Counts::default() };
    if pose.fingerprint != world.fingerprint {
        counts.unknown = counts.pairs;
        return finish(None, None, f64::NEG_INFINITY, options, counts);
    }
    let Some((first_bound, first)) = bound_all(world, pose) else {
        return no_pairs(world, options, counts);
    };
    let limit = options.limit();
    if first_bound > limit {
        counts.pruned = counts.pairs;
        let nearest =
            Answer { pair: first, lower: first_bound, upper: f64::INFINITY, witness: None, stop: None };
        let ends = Ends { by_lower: nearest, by_upper: nearest };
        return finish(Some(nearest), Some(ends), first_bound, options, counts);
    }

    let testing = options.ask == Ask::Test;
    let decides = |answer: &Answer| {
        let verdict = Verdict::of(answer.lower, answer.upper, options.margin);
        testing && matches!(verdict, Verdict::Collision | Verdict::Unknown)
    };
    let answer = ask_pair(world, pose, first, options, limit, &mut counts);
    let (mut by_upper, mut by_lower) = (answer, answer);
    let mut decider = Some(answer).filter(decides);

    // Pairs that may still matter, in the order of their bounds; `rest` is the smallest bound of all others.
    let mut rest: Option<(f64, PairId)> = None;
    let leave = |rest: &mut Option<(f64, PairId)>, bound: f64, pair: u32| {
        if rest.is_none_or(|least| (bound, PairId(pair)) < least) {
            *rest = Some((bound, PairId(pair)));
        }
    };
    let mut open = core::mem::take(&mut pose.open);
    open.clear();
    let matters = |bound: f64, upper: f64| bound <= limit && (testing || bound < upper);
    for (i, &bound) in pose.bounds.iter().enumerate() {
        if i == first.index() {
            continue;
        }
        if matters(bound, by_upper.upper) {
            open.push((bound, i as u32));
        } else {
            leave(&mut rest, bound, i as u32);
        }
    }
    open.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));

    let mut asked = 0;
    for &(bound, pair) in &open {
        if decider.is_some() || !matters(bound, by_upper.upper) {
            leave(&mut rest, bound, pair);
            break;
        }
        asked += 1;
        let cutoff = if testing { limit } else { limit.min(by_upper.upper) };
        let answer = ask_pair(world, pose, PairId(pair), options, cutoff, &mut counts);
        decider = Some(answer).filter(decides);
        if (answer.upper, answer.pair) < (by_upper.upper, by_upper.pair) {
            by_upper = answer;
        }
        if (answer.lower, answer.pair) < (by_lower.lower, by_lower.pair) {
            by_lower = answer;
        }
    }
    let left = open.len() - asked;
    *(if decider.is_some() { &mut counts.skipped } else { &mut counts.pruned }) += left;
    counts.pruned += counts.pairs - 1 - open.len();
    pose.open = open;

    // A pair that was never asked may have the smallest bound of all.
    let asked = Ends { by_lower, by_upper };
    let unasked =
        rest.map(|(lower, pair)| Answer { pair, lower, upper: f64::INFINITY, witness: None, stop: None });
    let ends = Ends { by_lower: unasked.filter(|r| r.lower < by_lower.lower).unwrap_or(by_lower), by_upper };
    let reported = decider.unwrap_or_else(|| asked.named(ends.by_lower.lower, options));
    finish(Some(reported), Some(ends), ends.by_lower.lower, options, counts)
}

/// The answers that the two ends of the interval come from.
#[derive(Clone, Copy)]
struct Ends {
    by_lower: Answer,
    by_upper: Answer,
}

impl Ends {
    /// The pair to name.
    fn named(&self, lower: f64, options: &Options) -> Answer {
        let upper = self.by_upper.upper;
        let unknown = Verdict::of(lower, upper, options.margin) == Verdict::Unknown;
        let told = options.ask == Ask::Distance && !unknown && upper < f64::INFINITY;
        if told { self.by_upper } else { self.by_lower }
    }
}

/// The clearance of every checked pair, in the order of [`PairId`], and the report for all together. Pairs whose
/// bound exceeds the cutoff (under [`Ask::Test`] the margin) are reported with that bound.
pub fn all_pairs(
    world: &World,
    pose: &mut Pose,
    options: &Options,
    mut each: impl FnMut(&PairReport),
) -> Report {
    let mut counts = Counts { pairs: world.pairs.len(), allowed: world.allowed_count(), ..Counts::default() };
    if pose.fingerprint != world.fingerprint {
        counts.unknown = counts.pairs;
        return finish(None, None, f64::NEG_INFINITY, options, counts);
    }
    let limit = options.limit();
    let mut bests: Option<Ends> = None;
    for pair in (0..world.pairs.len() as u32).map(PairId) {
        let bodies = world.pairs[pair.index()];
        let bound = ball_gap(&pose.body_balls[bodies.a.index()], &pose.body_balls[bodies.b.index()]);
        let answer = if bound > limit {
            counts.pruned += 1;
            Answer { pair, lower: bound, upper: f64::INFINITY, witness: None, stop: None }
        } else {
            ask_pair(world, pose, pair, options, limit, &mut counts)
        };
        let Answer { lower, upper, witness, stop, .. } = answer;
        let verdict = Verdict::of(lower, upper, options.margin);
        each(&PairReport { pair, verdict, lower, upper, distance: within(lower, upper), witness, stop });
        let ends = bests.get_or_insert(Ends { by_lower: answer, by_upper: answer });
        if answer.upper < ends.by_upper.upper {
            ends.by_upper = answer;
        }
        if answer.lower < ends.by_lower.lower {
            ends.by_lower = answer;
        }
    }
    let Some(ends) = bests else { return no_pairs(world, options, counts) };
    let lower = ends.by_lower.lower;
    // A test stops at a pair that overlaps; where all are asked, it is one that is proved to.
    let overlapping = options.ask == Ask::Test && ends.by_upper.upper < 0.0;
    let reported = if overlapping { ends.by_upper } else { ends.named(lower, options) };
    finish(Some(reported), Some(ends), lower, options, counts)
}

fn no_pairs(world: &World, options: &Options, counts: Counts) -> Report {
    let blind = world.robots_without_shapes().next().is_some();
    let lower = if blind { f64::NEG_INFINITY } else { f64::INFINITY };
    finish(None, None, lower, options, counts)
}

fn finish(
    reported: Option<Answer>,
    ends: Option<Ends>,
    lower: f64,
    options: &Options,
    counts: Counts,
) -> Report {
    let upper = ends.map_or(f64::INFINITY, |ends| ends.by_upper.upper);
    Report {
        verdict: Verdict::of(lower, upper, options.margin),
        lower,
        upper,
        distance: within(lower, upper),
        pair: reported.map(|answer| answer.pair),
        lower_pair: ends.map(|ends| ends.by_lower.pair),
        upper_pair: ends.filter(|_| upper < f64::INFINITY).map(|ends| ends.by_upper.pair),
        witness: reported.and_then(|answer| answer.witness),
        stop: reported.and_then(|answer| answer.stop),
        counts,
    }
}

/// The bound of every pair, into `pose.bounds`, and the pair with the smallest.
fn bound_all(world: &World, pose: &mut Pose) -> Option<(f64, PairId)> {
    let mut best: Option<(f64, PairId)> = None;
    for (i, (pair, bound)) in world.pairs.iter().zip(&mut pose.bounds).enumerate() {
        *bound = ball_gap(&pose.body_balls[pair.a.index()], &pose.body_balls[pair.b.index()]);
        if best.is_none_or(|(smallest, _)| *bound < smallest) {
            best = Some((*bound, PairId(i as u32)));
        }
    }
    best
}

/// The clearance of a pair of bodies over all pairs of their shapes. Exact only as far as `cutoff`.
fn ask_pair(
    world: &World,
    pose: &mut Pose,
    pair: PairId,
    options: &Options,
    cutoff: f64,
    counts: &mut Counts,
) -> Answer {
    let bodies = world.pairs[pair.index()];
    let [a, b] = [bodies.a, bodies.b].map(|id| world.bodies[id.index()].shapes.clone());
    let mut answer = Answer { pair, lower: f64::INFINITY, upper: f64::INFINITY, witness: None, stop: None };
    let gap =
        |pose: &Pose, i: u32, j: u32| ball_gap(&pose.shape_balls[i as usize], &pose.shape_balls[j as usize]);

    // The pair of shapes with the smallest bound first; its distance spares most of the others theirs.
    let mut first = (a.start, b.start);
    if a.len() * b.len() > 1 {
        let mut smallest = f64::INFINITY;
        for (i, j) in a.clone().flat_map(|i| b.clone().map(move |j| (i, j))) {
            let bound = gap(pose, i, j);
            if bound < smallest {
                (smallest, first) = (bound, (i, j));
            }
        }
    }
    let others = a.clone().flat_map(|i| b.clone().map(move |j| (i, j))).filter(|pair| *pair != first);
    for (i, j) in core::iter::once(first).chain(others) {
        let reach = if options.ask == Ask::Test { cutoff } else { cutoff.min(answer.upper) };
        if (i, j) != first {
            let bound = gap(pose, i, j);
            if bound > reach {
                answer.lower = answer.lower.min(bound);
                continue;
            }
        }
        let memory = world.memory[pair.index()];
        let place = (i - a.start) as usize * b.len() + (j - b.start) as usize;
        let memory = (memory != COLD).then_some(memory as usize + place);
        ask_shapes(world, pose, [ShapeId(i), ShapeId(j)], memory, options, reach, &mut answer, counts);
    }
    // Told apart for the counts: what was proved, and what was asked without an answer.
    let told = answer.lower > 0.0 || answer.upper < 0.0 || answer.lower > cutoff;
    *(if told { &mut counts.proved } else { &mut counts.unknown }) += 1;
    answer
}

/// Asks one pair of shapes and joins what it answers to the answer of its bodies.
#[allow(clippy::too_many_arguments)]
fn ask_shapes(
    world: &World,
    pose: &mut Pose,
    [a, b]: [ShapeId; 2],
    memory: Option<usize>,
    options: &Options,
    reach: f64,
    answer: &mut Answer,
    counts: &mut Counts,
) {
    let (shape_a, shape_b) = (&world.shapes[a.index()], &world.shapes[b.index()]);
    let (a_in_cell, a_error) = pose.shape_in_cell(world, a);
    let (b_in_cell, b_error) = pose.shape_in_cell(world, b);
    let b_in_a = a_in_cell.relative(&b_in_cell);
    let slack = relative_error(&a_error, &b_error, shape_b.size, &b_in_a);

    let mut cold = Warm::default();
    let warm = memory.and_then(|i| pose.memory.get_mut(i)).unwrap_or(&mut cold);
    let scratch = &mut pose.scratch;
    let mut ask = |ask: Ask, cutoff: f64| {
        counts.shape_queries += 1;
        let Options { geometry, margin, .. } = *options;
        let query = Query { ask, cutoff, geometry, margin, slack };
        let found = narrow::clearance(&shape_a.shape, &shape_b.shape, &b_in_a, &query, warm, scratch);
        counts.steps += found.steps as usize;
        found
    };
    let mut found = ask(options.ask, reach);
    // A test that found neither a gap nor an overlap is too close to call for it: the full distance may tell.
    if options.ask == Ask::Test && !(found.lower > 0.0 || found.upper < 0.0) {
        found = ask(Ask::Distance, f64::INFINITY);
    }
    // A solver's NaN proves nothing.
    answer.lower = if found.lower.is_nan() { f64::NEG_INFINITY } else { answer.lower.min(found.lower) };
    if found.upper < answer.upper || answer.stop.is_none() {
        answer.upper = answer.upper.min(found.upper);
        answer.stop = Some(found.stop);
        answer.witness = found.upper.is_finite().then(|| Witness {
            a: a_in_cell.point(found.witness_a) + world.origin_in_world,
            b: a_in_cell.point(found.witness_b) + world.origin_in_world,
            normal: a_in_cell.direction(found.normal),
        });
    }
}
