//! Lists in layers, lists of work spaces, and poses padded for lanes.

pub(crate) mod layered;
pub(crate) mod padded;
pub(crate) mod work_list;
