//! The guard itself, and its steps. [`super`] says what a step asks.

use super::braking::Braking;
use super::changed::Changed;
use super::clear::Clear;
use super::command::{Action, Category, Command, Reason, ReasonKind};
use super::description::GuardDescription;
use super::event::{self, Event};
use super::joints::Joints;
use super::kept::Kept;
use super::now::{self, Now};
use super::parts::Parts;
use super::refusal::Refusal;
use super::state::State;
use crate::fault::Faults;
use crate::intent::Intent;
use crate::roles::{Arm, Body, Rule, rule_contact};
use elbowroom::math::hash_bytes;
use elbowroom::pose::SetOptions;
use elbowroom::world::{AllowedReason, BodyId, BodyPair, PairStatus};
use elbowroom::{Checker, PadChecker, PadPress, Question, Verdict, World};

/// A rise of the speed by less than this part of it is none. The search for the speed ends at this width, and
/// a speed that is measured lags behind the one that was told: without a hold it would go up and down.
const HOLD: f64 = 1.0 / 16.0;
/// The part of the speed from which on [`HOLD`] is a part of it.
const HOLD_FROM: f64 = 0.25;

/// A guard of a world: one for each stream of states.
#[derive(Clone, Debug)]
pub struct Guard<'w> {
    pub(super) d: GuardDescription,
    pub(super) checker: Checker<'w>,
    /// Tells contact on pads from collisions, if there are pads.
    pads: Option<PadChecker<'w>>,
    pub(super) clear: Clear<'w>,
    pub(super) joints: Joints,
    pub(super) parts: Parts,
    pub(super) braking: Braking,
    pub(super) fingerprint: u64,
    pub(super) steps: u64,
    /// The time of the last command to stop (s).
    pub(super) stopped: f64,
    /// The latest time at which brakes may have been told to act by a command that is not remembered (s): the
    /// last reset. A guard that starts from a snapshot has infinity here until its first state.
    pub(super) braked: f64,
    pub(super) t: f64,
    pub(super) latched: Option<Reason>,
    /// By body, what events changed.
    pub(super) changed: Vec<Changed>,
    /// The contact that the operator was asked about last, and has not answered.
    pub(super) asked: Option<BodyPair>,
    /// Of a guard that was restored.
    pub(super) kept: Option<Kept>,
}

impl<'w> Guard<'w> {
    /// A guard of a world.
    ///
    /// # Errors
    /// All faults of the description.
    pub fn new(world: &'w World, d: &GuardDescription) -> Result<Guard<'w>, Faults> {
        d.check(world)?;
        let mut checker = Checker::new(world);
        let mut parts = Parts::new(world, d);
        excuse_first_touches(&mut checker, &mut parts);
        parts.update_holders(&checker, None);
        let mut clear = Clear::new(world, d);
        clear.copy_state_from(&checker);
        let joints = Joints::new(world, d);
        Ok(Guard {
            clear,
            pads: PadChecker::new(world),
            braking: Braking::new(&joints),
            joints,
            parts,
            fingerprint: guard_fingerprint(world, d),
            steps: 0,
            stopped: f64::NEG_INFINITY,
            braked: f64::NEG_INFINITY,
            t: f64::NEG_INFINITY,
            latched: None,
            changed: vec![Changed::default(); world.bodies().len()],
            asked: None,
            kept: None,
            checker,
            d: d.clone(),
        })
    }

    /// The world that it guards.
    pub fn world(&self) -> &'w World {
        self.checker.world()
    }

    /// What it was told.
    pub fn description(&self) -> &GuardDescription {
        &self.d
    }

    /// Of the world and of all that it was told: two guards with the same one judge alike.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// The number that intents have for the object of a body.
    pub fn object_of(&self, body: BodyId) -> Body {
        self.parts.object_of(body)
    }

    /// The active intents: those of the arms, then that of all, each with the time until which it is active
    /// (s).
    pub fn intents(&self) -> impl Iterator<Item = (Intent, f64)> + '_ {
        self.parts.intents().iter().flatten().copied()
    }

    /// The intent that would make a contact of two bodies expected now, and its arm; `None` where no task
    /// allows it, or none is needed. For an operator who is asked.
    pub fn intent_for(&self, pair: BodyPair) -> Option<(Arm, Intent)> {
        match rule_contact(&self.parts.part_of_body(pair.a), &self.parts.part_of_body(pair.b)).rule {
            Rule::Pick { object, arm } => Some((arm, Intent::Pick { object, from: None, arm: Some(arm) })),
            Rule::Place { object, on, arm } => Some((arm, Intent::Place { object, on, arm: Some(arm) })),
            Rule::Collision | Rule::Kept => None,
        }
    }

    /// A cloud of which no points were told yet, and that is not hidden: before it nothing can be proved.
    pub fn cloud_without_points(&self) -> Option<BodyId> {
        let world = self.world();
        let is_untold = |changed: &Changed| !changed.filled && changed.hidden != Some(true);
        let mut bodies = (0..).map(BodyId).zip(&self.changed);
        let found = bodies.find(|(body, changed)| is_untold(changed) && world.cloud_room(*body).is_some());
        found.map(|(body, _)| body)
    }

    /// The pairs that touch on pads at the measured positions, if the last command has
    /// [`Command::pad_left`].
    pub fn presses(&self) -> &[PadPress] {
        self.pads.as_ref().map_or(&[], PadChecker::presses)
    }

    /// What stopped the arms until a reset.
    pub fn latched_reason(&self) -> Option<Reason> {
        self.latched
    }

    /// Judges a state.
    pub fn step(&mut self, state: &State) -> Command {
        let mut command = self.begin(state.t);
        let believed = self.joints.take_state(state, &mut command);
        self.judge_state(believed, &mut command);
        self.end(command)
    }

    /// Judges silence: no state came until `now` (s), on the clock of the states. And whatever else the
    /// program found out about its input: an unreadable line, an overrun.
    pub fn step_without(&mut self, now: f64, fault: Option<ReasonKind>) -> Command {
        let mut command = self.begin(now);
        if let Some(kind) = fault {
            command.stop_for(Category::Zero, Reason::new(kind));
        } else if now.is_finite() {
            self.joints.check_silence(now, &mut command);
        } else {
            command.stop_for(Category::Zero, Reason::new(ReasonKind::NotFinite).with_words("the time"));
        }
        self.judge_state(false, &mut command);
        self.end(command)
    }

    /// Changes something at a time (s). It counts from the next step on.
    ///
    /// # Errors
    /// Why it is refused. Then nothing changes, and the arms stop until a reset: the guard's picture of the
    /// cell may be wrong.
    pub fn event(&mut self, t: f64, event: &Event) -> Result<(), Refusal> {
        let done = self.try_event(t, event);
        if done.is_err() {
            self.latched = self.latched.or(Some(Reason::new(ReasonKind::Event)));
        }
        done
    }

    fn try_event(&mut self, t: f64, event: &Event) -> Result<(), Refusal> {
        // What is later than the next state may come is of another clock.
        let ahead = self.joints.latest_time().map_or(0.0, |now| t - now.max(self.t));
        let is_far = ahead > self.d.late && !matches!(event, Event::Reset);
        if !t.is_finite() || t < self.t || is_far {
            return Err(Refusal::Time);
        }
        self.parts.set_time(t);
        if let Event::Reset = event {
            (self.latched, self.asked) = (None, None);
            // After a reset, two guards with the same input give the same commands, whatever came before. So
            // the speed rises from zero, as after a stop, and brakes may act still: another guard may have
            // stopped.
            self.checker.forget_history();
            self.pads.iter_mut().for_each(PadChecker::forget_history);
            self.clear.forget_answers();
            self.joints.forget();
            self.braking.note_command(false, t, &self.joints);
            if self.joints.all_known() {
                (self.joints.permitted, self.stopped, self.braked) = (0.0, f64::NEG_INFINITY, t);
            }
            return Ok(());
        }
        if let Event::Intent { until, .. } = event
            && *until < t
        {
            return Err(Refusal::Unfit("until is a time on the clock of the states, and has passed"));
        }
        let moves = !matches!(event, Event::Intent { .. });
        let of_people = event.body().is_some_and(|body| self.parts.is_person(body));
        if moves && !of_people && !self.joints.all_known() {
            return Err(Refusal::NoState);
        }
        if let Event::Attach { body, .. } = event
            && self.changed.get(body.index()).is_some_and(|changed| changed.hidden == Some(true))
        {
            return Err(Refusal::Unfit("it is hidden, and nobody knows where it is: show or place it first"));
        }
        let arms_rest = self.joints.are_at_rest();
        event::apply_event(event, &self.d, &mut self.checker, &mut self.parts, arms_rest)?;
        if let Some(changed) = event.body().and_then(|body| self.changed.get_mut(body.index())) {
            changed.note_event(event);
            let told =
                matches!(event, Event::See { .. }) || (of_people && matches!(event, Event::Place { .. }));
            if told {
                changed.hidden = changed.hidden.map(|_| false);
            }
        }
        if let Event::Intent { .. } = event {
            self.asked = None;
        }
        if moves {
            self.clear.copy_state_from(&self.checker);
            self.keep_excused();
        }
        Ok(())
    }

    /// Ends the excuses of pairs that have parted. Whether there were any, and so a question about ranges.
    fn keep_excused(&mut self) -> bool {
        let is_due = !self.parts.excused_pairs().is_empty() && self.joints.all_known();
        is_due && self.clear.keep_excused(&self.joints, &mut self.parts, &self.d)
    }

    fn begin(&mut self, t: f64) -> Command {
        self.steps += 1;
        self.joints.stopped = self.stopped.max(self.braked);
        Command::new_permit(self.steps, t, self.fingerprint)
    }

    fn judge_state(&mut self, believed: bool, command: &mut Command) {
        let now = self.joints.latest_time().unwrap_or(command.t);
        let now = if command.t.is_finite() { now.max(command.t) } else { now };
        if believed {
            self.joints.check_silence(now, command);
            self.braking.judge_rest(&self.joints, command);
        }
        if self.joints.all_known() {
            if self.braked == f64::INFINITY {
                self.braked = now;
            }
            if let Some(kept) = &mut self.kept {
                kept.compare_positions(now, self.d.teleport, &self.joints, &mut self.parts, command);
            }
            self.parts.set_time(now);
            self.joints.find_stopping_states(now);
            self.measure_distance(command);
            if self.keep_excused() {
                command.work.add(&self.clear.ranges);
            }
            // Arms that are late stop in any case. All that they may have passed since grows without an end,
            // and to ask about it would take the time in which the next states come.
            if self.joints.are_in_time(now) {
                let now = Now {
                    d: &self.d,
                    joints: &self.joints,
                    parts: &self.parts,
                    t: now,
                    options: now::range_options(&self.d),
                };
                self.clear.judge_clearance(now, command);
            }
            if let (Some(pair), None) = (self.asked, command.ask) {
                // The operator has not answered yet.
                command.ask = Some(pair);
                let reason =
                    Reason::new(ReasonKind::Ask).of_pair(pair).with_words(self.parts.contact_verdict(pair).1);
                command.stop_for(Category::Two, reason.with_limit(self.d.clearance, self.d.clearance));
            }
        }
        if let Some(first) = self.latched {
            let reason = Reason { kind: ReasonKind::Latched, says: first.kind.word(), ..first };
            command.stop_for(Category::One, reason);
        }
    }

    /// The smallest distance at the measured positions, and whether it is contact on pads alone.
    fn measure_distance(&mut self, command: &mut Command) {
        let options = SetOptions { ignore_limits: true };
        if self.checker.set_with(&self.joints.positions, options).is_err() {
            return;
        }
        let question = Question::distance();
        let answer = self.checker.ask(&question);
        command.distance = Some([answer.interval.lower, answer.interval.upper]);
        command.pair = answer.pair.and_then(|pair| self.checker.world().pairs().get(pair));
        let Some(pads) = &mut self.pads else { return };
        if pads.judge_answer(&mut self.checker, &question, answer).verdict == Verdict::ExpectedContact {
            command.pad_left = pads.presses().iter().map(|press| press.left).reduce(f64::min);
        }
    }

    fn end(&mut self, mut command: Command) -> Command {
        // Latched are the faults of what is measured, and with them all that must wait for a person.
        self.latched = self.latched.or(command.latching_reason(self.d.restarts));
        let dt = command.t - self.t;
        // Before the first state its clock is not known: a time may be one that the program made up.
        if command.t.is_finite() && self.joints.latest_time().is_some() {
            self.t = self.t.max(command.t);
        }
        // The speed falls at once, is held where little more is proved, and rises slowly.
        let rises = command.speed - self.joints.permitted;
        if command.speed < 1.0 && rises > 0.0 && rises <= HOLD * self.joints.permitted.max(HOLD_FROM) {
            command.hold_factor(self.joints.permitted);
        }
        let rise = if dt.is_finite() { self.d.rise * dt.max(0.0) } else { 0.0 };
        let most = self.joints.permitted + rise;
        if command.speed > most {
            let reason = Reason::new(ReasonKind::Rising).with_limit(command.speed, most);
            // At the time of a stop nothing but the stop is told, whichever arm reports.
            if command.t == self.stopped {
                command.stop_for(Category::One, reason);
            } else {
                command.slow_for(most, reason);
            }
        } else if command.t == self.stopped && command.action != Action::Stop {
            command.stop_for(Category::One, Reason::new(ReasonKind::Rising).with_limit(command.speed, most));
        }
        // Before all arms have reported nothing was too fast.
        let waits = command.reasons().all(|reason| reason.kind == ReasonKind::Waiting);
        if !(waits && command.action == Action::Stop) {
            self.joints.permitted = command.speed;
            if command.action == Action::Stop {
                self.stopped = command.t;
            }
        }
        if self.joints.all_known() && command.t.is_finite() {
            self.braking.note_command(command.action == Action::Stop, command.t, &self.joints);
        }
        self.asked = command.ask.or(self.asked);
        command
    }
}

/// What a body may touch that is carried from the start is excused until the two part, as for one that is
/// attached later; the world's description lets it touch them for as long as it is carried.
fn excuse_first_touches(checker: &mut Checker, parts: &mut Parts) {
    let all = |checker: &Checker| (0..checker.world().bodies().len() as u32).map(BodyId);
    let carried: Vec<BodyId> = all(checker).filter(|body| checker.carrier(*body).is_some()).collect();
    for body in carried {
        let is_held = |other: &BodyId| {
            matches!(checker.status(body, *other), Some(PairStatus::Allowed(AllowedReason::Held)))
        };
        let others: Vec<BodyId> = all(checker).filter(is_held).collect();
        others.iter().for_each(|other| parts.excuse_pair(body, *other));
        // It is movable, since something carries it.
        let _ = checker.end_touch(body);
    }
}

/// A hash of the world's fingerprint and the words of the description.
fn guard_fingerprint(world: &World, d: &GuardDescription) -> u64 {
    let told = format!("{d:?}");
    let names = world.bodies().iter().flat_map(|body| body.name.bytes());
    let bytes = world.fingerprint().to_le_bytes().into_iter().chain(names).chain(told.bytes());
    hash_bytes(bytes)
}
