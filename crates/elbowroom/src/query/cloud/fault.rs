//! Why poses are refused.

use core::fmt;
use elbowroom_describe::fault::TransformProblem;

/// Why shapes cannot be asked about a cloud.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CloudFault {
    /// There are not as many poses as shapes.
    Poses {
        /// How many poses were given.
        given: usize,
        /// How many shapes there are.
        shapes: usize,
    },
    /// A pose cannot be used.
    Pose {
        /// The number of its shape.
        shape: usize,
        /// What is wrong with it.
        problem: TransformProblem,
    },
}

impl fmt::Display for CloudFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CloudFault::Poses { given, shapes } => {
                write!(f, "there are {given} poses for {shapes} shapes: give one for each")
            }
            CloudFault::Pose { shape, problem } => write!(f, "the pose of shape {shape} {problem}"),
        }
    }
}

impl core::error::Error for CloudFault {}
