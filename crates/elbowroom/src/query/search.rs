//! Answers questions about a pose: the smallest clearance of all checked pairs, the smallest between two
//! groups, the clearance of every pair.
//!
//! **Distance.** One best-first search (henrich97 section 2). Bounds around bodies give every pair a lower
//! bound; one box may bound many pairs. The smallest bound is refined first: a box of a crowd into smaller
//! boxes, a pair of bodies into the proved distance of their shapes. A distance is an upper bound on the
//! answer, and pairs with lower bounds not below it need not be asked. The search ends when no smaller bound
//! is left. The answer is the interval `[smallest lower bound of any pair, smallest upper bound of any
//! pair]`. It counts the bounds of pairs that were never asked, so no pair is missing from the proof. Only
//! lower bounds prune.
//!
//! **Lower bound.** The same search, but a pair with a bound beyond the margin need not be asked. The search
//! ends when all pairs that are left have such bounds (henrich97: weak distance).
//!
//! **Test.** The same search with another end: a pair with a bound above the margin is clear, and the first
//! pair that is proved to overlap decides. A pair that is neither does not end the test, so the verdict does
//! not depend on the order.
//!
//! Nothing here fails, panics or allocates. The order of pairs depends on the joint values, and on which pair
//! was the nearest before (`query/warm_starts`).

mod best;
mod clouds;
mod crowd;
mod kept;
mod listed;
mod movable;
mod rough;
mod scope;
mod state;

use crate::bounds::ball_gap;
use crate::model::id::{BodyPair, GroupId, PairId};
use crate::model::movable_pairs::MovablePartner;
use crate::model::world::World;
use crate::pose::frames::Pose;
use crate::query::answer::{Answer, PairAnswer};
use crate::query::bodies::{Measured, QueryWork, ask_shapes};
use crate::query::cloud_work::CloudWork;
use crate::query::crowd_work::{Candidate, CrowdWork, WaitingLeaves};
use crate::query::resolved::Resolved;
use crate::query::warm_starts::WarmStartSlots;
use crate::query::workspace::Workspace;
use alloc::vec::Vec;
use best::{Best, Ends, PairMeasured, initial_counts};
use core::mem::swap;
use crowd::{any_pair, near_pair};
use elbowroom_pair::Ask;
use listed::Listed;
use scope::Scope;
use state::{PairSearch, with_work};

/// [`Checker::ask`](crate::Checker::ask).
pub(crate) fn find_smallest(space: &mut Workspace, asked: Resolved) -> Answer {
    let world = space.world();
    let counts = initial_counts(world, space.pose.checked_pair_count());
    search_scope(space, Best::new(asked, counts), Scope::All).of_all(world)
}

/// [`Checker::nearest_k`](crate::Checker::nearest_k).
pub(crate) fn nearest_k(
    space: &mut Workspace,
    k: usize,
    asked: Resolved,
    nearest: &mut Vec<PairAnswer>,
) -> Answer {
    let world = space.world();
    let asked = Resolved { ask: Ask::Distance, ..asked };
    nearest.clear();
    swap(&mut space.kept, nearest);
    let best = Best::with_nearest_count(k, asked, initial_counts(world, space.pose.checked_pair_count()));
    let answer = search_scope(space, best, Scope::All).of_all(world);
    swap(&mut space.kept, nearest);
    nearest.sort_unstable_by(kept::compare_answers);
    answer
}

/// Answers a test where only some pairs are open: listed ones, by their numbers in the order of the world's
/// proofs, and pairs of a crowd and a leaf. All others are proved to stay beyond the margin. The open pairs
/// are asked in this order, until one overlaps.
pub(crate) fn of_open(
    space: &mut Workspace,
    asked: Resolved,
    pairs: impl Iterator<Item = u32>,
    leaves: &[Candidate],
) -> Answer {
    let world = space.world();
    (space.work.queries, space.work.steps) = (0, 0);
    let best = Best::new(asked, initial_counts(world, space.pose.checked_pair_count()));
    let mut search = PairSearch { world, space, scope: Scope::All, best };
    let mut listed = Listed::from_pairs(&mut search, pairs);
    if !leaves.is_empty() {
        among_leaves(&mut search, &mut listed, leaves);
    }
    while listed.ask_next(f64::INFINITY, &mut search) {}
    listed.skip_rest(&mut search);
    search.finish()
}

/// Asks some leaves of crowds, and the listed pairs that come before them.
#[inline(never)]
fn among_leaves(search: &mut PairSearch, listed: &mut Listed, leaves: &[Candidate]) {
    // A world with leaves has crowds, and so there is a work space.
    let Some(mut work) = search.space.crowd.take() else { return };
    let waiting = &mut work.waiting;
    waiting.start_search();
    for Candidate { crowd, leaf, .. } in leaves {
        waiting.add([*crowd as usize, *leaf as usize], f64::NEG_INFINITY, search);
        let bound = waiting.next_bound().unwrap_or(f64::NEG_INFINITY);
        ask_up_to(bound, listed, waiting, search);
    }
    waiting.skip_rest(search);
    search.space.crowd = Some(work);
}

/// [`Checker::between`](crate::Checker::between).
pub(crate) fn collision_vector(
    space: &mut Workspace,
    [j, l]: [GroupId; 2],
    asked: Resolved,
) -> Option<Answer> {
    let world = space.world();
    let index = [j.min(l), j.max(l)];
    let pairs = world.checks.index_set.binary_search_by_key(&index, |(pair, _)| *pair);
    let pairs = pairs.map_or(0, |at| world.checks.index_set[at].1);
    let scope = Scope::Between(world.checks.groups.get(j.index())?, world.checks.groups.get(l.index())?);
    let pairs = movable::pairs_between(&space.pose, scope, pairs);
    Some(search_scope(space, Best::new(asked, initial_counts(world, pairs)), scope))
}

/// The best-first search over a scope.
fn search_scope<'w>(space: &mut Workspace<'w>, best: Best, scope: Scope<'w>) -> Answer {
    let world = space.world();
    // Without pairs nothing is proved.
    if best.counts.pairs == 0 {
        return Answer::nothing_proved(best.asked.geometry, best.counts);
    }
    (space.work.queries, space.work.steps) = (0, 0);
    let ask = best.asked.ask;
    let mut search = PairSearch { world, space: &mut *space, scope, best };
    let mut listed = Listed::new(&mut search);
    match search.space.crowd.take() {
        None => while listed.ask_next(f64::INFINITY, &mut search) {},
        Some(work) => among_crowds(&mut search, &mut listed, work),
    }
    listed.skip_rest(&mut search);
    movable::search_movable(&mut search);
    clouds::search_clouds(&mut search);
    let answer = search.finish();
    if let (Ask::Distance, Scope::All, Some(pair)) = (ask, scope, answer.upper_pair) {
        space.work.starts.set_nearest(world, pair, answer.interval.upper);
    }
    answer
}

/// Searches the crowds, and the listed pairs on the way.
fn among_crowds(search: &mut PairSearch, listed: &mut Listed, mut work: CrowdWork) {
    let world = search.world;
    work.start_search(&search.space.pose);
    let CrowdWork { queries, scratch, waiting, .. } = &mut work;
    let mut rest = f64::INFINITY;
    for (first, tree) in world.bounds.fixed.trees() {
        let horizon = search.best.search_horizon();
        let on_leaf = |crowd: usize, leaf: u32, bound: f64| {
            ask_up_to(bound, listed, waiting, search);
            waiting.add([crowd, (first + leaf) as usize], bound, search);
            // All leaves of this tree that are left have bounds no smaller than this one.
            if search.best.is_bound_enough(bound) { f64::NEG_INFINITY } else { search.best.search_horizon() }
        };
        let visits = tree.nearest_of_tree(&world.bounds.crowd_tree, queries, horizon, scratch, on_leaf);
        // `start` has made a query for each node, so there is an answer.
        let (nodes, left) = visits.map_or((0, f64::NEG_INFINITY), |v| (v.nodes, f64::from(v.left)));
        search.best.counts.nodes += nodes as usize;
        rest = rest.min(left);
    }
    ask_up_to(f64::INFINITY, listed, waiting, search);
    waiting.skip_rest(search);
    // If no pair of the crowds is in the scope, nothing was left out.
    if rest < f64::INFINITY
        && search.best.is_least(rest)
        && let Some(pair) = near_pair(search, queries).or_else(|| any_pair(search))
    {
        search.best.skip_pair(rest, pair);
    }
    search.space.crowd = Some(work);
}

/// Asks listed pairs and waiting leaves, in the order of their bounds, up to `bound` and as long as they may
/// change the answer.
fn ask_up_to(bound: f64, listed: &mut Listed, waiting: &mut WaitingLeaves, search: &mut PairSearch) {
    loop {
        let leaf = waiting.next_bound().unwrap_or(f64::INFINITY);
        if listed.ask_next(bound.min(leaf), search) {
            continue;
        }
        if waiting.next_bound().is_none() || leaf > bound || !search.best.must_ask(leaf) {
            return;
        }
        waiting.ask_next(search);
    }
}

/// The number of the cloud of a pair, and the other body.
pub(crate) fn find_cloud(world: &World, pair: PairId) -> Option<(usize, MovablePartner)> {
    let (first, partner) = world.checks.pairs.movable.movable_and_partner(pair)?;
    // Clouds are the last movable bodies, so of two movable bodies the second may be one.
    match (world.movables.cloud_number(first), partner) {
        (Some(cloud), partner) => Some((cloud, partner)),
        (None, MovablePartner::Movable(second)) => {
            Some((world.movables.cloud_number(second)?, MovablePartner::Movable(first)))
        }
        (None, MovablePartner::Moving(_) | MovablePartner::Still(_)) => None,
    }
}

/// What is measured of one pair, by itself.
pub(crate) fn measure_alone(
    space: &mut Workspace,
    pair: PairId,
    bodies: BodyPair,
    asked: &Resolved,
) -> Measured {
    let world = space.world();
    let Workspace { pose, work, clouds, .. } = space;
    (work.queries, work.steps) = (0, 0);
    measure_bodies(world, pose, (pair, bodies), asked, work, clouds)
}

/// What is measured of the bodies of a pair.
fn measure_bodies<'w>(
    world: &World,
    pose: &Pose<'w>,
    (pair, bodies): (PairId, BodyPair),
    asked: &Resolved,
    work: &mut QueryWork,
    clouds: &mut Option<CloudWork<'w>>,
) -> Measured {
    let prune_above = asked.prune_above();
    match (find_cloud(world, pair), clouds) {
        (Some(which), Some(clouds)) => clouds.measure_body(pose, which, asked, prune_above),
        _ => {
            let shapes = [bodies.a, bodies.b].map(|id| pose.shapes_of(id));
            ask_shapes(pose, shapes, asked, prune_above, WarmStartSlots::of_listed(world, pair), work)
        }
    }
}

/// [`Checker::all_pairs`](crate::Checker::all_pairs).
pub(crate) fn all_pairs(space: &mut Workspace, asked: Resolved, each: &mut dyn FnMut(&PairAnswer)) -> Answer {
    let world = space.world();
    let mut counts = initial_counts(world, space.pose.checked_pair_count());
    (space.work.queries, space.work.steps) = (0, 0);
    let prune_above = asked.prune_above();
    let mut bests: Option<Ends> = None;
    let Workspace { pose, work, clouds, .. } = &mut *space;
    let pose = &*pose;
    let mut one = |pair: PairId, bodies: BodyPair| {
        let bound = ball_gap(&pose.body_ball(bodies.a), &pose.body_ball(bodies.b));
        let measured = if bound > prune_above {
            counts.pruned += 1;
            Measured::from_lower_bound(bound, &asked)
        } else {
            let measured = measure_bodies(world, pose, (pair, bodies), &asked, work, clouds);
            counts.count_pair(measured.outcome(prune_above));
            measured
        };
        let measured = PairMeasured { pair, measured };
        each(&measured.pair_answer(&asked));
        let ends = bests.get_or_insert(Ends { by_lower: measured, by_upper: measured });
        if measured.interval().upper < ends.by_upper.interval().upper {
            ends.by_upper = measured;
        }
        if measured.interval().lower < ends.by_lower.interval().lower {
            ends.by_lower = measured;
        }
    };
    let all = &world.checks.pairs;
    for (number, bodies) in (0..).zip(all.iter()).take(all.without_movable()) {
        if pose.allowed_now.allowed_by(PairId(number)).is_none() {
            one(PairId(number), bodies);
        }
    }
    for pair in pose.movable_pairs_now() {
        if let Some(bodies) = all.movable.get(pair) {
            one(pair, bodies);
        }
    }
    let Some(ends) = bests else { return Answer::nothing_proved(asked.geometry, counts) };
    // A test names a pair that is proved to overlap, if there is one.
    let overlapping = asked.ask == Ask::Test && ends.by_upper.interval().upper < 0.0;
    let lower = ends.by_lower.interval().lower;
    let named = if overlapping { ends.by_upper } else { ends.select_pair(lower, &asked) };
    with_work(ends.answer_with_pair(named, &asked, counts), space).of_all(world)
}
