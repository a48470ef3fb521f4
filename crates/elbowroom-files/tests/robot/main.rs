//! What is read of a URDF and an SRDF, and what is wrong with them.

#[path = "../support/mod.rs"]
mod support;

mod dialects;
mod faults;
mod limits;
mod loadable;
mod lost;
mod packages;
mod srdf;
mod units;
mod warnings;
