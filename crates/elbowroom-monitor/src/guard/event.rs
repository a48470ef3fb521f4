//! What changes in the cell, and whether it agrees with what the guard knew before.
//!
//! A hand takes only what it reaches, and lets go only of what stands; what nobody carries does not jump.
//! What is attached touches what carries it; what is placed is free there, or supported; an object stays
//! whole. An event that says otherwise is refused: either it is wrong, or the guard's picture of the cell is.

use super::description::GuardDescription;
use super::parts::Parts;
use super::refusal::Refusal;
use super::standing::{check_clear_of_arms, check_free_at_rest, distance_at_rest, hangs_on};
use crate::intent::{Contact, Intent};
use crate::roles::{Arm, Role, Rule, ThingKind, rule_contact};
use elbowroom::math::Transform;
use elbowroom::pose::{ChangeFault, SpareShape};
use elbowroom::world::{BodyId, BodyPair};
use elbowroom::{Checker, Question};

/// A change.
#[derive(Clone, Debug)]
pub enum Event {
    /// What an arm, or all of them, does from now on; `None` for nothing. It replaces the intent before.
    Intent {
        /// The arm, by its number in the description; `None` for an intent of all.
        arm: Option<Arm>,
        /// The task.
        intent: Option<Intent>,
        /// Until when (s); infinite for no end.
        until: f64,
    },
    /// A link takes a body, at the place where it is.
    Attach {
        /// The body.
        body: BodyId,
        /// What carries it: a link, or another movable body.
        carrier: BodyId,
        /// What it may touch there because it touches it now: until they part for the first time. Roles,
        /// intents and limits hold for these bodies as for all others.
        touch: Vec<BodyId>,
    },
    /// A body is let go where it is.
    Detach {
        /// The body.
        body: BodyId,
    },
    /// A body is somewhere else.
    Place {
        /// The body.
        body: BodyId,
        /// Its frame in the world.
        body_in_world: Transform,
        /// Whether it may be anywhere: somebody carried it there.
        teleport: bool,
    },
    /// A door has another value (rad, m).
    Open {
        /// The body that moves.
        body: BodyId,
        /// The value of its joint.
        value: f64,
    },
    /// A body is gone. Of a cloud, or a person: nothing is there, until it is told again.
    Hide {
        /// The body.
        body: BodyId,
    },
    /// A body is there again.
    Show {
        /// The body.
        body: BodyId,
    },
    /// A spare place is filled.
    Fill {
        /// The place.
        body: BodyId,
        /// With this shape.
        shape: Box<SpareShape>,
    },
    /// A spare place is emptied.
    Empty {
        /// The place.
        body: BodyId,
    },
    /// The points that a sensor sees now (world frame, m), at least one: a sensor without any may be blind.
    /// A cloud that was hidden is there again.
    See {
        /// The cloud.
        cloud: BodyId,
        /// Its points.
        points: Vec<[f64; 3]>,
    },
    /// A person has seen to a fault: the guard judges again.
    Reset,
}

impl Event {
    /// The body that it changes.
    pub fn body(&self) -> Option<BodyId> {
        match self {
            Event::Attach { body, .. }
            | Event::Detach { body }
            | Event::Place { body, .. }
            | Event::Open { body, .. }
            | Event::Hide { body }
            | Event::Show { body }
            | Event::Fill { body, .. }
            | Event::Empty { body }
            | Event::See { cloud: body, .. } => Some(*body),
            Event::Intent { .. } | Event::Reset => None,
        }
    }
}

/// Whether the objects of an intent have the roles that it needs.
pub(super) fn can_be_meant(intent: &Intent, parts: &Parts) -> Result<(), Refusal> {
    let (taken, stands) = match *intent {
        Intent::Pick { object, from, .. } => (object, from),
        Intent::Place { object, on, .. } => (object, Some(on)),
    };
    if !parts.has_role(taken, Role::Manipulating) {
        return Err(Refusal::Unfit("what is picked or placed has not the role manipulating"));
    }
    if stands.is_some_and(|object| !parts.has_role(object, Role::Supporting)) {
        return Err(Refusal::Unfit("what it stands on has not the role supporting"));
    }
    Ok(())
}

/// Applies a change; it matters whether the arms rest. What is refused changes nothing.
pub(super) fn apply_event(
    event: &Event,
    d: &GuardDescription,
    checker: &mut Checker,
    parts: &mut Parts,
    arms_rest: bool,
) -> Result<(), Refusal> {
    let engine = |fault: ChangeFault| Refusal::Engine(fault.to_string());
    let moved = match event {
        Event::Intent { arm, intent, until } => {
            if until.is_nan() {
                return Err(Refusal::Time);
            }
            if let Some(intent) = intent {
                can_be_meant(intent, parts)?;
            }
            parts.set_intent(*arm, *intent, *until);
            return Ok(());
        }
        Event::Attach { body, carrier, touch } => {
            if touch.iter().any(|other| parts.is_zone(*other) || parts.is_person(*other)) {
                return Err(Refusal::NeverTouched);
            }
            if parts.is_person(*body) {
                return Err(Refusal::Unfit("people are not carried"));
            }
            check_stays_whole(*body, checker, parts)?;
            let is_movable = checker.world().is_movable(*carrier) == Some(true);
            if let Some(arm) = parts.hand_of(*carrier) {
                reaches_object(*body, arm, d, checker, parts)?;
            } else if parts.part_of_body(*carrier).kind != ThingKind::Object
                && parts.holding_arm(*carrier).is_none()
            {
                return Err(Refusal::NotMeant("the link that takes it is not one of an end effector"));
            } else if is_movable {
                let distance = if parts.holding_arm(*carrier).is_some() {
                    let wanted = BodyPair { a: *body.min(carrier), b: *body.max(carrier) };
                    nearest_of(checker, |pair| pair == wanted)
                } else {
                    distance_at_rest(checker, *body, *carrier, d.grasp_range)
                };
                if !(distance <= d.grasp_range) {
                    return Err(Refusal::OutOfReach { distance, range: d.grasp_range });
                }
            } else if checker.world().has_body(*carrier) {
                return Err(Refusal::Unfit("what never moves carries nothing: place it there"));
            }
            // What touches it, or what it carries, is judged by its role. A contact that is there already is
            // excused.
            checker.attach(*body, *carrier, &[]).map_err(engine)?;
            let all = (0..checker.world().bodies().len() as u32).map(BodyId);
            for part in all.filter(|at| hangs_on(*at, *body, checker)) {
                touch.iter().for_each(|other| parts.excuse_pair(part, *other));
            }
            body
        }
        Event::Detach { body } => {
            check_stays_whole(*body, checker, parts)?;
            if parts.holding_arm(*body).is_some() {
                check_standing(*body, d, checker, parts)?;
            }
            checker.detach(*body).map_err(engine)?;
            body
        }
        Event::Place { body, body_in_world, teleport } => {
            if let (false, false, Some(before)) =
                (teleport, parts.is_person(*body), checker.body_in_world(*body))
            {
                let way = (body_in_world.translation - before.translation).norm();
                // The chord of the turn, over columns of the rotations.
                let columns = before.rotation.cols.into_iter().zip(body_in_world.rotation.cols);
                let turn = columns.map(|(x, y)| (x - y).norm()).fold(0.0, f64::max);
                if !(way <= d.teleport && turn <= d.teleport) {
                    return Err(Refusal::Teleport { way, turn, most: d.teleport });
                }
            }
            let before = checker.body_in_world(*body);
            let is_followed = parts.is_person(*body) && !teleport;
            let jump = before.filter(|_| is_followed).and_then(|before| {
                let way = (body_in_world.translation - before.translation).norm();
                let most = may_have_come(*body, d, parts);
                (!(way <= most)).then(|| (before, way, most, from_arms(*body, checker)))
            });
            checker.place(*body, body_in_world).map_err(engine)?;
            // Someone who comes nearer is kept from the arms wherever they come from.
            if let Some((before, way, most, distance)) = jump
                && from_arms(*body, checker) > distance
            {
                checker.place(*body, &before).map_err(engine)?;
                return Err(Refusal::Jumps { way, most });
            }
            if !parts.is_person(*body) {
                let free = check_free_at_rest(checker, *body, d, parts);
                let free = free.and_then(|()| match arms_rest {
                    true => check_clear_of_arms(checker, *body, d, parts),
                    false => Ok(()),
                });
                if let (Err(_), Some(before)) = (&free, before) {
                    checker.place(*body, &before).map_err(engine)?;
                }
                free?;
            }
            if parts.is_person(*body) {
                comes_back(*body, checker).map_err(engine)?;
            }
            body
        }
        Event::Open { body, value } => {
            checker.set_door(*body, *value).map_err(engine)?;
            body
        }
        Event::Hide { body } => {
            let is_cloud = checker.world().cloud_room(*body).is_some();
            match checker.hide(*body) {
                // Who tracks people, or watches a sensor, says again and again that nothing is there.
                Err(ChangeFault::Hidden { .. }) if is_cloud || parts.is_person(*body) => {}
                done => done.map_err(engine)?,
            }
            body
        }
        Event::Show { body } => {
            checker.show(*body).map_err(engine)?;
            body
        }
        Event::Fill { body, shape } => {
            checker.insert_obstacle(*body, shape).map_err(engine)?;
            body
        }
        Event::Empty { body } => {
            checker.remove_obstacle(*body).map_err(engine)?;
            body
        }
        Event::See { cloud, points } => {
            checker.update_cloud(*cloud, points).map_err(engine)?;
            comes_back(*cloud, checker).map_err(engine)?;
            cloud
        }
        Event::Reset => return Ok(()),
    };
    parts.update_holders(checker, Some(*moved));
    if let Event::Place { .. } | Event::See { .. } | Event::Hide { .. } = event {
        parts.report_person(*moved);
    }
    Ok(())
}

/// Whether a body may be where a snapshot has it: free or supported, or at what carries it.
pub(super) fn can_be_kept(
    body: BodyId,
    carrier: Option<BodyId>,
    d: &GuardDescription,
    checker: &Checker,
    parts: &Parts,
) -> bool {
    let Some(carrier) = carrier else {
        return parts.is_person(body) || check_free_at_rest(checker, body, d, parts).is_ok();
    };
    let is_movable = checker.world().is_movable(carrier) == Some(true);
    if parts.is_person(body) {
        false
    } else if parts.part_of_body(carrier).kind == ThingKind::Object && parts.holding_arm(carrier).is_none() {
        is_movable && distance_at_rest(checker, body, carrier, d.grasp_range) <= d.grasp_range
    } else {
        // What a hand holds lies in it as it did when it was taken.
        is_movable || parts.hand_of(carrier).is_some()
    }
}

/// Refuses to take a part off its object.
fn check_stays_whole(body: BodyId, checker: &Checker, parts: &Parts) -> Result<(), Refusal> {
    match parts.is_joined(body, checker) {
        true => {
            Err(Refusal::Unfit("it is a part of an object, and stays with it: name the body it hangs on"))
        }
        false => Ok(()),
    }
}

/// Shows a body that was gone, and is told of again.
fn comes_back(body: BodyId, checker: &mut Checker) -> Result<(), ChangeFault> {
    match checker.show(body) {
        Err(ChangeFault::NotHidden { .. }) => Ok(()),
        done => done,
    }
}

/// The pairs of the present pose that satisfy something, with the upper bounds of their distances (m).
fn nearest_of(checker: &mut Checker, wanted: impl Fn(BodyPair) -> bool) -> f64 {
    let world = checker.world();
    let mut nearest = f64::INFINITY;
    checker.all_pairs(&Question::distance(), |answer| {
        if let Some(pair) = world.pairs().get(answer.pair)
            && wanted(pair)
        {
            nearest = nearest.min(answer.interval.upper);
        }
    });
    nearest
}

/// How far a person may have come since the last report (m); both reports are as uncertain as was told.
fn may_have_come(body: BodyId, d: &GuardDescription, parts: &Parts) -> f64 {
    let known = d.people.as_ref();
    known.map_or(0.0, |people| people.speed * parts.unseen_for(body).max(0.0) + 2.0 * people.uncertainty)
}

/// How far a body is from what it is checked against (m); infinite if it is hidden.
fn from_arms(body: BodyId, checker: &mut Checker) -> f64 {
    nearest_of(checker, |pair| pair.a == body || pair.b == body)
}

/// Whether the hand of an arm is at a part of the object that it may take, and the task means that.
fn reaches_object(
    body: BodyId,
    arm: Arm,
    d: &GuardDescription,
    checker: &mut Checker,
    parts: &Parts,
) -> Result<(), Refusal> {
    let object = parts.object_of(body);
    let is_grasp = |pair: BodyPair| {
        [[pair.a, pair.b], [pair.b, pair.a]].into_iter().any(|[hand, part]| {
            let (hand_part, other) = (parts.part_of_body(hand), parts.part_of_body(part));
            parts.hand_of(hand) == Some(arm)
                && parts.object_of(part) == object
                && matches!(rule_contact(&hand_part, &other).rule, Rule::Pick { .. })
        })
    };
    let meant = |pair: BodyPair| is_grasp(pair) && parts.contact_verdict(pair).0 == Contact::Expected;
    if nearest_of(checker, meant) <= d.grasp_range {
        return Ok(());
    }
    let distance = nearest_of(checker, is_grasp);
    Err(if distance <= d.grasp_range {
        Refusal::NotMeant("no intent of this arm is to take this object")
    } else {
        Refusal::OutOfReach { distance, range: d.grasp_range }
    })
}

/// Whether a held object is at a support on which the task means to put it.
fn check_standing(
    body: BodyId,
    d: &GuardDescription,
    checker: &mut Checker,
    parts: &Parts,
) -> Result<(), Refusal> {
    // The body and what it carries must stand. That its carrier stands, or another part of its object, is not
    // enough.
    let count = checker.world().bodies().len();
    let is_let_go = |at: u32| hangs_on(BodyId(at), body, checker);
    let let_go: Vec<bool> = (0..count as u32).map(is_let_go).collect();
    let stands_on = |one: BodyId, other: BodyId| {
        let rule = rule_contact(&parts.part_of_body(one), &parts.part_of_body(other)).rule;
        let_go.get(one.index()) == Some(&true)
            && matches!(rule, Rule::Place { on, .. } if on == parts.object_of(other))
    };
    let is_support = |pair: BodyPair| stands_on(pair.a, pair.b) || stands_on(pair.b, pair.a);
    let meant = |pair: BodyPair| is_support(pair) && parts.contact_verdict(pair).0 == Contact::Expected;
    if nearest_of(checker, meant) <= d.grasp_range {
        Ok(())
    } else if nearest_of(checker, is_support) <= d.grasp_range {
        Err(Refusal::NotMeant("no intent of this arm is to put this object there"))
    } else {
        Err(Refusal::Falls)
    }
}
