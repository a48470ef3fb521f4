//! Real files into descriptions: robots (URDF, SRDF), meshes (STL, OBJ, DAE), worlds (TOML), scenes (MoveIt's
//! YAML), motions (CSV, NPY) and `distance` cases (JSON).
//!
//! Every reader collects all faults of everything it was given and says of each where it is and what to do.
//! No input makes a reader panic, hang or use unbounded memory; the bounds are in [`limits`]. Nothing that
//! has a shape is ever left out silently: what cannot be read is a fault.

pub mod cases;
pub mod fault;
pub mod limits;
pub mod mesh;
pub mod motion;
pub mod robot;
pub mod scene;
pub mod source;
pub mod srdf;
pub mod world;

mod shape;
mod tree;
mod urdf;
mod xml;

pub use fault::{Fault, Faults, Loaded, Warning};
pub use source::Options;
