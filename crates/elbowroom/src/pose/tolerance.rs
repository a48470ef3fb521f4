//! Every number that decides something about poses.

/// How far the length of a quaternion among the joint values may be from 1. Values written with four decimals
/// are within 2e-4. A length farther from 1 is a mistake, and is refused instead of normalized.
pub const QUATERNION_DEFECT: f64 = 1e-3;
/// Most pairs that are allowed while a world is asked: 16 kilobytes in each checker.
pub const MAX_ALLOWED_NOW: usize = 1 << 10;
/// The tree over movable bodies is built anew where this share of them moved at once (one in so many). Moving
/// one box costs about as much as building the tree costs for four.
pub const REBUILD_SHARE: usize = 4;
