//! What each body of the world is to the task now: the table of roles asks for it.

use super::description::GuardDescription;
use crate::intent::{Contact, Intent, Mode, contact_of_parts};
use crate::roles::{Arm, Body, Part, Role, Rule, ThingKind, rule_contact};
use elbowroom::motion::PairWork;
use elbowroom::world::{BodyId, BodyPair};
use elbowroom::{Checker, World};

/// What does not change of a body.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Fixed {
    object: u32,
    role: Role,
    /// The arm whose link it is, and whether that link may grasp.
    link: Option<(u32, bool)>,
    person: bool,
    zone: bool,
    /// The least depth of the pads on it (m), if it has any.
    pad: Option<f64>,
}

/// All bodies, and the intents.
#[derive(Clone, Debug)]
pub(super) struct Parts {
    fixed: Vec<Fixed>,
    /// By body, the arm that holds it.
    held: Vec<Option<u32>>,
    /// By object, when it was moved last (s).
    moved: Vec<f64>,
    /// By body, when it was reported last where a person is, or that nobody is there (s).
    reported: Vec<f64>,
    now: f64,
    settling: f64,
    mode: Mode,
    /// The active intent of each arm, and one for all; until when it is (s).
    intents: Vec<Option<(Intent, f64)>>,
    active: Vec<Intent>,
    /// Pairs that touched when one of them was attached, as the attachment said, and that have not parted
    /// since.
    excused: Vec<BodyPair>,
    /// Whether it was not looked yet which of them touch.
    unseen: bool,
}

/// What is said of a contact that an attachment excuses.
const EXCUSED: &str = "the two touched when one of them was attached, and have not parted since";

impl Parts {
    pub fn new(world: &World, d: &GuardDescription) -> Parts {
        let count = world.bodies().len() as u32;
        let plain =
            Fixed { object: 0, role: Role::Neither, link: None, person: false, zone: false, pad: None };
        let mut fixed: Vec<Fixed> = (0..count).map(|object| Fixed { object, ..plain }).collect();
        for pad in world.pads() {
            if let Some(of_body) = fixed.get_mut(pad.body.index()) {
                of_body.pad = Some(of_body.pad.map_or(pad.depth, |least| least.min(pad.depth)));
            }
        }
        for (number, arm) in (0..).zip(&d.arms) {
            let links = world.robots().get(arm.robot.0 as usize).map_or(0..0, |robot| robot.links.clone());
            for link in links {
                let grasps = arm.end_effector.contains(&BodyId(link));
                // Each link stays an object of its own, so that one link can collide with another.
                if let Some(of_body) = fixed.get_mut(link as usize) {
                    of_body.link = Some((number, grasps));
                }
            }
        }
        // What is attached to a link for good is a part of the arm, and grasps nothing.
        for body in (0..count).map(BodyId) {
            let is_obstacle = world.bodies().get(body.index()).is_some_and(|body| body.robot.is_none());
            if !is_obstacle || world.is_movable(body) == Some(true) || world.can_move(body) != Some(true) {
                continue;
            }
            let is_joined = |link: u32| world.is_joined(BodyPair { a: body, b: BodyId(link) }) == Some(true);
            let arm = (0..).zip(&d.arms).find(|(_, arm)| {
                let robot = world.robots().get(arm.robot.0 as usize);
                robot.is_some_and(|robot| robot.links.clone().any(is_joined))
            });
            if let (Some((number, _)), Some(of_body)) = (arm, fixed.get_mut(body.index())) {
                of_body.link = Some((number, false));
            }
        }
        for object in &d.objects {
            let Some((first, _)) = object.parts.first() else { continue };
            for (body, role) in &object.parts {
                if let Some(of_body) = fixed.get_mut(body.index()) {
                    (of_body.object, of_body.role) = (first.0, *role);
                }
            }
        }
        for body in d.people.iter().flat_map(|people| &people.bodies) {
            if let Some(of_body) = fixed.get_mut(body.index()) {
                of_body.person = true;
            }
        }
        for body in &d.zones {
            if let Some(of_body) = fixed.get_mut(body.index()) {
                of_body.zone = true;
            }
        }
        Parts {
            held: vec![None; fixed.len()],
            moved: vec![f64::NEG_INFINITY; fixed.len()],
            reported: vec![f64::NEG_INFINITY; fixed.len()],
            fixed,
            now: f64::NEG_INFINITY,
            settling: d.settling,
            mode: d.mode,
            intents: vec![None; d.arms.len() + 1],
            active: Vec::with_capacity(d.arms.len() + 1),
            excused: Vec::new(),
            unseen: false,
        }
    }

    /// Sets the time (s): intents end, and objects come to rest.
    pub fn set_time(&mut self, now: f64) {
        self.now = now;
        for intent in &mut self.intents {
            if intent.is_some_and(|(_, until)| now > until) {
                *intent = None;
            }
        }
        self.active.clear();
        self.active.extend(self.intents.iter().flatten().map(|(intent, _)| *intent));
    }

    /// Gives an arm, or all of them, its intent until a time (s), instead of the one that it had.
    pub fn set_intent(&mut self, arm: Option<Arm>, intent: Option<Intent>, until: f64) {
        let slot = arm.map_or(self.intents.len() - 1, |arm| arm.0 as usize);
        if let Some(place) = self.intents.get_mut(slot) {
            *place = intent.map(|intent| (intent, until));
        }
        self.set_time(self.now);
    }

    /// The intent of a slot: an arm, or behind all of them that of all.
    pub fn restore_intent(&mut self, slot: usize, intent: Intent, until: f64) {
        if let Some(place) = self.intents.get_mut(slot) {
            *place = Some((intent, until));
        }
    }

    /// The intents, by arm; the last is for all.
    pub fn intents(&self) -> &[Option<(Intent, f64)>] {
        &self.intents
    }

    /// Excuses contacts of a pair until it parts, if it is found to touch ([`Parts::keep_excused`]).
    pub fn excuse_pair(&mut self, a: BodyId, b: BodyId) {
        let pair = BodyPair { a: a.min(b), b: a.max(b) };
        if !self.excused.contains(&pair) {
            self.excused.push(pair);
            self.unseen = true;
        }
    }

    /// Whether it must still be looked which of the excused pairs touch at all.
    pub fn are_unseen(&self) -> bool {
        self.unseen
    }

    /// The pairs whose contact is excused.
    pub fn excused_pairs(&self) -> &[BodyPair] {
        &self.excused
    }

    /// Keeps the excuses of pairs that still touch.
    pub fn keep_excused(&mut self, touch: impl Fn(BodyPair) -> bool) {
        self.excused.retain(|pair| touch(*pair));
        self.unseen = false;
    }

    /// Whether a body is carried by another part of its object.
    pub fn is_joined(&self, body: BodyId, checker: &Checker) -> bool {
        checker.carrier(body).is_some_and(|carrier| self.object_of(carrier) == self.object_of(body))
    }

    /// Who holds what, after a change; `body`'s object, and all that it carries, was moved now.
    pub fn update_holders(&mut self, checker: &Checker, body: Option<BodyId>) {
        let count = self.fixed.len() as u32;
        for k in (0..count).map(BodyId) {
            let (mut at, mut holder, mut moves) = (k, None, Some(k) == body);
            // A chain of carriers has no circle, and no more bodies than the world.
            for _ in 0..count {
                let Some(carrier) = checker.carrier(at) else { break };
                moves |= Some(carrier) == body;
                holder = self.fixed.get(carrier.index()).and_then(|of_body| of_body.link).map(|(arm, _)| arm);
                at = carrier;
            }
            if let Some(place) = self.held.get_mut(k.index()) {
                *place = holder;
            }
            if moves && body.is_some() {
                self.note_moved(k);
            }
        }
    }

    /// Where the body of a person is was reported now, or that it is gone.
    pub fn report_person(&mut self, body: BodyId) {
        if let Some(place) = self.reported.get_mut(body.index()) {
            *place = self.now;
        }
    }

    /// How long ago the body of a person was reported (s).
    pub fn unseen_for(&self, body: BodyId) -> f64 {
        self.now - self.reported.get(body.index()).copied().unwrap_or(f64::NEG_INFINITY)
    }

    fn note_moved(&mut self, body: BodyId) {
        let object = self.fixed.get(body.index()).map_or(u32::MAX, |of_body| of_body.object);
        if let Some(moved) = self.moved.get_mut(object as usize) {
            *moved = self.now;
        }
    }

    /// By object, when it was moved last (s).
    pub fn moved_times(&self) -> &[f64] {
        &self.moved
    }

    /// When an object was moved last (s), as a snapshot has it.
    pub fn restore_moved(&mut self, object: BodyId, moved: f64) {
        if let Some(place) = self.moved.get_mut(object.index()) {
            *place = moved;
        }
    }

    /// Whether a body stands for a person.
    pub fn is_person(&self, body: BodyId) -> bool {
        self.fixed.get(body.index()).is_some_and(|of_body| of_body.person)
    }

    /// Whether a body stands for a zone.
    pub fn is_zone(&self, body: BodyId) -> bool {
        self.fixed.get(body.index()).is_some_and(|of_body| of_body.zone)
    }

    /// The object that a body is a part of: the number that intents have.
    pub fn object_of(&self, body: BodyId) -> Body {
        Body(self.fixed.get(body.index()).map_or(body.0, |of_body| of_body.object))
    }

    /// Whether a part of an object has a role.
    pub fn has_role(&self, object: Body, role: Role) -> bool {
        self.fixed.iter().any(|of_body| of_body.object == object.0 && of_body.role == role)
    }

    /// The arm whose hand a link belongs to.
    pub fn hand_of(&self, body: BodyId) -> Option<Arm> {
        let (arm, grasps) = self.fixed.get(body.index())?.link?;
        grasps.then_some(Arm(arm))
    }

    /// The arm that holds a body.
    pub fn holding_arm(&self, body: BodyId) -> Option<Arm> {
        self.held.get(body.index()).copied().flatten().map(Arm)
    }

    /// What a body is to the task now.
    pub fn part_of_body(&self, body: BodyId) -> Part {
        let Some(of_body) = self.fixed.get(body.index()) else {
            return Part { body: Body(body.0), kind: ThingKind::Object, role: Role::Neither, at_rest: false };
        };
        let moved = self.moved.get(of_body.object as usize).copied().unwrap_or(f64::INFINITY);
        let kind = match (of_body.link, self.holding_arm(body)) {
            (Some((arm, true)), _) => ThingKind::EndEffector(Arm(arm)),
            (Some((arm, false)), _) => ThingKind::ArmLink(Arm(arm)),
            (None, Some(arm)) => ThingKind::Held(arm),
            (None, None) => ThingKind::Object,
        };
        let at_rest = kind == ThingKind::Object && !of_body.person && self.now - moved >= self.settling;
        Part { body: Body(of_body.object), kind, role: of_body.role, at_rest }
    }

    /// What a contact of two bodies would be now, and the sentence that decides.
    pub fn contact_verdict(&self, pair: BodyPair) -> (Contact, &'static str) {
        let (a, b) = (self.part_of_body(pair.a), self.part_of_body(pair.b));
        if self.excused.contains(&pair) && !self.is_kept(pair) {
            return (Contact::Expected, EXCUSED);
        }
        (contact_of_parts(&a, &b, &self.active, self.mode), rule_contact(&a, &b).says)
    }

    /// How far the pads of two bodies give way (m), if contact on these is expected: where no task means it,
    /// and nobody is hurt. `None` if neither has a pad, or all contact is judged otherwise.
    pub fn pad_depth(&self, pair: BodyPair) -> Option<f64> {
        let depth = |body: BodyId| self.fixed.get(body.index()).and_then(|of_body| of_body.pad);
        let both = [depth(pair.a), depth(pair.b)];
        let depth: f64 = both.into_iter().flatten().sum();
        let is_other = [pair.a, pair.b].iter().any(|body| self.is_person(*body) || self.is_zone(*body));
        let is_padded = depth > 0.0 && !is_other && self.contact_verdict(pair).0 == Contact::Collision;
        is_padded.then_some(depth)
    }

    /// Whether two bodies touch as they did before: the guard does not judge them.
    pub fn is_kept(&self, pair: BodyPair) -> bool {
        rule_contact(&self.part_of_body(pair.a), &self.part_of_body(pair.b)).rule == Rule::Kept
    }

    /// What is to be done for a pair, if people are asked about apart.
    pub fn pair_work(&self, pair: BodyPair) -> PairWork {
        if self.is_person(pair.a) || self.is_person(pair.b) || self.is_kept(pair) {
            return PairWork::Skip;
        }
        match self.contact_verdict(pair).0 {
            Contact::Expected => PairWork::Once,
            Contact::Collision | Contact::Ask => PairWork::Halve,
        }
    }

    /// What is to be done for a pair, if people are asked about alone: all that can move against them.
    pub fn work_of_people(&self, pair: BodyPair) -> PairWork {
        let people = [pair.a, pair.b].map(|body| self.is_person(body));
        if people[0] != people[1] { PairWork::Halve } else { PairWork::Skip }
    }
}
