//! Every number that decides something when a world is compiled.

use crate::numeric::tolerance::ROUNDOFF;

/// Radians or metres. A range of joint values that is longer says that there is no limit, not where a robot
/// may be: a hundred and fifty turns, or a kilometre of travel.
pub const DRAWN_RANGE: f64 = 1e3;
/// How far a joint value may lie outside its limits (radians or metres). Limits are decimal copies of
/// fractions of pi, cut at nine or ten digits: a value computed as `270° * pi / 180` must not be refused for
/// the last of them.
pub const LIMIT_ROUNDING: f64 = 1e-9;
/// Longest chain of mimic joints that is followed; real ones have one link, and a ring has no end.
pub const MAX_MIMIC_HOPS: u32 = 64;
/// Most bodies in a world.
pub const MAX_BODIES: usize = 1 << 22;
/// Most bodies that move: the pairs between them are visited once when the world is compiled.
pub const MAX_MOVING: usize = 1 << 16;
/// Most shapes in a world.
pub const MAX_SHAPES: usize = 1 << 22;
/// Bodies whose capsules are fitted with effort, some milliseconds each; those of more are fitted quickly.
pub const FIT_THOROUGH: u32 = 64;
/// Shapes of fixed bodies from which on a moving body is checked against them as a crowd, through a tree,
/// instead of pair by pair: below that all bounds cost less than a way down the tree.
pub const CROWD_LEAST: u64 = 16;
/// Most checked pairs in a world that are listed one by one: every pose visits each of them.
pub const MAX_CHECKED_PAIRS: usize = 1 << 24;
/// Most pairs of shapes whose last query a pose remembers. Pairs beyond start cold; the answers are the same.
pub const MAX_REMEMBERED: usize = 1 << 18;
/// Rounding of `multiplier * value + offset`, per link of a chain of mimics, per unit of its two terms.
pub const MIMIC_ROUNDING: f64 = 4.0 * ROUNDOFF;
/// Bodies that heights are kept of, the first of the listed pairs that tests look at: two megabytes.
pub const HEIGHT_BODIES: usize = 256;
/// Different fixed shapes with the same ball around them whose twins are looked for: a few kinds of part at
/// one place, and the work per shape is bounded.
pub const TWIN_KINDS: usize = 4;
