//! The clearance of two shapes with poses in the world, without compiling a world.
//!
//! Translations count as exact. A matrix stands for the rotation nearest to it. The interval of the result
//! includes the rounding of the relative pose.
//!
//! ```
//! use elbowroom_pair::describe::ShapeDescription;
//! use elbowroom_pair::math::{Transform, vec3};
//! use elbowroom_pair::{Ask, Query, Scratch, Shape, Warm, posed};
//!
//! let rod = Shape::new(&ShapeDescription::Capsule { radius: 0.05, length: 1.0 }, 0.0)?;
//! // A table with a centimetre of padding. Poses are in the world: metres, and radians about x, y, z.
//! let table = Shape::new(&ShapeDescription::Box { size: [1.0, 1.0, 0.04] }, 0.01)?;
//! let rod_in_world = Transform::from_xyz_rpy([0.0, 0.0, 1.0], [0.0, 0.3, 0.0]);
//! let table_in_world = Transform::from_translation(vec3(0.0, 0.0, 0.2));
//! let (mut warm, mut scratch) = (Warm::default(), Scratch::default());
//! let mut ask = |query: &Query| {
//!     let poses = [&rod_in_world, &table_in_world];
//!     posed::clearance([&rod, &table], poses, query, &mut warm, &mut scratch)
//! };
//!
//! let found = ask(&Query::default())?;
//! assert!(found.interval.contains(0.8 - 0.5 * 0.3_f64.cos() - 0.05 - 0.03));
//! assert!((found.witness_b.z - 0.23).abs() < 1e-9, "on the table's padding, in the world");
//! // Only whether they are more than ten centimetres apart: the search stops at the first proof.
//! let query = Query { ask: Ask::Test, cutoff: 0.1, ..Query::default() };
//! assert!(ask(&query)?.interval.lower > 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::numeric::pose_error::{PoseError, relative_error};
use crate::numeric::rigid::pose_defect;
use crate::numeric::tolerance::{MOTION_ROTATION_ERROR, NORM_ROUNDING};
use crate::pair::clearance::{Clearance, Query};
use crate::pair::narrow::{self};
use crate::pair::scratch::{Scratch, Warm};
use crate::shape::solid::Shape;
use core::fmt;
use elbowroom_describe::fault::TransformProblem;
use elbowroom_describe::math::Transform;

/// Which of two poses cannot be used, and why.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PosedFault {
    /// 0 for the pose of the first shape, 1 for that of the second.
    pub pose: usize,
    /// What is wrong with it.
    pub problem: TransformProblem,
}

impl fmt::Display for PosedFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let which = if self.pose == 0 { "first" } else { "second" };
        write!(f, "the pose of the {which} shape {}", self.problem)
    }
}

impl core::error::Error for PosedFault {}

/// Proved signed distance of two shapes with poses in the world, and nothing kept: for who asks once. Points
/// and normal are in the world frame (metres). [`clearance`] is for who asks again and again.
///
/// ```
/// use elbowroom_pair::describe::ShapeDescription;
/// use elbowroom_pair::math::{Transform, vec3};
/// use elbowroom_pair::{Shape, distance};
///
/// let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.5 }, 0.0)?;
/// let cube = Shape::new(&ShapeDescription::Box { size: [2.0; 3] }, 0.0)?;
/// let cube_in_world = Transform::from_translation(vec3(0.0, 0.0, 3.0));
/// let c = distance(&ball, &Transform::IDENTITY, &cube, &cube_in_world)?;
/// assert!(c.interval.contains(1.5) && c.interval.width() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A pose that is not rigid, or has a number that is not finite.
pub fn distance(
    a: &Shape,
    a_in_world: &Transform,
    b: &Shape,
    b_in_world: &Transform,
) -> Result<Clearance, PosedFault> {
    let (mut warm, mut scratch) = (Warm::default(), Scratch::new(a.mesh_depth().max(b.mesh_depth())));
    clearance([a, b], [a_in_world, b_in_world], &Query::default(), &mut warm, &mut scratch)
}

/// Proved signed distance of two shapes with poses in the world. Points and normal are in the world frame
/// (metres). The query's slack is added to the rounding of the poses.
///
/// # Errors
/// A pose that is not a rigid transform of ordinary size.
pub fn clearance(
    [a, b]: [&Shape; 2],
    [a_in_world, b_in_world]: [&Transform; 2],
    query: &Query,
    warm: &mut Warm,
    scratch: &mut Scratch,
) -> Result<Clearance, PosedFault> {
    let error = |which: usize, t: &Transform| {
        let defect = pose_defect(t).map_err(|problem| PosedFault { pose: which, problem })?;
        Ok(PoseError { rotation: defect + MOTION_ROTATION_ERROR, shift: 0.0, distance: t.translation.norm() })
    };
    let (a_error, b_error) = (error(0, a_in_world)?, error(1, b_in_world)?);
    let b_in_a = a_in_world.relative(b_in_world);
    let b_size = (b.center.norm() + b.bounding_radius) * (1.0 + NORM_ROUNDING);
    let slack = query.slack + relative_error(&a_error, &b_error, b_size, &b_in_a);
    let c = narrow::clearance(a, b, &b_in_a, &Query { slack, ..*query }, warm, scratch);
    Ok(Clearance {
        witness_a: a_in_world.point(c.witness_a),
        witness_b: a_in_world.point(c.witness_b),
        normal: a_in_world.direction(c.normal),
        ..c
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_describe::ShapeDescription;
    use elbowroom_describe::math::{Mat3, vec3};

    #[test]
    fn far_from_the_origin_and_rotated() {
        let box_ = Shape::new(&ShapeDescription::Box { size: [1.0; 3] }, 0.0).unwrap();
        let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.5 }, 0.0).unwrap();
        for origin in [0.0, 1e4] {
            let a = Transform::new(Mat3::from_rpy(0.0, 0.0, 0.7), vec3(origin, origin, origin));
            let b = Transform::from_translation(vec3(origin, origin, origin + 2.0));
            let (mut warm, mut scratch) = (Warm::default(), Scratch::default());
            let c = clearance([&box_, &ball], [&a, &b], &Query::default(), &mut warm, &mut scratch).unwrap();
            assert!(
                c.interval.lower <= 1.0
                    && 1.0 <= c.interval.upper
                    && c.interval.upper - c.interval.lower < 1e-13,
                "{c:?}"
            );
            assert!((c.witness_a.z - origin - 0.5).abs() < 1e-11 && (c.normal.z + 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn bad_poses_are_refused() {
        let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.5 }, 0.0).unwrap();
        let good = Transform::IDENTITY;
        for bad in [vec3(f64::NAN, 0.0, 0.0), vec3(1e10, 0.0, 0.0)] {
            let bad = Transform::from_translation(bad);
            let (mut warm, mut scratch) = (Warm::default(), Scratch::default());
            let asked = clearance([&ball, &ball], [&good, &bad], &Query::default(), &mut warm, &mut scratch);
            let fault = asked.unwrap_err();
            assert_eq!(fault.pose, 1);
            assert!(alloc::format!("{fault}").starts_with("the pose of the second shape "), "{fault}");
        }
    }
}
