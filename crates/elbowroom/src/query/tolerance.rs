//! Every number that decides something in a search.

/// Moving bodies and fixed shapes that wait to be asked, near by their boxes; some twenty are usual.
pub const LEAVES_WAITING: usize = 128;
/// Shape queries that a moving body remembers of its crowd: the few fixed shapes that are near it for some
/// time.
pub const CROWD_MEMORY: usize = 8;
/// How many times as much as f64 the lanes of a batch round: f32 has 29 bits less, and twice that, for what
/// never changes is rounded to f32 once, and sines are within 3.5 units instead of 2.
pub const BATCH_UNIT: f64 = (1_u64 << 30) as f64;
/// Entries of a rotation that never changes count as zero below this: what is left of right angles that were
/// written or multiplied. A slide along such an axis is off by no more than `SHIFT_PER_TRAVEL` has to spare
/// in lanes.
pub const BATCH_SNAP: f64 = 1e-9;
/// What that turns a frame by (Frobenius norm): nine entries, `3 * BATCH_SNAP`. Rounded up.
pub const BATCH_SNAP_TURN: f64 = 1e-8;
/// Half extents of boxes are larger by this share in the lanes, for being rounded to f32.
pub const BATCH_BOX: f64 = 1e-6;
/// How much longer than 1 an axis that lanes computed may be. Those that may be off by more, behind a hundred
/// joints and more, are not asked of lanes.
pub const BATCH_AXIS: f32 = 1e-3;
/// Squared distances between axes below this (square metres) give no direction in f32.
pub const BATCH_NEAR: f32 = 1e-30;
/// `sin²` between two axes below this is rounding in f32: any point of one axis serves to start.
pub const BATCH_PARALLEL: f32 = 1e-12;
/// Poses that go through the lanes before the undecided ones among them are asked one by one.
pub const BATCH_CHUNK: usize = 256;
/// Refused poses that a batch names; it counts the others.
pub const BATCH_FAULTS: usize = 32;
