//! The faults of a description. Each message says what is wrong and what to do about it.

pub use crate::hull_fault::HullFault;
use crate::limits::{MAX_COORDINATE, MAX_MIMIC_HOPS, MAX_SPARE_CORNERS};
pub use crate::mesh_fault::MeshFault;
pub use crate::numeral::Numeral;
pub use crate::numeral::write_lines;
pub use crate::pad_fault::PadFault;
pub use crate::shape_fault::ShapeFault;
pub use crate::transform_problem::TransformProblem;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// One fault of a description. Names are full (`robot/link`, `robot/joint`, `world/obstacle`) where they can
/// be.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum CompileFault {
    /// Two things of one kind have the same name.
    DuplicateName {
        /// What they are: `robot`, `body`, `joint`, `group`.
        kind: &'static str,
        /// The name.
        name: String,
    },
    /// A name is empty or means something else.
    BadName {
        /// What has it.
        kind: &'static str,
        /// The name.
        name: String,
        /// What is wrong with it.
        problem: &'static str,
    },
    /// Something refers to a name that does not exist.
    UnknownName {
        /// What refers to it.
        by: String,
        /// What it should be: `link`, `joint`, `body`, ...
        wanted: &'static str,
        /// The name.
        name: String,
    },
    /// A robot has no link.
    NoLinks {
        /// The robot.
        robot: String,
    },
    /// A link is the child of more than one joint.
    SeveralParents {
        /// The link.
        link: String,
        /// The joints.
        joints: Vec<String>,
    },
    /// More than one link of a robot hangs on nothing.
    SeveralRoots {
        /// The robot.
        robot: String,
        /// The links.
        roots: Vec<String>,
    },
    /// Links hang on each other in a ring, or on such a ring.
    Loop {
        /// The robot.
        robot: String,
        /// The links.
        links: Vec<String>,
    },
    /// A transform is not a rigid transform of ordinary size.
    BadTransform {
        /// What has it.
        of: String,
        /// What is wrong with it.
        problem: TransformProblem,
    },
    /// The axis of a joint is zero or not finite.
    BadAxis {
        /// The joint.
        joint: String,
        /// Its axis.
        axis: [f64; 3],
    },
    /// A revolute or prismatic joint has no limits.
    MissingLimits {
        /// The joint.
        joint: String,
    },
    /// Limits that are not finite, too large, or the wrong way round.
    BadLimits {
        /// The joint.
        joint: String,
        /// Lower limit (radians or metres).
        lower: f64,
        /// Upper limit.
        upper: f64,
    },
    /// A mimic joint or the joint that it follows does not have exactly one value, or its numbers are
    /// unusable.
    BadMimic {
        /// The joint.
        joint: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// The joint of a movable obstacle on its carrier cannot be used.
    BadDoor {
        /// The obstacle.
        joint: String,
        /// What is wrong.
        problem: &'static str,
    },
    /// An edit asks for what an edit cannot do.
    CannotEdit {
        /// The obstacle or pair.
        name: String,
        /// Why, and what to do.
        problem: &'static str,
    },
    /// Joints follow each other in a ring.
    MimicLoop {
        /// One of these joints, or a joint that follows one of them.
        joint: String,
    },
    /// A shape cannot be used.
    Shape {
        /// The body.
        body: String,
        /// The shape's name, or its number on the body.
        shape: String,
        /// Why.
        fault: ShapeFault,
    },
    /// A spare place asks for more room than there is for any shape.
    SpareRoom {
        /// The place.
        body: String,
        /// The corners it asks room for.
        corners: usize,
    },
    /// A pad cannot be drawn back.
    Pad {
        /// The pad.
        pad: String,
        /// The link that it names.
        link: String,
        /// Why, and what to do.
        fault: PadFault,
    },
    /// A number of the world is out of its range.
    BadNumber {
        /// Which number.
        what: &'static str,
        /// Its value.
        value: f64,
    },
    /// A group contains itself, or one that does.
    GroupLoop {
        /// The group.
        group: String,
    },
    /// A check names a body that has no shape.
    NothingToCheck {
        /// The body.
        body: String,
        /// The check's other body.
        other: String,
    },
    /// A check names one body twice.
    SelfCheck {
        /// The body.
        body: String,
    },
    /// More than is accepted.
    TooMany {
        /// What there is too much of.
        what: &'static str,
        /// How many are accepted.
        limit: usize,
    },
}

fn join_names(names: &[String]) -> String {
    let shown = names.iter().take(8).cloned().collect::<Vec<_>>().join("`, `");
    match names.len().saturating_sub(8) {
        0 => alloc::format!("`{shown}`"),
        more => alloc::format!("`{shown}` and {more} more"),
    }
}

impl fmt::Display for CompileFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CompileFault::DuplicateName { kind, name } => {
                write!(f, "two {kind} entries are called `{name}`: rename one of them")
            }
            CompileFault::CannotEdit { name, problem } => write!(f, "the edit of `{name}`: {problem}"),
            CompileFault::BadName { kind, name, problem } => write!(f, "{kind} name `{name}` {problem}"),
            CompileFault::UnknownName { by, wanted, name } => {
                write!(
                    f,
                    "{by} refers to `{name}`, but there is no such {wanted}: correct the name or add it"
                )
            }
            CompileFault::NoLinks { robot } => {
                write!(f, "robot `{robot}` has no links: give it at least one")
            }
            CompileFault::SeveralParents { link, joints } => write!(
                f,
                "link `{link}` is the child of {}: a robot is a tree, so keep one of these joints",
                join_names(joints)
            ),
            CompileFault::SeveralRoots { robot, roots } => write!(
                f,
                "links {} of robot `{robot}` hang on nothing: join all but one of them to the rest",
                join_names(roots)
            ),
            CompileFault::Loop { robot, links } => write!(
                f,
                "links {} of robot `{robot}` hang on each other in a ring: remove a joint of it",
                join_names(links)
            ),
            CompileFault::BadTransform { of, problem } => write!(f, "the pose of {of} {problem}"),
            CompileFault::BadAxis { joint, axis } => {
                let [x, y, z] = axis.map(Numeral);
                write!(
                    f,
                    "the axis of joint `{joint}` is ({x}, {y}, {z}): give a finite direction that is not zero"
                )
            }
            CompileFault::MissingLimits { joint } => write!(
                f,
                "joint `{joint}` has no limits: give lower and upper, or make it continuous if it \
                 turns freely"
            ),
            CompileFault::BadLimits { joint, lower, upper } => {
                let (lower, upper) = (Numeral(*lower), Numeral(*upper));
                write!(
                    f,
                    "the limits of joint `{joint}` are {lower} to {upper}: give finite numbers, the lower \
                     first, within {MAX_COORDINATE:e}"
                )
            }
            CompileFault::BadDoor { joint, problem } => {
                write!(f, "the door `{joint}` cannot be used: {problem}")
            }
            CompileFault::BadMimic { joint, problem } => write!(f, "mimic joint `{joint}` {problem}"),
            CompileFault::MimicLoop { joint } => write!(
                f,
                "mimic joint `{joint}` follows joints that follow each other in a ring, or in a chain longer \
                 than {MAX_MIMIC_HOPS}: let one of them move by itself"
            ),
            CompileFault::Shape { body, shape, fault } => {
                write!(f, "shape `{shape}` of body `{body}`: {fault}")
            }
            CompileFault::SpareRoom { body, corners } => write!(
                f,
                "the spare place `{body}` asks for room for {corners} corners: ask for up to \
                 {MAX_SPARE_CORNERS}"
            ),
            CompileFault::Pad { pad, link, fault } => write!(f, "pad `{pad}` of `{link}`: {fault}"),
            CompileFault::BadNumber { what, value } => {
                let value = Numeral(*value);
                write!(f, "{what} is {value}: give a number of metres from 0 to {MAX_COORDINATE:e}")
            }
            CompileFault::GroupLoop { group } => {
                write!(
                    f,
                    "group `{group}` contains itself, or a group that does: take it out of the groups it \
                     contains"
                )
            }
            CompileFault::NothingToCheck { body, other } => write!(
                f,
                "a check of `{body}` against `{other}` is asked for, but `{body}` has no shape: give it one, \
                 or remove the check"
            ),
            CompileFault::SelfCheck { body } => {
                write!(f, "a check of `{body}` against itself is asked for: name two bodies")
            }
            CompileFault::TooMany { what, limit } => {
                write!(f, "there are more than {limit} {what}: split the world")
            }
        }
    }
}

impl core::error::Error for CompileFault {}

/// All that is wrong with a description, at least one fault. Displayed one a line.
#[derive(Clone, PartialEq)]
pub struct Faults(pub Vec<CompileFault>);

impl Faults {
    /// The faults, in the order they were found.
    pub fn iter(&self) -> core::slice::Iter<'_, CompileFault> {
        self.0.iter()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are none. A description without faults is compiled, so this is false there.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl fmt::Display for Faults {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_lines(f, self.iter())
    }
}

impl fmt::Debug for Faults {
    /// The words of [`Display`](fmt::Display), for a `main` that returns this error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for Faults {}

impl IntoIterator for Faults {
    type Item = CompileFault;
    type IntoIter = alloc::vec::IntoIter<CompileFault>;
    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<'f> IntoIterator for &'f Faults {
    type Item = &'f CompileFault;
    type IntoIter = core::slice::Iter<'f, CompileFault>;
    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
