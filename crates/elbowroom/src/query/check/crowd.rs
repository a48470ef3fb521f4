//! The search among what never moves: the leaves of the tree over fixed shapes, handed out to the moving
//! bodies in the order of their bounds.

use super::scope::Scope;
use super::search::Search;
use crate::bounds::hierarchy::{Child, WideQuery};
use crate::model::id::{BodyPair, PairId, ShapeId, ordered};
use crate::model::world::World;
use crate::query::bodies::ask_shapes;
use crate::query::crowd_work::{Turn, Turns};
use crate::query::tolerance::LEAVES_WAITING;
use crate::query::warm_starts::Start;
use crate::query::workspace::Workspace;

fn bodies(world: &World, crowd: usize, place: u32) -> BodyPair {
    let (a, b) = ordered(world.checks.pairs.crowds[crowd].body, world.checks.pairs.fixed[place as usize]);
    BodyPair { a, b }
}

impl Turns {
    /// A leaf was handed out: it waits if it is checked and may change the answer.
    pub(super) fn add(&mut self, [number, leaf]: [usize; 2], lower: f64, search: &mut Search) {
        let Search { world, space, scope, best } = search;
        let crowd = &world.checks.pairs.crowds[number];
        let place = world.bounds.fixed.places[leaf];
        if !is_asked(world, number, place, *scope) {
            return;
        }
        // What is found of the first of twins is true of the others, and of equals the first is named.
        let first = world.bounds.fixed.twins.get(leaf).map_or(leaf, |first| *first as usize);
        if first != leaf && is_asked(world, number, world.bounds.fixed.places[first], *scope) {
            return;
        }
        let record = &space.pose.records[world.bounds.crowds[number].index()];
        let ball = &world.bounds.fixed.balls[leaf];
        let bound = record.ball_gap(ball).max(lower);
        if !best.must_ask(bound) {
            best.leave(bound, crowd.pair(place));
            return;
        }
        if self.waiting.len() == LEAVES_WAITING {
            // The list is full: the nearest goes at once, whatever its turn.
            self.ask_next(search);
        }
        let at = self.waiting.partition_point(|t| t.bound > bound);
        self.waiting.insert(at, Turn { bound, crowd: number as u32, leaf: leaf as u32 });
    }

    /// Asks for the proved distance of the leaf whose turn it is.
    pub(super) fn ask_next(&mut self, search: &mut Search) {
        let Search { world, space, best, .. } = search;
        let Workspace { pose, work, .. } = &mut **space;
        let Some(Turn { bound, crowd: number, leaf }) = self.waiting.pop() else { return };
        let crowd = &world.checks.pairs.crowds[number as usize];
        let place = world.bounds.fixed.places[leaf as usize];
        if !best.must_ask(bound) {
            best.leave(bound, crowd.pair(place));
            return;
        }
        let fixed = world.bounds.fixed.shapes[leaf as usize];
        // A plane is found sooner than a distance; without a distance to hold it against it tells only tests.
        if best.bounds_help() {
            let capsule = world.bounds.crowds[number as usize];
            let better = pose.plane_bound_to(capsule, ShapeId(fixed), bound, best.bound_target());
            if !best.must_ask(better) {
                best.leave(better, crowd.pair(place));
                return;
            }
        }
        let pair = bodies(world, number as usize, place);
        let mover = world.solids.bodies[crowd.body.index()].shapes.clone();
        let shapes = if pair.a == crowd.body { [mover, fixed..fixed + 1] } else { [fixed..fixed + 1, mover] };
        let (start, cutoff) = (Start::of_crowd(world, number as usize), best.cutoff());
        let found = ask_shapes(pose, shapes, &best.asked, cutoff, start, work);
        let at = number as usize * world.checks.pairs.fixed.len() + place as usize;
        self.asked.count(at, found.told(cutoff), &mut best.counts);
        best.take(crowd.pair(place), found);
    }

    /// What still waits bounds the answer.
    pub(super) fn leave(&self, search: &mut Search) {
        if let Some(t) = self.waiting.last() {
            let (world, best) = (search.world, &mut search.best);
            let crowd = &world.checks.pairs.crowds[t.crowd as usize];
            best.leave(t.bound, crowd.pair(world.bounds.fixed.places[t.leaf as usize]));
        }
    }
}

/// Whether a crowd is checked against the fixed body at a place, and the question is about that.
#[inline]
fn is_asked(world: &World, crowd: usize, place: u32, scope: Scope) -> bool {
    world.checks.pairs.crowds[crowd].checks(place) && scope.includes(bodies(world, crowd, place))
}

/// The first pair of the crowds that the question is about; `None` if it is about none.
#[cold]
pub(super) fn any_pair(world: &World, scope: Scope) -> Option<PairId> {
    let places = 0..world.checks.pairs.fixed.len() as u32;
    let mut pairs = (0..world.checks.pairs.crowds.len()).flat_map(|c| places.clone().map(move |p| (c, p)));
    let (crowd, place) = pairs.find(|&(crowd, place)| is_asked(world, crowd, place, scope))?;
    Some(world.checks.pairs.crowds[crowd].pair(place))
}

/// A pair of the crowds that is near by its bounds: what to name where nothing was asked.
pub(super) fn near_pair(world: &World, queries: &[WideQuery], scope: Scope) -> Option<PairId> {
    let tree = &world.bounds.fixed.tree;
    let mut nearest: Option<(f32, PairId)> = None;
    for (number, (crowd, query)) in world.checks.pairs.crowds.iter().zip(queries).enumerate() {
        let mut node = tree.root();
        while let Some(at) = node.take() {
            let gaps = tree.children_gaps(at, query);
            let wanted = |lane: &usize| match gaps.child(*lane) {
                Child::Node(_) => true,
                Child::Leaf(leaf) => is_asked(world, number, world.bounds.fixed.places[leaf as usize], scope),
            };
            let best =
                (0..gaps.count).filter(wanted).min_by(|i, j| gaps.lower[*i].total_cmp(&gaps.lower[*j]));
            match best.map(|lane| (gaps.lower[lane], gaps.child(lane))) {
                Some((_, Child::Node(below))) => node = Some(below),
                Some((lower, Child::Leaf(leaf))) if nearest.is_none_or(|(least, _)| lower < least) => {
                    nearest = Some((lower, crowd.pair(world.bounds.fixed.places[leaf as usize])));
                }
                Some((_, Child::Leaf(_))) | None => {}
            }
        }
    }
    nearest.map(|(_, pair)| pair)
}
