//! Gives points to the clouds of a pose.

use super::change_fault::ChangeFault;
use super::frames::Pose;
use crate::model::id::{BodyId, BodyPair};
use crate::model::movable_pairs::MovablePartner;
use elbowroom_pair::numeric::tolerance::ROUNDOFF;

impl Pose<'_> {
    /// The number of a cloud.
    pub(crate) fn find_cloud(&self, body: BodyId) -> Result<usize, ChangeFault> {
        let movable = self.world.checks.pairs.movable.index(body);
        let cloud = movable.and_then(|movable| self.world.movables.cloud_number(movable));
        cloud.ok_or_else(|| match self.world.has_body(body) {
            true => {
                ChangeFault::NoCloud { body: self.world.solids.bodies[body.index()].name.as_ref().into() }
            }
            false => ChangeFault::NoBody { number: body.0 },
        })
    }

    /// [`Checker::update_cloud`](crate::Checker::update_cloud).
    pub(crate) fn update_cloud_points(
        &mut self,
        body: BodyId,
        points: &[[f64; 3]],
    ) -> Result<(), ChangeFault> {
        let cloud = self.find_cloud(body)?;
        let (world, origin) = (self.world, self.world.kinematics.origin_in_world);
        let name = || world.solids.bodies[body.index()].name.as_ref().into();
        if points.is_empty() {
            return Err(ChangeFault::NothingSeen { body: name() });
        }
        let cloud = &mut self.clouds[cloud];
        cloud
            .tree
            .replace_from(points, origin)
            .map_err(|fault| ChangeFault::Points { body: name(), fault })?;
        // Each coordinate was rounded once.
        let farthest = cloud.tree.points().iter().map(|p| p.max_abs()).fold(0.0, f64::max);
        cloud.slack = 2.0 * ROUNDOFF * farthest;
        cloud.seen = true;
        Ok(())
    }

    /// A pair of a cloud that was given no points and a body that could meet it, if there is one.
    pub(crate) fn find_unseen_pair(&self) -> Option<BodyPair> {
        let (pairs, movables) = (&self.world.checks.pairs.movable, &self.world.movables);
        let first = movables.capsules.len() - movables.clouds.len();
        let held = self.placements().map_or(&[][..], |placements| &placements.held);
        let unseen = self.clouds.iter().enumerate().filter(|(_, cloud)| !cloud.seen);
        unseen.map(|(number, _)| (first + number) as u32).find_map(|cloud| {
            let moving = (0..pairs.moving.len() as u32).map(MovablePartner::Moving);
            let mut partners = moving.chain(held.iter().map(|other| MovablePartner::Movable(*other)));
            partners.find_map(|partner| pairs.get(self.checked_now(cloud, partner)?))
        })
    }
}
