//! Every number that decides something about poses.

/// How far the length of a quaternion among the joint values may be from 1. Values written with four decimals
/// are within 2e-4. A length farther from 1 is a mistake, and is refused instead of normalized.
pub const QUATERNION_DEFECT: f64 = 1e-3;
