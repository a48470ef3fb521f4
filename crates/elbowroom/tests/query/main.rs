//! What is told of worlds at a pose: every question against every pair by itself, and against formulas.

use elbowroom_testkit as support;

mod certificates;
mod changed_edges;
mod changed_ranges;
mod changes;
mod check;
mod cloud;
mod clouds;
mod edits;
mod gradient;
mod groups;
mod hulls;
mod nearest;
mod nothing_checked;
mod owned;
mod pads;
mod scenes;
mod spares;
mod worlds;
