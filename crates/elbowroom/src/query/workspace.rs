//! A pose with warm starts and scratch. Everything is allocated when it is made.

use crate::model::world::World;
use crate::numeric::work_list::WorkList;
use crate::pose::frames::Pose;
use crate::pose::spare::spare_shape;
use crate::query::answer::PairAnswer;
use crate::query::bodies::QueryWork;
use crate::query::cloud_work::CloudWork;
use crate::query::crowd_work::CrowdWork;
use crate::query::kept_bounds::KeptBounds;
use crate::query::movable_work::MovableWork;
use crate::query::rough_pair::RoughPair;
use crate::query::tolerance::ROUGH_PAIRS;
use crate::query::warm_starts::WarmStarts;
use alloc::vec;
use alloc::vec::Vec;

/// What a search works with.
#[derive(Clone, Debug)]
pub(crate) struct Workspace<'w> {
    pub pose: Pose<'w>,
    pub work: QueryWork,
    /// What was proved of listed pairs at poses before.
    pub kept_bounds: KeptBounds,
    /// Scratch: the lower bound of each listed pair; pairs that wait to be asked, with their bounds.
    pub bounds: Vec<f64>,
    pub open: WorkList<(f64, u32)>,
    /// Overlapping pairs that may be measured more closely.
    pub rough: WorkList<RoughPair>,
    /// The nearest pairs, while they are asked for.
    pub kept: Vec<PairAnswer>,
    pub crowd: Option<CrowdWork>,
    pub movable: Option<MovableWork>,
    pub clouds: Option<CloudWork<'w>>,
    /// The last gradient that was asked for.
    pub gradient: Vec<f64>,
}

impl<'w> Workspace<'w> {
    /// At the world's neutral values.
    pub fn new(world: &'w World) -> Workspace<'w> {
        let crowds = !world.checks.pairs.crowds.is_empty();
        let pose = Pose::new(world);
        Workspace {
            clouds: CloudWork::new(world, &pose),
            movable: pose.movable_tree().map(|tree| MovableWork::new(world, tree)),
            pose,
            work: QueryWork::new(WarmStarts::of_world(world), world.solids.mesh_depth),
            kept_bounds: KeptBounds::new(world),
            bounds: vec![0.0; world.checks.pairs.listed.len()],
            open: WorkList::with_capacity(world.checks.pairs.listed.len()),
            rough: WorkList::with_capacity(ROUGH_PAIRS),
            kept: Vec::new(),
            crowd: crowds.then(|| CrowdWork::new(world)),
            gradient: vec![0.0; world.kinematics.dof_names.len()],
        }
    }

    /// Drops what was kept of the shape that a spare place had before.
    pub fn forget_spare(&mut self, spare: usize) {
        self.work.starts.forget_shape(spare_shape(spare));
        if let Some(clouds) = &mut self.clouds {
            clouds.take_spares(&self.pose);
        }
    }

    /// Takes over what changed in another workspace of the same world ([`Pose::copy_state_from`]).
    pub fn copy_state_from(&mut self, other: &Workspace) -> bool {
        let taken = self.pose.copy_state_from(&other.pose);
        (0..self.pose.spares.len()).for_each(|spare| self.forget_spare(spare));
        taken
    }

    /// The world that is asked.
    pub fn world(&self) -> &'w World {
        self.pose.world
    }
}
