//! Two shapes that pass each other on a straight motion: each is taken as the one that moves.

use super::course::{Course, Mover, Straight};
use super::motion_bounds::MotionBounds;
use super::trail_search::{Parting, TrailQuery, TrailScratch};
use crate::model::id::{BodyPair, ShapeId};
use crate::pose::frames::Pose;
use elbowroom_pair::Geometry;
use elbowroom_pair::Witness;
use elbowroom_pair::shape_pair::ShapePair;

/// Two shapes of a pair of bodies at the middle of a motion.
pub(crate) struct Passing<'a> {
    pub pose: &'a Pose<'a>,
    pub pair: BodyPair,
    pub shapes: [ShapeId; 2],
    pub placed: &'a ShapePair<'a>,
    pub geometry: Geometry,
}

impl Passing<'_> {
    /// A lower bound on the distance of the shapes on the whole motion (metres), if it is more than `margin`.
    /// They are apart at the pose, where `witness` has points that are near each other.
    pub fn least(
        &self,
        bounds: &MotionBounds,
        straight: Straight,
        witness: Option<Witness>,
        margin: f64,
        scratch: &mut TrailScratch,
    ) -> Option<f64> {
        let bodies = [self.pair.a, self.pair.b];
        // What is not convex stands still first: then the other is one core.
        let rough = |i: usize| self.geometry == Geometry::Mesh && self.placed.shapes[i].mesh().is_some();
        let still = usize::from(!rough(0));
        for still in [still, 1 - still] {
            let moving = 1 - still;
            let ball = self.pose.shape_ball(self.shapes[moving].0);
            let (in_cell, error) = self.pose.shape_in_cell(self.shapes[moving]);
            let mover = Mover { in_cell, error, ball: &ball };
            let course = Course::new((bounds, self.pose), [bodies[still], bodies[moving]], straight, mover)?;
            let b_in_a = self.placed.b_in_a;
            let origin = self.pose.world.kinematics.origin_in_world;
            let near = witness.map(|w| {
                let points = if still == 0 { [w.b, w.a] } else { [w.a, w.b] };
                points.map(|p| in_cell.rotation.transpose_mul(p - origin - in_cell.translation))
            });
            let query = TrailQuery {
                moving: self.placed.shapes[moving],
                still: self.placed.shapes[still],
                still_in_moving: if still == 1 { b_in_a } else { b_in_a.inverse() },
                course: &course,
                slack: self.placed.slack,
                geometry: self.geometry,
                near,
            };
            if let Some(least) = query.parting_of_ball(margin, scratch) {
                return Some(least);
            }
            match query.parting(margin, scratch) {
                Parting::Apart(least) => return Some(least),
                Parting::Open => {}
                Parting::Meets => return None,
            }
        }
        None
    }
}
