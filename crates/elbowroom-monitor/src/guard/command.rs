//! What a guard tells the controller, and why.

use super::step_work::StepWork;
use elbowroom::world::BodyPair;

/// What the arms may do until the next command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Go on.
    Permit,
    /// Go on, at [`Command::speed`].
    Slow,
    /// Stop.
    Stop,
}

/// The stop categories of IEC 60204-1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Category {
    /// Power is removed at once: what is measured cannot be believed.
    Zero,
    /// The arms brake, then power is removed.
    One,
    /// The arms brake and keep power: they wait for an answer.
    Two,
}

/// Why a command is not to go on at full speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ReasonKind {
    /// An arm has not reported yet.
    Waiting,
    /// Too long since the last state of an arm.
    Late,
    /// A state has the time of the one before.
    Repeated,
    /// A state is older than the one before.
    OutOfOrder,
    /// A state has another number of values than its arm.
    WrongCount,
    /// A time or a value is NaN or infinite, or a value beyond what anything reaches (1e6).
    NotFinite,
    /// A line could not be read.
    Unreadable,
    /// Measured values contradict each other.
    Implausible,
    /// A joint does what its profile or its brake does not: what was predicted of it is wrong.
    BeyondModel,
    /// A force, an effort or a current with a limit was measured, and is not any more.
    ForceLost,
    /// A joint is beyond its range.
    Position,
    /// A joint cannot stop, or go on, within its range.
    Range,
    /// A joint is too fast.
    Velocity,
    /// A joint accelerates too much.
    Acceleration,
    /// The effort of a joint is too great.
    Effort,
    /// The current of a motor is too great.
    Current,
    /// Nothing bounds how far a joint goes until it rests.
    Unbounded,
    /// The bodies could not be proved apart, for want of room, of points of a cloud, or of shapes.
    Unproved,
    /// A contact that the task does not mean.
    Collision,
    /// A contact that the operator must decide about.
    Ask,
    /// An expected contact would happen too fast.
    ContactSpeed,
    /// A pad could be pressed in deeper than it gives way, less the clearance.
    Pad,
    /// The force on a hand is too great.
    ContactForce,
    /// A body could be where it must not, or leave where it must stay.
    Zone,
    /// A body is faster than its limit.
    BodySpeed,
    /// People are too near.
    Separation,
    /// Where a person is was not reported in time.
    Unseen,
    /// The speed rises slowly after it had to be low, so that it does not chatter.
    Rising,
    /// An event contradicts what was proved before it.
    Event,
    /// An earlier fault: it waits for a reset.
    Latched,
    /// Two guards do not agree, or one is silent.
    Disagreement,
    /// A step took longer than it may.
    Overrun,
    /// The clock of the states is not that of the machine that judges them. Who reads states beside a clock
    /// finds that out.
    Clock,
    /// The arms are not where the snapshot has them from which the guard was restored.
    Restored,
}

impl ReasonKind {
    /// All of them.
    pub const ALL: [ReasonKind; 34] = [
        ReasonKind::Waiting,
        ReasonKind::Late,
        ReasonKind::Repeated,
        ReasonKind::OutOfOrder,
        ReasonKind::WrongCount,
        ReasonKind::NotFinite,
        ReasonKind::Unreadable,
        ReasonKind::Implausible,
        ReasonKind::BeyondModel,
        ReasonKind::ForceLost,
        ReasonKind::Position,
        ReasonKind::Range,
        ReasonKind::Velocity,
        ReasonKind::Acceleration,
        ReasonKind::Effort,
        ReasonKind::Current,
        ReasonKind::Unbounded,
        ReasonKind::Unproved,
        ReasonKind::Collision,
        ReasonKind::Ask,
        ReasonKind::ContactSpeed,
        ReasonKind::Pad,
        ReasonKind::ContactForce,
        ReasonKind::Zone,
        ReasonKind::BodySpeed,
        ReasonKind::Separation,
        ReasonKind::Unseen,
        ReasonKind::Rising,
        ReasonKind::Event,
        ReasonKind::Latched,
        ReasonKind::Disagreement,
        ReasonKind::Overrun,
        ReasonKind::Clock,
        ReasonKind::Restored,
    ];

    /// The word that a program reads.
    pub const fn word(self) -> &'static str {
        match self {
            ReasonKind::Waiting => "waiting",
            ReasonKind::Late => "late",
            ReasonKind::Repeated => "repeated",
            ReasonKind::OutOfOrder => "out_of_order",
            ReasonKind::WrongCount => "wrong_count",
            ReasonKind::NotFinite => "not_finite",
            ReasonKind::Unreadable => "unreadable",
            ReasonKind::Implausible => "implausible",
            ReasonKind::BeyondModel => "beyond_model",
            ReasonKind::ForceLost => "force_lost",
            ReasonKind::Position => "position",
            ReasonKind::Range => "range",
            ReasonKind::Velocity => "velocity",
            ReasonKind::Acceleration => "acceleration",
            ReasonKind::Effort => "effort",
            ReasonKind::Current => "current",
            ReasonKind::Unbounded => "unbounded",
            ReasonKind::Unproved => "unproved",
            ReasonKind::Collision => "collision",
            ReasonKind::Ask => "ask",
            ReasonKind::ContactSpeed => "contact_speed",
            ReasonKind::Pad => "pad",
            ReasonKind::ContactForce => "contact_force",
            ReasonKind::Zone => "zone",
            ReasonKind::BodySpeed => "body_speed",
            ReasonKind::Separation => "separation",
            ReasonKind::Unseen => "unseen",
            ReasonKind::Rising => "rising",
            ReasonKind::Event => "event",
            ReasonKind::Latched => "latched",
            ReasonKind::Disagreement => "disagreement",
            ReasonKind::Overrun => "overrun",
            ReasonKind::Clock => "clock",
            ReasonKind::Restored => "restored",
        }
    }

    /// Whether a stop for it waits for a reset; `restarts` says whether one for a pair ends by itself.
    pub(super) const fn waits_for_reset(self, restarts: bool) -> bool {
        match self {
            ReasonKind::Waiting | ReasonKind::Latched | ReasonKind::Rising => false,
            ReasonKind::Late
            | ReasonKind::Repeated
            | ReasonKind::OutOfOrder
            | ReasonKind::WrongCount
            | ReasonKind::NotFinite
            | ReasonKind::Unreadable
            | ReasonKind::Implausible
            | ReasonKind::BeyondModel
            | ReasonKind::ForceLost
            | ReasonKind::Position
            | ReasonKind::Velocity
            | ReasonKind::Acceleration
            | ReasonKind::Effort
            | ReasonKind::Current
            | ReasonKind::Unbounded
            | ReasonKind::Event
            | ReasonKind::Disagreement
            | ReasonKind::Overrun
            | ReasonKind::Clock
            | ReasonKind::Restored => true,
            ReasonKind::Range
            | ReasonKind::Unproved
            | ReasonKind::Collision
            | ReasonKind::Ask
            | ReasonKind::ContactSpeed
            | ReasonKind::Pad
            | ReasonKind::ContactForce
            | ReasonKind::Zone
            | ReasonKind::BodySpeed
            | ReasonKind::Separation
            | ReasonKind::Unseen => !restarts,
        }
    }
}

/// One reason, with what it is about.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reason {
    /// What it is.
    pub kind: ReasonKind,
    /// The two bodies; the same body twice where it is about one.
    pub pair: Option<BodyPair>,
    /// The joint value, by its index in the world.
    pub value: Option<u32>,
    /// The arm.
    pub arm: Option<u32>,
    /// What was measured or proved, in the unit of the limit.
    pub measured: f64,
    /// What it must not exceed, or fall below.
    pub limit: f64,
    /// The sentence of tran91 that decides about the contact, or more about the fault.
    pub says: &'static str,
}

impl Reason {
    /// A reason without numbers.
    pub fn new(kind: ReasonKind) -> Reason {
        Reason { kind, pair: None, value: None, arm: None, measured: 0.0, limit: 0.0, says: "" }
    }

    /// This reason, about an arm: its number among the arms of the guard.
    pub fn of_arm(self, arm: usize) -> Reason {
        Reason { arm: Some(arm as u32), ..self }
    }

    /// This reason, about a joint value: its number in a row.
    pub fn of_value(self, value: usize) -> Reason {
        Reason { value: Some(value as u32), ..self }
    }

    /// This reason, about a pair of bodies.
    pub fn of_pair(self, pair: BodyPair) -> Reason {
        Reason { pair: Some(pair), ..self }
    }

    /// This reason, with what was measured and its limit, both in the limit's unit.
    pub fn with_limit(self, measured: f64, limit: f64) -> Reason {
        Reason { measured, limit, ..self }
    }

    /// This reason, with a sentence ([`Reason::says`]).
    pub fn with_words(self, says: &'static str) -> Reason {
        Reason { says, ..self }
    }
}

/// Most reasons that a command lists; those that come later are counted.
pub const REASONS: usize = 8;

/// A command, until the next one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Command {
    /// The number of the step, from 1.
    pub step: u64,
    /// The time of the state that was judged (s).
    pub t: f64,
    /// What the arms may do.
    pub action: Action,
    /// At which part of the speed that they have asked for, from 0 to 1: 1 to go on, 0 to stop.
    pub speed: f64,
    /// How to stop.
    pub category: Option<Category>,
    /// Lower and upper bound of the smallest signed distance of the checked pairs at the measured positions
    /// (m).
    pub distance: Option<[f64; 2]>,
    /// Its pair.
    pub pair: Option<BodyPair>,
    /// If bodies touch there on pads alone, none pressed as far as it gives way: how far a pad can still be
    /// pressed in at least (m, > 0). The verdict is `ExpectedContact` then.
    pub pad_left: Option<f64>,
    reasons: [Option<Reason>; REASONS],
    /// The first reason for a stop that waits for a reset, listed or not: where stops for pairs end by
    /// themselves, and where they do not.
    latches: [Option<Reason>; 2],
    /// How many reasons are not listed.
    pub more: u32,
    /// The contact that the operator is asked about.
    pub ask: Option<BodyPair>,
    /// The work.
    pub work: StepWork,
    /// Of the world and of all that the guard was told.
    pub fingerprint: u64,
}

impl Command {
    /// To go on.
    pub(crate) fn new_permit(step: u64, t: f64, fingerprint: u64) -> Command {
        Command {
            step,
            t,
            action: Action::Permit,
            speed: 1.0,
            category: None,
            distance: None,
            pair: None,
            pad_left: None,
            reasons: [None; REASONS],
            latches: [None; 2],
            more: 0,
            ask: None,
            work: StepWork::default(),
            fingerprint,
        }
    }

    /// The reasons, those that were found first first.
    pub fn reasons(&self) -> impl Iterator<Item = &Reason> {
        self.reasons.iter().flatten()
    }

    /// Why the arms wait for a reset, if they do; `restarts` says whether a stop for a pair ends by itself.
    pub(super) fn latching_reason(&self, restarts: bool) -> Option<Reason> {
        let [some, all] = self.latches;
        if restarts { some } else { all }
    }

    fn add(&mut self, reason: Reason) {
        match self.reasons.iter_mut().find(|place| place.is_none()) {
            Some(place) => *place = Some(reason),
            None => self.more = self.more.saturating_add(1),
        }
    }

    /// Stops for a reason. The lower category wins.
    pub(crate) fn stop_for(&mut self, category: Category, reason: Reason) {
        let rank = |category: &Category| match category {
            Category::Zero => 0,
            Category::One => 1,
            Category::Two => 2,
        };
        (self.action, self.speed) = (Action::Stop, 0.0);
        self.category = [self.category, Some(category)].into_iter().flatten().min_by_key(rank);
        for (place, restarts) in self.latches.iter_mut().zip([true, false]) {
            if reason.kind.waits_for_reset(restarts) {
                *place = place.or(Some(reason));
            }
        }
        self.add(reason);
    }

    /// A command to go slower stays one, to a smaller factor and for the same reasons.
    pub(crate) fn hold_factor(&mut self, factor: f64) {
        if self.action == Action::Slow {
            self.speed = self.speed.min(factor);
        }
    }

    /// Slows down to a factor for a reason; a command to stop stays one. A factor from 1 on is none.
    pub(crate) fn slow_for(&mut self, factor: f64, reason: Reason) {
        let factor = if factor.is_nan() { 0.0 } else { factor.max(0.0) };
        if self.action == Action::Stop || factor >= 1.0 {
            return;
        }
        self.action = Action::Slow;
        self.speed = self.speed.min(factor);
        self.add(reason);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reason that is not listed any more latches too; one that only slows down does not.
    #[test]
    fn what_stopped_the_arms_latches_and_nothing_else() {
        let mut command = Command::new_permit(1, 0.0, 0);
        command.slow_for(0.5, Reason::new(ReasonKind::Velocity));
        for _ in 0..REASONS {
            command.stop_for(Category::Two, Reason::new(ReasonKind::Waiting));
        }
        assert_eq!((command.latching_reason(true), command.latching_reason(false)), (None, None));
        command.stop_for(Category::One, Reason::new(ReasonKind::Collision));
        command.stop_for(Category::One, Reason::new(ReasonKind::Effort));
        assert_eq!(command.latching_reason(true).map(|reason| reason.kind), Some(ReasonKind::Effort));
        assert_eq!(command.latching_reason(false).map(|reason| reason.kind), Some(ReasonKind::Collision));
        assert_eq!((command.reasons().count(), command.more), (REASONS, 3));
    }
}
