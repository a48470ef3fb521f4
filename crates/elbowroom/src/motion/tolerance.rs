//! Every number that decides something between poses.

use crate::numeric::tolerance::ROUNDOFF;

/// Rounding of moving a ball once (a rotation, a sum, a square root; 20 u of its place and radius) or of a
/// distance from an axis, with room for axes normalized to 6 u.
pub const SWEEP_ROUNDING: f64 = 64.0 * ROUNDOFF;
/// Pays for the rounding of a sum of products, none negative, along a chain: 3 u a joint, enough for a
/// million joints.
pub const MOTION_FACTOR: f64 = 1.0 + 1e-9;
/// Entries of the table of levers (a body and a joint that moves it; 12 bytes). Of bodies beyond nothing is
/// proved between poses.
pub const MAX_REACH_ENTRIES: usize = 1 << 23;
/// Bound on how far a point moves when an orientation changes: metres per metre of distance from the centre,
/// and per unit of change of the quaternion. Two unit quaternions at an angle `a` differ by a rotation of
/// `2 a`, which moves a point at distance 1 by `2 sin a`. Their chord is `c = 2 sin(a / 2)`, and
/// `2 sin a = 2 c cos(a / 2) <= 2 c`. If their lengths are 1 to within `QUATERNION_DEFECT`, the chord of the
/// unit quaternions is at most 1.002 times theirs.
pub const QUATERNION_TURN: f64 = 2.0 * 1.003;
/// How far a computed quaternion on the arc between two may be from the true one: its ends are normalized to
/// 4 u each, the angle between them is off by 8 u, two sines over a third by 6 u, products and their sum by 4
/// u.
pub const SLERP_ROUNDING: f64 = 64.0 * ROUNDOFF;
/// An interval of a motion on which an open pair moves less than this is not halved again (metres): a tenth
/// of the finest repeatability of robots.
pub const EDGE_RESOLUTION: f64 = 1e-6;
/// Most halvings of a motion, whatever the resolution: a part of 1e-12, whose ends are still told apart.
pub const EDGE_HALVINGS: usize = 40;
/// Pairs asked on intervals for one motion, some tenths of a second of hulls.
pub const EDGE_WORK: u64 = 1 << 19;
/// Intervals on which a pair stays open before it is left alone for the rest of a motion: one that slides
/// along another leaves one per resolution.
pub const EDGE_OPEN_ENDS: usize = 32;
/// How often a piece of a certificate is halved where it is not proved again at once: an eighth of a motion
/// spends an eighth of what the best direction may differ by.
pub const AGAIN_HALVINGS: u32 = 3;
/// Boxes of joint values that are asked to prove that a pair never touches, or always does; some tenths of a
/// second of hulls.
pub const PROVE_BOXES: u64 = 200_000;
/// Numbers that hold the boxes waiting for their turn, for one pair (8 bytes each, twice): a quarter of a
/// million boxes of seven joints.
pub const PROVE_WAITING: usize = 1 << 22;
/// Boxes of joint values that compiling a world looks at to prove that a pair never touches: the links next
/// but one of most arms need fewer, and a box takes some microseconds.
pub const FLOOR_BOXES: u64 = 64;
/// The same for all pairs of a world: some milliseconds.
pub const FLOOR_BOXES_IN_ALL: u64 = 2048;
/// Pairs of bodies with more pairs of shapes than this are not looked at: each box would ask them all.
pub const FLOOR_SHAPES: usize = 64;
