//! Every number that decides something about a baked world, with unit and derivation.
//!
//! # What rounding to f32 may do
//!
//! `u` is [`ROUNDOFF`], the unit roundoff of f32. Every constant of a baked world is its f64 value rounded to
//! nearest. The true pose of a frame is what exact arithmetic gives for the joint values and the f64
//! constants; the computed one is off by a *rotation* (Frobenius norm of the difference of the matrices) and
//! a *shift* (metres).
//!
//! **A step** from parent to child multiplies by a constant rotation, then turns about z by an angle, or
//! slides along z.
//!
//! - The constant rotation is rounded: u sqrt(3). The product of two rotations: 9u (three products and two
//!   sums an entry, at most 3u of the product of the norms sqrt(3) and sqrt(3)).
//! - Sine and cosine are off by [`SINE_ERROR`] each: at most twice that in the Frobenius norm. The two
//!   columns that they combine: 4u.
//! - The angle `scale * value + offset` with rounded constants: u (3 |scale value| + 2 |offset|), times
//!   sqrt(2) in the Frobenius norm. Nothing for a joint that follows no other: scale is 1 and offset 0, and a
//!   value is what it is. The same for the amount of a slide (metres).
//! - The shift grows by the parent's rotation error times the arm (the step's constant translation and its
//!   travel); by u arm for the rounded constant; by (3 sqrt(3) + 1) u arm for the product; by 2u distance
//!   for the sum, where the distance is how far the child's origin may be from the cell's.
//!
//! [`STEP_ROTATION`] and [`STEP_SHIFT`] are the sums of these, rounded up to twice as much and more. Products
//! of two errors are below 1e-4 of the errors and in this surplus.
//!
//! **A shape** in its frame has a centre at a distance `c` from the frame's origin, and points within `r` of
//! it. Its height along a computed unit direction is off by the shift, by the rotation times (c + r), and by
//! rounding: of constants, u (c + r); of the transformed centre, (3 sqrt(3) + 1) u c + u distance; of the
//! direction in the frame, 3 sqrt(3) u r; of its products with axes, 3 sqrt(3) u r, and with vertices as much
//! again, and sqrt(3) u r for a hull's rounded axes; of a root and the sums, 8u r. [`SHAPE_ROUNDING`] times
//! (c + r + distance) is more than twice the sum.
//!
//! **A pair**: the gap along the direction is a product of it and the difference of two centres, less two
//! heights and two radii. With the reaches of both bodies (largest distance of a point from the cell's
//! origin): rounding of the difference u, of the product 3 sqrt(3) u, of four sums 4u, of the rounded radii
//! u; the direction's length is within 6u of 1, which changes the gap by that share. [`PAIR_ROUNDING`] times
//! the sum of the reaches is more than twice the sum.
//!
//! `elbowroom bake` computes these sums in f64, adds [`UNDERFLOW`], and rounds the result up.

/// Unit roundoff of f32.
pub const ROUNDOFF: f64 = 5.960_464_477_539_063e-8; // 2^-24
/// Error of a computed sine or cosine: polynomials 6e-8, reduction 6e-8, rounding 6e-8. A test compares
/// millions with f64: the largest is 1.2e-7.
pub const SINE_ERROR: f64 = 2e-7;
/// Largest angle (radians) whose sine is computed: up to it the multiples of a quarter turn that are taken
/// off are exact.
pub const MAX_ANGLE: f32 = 1000.0;
/// Rotation error that a step adds (Frobenius norm): sqrt(3) u + 9u + 4u + 2 SINE_ERROR is below 22u.
pub const STEP_ROTATION: f64 = 48.0 * ROUNDOFF;
/// Error of a mimic's rule for each radian or metre of |scale value| + |offset|: 3 sqrt(2) u.
pub const STEP_ANGLE: f64 = 10.0 * ROUNDOFF;
/// Shift for each metre of the arm and of the distance: at most (3 sqrt(3) + 2) u.
pub const STEP_SHIFT: f64 = 16.0 * ROUNDOFF;
/// Rounding of a shape's height, for each metre of the distances of its frame and of its points: at most
/// (10 sqrt(3) + 10) u.
pub const SHAPE_ROUNDING: f64 = 64.0 * ROUNDOFF;
/// Rounding of a pair's gap, for each metre that the two bodies reach: at most (3 sqrt(3) + 12) u.
pub const PAIR_ROUNDING: f64 = 40.0 * ROUNDOFF;
/// Metres that products of tiny numbers may lose: squares below 1e-38 vanish, so lengths below 1e-18 do.
pub const UNDERFLOW: f64 = 1e-12;
/// Most directions that are tried for two shapes. Boxes and hulls of tens of vertices need 3 to 8.
pub const MAX_ITERATIONS: u32 = 16;
/// A direction whose length is below this (metres) is no direction: its square would lose digits.
pub const LEAST_LENGTH: f32 = 1e-9;
/// A search for a bound ends when the bound is within this share of the distance.
pub const BOUND_SHARE: f32 = 1e-3;
