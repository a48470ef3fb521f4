//! The search among movable bodies, in three parts: bodies that joints move against all movable ones; movable
//! bodies that a link carries against all fixed shapes; and these against all other movable ones. Each part
//! searches one tree with the boxes of all its bodies together. Leaves come in the order of their bounds. The
//! capsules and boxes of the two bodies give a better bound, and the pair waits until it has the least of
//! all.
//!
//! Which pairs are checked depends on where the bodies are ([`crate::pose::placements`]).

use super::scope::Scope;
use super::state::PairSearch;
use crate::bounds::AlignedBox;
use crate::bounds::hierarchy::{Visits, WideQuery, WideTree};
use crate::bounds::lanes::{CapsuleId, capsule_gaps};
use crate::model::id::{PairId, ShapeId, order_pair};
use crate::model::movable_pairs::MovablePartner;
use crate::pose::frames::Pose;
use crate::query::bodies::ask_shapes;
use crate::query::movable_work::{Counted, MovableWork, WaitingPair};
use crate::query::warm_starts::WarmStartSlots;
use crate::query::workspace::Workspace;
use alloc::vec::Vec;

/// A movable body and what it meets.
#[derive(Clone, Copy)]
struct Meeting {
    movable: u32,
    partner: MovablePartner,
    /// The one shape of the partner that the leaf stands for; `None` where a leaf is a whole body.
    shape: Option<u32>,
    /// The tree's lower bound, in whose order leaves come, and a better one (metres).
    bound: f64,
    better: f64,
}

/// Searches all pairs of movable bodies that are checked now.
pub(super) fn search_movable(search: &mut PairSearch) {
    // Clouds have a search of their own.
    if search.world.movables.clouds.len() == search.world.movables.capsules.len() {
        return;
    }
    let Some(mut work) = search.space.movable.take() else { return };
    if let Some(boxes) = search.space.pose.take_boxes() {
        work.counted.asked.clear();
        work.waiting.clear();
        let mut rest = Rest { bound: f64::INFINITY, pair: None };
        let tree = boxes.tree();
        search_moving(search, tree, &mut work, &mut rest);
        work.fill_held(&search.space.pose);
        if !work.held.is_empty() {
            held_among_still(search, &mut work, &mut rest);
            held_among_movable(search, tree, &mut work, &mut rest);
        }
        ask_up_to(f64::INFINITY, search, &mut work.waiting, &mut work.counted);
        if rest.bound < f64::INFINITY
            && search.best.is_least(rest.bound)
            && let Some(pair) = rest.pair.or_else(|| any_pair(search))
        {
            search.best.skip_pair(rest.bound, pair);
        }
        search.space.pose.give_boxes(boxes);
    }
    search.space.movable = Some(work);
}

/// The pairs that were left out: the least of their bounds, and one of the pairs that came up.
struct Rest {
    bound: f64,
    pair: Option<PairId>,
}

impl Rest {
    fn add_visits(&mut self, visits: Visits, search: &mut PairSearch) {
        search.best.counts.nodes += visits.nodes as usize;
        self.bound = self.bound.min(f64::from(visits.left));
    }
}

/// Searches the bodies that joints move against all movable ones.
fn search_moving(search: &mut PairSearch, tree: &WideTree, work: &mut MovableWork, rest: &mut Rest) {
    let world = search.world;
    let MovableWork { queries, among_movable, waiting, counted, .. } = work;
    let horizon = search.best.search_horizon();
    let bodies = &world.movables.moving_tree;
    search.space.pose.queries_around(&world.movables.moving, bodies, &tree.origin(), queries);
    let visits = tree.nearest_of_tree(bodies, queries, horizon, among_movable, |body, leaf, bound| {
        let meeting = Meeting {
            movable: leaf,
            partner: MovablePartner::Moving(body as u32),
            shape: None,
            bound,
            better: bound,
        };
        admit_pair(search, meeting, waiting, counted, rest)
    });
    // There is a query for each node, so there is an answer.
    match visits {
        Some(visits) => rest.add_visits(visits, search),
        None => rest.bound = f64::NEG_INFINITY,
    }
}

/// Searches the bodies that links carry against all fixed shapes.
fn held_among_still(search: &mut PairSearch, work: &mut MovableWork, rest: &mut Rest) {
    let world = search.world;
    let MovableWork { queries, held, among_still, waiting, counted, .. } = work;
    let fixed = &world.bounds.fixed;
    let capsules = held.iter().map(|movable| world.movables.capsules[*movable as usize]);
    fill_queries(&search.space.pose, capsules, queries, |b| fixed.prepare_query(b));
    for (first, tree) in fixed.trees() {
        let horizon = search.best.search_horizon();
        let visits = tree.visit_nearest(queries, horizon, among_still, |body, leaf, bound| {
            let leaf = &fixed.leaves[(first + leaf) as usize];
            let (partner, shape) = (MovablePartner::Still(leaf.fixed_index), Some(leaf.shape));
            let record = &search.space.pose.records[world.movables.capsules[held[body] as usize].index()];
            let better = bound.max(record.ball_gap(&leaf.ball));
            let meeting = Meeting { movable: held[body], partner, shape, bound, better };
            admit_pair(search, meeting, waiting, counted, rest)
        });
        rest.add_visits(visits, search);
    }
}

/// Searches the bodies that links carry against all other movable bodies.
fn held_among_movable(search: &mut PairSearch, tree: &WideTree, work: &mut MovableWork, rest: &mut Rest) {
    let world = search.world;
    let MovableWork { queries, held, among_movable, waiting, counted, .. } = work;
    let horizon = search.best.search_horizon();
    let capsules = held.iter().map(|movable| world.movables.capsules[*movable as usize]);
    fill_queries(&search.space.pose, capsules, queries, |b| tree.prepare_query(b));
    let visits = tree.visit_nearest(queries, horizon, among_movable, |body, leaf, bound| {
        let meeting = Meeting {
            movable: held[body],
            partner: MovablePartner::Movable(leaf),
            shape: None,
            bound,
            better: bound,
        };
        // Two bodies that are both held find each other twice. Only the first asks.
        if leaf < held[body] && held.contains(&leaf) {
            return search.best.search_horizon();
        }
        admit_pair(search, meeting, waiting, counted, rest)
    });
    rest.add_visits(visits, search);
}

/// Fills in queries with the boxes around the bodies of capsules.
fn fill_queries(
    pose: &Pose,
    capsules: impl Iterator<Item = CapsuleId>,
    queries: &mut Vec<WideQuery>,
    query: impl Fn(&AlignedBox) -> WideQuery,
) {
    queries.clear();
    queries.extend(capsules.map(|capsule| query(&pose.box_around(capsule))));
}

/// Takes a pair from a tree. It waits if it is checked now and may change the answer. Pairs with smaller
/// bounds than the tree's are asked first. Returns how far the search still goes.
fn admit_pair(
    search: &mut PairSearch,
    meeting: Meeting,
    waiting: &mut Vec<WaitingPair>,
    counted: &mut Counted,
    rest: &mut Rest,
) -> f64 {
    let Meeting { movable, partner, shape, bound, mut better } = meeting;
    ask_up_to(bound, search, waiting, counted);
    let PairSearch { world, space, scope, best } = search;
    let (pose, pairs) = (&space.pose, &world.checks.pairs.movable);
    let now = pose.checked_now(movable, partner);
    let in_scope =
        |pair: &PairId| pairs.get(*pair).is_some_and(|bodies| scope.includes_movable(pose, bodies));
    let Some(pair) = now.filter(in_scope) else {
        return best.search_horizon();
    };
    rest.pair = Some(pair);
    let other_capsule = match partner {
        MovablePartner::Moving(i) => Some(world.movables.moving[i as usize]),
        MovablePartner::Movable(i) => Some(world.movables.capsules[i as usize]),
        MovablePartner::Still(_) => None,
    };
    if let (Some(capsule), true) = (other_capsule, best.must_ask(better)) {
        let capsules = [world.movables.capsules[movable as usize], capsule];
        let mut gap = [0.0];
        capsule_gaps(&pose.records, &[capsules], &mut gap);
        better = better.max(gap[0]);
        if best.must_ask(better) {
            better = pose.box_bound(capsules, better);
        }
    }
    if !best.must_ask(better) {
        best.skip_pair(better, pair);
        return if best.is_bound_enough(bound) { f64::NEG_INFINITY } else { best.search_horizon() };
    }
    if waiting.len() == waiting.capacity() {
        // The list is full: the nearest pair is asked at once.
        ask_next(search, waiting, counted);
    }
    let at = waiting.partition_point(|other| other.bound > better);
    waiting.insert(at, WaitingPair { pair, movable, partner, shape, bound: better });
    if search.best.is_bound_enough(bound) { f64::NEG_INFINITY } else { search.best.search_horizon() }
}

/// Asks waiting pairs, in the order of their bounds, up to `bound`.
fn ask_up_to(bound: f64, search: &mut PairSearch, waiting: &mut Vec<WaitingPair>, counted: &mut Counted) {
    while waiting.last().is_some_and(|next| next.bound <= bound) {
        ask_next(search, waiting, counted);
    }
}

/// Measures the waiting pair that has the smallest bound.
fn ask_next(search: &mut PairSearch, waiting: &mut Vec<WaitingPair>, counted: &mut Counted) {
    let Some(WaitingPair { pair, movable, partner, shape, mut bound }) = waiting.pop() else { return };
    let PairSearch { world, space, best, .. } = search;
    let Workspace { pose, work, kept, .. } = &mut **space;
    let pairs = &world.checks.pairs.movable;
    let (mine, other) = (pairs.movable[movable as usize], pairs.partner_body(partner));
    // A bound by planes costs less than a distance.
    if let (MovablePartner::Moving(i), true, true) = (partner, best.must_ask(bound), best.bounds_help())
        && pose.shapes_of(mine).len() == 1
    {
        let capsule = world.movables.moving[i as usize];
        bound = pose.plane_bound_to(capsule, ShapeId(pose.shapes_of(mine).start), bound, best.bound_target());
    }
    if !best.must_ask(bound) {
        best.skip_pair(bound, pair);
        return;
    }
    // A kept pair needs the distance of all its shapes. It is asked once, with all of them.
    if best.keep > 0 && kept.iter().any(|other| other.pair == pair) {
        return;
    }
    let others =
        shape.filter(|_| best.keep == 0).map_or_else(|| pose.shapes_of(other), |shape| shape..shape + 1);
    let (first, _) = order_pair(mine, other);
    let own = pose.shapes_of(mine);
    let shapes = if first == mine { [own, others] } else { [others, own] };
    let slots = pairs.moving.len();
    let start = WarmStartSlots::of_movable(
        world,
        match partner {
            MovablePartner::Moving(i) => i as usize,
            MovablePartner::Still(_) | MovablePartner::Movable(_) => slots,
        },
    );
    let cutoff = best.cutoff();
    let measured = ask_shapes(pose, shapes.clone(), &best.asked, cutoff, start, work);
    counted.count_pair_once(pair, measured.outcome(cutoff), &mut best.counts);
    search.add_measured(pair, measured, shapes, start);
}

/// How many pairs of a scope are checked now. `unmoved` of its pairs have no movable body, the allowed ones
/// included.
pub(super) fn pairs_between(pose: &Pose, scope: Scope, unmoved: usize) -> usize {
    let all = &pose.world.checks.pairs;
    let in_scope = |pair: PairId| all.get(pair).is_some_and(|bodies| scope.includes_pair(bodies));
    let allowed = pose.allowed_now.allowed_pairs().take_while(|pair| pair.index() < all.without_movable());
    let includes = |pair: &PairId| all.get(*pair).is_some_and(|bodies| scope.includes_movable(pose, bodies));
    let movable = pose.movable_pairs_now().filter(includes).count();
    unmoved - allowed.filter(|pair| in_scope(*pair)).count() + movable
}

/// The first pair that is checked now and in the scope.
#[cold]
fn any_pair(search: &PairSearch) -> Option<PairId> {
    let (pose, pairs) = (&search.space.pose, &search.world.checks.pairs.movable);
    let includes = |pair: &PairId| pairs.get(*pair).is_some_and(|b| search.scope.includes_movable(pose, b));
    pose.movable_pairs_now().find(includes)
}

#[cfg(test)]
mod tests {
    use crate::tally::{Work, count_in};
    use crate::{Checker, Question, Verdict, World};
    use alloc::format;
    use alloc::vec;
    use elbowroom_describe::math::{Transform, vec3};
    use elbowroom_describe::{
        JointDescription, JointKind, LinkDescription, ObstacleDescription, PlacedRobot, PlacedShape,
        RobotDescription, ShapeDescription, WorldDescription,
    };

    /// A ball that turns, and so many movable ones far away.
    fn far_balls(count: usize) -> World {
        let ball = PlacedShape {
            name: "".into(),
            shape_in_body: Transform::from_translation(vec3(1.0, 0.0, 0.0)),
            shape: ShapeDescription::Sphere { radius: 0.1 },
            padding: 0.0,
        };
        let links = vec![
            LinkDescription { name: "base".into(), shapes: vec![] },
            LinkDescription { name: "arm".into(), shapes: vec![ball.clone()] },
        ];
        let turn = JointDescription {
            name: "turn".into(),
            kind: JointKind::Continuous,
            parent: "base".into(),
            child: "arm".into(),
            joint_in_parent: Transform::IDENTITY,
            axis: vec3(0.0, 0.0, 1.0),
            limits: None,
            mimic: None,
        };
        let robot =
            RobotDescription { name: "r".into(), links, joints: vec![turn], ..RobotDescription::default() };
        let obstacle = |k: usize| ObstacleDescription {
            name: format!("o{k}"),
            pose: Transform::from_translation(vec3(5.0 + 0.3 * (k % 64) as f64, 0.3 * (k / 64) as f64, 0.0)),
            shapes: vec![ball.clone()],
            attached_to: None,
            movable: true,
        };
        let robots = vec![PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot }];
        let obstacles = (0..count).map(obstacle).collect();
        World::compile(&WorldDescription { robots, obstacles, ..WorldDescription::default() }).unwrap()
    }

    #[test]
    fn a_clear_test_names_a_pair_without_a_walk_over_all_movable_bodies() {
        for count in [40, 4000] {
            let world = far_balls(count);
            let mut checker = Checker::new(&world);
            for angle in [0.0, 0.3] {
                checker.set(&[angle]).unwrap();
                let visited = count_in(Work::Movable, || {
                    let answer = checker.ask(&Question::test());
                    assert!(answer.verdict == Verdict::Clear && answer.pair.is_some(), "{answer:?}");
                });
                assert!(visited <= 4, "{count} bodies: {visited} pairs were looked at");
            }
        }
    }
}
