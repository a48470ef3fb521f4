//! The distance and the depth of two placed shapes, each with its proof.

pub mod aligned;
pub mod analytic;
pub mod certify;
pub mod claim;
pub mod clearance;
pub mod convex;
pub mod cores;
pub mod depth;
pub mod farthest;
pub mod geometry;
pub mod gjk;
pub mod interval;
pub mod mesh;
pub mod narrow;
pub mod nonconvex;
pub mod penetration;
pub mod posed;
pub mod scratch;
pub mod shape_pair;
pub mod simplex;
pub mod tolerance;
pub mod verdict;
pub mod witness;
