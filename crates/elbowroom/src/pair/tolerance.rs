//! Every number that decides something about two shapes.

use crate::numeric::tolerance::ROUNDOFF;

/// Rounding of a certified bound between cores, as a factor of [`ROUNDOFF`] times the pair's scale (both
/// extents plus the distance of the frames). The bound is a sum of three scalar products and a division: each
/// product carries at most `3 + 3` roundings of `sqrt(3)` times its lengths (the turned direction counts once
/// more), the norm and the division 4 together. That is below 24; heights carry their own product's rounding
/// besides.
pub const CERTIFY_ROUNDING: f64 = 32.0;
/// The distance search ends when upper and lower bound differ by less than this fraction of the scale.
/// Polytopes end exactly, a few roundings apart; curved cores get a hundredth of a percent of their promised
/// 1e-7.
pub const GJK_GAP: f64 = 1e-12;
/// A table look-up is accepted as a step if it brings the squared distance bound below this fraction.
pub const GJK_GLANCE: f64 = 0.8;
/// Steps after which the search gives up improving. Polytopes need 5 to 15, curved cores up to about 60.
pub const GJK_STEPS: u32 = 128;
/// Squared cosine between the last direction and that of the last simplex where it is now, below which a warm
/// start is none: some 18 degrees. Farther than that, vertices found by the direction table are nearer than
/// the remembered ones.
pub const SAME_WAY: f64 = 0.9;
/// New starts of a search that stalled apart and left a wide interval. One is enough as a rule.
pub const STALLED_STARTS: u32 = 3;
/// A tetrahedron whose height over a face is below this fraction of its edge is flat: the signs of its
/// volumes are rounding (three roundings of products of edges, with room for needle-like faces).
pub const FLAT: f64 = 1e-13;
/// Rounding of a corner of A - B, as a fraction of the scale: two rotations' worth of products and sums, and
/// the difference of two such corners.
pub const CORNER_NOISE: f64 = 32.0 * ROUNDOFF;
/// Two ways out are one if the cosine between them is less than one by no more than this: a thousandth of a
/// radian, by which the normals of a round core's nearest face and of its best plane differ where their
/// heights agree to a millionth.
pub const SAME_FACE: f64 = 5e-7;
/// Weight by which a foot point may be outside of its face: the rounding of a face a millionth as wide as
/// long.
pub const FOOT_OUTSIDE: f64 = 1e-9;
/// How far the vector between the points of a depth may be off the depth along the normal, as a fraction of
/// the scale, for the search to have converged: the rounding of a foot point on a thin face.
pub const ALONG: f64 = 1e-7;
/// And besides, as a fraction of the depth, where a core is curved: the angle between two ways out that count
/// as one ([`SAME_FACE`]).
pub const ALONG_CURVED: f64 = 1e-3;
/// Width, as a fraction of the scale, above which a search between cores that are apart has not converged,
/// whatever ended it: a tenth of the promised width.
pub const WIDE: f64 = 1e-10;
/// The depth search ends when its bounds differ by less than this fraction of the scale.
pub const DEPTH_GAP: f64 = 1e-12;
/// The same where a core is curved: its bounds close quadratically with the number of faces, and the promised
/// width is 1e-7.
pub const DEPTH_GAP_CURVED: f64 = 1e-8;
/// Round cores whose depth stays wide are worn off by this share of the largest ball that fits, and of the
/// depth: what is left is a thousandth of the core, and so is what flat faces lose on it; and still far above
/// rounding.
pub const ERODED_MOST: f64 = 0.999;
/// Rounding of the surface of a worn core, as a fraction of the scale: a point of an ellipsoid is off by 8
/// roundings, the normal taken off it by 6 and the difference by 2; the ends of a worn cone by 10. Two cores,
/// rounded up.
pub const ERODED_ROUNDING: f64 = 40.0 * ROUNDOFF;
/// Corners of the polytope of a depth search. Curved cores reach [`DEPTH_GAP_CURVED`] with 100 to 300.
pub const DEPTH_CORNERS: usize = 512;
/// A lower bound is good enough for `Ask::LowerBound` at this fraction of the upper bound: one or two steps
/// before the end.
pub const LOWER_BOUND_RATIO: f64 = 0.9;
/// Coordinates of a direction below this fraction of its largest are taken as rounding of a search that
/// stalled: square roots of roundings, with two digits to spare. Only tried: what is proved along such a
/// direction counts, and nothing else.
pub const SQUARE: f64 = 1e-6;
/// Two points closer than this fraction of the shapes' reach give no direction worth using: their difference
/// has fewer than half of its digits left.
pub const FREE_DIRECTION: f64 = 1e-8;
/// A triangle is a needle if the squared sine between two of its edges is below this: its normal then has
/// fewer than ten digits.
pub const NEEDLE: f64 = 1e-12;
/// Height of a face, as a fraction of the scale, above which the origin is surely behind it. The height times
/// the length of the face's normal is the determinant of its corners; computed from two edges and a corner it
/// is off by at most 16 roundings of the product of their lengths, and the product of the edges is at most `1
/// / sqrt(NEEDLE)` of the normal.
pub const FACE_SIDE: f64 = 16.0 * ROUNDOFF * 1e6;
/// A corner is level with a face within this fraction of the scale: a few times the rounding of their
/// coordinates, and far below the promised width.
pub const LEVEL: f64 = 1e-14;
/// The same for searches that start again, one after the other until the answer is narrow. Each is above the
/// noise of another turn of nearly parallel faces; what lies between is lost, so the last is the promised
/// width.
pub const LEVELS: [f64; 3] = [1e-12, 1e-10, 1e-9];
/// Room along a direction in f64 between two meshes, in units of the reaches: as `TRIANGLE_LOWER`.
pub const MESH_ROOM: f64 = 64.0 * ROUNDOFF;
/// Triangle pairs that can improve the distance by less than this are not looked at (in units of the
/// reaches); the lower bound then stays that much below the upper one. Flat faces that lie parallel would
/// otherwise all tie.
pub const MESH_TIE: f64 = 1e-10;
/// After surfaces were found to touch, the search for a pair that crosses goes on for at most this many
/// triangle pairs; then overlap is left open. Two tessellated faces in contact offer as many pairs as they
/// have triangles.
pub const TOUCHING_PAIRS: u32 = 1 << 15;
/// Once two triangles are found to cross, this many more pairs of triangles are searched for a deeper
/// overlap.
pub const DEEPER_PAIRS: u32 = 8;
/// Vertices of a hull whose mean is taken for a point inside: few, so that its rounding is that of a
/// transform.
pub const MIDDLE_OF: usize = 16;
/// How far from a place of contact towards a corner points are tested for being inside the other solid.
pub const CONTACT_SHARES: [f64; 3] = [0.5, 0.125, 0.03125];
/// How far beneath surfaces that lie on each other points are tested for being in both solids, in units of
/// the smaller reach.
pub const BENEATH: [f64; 3] = [0.1, 0.01, 0.001];
/// At most this many times the search for a first near pair goes from one mesh to the other and back; it
/// seldom gains after four.
pub const APPROACH_STEPS: u32 = 8;
/// Box pairs that a mesh query keeps ordered by their bound; 12 bytes each, so that they stay in the nearest
/// cache. Close pairs of ten thousand triangles each need a few hundred.
pub const HEAP_LIMIT: usize = 2048;
/// Box and triangle pairs one mesh query looks at before it ends with what it has, some tens of milliseconds.
pub const WORK_LIMIT: u32 = 1 << 19;
/// Points looked at for one in two solids whose surfaces touch: some milliseconds for meshes of a thousand
/// triangles.
pub const SHARED_LOOKS: u32 = 1024;
/// How often the box that two solids share is halved along each side, at most: the heap's entries name no
/// smaller one.
pub const SHARED_LEVELS: u32 = 10;
/// Where in a box of side one the point is that is looked at: off the middle by some hundredths, differently
/// along each side, and so off the planes of any grid that the box is aligned with. No corner is farther than
/// 0.55 times the diagonal.
pub const OFF_MIDDLE: [f64; 3] = [0.5131, 0.4783, 0.5207];
/// Parts of a mesh tested for being inside another before the answer is left open.
pub const PART_LIMIT: u32 = 1 << 14;
/// Axes whose directions differ by less than this count as one where the depth has a closed form (radians, or
/// of the extent where it is an offset): the interval widens by twice as much of the scale, a fiftieth of the
/// promised 1e-7.
pub const ALIGNED: f64 = 1e-9;
