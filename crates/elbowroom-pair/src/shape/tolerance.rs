//! Every number that decides something about one shape.

use crate::numeric::tolerance::ROUNDOFF;
use elbowroom_describe::limits::LEAST_PAD_DEPTH;

/// Largest `Hull::climb_slack` with which a climb is a proof; beyond it all vertices are scanned. The proof
/// widens by `2 * slack * 4 * sqrt(3) * ROUNDOFF` of the hull's extent, here 6e-12 of it: less than a
/// hundredth of the promised interval width of 1e-9.
pub const CLIMB_SLACK_MAX: f64 = 4096.0;
/// Hulls of at least this many vertices are climbed, smaller ones scanned: here the two cost the same
/// (measured with `cargo xtask bench-peers`, AVX2).
pub const CLIMB_FROM: usize = 100;
/// Largest coordinate of a hull (metres). The exact orientation test multiplies three coordinate
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
/// Error of the orientation test in plain f64, per unit of the magnitudes of its products: Shewchuk's bound
/// ("Adaptive precision floating-point arithmetic and fast robust geometric predicates", 1997).
pub const HULL_ORIENTATION: f64 = (7.0 + 56.0 * ROUNDOFF) * ROUNDOFF;
/// Point-against-face tests per point and bit of the number of points, after which the remaining points are
/// inserted in shuffled order, for which n log n is expected. Points on a sphere, where all survive, need
/// about 2.
pub const HULL_WORK_PER_POINT: u64 = 16;
/// Facets with more corners than this have their diagonals among the neighbours, so that a climb crosses a
/// rim of k vertices in about 2 log2 k steps.
pub const HULL_LARGE_FACET: usize = 8;
/// Hulls with at least this many vertices have a direction table; smaller ones are scanned.
pub const HULL_TABLE_FROM: usize = 64;
/// Cells along one side of the direction table's six squares.
pub const HULL_TABLE_SIDE: usize = 16;
/// Number of vertices that the entries of the direction table (u16) can number.
pub const HULL_TABLE_VERTICES: usize = 1 << 16;
/// Shapes are compiled in tasks of at least so many points: some hundred microseconds. A shape without points
/// counts as one point.
pub const TASK_POINTS: usize = 1 << 9;
/// Distances evaluated while shrinking a hull's ball: bounds the build time, not the correctness.
pub const HULL_BALL_WORK: usize = 1 << 20;
/// Sets of up to so many points are searched eight at a time, each with all its points: beyond, to leave
/// points out saves more. All walk equally many steps.
pub const HULL_BALL_TOGETHER: usize = 64;
/// How far the centre of that ball moves, in units of its current step, before all points are visited again.
/// Of values from 1 to 6 this is the fastest.
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
/// A triangle whose sides are all shorter than this has no area (metres): fourth powers of smaller lengths
/// underflow, and so would bounds on their rounding.
pub const TINY_COORDINATE: f64 = 1e-60;
/// A triangle whose height over its longest side is within this, in units of its largest coordinate, is a
/// segment: on a line to within the rounding of its corners (half a unit in the last place of each
/// coordinate, and of the differences).
pub const NO_AREA: f64 = 16.0 * ROUNDOFF;
// Triangles. `l` is the largest coordinate of the six corners relative to one of them, and u = ROUNDOFF. Then
// the error of a corner is u l per coordinate, and an edge vector is at most 2 l long per coordinate.
/// Distance of two witness points of triangles, in units of `l`: a point is built as corner + edge * s +
/// edge * t with an error of at most 16 u l per coordinate, two of them and their difference 36 u l, times
/// sqrt(3) for the length is 63 u l; the root of the sum of squares adds 3 u of at most 2 sqrt(3) l. Together
/// 74, rounded up.
pub const TRIANGLE_UPPER: f64 = 96.0 * ROUNDOFF;
/// Gap between two triangles along a unit vector, in units of `l`: per side the corner's error sqrt(3) u l
/// and the scalar product's 3 sqrt(3) u l, the difference 3.5 u l, and a normal whose length is 1 to within 8
/// u times at most 2 sqrt(3) l of gap (28 u l). Together 46, rounded up.
pub const TRIANGLE_LOWER: f64 = 64.0 * ROUNDOFF;
/// An interval wider than this, in units of `l`, makes the triangle query try more planes. With the right
/// plane the two bounds above leave 160 u.
pub const TRIANGLE_OPEN: f64 = 1024.0 * ROUNDOFF;
/// Error of a height over a triangle's plane, or of a distance from its side, in units of `l (1 + l² /
/// area)`, `area` being twice the triangle's: the product of two edges is off by at most 56 u l², which tilts
/// the normal by 56 u l² / area and moves a height over at most 2 sqrt(3) l by 196 u l; the scalar products
/// add 40 u l. Doubled.
pub const TRIANGLE_CROSSING: f64 = 512.0 * ROUNDOFF;
/// Error of a distance between two tree boxes computed in f32, in units of the two radii and the distance of
/// the origins. A transformed centre has an error of at most 8 u per coordinate (rotation entries, three
/// products, three sums, the offset), and so has a half extent: sqrt(3) * 16 for the vector, and 3 for
/// square, sum and root. Rounded up.
pub const BOX_FILTER: f64 = 36.0;
/// Error of a box's extent along a direction in f32, in units of the radii: two scalar products of vectors
/// of length at most the radius, each off by 4 sqrt(3) u with the rounding of the direction, for each of the
/// two boxes. Rounded up.
pub const SLAB_FILTER: f64 = 32.0;
/// Boxes that a ray misses by more than this, in units of the radius, are skipped: far above the rounding
/// (1e-14) and far below the size of boxes.
pub const INSIDE_SKIP: f64 = 1e-9;
/// Whether an open surface shuts a point in is tested with rays to the points of whole coordinates on the
/// surface of a cube; this is half its side. There are 98 rays, and no direction is farther than 20 degrees
/// from one.
pub const WAYS_OUT: u32 = 2;
/// A point is shut in if fewer of those rays meet no triangle. From the middle of a cube without one of its
/// faces a sixth of the directions lead out, from a corner of its floor a twenty-fourth, four or five rays;
/// through one lost triangle of fifty, two or three.
pub const LEAST_WAYS_OUT: usize = 4;
/// Offset of those points, about a degree, so that no ray lies in the plane of a face along the axes.
pub const OFF_AXES: [f64; 3] = [0.0371, -0.0213, 0.0297];
/// A face normal shorter than this (square metres) may have underflowed, and is not used to drop a pair of
/// triangles.
pub const FACE_NORMAL_LEAST: f64 = 1e-100;
/// Widths of the cracks that are closed in an open surface, in units of the mesh's radius, tried in this
/// order so that none is closed wider than needed: 2^-40, a thousand roundings of f64; 2^-30; 2^-20, for
/// coordinates written as f32 or with seven digits, whose error is up to 1e-7 of the largest coordinate.
/// Corners are within this of their representative, which is within this of an edge. So a seam is within
/// twice this of its edge.
pub const CRACKS: [f64; 3] = [9.094_947_017_729_282e-13, 9.313_225_746_154_785e-10, 9.536_743_164_062_5e-7];
/// Nodes of the tree of corners that may be visited per edge to find the corners on it; 10 to 40 are usual.
/// Beyond this the surface stays open.
pub const CRACK_WORK: u64 = 256;
/// Factor by which the number of edges may grow when edges are cut at the corners on them. Beyond this the
/// surface stays open.
pub const CRACK_GROWTH: usize = 8;
/// Most corners of a hole that is tested for being covered by other faces; its triangulation takes at worst
/// the cube of this.
pub const CAP_RIM: usize = 256;
/// Most pieces into which other faces may cut a triangle of a cap. Beyond this the hole stays open.
pub const CAP_PIECES: usize = 1 << 10;
/// Triangles around an edge whose angles differ by less than this (in quarter turns) count as lying on each
/// other: a thousand times the error of an angle between corners rounded to f32, and far less than any
/// intended wedge.
pub const ANGLE_TIE: f64 = 1e-6;
/// Parity shells that are counted separately, one bit of 64 each; the others share the last bit.
pub const PARITY_SHELLS: u32 = 63;
/// In a mesh with more inverted shells than this none counts as a void: the space is solid.
pub const VOID_LIMIT: usize = 1 << 12;
/// Most triangles of inverted shells whose corners are tested; beyond this the space is solid. A second of
/// work.
pub const VOID_TRIANGLES: usize = 1 << 17;
/// A node of a mesh's tree keeps up to so many points as they are, extreme or not: scanning a point too many
/// costs a quarter of a nanosecond, finding the hull of so few ten microseconds.
pub const NODE_POINTS: usize = 12;
/// Most planes of a convex part of a solid, besides the six of the box around the mesh.
pub const PART_PLANES: usize = 122;
/// By how much of their distance from the seed the planes of a part come nearer than the triangles that they
/// cut off, for each quarter of them: the first, which are the nearest, are exact; the last each cut off many
/// triangles, so that they are few.
pub const PART_SHAVE: [f64; 4] = [0.0, 0.0, 0.1, 0.4];
/// A triangle's own plane cuts it off if its distance from the seed is at least this share of the triangle's.
pub const PART_OWN_PLANE: f64 = 0.4;
/// How far a part stays away from its planes, in units of the mesh's radius: far above rounding, and far
/// below the width of any bracket.
pub const PART_HAIR: f64 = 4e-9;
/// Error of comparing two scalar products with a unit vector, in units of the largest coordinates: each is
/// off by 4 sqrt(3) roundings, and that of a box by those of its centre and half extents (f32 numbers, exact
/// in f64) besides. Rounded up.
pub const PART_ROUNDING: f64 = 64.0 * ROUNDOFF;
/// Boxes and triangles that may wait while a part grows; beyond, it is given up.
pub const PART_WAITING: usize = 1 << 11;
/// A node of so many points or more has them by sectors of directions, with so many cells along an edge of
/// the cube of directions; fewer are scanned. Finding a sector and scanning its points costs as much as
/// scanning ten blocks; a cell of a hull that is round has four to ten.
pub const SECTOR_SIDES: [(usize, usize); 3] = [(64, 2), (400, 4), (1600, 8)];
/// Most edges at the rim of a flat mesh that is looked at for being convex: each is held against all corners.
pub const MOST_RIM: usize = 1 << 10;
/// A closed mesh counts as convex where depths are measured if a copy of its hull, made smaller about its
/// middle by this share, lies in it. Files have millimetres with three decimals, metres with six, or seven
/// digits. So corners are off by up to 9e-7 m (half a unit in each coordinate), which is this share of the
/// depth of a middle that is 4 mm from the face, as in a thin finger. The depth is then known within this
/// share of the hull's size, or better.
pub const OWN_HULL_WITHIN: f64 = 1.0 / 4096.0;
/// Planes that may be tried for that, for each triangle and each plane of the hull: so the time stays linear
/// in the size of the mesh. A mesh has a few narrow triangles, of which each tries all planes.
pub const HOLLOW_LOOKS: usize = 64;
/// What is added around a shape that is drawn back (metres): a tenth of a micrometre. It covers four times
/// [`PAD_SLIDE`], and the rounding of vertices besides: at coordinates of a kilometre 1e-12 m.
pub const PAD_SLACK: f64 = 1e-7;
/// How far a vertex that slides may leave the planes in which it slides (metres). Files write faces with
/// coordinates of f32, up to 4e-9 m off a tenth of a metre from the origin, and so their planes.
pub const PAD_SLIDE: f64 = 0.25 * PAD_SLACK;
/// Unit normals are of one plane if what one has across the others is shorter than this. Whether a vertex
/// slides in all of their planes is still measured.
pub const PAD_SAME_PLANE: f64 = 1e-6;
/// A vertex moves only if it draws each of its soft triangles back by at least this share of the depth: else
/// it rather goes along the surface.
pub const PAD_INWARD: f64 = 0.1;
/// Least extent that is left of a shape that is drawn back (metres): the least depth of a pad.
pub const PAD_LEFT: f64 = LEAST_PAD_DEPTH;
