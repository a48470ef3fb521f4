//! Every number that decides something when a world is compiled.

use elbowroom_pair::numeric::tolerance::ROUNDOFF;

/// A range of joint values that is longer (radians or metres) means that there is no limit: 150 turns, or a
/// kilometre of travel.
pub const DRAWN_RANGE: f64 = 1e3;
/// How far a joint value may lie outside its limits (radians or metres). Limits are decimal copies of
/// fractions of pi, cut at nine or ten digits: a value computed as `270° * pi / 180` must not be refused for
/// the last of them.
pub const LIMIT_ROUNDING: f64 = 1e-9;
/// Most bodies in a world.
pub const MAX_BODIES: usize = 1 << 22;
/// Most bodies that move: the pairs between them are visited once when the world is compiled.
pub const MAX_MOVING: usize = 1 << 16;
/// Fixed obstacles that came or went since a world was made whole: up to so many, or up to this share of its
/// bodies, an edit adds to what is there. Beyond that the world is made whole again. Each edit copies what
/// came before it, some 300 bytes an obstacle; each query visits one tree more.
pub const EDIT_LEAST: usize = 256;
/// One part in so many.
pub const EDIT_SHARE: usize = 64;
/// Most movable obstacles: all of them can be placed again for each pose.
pub const MAX_MOVABLE: usize = 1 << 16;
/// Most shapes in a world.
pub const MAX_SHAPES: usize = 1 << 22;
/// Number of bodies whose capsules are fitted thoroughly, some milliseconds each. All further ones are fitted
/// quickly.
pub const FIT_THOROUGH: u32 = 64;
/// If the fixed bodies have at least so many shapes, a moving body is checked against them as a crowd,
/// through a tree, instead of pair by pair. With fewer shapes, to bound every pair costs less than to descend
/// a tree.
pub const CROWD_LEAST: u64 = 16;
/// Most checked pairs in a world that are listed one by one: every pose visits each of them.
pub const MAX_CHECKED_PAIRS: usize = 1 << 24;
/// Most warm starts of listed pairs. All further pairs of shapes start cold; the answers are the same.
pub const MAX_WARM_STARTS: usize = 1 << 18;
/// Rounding of `multiplier * value + offset`, per link of a chain of mimics, per unit of its two terms.
pub const MIMIC_ROUNDING: f64 = 4.0 * ROUNDOFF;
/// Number of bodies that have tables of heights: two megabytes. They are the first that tests ask about.
pub const HEIGHT_BODIES: usize = 256;
/// Boxes are fitted around fixed shapes in tasks of about so many: a hundred microseconds.
pub const FIXED_TASK: usize = 1 << 10;
/// Most different fixed shapes with the same ball around them whose twins are looked for. It bounds the work
/// per shape.
pub const TWIN_KINDS: usize = 4;
