//! What is told of two shapes: against formulas, against the slow reference, and in special positions.

use elbowroom_testkit as support;

mod aligned;
mod bracketed;
mod decided;
mod depths;
mod efforts;
mod enclosed;
mod exact;
mod facets;
mod known;
mod nearly_convex;
mod rough_ground;
mod special;
mod tight_fits;
mod voxels;
mod walls;
mod warm;
mod ways_out;
