//! Why a piece of a spline is refused.

use crate::pose::fault::PoseFault;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use elbowroom_describe::fault::{Numeral, write_lines};
use elbowroom_describe::limits::MAX_COORDINATE;

/// Digits of a value that leaves its limits, and of its time. The value has more where these do not show that
/// it is beyond.
const LIMIT_DIGITS: usize = 6;

/// Why a [`SplinePiece`](super::SplinePiece) is refused. Displayed one value a line.
#[derive(Clone, PartialEq)]
pub enum SplineFault {
    /// Its length is not a positive, finite number of seconds.
    Seconds(f64),
    /// Too few or too many numbers.
    WrongCount {
        /// Of what, as "positions at the start".
        what: &'static str,
        /// How many joint values the world has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// Values that cannot be used; all of them are listed.
    Values(Vec<SplineValueFault>),
    /// An end of it is refused.
    Pose(PoseFault),
    /// It was made for a world with other joints.
    OtherWorld,
}

/// A joint value of a piece that is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct SplineValueFault {
    /// Full name of the value, or of the mimic joint whose limits are left.
    pub name: String,
    /// What is wrong with it.
    pub problem: SplineProblem,
}

/// What is wrong with a joint value of a piece.
#[derive(Clone, Debug, PartialEq)]
pub enum SplineProblem {
    /// A number is NaN or infinite.
    NotFinite {
        /// Which, as "coefficient 2".
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// Its terms add up to more than 1e9 (metres, radians).
    TooLarge {
        /// Their sum.
        size: f64,
    },
    /// A tolerance is negative or not finite.
    Tolerance(f64),
    /// A tolerance of a quaternion that is not in the first of its four numbers.
    TolerancePlace,
    /// An orientation turns at one speed from its start to its end: nothing else can be given of it.
    Orientation,
    /// It leaves these limits.
    OutOfLimits {
        /// The full name of the value that it follows, if it is a mimic joint.
        follows: Option<String>,
        /// A value beyond them (radians or metres).
        value: f64,
        /// Smallest allowed.
        lower: f64,
        /// Largest allowed.
        upper: f64,
        /// Where it has that value, as a fraction of the piece.
        at: f64,
        /// And in seconds since the piece began.
        seconds: f64,
    },
}

impl fmt::Display for SplineFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SplineFault::Seconds(seconds) => {
                write!(f, "a piece of {} s: its length must be more than 0", Numeral(*seconds))
            }
            SplineFault::WrongCount { what, expected, given } => {
                write!(f, "{given} {what} were given, but the world has {expected} joint values")
            }
            SplineFault::Values(faults) => write_lines(f, faults.iter()),
            SplineFault::Pose(fault) => fault.fmt(f),
            SplineFault::OtherWorld => {
                f.write_str("the piece was made for a world with other joints: make it for this one")
            }
        }
    }
}

impl fmt::Display for SplineValueFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`", self.name)?;
        match &self.problem {
            SplineProblem::NotFinite { what, value } => {
                write!(f, " has the {what} {}: it must be finite", Numeral(*value))
            }
            SplineProblem::TooLarge { size } => {
                write!(f, " has terms that add up to {}: at most {MAX_COORDINATE:e}", Numeral(*size))
            }
            SplineProblem::Tolerance(value) => {
                write!(f, " has the tolerance {}: it must be finite and not negative", Numeral(*value))
            }
            SplineProblem::TolerancePlace => {
                f.write_str(" is a part of a quaternion: give the tolerance, an angle, with its first number")
            }
            SplineProblem::Orientation => f.write_str(
                " is a part of a quaternion, which turns at one speed: give its start and its end, and \
                 0 for all else",
            ),
            SplineProblem::OutOfLimits { follows, value, lower, upper, at, seconds } => {
                if let Some(leader) = follows {
                    write!(f, ", which follows `{leader}`,")?;
                }
                let end = if value > upper { upper } else { lower };
                let [value, _] = Numeral::apart([*value, *end], LIMIT_DIGITS);
                let [lower, upper] = [lower, upper].map(|v| Numeral(*v));
                let [at, seconds] = [at, seconds].map(|v| Numeral::apart([*v, 0.0], LIMIT_DIGITS)[0]);
                write!(
                    f,
                    " is {value} at {seconds} s ({at} of the piece), outside its limits {lower} to {upper}"
                )
            }
        }
    }
}

impl fmt::Debug for SplineFault {
    /// The words of [`Display`](fmt::Display), for a `main` that returns this error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for SplineFault {}

impl core::error::Error for SplineValueFault {}

impl From<PoseFault> for SplineFault {
    fn from(fault: PoseFault) -> SplineFault {
        SplineFault::Pose(fault)
    }
}
