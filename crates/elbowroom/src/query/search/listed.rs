//! The search among listed pairs: all are bounded at once, then asked one by one in the order of their
//! bounds.

use super::scope::Scope;
use super::state::PairSearch;
use crate::bounds::lanes::capsule_gaps;
use crate::model::id::PairId;
use crate::query::bodies::{Measured, ask_shapes};
use crate::query::tolerance::KEPT_PAIRS;
use crate::query::warm_starts::{LastNearest, WarmStartSlots};
use crate::query::workspace::Workspace;
use elbowroom_pair::Interval;
use elbowroom_pair::Witness;
use elbowroom_pair::{Ask, Stop};

/// The state of the search among listed pairs.
pub(super) struct Listed {
    /// How many of the world's order are searched.
    count: usize,
    /// The pair with the smallest bound, and its index in the order, until it is asked. The others are sorted
    /// only afterwards: against its distance, few are left.
    first: Option<(f64, PairId, usize)>,
    /// The index of a pair that is asked before it: that of the last answers, if it may still be as near. In
    /// small steps it is the nearest again, and against its distance the others take less time.
    ahead: Option<usize>,
    /// The next of `space.open`.
    next: usize,
    /// Shapes are asked at once: better bounds than those of capsules were tried elsewhere.
    tried: bool,
}

impl Listed {
    /// Bounds the listed pairs of the scope, into `space.bounds`; all others get infinity. Tests leave out
    /// the pairs that are proved to stay beyond the margin at every configuration.
    pub fn new(search: &mut PairSearch) -> Listed {
        let PairSearch { world, space, scope, best } = search;
        space.open.clear();
        space.kept_bounds.leave_pose();
        let distance = best.asked.ask == Ask::Distance && best.keep == 0 && matches!(scope, Scope::All);
        let last = space.work.starts.last_nearest().filter(|_| distance);
        let keeps = last.is_some() && world.proofs.order.len() >= KEPT_PAIRS;
        let geometry = best.asked.geometry;
        if let Some(last) = last
            && keeps
            && space.kept_bounds.follow_pose(&space.pose, geometry)
        {
            return Listed::from_last_nearest(last, search);
        }
        let tested = best.asked.ask == Ask::Test && matches!(scope, Scope::All);
        let floor = world.proofs.floor.filter(|_| tested && space.pose.within);
        let floor = floor.filter(|(floor, _)| *floor > best.asked.margin);
        let count = if floor.is_some() { world.proofs.near } else { world.proofs.order.len() };
        if let Some((floor, pair)) = floor {
            best.skip_pair(floor, pair);
        }
        capsule_gaps(&space.pose.records, &world.proofs.capsules[..count], &mut space.bounds);
        if keeps {
            space.kept_bounds.begin(&space.pose, geometry, &space.bounds);
        }
        if !matches!(scope, Scope::All) {
            for (pair, bound) in world.proofs.order[..count].iter().zip(&mut space.bounds) {
                if !scope.includes_pair(world.checks.pairs.listed[pair.index()]) {
                    *bound = f64::INFINITY;
                }
            }
        }
        for pair in
            space.pose.allowed_now.allowed_pairs().take_while(|pair| pair.index() < world.proofs.order.len())
        {
            if let Some(at) = world.proofs.order[..count].iter().position(|other| *other == pair) {
                space.bounds[at] = f64::INFINITY;
            }
        }
        // A bound is never NaN, and infinite only for what is not asked about.
        let order = &world.proofs.order;
        let (mut smallest, mut at) = (f64::INFINITY, 0);
        for (i, &bound) in space.bounds[..count].iter().enumerate() {
            if bound < smallest || bound == smallest && order[i] < order[at] {
                (smallest, at) = (bound, i);
            }
        }
        let first = (smallest < f64::INFINITY).then(|| (smallest, order[at], at));
        let as_near = |last: &LastNearest| {
            let bound = space.bounds[..count].get(last.at).copied().unwrap_or(f64::INFINITY);
            bound <= last.distance && best.must_ask(bound)
        };
        let ahead = last.filter(as_near).map(|last| last.at);
        Listed { count, first, ahead, next: 0, tried: false }
    }

    /// Begins the search after a small step: the pair that was the nearest is asked at once, and of the
    /// others only those are bounded whose kept bounds do not prove that they are farther.
    fn from_last_nearest(last: LastNearest, search: &mut PairSearch) -> Listed {
        let (proofs, at) = (&search.world.proofs, last.at);
        let listed = Listed { count: 0, first: None, ahead: None, next: 0, tried: false };
        let allowed =
            |at: usize, space: &Workspace| space.pose.allowed_now.allowed_by(proofs.order[at]).is_some();
        if !allowed(at, search.space) {
            let mut bound = [f64::NEG_INFINITY];
            capsule_gaps(&search.space.pose.records, &proofs.capsules[at..][..1], &mut bound);
            if search.best.must_ask(bound[0]) {
                decide_pair(proofs.order[at], at, bound[0], search);
            } else {
                search.best.skip_pair(bound[0], proofs.order[at]);
            }
        }
        let upper = search.best.upper_bound();
        let PairSearch { space, best, .. } = search;
        let Workspace { kept_bounds, pose, open, .. } = &mut **space;
        // A pair at no more than the limit may be the nearest.
        kept_bounds.each_near(
            pose,
            |k| if k == at { f64::NEG_INFINITY } else { upper },
            |k, bound| {
                let pair = proofs.order[k];
                if k == at || pose.allowed_now.allowed_by(pair).is_some() {
                    return;
                }
                if best.must_ask(bound) {
                    open.push((bound, k as u32));
                } else {
                    best.skip_pair(bound, pair);
                }
            },
        );
        listed.sort_open(search);
        listed
    }

    /// Some pairs, by their indices in the order, in which they are asked. Those that their capsules prove to
    /// be beyond the margin are left out.
    pub fn from_pairs(search: &mut PairSearch, pairs: impl Iterator<Item = u32>) -> Listed {
        let PairSearch { world, space, best, .. } = search;
        space.open.clear();
        space.kept_bounds.leave_pose();
        let asked = |at: &u32| space.pose.allowed_now.allowed_by(world.proofs.order[*at as usize]).is_none();
        for at in pairs.filter(asked) {
            let mut bound = [f64::NEG_INFINITY];
            capsule_gaps(&space.pose.records, &world.proofs.capsules[at as usize..][..1], &mut bound);
            if best.must_ask(bound[0]) {
                space.open.push((bound[0], at));
            } else {
                best.skip_pair(bound[0], world.proofs.order[at as usize]);
            }
        }
        Listed { count: 0, first: None, ahead: None, next: 0, tried: true }
    }

    /// The next pair: its bound, number, and index in the order.
    #[inline]
    fn next_pair(&self, space: &Workspace) -> Option<(f64, PairId, usize)> {
        let order = &space.world().proofs.order;
        let named = |&(bound, at): &(f64, u32)| (bound, order[at as usize], at as usize);
        self.first.or_else(|| space.open.get(self.next).map(named))
    }

    /// Asks the next pair, if its bound is not above `bound` and may change the answer. False if it does not.
    pub fn ask_next(&mut self, bound: f64, search: &mut PairSearch) -> bool {
        let head = self.next_pair(search.space);
        let head = head.filter(|(lower, ..)| *lower <= bound && search.best.must_ask(*lower));
        let Some((mut lower, mut pair, mut at)) = head else { return false };
        if let Some(ahead) = self.ahead.take() {
            (lower, pair, at) = (search.space.bounds[ahead], search.world.proofs.order[ahead], ahead);
        }
        if self.tried {
            ask_tried(pair, at, lower, search);
        } else {
            decide_pair(pair, at, lower, search);
        }
        if self.first.take().is_some() {
            self.sort(at, search);
        } else {
            self.next += 1;
        }
        true
    }

    /// Sorts the pairs that may still change the answer after the first pair was asked.
    fn sort(&mut self, asked: usize, search: &mut PairSearch) {
        let PairSearch { world, space, best, .. } = search;
        let Workspace { bounds, open, .. } = &mut **space;
        for (i, &bound) in bounds[..self.count].iter().enumerate().filter(|(i, _)| *i != asked) {
            // Outside the scope.
            if bound == f64::INFINITY {
                continue;
            }
            if best.must_ask(bound) {
                open.push((bound, i as u32));
            } else {
                best.skip_pair(bound, world.proofs.order[i]);
            }
        }
        self.sort_open(search);
    }

    fn sort_open(&self, search: &mut PairSearch) {
        let named = |at: u32| search.world.proofs.order[at as usize];
        search.space.open.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(named(a.1).cmp(&named(b.1))));
    }

    /// Pairs that were never asked still bound the answer.
    pub fn skip_rest(&self, search: &mut PairSearch) {
        if let Some((bound, pair, _)) = self.next_pair(search.space) {
            search.best.skip_pair(bound, pair);
        }
    }
}

/// Asks the pair at an index of the order: better bounds first, then its shapes.
fn decide_pair(pair: PairId, at: usize, lower: f64, search: &mut PairSearch) {
    if !bounds_decide(pair, at, lower, search) {
        let measured = measure_pair(pair, search);
        let lower = measured.interval.lower;
        search.space.kept_bounds.note_bound(at, search.world.proofs.capsules[at], lower);
        add_measured(pair, measured, search);
    }
}

/// Like [`decide_pair`], but lanes of f32 tried the bounds already: the shapes are asked first, and the
/// bounds are the fallback. Both orders give the same verdict: a pair that is proved to be clear, to be near
/// or to overlap is so by every proof.
fn ask_tried(pair: PairId, at: usize, lower: f64, search: &mut PairSearch) {
    let measured = measure_pair(pair, search);
    let (interval, margin) = (measured.interval, search.best.asked.margin);
    let near = interval.lower > 0.0 && interval.upper <= margin;
    let proved = interval.lower > margin.max(0.0) || near || interval.overlaps();
    if proved || !bounds_decide(pair, at, lower, search) {
        add_measured(pair, measured, search);
    }
}

/// Whether better bounds than that of its capsules leave a pair out, or in a test a point in both bodies
/// decides it.
#[inline]
fn bounds_decide(pair: PairId, at: usize, lower: f64, search: &mut PairSearch) -> bool {
    let PairSearch { world, space, best, .. } = search;
    let pose = &space.pose;
    let capsules = world.proofs.capsules[at];
    let mut better = pose.box_bound(capsules, lower);
    if best.bounds_help() && best.must_ask(better) {
        better = pose.plane_bound(capsules, better, best.bound_target());
    }
    if !best.must_ask(better) {
        space.kept_bounds.note_bound(at, capsules, better);
        best.skip_pair(better, pair);
        return true;
    }
    let testing = best.asked.ask == Ask::Test;
    let inside = if testing { pose.inside_overlap(capsules, best.asked.geometry) } else { None };
    let Some(overlap) = inside else { return false };
    best.counts.proved += 1;
    let interval = Interval::new(better.min(-overlap.depth), -overlap.depth, best.asked.geometry);
    let [a, b] = [overlap.a, overlap.b].map(|point| point + world.kinematics.origin_in_world);
    let witness = Some(Witness { a, b, normal: overlap.escape });
    best.add_measured(pair, Measured { interval, witness, stop: Some(Stop::Decided) });
    true
}

/// The clearance of a pair's shapes.
#[inline]
fn measure_pair(pair: PairId, search: &mut PairSearch) -> Measured {
    let PairSearch { world, space, best, .. } = search;
    let Workspace { pose, work, .. } = &mut **space;
    let bodies = world.checks.pairs.listed[pair.index()];
    let shapes = [bodies.a, bodies.b].map(|id| world.solids.bodies[id.index()].shapes.clone());
    ask_shapes(pose, shapes, &best.asked, best.cutoff(), WarmStartSlots::of_listed(world, pair), work)
}

/// Takes what was measured of a pair.
#[inline]
fn add_measured(pair: PairId, measured: Measured, search: &mut PairSearch) {
    let best = &mut search.best;
    let cutoff = best.cutoff();
    best.counts.count_pair(measured.outcome(cutoff));
    let bodies = search.world.checks.pairs.listed[pair.index()];
    let shapes = [bodies.a, bodies.b].map(|id| search.world.solids.bodies[id.index()].shapes.clone());
    search.add_measured(pair, measured, shapes, WarmStartSlots::of_listed(search.world, pair));
}
