//! What is told of two shapes: against formulas, against the slow reference, and in special positions.

use elbowroom_testkit as support;

mod aligned;
mod between_walls;
mod bracketed;
mod by_construction;
mod cups;
mod decided;
mod depths;
mod drawn_back;
mod efforts;
mod enclosed;
mod exact;
mod facets;
mod nearly_convex;
mod parallel_and_crossing;
mod rough_ground;
mod tight_fits;
mod touching;
mod voxels;
mod warm;
mod ways_out;
