//! The compiled robots and their cell.

pub mod body;
pub(crate) mod body_bounds;
pub(crate) mod by_name;
pub mod checked_pairs;
pub(crate) mod checks;
pub mod compile;
pub(crate) mod edit;
pub(crate) mod fixed;
pub mod groups;
pub mod id;
pub mod kinematics;
pub(crate) mod like;
pub(crate) mod movable_pairs;
pub(crate) mod movables;
pub mod name;
pub mod pairs;
pub(crate) mod places;
pub(crate) mod proofs;
pub(crate) mod select;
pub mod solids;
pub(crate) mod spare;
pub(crate) mod starts;
pub(crate) mod step;
pub(crate) mod tolerance;
pub(crate) mod values;
pub mod world;
