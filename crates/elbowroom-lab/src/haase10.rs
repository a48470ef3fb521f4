//! haase10: the three levels of a hand of three fingers, and the paper's own tests of its parts.
//!
//! Haase and Woern, "Real-time collision detection for intrinsic safety of Multi-fingered SDH-2" (2010).
//! Seven joints move three fingers of 155 mm: too many for a table of all poses, so the fingers are
//! approximated, coarsely first ([`levels`]). The paper's own tests are rebuilt as they are
//! written, and beside each that is not exact stands one that is:
//!
//! | section | here | as written |
//! | --- | --- | --- |
//! | II-A: boxes, separating axes | [`separating`] | exact; the kept axis and a sixteenth are ours |
//! | II-C: the tip's boxes, equations 1 to 4, Table I | [`tip`] | contains the tip |
//! | III-A: joint and joint | [`cylinders`] | misses overlaps of a cap with a side |
//! | III-B: tip and tip by recursion | [`levels::tips_overlap`] | contains both tips |
//! | III-C: tip and joint | [`cylinder_box`] | a misprint; with one plane it misses overlaps |
//! | III-D: finger 2 and the palm | [`base_line`] | made for the machine's shapes |
//! | IV-A: velocity profiles, prediction by each | [`drive`] | two integrals are lost |
//! | IV-A: late positions, the two stops | [`joint`], [`late`] | its millimetres are of another lever |
//! | IV-A: a simulated hand under the guard | [`closing`] | the stop command turns back |
//!
//! The hand is the one of `robots/sdh2`, which `cargo xtask sdh2` writes from [`dimensions`].

pub mod base_line;
pub mod closing;
pub mod controller;
pub mod counts;
pub mod cylinder_box;
pub mod cylinders;
pub mod dimensions;
pub mod drive;
mod experiment;
pub mod field_runs;
pub mod finger;
pub mod hand;
pub mod joint;
pub mod kinematics;
pub mod late;
pub mod levels;
pub mod measured;
mod report;
pub mod separating;
mod timing;
pub mod tip;

pub use experiment::{Haase10Options, TABLE, run};
pub use report::{BaseRow, Haase10Report, LevelRow, TableColumn, TimeRow};
