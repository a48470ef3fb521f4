//! Where a body rests: what it touches there, of all that rests beside it.
//!
//! Bodies at rest are not checked against each other: nothing can happen between them. An event that moves
//! one is: what is attached must touch what carries it, and what is placed must be free, or supported. So a
//! copy of the checker carries the body on a link, and asks about what that link would be checked against.

use super::description::GuardDescription;
use super::parts::Parts;
use super::refusal::Refusal;
use crate::roles::{Role, ThingKind};
use elbowroom::world::BodyId;
use elbowroom::{Checker, PairAnswer, Question, World};

/// How deep bodies may overlap that only touch (m): what a tracker rounds.
const ROUNDED: f64 = 1e-6;

/// Whether a body is another, or hangs on it.
pub(super) fn hangs_on(at: BodyId, body: BodyId, checker: &Checker) -> bool {
    let count = checker.world().bodies().len();
    std::iter::successors(Some(at), |at| checker.carrier(*at)).take(count).any(|at| at == body)
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
        let link = links.into_iter().find(|link| world.can_move(*link) == Some(true))?;
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

    /// How far it is from another (m), at most, if that is within a distance; else infinite.
    fn distance_to(&mut self, other: BodyId, within: f64) -> f64 {
        let mut nearest = f64::INFINITY;
        each_pair(&mut self.checker, self.body, within, |_, at, answer| {
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
    let distance = beside.distance_to(other, near);
    if distance <= near { distance } else { beside.distance_to(other, f64::INFINITY) }
}

/// Each pair of a body, or of what it carries, and another body that is within a distance (m), of those that
/// are checked now.
fn each_pair(
    checker: &mut Checker,
    body: BodyId,
    within: f64,
    mut each: impl FnMut(BodyId, BodyId, &PairAnswer),
) {
    let (world, mut found) = (checker.world(), Vec::new());
    checker.nearest_k(usize::MAX, &Question::distance().cutoff(within), &mut found);
    for answer in &found {
        let Some(pair) = world.pairs().get(answer.pair) else { continue };
        match [pair.a, pair.b].map(|at| hangs_on(at, body, checker)) {
            [true, false] => each(pair.a, pair.b, answer),
            [false, true] => each(pair.b, pair.a, answer),
            _ => {}
        }
    }
}

/// Refuses a place where a body, or what it carries, would lie deeper in another than it may.
struct Places<'w> {
    world: &'w World,
    refusal: Option<Refusal>,
}

impl Places<'_> {
    fn take_pair_answer(&mut self, other: BodyId, answer: &PairAnswer, most: f64) {
        let depth = -answer.interval.lower;
        if self.refusal.is_none() && !(depth <= most.max(ROUNDED)) {
            let by = self.world.bodies().get(other.index()).map_or("", |body| &body.name).to_string();
            self.refusal = Some(Refusal::Occupied { by, depth, most });
        }
    }

    fn finish(self) -> Result<(), Refusal> {
        self.refusal.map_or(Ok(()), Err)
    }
}

/// Refuses a body in a link, or in what one holds, deeper than a hand reaches. It holds for arms that rest:
/// others may have moved since their last state.
pub(super) fn check_clear_of_arms(
    checker: &mut Checker,
    body: BodyId,
    d: &GuardDescription,
    parts: &Parts,
) -> Result<(), Refusal> {
    let mut places = Places { world: checker.world(), refusal: None };
    each_pair(checker, body, 0.0, |_, other, answer| {
        if parts.part_of_body(other).kind != ThingKind::Object {
            places.take_pair_answer(other, answer, d.grasp_range);
        }
    });
    places.finish()
}

/// Refuses a body that rests in another one, and does not stand on it as on a support. Arms, what they hold,
/// people, zones and clouds do not count: they are judged in each step.
///
/// # Errors
/// The body, or what it carries, overlaps another, or that could not be measured.
pub(super) fn check_free_at_rest(
    checker: &Checker,
    body: BodyId,
    d: &GuardDescription,
    parts: &Parts,
) -> Result<(), Refusal> {
    let Some(mut beside) = Beside::new(checker, body) else {
        return Err(Refusal::Unfit("it could not be measured whether it is free there"));
    };
    let world = checker.world();
    let mut places = Places { world, refusal: None };
    each_pair(&mut beside.checker, body, 0.0, |own, other, answer| {
        let part = parts.part_of_body(other);
        let is_left_out = part.kind != ThingKind::Object
            || parts.is_person(other)
            || parts.is_zone(other)
            || world.cloud_room(other).is_some()
            || parts.object_of(other) == parts.object_of(own);
        // A support gives a little, and is known as well as a hand reaches.
        let most = if part.role == Role::Supporting { d.grasp_range } else { 0.0 };
        if !is_left_out {
            places.take_pair_answer(other, answer, most);
        }
    });
    places.finish()
}
