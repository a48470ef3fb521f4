//! The hulls of a tree's nodes, made with the mesh or when a question first needs them.
//!
//! They take a third of the time to compile a mesh, and only the search between surfaces uses them. A mesh
//! that is its own hull, or that nothing comes near, never needs them. Without the feature `std` there is
//! nothing that would make them once for all threads: they are made with the mesh.

use super::node_hulls::NodeHulls;
use super::tree::Node;
use crate::shape::triangle::Triangle;

/// Node hulls that may still be to make. Which of several threads makes them changes no bit.
#[derive(Clone, Debug)]
pub(super) struct HullsOnDemand {
    #[cfg(feature = "std")]
    made: std::sync::OnceLock<NodeHulls>,
    #[cfg(not(feature = "std"))]
    made: NodeHulls,
}

#[cfg(feature = "std")]
impl HullsOnDemand {
    /// Hulls that are to be made.
    pub(super) fn plan_hulls(_: &[Node], _: &[Triangle]) -> HullsOnDemand {
        HullsOnDemand { made: std::sync::OnceLock::new() }
    }

    /// The hulls. Two callers at once may both make them: neither waits, and the first result is kept. So
    /// nothing is locked while a process forks, whose child would wait for a thread that it does not have.
    #[inline(always)]
    pub(super) fn get_or_make(&self, nodes: &[Node], triangles: &[Triangle]) -> &NodeHulls {
        match self.made.get() {
            Some(made) => made,
            None => self.make_on_one_thread(nodes, triangles),
        }
    }

    /// Makes them on this thread: a query is not interrupted by other tasks of its pool.
    #[cold]
    fn make_on_one_thread(&self, nodes: &[Node], triangles: &[Triangle]) -> &NodeHulls {
        let made = NodeHulls::from_triangles_on_one_thread(nodes, triangles);
        self.made.get_or_init(|| made)
    }

    /// Makes them on all threads, unless they are made. Two callers at once may both make them.
    pub(super) fn make_now(&self, nodes: &[Node], triangles: &[Triangle]) {
        if self.made.get().is_none() {
            let _ = self.made.set(NodeHulls::from_triangles(nodes, triangles));
        }
    }
}

#[cfg(not(feature = "std"))]
impl HullsOnDemand {
    /// The hulls, made at once.
    pub(super) fn plan_hulls(nodes: &[Node], triangles: &[Triangle]) -> HullsOnDemand {
        HullsOnDemand { made: NodeHulls::from_triangles(nodes, triangles) }
    }

    /// The hulls.
    #[inline(always)]
    pub(super) fn get_or_make(&self, _: &[Node], _: &[Triangle]) -> &NodeHulls {
        &self.made
    }

    /// They are made.
    pub(super) fn make_now(&self, _: &[Node], _: &[Triangle]) {}
}
