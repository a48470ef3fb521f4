//! tran91, section 2.1: a spatial index octree over bodies that move.
//!
//! The root is a cube. A node that has too much in it is split into eight equal ones, again and again, until
//! each leaf lists few bodies or none. Two bodies can collide only where they share a leaf. The paper has two
//! rules for when a node is split ([`Rule`]):
//!
//! * n objects: when more than `n` bodies are in it;
//! * compatibility: when two bodies are in it that are not compatible, that is, that can collide. What is
//!   fixed is compatible with what is fixed, and so are the links on both sides of a joint.
//!
//! A body that moves is taken out of the leaves that it no longer meets and put into those that it meets now.
//! Both are found by the paper's neighbour finding: from the leaf where the body is, parents are climbed to
//! the nearest ancestor of all old and new leaves, and from there the tree is descended along both boxes.
//! Nodes of which both boxes meet the same part are passed over. A node is split when the rule says so after
//! a body has come, and its children are merged when the rule no longer splits it.
//!
//! One thing differs. The paper descends from that ancestor along its way up, mirrored at the border that was
//! crossed (section 2.1), and so comes to the neighbour of equal size (Samet's method). It finds one node
//! beside one node. A body here is in many leaves and may come to any others, so the descent is a plain one:
//! along the old box and the new one at once. It ends at the same leaves, and looks at no node that neither
//! box meets.
//!
//! The paper leaves out what follows; without it neither rule ends:
//!
//! * Bodies that lie on each other are in one node however small it is. So levels end
//!   ([`OCTREE_LEVELS`](crate::limits::OCTREE_LEVELS)).
//! * Bodies larger than a node are in most of its children: those that overlap would split all that they
//!   share, to the last level. So a node is split only if half of its bodies at least are small in
//!   it: their longest edge is at most half of the node's ([`OCTREE_SMALL`](crate::limits::OCTREE_SMALL)). A
//!   small body is in eight nodes of a level at most. So `N` bodies split at most `8 N` nodes a level and
//!   make at most `128 N` entries of lists a level, however they lie: memory is bounded.
//! * What is beyond the root belongs to the leaves along its border, which reach without end. A body that is
//!   larger than the root is in all leaves, one outside in the nearest on the border. Both are found as all
//!   others are. An empty box is in no node and is never found.
//!
//! Whether a node is split depends on the bodies in it and on nothing else. So the tree does not depend on
//! how the bodies came to lie where they do, and [`Octree::check_invariants`] checks every node of it.
//! Coordinates become whole numbers once ([`Octree::insert`], [`Octree::move_to`]). From there on nothing is
//! rounded, and touching boxes share a leaf. All loops end at the last level or with a list: nothing is
//! recursive. The same calls give the same tree and the same answers in the same order.
//!
//! Boxes only: what shapes do is asked of the engine. What it costs beside the engine's trees is in
//! `docs/octree.md`, measured by the example `octree_times`; [`cell`] runs it in the paper's cell.

pub mod cell;

mod counts;
mod lists;
mod nodes;
mod octree;
mod query;
mod reshape;
mod rule;
mod span;
mod store;
mod validate;

pub use counts::OctreeCounts;
pub use octree::{BodyExtent, Octree};
pub use query::{NearestBody, Work};
pub use rule::{CLASSES, Compatibility, Rule};
