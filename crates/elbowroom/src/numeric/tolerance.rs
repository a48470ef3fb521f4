//! Every number that decides something, with its unit and where it comes from.

/// Unit roundoff of f64: a correctly rounded operation is off by at most this factor.
pub const ROUNDOFF: f64 = 1.110_223_024_625_156_5e-16; // 2^-53

/// Rounding of a certified bound between cores, as a factor of [`ROUNDOFF`] times the pair's scale (both
/// extents plus the distance of the frames). The bound is a sum of three scalar products and a division: each
/// product carries at most `3 + 3` roundings of `sqrt(3)` times its lengths (the turned direction counts once
/// more), the norm and the division 4 together. That is below 24; heights carry their own product's rounding
/// besides.
pub const CERTIFY_ROUNDING: f64 = 32.0;

/// Largest `Hull::climb_slack` with which a climb counts as a proof; beyond, all vertices are looked at. The
/// proof widens by `2 * slack * 4 * sqrt(3) * ROUNDOFF` of the hull's extent, here 6e-12 of it: less than a
/// hundredth of the promised interval width of 1e-9.
pub const CLIMB_SLACK_MAX: f64 = 4096.0;

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

/// Hulls of at least this many vertices are climbed, smaller ones scanned: where the two cost the same
/// (measured with `cargo xtask bench-peers`, AVX2).
pub const CLIMB_FROM: usize = 100;

/// A lower bound is good enough for `Ask::LowerBound` at this fraction of the upper bound: one or two steps
/// before the end.
pub const LOWER_BOUND_RATIO: f64 = 0.9;
/// Largest coordinate a hull takes, metres. The exact orientation test multiplies three coordinate
/// differences, (2e100)^3 * 6 < 5e301, which must not overflow.
pub const HULL_LARGEST_COORDINATE: f64 = 1e100;
/// Point sets whose largest coordinate is below this (2^-100) are scaled by a power of two while their hull
/// is built.
pub const HULL_SMALL_SET: f64 = 7.888_609_052_210_118e-31;
/// Coordinates below this (2^-290, after scaling) count as zero: multiples of 2^-342 have triple products
/// that are multiples of 2^-1026, so the exact orientation test never underflows (smallest positive f64:
/// 2^-1074).
pub const HULL_SMALLEST_COORDINATE: f64 = 5.027_329_282_278_328e-88;
/// Error of `normal . (x - origin)` against the exact determinant, per unit of `|cross product terms| .
/// |extent|`: eight roundings (two in the differences and one product each, one subtraction, one difference,
/// one product, two sums), and the rounding of the bound itself: 12 * 2^-53.
pub const HULL_FILTER: f64 = 12.0 * ROUNDOFF;
/// Point-against-face tests per point and bit of the number of points, after which the remaining points are
/// inserted in shuffled order, for which n log n is expected. Points on a sphere, where all survive, need
/// about 2.
pub const HULL_WORK_PER_POINT: u64 = 16;
/// Facets with more corners than this have their diagonals among the neighbours, so that a climb crosses a
/// rim of k vertices in about 2 log2 k steps.
pub const HULL_LARGE_FACET: usize = 8;
/// Hulls with at least this many vertices have a direction table; below, all vertices are scanned anyway.
pub const HULL_TABLE_FROM: usize = 64;
/// Cells along one side of the direction table's six squares.
pub const HULL_TABLE_SIDE: usize = 16;
/// Vertices up to this number fit the entries of the direction table (u16).
pub const HULL_TABLE_REACH: usize = 1 << 16;
/// Distances evaluated while shrinking a hull's ball: bounds the build time, not the correctness.
pub const HULL_BALL_WORK: usize = 1 << 20;
/// How far the centre of that ball goes, in steps of its present length, before all points are looked at
/// again. Of 1 to 6 the fastest.
pub const HULL_BALL_WALK: f64 = 1.5;
/// Error of comparing two vertices along a unit direction that a climb slack must cover, per largest norm of
/// a vertex. Two scalar products differ by at most about 8 roundings of it; the rest is for directions that
/// were rotated.
pub const HULL_CLIMB_ERROR: f64 = 64.0 * ROUNDOFF;
/// Steps of the nearest-point iteration behind a climb slack, and its relative gap: any step gives a valid
/// bound.
pub const HULL_SLACK_STEPS: usize = 64;
/// Relative gap at which that iteration stops.
pub const HULL_SLACK_GAP: f64 = 0.02;

// ---- Descriptions -------------------------------------------------------------------------------------------

/// Largest coordinate, extent or translation that is accepted (metres). At this distance from the origin one
/// rounding is already a tenth of a micrometre; and squares of such numbers are far from overflow.
pub const MAX_COORDINATE: f64 = 1e9;

/// Points that are not all zero must reach beyond this (metres): fourth powers of smaller coordinates
/// underflow, and a bound on rounding would be rounded away with them.
pub const TINY_COORDINATE: f64 = 1e-60;

/// A triangle whose height over its longest side is within this, in units of its largest coordinate, is a
/// segment: on a line to within the rounding of its corners (half a unit in the last place of each
/// coordinate, and of the differences).
pub const NO_AREA: f64 = 16.0 * ROUNDOFF;

/// Smallest extent of a shape that is accepted (metres): below the size of an atom it is a unit mistake.
/// Squares and products of such numbers are far from underflow, where relative rounding errors would no
/// longer hold.
pub const MIN_EXTENT: f64 = 1e-12;

/// Relative rounding of the length of a difference of two points (3 subtractions, 3 squares, 2 sums, a root):
/// 5u.
pub const NORM_ROUNDING: f64 = 8.0 * ROUNDOFF;

/// Coordinates of a direction below this fraction of its largest are taken as rounding of a search that
/// stalled: square roots of roundings, with two digits to spare. Only tried: what is proved along such a
/// direction counts, and nothing else.
pub const SQUARE: f64 = 1e-6;

/// Two points closer than this fraction of the shapes' reach give no direction worth using: their difference
/// has fewer than half of its digits left.
pub const FREE_DIRECTION: f64 = 1e-8;

/// Rounding of the determinant of three vectors, per sum of the magnitudes of its six products: three
/// roundings each, five of their sum, and as much again.
pub const DETERMINANT_ROUNDING: f64 = 16.0 * ROUNDOFF;

/// A triangle is a needle if the squared sine between two of its edges is below this: its normal then has
/// fewer than ten digits.
pub const NEEDLE: f64 = 1e-12;

/// Squares below this may have lost digits to underflow: those behind a product of two lengths of 1e-140 m.
pub const LEAST_SQUARE: f64 = 1e-280;

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
/// Metres added where a product of tiny numbers may have underflowed: below it squares of f64 are no longer
/// normal.
pub const UNDERFLOW: f64 = 1e-150;

// Triangles. `l` is the largest coordinate of the six corners relative to one of them; every corner is then
// off by u per coordinate, an edge vector is at most 2 l long per coordinate, u = ROUNDOFF.

/// Distance of two witness points of triangles, in units of `l`: a point is built as corner + edge * s +
/// edge * t with an error of at most 16 u l per coordinate, two of them and their difference 36 u l, times sqrt(3)
/// for the length is 63 u l; the root of the sum of squares adds 3 u of at most 2 sqrt(3) l. Together 74,
/// rounded up.
pub const TRIANGLE_UPPER: f64 = 96.0 * ROUNDOFF;
/// Room between two triangles along a unit vector, in units of `l`: per side the corner's error sqrt(3) u l
/// and the scalar product's 3 sqrt(3) u l, the difference 3.5 u l, and a normal whose length is 1 to within 8
/// u times at most 2 sqrt(3) l of room (28 u l). Together 46, rounded up.
pub const TRIANGLE_LOWER: f64 = 64.0 * ROUNDOFF;
/// An interval wider than this, in units of `l`, makes the triangle query try more planes. The two bounds
/// above leave 160 u between them when the plane is the right one.
pub const TRIANGLE_OPEN: f64 = 1024.0 * ROUNDOFF;
/// Error of a height over a triangle's plane, or of a distance from its side, in units of `l (1 + l² /
/// area)`, `area` being twice the triangle's: the product of two edges is off by at most 56 u l², which tilts
/// the normal by 56 u l² / area and moves a height over at most 2 sqrt(3) l by 196 u l; the scalar products
/// add 40 u l. Doubled.
pub const TRIANGLE_CROSSING: f64 = 512.0 * ROUNDOFF;

// Meshes.

/// Coordinates of a mesh beyond this are refused (metres), so that no square overflows in f32.
pub const MESH_COORDINATE_LIMIT: f64 = 1e12;
/// Corner of B expressed in A's frame, in units of the corner's and the translation's length: three products
/// and three sums per coordinate are off by 4 u, times sqrt(3) for the length. Rounded up.
pub const TRANSFORM_ROUNDING: f64 = 8.0 * ROUNDOFF;
/// Unit roundoff of f32, with room for the rounding of the constants it multiplies.
pub const ROUNDOFF_F32: f64 = 6e-8;
/// Error of a distance between two tree boxes computed in f32, in units of the two reaches and the distance
/// of the origins: a centre carried over is off by at most 8 u per coordinate (rotation entries, three
/// products, three sums, the offset), a half extent likewise; sqrt(3) * 16 for the vector and 3 for square,
/// sum and root. Rounded up.
pub const BOX_FILTER: f64 = 36.0;
/// Error of a box's extent along a direction in f32, in units of the reaches: two scalar products of vectors
/// of length at most the reach, each off by 4 sqrt(3) u with the rounding of the direction, for each of the
/// two boxes. Rounded up.
pub const SLAB_FILTER: f64 = 32.0;
/// Metres that f32 may lose by underflow: squares below 1e-38 vanish.
pub const UNDERFLOW_F32: f64 = 1e-18;
/// Room along a direction in f64 between two meshes, in units of the reaches: as [`TRIANGLE_LOWER`].
pub const MESH_ROOM: f64 = 64.0 * ROUNDOFF;
/// Triangle pairs that can improve the distance by less than this are not looked at (in units of the
/// reaches); the lower bound then stays that much below the upper one. Flat faces that lie parallel would
/// otherwise all tie.
pub const MESH_TIE: f64 = 1e-10;
/// After surfaces were found to touch, the search for a pair that crosses goes on for at most this many
/// triangle pairs; then overlap is left open. Two tessellated faces in contact offer as many pairs as they
/// have triangles.
pub const TOUCHING_PAIRS: u32 = 1 << 15;
/// After a crossing is found, this many more triangle pairs are looked at for a deeper one.
pub const DEEPER_PAIRS: u32 = 8;
/// Boxes that a ray misses by more than this, in units of the reach, are skipped: far above the rounding
/// (1e-14) and far below any box that matters.
pub const INSIDE_SKIP: f64 = 1e-9;
/// Half the side of the cube to whose surface's points of whole coordinates rays are cast, to see whether an
/// open surface shuts a point in: 98 of them, and no direction is farther than 20 degrees from one.
pub const WAYS_OUT: u32 = 2;
/// A point is shut in if fewer of those rays get out. From the middle of a cube without one of its faces a
/// sixth of the directions lead out, from a corner of its floor a twenty-fourth, four or five rays; through
/// one lost triangle of fifty, two or three.
pub const LEAST_WAYS_OUT: usize = 4;
/// What is added to those points: a degree or so, so that no ray lies in the plane of a face along the axes.
pub const OFF_AXES: [f64; 3] = [0.0371, -0.0213, 0.0297];
/// Vertices of a hull whose mean is taken for a point inside: few, so that its rounding is that of a
/// transform.
pub const MIDDLE_OF: usize = 16;
/// How far from a place of contact towards a corner points are tested for being inside the other solid.
pub const CONTACT_SHARES: [f64; 3] = [0.5, 0.125, 0.03125];
/// How far beneath surfaces that lie on each other points are tested for being in both solids, in units of
/// the smaller reach.
pub const BENEATH: [f64; 3] = [0.1, 0.01, 0.001];

/// How far a 3 by 3 matrix may be from a rotation, `|RᵀR - 1|` (Frobenius norm, no unit). Reading a rotation
/// from a file with ten decimals gives about 1e-10. What defect there is goes into the error of every pose
/// behind it.
pub const ROTATION_DEFECT: f64 = 1e-9;

/// How far the length of a quaternion among the joint values may be from 1. Values written with four decimals
/// are within 2e-4; what is further off is a mistake and is refused instead of normalized.
pub const QUATERNION_DEFECT: f64 = 1e-3;

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

/// Moving bodies and fixed shapes that wait to be asked, near by their boxes; some twenty are usual.
pub const LEAVES_WAITING: usize = 128;

/// Shape queries that a moving body remembers of its crowd: the few fixed shapes that are near it for some
/// time.
pub const CROWD_MEMORY: usize = 8;

/// Most checked pairs in a world that are listed one by one: every pose visits each of them.
pub const MAX_CHECKED_PAIRS: usize = 1 << 24;

/// Most pairs of shapes whose last query a pose remembers. Pairs beyond start cold; the answers are the same.
pub const MAX_REMEMBERED: usize = 1 << 18;

// ---- Rounding of poses ----------------------------------------------------------------------------------------
//
// Truth is the pose that exact arithmetic gives for the joint values, with every given rotation matrix
// replaced by the nearest rotation. A computed pose (R', t') of the true pose (R, t) carries three numbers
// (`kinematics::PoseError`):
//     turn  >= |R' - R|        (Frobenius norm)
//     shift >= |t' - t|        (metres)
//     reach >= |t|, |t'|       (metres, from the cell's origin)
// so that the computed image of a point p is off by at most `shift + turn |p|` plus the rounding of that one
// product. With u = ROUNDOFF:
//   * a product of two rotations: each entry is a sum of three products, |error| <= 3u |A| |B| entry by entry, and
//     in the Frobenius norm <= 3u * sqrt 3 * sqrt 3 = 9u;
//   * R p + t: <= 3u * sqrt 3 |p| for the product and u (|p| + |t|) for the sum.
// Products of two errors are left out; ERROR_FACTOR pays for them.

/// Angles up to this (radians) have their sine taken in lanes: 2^19 quarter turns, so that their number times
/// 33 bits of a quarter is exact.
pub const SINE_LIMIT: f64 = 823_000.0;

/// Rounding of a product of two rotation matrices (Frobenius norm): 9u, see above.
pub const TURN_OF_PRODUCT: f64 = 10.0 * ROUNDOFF;

/// Error of a rotation made from an angle, and of its product with the frame before it (Frobenius norm): sine
/// and cosine are within 2u, `1 - cos` within 4u, the axis was normalized to 6u; in Rodrigues' formula these
/// and the roundings of its products sum to 38u, the product adds 9u. A quaternion, scaled, squared and
/// summed, stays below.
pub const TURN_OF_MOTION: f64 = 50.0 * ROUNDOFF;

/// The same for a turn about a coordinate axis, where two columns x and y become `x c + y s` and `y c - x s`:
/// 4u for sine and cosine, and 2u sqrt(x² + y²) an entry, 4u in the Frobenius norm, for the products and
/// sums.
pub const TURN_ABOUT_AXIS: f64 = 10.0 * ROUNDOFF;

/// Rounding of a point sent through a transform, per metre of the point: (3 sqrt 3 + 1) u.
pub const SHIFT_PER_OFFSET: f64 = 8.0 * ROUNDOFF;

/// Rounding of a sum of two positions, per metre of their distance from the origin.
pub const SHIFT_PER_REACH: f64 = 2.0 * ROUNDOFF;

/// Error of a joint's own translation per metre of travel: axis 6u, product 6u, sum 1u.
pub const SHIFT_PER_TRAVEL: f64 = 16.0 * ROUNDOFF;

/// Rounding of `multiplier * value + offset`, per link of a chain of mimics, per unit of its two terms.
pub const MIMIC_ROUNDING: f64 = 4.0 * ROUNDOFF;

/// Pays for products of errors and for the rounding of the error sums themselves.
pub const ERROR_FACTOR: f64 = 1.01;
/// A face normal shorter than this (square metres) may have underflowed, and is not used to drop a pair of
/// triangles.
pub const FACE_NORMAL_LEAST: f64 = 1e-100;
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
/// Cracks that are closed in a surface otherwise open, in units of the mesh's reach, tried in turn so that
/// none is closed wider than needed: 2^-40, a thousand roundings of f64; 2^-30; 2^-20, for coordinates
/// written as f32 or with seven digits, which are off by up to 1e-7 of the largest coordinate. Corners are
/// within this of the corner that stands for them, and that within this of an edge, so that what closes a
/// crack is within twice this of its edge.
pub const CRACKS: [f64; 3] = [9.094_947_017_729_282e-13, 9.313_225_746_154_785e-10, 9.536_743_164_062_5e-7];
/// Nodes of the tree of corners that may be opened to find the corners on edges, per edge; 10 to 40 are
/// needed. Beyond, the surface stays open.
pub const CRACK_WORK: u64 = 256;
/// How many times as many edges there may be when those with corners on them are cut there. Beyond, the
/// surface stays open.
pub const CRACK_GROWTH: usize = 8;
/// Corners of a hole that is looked at for being covered by other faces; cutting it takes the cube of this at
/// worst.
pub const CAP_RIM: usize = 256;
/// Pieces into which the triangles of other faces may cut a triangle that covers a hole. Beyond, the hole
/// stays open.
pub const CAP_PIECES: usize = 1 << 10;
/// Triangles around an edge whose angles differ by less than this are taken to lie on each other (in the four
/// parts of a turn): a thousand times what an angle between corners rounded to f32 is off by is far less than
/// any wedge that is meant.
pub const ROOM_TIE: f64 = 1e-6;
/// Parity shells whose inside is told apart, those beyond together: one bit of 64 each.
pub const PARITY_SHELLS: u32 = 63;
/// A mesh with more inwards wound shells than this has none of them taken for holes: the space is solid.
pub const CAVITY_LIMIT: usize = 1 << 12;
/// Triangles of inwards wound shells whose corners are asked for; beyond, the space is solid. A second of
/// work.
pub const CAVITY_TRIANGLES: usize = 1 << 17;
/// Axes whose directions differ by less than this count as one where the depth has a closed form (radians, or
/// of the extent where it is an offset): the interval widens by twice as much of the scale, a fiftieth of the
/// promised 1e-7.
pub const ALIGNED: f64 = 1e-9;

// Hierarchies.

/// Pairs looked at by the agglomerative build, per square of the number of boxes, after which it joins what
/// it has. What occurs takes 1 to 3; at most this keeps three thousand boxes within half a second.
pub const AGGLOMERATE_WORK: u64 = 16;
/// Structures a dynamic group chooses from: bits of one number. The Puma of the paper has 19.
pub const STRUCTURES_MOST: usize = 64;
/// Different structures counted while sampling; those first seen later are counted together, and not kept.
pub const STRUCTURES_COUNTED: usize = 1 << 16;
/// Boxes of a wide tree that reach farther than this from its origin (metres) are without end there: a
/// thousand times what a world accepts, and neither squares nor surfaces times numbers of leaves overflow
/// f32.
pub const WIDE_LIMIT: f64 = 1e12;
/// Boxes of a wide tree count, while it is built, as grown by this many mean edges of the leaves: about a
/// robot's link. Of 1, 4 and 20 the best for ten links among a thousand parts; beyond a hundred thousand it
/// does not matter.
pub const WIDE_GROWN: f64 = 4.0;
/// Bodies searched for together are taken apart where their box, times this, is larger than the box in the
/// wide tree. Of 0.5, 1 and 2 the best: 67 to 93 bounds for ten links among a thousand to a million parts
/// where 1 needs 84 to 103.
pub const BODIES_APART: f32 = 2.0;
/// Boxes of a wide tree count as grown by at least this share of what all take up: without it points on a
/// line would not cost anything however they are split.
pub const WIDE_ROOM: f64 = 1e-4;
/// Relative rounding of a distance between boxes in f32: three differences, squares, two sums and a root are
/// off by at most 3.5 u, the factor that takes it off by 1.5 more. Rounded up.
pub const GAP_ROUNDING_F32: f32 = 8.0 * 5.960_464_5e-8;
/// Nodes that wait in the open list of a search through a wide tree; 52 bytes each, 213 kB, of which a search
/// touches what it needs: ten bodies among a million boxes less than a hundred.
pub const OPEN_LIST: usize = 1 << 12;
/// Rounding, in f32, of the room between a segment and a box along a direction, per sum of the magnitudes of
/// the products it is a sum of: one rounding of the difference that each factor is, one of the product, four
/// of the sums, one to take them apart, and of the magnitudes' own sum as many. Rounded up from 14.
pub const CAPSULE_ROUNDING_F32: f32 = 16.0 * 5.960_464_5e-8;

// ---- Bounds -------------------------------------------------------------------------------------------------------

/// Rounding of a room along a direction between two primitives, in units of the sum of the magnitudes of all
/// that enters it: coordinates of both, half extents, radii. The room is a sum of up to eight scalar
/// products, each off by 3u of the lengths in it (halves and middles are rounded once, generators twice),
/// seven sums, and a division by a length (5u): below 20u. The sum of magnitudes is itself rounded. Rounded
/// up.
pub const GAP_ROUNDING: f64 = 32.0 * ROUNDOFF;
/// Steps of the search for the nearest points of two primitives: three generators are free at most, and five
/// to eight steps end it. Any number gives a sound bound.
pub const GAP_STEPS: u32 = 24;
/// A generator is freed if the distance falls along it by more than this cosine: a thousand roundings.
pub const GAP_DESCENT: f64 = 1e-13;
/// Nearest points closer than this fraction of the scale give a direction with fewer than twelve digits: face
/// normals are tried as well.
pub const GAP_NEAR: f64 = 1e-3;
/// Nearest points closer than this fraction of the scale are rounding: the two touch or overlap.
pub const GAP_TOUCH: f64 = 1e-13;
/// Three generators whose volume is below this fraction of the product of their lengths are moved one at a
/// time.
pub const GAP_FLAT: f64 = 1e-6;
/// Primitives with numbers beyond this (metres) bound nothing: fourth powers of smaller ones do not overflow.
pub const GAP_LARGEST: f64 = 1e60;
/// Least `sin²` between two axes in the lanes' segment distance; below, any point of one axis serves to
/// start.
pub const GAP_PARALLEL: f64 = 1e-30;

// ---- Fits: none of these decides whether a primitive contains, only how tight it is and how long that takes ---------------

/// Corners of the polygon around a circle: its corners are 0.12 % farther out than the circle.
pub const RIM_CORNERS: usize = 64;
/// Rings of latitude of the polytope around a sphere, with corners as dense along them: 2.1 rings to the
/// radian put it 0.43 % farther out, with some 730 corners.
pub const SPHERE_RINGS: usize = 24;
/// Pays for the rounding of angles, sines and products in both.
pub const OUTLINE_ROUNDING: f64 = 1.0 + 1e-12;
/// Up to this many balls are searched as they are; of more, a hull first tells which are corners.
pub const FIT_AS_IS: usize = 64;
/// A search looks at all corners up to this many, else at those that are extreme along [`FIT_DIRECTIONS`].
pub const FIT_FEW: usize = 200;
/// One for every 4 degrees or so: what lies between sticks out by less than a thousandth of its radius of
/// curvature.
pub const FIT_DIRECTIONS: usize = 512;
/// Exchanges of the smallest ball's basis; ten to twenty end it.
pub const FIT_EXCHANGES: usize = 128;
/// What counts as contained while exchanging, as a fraction of the radius.
pub const FIT_TIGHT: f64 = 1e-10;
/// Thickness, as a fraction of the size, added to volumes while searching, so that flat fits differ.
pub const FIT_FLAT: f64 = 1e-7;
/// Steps of a local search; its step falls by ten every 28 failures.
pub const FIT_TRIES: usize = 320;
/// The best few starts that are searched from at length.
pub const FIT_STARTS: usize = 4;
/// Faces of a hull that are tried as faces of its box.
pub const FIT_FACES: usize = 256;
/// Faces whose normals differ by less count as one: one minus the cosine of a twentieth of a degree.
pub const FIT_SAME_NORMAL: f64 = 4e-7;
/// Halvings of the interval in which a ray leaves a simple core: to 1e-9 of its length.
pub const REACH_HALVINGS: usize = 30;
/// Steps of the search for the deepest point.
pub const INNER_TRIES: usize = 400;
/// Places along the longest axis where a ball inside is looked for.
pub const INNER_PLACES: usize = 16;
/// Points to a side of the grid in which a mesh's deepest point is looked for.
pub const INNER_GRID: usize = 7;

// ---- Motion ---------------------------------------------------------------------------------------------------

/// Rounding of moving a ball once (a rotation, a sum, a square root; 20 u of its place and radius) or of a
/// distance from an axis, with room for axes normalized to 6 u.
pub const SWEEP_ROUNDING: f64 = 64.0 * ROUNDOFF;
/// Pays for the rounding of a sum of products, none negative, along a chain: 3 u a joint, enough for a
/// million joints.
pub const MOTION_FACTOR: f64 = 1.0 + 1e-9;
/// Entries of the table of levers (a body and a joint that moves it; 12 bytes). Of bodies beyond nothing is
/// proved between poses.
pub const MAX_REACH_ENTRIES: usize = 1 << 23;
/// How far an orientation takes points, per metre of their distance from its centre and per unit of change of
/// its quaternion. Two unit quaternions an angle `a` apart differ by a turn of `2 a`, which takes points `2
/// sin a` far; their chord is `c = 2 sin(a / 2)`, and `2 sin a = 2 c cos(a / 2) <= 2 c`. Quaternions within
/// [`QUATERNION_DEFECT`] of unit length are at most 1.002 c apart then.
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

// ---- Batches ------------------------------------------------------------------------------------------------------

/// How many times as much as f64 the lanes of a batch round: f32 has 29 bits less, and twice that, for what
/// never changes is rounded to f32 once, and sines are within 3.5 units instead of 2.
pub const BATCH_UNIT: f64 = (1_u64 << 30) as f64;

/// Entries of a rotation that never changes count as zero below this: what is left of right angles that were
/// written or multiplied. A slide along such an axis is off by no more than [`SHIFT_PER_TRAVEL`] has to spare
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

// ---- Heights ------------------------------------------------------------------------------------------------------

/// Cells along an edge of the cube that heights are kept over: 16 make 7 kB a body, and bounds within a
/// twentieth of a millimetre of a round body of a decimetre.
pub const HEIGHT_CELLS: usize = 16;

/// Directions that are tried for a plane between two bodies before their shapes are asked.
pub const HEIGHT_LOOKS: usize = 5;

/// Bodies that heights are kept of, the first of the listed pairs that tests look at: two megabytes.
pub const HEIGHT_BODIES: usize = 256;

/// Cells along an edge of the cube that tells what is inside a body: 16 make 7 kB a body, and leave a tenth
/// of a millimetre out of a round body of a decimetre.
pub const INSIDE_CELLS: usize = 16;

/// Points that are tried for one inside two bodies before their shapes are asked.
pub const INSIDE_LOOKS: usize = 6;

/// How far inside both a point is looked for, as a share of the way from a body's surface to its middle: the
/// next linear guess is off by less than that where bodies are round.
pub const INSIDE_AIM: f64 = 0.01;

/// Steps of the search for the largest ball inside: of a mesh each looks at all of its triangles.
pub const INSIDE_TRIES: usize = 12;

/// Different fixed shapes with the same ball around them whose twins are looked for: a few kinds of part at
/// one place, and the work per shape is bounded.
pub const TWIN_KINDS: usize = 4;
