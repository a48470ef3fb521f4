//! The questions asked of a pose: the smallest clearance of all checked pairs, of those between two groups,
//! and the clearance of each.
//!
//! **Smallest clearance.** One best-first search (henrich97 section 2). Every pair of bodies has a lower
//! bound, from what is around them or around many of them. What has the smallest bound is refined first:
//! boxes of a crowd into smaller ones, bodies into the proved distance of their shapes. A distance found is
//! an upper bound for the answer, and whatever has a lower bound that is not below it is done with. The
//! search ends when the smallest bound left is not below it. A pair of bodies with several shapes is asked in
//! the same way one level down. The answer is the interval `[smallest lower bound of any pair, smallest upper
//! bound of any pair]`, bounds of pairs that were never asked included: nothing is left out of a proof. Only
//! lower bounds prune.
//!
//! **Lower bound.** The same search, but bounds beyond the margin are good enough: it ends when all that is
//! left has such a bound, taken from boxes as small as there are, and asks shapes only where the bound is not
//! beyond the margin (henrich97: weak distance).
//!
//! **Test.** The same search with another end: what has a bound above the margin is clear, and the first pair
//! that is proved to overlap decides. One that cannot be proved either way does not end it, so that the
//! verdict does not depend on the order.
//!
//! Nothing here fails, panics or allocates. The order in which things are asked depends on the values alone.

mod ask;
mod best;
mod crowd;
mod listed;
mod scope;

use crate::bounds::ball_gap;
use crate::model::id::{GroupId, PairId};
use crate::model::world::World;
pub use crate::pair::clearance::{Ask, Geometry};
use crate::query::check_work::CheckWork;
use crate::query::crowd_work::{CrowdWork, Turns};
pub use crate::query::options::Options;
use crate::query::report::{Counts, PairReport, Report, told};
use crate::query::verdict::{Verdict, of_all};
use ask::{Memory, ask_pair};
use best::{Answer, Best, Ends, finish};
use crowd::{any_pair, near_pair};
use listed::Listed;
use scope::Scope;

/// The smallest signed distance of all checked pairs.
///
/// The pair in the report is the one with the smallest upper bound; under [`Ask::LowerBound`], and where the
/// verdict is [`Verdict::Unknown`], of those that were asked the one with the smallest lower bound; under
/// [`Ask::Test`] the one that decided. The report says of both ends of the interval which pair they are of.
/// Ties go to the smaller [`PairId`]. Without any checked pair nothing is proved: the interval has no ends
/// and the verdict is [`Verdict::Unknown`], as in [`Report::default`]. Where a robot has no shape at all, no
/// pose is clear or near ([`World::robots_without_shapes`]): the interval is that of the others.
pub fn smallest(world: &World, checker: &mut CheckWork, options: &Options) -> Report {
    let report = search(world, checker, options, Scope::All, world.pairs.len());
    Report { verdict: of_all(world, report.verdict), ..report }
}

/// The collision vector of two groups (henrich92 section 3): the smallest signed distance of the checked
/// pairs of a body of the one and a body of the other. `None` for a group of another world. The same group
/// twice asks for the pairs within it. Without checked pairs between them nothing is proved, as in
/// [`smallest`].
pub fn collision_vector(
    world: &World,
    checker: &mut CheckWork,
    [j, l]: [GroupId; 2],
    options: &Options,
) -> Option<Report> {
    let index = [j.min(l), j.max(l)];
    let pairs = world.index_set.binary_search_by_key(&index, |(pair, _)| *pair);
    let pairs = pairs.map_or(0, |at| world.index_set[at].1);
    let scope = Scope::Between(world.groups.get(j.index())?, world.groups.get(l.index())?);
    Some(search(world, checker, options, scope, pairs))
}

/// The best-first search over the pairs of a scope, of which there are `pairs`.
fn search(world: &World, checker: &mut CheckWork, options: &Options, scope: Scope, pairs: usize) -> Report {
    let counts = Counts { pairs, allowed: world.allowed_count(), ..Counts::default() };
    if checker.pose.fingerprint != world.fingerprint {
        let counts = Counts { unknown: pairs, ..counts };
        return finish(None, None, f64::NEG_INFINITY, options, counts);
    }
    // What was not looked at is not clear.
    if pairs == 0 {
        return finish(None, None, f64::NEG_INFINITY, options, counts);
    }
    let mut best = Best::new(options, counts);
    let mut listed = Listed::new(world, checker, scope, &mut best);
    let Some(mut work) = checker.crowd.take() else {
        while listed.ask_next(f64::INFINITY, world, checker, &mut best) {}
        listed.leave(world, checker, &mut best);
        return best.finish();
    };
    work.start(world, &checker.pose);
    let CrowdWork { queries, scratch, turns, .. } = &mut work;
    let reach = best.reach();
    let on_leaf = |crowd: usize, leaf: u32, bound: f64| {
        ask_up_to(bound, world, checker, &mut listed, turns, &mut best);
        turns.add(world, checker, [crowd, leaf as usize], bound, scope, &mut best);
        // Whatever is left is no nearer than this leaf.
        if best.is_enough(bound) { f64::NEG_INFINITY } else { best.reach() }
    };
    let visits = world.fixed.tree.nearest_of_tree(&world.crowd_tree, queries, reach, scratch, on_leaf);
    // There is a query for each node: `start` made them.
    let (nodes, rest) = visits.map_or((0, f64::NEG_INFINITY), |v| (v.nodes, f64::from(v.left)));
    best.counts.nodes += nodes as usize;
    ask_up_to(f64::INFINITY, world, checker, &mut listed, turns, &mut best);
    listed.leave(world, checker, &mut best);
    turns.leave(world, &mut best);
    // Without a pair in the scope nothing of it was left.
    if rest < f64::INFINITY
        && best.is_least(rest)
        && let Some(pair) = near_pair(world, queries, scope).or_else(|| any_pair(world, scope))
    {
        best.leave(rest, pair);
    }
    checker.crowd = Some(work);
    best.finish()
}

/// Asks listed pairs and leaves that wait, the nearest first, as long as their bounds are not above `bound`
/// and still matter.
fn ask_up_to(
    bound: f64,
    world: &World,
    checker: &mut CheckWork,
    listed: &mut Listed,
    turns: &mut Turns,
    best: &mut Best,
) {
    loop {
        let leaf = turns.bound().unwrap_or(f64::INFINITY);
        if listed.ask_next(bound.min(leaf), world, checker, best) {
            continue;
        }
        if turns.bound().is_none() || leaf > bound || !best.asks(leaf) {
            return;
        }
        turns.ask_next(world, checker, best);
    }
}

/// The clearance of every checked pair, in the order of [`PairId`], and the report for all together. Pairs
/// whose bound exceeds the cutoff (under [`Ask::Test`] the margin) are reported with that bound. Without any
/// checked pair nothing is proved, as in [`smallest`].
pub fn all_pairs(
    world: &World,
    checker: &mut CheckWork,
    options: &Options,
    mut each: impl FnMut(&PairReport),
) -> Report {
    every_pair(world, checker, options, &mut each)
}

/// [`all_pairs`], compiled with the engine and not with each caller.
fn every_pair(
    world: &World,
    checker: &mut CheckWork,
    options: &Options,
    each: &mut dyn FnMut(&PairReport),
) -> Report {
    let mut counts = Counts { pairs: world.pairs.len(), allowed: world.allowed_count(), ..Counts::default() };
    if checker.pose.fingerprint != world.fingerprint {
        counts.unknown = counts.pairs;
        return finish(None, None, f64::NEG_INFINITY, options, counts);
    }
    let limit = options.limit();
    let mut bests: Option<Ends> = None;
    for (number, bodies) in world.pairs.iter().enumerate() {
        let pair = PairId(number as u32);
        let bound =
            ball_gap(&checker.pose.body_ball(world, bodies.a), &checker.pose.body_ball(world, bodies.b));
        let answer = if bound > limit {
            counts.pruned += 1;
            Answer { pair, lower: bound, upper: f64::INFINITY, witness: None, stop: None }
        } else {
            let memory = Memory::of_listed(world, pair);
            Answer { pair, ..ask_pair(world, checker, bodies, memory, options, limit, &mut counts) }
        };
        let Answer { lower, upper, witness, stop, .. } = answer;
        let verdict = Verdict::of(lower, upper, options.margin);
        let distance = told(options.ask, lower, upper);
        each(&PairReport { pair, verdict, lower, upper, distance, witness, stop });
        let ends = bests.get_or_insert(Ends { by_lower: answer, by_upper: answer });
        if answer.upper < ends.by_upper.upper {
            ends.by_upper = answer;
        }
        if answer.lower < ends.by_lower.lower {
            ends.by_lower = answer;
        }
    }
    let Some(ends) = bests else { return finish(None, None, f64::NEG_INFINITY, options, counts) };
    let lower = ends.by_lower.lower;
    // A test stops at a pair that overlaps; where all are asked, it is one that is proved to.
    let overlapping = options.ask == Ask::Test && ends.by_upper.upper < 0.0;
    let reported = if overlapping { ends.by_upper } else { ends.named(lower, options) };
    let report = finish(Some(reported), Some(ends), lower, options, counts);
    Report { verdict: of_all(world, report.verdict), ..report }
}
