//! Every number that decides something in a search.

/// Most pairs of a moving body and a fixed shape that wait to be asked; about twenty are usual.
pub const LEAVES_WAITING: usize = 128;
/// Slots for warm starts of a crowd: a moving body is near a few fixed shapes at a time.
pub const CROWD_SLOTS: usize = 8;
/// How many times as much the lanes of a batch round as f64: 2^29, because f32 has 29 bits less, and twice
/// that, because frames that never change are rounded to f32 once, and sines are within 3.5 units instead of
/// 2.
pub const BATCH_UNIT: f64 = (1_u64 << 30) as f64;
/// Entries of a rotation that never changes count as zero below this: they are rounding of right angles. The
/// error of a slide along such an axis stays within what `SHIFT_PER_TRAVEL` allows in lanes.
pub const BATCH_SNAP: f64 = 1e-9;
/// The error of a rotation by that (Frobenius norm): nine entries, `3 * BATCH_SNAP`, rounded up.
pub const BATCH_SNAP_TURN: f64 = 1e-8;
/// Half extents of boxes are larger by this fraction in lanes, because they are rounded to f32.
pub const BATCH_BOX: f64 = 1e-6;
/// How far the length of an axis that lanes computed may be from 1. Where it may be farther, behind a hundred
/// joints or more, lanes are not used.
pub const BATCH_AXIS: f32 = 1e-3;
/// Squared distances between axes below this (square metres) give no direction in f32.
pub const BATCH_NEAR: f32 = 1e-30;
/// `sin²` between two axes below this is rounding in f32: the axes count as parallel.
pub const BATCH_PARALLEL: f32 = 1e-12;
/// Poses that go through lanes at once. Then the undecided ones among them are asked one by one.
pub const BATCH_CHUNK: usize = 256;
/// Refused poses that a batch names; it counts the others.
pub const BATCH_FAULTS: usize = 32;
