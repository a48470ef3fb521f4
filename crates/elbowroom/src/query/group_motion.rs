//! How a collision group moved between two poses.

use crate::model::groups::CollisionGroup;
use crate::model::id::BodyId;
use crate::numeric::math::Transform;
use crate::query::checker::Checker;

impl CollisionGroup {
    /// Whether the group's frame differs between two poses, and whether a body differs in that frame, by more
    /// than `tolerance` (metres, and radians for turns). The first is always false for a fixed group, the
    /// second for a static one, but for rounding where the tolerance is zero. A negative tolerance and NaN count
    /// as zero.
    pub fn seen(&self, poses: [&Checker; 2], tolerance: f64) -> (bool, bool) {
        let tolerance = tolerance.max(0.0);
        let at = |pose: &Checker, body: BodyId| pose.body_in_world(body).unwrap_or(Transform::IDENTITY);
        let differ = |a: &Transform, b: &Transform| {
            let turned = a.rotation.cols.iter().zip(&b.rotation.cols).map(|(p, q)| (*p - *q).norm());
            (a.translation - b.translation).norm() > tolerance || turned.fold(0.0, f64::max) > tolerance
        };
        let frames = poses.map(|pose| self.frame.map(|f| at(pose, f)).unwrap_or(Transform::IDENTITY));
        let inside = self.bodies.iter().any(|body| {
            let [a, b] = [0, 1].map(|k| frames[k].relative(&at(poses[k], *body)));
            differ(&a, &b)
        });
        (differ(&frames[0], &frames[1]), inside)
    }
}
