//! The commands of a guard, for C.

use crate::border::text_for_c;
use crate::world::{ELBOWROOM_NONE, body_numbers};
use elbowroom_monitor::guard::{Category, REASONS, Reason, ReasonKind};
use elbowroom_monitor::{Action, Command};
use std::ffi::{CString, c_char};
use std::sync::OnceLock;

/// The most reasons that a command lists; further ones are counted.
pub const ELBOWROOM_MAX_REASONS: usize = 8;

const _: () = assert!(ELBOWROOM_MAX_REASONS == REASONS);

/// What the arms may do until the next command.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElbowroomAction {
    /// Go on.
    Permit = 0,
    /// Go on, at the speed of the command.
    Slow = 1,
    /// Stop.
    Stop = 2,
}

/// The stop categories of IEC 60204-1.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElbowroomCategory {
    /// Power is removed at once.
    Zero = 0,
    /// The arms brake, then power is removed.
    One = 1,
    /// The arms brake and keep power.
    Two = 2,
    /// No stop.
    None = 3,
}

/// Why a command is not to go on at full speed.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElbowroomReason {
    /// What it is, in one word for programs: those of docs/monitor.md, as in `collision`. Never null.
    pub word: *const c_char,
    /// More about it, for a person; without a zero at its end. It lives as long as the program.
    pub says: *const c_char,
    /// How many bytes `says` has.
    pub says_length: usize,
    /// The two bodies, the same twice where it is about one; ELBOWROOM_NONE for none.
    pub body_a: u32,
    /// The second body.
    pub body_b: u32,
    /// The joint value; ELBOWROOM_NONE for none.
    pub value: u32,
    /// The arm; ELBOWROOM_NONE for none.
    pub arm: u32,
    /// What was measured or proved, in the unit of the limit.
    pub measured: f64,
    /// What it must not exceed, or fall below.
    pub limit: f64,
}

/// A command, until the next one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElbowroomCommand {
    /// The number of the step, from 1.
    pub step: u64,
    /// The time of the state that was judged (s).
    pub t: f64,
    /// What the arms may do.
    pub action: ElbowroomAction,
    /// How to stop.
    pub category: ElbowroomCategory,
    /// At which part of the speed that they have asked for, from 0 to 1: 1 to go on, 0 to stop.
    pub speed: f64,
    /// The smallest signed distance at the measured positions is at least this (metres); minus infinity where
    /// it was not measured.
    pub lower: f64,
    /// And at most this.
    pub upper: f64,
    /// Its pair; ELBOWROOM_NONE for none.
    pub body_a: u32,
    /// The second body.
    pub body_b: u32,
    /// How many reasons are listed.
    pub reason_count: u32,
    /// How many are not.
    pub more: u32,
    /// The reasons, those that were found first first.
    pub reasons: [ElbowroomReason; ELBOWROOM_MAX_REASONS],
    /// The contact that the operator is asked about; ELBOWROOM_NONE for none.
    pub ask_a: u32,
    /// Its second body.
    pub ask_b: u32,
    /// Fingerprint of the world and of everything that the guard was told.
    pub fingerprint: u64,
}

/// The words of all reasons as texts for C. The first guard makes them, since a step must not allocate.
pub(crate) fn reason_words() -> &'static [(ReasonKind, CString)] {
    static WORDS: OnceLock<Vec<(ReasonKind, CString)>> = OnceLock::new();
    WORDS.get_or_init(|| ReasonKind::ALL.iter().map(|kind| (*kind, text_for_c(kind.word()))).collect())
}

fn reason_for_c(reason: &Reason) -> ElbowroomReason {
    let word = reason_words().iter().find(|(kind, _)| *kind == reason.kind);
    let [body_a, body_b] = body_numbers(reason.pair);
    ElbowroomReason {
        word: word.map_or(c"unknown".as_ptr(), |(_, word)| word.as_ptr()),
        says: reason.says.as_ptr().cast(),
        says_length: reason.says.len(),
        body_a,
        body_b,
        value: reason.value.unwrap_or(ELBOWROOM_NONE),
        arm: reason.arm.unwrap_or(ELBOWROOM_NONE),
        measured: reason.measured,
        limit: reason.limit,
    }
}

const NO_REASON: ElbowroomReason = ElbowroomReason {
    word: c"".as_ptr(),
    says: c"".as_ptr(),
    says_length: 0,
    body_a: ELBOWROOM_NONE,
    body_b: ELBOWROOM_NONE,
    value: ELBOWROOM_NONE,
    arm: ELBOWROOM_NONE,
    measured: 0.0,
    limit: 0.0,
};

/// The command to stop at once. C gets it where no step could be made.
pub(crate) const STOP: ElbowroomCommand = ElbowroomCommand {
    step: 0,
    t: f64::NAN,
    action: ElbowroomAction::Stop,
    category: ElbowroomCategory::Zero,
    speed: 0.0,
    lower: f64::NEG_INFINITY,
    upper: f64::INFINITY,
    body_a: ELBOWROOM_NONE,
    body_b: ELBOWROOM_NONE,
    reason_count: 0,
    more: 0,
    reasons: [NO_REASON; ELBOWROOM_MAX_REASONS],
    ask_a: ELBOWROOM_NONE,
    ask_b: ELBOWROOM_NONE,
    fingerprint: 0,
};

impl From<&Command> for ElbowroomCommand {
    fn from(command: &Command) -> ElbowroomCommand {
        let mut reasons = [NO_REASON; ELBOWROOM_MAX_REASONS];
        let mut reason_count = 0;
        for (place, reason) in reasons.iter_mut().zip(command.reasons()) {
            *place = reason_for_c(reason);
            reason_count += 1;
        }
        let [lower, upper] = command.distance.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let ([body_a, body_b], [ask_a, ask_b]) = (body_numbers(command.pair), body_numbers(command.ask));
        ElbowroomCommand {
            step: command.step,
            t: command.t,
            action: match command.action {
                Action::Permit => ElbowroomAction::Permit,
                Action::Slow => ElbowroomAction::Slow,
                Action::Stop => ElbowroomAction::Stop,
            },
            category: match command.category {
                Some(Category::Zero) => ElbowroomCategory::Zero,
                Some(Category::One) => ElbowroomCategory::One,
                Some(Category::Two) => ElbowroomCategory::Two,
                None => ElbowroomCategory::None,
            },
            speed: command.speed,
            lower,
            upper,
            body_a,
            body_b,
            reason_count,
            more: command.more,
            reasons,
            ask_a,
            ask_b,
            fingerprint: command.fingerprint,
        }
    }
}
