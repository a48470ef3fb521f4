//! The clouds of a pose: points that were given while the world is asked, in a tree ([`PointTree`]).

use super::change_fault::ChangeFault;
use super::frames::Pose;
use crate::bounds::point_tree::{PointFault, PointTree};
use crate::model::id::BodyId;
use crate::model::world::World;
use crate::numeric::math::{Transform, Vec3};
use crate::numeric::pose_error::PoseError;
use crate::numeric::tolerance::MAX_COORDINATE;
use crate::pose::tolerance::CLOUD_ROUNDING;
use crate::shape::solid::{Core, Shape};
use alloc::vec::Vec;

/// A cloud and its points.
#[derive(Clone, Debug)]
pub(crate) struct CloudPoints {
    /// In the cell frame.
    pub tree: PointTree,
    /// Whether points were given. Before that nothing is known of what is there.
    pub seen: bool,
    /// The ball that each point is.
    pub ball: Shape,
    /// Its radius and all rounding: a point of the tree less this bounds what is there (metres).
    pub reach: f64,
}

impl CloudPoints {
    /// Those of a world, of which no points were given yet.
    pub fn of_world(world: &World) -> Vec<CloudPoints> {
        let clouds = world.movables.clouds.iter();
        clouds
            .filter_map(|cloud| {
                let radius = cloud.radius;
                let ball = Shape { core: Core::Point, radius, center: Vec3::ZERO, bounding_radius: radius };
                Some(CloudPoints { tree: PointTree::new(cloud.capacity)?, seen: false, ball, reach: radius })
            })
            .collect()
    }

    /// The frame of a point's ball in the cell, and the error of that.
    #[inline]
    pub fn point_in_cell(&self, point: u32) -> (Transform, PoseError) {
        let at = self.tree.points()[point as usize];
        (Transform::from_translation(at), PoseError::of_placement(at.norm(), 0.0))
    }

    /// Bytes that it allocated.
    pub fn heap_bytes(&self) -> usize {
        self.tree.bytes()
    }
}

impl Pose<'_> {
    /// [`Checker::see`](crate::Checker::see).
    pub(crate) fn see(&mut self, body: BodyId, points: &[[f64; 3]]) -> Result<(), ChangeFault> {
        let movable = self.movable(body)?;
        let name = || self.world.solids.bodies[body.index()].name.as_ref().into();
        let Some(cloud) = self.world.movables.cloud(movable) else {
            return Err(ChangeFault::NoCloud { body: name() });
        };
        if points.is_empty() {
            return Err(ChangeFault::NothingSeen { body: name() });
        }
        let far = |p: &&[f64; 3]| p.iter().any(|x| x.abs() > MAX_COORDINATE);
        if let Some(point) = points.iter().position(|p| far(&p)) {
            return Err(ChangeFault::TooFar { body: name(), point });
        }
        let (body, origin) = (name(), self.world.kinematics.origin_in_world);
        let Some(cloud) = self.clouds.get_mut(cloud) else { return Err(ChangeFault::NoCloud { body }) };
        cloud.tree.replace_from(points, origin).map_err(|fault| match fault {
            PointFault::TooMany { given, capacity } => ChangeFault::TooManyPoints { body, given, capacity },
            PointFault::NotFinite { first, count } => ChangeFault::NotFinite { body, first, count },
        })?;
        let farthest = cloud.tree.points().iter().map(|p| p.norm()).fold(0.0, f64::max);
        let error = PoseError::of_placement(farthest, 0.0).of_point(cloud.ball.radius);
        cloud.reach = cloud.ball.radius * (1.0 + CLOUD_ROUNDING) + error + CLOUD_ROUNDING * farthest;
        cloud.seen = true;
        Ok(())
    }
}
