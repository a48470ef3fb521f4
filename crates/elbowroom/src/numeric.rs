//! Lists in layers, and poses padded for lanes.

pub(crate) mod layered;
pub(crate) mod padded;
