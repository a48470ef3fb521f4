//! Every number that decides something about poses.

/// How far the length of a quaternion among the joint values may be from 1. Values written with four decimals
/// are within 2e-4. A length farther from 1 is a mistake, and is refused instead of normalized.
pub const QUATERNION_DEFECT: f64 = 1e-3;
/// Most pairs that are allowed while a world is asked: 16 kilobytes in each checker.
pub const MAX_ALLOWED_NOW: usize = 1 << 10;
/// All boxes of the tree over movable bodies are written in one pass where this share of the bodies moved at
/// once (one in so many). To move one box by itself costs about as much as four in that pass.
pub const REFIT_SHARE: usize = 4;
