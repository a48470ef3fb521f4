//! Who asks: a pose, what earlier queries left to start from, and the work space of queries. One for each
//! thread.
//!
//! It is made once for a world and allocates everything then.

use crate::model::id::BodyId;
use crate::model::world::World;
use crate::numeric::held::held;
use crate::numeric::math::Transform;
use crate::pair::scratch::{Scratch, Warm};
use crate::pose::fault::{PoseFault, SetOptions};
use crate::pose::frames::Pose;
use crate::query::crowd_work::CrowdWork;
use crate::query::tolerance::CROWD_MEMORY;
use alloc::vec;
use alloc::vec::Vec;
/// A pose and all that asking it needs.
#[derive(Clone, Debug)]
pub struct CheckWork {
    pub(crate) pose: Pose,
    /// What shape queries remember, by `World::memory`.
    pub(crate) memory: Vec<Warm>,
    pub(crate) scratch: Scratch,
    /// Lower bound of each checked pair, and the pairs still to be looked at: work space of queries.
    pub(crate) bounds: Vec<f64>,
    pub(crate) open: Vec<(f64, u32)>,
    pub(crate) crowd: Option<CrowdWork>,
    /// Which shapes the slots of `memory` are of that many pairs share, by slot.
    slots: Vec<[u32; 2]>,
}

impl CheckWork {
    /// At the world's neutral values.
    pub fn new(world: &World) -> CheckWork {
        CheckWork {
            pose: Pose::new(world),
            memory: vec![Warm::default(); world.memory_size + world.pairs.crowds.len() * CROWD_MEMORY],
            scratch: Scratch::new(world.mesh_depth()),
            bounds: vec![0.0; world.pairs.listed.len()],
            open: Vec::with_capacity(world.pairs.listed.len()),
            crowd: (!world.pairs.crowds.is_empty()).then(|| CrowdWork::new(world)),
            slots: vec![[u32::MAX; 2]; world.pairs.crowds.len() * CROWD_MEMORY],
        }
    }

    /// Bytes it holds beside itself.
    pub(crate) fn held(&self) -> usize {
        self.pose.held()
            + held(&self.memory)
            + self.scratch.held()
            + held(&self.bounds)
            + held(&self.open)
            + self.crowd.as_ref().map_or(0, CrowdWork::held)
            + held(&self.slots)
    }

    /// Moves everything to joint values (radians, metres; order of [`World::value_names`]). On a fault
    /// nothing moves.
    pub fn set(&mut self, world: &World, values: &[f64]) -> Result<(), PoseFault> {
        self.pose.set_with(world, values, SetOptions::default())
    }

    /// [`CheckWork::set`] with options.
    pub fn set_with(&mut self, world: &World, values: &[f64], options: SetOptions) -> Result<(), PoseFault> {
        self.pose.set_with(world, values, options)
    }

    /// The joint values.
    pub fn values(&self) -> &[f64] {
        self.pose.values()
    }

    /// Where a body is, or `None` for a body of another world.
    pub fn body_in_world(&self, world: &World, body: BodyId) -> Option<Transform> {
        self.pose.body_in_world(world, body)
    }

    /// Forgets the last queries. Their memory never changes what is proved, only how fast and to which last
    /// digits: poses that must not depend on what was asked before start from here.
    pub fn forget(&mut self) {
        self.memory.fill(Warm::default());
    }

    /// The place in `memory` of two shapes, among a few from `first` on. What other shapes left there is
    /// forgotten.
    pub(crate) fn slot(&mut self, first: usize, shapes: [u32; 2]) -> usize {
        let at = first + (shapes[0] ^ shapes[1]) as usize % CROWD_MEMORY;
        let own = self.memory.len() - self.slots.len();
        let known = &mut self.slots[at - own];
        if *known != shapes {
            *known = shapes;
            self.memory[at] = Warm::default();
        }
        at
    }
}
