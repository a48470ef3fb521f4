//! Which bodies never move relative to each other.

use crate::model::id::BodyId;
use crate::model::pairs::CELL;
use alloc::vec;
use alloc::vec::Vec;

/// By body, the rigid cluster that it belongs to and the one that this hangs on by a moving joint; itself if
/// it hangs on none.
#[derive(Debug)]
pub(super) struct Clusters(pub Vec<[u32; 2]>);

impl Clusters {
    /// So many bodies, all fixed in the cell.
    pub fn new(bodies: usize) -> Clusters {
        Clusters(vec![[CELL; 2]; bodies])
    }

    /// The first number of a robot's clusters, by its first link: they are unique because no cluster is
    /// shared.
    pub fn of_robot(&self, first_link: u32) -> u32 {
        first_link + 1
    }

    /// Fixed joints keep their child in the parent's cluster; every other joint begins the next one.
    pub fn join(&mut self, parent: BodyId, child: BodyId, fixed: bool, next: &mut u32) {
        let [own, above] = self.0[parent.index()];
        self.0[child.index()] = if fixed { [own, above] } else { [*next, own] };
        *next += u32::from(!fixed);
    }

    /// A body that is held is where its carrier is.
    pub fn hold(&mut self, carrier: BodyId, held: BodyId) {
        self.0[held.index()] = self.0[carrier.index()];
    }
}
