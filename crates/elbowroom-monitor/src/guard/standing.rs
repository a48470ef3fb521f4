//! Where a body rests: what it touches there, of all that rests beside it.
//!
//! Bodies at rest are not checked against each other: nothing can happen between them. An event that moves
//! one is: what is attached must touch what carries it, and what is placed must be free, or supported. So a
//! copy of the checker carries the body on a link, and asks about what that link would be checked against.

use super::description::GuardDescription;
use super::parts::Parts;
use crate::roles::{Kind, Role};
use elbowroom::world::BodyId;
use elbowroom::{Checker, PairAnswer, Question};

/// How deep bodies may overlap that only touch (m): what a tracker rounds.
const ROUNDED: f64 = 1e-6;

/// What a body overlaps, how deep at most, and how deep it may (m).
#[derive(Clone, Copy, Debug)]
pub(super) struct Overlap {
    pub other: BodyId,
    pub depth: f64,
    pub most: f64,
}

/// The distances of a body, and of what it carries, to all others that rest.
struct Beside<'w> {
    checker: Checker<'w>,
    body: BodyId,
}

impl<'w> Beside<'w> {
    /// `None` if no link can carry it.
    fn new(checker: &Checker<'w>, body: BodyId) -> Option<Beside<'w>> {
        let world = checker.world();
        let mut copy = checker.clone();
        let links = world.robots().iter().flat_map(|robot| robot.links.clone()).map(BodyId);
        let link = links.into_iter().find(|link| world.moves(*link) == Some(true))?;
        // What hangs on something that rests hangs on the link with it.
        let mut top = body;
        while let Some(carrier) = copy.carrier(top) {
            world.is_movable(carrier).filter(|movable| *movable)?;
            top = carrier;
        }
        if top != body {
            copy.detach(body).ok()?;
        }
        copy.attach(body, link, &[]).ok()?;
        Some(Beside { checker: copy, body })
    }

    /// Whether the body carries another, or is it.
    fn carries(&self, other: BodyId) -> bool {
        let count = self.checker.world().bodies().len();
        let chain = std::iter::successors(Some(other), |at| self.checker.carrier(*at));
        chain.take(count).any(|at| at == self.body)
    }

    /// Each pair of the body, or of what it carries, and another body that is within a distance (m).
    fn each(&mut self, within: f64, mut each: impl FnMut(BodyId, BodyId, &PairAnswer)) {
        let (world, mut found) = (self.checker.world(), Vec::new());
        self.checker.nearest_k(usize::MAX, &Question::distance().cutoff(within), &mut found);
        for answer in &found {
            let Some(pair) = world.pairs().get(answer.pair) else { continue };
            match [self.carries(pair.a), self.carries(pair.b)] {
                [true, false] => each(pair.a, pair.b, answer),
                [false, true] => each(pair.b, pair.a, answer),
                _ => {}
            }
        }
    }

    /// How far it is from another (m), at most, if that is within a distance; else infinite.
    fn distance(&mut self, other: BodyId, within: f64) -> f64 {
        let mut nearest = f64::INFINITY;
        self.each(within, |_, at, answer| {
            if at == other {
                nearest = nearest.min(answer.interval.upper);
            }
        });
        nearest
    }
}

/// How far a body that rests is from another that rests (m), at most; infinite if that is not known. What is
/// near is found at once, and what is far takes longer.
pub(super) fn distance_at_rest(checker: &Checker, body: BodyId, other: BodyId, near: f64) -> f64 {
    let Some(mut beside) = Beside::new(checker, body) else { return f64::INFINITY };
    let distance = beside.distance(other, near);
    if distance <= near { distance } else { beside.distance(other, f64::INFINITY) }
}

/// The first link, or what one holds, that a placed body, or what it carries, would overlap by more than the
/// grasp range. It holds for arms that rest: others may have moved since their last state.
pub(super) fn overlapped_arm(
    checker: &mut Checker,
    body: BodyId,
    d: &GuardDescription,
    parts: &Parts,
) -> Option<Overlap> {
    let (world, mut found) = (checker.world(), Vec::new());
    checker.nearest_k(usize::MAX, &Question::distance().cutoff(0.0), &mut found);
    let count = world.bodies().len();
    let carries = |other: BodyId| {
        std::iter::successors(Some(other), |at| checker.carrier(*at)).take(count).any(|at| at == body)
    };
    found.iter().find_map(|answer| {
        let pair = world.pairs().get(answer.pair)?;
        let other = match [carries(pair.a), carries(pair.b)] {
            [true, false] => pair.b,
            [false, true] => pair.a,
            _ => return None,
        };
        let (depth, most) = (-answer.interval.lower, d.grasp_range);
        let is_deep = parts.part(other).kind != Kind::Object && !(depth <= most);
        is_deep.then_some(Overlap { other, depth, most })
    })
}

/// The first body that overlaps one that rests, or what it carries, though it is not the support that it
/// stands on. Arms, what they hold, people, zones and clouds do not count: they are judged in each step.
pub(super) fn overlapped(
    checker: &Checker,
    body: BodyId,
    d: &GuardDescription,
    parts: &Parts,
) -> Option<Overlap> {
    let mut beside = Beside::new(checker, body)?;
    let world = checker.world();
    let mut found = None;
    beside.each(0.0, |own, other, answer| {
        let part = parts.part(other);
        let is_left_out = part.kind != Kind::Object
            || parts.is_person(other)
            || parts.is_zone(other)
            || world.cloud_room(other).is_some()
            || parts.object_of(other) == parts.object_of(own);
        // A support gives a little, and is known as well as a hand reaches.
        let most = if part.role == Role::Supporting { d.grasp_range } else { 0.0 };
        let depth = -answer.interval.lower;
        if !is_left_out && !(depth <= most.max(ROUNDED)) {
            found = found.or(Some(Overlap { other, depth, most }));
        }
    });
    found
}
