//! Why a guard refuses an event.

use std::fmt;

/// Why an event is refused.
#[derive(Clone, Debug, PartialEq)]
pub enum Refusal {
    /// The engine refuses it; its words.
    Engine(String),
    /// The hand is not near the object, or not at a part of it that it may take.
    OutOfReach {
        /// The smallest distance to a part that may be taken (m); infinite if none was measured.
        distance: f64,
        /// The grasp range (m).
        range: f64,
    },
    /// It contradicts what the guard was told about the cell.
    Unfit(&'static str),
    /// The task does not mean it.
    NotMeant(&'static str),
    /// What it carries may not touch a zone, or people.
    NeverTouched,
    /// The object has no support there and would fall.
    Falls,
    /// Something is where it is placed.
    Occupied {
        /// Its name.
        by: String,
        /// How deep the two would overlap, at most (m).
        depth: f64,
        /// How deep they may: nothing, but for a support.
        most: f64,
    },
    /// The body jumps.
    Teleport {
        /// How far (m).
        way: f64,
        /// How far it turns (rad).
        turn: f64,
        /// How far it may.
        most: f64,
    },
    /// A person would be farther from the arms than they can have come.
    Jumps {
        /// How far (m).
        way: f64,
        /// How far they may have come since the last report (m).
        most: f64,
    },
    /// The joints are not known yet.
    NoState,
    /// A time is NaN, before that of the last state, or later than the next one may come.
    Time,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Engine(words) => f.write_str(words),
            Refusal::OutOfReach { distance, range } if distance.is_finite() => {
                write!(f, "what takes it is {distance:.4} m away, and reaches {range} m (grasp_range)")
            }
            Refusal::OutOfReach { .. } => f.write_str(
                "no part of it may be taken by this hand: the part that is taken needs the role manipulating",
            ),
            Refusal::Unfit(says) => f.write_str(says),
            Refusal::NotMeant(says) => write!(f, "the task does not mean this contact: \"{says}\""),
            Refusal::NeverTouched => f.write_str("touch names a zone, or people: these are never touched"),
            Refusal::Occupied { by, depth, most } => write!(
                f,
                "it would lie {depth:.4} m deep in {by}, and may at most {most} m: what is placed must be \
                 free, or stand on something that supports (grasp_range)"
            ),
            Refusal::Falls => f.write_str("the object has no support there and would fall"),
            Refusal::Teleport { way, turn, most } => write!(
                f,
                "the body is {way:.4} m and {turn:.4} rad from where it was, more than {most}; say \
                 \"teleport\": true if somebody carried it there"
            ),
            Refusal::Jumps { way, most } => write!(
                f,
                "the person would be {way:.3} m from where they were told to be, away from the arms, and can \
                 have come {most:.3} m since: the tracker may have lost them; say \"teleport\": true if not"
            ),
            Refusal::NoState => f.write_str("the joints have not reported yet"),
            Refusal::Time => f.write_str(
                "its time is before that of the last state or silence, or later than the next one may come",
            ),
        }
    }
}

impl std::error::Error for Refusal {}
