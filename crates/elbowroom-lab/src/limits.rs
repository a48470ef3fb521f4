//! The deciding numbers of the experiments, with unit and reason.

/// Steps after which a search of the paper's method is given up. It has no limit of its own; on hulls of 2600
/// vertices it ends in at most about thirty, unless it runs in a circle.
pub const RGJK_STEPS: u32 = 100;
/// A distance of the paper's method counts as wrong if it leaves the proved interval by more than this part
/// of one metre: far above rounding, far below a tenth of a millimetre.
pub const WRONG_DISTANCE: f64 = 1e-6;
/// Random poses of the paper's experiment.
pub const POSES: usize = 20_000;
/// The slowest poses of each method that are asked again: what else a machine does makes a pose in a thousand
/// slow by the clock.
pub const SLOWEST: usize = 40;
/// How often these are asked again.
pub const AGAIN: usize = 21;
/// coulombe20's claim of what a pose takes (microseconds).
pub const REAL_TIME: f64 = 1000.0;
/// Poses before the clock is read.
pub const WARM_UP: usize = 50;
/// Simplices of each kind in the table of sub-distances.
pub const SIMPLICES: usize = 300;
/// Columns of the figure.
pub const COLUMNS: usize = 60;
/// A corner nearer by less than this (metres, along the vector) is no progress: a thousand roundings of a
/// robot's size, and far below anything that is measured here.
pub const PROGRESS: f64 = 1e-12;
/// A distance of polytopes is exact enough where its bounds differ by no more (metres): a tenth of a
/// nanometre, far above rounding in a cell.
pub const POLYTOPE_GAP: f64 = 1e-10;
/// Polytopes this near touch (metres): a hundred roundings of a cell's size.
pub const TOUCHING: f64 = 1e-13;
/// How often henrich97 asks each configuration.
pub const ROUNDS: usize = 100;
/// Runs of each piece of henrich97's Table 1, of which the fastest counts: a machine that does something else
/// for a while seldom does so five times.
pub const RUNS: usize = 5;
/// Processors of henrich97's machine.
pub const PROCESSORS: f64 = 9.0;
/// How often the parallel search walks the path, each time with other draws.
pub const SEARCH_ROUNDS: usize = 20;
/// How long a processor of the parallel search spins before it sleeps (us): a thread takes some tens to wake.
pub const SPIN_US: f64 = 50.0;
/// After so long without a word a parallel search is given up (s): a detection takes microseconds.
pub const LONGEST_SILENCE: u64 = 10;
/// What henrich97 says that r-cylinders save of a detection.
pub const CAPSULES_SAVE: f64 = 0.3;
/// Objects of henrich97's industrial cells, apart from those of a thousand.
pub const OBJECTS: [usize; 5] = [40, 60, 80, 100, 157];
/// Which cells.
pub const CELL_SEED: u64 = 97;
/// Room for each object of a cell (cubic metres): about that of BOTTLENECK, whose seven objects stand in half
/// a metre by half a metre by 0.6.
pub const ROOM_OF_OBJECT: f64 = 0.02;
/// henrich97's bound on the speedup in WBK1000 if its search took no time: a detection there takes so many
/// times what comes before the search.
pub const WBK1000_BOUND: f64 = 26.95;
/// Room for each object of the cell that is as heavy as the paper's WBK1000 (cubic metres). Found by a scan
/// below [`ROOM_OF_OBJECT`], with [`CELL_SEED`]: a detection costs what it costs there, within 1 %. With a
/// little more or less room other objects are among the hundred, and costs jump.
pub const ROOM_OF_HEAVY: f64 = 0.00238;
/// How far the objects of that cell are from the robot all along its path (metres): as far as from its column
/// ([`FREE_AROUND_ROBOT`]).
pub const FREE_AROUND_PATH: f64 = FREE_AROUND_ROBOT;
/// Height of a cell (metres).
pub const CELL_HEIGHT: f64 = 1.5;
/// Radius of the cylinder around the robot's first axis that has no objects (metres): its column and shoulder
/// turn in it.
pub const FREE_AROUND_ROBOT: f64 = 0.2;
/// How often henrich92 walks each motion.
pub const WALKS: usize = 30;
/// henrich92's threshold (metres): a distance above it need not be exact. The paper names none; a planner
/// keeps about this far from what it may not touch.
pub const THRESHOLD: f64 = 0.02;
/// Steps from each configuration of the path to the next: then a step is about two degrees of a joint, as
/// on-line.
pub const STEPS_BETWEEN: usize = 4;
/// henrich92's sampling of the first three joints (radians): 15 degrees.
pub const SAMPLING: f64 = std::f64::consts::PI / 12.0;
/// Where the second arm stands, turned to face the first (metres).
pub const SECOND_ARM: [f64; 2] = [0.2, 0.65];
/// Structures a dynamic group chooses from: bits of one number. The Puma of the paper has 19.
pub const STRUCTURES_MOST: usize = 64;
/// Different structures counted while sampling; those first seen later are counted together, and not kept.
pub const STRUCTURES_COUNTED: usize = 1 << 16;
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
/// Levels of nodes below the root of tran91's octree. The finest nodes of a root of six metres are a tenth of
/// a millimetre wide; no node separates bodies that lie together in one of them.
pub const OCTREE_LEVELS: u32 = 16;
/// A body is small in a node if its longest edge is no longer than the node's edge after so many halvings.
/// With one halving most bodies of a leaf are no longer than it is wide, and each meets about eight leaves.
/// Without halving each meets about twenty-seven.
pub const OCTREE_SMALL: u32 = 1;
/// Edges that the root of tran91's octree may have (metres). The greater is also how far from the origin it
/// may lie. No number that is computed of them over- or underflows.
pub const OCTREE_EDGES: [f64; 2] = [1e-60, 1e60];
/// How much wider than its numbers a node is, as a part of the coordinates: the index of a point is rounded
/// three times and a node's corner twice, each by half of this epsilon at most.
pub const OCTREE_ROUNDING: f64 = 8.0 * f64::EPSILON;
/// Most objects in a node that is not split: tran91 has "less than four".
pub const OCTREE_OBJECTS: u32 = 3;
/// Sides of the prism that stands for a round link in tran91's chain. It is around the link, and wider by 4 %
/// of its radius at most.
pub const PRISM_SIDES: u32 = 12;
/// Of so many samples of a script one is judged by tran91's chain: twenty a second, so that each motion is
/// looked at four times within its look-ahead.
pub const CHAIN_EVERY: usize = 5;
/// Turns of less (radians) are slides in that chain: over a metre they move nothing by a nanometre.
pub const CHAIN_TURN: f64 = 1e-9;
/// Two bodies that move less than this against each other within the look-ahead (metres) go nowhere:
/// far below what a joint's rounding to a millionth moves a hand.
pub const CHAIN_STILL: f64 = 1e-6;
/// How often tran91's scripts are played for the clock.
pub const PLAYS: usize = 5;
/// Bodies in an octree. So many make less than 2^30 nodes and 2^31 entries of lists, however they lie: their
/// numbers have 32 bits.
pub const OCTREE_BODIES: usize = 1 << 20;
/// Two edges whose directions differ by less than this sine count as parallel in Boyse's test: about the root
/// of rounding, so that what is lost on either side of it is alike.
pub const BOYSE_PARALLEL: f64 = 1e-8;
/// What rounding can do to a point or a height in Boyse's test, as a part of the greatest coordinate:
/// products of three coordinates and a turned frame, thirty roundings at most.
pub const BOYSE_ROUNDING: f64 = 64.0 * f64::EPSILON;
/// How far an arc of an angle between 0 and a whole turn can be off (radians): an arc tangent, an arc cosine
/// and their sum.
pub const BOYSE_ANGLE: f64 = 1e-14;
/// The first step after an event that is only possible, over which the fastest corner moves (metres): a
/// hundred times the tolerance of a solid of a decimetre.
pub const BOYSE_STEP: f64 = 1e-7;
/// Most later times at which two solids are tried.
pub const BOYSE_PROBES: u32 = 400;
/// How much each cosine counts as more than it is in haase10's test of two boxes: some thousand roundings.
/// The product of two edges that are parallel up to rounding then separates nothing.
pub const SEPARATING_ROUNDING: f64 = 1e-12;
/// Halvings of the height over which two cylinders are searched: what is left of it is below rounding.
pub const CYLINDER_STEPS: u32 = 60;
/// The deepest recursion of haase10's tips: the last column of its Table I.
pub const TIP_DEPTH: u32 = 8;
/// Points along each edge of a box of the hand where its error is measured.
pub const FACE_POINTS: u32 = 7;
/// A ball that stands for a point (metres): a nanometre, far below what is measured.
pub const PROBE: f64 = 1e-9;
/// Random poses of haase10's hand, and small steps.
pub const HAND_POSES: usize = 10_000;
/// How often each is timed, of which the fastest counts.
pub const HAND_ROUNDS: usize = 7;
/// Which poses.
pub const HAND_SEED: u64 = 10;
/// The greatest way of a joint in a small step (radians): a tenth of a degree, what a joint at 100 degrees
/// per second turns in the millisecond of haase10's real-time target.
pub const HAND_STEP: f64 = 0.1 * std::f64::consts::PI / 180.0;
/// The depth of tips where one is enough: 32 boxes, about the 30 of haase10's Fig. 2.
pub const LEVEL_DEPTH: u32 = 5;
/// The clearance of haase10's Fig. 2 (metres).
pub const CLEARANCE: f64 = 0.005;
/// Between neighbours of the grid on which haase10's equation (5) is compared (degrees).
pub const BASE_STEP: f64 = 1.0;
/// Pairs of parts that are timed together: the clock's own time is then a thousandth.
pub const TIMED_TOGETHER: usize = 2000;
/// Walks of them in each round.
pub const WALKS_TOGETHER: usize = 10;
