//! Every number that decides something between poses.

use elbowroom_pair::numeric::tolerance::ROUNDOFF;

/// Rounding of moving a ball once (a rotation, a sum, a square root: 20 u of its position and radius) or of a
/// distance from an axis, whose direction is normalized to 6 u.
pub const SWEEP_ROUNDING: f64 = 64.0 * ROUNDOFF;
/// Factor for the rounding of a sum of products along a chain, none of them negative: 3 u for each joint,
/// enough for a million joints.
pub const MOTION_FACTOR: f64 = 1.0 + 1e-9;
/// Most pairs of shapes of two bodies that are followed one by one while the bodies move apart: a hand of
/// eight shapes and what it holds.
pub const SHAPE_PAIRS: usize = 64;
/// Rounding of a gap along a direction that is asked whether it falls at all (metres): a millionth of what
/// arms repeat, and a million times what doubles round at a metre.
pub const FALL_ROUNDING: f64 = 1e-9;
/// Two bodies with points that are as far apart as the margin to within this touch, as closely as it can be
/// told (metres): as [`FALL_ROUNDING`].
pub const TOUCH: f64 = FALL_ROUNDING;
/// Most entries in the table of lever arms, one for a body and a joint that moves it (12 bytes). Nothing is
/// proved between poses about bodies beyond.
pub const MAX_LEVERS: usize = 1 << 23;
/// Bound on how far a point moves when an orientation changes: metres per metre of distance from the centre,
/// and per unit of change of the quaternion. Two unit quaternions at an angle `a` differ by a rotation of
/// `2 a`, which moves a point at distance 1 by `2 sin a`. Their chord is `c = 2 sin(a / 2)`, and
/// `2 sin a = 2 c cos(a / 2) <= 2 c`. If their lengths are 1 to within `QUATERNION_DEFECT`, the chord of the
/// unit quaternions is at most 1.002 times theirs.
pub const QUATERNION_TURN: f64 = 2.0 * 1.003;
/// How far a computed quaternion on the arc between two may be from the true one: its ends are normalized to
/// 4 u each, the angle between them is off by 8 u, the quotients of sines by 6 u, products and their sum by 4
/// u.
pub const SLERP_ROUNDING: f64 = 64.0 * ROUNDOFF;
/// Rounding of a piece of a spline, in units of the sum of the magnitudes of its six terms at the end. Each
/// coefficient is scaled by a power of the time (5 roundings), and brought to the middle of an interval (15)
/// and its length (5); its part of a Bernstein coefficient and their sum take 8, the value at the middle 10.
/// A middle or an end that is itself rounded moves the value by at most 15, since no slope is more than five
/// times that sum. Together 58, and as much again for what is taken from it.
pub const SPLINE_ROUNDING: f64 = 128.0 * ROUNDOFF;
/// Most halvings of a piece to find where it leaves the limits of a joint. What such a short interval may be
/// beyond is far below what limits are rounded by, but for terms of millions of radians; so it counts as
/// beyond.
pub const LIMIT_HALVINGS: u32 = 24;
/// How far a rate may be beyond its limit, as a part of the limit: files and controllers compute rates from
/// times and positions of nine digits and more, and a motion that was made to reach its limit is within it.
pub const RATE_ROUNDING: f64 = 1e-9;
/// How closely the largest rate is found, as a part of it: a quarter of what is allowed beyond a limit, so
/// that one that is beyond is proved to be.
pub const PEAK_SHARE: f64 = 0.25e-9;
/// Most intervals of a piece that are looked at for the largest rate: each of four places that may have it
/// takes up to [`LIMIT_HALVINGS`], two at a time, and ten times as many for tops that are flat.
pub const PEAK_INTERVALS: usize = 2000;
/// An interval of a tube on which the motion brings a pair nearer by less than this share of what the
/// tolerance does is not halved again: halves would gain no more than that.
pub const TUBE_SHARE: f64 = 1.0 / 64.0;
/// How closely the largest tolerance is found, as a share of it.
pub const TOLERANCE_SHARE: f64 = 1.0 / 128.0;
/// The least and the largest factor of a tolerance that are tried: a millionth of a radian where a radian was
/// given, and more than any joint turns.
pub const TOLERANCE_FACTORS: [f64; 2] = [1.0 / (1_u64 << 20) as f64, (1_u64 << 20) as f64];
/// An interval of a motion on which an open pair moves less than this is not halved again (metres): a tenth
/// of the finest repeatability of robots.
pub const EDGE_RESOLUTION: f64 = 1e-6;
/// A pair on such an interval is still halved if the gap at its middle is more than this share of how much it
/// may close: so six halvings more are enough.
pub const EDGE_WORTH: f64 = 1.0 / 64.0;
/// Most halvings of a motion, whatever the resolution: intervals of 1e-12, whose ends are still different
/// numbers.
pub const EDGE_HALVINGS: usize = 40;
/// Most pairs asked on intervals for one motion: some tenths of a second with hulls.
pub const EDGE_WORK: u64 = 1 << 19;
/// Nodes, triangles and pairs of parts of meshes that are visited for one unit of that work: each takes a
/// tenth to a third of what a pair of hulls does.
pub const EDGE_VISITS: u64 = 4;
/// Number of intervals on which a pair stays open before it is given up for the rest of a motion. A body that
/// slides along another leaves one such interval for each step of the resolution.
pub const EDGE_OPEN_ENDS: usize = 32;
/// Most intervals of one length that are asked before shorter ones. Free motions of half a radian take four
/// to nine poses in the mean (Panda, UR5), so few come to this.
pub const EDGE_LEVEL: usize = 64;
/// How often a motion is halved in lanes before it is left to the search.
pub const SIEVE_HALVINGS: u32 = 2;
/// How often a piece of a certificate is halved if it is not proved again at once. An eighth of an interval
/// needs only an eighth of the approach, which pays for a worse direction.
pub const AGAIN_HALVINGS: u32 = 3;
/// Most boxes of joint values that are asked to prove that a pair never touches or always overlaps: some
/// tenths of a second with hulls.
pub const PROVE_BOXES: u64 = 200_000;
/// Most numbers in the list of boxes that wait to be asked for one pair (8 bytes each, two lists): a quarter
/// of a million boxes of seven joints.
pub const PROVE_WAITING: usize = 1 << 22;
/// First step of the climb to a point that is deep in two bodies, in units of the smaller body's ball: links
/// on a pin overlap in about an eighth of their length.
pub const DEEPEST_STEP: f64 = 0.125;
/// Halvings of that step: down to a five-hundredth of the ball, where a further step gains little of the
/// depth.
pub const DEEPEST_HALVINGS: u32 = 6;
/// Most points at which a climb measures depths: six for each halving, and as many that lead up.
pub const DEEPEST_LOOKS: u32 = 72;
/// Most climbs for one pair, each about half a millisecond with meshes. Links of a linkage need tens; bodies
/// that only touch would climb in vain in every box.
pub const DEEPEST_CLIMBS: u32 = 256;
/// Most boxes of joint values that are asked for a field: a minute or two with meshes.
pub const FIELD_BOXES: u64 = 2_000_000;
/// Cells along each joint of fields of one, two and three joints: 0.7 degrees of half a turn with two, 2.8
/// with three, so that a field is at most 16 or 64 kB.
pub const FIELD_CELLS: [u32; 3] = [256, 256, 64];
/// Most climbs for a field: it has a hundred times the boxes of a pair that overlaps always.
pub const FIELD_CLIMBS: u32 = 1 << 14;
/// How far a value may be from the cell that a lookup finds, in units of the ends of its range: a difference,
/// a product and the scale, each rounded once, twice over.
pub const FIELD_ROUNDING: f64 = 16.0 * ROUNDOFF;
/// Most boxes of joint values for one pair while a world is compiled. Links with one link between them need
/// fewer in most arms, and a box takes some microseconds.
pub const FLOOR_BOXES: u64 = 64;
/// Most boxes of joint values for all pairs of a world together while it is compiled: some milliseconds.
pub const FLOOR_BOXES_IN_ALL: u64 = 2048;
/// Pairs of bodies with more pairs of shapes have no floor: each box would ask all of them.
pub const FLOOR_SHAPES: usize = 64;
/// How often ranges of joint values are halved, if nothing else is asked for: an eighth of the approach for
/// three joints that matter.
pub const RANGE_HALVINGS: u32 = 9;
/// Most pairs asked again in halved ranges: with hulls about a tenth of a millisecond.
pub const RANGE_WORK: u32 = 256;
/// Room for pairs of crowds and movable bodies that a robot could meet within ranges: a hundred near each of
/// ten links.
pub const RANGE_NEAR: usize = 1024;
/// Room for the pairs that are open in the boxes of a search (4 bytes each).
pub const RANGE_LISTS: usize = 4096;
/// Beyond this sine of an angle between the axes of turning joints they do not count as parallel, and what
/// bends a path is looked for in all directions.
pub const AXES_APART: f64 = 0.25;
/// A disc that leans by no more than this against the axis that it turns about (sine of the angle) counts as
/// one across the axis, a little thicker.
pub const RIM_TILT: f64 = 0.05;
/// Rounding of the height of a farthest point of a trail, in units of that of one scalar product: some forty
/// operations with numbers that are no larger.
pub const TRAIL_ROUNDING: f64 = 16.0;
/// Most pairs of parts of two shapes that are looked at to prove them apart on one interval: some tens of
/// milliseconds.
pub const TRAIL_PARTS: usize = 1 << 14;
/// Blocks of four corners for which a pair of parts counts once more: so many more take as long as all else
/// that is done for the pair.
pub const TRAIL_BLOCKS: usize = 16;
