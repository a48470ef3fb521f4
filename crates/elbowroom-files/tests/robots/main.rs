//! The engine on real robots: computed truth, proofs, edges, warm starts. They lie here, where robots are
//! read from files.

use elbowroom_testkit as support;
use elbowroom_testkit::cells;

mod bounds;
mod coherent;
mod depths;
mod edges;
mod gradients;
mod more_robot;
mod proofs;
mod rrc;
mod scale;
mod scenes;
mod second_opinion;
mod splines;
mod truth;
