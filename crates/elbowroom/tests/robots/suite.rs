//! The engine on real robots. Files are needed to load them, so the crate of the readers builds and runs this
//! suite: `cargo test -p elbowroom-files --test robots`.

use elbowroom_testkit as support;
use elbowroom_testkit::cells;

mod bounds;
mod coherent;
mod depths;
mod edges;
mod gradients;
mod more_robot;
mod opinion;
mod proofs;
mod rrc;
mod scale;
mod scenes;
mod truth;
