//! Every number that decides something, with its unit and where it comes from.

/// Unit roundoff of f64: a correctly rounded operation is off by at most this factor.
pub const ROUNDOFF: f64 = 1.110_223_024_625_156_5e-16; // 2^-53
