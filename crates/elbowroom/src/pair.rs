//! The proved distance of two shapes.

pub(crate) mod aligned;
pub(crate) mod analytic;
pub(crate) mod certify;
pub(crate) mod claim;
pub mod clearance;
pub(crate) mod convex;
pub(crate) mod cores;
pub(crate) mod farthest;
pub(crate) mod gjk;
pub mod interval;
pub mod mesh;
pub mod narrow;
pub(crate) mod nonconvex;
pub(crate) mod penetration;
pub mod placed;
pub mod scratch;
pub(crate) mod shape_pair;
pub(crate) mod simplex;
pub(crate) mod tolerance;
pub mod verdict;
pub mod witness;
