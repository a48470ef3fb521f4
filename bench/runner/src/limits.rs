//! The deciding numbers of the bench, with unit and reason.

/// How much is proved beforehand of pairs that never touch: under a second for an arm of seven joints.
pub const PROOF_BOXES: u64 = 50_000;
/// Widening of both ends of the reference's intervals (metres): vertices and translations are below 4 m, a
/// coordinate of a difference is the result of fewer than 20 operations, 4 * 20 * 2^-53 is below 1e-14; two
/// orders of margin.
pub const ROUNDING: f64 = 1e-12;
/// Depth is never enumerated above this product of the hulls' edge counts: a step would take minutes.
pub const MAX_EDGE_PAIRS: usize = 3_000_000;
/// Below this product depth is enumerated in every step, above it in one of so many more: seconds an item.
pub const EDGE_PAIRS_EVERY_STEP: usize = 10_000;
/// Steps of the search for a separation; after them the interval is given as it is, wide but true.
pub const MAX_STEPS: usize = 1000;
/// A piece of an edge is not halved again below this part of it.
pub const SHORTEST: f64 = 1e-5;
/// For triangles the distances of all pairs are proved in one step of so many, because a pair of dense meshes
/// takes a tenth of a second.
pub const ALL_PAIRS_EVERY: usize = 5;
