//! Every number that decides what can be baked, with unit and reason.

/// Most corners of a hull: each direction looks at all of them, and 512 take 6 KiB and some 10 000 cycles.
pub const MAX_CORNERS: usize = 512;
/// Largest error of a pair (metres): bounds that lose more than a millimetre are of no use to a hand. In f32
/// that is a cell of some hundred metres.
pub const MAX_ERROR: f64 = 1e-3;
/// Most joints, values, bodies, shapes, vertices or pairs: they are numbered with 16 bits.
pub(crate) const MAX_COUNT: usize = 0xffff;
/// Share by which radii of balls are enlarged: more than rounding to f32 and the sums take.
pub(crate) const BALL_SURPLUS: f64 = 1e-6;
/// The largest angle of a joint (radians), a little below what sines are computed for.
pub(crate) const LARGEST_ANGLE: f64 = 999.9;
/// Steps of one unit in the last place by which a limit is moved until the engine accepts it. Two are enough
/// where scale is 1; a mimic's rule rounds a few times more.
pub(crate) const LIMIT_STEPS: u32 = 64;
