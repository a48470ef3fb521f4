//! Why a change of the world is refused. A refused change leaves everything as it was.

use crate::bounds::PointFault;
use crate::pose::tolerance::MAX_ALLOWED_NOW;
use alloc::string::String;
use core::fmt;
use elbowroom_describe::fault::Numeral;
use elbowroom_describe::fault::TransformProblem;

/// Why a change is refused, with the full names of bodies. Everything stays as it was.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ChangeFault {
    /// A body's number that this world does not have.
    NoBody {
        /// The number.
        number: u32,
    },
    /// The description does not say that the body is movable.
    NotMovable {
        /// The body.
        body: String,
    },
    /// The pose is not a rigid transform within bounds.
    BadPose {
        /// The body that should be placed.
        body: String,
        /// What is wrong.
        problem: TransformProblem,
    },
    /// The body is carried already: detach it first.
    Carried {
        /// The body.
        body: String,
        /// Who carries it.
        carrier: String,
    },
    /// The body is not carried.
    NotCarried {
        /// The body.
        body: String,
    },
    /// The body would carry itself.
    Circle {
        /// The body.
        body: String,
        /// Who should carry it.
        carrier: String,
    },
    /// The body is hidden already.
    Hidden {
        /// The body.
        body: String,
    },
    /// The body is not hidden.
    NotHidden {
        /// The body.
        body: String,
    },
    /// The two bodies are never checked against each other, so there is nothing to allow or to forbid.
    NeverChecked {
        /// One body.
        a: String,
        /// The other.
        b: String,
    },
    /// The pair was not allowed by [`Checker::allow_contact`](crate::Checker::allow_contact).
    NotAllowed {
        /// One body.
        a: String,
        /// The other.
        b: String,
    },
    /// No more pairs can be allowed for the time being.
    TooManyAllowed,
    /// The body has no joint on its carrier now.
    NoDoor {
        /// The body.
        body: String,
    },
    /// The value is outside the limits of the body's joint on its carrier, or NaN.
    BadOpening {
        /// The body.
        body: String,
        /// The value (radians or metres).
        value: f64,
        /// Smallest allowed.
        lower: f64,
        /// Largest allowed.
        upper: f64,
    },
    /// The body is a cloud: its points are given in the world, and nothing carries it.
    Cloud {
        /// The body.
        body: String,
    },
    /// The body is no cloud, so it has no points.
    NoCloud {
        /// The body.
        body: String,
    },
    /// There is no point. Nothing is known of what is there; where it is known that nothing is there, the
    /// cloud can be hidden.
    NothingSeen {
        /// The cloud.
        body: String,
    },
    /// The body is no spare place, so it has the shapes of its description for ever.
    NotSpare {
        /// The body.
        body: String,
    },
    /// The shape has more corners than there is room for; what was there stays.
    TooManyCorners {
        /// The spare place.
        body: String,
        /// Corners of the shape.
        corners: usize,
        /// Most corners that the description gives room for.
        room: usize,
    },
    /// The spare place is empty already.
    NotFilled {
        /// The spare place.
        body: String,
    },
    /// The points cannot be used; those before stay.
    Points {
        /// The cloud.
        body: String,
        /// Why.
        fault: PointFault,
    },
}

impl fmt::Display for ChangeFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChangeFault::NoBody { number } => write!(f, "this world has no body number {number}"),
            ChangeFault::NotMovable { body } => {
                write!(f, "`{body}` is not movable: its description must say `movable = true`")
            }
            ChangeFault::BadPose { body, problem } => {
                write!(f, "`{body}` cannot be placed there: its pose {problem}")
            }
            ChangeFault::Carried { body, carrier } => {
                write!(f, "`{body}` is carried by `{carrier}`: detach it first")
            }
            ChangeFault::NotCarried { body } => {
                write!(f, "`{body}` is not carried, so it cannot be detached")
            }
            ChangeFault::Circle { body, carrier } => {
                write!(f, "`{body}` cannot be attached to `{carrier}`: it would carry itself")
            }
            ChangeFault::Hidden { body } => write!(f, "`{body}` is hidden already"),
            ChangeFault::NotHidden { body } => write!(f, "`{body}` is not hidden, so it cannot be shown"),
            ChangeFault::NeverChecked { a, b } => {
                write!(f, "`{a}` and `{b}` are never checked against each other")
            }
            ChangeFault::NotAllowed { a, b } => {
                write!(f, "`{a}` and `{b}` were not allowed while the world was asked")
            }
            ChangeFault::NoDoor { body } => {
                write!(f, "`{body}` has no joint on what carries it, so it can be neither opened nor closed")
            }
            ChangeFault::BadOpening { body, value, lower, upper } => {
                let (value, lower, upper) = (Numeral(*value), Numeral(*lower), Numeral(*upper));
                write!(f, "`{body}` cannot be opened to {value}: its limits are {lower} to {upper}")
            }
            ChangeFault::Cloud { body } => {
                write!(
                    f,
                    "`{body}` is a cloud, which cannot be placed or attached: give its points in the world \
                     frame"
                )
            }
            ChangeFault::NoCloud { body } => write!(f, "`{body}` is no cloud, so it takes no points"),
            ChangeFault::NothingSeen { body } => {
                write!(f, "there is no point for `{body}`: hide it if that means that nothing is there")
            }
            ChangeFault::NotSpare { body } => write!(
                f,
                "`{body}` is no spare place, so it can be neither filled nor emptied: its description must \
                 be that of a spare place"
            ),
            ChangeFault::TooManyCorners { body, corners, room } => write!(
                f,
                "`{body}` has room for {room} corners, and the shape has {corners}: give the place more room \
                 in its description, or a shape with fewer corners"
            ),
            ChangeFault::NotFilled { body } => {
                write!(f, "`{body}` is empty already")
            }
            ChangeFault::Points { body, fault } => write!(f, "the points of `{body}`: {fault}"),
            ChangeFault::TooManyAllowed => {
                write!(
                    f,
                    "no more than {MAX_ALLOWED_NOW} pairs can be allowed for the time being: allow fewer"
                )
            }
        }
    }
}

impl core::error::Error for ChangeFault {}
