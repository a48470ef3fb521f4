//! Which joint values are refused, and why.

use crate::model::kinematics::ValueKind;
use crate::model::tolerance::LIMIT_ROUNDING;
use crate::model::world::World;
use crate::pose::tolerance::QUATERNION_DEFECT;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use elbowroom_describe::fault::{Numeral, write_lines};
use elbowroom_describe::limits::MAX_COORDINATE;
use elbowroom_describe::math::sqrt;

/// Which joint values [`Checker::set_with`](crate::Checker::set_with) accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SetOptions {
    /// Accept values outside their joints' limits.
    pub ignore_limits: bool,
}

/// Why joint values are refused. Displayed one value a line.
#[derive(Clone, PartialEq)]
pub enum PoseFault {
    /// Too few or too many values.
    WrongCount {
        /// How many the world has.
        expected: usize,
        /// How many were given.
        given: usize,
    },
    /// Values that cannot be used; all of them are listed.
    Values(Vec<ValueFault>),
}

/// A joint value that is refused.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueFault {
    /// Full name of the value, or of the mimic joint whose limits are violated.
    pub name: String,
    /// If it is a mimic joint, the full name of the value that it follows.
    pub follows: Option<String>,
    /// The value (radians or metres).
    pub value: f64,
    /// What is wrong with it.
    pub problem: ValueProblem,
}

/// What is wrong with a joint value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ValueProblem {
    /// Outside these limits.
    OutOfLimits {
        /// Smallest allowed (radians or metres).
        lower: f64,
        /// Largest allowed.
        upper: f64,
    },
    /// NaN or infinite.
    NotFinite,
    /// A length or angle beyond 1e9 (metres, radians).
    TooLarge,
    /// The first of four numbers that are not a unit quaternion.
    NotAUnitQuaternion {
        /// Their length.
        length: f64,
    },
}

impl fmt::Display for PoseFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PoseFault::WrongCount { expected, given } => {
                write!(f, "{given} joint values were given, but the world has {expected}")
            }
            PoseFault::Values(faults) => write_lines(f, faults.iter()),
        }
    }
}

impl fmt::Display for ValueFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ValueFault { name, follows, value, problem } = self;
        let value = Numeral(*value);
        let follows = follows.as_ref().map_or(String::new(), |leader| format!(", which follows `{leader}`,"));
        match problem {
            ValueProblem::OutOfLimits { lower, upper } => {
                let (lower, upper) = (Numeral(*lower), Numeral(*upper));
                write!(f, "`{name}`{follows} is {value}, outside its limits {lower} to {upper}")
            }
            ValueProblem::NotFinite => write!(f, "`{name}` is {value}: it must be finite"),
            ValueProblem::TooLarge => write!(f, "`{name}` is {value}: it must be within {MAX_COORDINATE:e}"),
            ValueProblem::NotAUnitQuaternion { length } => {
                let length = Numeral(*length);
                write!(f, "`{name}` begins a quaternion of length {length}: it must have length 1")
            }
        }
    }
}

impl fmt::Debug for PoseFault {
    /// The words of [`Display`](fmt::Display), for a `main` that returns this error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for PoseFault {}

impl core::error::Error for ValueFault {}

/// True if [`value_faults`] would find no fault other than limits.
pub(crate) fn are_values(world: &World, values: &[f64]) -> bool {
    let good = |(i, kind): (usize, &ValueKind)| value_problem(*kind, i, values).is_none();
    world.kinematics.value_kinds.iter().enumerate().all(good)
}

/// True if joint values are within limits.
pub(crate) fn within_limits(world: &World, values: &[f64]) -> bool {
    world.kinematics.limits.iter().all(|l| {
        let value = l.scale * values[l.value] + l.offset;
        value >= l.lower - LIMIT_ROUNDING && value <= l.upper + LIMIT_ROUNDING
    })
}

fn value_problem(kind: ValueKind, i: usize, values: &[f64]) -> Option<ValueProblem> {
    if !values[i].is_finite() {
        return Some(ValueProblem::NotFinite);
    }
    match kind {
        ValueKind::Length | ValueKind::Angle if values[i].abs() > MAX_COORDINATE => {
            Some(ValueProblem::TooLarge)
        }
        ValueKind::Quaternion => {
            let squares: f64 = values[i..i + 4].iter().map(|v| v * v).sum();
            let length = sqrt(squares);
            let good = (length - 1.0).abs() <= QUATERNION_DEFECT || length.is_nan();
            (!good).then_some(ValueProblem::NotAUnitQuaternion { length })
        }
        _ => None,
    }
}

#[cold]
pub(crate) fn value_faults(world: &World, values: &[f64], options: SetOptions) -> Vec<ValueFault> {
    let mut faults = Vec::new();
    for (i, kind) in world.kinematics.value_kinds.iter().enumerate() {
        if let Some(problem) = value_problem(*kind, i, values) {
            let name = world.kinematics.dof_names[i].clone();
            faults.push(ValueFault { name, follows: None, value: values[i], problem });
        }
    }
    let limits =
        world.kinematics.limits.iter().filter(|l| !options.ignore_limits && values[l.value].is_finite());
    for l in limits {
        let value = l.scale * values[l.value] + l.offset;
        if !(value >= l.lower - LIMIT_ROUNDING && value <= l.upper + LIMIT_ROUNDING) {
            let problem = ValueProblem::OutOfLimits { lower: l.lower, upper: l.upper };
            let joint = &world.kinematics.joints[l.joint];
            // Its limits say more than that it is too large.
            faults.retain(|told| told.problem != ValueProblem::TooLarge || told.name != joint.name);
            let follows = joint.follows.map(|rule| world.kinematics.dof_names[rule.value].clone());
            faults.push(ValueFault { name: joint.name.clone(), follows, value, problem });
        }
    }
    faults
}
