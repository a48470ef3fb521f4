//! What was seen of a cloud: points, in a tree ([`PointTree`]).

use crate::bounds::PointTree;
use crate::model::world::World;
use alloc::vec::Vec;

/// A cloud and its points.
#[derive(Clone, Debug)]
pub(crate) struct CloudPoints {
    /// In the cell frame.
    pub tree: PointTree,
    /// Whether points were given. Before that nothing is known of what is there.
    pub seen: bool,
    /// How far the points' places in the cell may be off (metres).
    pub slack: f64,
}

impl CloudPoints {
    /// Those of a world, of which no points were given yet.
    pub fn of_world(world: &World) -> Vec<CloudPoints> {
        let clouds = world.movables.clouds.iter();
        clouds
            .filter_map(|cloud| {
                Some(CloudPoints { tree: PointTree::new(cloud.capacity)?, seen: false, slack: 0.0 })
            })
            .collect()
    }

    /// Takes what another has; allocates nothing for the same cloud.
    pub fn copy_from(&mut self, other: &CloudPoints) {
        self.tree.copy_from(&other.tree);
        (self.seen, self.slack) = (other.seen, other.slack);
    }
}
