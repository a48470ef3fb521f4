//! Every number that decides something about bounds and trees.

use elbowroom_pair::numeric::tolerance::{ROUNDOFF, ROUNDOFF_F32};

/// Costs that the agglomerative build may compute, per square of the number of boxes; beyond, it joins the
/// best pair it knows. Real sets take 1 to 3. This limit keeps three thousand boxes within half a second.
pub const AGGLOMERATE_WORK: u64 = 16;
/// Where a box of a wide tree extends farther than this from the tree's origin (metres), it counts as
/// infinite. A thousand times what a world accepts; squares, and surfaces times numbers of leaves, do not
/// overflow f32.
pub const WIDE_LIMIT: f64 = 1e12;
/// While a wide tree is built, the edges of boxes count as grown by this many mean edges of the leaves: about
/// the size of a robot's link. Of 1, 4 and 20 the best for ten links among a thousand obstacles; with more
/// than a hundred thousand obstacles the value does not matter.
pub const WIDE_GROWN: f64 = 4.0;
/// A group of bodies is split in two where its box, times this, is larger than the box in the wide tree. Of
/// 0.5, 1 and 2 the best: 67 to 93 bounds for ten links among a thousand to a million obstacles, where 1
/// needs 84 to 103.
pub const BODIES_APART: f32 = 2.0;
/// While a wide tree is built, the edges of boxes count as grown by at least this share of the box around
/// all: otherwise points on a line cost nothing, however they are split.
pub const WIDE_GROWN_LEAST: f64 = 1e-4;
/// Relative rounding of a distance between boxes in f32: at most 3.5 u for three differences, squares, two
/// sums and a root, and 1.5 u for the factor that takes it off. Rounded up.
pub const GAP_ROUNDING_F32: f32 = 8.0 * 5.960_464_5e-8;
/// Nodes in the open list of a search through a wide tree. 56 bytes each, 229 kB together. A search touches
/// only what it needs: fewer than a hundred for ten bodies among a million boxes.
pub const OPEN_LIST: usize = 1 << 12;
/// Points from which the origin of a tree of points is chosen: their median is then within a few percent of
/// that of all.
pub const ORIGIN_SAMPLES: usize = 256;
/// Planes that a query among points keeps beside its solid. A robot's links before what a depth camera sees
/// find two a pose, and keep those of the poses before.
pub const POINT_PLANES: usize = 4;
/// Half an axis of a query among points that is shorter counts as a point (metres): the inverse of its square
/// is finite in f32.
pub const LEAST_HALF_AXIS: f64 = 1e-9;
/// Least length of a line that is divided by (metres): its square is normal in f32. A larger divisor makes a
/// bound smaller.
pub const LEAST_LINE: f32 = 1e-15;
/// What f32 rounds of a bound on the distance of a point from a query, relative to that distance.
///
/// With u = 2^-24, c the query's middle, h half its axis, e half its edges, all rounded to f32 and relative
/// to the tree's origin, q a stored point, and D its distance from the axis and the edges:
///   * q is off by u|q| <= u (D + |c| + |h| + |e|), c by u|c|, h by u|h|;
///   * r = q - c is off by u|r|; the share s of the nearest point of the axis by 6u |r|/|h| (a scalar product
///     4u, the inverse square and the product with it 2u); the line r - s h by 7u|r| + u|h| + u|line|, the
///     edges by u (D + |e|), the norm by 2.5u of it. As |r| <= D + |h| + |e|, the computed distance is at
///     most D (1 + 12u) + 9u (|h| + |e|);
///   * for boxes, the line only chooses a direction. The gap along it is off, where it is positive, by 18u|r|
///     for the products and their sums, 2u|m| for the middle m of the box, 4u|r| for the norm and the
///     division, and 3u|h|; with |m| <= |r| + |c| and |r| <= |line| + |h|: 24u|line| + 27u|h| + 2u|c|. The
///     gap of the boxes around both is off by 3.5u of itself, as their corners are rounded outwards;
///   * for planes, products and sums are off by 10u|r| + 9u (the sum of a box's half edges) + 3u|c|, and by
///     2u of the plane's height.
///
/// The share relative to the distance is taken off in the lanes, 32u of it. The shares relative to c, h, e,
/// radius and height are in the radius ([`POINT_ROUNDING`] of their sum).
pub const POINT_ROUNDING_F32: f32 = 32.0 * 5.960_464_5e-8;
/// What f32 rounds of a bound on the distance of a point from a query beside [`POINT_ROUNDING_F32`], as a
/// factor of the magnitudes of the query: at most 29u of |h| and 5u of |c|, and 2u of the radius. Rounded up.
pub const POINT_ROUNDING: f64 = 32.0 * ROUNDOFF_F32;
/// Rounding of the gap of two primitives along a direction, in units of the sum of the magnitudes of all that
/// enters it: coordinates of both, half extents, radii. The gap is a sum of up to eight scalar products, each
/// with an error of 3u of the lengths in it (halves and middles are rounded once, generators twice), seven
/// sums, and a division by a length (5u): below 20u. The sum of magnitudes is itself rounded. Rounded up.
pub const GAP_ROUNDING: f64 = 32.0 * ROUNDOFF;
/// Least `sin²` between two axes in the lanes' segment distance; below, the axes count as parallel, and any
/// point of one is a start.
pub const GAP_PARALLEL: f64 = 1e-30;
/// Corners of the polygon around a circle: they are 0.12 % farther out than the circle.
pub const RIM_CORNERS: usize = 64;
/// Rings of latitude of the polytope around a sphere; corners are as dense along the rings. The some 730
/// corners are 0.43 % farther out than the sphere.
pub const SPHERE_RINGS: usize = 24;
/// Factor that pays for the rounding of angles, sines and products in both.
pub const OUTLINE_ROUNDING: f64 = 1.0 + 1e-12;
/// Up to this many balls are searched directly; of more, only those at corners of their hull.
pub const FIT_AS_IS: usize = 64;
/// Up to this many corners are all searched; of more, only those that are extreme along [`FIT_DIRECTIONS`].
pub const FIT_FEW: usize = 200;
/// Directions along which extreme corners are chosen, about 4 degrees apart: what lies between sticks out by
/// less than a thousandth of its radius of curvature.
pub const FIT_DIRECTIONS: usize = 512;
/// Exchanges of the smallest ball's basis; ten to twenty are usual.
pub const FIT_EXCHANGES: usize = 128;
/// Tolerance of "contained" while exchanging, as a fraction of the radius.
pub const FIT_TIGHT: f64 = 1e-10;
/// Thickness, as a fraction of the size, added in volumes while searching, so that volumes of flat fits
/// differ.
pub const FIT_FLAT: f64 = 1e-7;
/// Tries of a local search; 28 failures in a row shrink its step tenfold.
pub const FIT_TRIES: usize = 320;
/// Number of the best starts from which a long search is made.
pub const FIT_STARTS: usize = 4;
/// Faces of a hull that are tried as faces of a box.
pub const FIT_FACES: usize = 256;
/// Faces whose normals differ by less count as one: one minus the cosine of a twentieth of a degree.
pub const FIT_SAME_NORMAL: f64 = 4e-7;
/// Halvings of the interval in which a ray leaves a simple core: to 1e-9 of its length.
pub const EXTENT_HALVINGS: usize = 30;
/// Corners that are tried as the centre of a ball inside.
pub const INNER_POINTS: usize = 16;
/// Points along a side of the grid in which the deepest point of a mesh is searched for.
pub const INNER_GRID: usize = 7;
/// Cells along an edge of the cube of a table of heights. 16 take 7 kB a body; the bounds on a round body of
/// a decimetre are then within a twentieth of a millimetre.
pub const HEIGHT_CELLS: usize = 16;
/// Directions that are tried as normals of a plane between two bodies, before their shapes are asked.
pub const HEIGHT_LOOKS: usize = 5;
/// Cells along an edge of the cube of a table of gauges. 16 take 7 kB a body; in a round body of a decimetre
/// they miss a layer of a tenth of a millimetre.
pub const INSIDE_CELLS: usize = 16;
/// Points that are tried for one inside two bodies, before their shapes are asked.
pub const INSIDE_LOOKS: usize = 6;
/// How far inside both bodies the next guess aims, as a share of the way from a body's surface to its middle:
/// where bodies are round, the error of the linear guess is less.
pub const INSIDE_AIM: f64 = 0.01;
/// Tries of the search for the largest ball inside a shape; in a mesh, each may visit all triangles.
pub const INSIDE_TRIES: usize = 12;
/// How far a value that f32 lanes take from a table of a cube may be below its bound, in units of the largest
/// coordinate of the direction times the most that the function is along a direction of length one. On the
/// face, two coordinates are off by two roundings each: 3u together. The nodes are at most the root of three,
/// so two differ by twice that: each mean of two is off by 9u and the mean of the means by 18u, and the last
/// product by 2u. Rounded up.
pub const CUBE_ROUNDING_F32: f64 = 32.0 * ROUNDOFF_F32;
/// Most planes of a polytope that is carved in a mesh. It limits the work: each plane visits the triangles
/// that are left. A mesh that needs more has only its ball.
pub const CARVE_PLANES: usize = 128;
/// A box that moves wears its tree if it makes a box above it larger than this many times its size when the
/// tree was built.
pub const MOVING_GROWN: f32 = 2.0;
/// If many boxes moved, the tree is built again once the surfaces of its nodes have grown by this factor
/// since it was last built: a question then visits so many times the nodes. Building it again costs as much
/// as two questions.
pub const MOVING_LOOSE: f32 = 1.3;
/// A tree is built again once the square of the number of boxes that wear it is greater than this times the
/// number of all boxes. Each box that wears it costs a question some three nodes, sixty nanoseconds. Building
/// by halves costs some sixty nanoseconds a box. The sum of both is least where half the square equals the
/// number of boxes.
pub const MOVING_WORN: usize = 2;
