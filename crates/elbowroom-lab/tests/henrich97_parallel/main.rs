//! henrich97's search on several processors: its protocol under every schedule, its answers, its faults.

mod answers;
mod model;
mod shuttled;
