//! A pose: joint values, and the frames of bodies and the capsules around them that follow. One for each
//! thread.
//!
//! A pose allocates everything when it is made. [`Pose::set_values`] refuses values that are not a
//! configuration of the world, and the pose then stays as it was. Values are never clamped.

use crate::bounds::heights::Heights;
use crate::bounds::inside::{Inside, Overlap};
use crate::bounds::lanes::{CapsuleId, CapsuleRecord};
use crate::bounds::radius::ball_radius;
use crate::bounds::{AlignedBox, Ball, BodyBox};
use crate::model::body_bounds::BodyCapsule;
use crate::model::id::{BodyId, ShapeId, StepId};
use crate::model::solids::BodyShape;
use crate::model::step::Parent;
use crate::model::world::World;
use crate::numeric::padded::PaddedTransform;
use crate::pose::allowed_now::AllowedNow;
use crate::pose::cloud_points::CloudPoints;
use crate::pose::fault::{PoseFault, SetOptions, are_values, value_faults, within_limits};
use crate::pose::kinematics::forward::{ForwardKinematics, compute_frames};
use crate::pose::movable_boxes::MovableBoxes;
use crate::pose::placements::Placements;
use crate::pose::spare::Spare;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::Geometry;
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::shape_pair::ShapePair;

/// Which errors the frames of a pose have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Errors {
    /// The world's, which hold at every pose within limits.
    WithinLimits,
    /// Those of the present values.
    OfValues,
}

/// Where everything that moves in a [`World`] is.
#[derive(Clone, Debug)]
pub struct Pose<'w> {
    pub(crate) world: &'w World,
    values: Vec<f64>,
    /// By step, the child's frame in the cell, and the error of that; then those of movable bodies.
    pub(super) frames: Vec<PaddedTransform>,
    pub(super) errors: Vec<PoseError>,
    /// Scratch: the angles of turning joints, their sines and cosines.
    angles: Vec<f64>,
    sines: Vec<[f64; 2]>,
    /// True if all values are within limits.
    pub(crate) within: bool,
    /// Which errors `errors` has.
    errors_are: Errors,
    /// Radii of the moving bodies' capsules in the cell frame, where the errors are those of the values.
    radii: Vec<f64>,
    /// The world's capsules, in the cell frame.
    pub(crate) records: Vec<CapsuleRecord>,
    /// Where movable bodies are, if there are any.
    pub(super) placements: Option<Placements>,
    pub(super) movable_boxes: Option<Box<MovableBoxes>>,
    /// What fills the world's spare places.
    pub(crate) spares: Vec<Spare>,
    /// What was seen of the world's clouds.
    pub(crate) clouds: Vec<CloudPoints>,
    /// Pairs that are not checked for the time being.
    pub(crate) allowed_now: AllowedNow,
    /// How many pairs are checked now.
    pub(super) checked_pair_count: usize,
}

impl<'w> Pose<'w> {
    /// A pose at the world's neutral values.
    pub fn new(world: &'w World) -> Pose<'w> {
        let (steps, moving) = (world.kinematics.steps.len(), world.kinematics.moving.len());
        let movable = world.checks.pairs.movable.movable.len();
        let record = |(capsule, radius): (&BodyCapsule, &f64)| match capsule.step {
            None => capsule.record.transform_by(&world.kinematics.places.fixed_pose(capsule.body), *radius),
            Some(_) => capsule.record,
        };
        let mut pose = Pose {
            world,
            values: world.neutral_values(),
            frames: vec![PaddedTransform::new(&Transform::IDENTITY); steps + movable],
            errors: world
                .kinematics
                .steps
                .iter()
                .map(|step| world.kinematics.places.pose_error(step.child))
                .chain(core::iter::repeat_n(PoseError::default(), movable))
                .collect(),
            angles: vec![0.0; steps],
            sines: vec![[0.0, 1.0]; steps],
            within: false,
            errors_are: Errors::WithinLimits,
            radii: world.bounds.radii[..moving].to_vec(),
            records: world.bounds.capsules.iter().zip(&world.bounds.radii).map(record).collect(),
            placements: Placements::new(world),
            spares: Spare::of_world(world),
            clouds: CloudPoints::of_world(world),
            movable_boxes: MovableBoxes::new(movable).filter(|_| movable > 0).map(Box::new),
            allowed_now: AllowedNow::new(),
            checked_pair_count: world.checks.pairs.len(),
        };
        pose.update_frames(Errors::OfValues);
        pose.place_all();
        pose
    }

    /// Moves everything to joint values (radians, metres; order of [`World::dof_names`]). After a fault the
    /// pose is as it was.
    pub fn set_values(&mut self, values: &[f64]) -> Result<(), PoseFault> {
        self.set_with(values, SetOptions::default())
    }

    /// [`Pose::set_values`] with options.
    pub fn set_with(&mut self, values: &[f64], options: SetOptions) -> Result<(), PoseFault> {
        let within = self.accepts_values(values, options)?;
        self.values.copy_from_slice(values);
        self.within = within;
        self.update_frames(if within { Errors::WithinLimits } else { Errors::OfValues });
        #[cfg(test)]
        crate::tally::add(crate::tally::Work::Poses, 1);
        Ok(())
    }

    /// Whether these values, which the options accept, are within limits.
    ///
    /// # Errors
    /// Those of [`Pose::set_with`].
    #[inline]
    pub fn accepts_values(&self, values: &[f64], options: SetOptions) -> Result<bool, PoseFault> {
        let expected = self.world.kinematics.dof_names.len();
        if values.len() != expected {
            return Err(PoseFault::WrongCount { expected, given: values.len() });
        }
        let within = within_limits(self.world, values);
        if !(are_values(self.world, values) && (within || options.ignore_limits)) {
            return Err(PoseFault::Values(value_faults(self.world, values, options)));
        }
        Ok(within)
    }

    /// The joint values.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// A body's frame in the world. `None` for a number that this world does not have. A number of another
    /// world means something else here.
    pub fn body_in_world(&self, body: BodyId) -> Option<Transform> {
        if !self.world.has_body(body) {
            return None;
        }
        let in_cell = self.body_frame(body);
        Some(Transform::new(in_cell.rotation, in_cell.translation + self.world.kinematics.origin_in_world))
    }

    /// A body's frame in the cell.
    #[inline]
    pub(crate) fn body_frame(&self, body: BodyId) -> Transform {
        match self.world.kinematics.places.moving_step(body) {
            None => self.world.kinematics.places.fixed_pose(body),
            Some(step) => self.frames[step.index()].as_transform(),
        }
    }

    /// The error of that frame.
    #[inline]
    pub(crate) fn frame_error(&self, body: BodyId) -> PoseError {
        match self.world.kinematics.places.moving_step(body) {
            Some(step) => self.errors[step.index()],
            None => self.world.kinematics.places.pose_error(body),
        }
    }

    /// The frame of a step's child in the cell, and the error of that.
    #[inline]
    pub(crate) fn step_at(&self, step: StepId) -> (Transform, PoseError) {
        (self.frames[step.index()].as_transform(), self.errors[step.index()])
    }

    /// A shape's frame in the cell, and the error of that.
    #[inline]
    pub(crate) fn shape_in_cell(&self, shape: ShapeId) -> (Transform, PoseError) {
        let (shape, body) = self.shape_with_body(shape);
        shape.in_cell(self.body_frame(body), self.frame_error(body))
    }

    /// Two shapes at this pose.
    #[inline]
    pub(crate) fn shape_pair(&self, ids: [ShapeId; 2]) -> ShapePair<'_> {
        let placed = ids.map(|id| self.shape_in_cell(id));
        let [a, b] = ids.map(|id| self.shape_with_body(id).0);
        ShapePair::new([&a.shape, &b.shape], placed, b.size, self.world.kinematics.origin_in_world)
    }

    /// A ball around a body in the cell frame, wider by the error of its centre; unbounded for a body without
    /// shapes.
    #[inline]
    pub(crate) fn body_ball(&self, body: BodyId) -> Ball {
        let ball = self.world.solids.ball_of(body).or_else(|| self.ball_of_spare(body));
        ball.map_or(Ball::UNBOUNDED, |ball| self.ball_on(body, &ball))
    }

    /// A ball around a body in the cell frame, wider by the error of its centre. A link without shapes has
    /// the origin of its frame; the ball is unbounded for any other body without shapes.
    pub(crate) fn link_ball(&self, body: BodyId) -> Ball {
        let bare =
            self.world.solids.ball_of(body).is_none() && self.world.bodies()[body.index()].robot.is_some();
        if bare {
            self.ball_on(body, &Ball { center: Vec3::ZERO, radius: 0.0 })
        } else {
            self.body_ball(body)
        }
    }

    /// A ball around a shape in the cell frame, wider by the error of its centre.
    #[inline]
    pub(crate) fn shape_ball(&self, shape: u32) -> Ball {
        let (shape, body) = self.shape_with_body(ShapeId(shape));
        self.ball_on(body, &shape.ball())
    }

    #[inline]
    fn ball_on(&self, body: BodyId, ball: &Ball) -> Ball {
        let radius = ball_radius(ball, &self.frame_error(body));
        Ball { center: self.body_frame(body).point(ball.center), radius }
    }

    /// Computes the frames of all bodies from the values, and the capsules around them. The world's errors
    /// serve only where limits bound them.
    fn update_frames(&mut self, errors: Errors) {
        let world = self.world;
        let errors = if world.kinematics.bounded { errors } else { Errors::OfValues };
        if errors == Errors::OfValues {
            self.compute_errors();
        } else if self.errors_are != errors {
            let worst =
                world.kinematics.steps.iter().map(|step| world.kinematics.places.pose_error(step.child));
            self.errors.iter_mut().zip(worst).for_each(|(error, worst)| *error = worst);
        }
        self.errors_are = errors;
        let moving = world.kinematics.moving.len();
        compute_frames(ForwardKinematics {
            steps: &world.kinematics.steps,
            parents: &world.kinematics.parents,
            roots: &world.kinematics.roots,
            values: &self.values,
            sines: &mut self.sines,
            angles: &mut self.angles,
            frames: &mut self.frames,
            capsules: &world.bounds.capsules[..moving],
            radii: match errors {
                Errors::OfValues => &self.radii,
                Errors::WithinLimits => &world.bounds.radii[..moving],
            },
            records: &mut self.records,
        });
        self.update_carried();
    }

    /// Computes the errors and radii of the present values.
    #[cold]
    fn compute_errors(&mut self) {
        let world = self.world;
        for (i, (step, above)) in world.kinematics.steps.iter().zip(&world.kinematics.parents).enumerate() {
            let parent = match above {
                Parent::Step(above) => self.errors[above.index()],
                Parent::Root(_) => world.kinematics.places.pose_error(step.parent),
            };
            self.errors[i] = step.child_pose_error(parent, |i| self.values[i].abs());
        }
        // Capsules of moving bodies come first, and only they have a radius here.
        for (capsule, radius) in world.bounds.capsules.iter().zip(&mut self.radii) {
            let Some(step) = capsule.step else { break };
            *radius = capsule.radius_with(&self.errors[step.index()]);
        }
    }

    /// The body of a capsule, its frame in the cell, and how far its points may be from where this frame puts
    /// them (metres). That includes the rounding of a bound.
    #[inline]
    fn capsule_in_cell(&self, capsule: CapsuleId) -> (&BodyCapsule, Transform, f64) {
        let of_body = self.bounds_of(capsule);
        let slack = self.records[capsule.index()].radius() - of_body.capsule.radius;
        (of_body, self.body_frame(of_body.body), slack)
    }

    /// A box around the body of a capsule, in the cell frame.
    #[inline]
    pub(crate) fn box_around(&self, capsule: CapsuleId) -> AlignedBox {
        let of_body = self.bounds_of(capsule);
        of_body.box_around(&self.body_frame(of_body.body), &self.records[capsule.index()])
    }

    /// A lower bound on the signed distance of the bodies of two capsules, by the faces of their boxes; at
    /// least the bound that is `known`.
    #[inline]
    pub(crate) fn box_bound(&self, capsules: [CapsuleId; 2], known: f64) -> f64 {
        let [(a, a_at, a_slack), (b, b_at, b_slack)] = capsules.map(|i| self.capsule_in_cell(i));
        BodyBox::faces_gap(
            [&a.body_box, &b.body_box],
            [&a_at, &b_at],
            a_slack + b_slack,
            known,
            f64::INFINITY,
        )
    }

    /// A lower bound on the signed distance of two shapes (metres), from the faces of the boxes around them.
    /// It is at least `known`, and it is `known` where a shape has no box. The search ends at the first bound
    /// above `target`.
    #[inline]
    pub(crate) fn shape_box_bound(&self, shapes: [ShapeId; 2], known: f64, target: f64) -> f64 {
        let [(a, a_body), (b, b_body)] = shapes.map(|id| self.shape_with_body(id));
        let box_with_slack = |shape: &'_ BodyShape, body: BodyId| {
            let (around, error) = (*shape.box_on_body()?, self.frame_error(body));
            let arm = around.reach_from_origin();
            Some((around, CapsuleRecord::posed_radius(0.0, arm, error.distance, error.of_point(arm))))
        };
        let (Some((a, a_slack)), Some((b, b_slack))) = (box_with_slack(a, a_body), box_with_slack(b, b_body))
        else {
            return known;
        };
        let at = [a_body, b_body].map(|body| self.body_frame(body));
        BodyBox::faces_gap([&a, &b], [&at[0], &at[1]], a_slack + b_slack, known, target)
    }

    /// A lower bound on the signed distance of the bodies of two capsules (metres), from planes between them.
    /// It is at least `known`, and it is `known` where a body has no table of heights. The search ends at the
    /// first bound above `target`.
    #[inline]
    pub(crate) fn plane_bound(&self, capsules: [CapsuleId; 2], known: f64, target: f64) -> f64 {
        let [Some(a_heights), Some(b_heights)] =
            capsules.map(|i| self.world.proofs.heights[i.index()].as_ref())
        else {
            return known;
        };
        let [(a, a_at, a_slack), (b, b_at, b_slack)] = capsules.map(|i| self.capsule_in_cell(i));
        let direction = b_at.point(b.body_box.center()) - a_at.point(a.body_box.center());
        Heights::gap_to_body(
            [a_heights, b_heights],
            [&a_at, &b_at],
            direction,
            a_slack + b_slack,
            known,
            target,
        )
    }

    /// A lower bound on the signed distance between the body of a capsule and a shape (metres), from planes
    /// between them. It is at least `known`, and it is `known` where the body has no table of heights. The
    /// search ends at the first bound above `target`.
    #[inline]
    pub(crate) fn plane_bound_to(&self, capsule: CapsuleId, shape: ShapeId, known: f64, target: f64) -> f64 {
        let Some(heights) = &self.world.proofs.heights[capsule.index()] else { return known };
        let (of_body, at, slack) = self.capsule_in_cell(capsule);
        let (shape_at, error) = self.shape_in_cell(shape);
        let (shape, _) = self.shape_with_body(shape);
        let slack = slack + error.of_point(shape.size);
        let direction = shape_at.point(shape.shape.center()) - at.point(of_body.body_box.center());
        heights.gap_to_shape(&at, (&shape.shape, &shape_at), direction, slack, known, target)
    }

    /// An overlap of the bodies of two capsules, if the tables of what is inside them have a point in both.
    #[inline]
    pub(crate) fn inside_overlap(&self, capsules: [CapsuleId; 2], geometry: Geometry) -> Option<Overlap> {
        let insides = self.world.proofs.insides(geometry);
        let [Some(a), Some(b)] = capsules.map(|i| insides[i.index()].as_ref()) else {
            return None;
        };
        let [(_, a_at, a_slack), (_, b_at, b_slack)] = capsules.map(|i| self.capsule_in_cell(i));
        Inside::find_overlap([a, b], [&a_at, &b_at], a_slack + b_slack)
    }
}

#[cfg(test)]
mod tests;
