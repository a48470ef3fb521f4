//! Meshes from files: every format, and what no mesh may be.

#[path = "../support/mod.rs"]
mod support;

mod flat;
mod formats;
mod gltf;
mod ids;
mod lost;
mod ply;
