//! A shape that is asked about clouds: its capsule, the planes it is known to lie behind, and where it is.

use crate::bounds::fit::{self, BallSet, FitEffort};
use crate::bounds::{Capsule, PointQuery, PointTree};
use crate::query::tolerance::CLOUD_PLANES;
use alloc::borrow::Cow;
use elbowroom_describe::math::{Transform, Vec3, vec3};
use elbowroom_pair::Warm;
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::rigid::{TransformProblem, pose_defect};
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use elbowroom_pair::numeric::tolerance::{ERROR_FACTOR, MOTION_ROTATION_ERROR, NORM_ROUNDING, ROUNDOFF};
use elbowroom_pair::shape::extreme::Support;
use elbowroom_pair::shape::solid::{Core, Shape};
use elbowroom_pair::shape_pair::ShapePair;
use elbowroom_pair::with_support;

/// A support plane of a shape, in its frame.
#[derive(Clone, Copy, Debug)]
struct SupportPlane {
    /// A unit vector.
    normal: Vec3,
    /// No point of the shape is higher along it (metres).
    height: f64,
}

/// A shape and all that is kept between queries.
#[derive(Clone, Debug)]
pub(super) struct CloudBody<'w> {
    shape: Cow<'w, Shape>,
    warm: Warm,
    capsule: Capsule,
    /// Bound on the distance of its points from its frame's origin (metres).
    size: f64,
    planes: [SupportPlane; CLOUD_PLANES],
    /// How many planes were ever found; the last ones are kept.
    found: usize,
    in_cell: Transform,
    error: PoseError,
    /// How far the pose may be off beside its rounding (metres).
    slack: f64,
}

impl<'w> CloudBody<'w> {
    pub(super) fn new(shape: &'w Shape) -> CloudBody<'w> {
        CloudBody::with_capsule(Cow::Borrowed(shape), capsule_around(shape))
    }

    /// With a capsule around it, in its frame.
    pub(super) fn with_capsule(shape: Cow<'w, Shape>, capsule: Capsule) -> CloudBody<'w> {
        CloudBody {
            size: (shape.center().norm() + shape.bounding_radius()) * (1.0 + NORM_ROUNDING),
            shape,
            warm: Warm::default(),
            capsule,
            planes: [SupportPlane { normal: Vec3::Z, height: f64::INFINITY }; CLOUD_PLANES],
            found: 0,
            in_cell: Transform::IDENTITY,
            error: PoseError::default(),
            slack: 0.0,
        }
    }

    /// Forgets its warm start and its planes.
    pub(super) fn forget_history(&mut self) {
        (self.warm, self.found) = (Warm::default(), 0);
    }

    /// Sets the pose, which is known to within `slack` (metres).
    pub(super) fn set_pose(&mut self, pose: &Transform, slack: f64) -> Result<(), TransformProblem> {
        let rotation = pose_defect(pose)? + MOTION_ROTATION_ERROR;
        let error = PoseError { rotation, shift: 0.0, distance: pose.translation.norm() };
        self.place_with(*pose, error, slack);
        Ok(())
    }

    /// Sets the pose, which must be a valid one, with its rounding `error`. `slack` is how far the body may
    /// also be from there (metres).
    pub(super) fn place_with(&mut self, pose: Transform, error: PoseError, slack: f64) {
        (self.in_cell, self.error, self.slack) = (pose, error, slack);
    }

    /// The shape and a ball at a point, which is known to within `slack` (metres), and the warm start of the
    /// two.
    pub(super) fn pair_with_point<'b>(
        &'b mut self,
        at: Vec3,
        ball: &'b Shape,
        slack: f64,
    ) -> (ShapePair<'b>, &'b mut Warm) {
        let CloudBody { shape, warm, in_cell, error, .. } = self;
        let placed = [(*in_cell, *error), (Transform::from_translation(at), PoseError::default())];
        // A ball stays what it is, however it is turned.
        let mut pair = ShapePair::new([shape, ball], placed, 0.0, Vec3::ZERO);
        pair.slack += slack;
        (pair, warm)
    }

    /// The query among points at this pose.
    pub(super) fn point_query(&self, tree: &PointTree) -> PointQuery {
        let Capsule { a, b, radius } = self.capsule;
        let arm = (a.norm().max(b.norm()) + radius) * (1.0 + NORM_ROUNDING);
        let slack = self.error.of_point(arm) + self.slack;
        let query = tree.around_capsule(&self.capsule.transform_by(&self.in_cell, slack));
        for plane in &self.planes[..self.found.min(CLOUD_PLANES)] {
            let (normal, height) = self.in_cell(plane);
            query.add_plane(normal, height);
        }
        query
    }

    /// Keeps the support plane along a direction, in the frame of the shape. A direction that is not a unit
    /// vector gives none.
    pub(super) fn add_plane(&mut self, normal: Vec3) {
        let Some(normal) = normal.normalized() else { return };
        let core = with_support!(self.shape.core(), core => dispatch_kernel(Height { core, normal }));
        let height = (core + self.shape.radius()) + 4.0 * ROUNDOFF * (core.abs() + self.shape.radius());
        self.planes[self.found % CLOUD_PLANES] = SupportPlane { normal, height };
        self.found += 1;
    }

    /// The plane that was found last, in the frame of the points.
    pub(super) fn last_plane(&self) -> Option<(Vec3, f64)> {
        let last = self.found.checked_sub(1)?;
        Some(self.in_cell(&self.planes[last % CLOUD_PLANES]))
    }

    /// A plane in the frame of the points: a unit normal, and a height that no point of the shape exceeds.
    ///
    /// With the true pose `R, t` and the computed normal `m`, a point `x` of the shape is as high as
    /// `m . (R x + t) = n . x + (m - R n) . R x + m . t`. The computed `m` is off by twice the error of the
    /// rotation, because it is made a unit vector, and by the rounding of a product and a norm (16u).
    fn in_cell(&self, plane: &SupportPlane) -> (Vec3, f64) {
        let turned = self.in_cell.rotation * plane.normal;
        let normal = turned.normalized().unwrap_or(turned);
        let (at, distance) = (self.in_cell.translation.dot(normal), self.in_cell.translation.norm());
        let rounding = 16.0 * ROUNDOFF * (distance + plane.height.abs() + self.size);
        let error = ERROR_FACTOR * (2.0 * self.error.rotation * self.size + rounding);
        (normal, plane.height + at + (error + self.slack))
    }
}

/// A capsule around a shape, in its frame. A ball or capsule is its own bound.
fn capsule_around(shape: &Shape) -> Capsule {
    let axis = |half_length: f64| vec3(0.0, 0.0, half_length);
    match shape.core() {
        Core::Point => Capsule { a: Vec3::ZERO, b: Vec3::ZERO, radius: shape.radius() },
        Core::Segment { half_length } => {
            Capsule { a: -axis(*half_length), b: axis(*half_length), radius: shape.radius() }
        }
        Core::Box { .. }
        | Core::Cylinder { .. }
        | Core::Cone { .. }
        | Core::Ellipsoid { .. }
        | Core::Hull(_)
        | Core::Mesh { .. } => {
            fit::fit_capsule(&BallSet::of_shape(shape), FitEffort::Thorough).unwrap_or(Capsule::UNBOUNDED)
        }
    }
}

/// How far a core reaches along a direction.
struct Height<S> {
    core: S,
    normal: Vec3,
}

impl<S: Support> Kernel for Height<S> {
    type Output = f64;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f64 {
        self.core.support_height(l, self.normal, 0)
    }
}
