//! Every number that decides something about two shapes.

use crate::numeric::tolerance::ROUNDOFF;

/// Rounding of a certified bound between cores, as a factor of [`ROUNDOFF`] times the pair's scale (both
/// extents plus the distance of the frames). The bound is a sum of three scalar products and a division: each
/// product carries at most `3 + 3` roundings of `sqrt(3)` times its lengths (the rotated direction adds
/// three), the norm and the division 4 together. That is below 24; heights include the rounding of their own
/// product.
pub const CERTIFY_ROUNDING: f64 = 32.0;
/// The distance search ends when upper and lower bound differ by less than this fraction of the scale.
/// Polytopes end exactly, up to a few roundings; curved cores end at a hundred-thousandth of the promised
/// 1e-7.
pub const GJK_GAP: f64 = 1e-12;
/// A table look-up is accepted as a step if it reduces the squared distance bound below this fraction.
pub const GJK_GLANCE: f64 = 0.8;
/// Largest number of steps. Polytopes need 5 to 15, curved cores up to about 60.
pub const GJK_STEPS: u32 = 128;
/// Least squared cosine between the last direction and that of the last simplex in the new pose for a warm
/// start: an angle of some 18 degrees. Beyond it the vertices of the direction table are nearer than those of
/// the warm start.
pub const SAME_WAY: f64 = 0.9;
/// Restarts of a search that stalled with a wide interval while the cores are apart. Usually one suffices.
pub const STALLED_STARTS: u32 = 3;
/// A tetrahedron whose height over a face is below this fraction of its edge is flat: the signs of its
/// volumes are only rounding (three roundings of products of edges, and more for needle-like faces).
pub const FLAT: f64 = 1e-13;
/// Rounding of a corner of A - B, as a fraction of the scale: two rotations' worth of products and sums, and
/// the difference of two such corners.
pub const CORNER_NOISE: f64 = 32.0 * ROUNDOFF;
/// Two ways out count as one if one less the cosine between them is at most this: a thousandth of a radian,
/// the angle between the normals of a round core's nearest face and of its best plane where their heights
/// agree to a millionth.
pub const SAME_FACE: f64 = 5e-7;
/// Weight by which a foot point may be outside its face: the rounding for a face that is a million times as
/// long as wide.
pub const FOOT_OUTSIDE: f64 = 1e-9;
/// If a depth search has converged, the vector between its points differs from the depth along the normal by
/// at most this fraction of the scale: the rounding of a foot point on a thin face.
pub const ALONG: f64 = 1e-7;
/// Added to it for a curved core, as a fraction of the depth: the angle between two ways out that count as
/// one ([`SAME_FACE`]).
pub const ALONG_CURVED: f64 = 1e-3;
/// A search between cores that are apart has converged only if the interval is at most this wide, as a
/// fraction of the scale: a tenth of the promised width.
pub const WIDE: f64 = 1e-10;
/// The depth search ends when its bounds differ by less than this fraction of the scale.
pub const DEPTH_GAP: f64 = 1e-12;
/// Where a core is curved, the depth search ends when its bounds differ by less than this fraction of the
/// scale: they close quadratically with the number of faces, and the promised width is 1e-7.
pub const DEPTH_GAP_CURVED: f64 = 1e-8;
/// Round cores whose depth stays wide are eroded by this share of the largest ball that fits, and of the
/// depth. A thousandth of the core is left, and so of the error of flat faces; both are far above rounding.
pub const ERODED_MOST: f64 = 0.999;
/// Rounding of the surface of an eroded core, as a fraction of the scale: 8 roundings for a point of an
/// ellipsoid, 6 for the normal and 2 for the difference; 10 for the ends of an eroded cone. Two cores,
/// rounded up.
pub const ERODED_ROUNDING: f64 = 40.0 * ROUNDOFF;
/// Corners of the polytope of a depth search. Curved cores reach [`DEPTH_GAP_CURVED`] with 100 to 300.
pub const DEPTH_CORNERS: usize = 512;
/// For `Ask::LowerBound` the search ends at this fraction of the upper bound: one or two steps earlier.
pub const LOWER_BOUND_RATIO: f64 = 0.9;
/// After a stalled search, coordinates of its direction below this fraction of the largest are tried as zero:
/// they may be square roots of roundings; two digits are added.
pub const SQUARE: f64 = 1e-6;
/// Two points closer than this fraction of the shapes' bounding radii give no direction: their difference has
/// fewer than half of its digits.
pub const FREE_DIRECTION: f64 = 1e-8;
/// A triangle is a needle if the squared sine between two of its edges is below this: its normal then has
/// fewer than ten digits.
pub const NEEDLE: f64 = 1e-12;
/// Height of a face, as a fraction of the scale, above which the origin is certainly behind it. The height
/// times the length of the face's normal is the determinant of its corners; computed from two edges and a
/// corner its error is at most 16 roundings of the product of their lengths, and the product of the edges is
/// at most `1 / sqrt(NEEDLE)` of the normal.
pub const FACE_SIDE: f64 = 16.0 * ROUNDOFF * 1e6;
/// A corner within this fraction of the scale is level with a face: a few times the rounding of their
/// coordinates, and far below the promised width.
pub const LEVEL: f64 = 1e-14;
/// Corners within these fractions of the scale are level with a face in further searches, tried in this order
/// until the interval is narrow: each is above the noise of a larger angle between nearly parallel faces. The
/// search may be wrong by this much, so the last is the promised width.
pub const LEVELS: [f64; 3] = [1e-12, 1e-10, 1e-9];
/// Rounding of the gap of two meshes along a direction in f64, in units of their radii: as `TRIANGLE_LOWER`.
pub const MESH_GAP_ROUNDING: f64 = 64.0 * ROUNDOFF;
/// Triangle pairs that can improve the distance by less than this are skipped (in units of the radii); the
/// lower bound is then that much below the upper. Otherwise all pairs of parallel flat faces would tie.
pub const MESH_TIE: f64 = 1e-10;
/// A mesh that is no farther from a convex core than its hull, to within this, is searched no further (in
/// units of the radii): a few hundred roundings.
pub const AS_HULLS: f64 = 1e-13;
/// Hulls whose distance differs by less than this from that of the hulls around them have the same nearest
/// points (in units of the radii): directions are handed on in f32, whose rounding tilts a plane by 1e-7.
pub const SAME_HULLS: f64 = 1e-6;
/// Once surfaces touch, at most this many more triangle pairs are searched for a crossing; then overlap stays
/// open. Two tessellated faces in contact have as many such pairs as triangles.
pub const TOUCHING_PAIRS: u32 = 1 << 15;
/// Once two triangles cross, this many more pairs of triangles are searched for a deeper overlap.
pub const DEEPER_PAIRS: u32 = 8;
/// Vertices of a hull whose mean is used as a point inside: few, so that its rounding is that of a transform.
pub const MIDDLE_OF: usize = 16;
/// Points from a point of contact towards a corner, at these shares, are tested for being inside the other
/// solid.
pub const CONTACT_SHARES: [f64; 3] = [0.5, 0.125, 0.03125];
/// Depths beneath surfaces that lie on each other at which points are tested for being in both solids, in
/// units of the smaller radius.
pub const BENEATH: [f64; 3] = [0.1, 0.01, 0.001];
/// Size of the heap of box pairs of a mesh query; 12 bytes an entry, so that it stays in the first-level
/// cache. Close pairs of meshes of ten thousand triangles need a few hundred.
pub const HEAP_LIMIT: usize = 2048;
/// How many queries of two meshes leave what they found: about as many as a robot has pairs that are asked.
pub const FRONTS: usize = 32;
/// Most pairs of boxes that one of them leaves; close pairs of links need twenty. With 24 bytes each, all
/// together stay in the second-level cache.
pub const FRONT_PARTS: usize = 48;
/// What was left is used until points have moved by this share of the smaller mesh's radius.
pub const FRONT_MOTION: f64 = 0.2;
/// Box and triangle pairs after which a mesh query ends with its present bounds: some tens of milliseconds.
pub const WORK_LIMIT: u32 = 1 << 19;
/// Points that are tested for one in two solids whose surfaces touch: some milliseconds for meshes of a
/// thousand triangles.
pub const SHARED_LOOKS: u32 = 1024;
/// Most times that the common box of two solids is halved along each side: entries of the heap cannot name
/// smaller boxes.
pub const SHARED_LEVELS: u32 = 10;
/// The tested point in a box of side one: some hundredths off the middle, differently along each side, and so
/// off the planes of any grid that the box is aligned with. No corner is farther away than 0.55 times the
/// diagonal.
pub const OFF_MIDDLE: [f64; 3] = [0.5131, 0.4783, 0.5207];
/// Pieces of a mesh that are tested for being inside another; beyond, the answer is open.
pub const PIECE_LIMIT: u32 = 1 << 14;
/// Axes whose directions differ by less than this count as one where the depth has a closed form (radians, or
/// of the extent where it is an offset): the interval widens by twice as much of the scale, a fiftieth of the
/// promised 1e-7.
pub const ALIGNED: f64 = 1e-9;
/// An ordinary depth is bracketed to within this share of it, where the work suffices.
pub const ORDINARY_DEPTH: f64 = 0.16;
/// Work of an ordinary depth, in the units of [`COST_OF_LOOK`]: five regions, and what is between them.
pub const ORDINARY_WORK: u32 = 1450;
/// Relative width of a bracket beyond which an ordinary depth goes on as a tight one does: the way out found
/// is then a hundred times what is proved, as for a ball pressed into a socket from all sides.
pub const LOST_DEPTH: f64 = 0.99;
/// An ordinary depth whose bracket is still wider than this share of it is worked on further. Within it, no
/// way out is more than a quarter too long.
pub const COARSE_DEPTH: f64 = 0.2;
/// Work for that, in the same units: in a race over rough ground less than one way out in a thousand stays a
/// quarter too long.
pub const COARSE_WORK: u32 = 6000;
/// A tight depth is bracketed to within this share of it: a hundredth, measured from either end.
pub const TIGHT_DEPTH: f64 = 0.0095;
/// The least share that is asked for; work ends most searches for less.
pub const LEAST_DEPTH: f64 = 1e-3;
/// Work of a depth that is asked for more narrowly than an ordinary one, in units of about a quarter of a
/// microsecond: what suffices for nearly all robots.
pub const TIGHT_WORK: u32 = 40_000;
/// Cost of a look at the end of a translation, in units of the work for one cuboid, a quarter of a
/// microsecond: about what was measured for meshes of a thousand triangles. So are the next two.
pub const COST_OF_LOOK: i64 = 30;
/// Planes of regions that are tested for one unit of work.
pub const PLANES_OF_WORK: usize = 256;
/// Cost of growing two parts, and of their region.
pub const COST_OF_REGION: i64 = 240;
/// Nodes and triangles that all looks and parts of a tight depth may visit, for each unit of its work. Links
/// of robots take a small part of that. Where boxes and hulls bound little, as around needles and between
/// coils, a visit takes up to a microsecond, so this ends a tight search after some tens of milliseconds.
pub const VISITS_OF_WORK: i64 = 1;
/// Blocks of four corners of parts that are looked at for one corner of a region, for one such visit; with
/// the faces around that corner they take as long.
pub const BLOCKS_OF_VISIT: usize = 16;
/// The least number of visits that are allowed, however little work is asked for.
pub const LEAST_VISITS: i64 = 1 << 14;
/// Cost of a descent from a translation that is free.
pub const COST_OF_DESCENT: i64 = 150;
/// Most looks of a descent to a locally shortest way out; three to five are usual.
pub const WAY_OUT_LOOKS: usize = 6;
/// Lengths of steps away from a contact, in units of the size of the bodies: far above what two meshes fall
/// short by ([`MESH_TIE`]), and below the play of most fits.
pub const TOUCH_STEPS: [f64; 2] = [1e-6, 1e-8];
/// Two bodies of which points are as near as this touch, if they are not proved to overlap, in units of their
/// size: above what two meshes fall short by, after a step and a look at its end.
pub const TOUCH_WIDTH: f64 = 4.0 * MESH_TIE;
/// A step that ends free is made shorter by this factor.
pub const TOUCH_SHRINK: f64 = 0.25;
/// Most times that it is: from the longest step to [`TOUCH_WIDTH`], and some more.
pub const TOUCH_SHRINKS: usize = 10;
/// Most looks of a climb: one at each of three walls that meet, and one where they leave.
pub const CLIMBS: usize = 4;
/// Regions that were made for a way out are kept until it is shorter by this factor. Their tolerance and
/// their rounding are shares of its length.
pub const REGIONS_KEPT: f64 = 0.0078125;
/// How far beyond planes a descent looks, in units of the depth; it ends within twice that.
pub const WAY_OUT_HAIR: f64 = 1e-3;
/// A first guess that does not lead out is made longer by this factor.
pub const WAY_OUT_BEYOND: f64 = 1.15;
/// If the bodies are farther apart at the end of a way out than this share of its length, it is made shorter
/// by the gap and its end is looked at again.
pub const SETTLED: f64 = 0.01;
/// Most looks for that. One depth in thirty needs any, and usually one.
pub const SETTLING_LOOKS: usize = 3;
/// A point counts as beyond planes if it is less than this before one, in units of the largest height: far
/// above rounding, and far below [`WAY_OUT_HAIR`].
pub const PLANES_LEVEL: f64 = 1e-9;
/// Most planes that are looked beyond at once: all that a descent sees, and sixteen walls of a hole.
pub const PLANES: usize = 16;
/// Most looks for a way out between walls. Pegs in holes of 3 to 12 sides take four to eight, of 64 up to
/// twenty.
pub const THREAD_LOOKS: usize = 24;
/// Work for that.
pub const THREAD_WORK: u32 = THREAD_LOOKS as u32 * (COST_OF_LOOK + COST_OF_REGION) as u32;
/// Nodes and triangles that these looks may visit, and those of steps away from a contact: some five
/// milliseconds.
pub const THREAD_VISITS: i64 = 1 << 16;
/// If planes leave less room than is wanted beyond each, this share of it is tried next.
pub const THREAD_NARROWER: f64 = 0.25;
/// Where an overlap is too small to give a plane, or gives one that was there, the next look is away from all
/// by so much more.
pub const THREAD_WIDER: f64 = 8.0;
/// How often: down to a billionth of the way.
pub const THREAD_TRIES: u32 = 11;
/// So many planes are forgotten because all together leave no room; then there is none.
pub const THREAD_DROPS: usize = 8;
/// A plane counts as one that was there if one less the cosine between their normals is at most this: a
/// thousandth of a radian.
pub const THREAD_SAME: f64 = 5e-7;
/// Planes are parallel if the squared sine between them is below this, and three to one line if the square of
/// their normals' volume is.
pub const PLANES_PARALLEL: f64 = 1e-9;
/// Most convex regions of translations that a cover is made of; one in a hundred overlaps needs more than
/// ten.
pub const REGIONS: usize = 64;
/// Most planes of all of them together: 16 bytes each, so that they stay in the second-level cache.
pub const REGION_PLANES: usize = 1 << 12;
/// Rounding of a plane's test of a cuboid in f32, in units of the largest coordinate: that of the normal,
/// three products and three sums of a scalar product below sqrt(3) coordinates, as much for the cuboid's half
/// sides, and two sums with the height. Below 25 roundings of f32; rounded up.
pub const REGION_ROUNDING: f64 = 2e-6;
/// Rounding of a plane's close test of a cuboid, which adds in f64, in units of what each coordinate adds to
/// the height: a normal is rounded to f32 once, by 0.6e-7 of each of its coordinates.
pub const REGION_NORMAL_ROUNDING: f64 = 1e-7;
/// Rounding in f64 of a normal that is turned into the frame of the cuboids, and of the sums of a close test,
/// in units of the largest coordinate: three axes of unit length to 4 roundings, three products and three
/// sums each. Below 30 roundings; rounded up.
pub const REGION_TURN_ROUNDING: f64 = 64.0 * ROUNDOFF;
/// Most corners of the polytope that a region is made of.
pub const REGION_CORNERS: usize = 200;
/// That polytope may be smaller than the region by this share of the width that is asked for.
pub const REGION_TOLERANCE: f64 = 0.1;
/// Most cuboids of translations that wait; 32 bytes each.
pub const CUBOIDS: usize = 1 << 12;
/// How often a side of a cuboid is halved: coordinates stay exact in f32, and the last ones are below the
/// rounding of the regions.
pub const CUBOID_LEVELS: u32 = 18;
/// Most corners of a part of a mesh: twice its planes, less four, rounded up to whole blocks.
pub const PART_CORNERS: usize = 264;
/// Half width of the cube in which a part grows, in units of the depth. Translations that are shorter than
/// the depth move A by less than that, so a larger part would not be used; the region of a smaller one would
/// end before them.
pub const PART_REACH: f64 = 1.5;
/// Where a depth is measured between walls, points in both solids are looked for as far from a crossing as if
/// the depth were so many times what is proved of it, or of the translation that is looked at: they may be in
/// an overlap that is thinner than the way.
pub const THREAD_SIZE: f64 = 10.0;
/// If there are none, so much nearer.
pub const THREAD_THINNER: f64 = 1e-3;
/// How far from a crossing a point in both solids is looked for, in units of the depth.
pub const INWARDS: [f64; 5] = [0.1, 0.03, 0.01, 0.003, 0.001];
/// Planes far away, with which the hull of dual points begins: their distance in units of the part's size is
/// the inverse of this.
pub const DUAL_START: f64 = 0.02;
/// A dual point sees a face if it is above it by more than this share of its distance.
pub const DUAL_LEVEL: f64 = 1e-12;
