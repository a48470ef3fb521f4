//! Which bodies never move relative to each other.

use crate::model::id::BodyId;
use crate::model::pairs::FIXED_CLUSTER;
use alloc::vec;
use alloc::vec::Vec;

/// By body, its rigid cluster, and the cluster that this one hangs on by a moving joint; the same one twice
/// if it hangs on none.
#[derive(Debug)]
pub(super) struct Clusters(pub Vec<[u32; 2]>);

impl Clusters {
    /// A number of bodies, all fixed in the cell.
    pub fn new(bodies: usize) -> Clusters {
        Clusters(vec![[FIXED_CLUSTER; 2]; bodies])
    }

    /// The first number for clusters of a robot, from its first link. Numbers are unique: each moving joint
    /// of the robot has a link of its own as its child.
    pub fn of_robot(&self, first_link: u32) -> u32 {
        first_link + 1
    }

    /// A movable obstacle: a cluster of its own. Its number is unique: those of robots are below those of
    /// obstacles.
    pub fn stand_alone(&mut self, body: BodyId) {
        self.0[body.index()] = [body.0 + 1; 2];
    }

    /// A fixed joint or an attachment: the child joins the cluster of its parent.
    pub fn join_fixed(&mut self, parent: BodyId, child: BodyId) {
        self.0[child.index()] = self.0[parent.index()];
    }

    /// A moving joint: the child begins a cluster of this number.
    pub fn join_moving(&mut self, parent: BodyId, child: BodyId, number: u32) {
        self.0[child.index()] = [number, self.0[parent.index()][0]];
    }
}
