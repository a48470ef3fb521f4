//! Every number that decides something about bounds and trees.

use crate::numeric::tolerance::ROUNDOFF;

/// Pairs looked at by the agglomerative build, per square of the number of boxes, after which it joins what
/// it has. What occurs takes 1 to 3; at most this keeps three thousand boxes within half a second.
pub const AGGLOMERATE_WORK: u64 = 16;
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
/// Rounding of a room along a direction between two primitives, in units of the sum of the magnitudes of all
/// that enters it: coordinates of both, half extents, radii. The room is a sum of up to eight scalar
/// products, each off by 3u of the lengths in it (halves and middles are rounded once, generators twice),
/// seven sums, and a division by a length (5u): below 20u. The sum of magnitudes is itself rounded. Rounded
/// up.
pub const GAP_ROUNDING: f64 = 32.0 * ROUNDOFF;
/// Least `sin²` between two axes in the lanes' segment distance; below, any point of one axis serves to
/// start.
pub const GAP_PARALLEL: f64 = 1e-30;
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
/// Corners that are tried as the middle of a ball inside.
pub const INNER_POINTS: usize = 16;
/// Points to a side of the grid in which a mesh's deepest point is looked for.
pub const INNER_GRID: usize = 7;
/// Cells along an edge of the cube that heights are kept over: 16 make 7 kB a body, and bounds within a
/// twentieth of a millimetre of a round body of a decimetre.
pub const HEIGHT_CELLS: usize = 16;
/// Directions that are tried for a plane between two bodies before their shapes are asked.
pub const HEIGHT_LOOKS: usize = 5;
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
