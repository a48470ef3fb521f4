//! Questions and answers, as C has them.

use crate::border::CallFault;
use crate::pointers::{borrow_if_given, check_pointer};
use crate::world::{ELBOWROOM_NONE, WorldParts};
use elbowroom::pair::{Effort, Stop, Witness};
use elbowroom::{Answer, Geometry, Interval, PairAnswer, PairId, Question, Verdict};
use std::ffi::c_char;

/// What a clearance means for a robot, from harmless to worst.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElbowroomVerdict {
    /// Proved farther apart than the margin.
    Clear = 0,
    /// Proved apart, but not by the margin.
    Near = 1,
    /// Contact that the task intends. No function of this library returns it: distances are those of the
    /// declared bodies, and pads do not count.
    ExpectedContact = 2,
    /// Overlap is proved.
    Collision = 3,
    /// None of these is proved: stop.
    Unknown = 4,
}

impl From<Verdict> for ElbowroomVerdict {
    fn from(verdict: Verdict) -> ElbowroomVerdict {
        match verdict {
            Verdict::Clear => ElbowroomVerdict::Clear,
            Verdict::Near => ElbowroomVerdict::Near,
            Verdict::ExpectedContact => ElbowroomVerdict::ExpectedContact,
            Verdict::Collision => ElbowroomVerdict::Collision,
            Verdict::Unknown => ElbowroomVerdict::Unknown,
        }
    }
}

/// The word of a verdict, as in `near`. A number that is no verdict is `unknown`.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub extern "C" fn elbowroom_verdict_word(verdict: u32) -> *const c_char {
    match verdict {
        0 => c"clear".as_ptr(),
        1 => c"near".as_ptr(),
        2 => c"expected_contact".as_ptr(),
        3 => c"collision".as_ptr(),
        _ => c"unknown".as_ptr(),
    }
}

/// Why a search stopped. It explains the width of an interval. The interval is proved in every case.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElbowroomStop {
    /// Bounds alone decided, so there are no points.
    None = 0,
    /// A formula gave the answer.
    ClosedForm = 1,
    /// The interval is as narrow as asked.
    Converged = 2,
    /// The question was answered before the interval was narrow.
    Decided = 3,
    /// Rounding.
    Stalled = 4,
    /// The iteration limit was reached.
    IterationLimit = 5,
    /// Overlap is proved, but its depth is only bracketed. Moving the first body along the normal by minus
    /// the lower end is proved to separate the two.
    Bracketed = 6,
    /// The surfaces are apart, but an open mesh shuts one body in.
    ShutIn = 7,
}

impl From<Option<Stop>> for ElbowroomStop {
    fn from(stop: Option<Stop>) -> ElbowroomStop {
        match stop {
            None => ElbowroomStop::None,
            Some(Stop::ClosedForm) => ElbowroomStop::ClosedForm,
            Some(Stop::Converged) => ElbowroomStop::Converged,
            Some(Stop::Decided) => ElbowroomStop::Decided,
            Some(Stop::Stalled) => ElbowroomStop::Stalled,
            Some(Stop::IterationLimit) => ElbowroomStop::IterationLimit,
            Some(Stop::Bracketed) => ElbowroomStop::Bracketed,
            Some(Stop::ShutIn) => ElbowroomStop::ShutIn,
        }
    }
}

/// Settings of a question. All zero is the default; a null pointer stands for the default too.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ElbowroomQuestion {
    /// Clearance below which the verdict is `near` (metres); null for the world's margin.
    pub margin: *const f64,
    /// Pairs proved farther apart than this need no exact distance (metres); null for infinity.
    pub cutoff: *const f64,
    /// Whether meshes count as their convex hulls.
    pub use_hulls: bool,
    /// Whether depths of meshes that are not convex are bracketed to a hundredth.
    pub tight_depth: bool,
}

/// Adds the settings of C to a question.
///
/// # Safety
/// The pointer is null or points to a question. The pointers in it are null or point to numbers.
pub(crate) unsafe fn read_question(
    begun: Question,
    said: *const ElbowroomQuestion,
) -> Result<Question, CallFault> {
    let mut question = begun;
    // SAFETY: the caller of this function guarantees it, here and below.
    let Some(said) = (unsafe { borrow_if_given(said, "question")? }) else { return Ok(question) };
    // SAFETY: as above.
    let (margin, cutoff) =
        unsafe { (borrow_if_given(said.margin, "margin")?, borrow_if_given(said.cutoff, "cutoff")?) };
    if let Some(margin) = margin {
        question = question.margin(*margin);
    }
    if let Some(cutoff) = cutoff {
        question = question.cutoff(*cutoff);
    }
    if said.use_hulls {
        question = question.geometry(Geometry::Hull);
    }
    if said.tight_depth {
        question = question.depth(Effort::TIGHT);
    }
    Ok(question)
}

/// A proved answer, of all checked pairs together or of one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElbowroomAnswer {
    /// What the interval means.
    pub verdict: ElbowroomVerdict,
    /// Why the search of the pair stopped.
    pub stop: ElbowroomStop,
    /// The signed distance is at least this (metres); minus infinity where nothing is proved.
    pub lower: f64,
    /// And at most this; infinite where only a lower bound was wanted.
    pub upper: f64,
    /// One number of the interval, for people.
    pub distance: f64,
    /// The nearest pair, as far as that is known; ELBOWROOM_NONE where no pair is checked.
    pub pair: u32,
    /// Its first body; ELBOWROOM_NONE for none.
    pub body_a: u32,
    /// Its second body.
    pub body_b: u32,
    /// Whether there are points.
    pub has_points: bool,
    /// Point of the first body that is nearest, or deepest (metres, world frame).
    pub point_a: [f64; 3],
    /// Point of the second body.
    pub point_b: [f64; 3],
    /// Unit vector along which the first body escapes from the second.
    pub normal: [f64; 3],
}

/// Nothing is proved. It is written before a question is asked, for the case that the call fails: to C, zeros
/// would mean clear.
pub(crate) const UNPROVED: ElbowroomAnswer = ElbowroomAnswer {
    verdict: ElbowroomVerdict::Unknown,
    stop: ElbowroomStop::None,
    lower: f64::NEG_INFINITY,
    upper: f64::INFINITY,
    distance: f64::NEG_INFINITY,
    pair: ELBOWROOM_NONE,
    body_a: ELBOWROOM_NONE,
    body_b: ELBOWROOM_NONE,
    has_points: false,
    point_a: [0.0; 3],
    point_b: [0.0; 3],
    normal: [0.0; 3],
};

/// The fields that answers of worlds and of pairs share.
struct Found {
    verdict: Verdict,
    interval: Interval,
    distance: f64,
    pair: Option<PairId>,
    witness: Option<Witness>,
    stop: Option<Stop>,
}

impl ElbowroomAnswer {
    pub(crate) fn of_world(answer: &Answer, parts: &WorldParts) -> ElbowroomAnswer {
        let Answer { verdict, interval, distance, pair, witness, stop, .. } = *answer;
        ElbowroomAnswer::new(Found { verdict, interval, distance, pair, witness, stop }, parts)
    }

    pub(crate) fn of_pair(answer: &PairAnswer, parts: &WorldParts) -> ElbowroomAnswer {
        let PairAnswer { verdict, interval, distance, pair, witness, stop } = *answer;
        ElbowroomAnswer::new(Found { verdict, interval, distance, pair: Some(pair), witness, stop }, parts)
    }

    fn new(found: Found, parts: &WorldParts) -> ElbowroomAnswer {
        let [body_a, body_b] = parts.bodies_of(found.pair);
        let points = found.witness.map(|points| [points.a, points.b, points.normal].map(|v| v.to_array()));
        let [point_a, point_b, normal] = points.unwrap_or_default();
        ElbowroomAnswer {
            verdict: found.verdict.into(),
            stop: found.stop.into(),
            lower: found.interval.lower,
            upper: found.interval.upper,
            distance: found.distance,
            pair: found.pair.map_or(ELBOWROOM_NONE, |pair| pair.0),
            body_a,
            body_b,
            has_points: found.witness.is_some(),
            point_a,
            point_b,
            normal,
        }
    }

    /// The pair and its points, for a further question about them. Enumerations of C may hold numbers that
    /// Rust's may not, so these fields are not read, and the answer is not borrowed.
    ///
    /// # Safety
    /// The pointer is null or valid for reads of an answer.
    pub(crate) unsafe fn read_points(
        answer: *const ElbowroomAnswer,
    ) -> Result<Option<(PairId, Witness)>, CallFault> {
        check_pointer(answer, "answer")?;
        // SAFETY: `check_pointer` refused null and misaligned pointers; the caller guarantees the rest. Bytes
        // and numbers may hold any bits.
        let (has_points, pair, points) = unsafe {
            let has_points = (&raw const (*answer).has_points).cast::<u8>().read() != 0;
            (has_points, (*answer).pair, [(*answer).point_a, (*answer).point_b, (*answer).normal])
        };
        let [a, b, normal] = points.map(Into::into);
        Ok(has_points.then_some((PairId(pair), Witness { a, b, normal })))
    }
}
