//! What a step changes for the engine of this project, before and after it is asked.

use crate::{
    described::{CLOUD, bodies_of, obstacle_name},
    pose::pose_transform,
    work::{Ask, Work},
};
use anyhow::{Context, Result, anyhow};
use elbowroom::{Checker, World, math::Transform, world::BodyId};

/// All that changes, as the engine names it.
pub struct Changing {
    /// The obstacles that move, where they are at first, and where each change puts one.
    obstacles: Vec<BodyId>,
    homes: Vec<Transform>,
    at: Vec<Transform>,
    /// The body that carries the obstacle that a step places, and the bodies that it may touch there.
    hand: Option<(BodyId, Vec<BodyId>)>,
    cloud: Option<BodyId>,
}

impl Changing {
    /// The changes of an item in its world; the checker gets the first cloud.
    pub fn new(work: &Work, world: &World, checker: &mut Checker) -> Result<Changing> {
        let named = |name: String| world.body_by_name(&name).with_context(|| format!("no body {name}"));
        let movable = if work.ask == Ask::ChangeDistance { work.obstacles.len() } else { 0 };
        let bodies = bodies_of(work);
        let body = |shape: usize| named(format!("robot/{}", bodies[work.bodies[shape]]));
        let hand = match &work.changes.held {
            None => None,
            Some(held) => {
                let on_joint = |shape: &usize| work.mounts[*shape].number == held.joint + 1;
                let carrier = (0..bodies.len()).find(on_joint).context("nothing on the joint that holds")?;
                let may_touch = |shape: &usize| !held.meets.contains(shape) && !on_joint(shape);
                let touch = (0..work.shapes.len()).filter(may_touch).map(body).collect::<Result<_>>()?;
                Some((body(carrier)?, touch))
            }
        };
        let cloud = (!work.seen.frames.is_empty()).then(|| named(format!("world/{CLOUD}"))).transpose()?;
        if let Some(cloud) = cloud {
            checker.update_cloud(cloud, work.seen.step_cloud(0)).map_err(|fault| anyhow!("{fault}"))?;
        }
        Ok(Changing {
            obstacles: (0..movable)
                .map(|k| named(format!("world/{}", obstacle_name(k))))
                .collect::<Result<_>>()?,
            homes: work.obstacles[..movable].iter().map(|obstacle| pose_transform(&obstacle.pose)).collect(),
            at: work.changes.rows.iter().map(|row| pose_transform(&row.pose)).collect(),
            hand,
            cloud,
        })
    }

    /// All obstacles where they are before the first step; not timed. What is refused shows in the answers.
    pub fn begin(&self, checker: &mut Checker) {
        for (&obstacle, home) in self.obstacles.iter().zip(&self.homes) {
            let _ = checker.place(obstacle, home);
        }
    }

    /// Makes the changes before a step is asked; false if one was refused.
    #[inline]
    pub fn apply_before(&self, work: &Work, step: usize, checker: &mut Checker) -> bool {
        if let (Ask::CloudReplace, Some(cloud)) = (work.ask, self.cloud)
            && checker.update_cloud(cloud, work.seen.step_cloud(step)).is_err()
        {
            return false;
        }
        let rows = work.changes.step_rows(step);
        for (row, at) in work.changes.rows[rows.clone()].iter().zip(&self.at[rows]) {
            let body = self.obstacles[row.obstacle];
            if checker.place(body, at).is_err() {
                return false;
            }
            if let Some((carrier, touch)) = &self.hand
                && checker.attach(body, *carrier, touch).is_err()
            {
                return false;
            }
        }
        true
    }

    /// Makes the changes after it; false if one was refused.
    #[inline]
    pub fn apply_after(&self, work: &Work, step: usize, checker: &mut Checker) -> bool {
        let held = work.changes.rows[work.changes.step_rows(step)].iter().filter(|_| self.hand.is_some());
        held.fold(true, |well, row| well & checker.detach(self.obstacles[row.obstacle]).is_ok())
    }
}
