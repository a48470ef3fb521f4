//! The proved distance of two shapes.

pub(crate) mod aligned;
pub(crate) mod analytic;
pub(crate) mod certify;
pub(crate) mod farthest;
pub(crate) mod gjk;
pub mod mesh;
pub mod narrow;
pub(crate) mod nonconvex;
pub(crate) mod penetration;
pub mod placed;
