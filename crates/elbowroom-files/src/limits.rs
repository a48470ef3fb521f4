//! How much a file may ask for. Each bound keeps memory and time in proportion to something a real robot
//! needs. Most are fixed; [`Options::max_file_bytes`](crate::Options::max_file_bytes) replaces
//! [`FILE_BYTES`]. What is beyond a bound is a fault: the page of [`fault`](crate::fault) shows how one
//! reads.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Largest mesh, scene, motion or sensor file read (bytes) unless the options say otherwise: a binary STL of
/// 5 million triangles, or a cloud of 16 million points of four floats.
pub const FILE_BYTES: u64 = 256 << 20;

/// Largest URDF, SRDF or world file read (bytes): a hundred times the largest seen (0.5 MB).
pub const DESCRIPTION_BYTES: u64 = 64 << 20;

/// Largest world file and longest JSON case read (bytes): their parsers take up to 100 bytes a byte.
pub const TREE_BYTES: usize = 16 << 20;

/// Largest table of offsets read (bytes): a line for each of many thousands of joints.
pub const OFFSET_BYTES: u64 = 1 << 20;

/// Greatest offset of a joint (radians, metres): half a turn. What is beyond it is in another unit.
pub const MOST_OFFSET: f64 = std::f64::consts::PI;

/// Longest time that the program xacro may take for a file: large robots take two seconds on slow machines.
pub const XACRO_TIME: Duration = Duration::from_secs(60);

/// Time between two looks whether it has ended, once it has written all.
pub const XACRO_LOOK: Duration = Duration::from_millis(2);

/// Most bytes that it may say beside the text.
pub const XACRO_SAID: u64 = 1 << 20;

/// Lines of that which are told: the last.
pub const XACRO_LINES: usize = 3;
/// The letters of these lines.
pub const XACRO_LETTERS: usize = 600;

/// Most packages that a xacro file may find: it is expanded once more for each.
pub const XACRO_PACKAGES: usize = 32;

/// Most XML nodes in one document (about 80 bytes each): 0.2 GB.
pub const XML_NODES: u32 = 2_000_000;

/// Most attributes on one XML element: the parser compares them pairwise.
pub const XML_ATTRIBUTES: usize = 128;

/// Deepest nesting of XML elements.
pub const XML_DEPTH: usize = 256;

/// Most namespace declarations in one XML document: the parser copies all of them wherever one is added.
pub const XML_NAMESPACES: usize = 256;

/// Most prefixes that one XML document may use without a declaration: it is parsed once more for each.
pub const XML_PREFIXES: usize = 16;

/// Deepest nesting of sequences and maps in YAML.
pub const TREE_DEPTH: usize = 64;

/// Most values in one YAML document (about 100 bytes each): 0.1 GB and a few seconds.
pub const TREE_NODES: usize = 1_000_000;

/// Time between two states of an arm, or from a measurement until its brake acts, from which on it is asked
/// whether milliseconds are meant (s). Controllers report each 0.1 s at the slowest, and brakes of the
/// largest robots act within 0.3 s. What is written in milliseconds is 1 and more.
pub const CYCLE: f64 = 1.0;

/// How long an arm is waited for, or how far ahead is looked, from which on it is asked whether milliseconds
/// are meant (s): 2.5 periods of the slowest controllers, and the stops of the slowest arms, take two or
/// three seconds. Of what is written in milliseconds, less than 10 is rare.
pub const WAITS: f64 = 10.0;

/// Greatest limit of a speed from which on it is asked whether millimetres a second are meant (m/s): no point
/// of an arm is so fast. The limits of standards are 250 mm/s and the like.
pub const SPEED: f64 = 20.0;

/// Greatest velocity of a joint that turns from which on it is asked whether degrees are meant (rad/s): the
/// fastest joints of small arms turn at 45 rad/s. Limits in degrees are 60 and more.
pub const TURNING_SPEED: f64 = 50.0;

/// Ends of joints of which it is asked whether they are degrees (rad): more than three turns, up to two turns
/// in degrees. Beyond them a joint is likely said to turn without an end.
pub const TURNS: [f64; 2] = [20.0, 720.0];

/// Limits of a sliding joint beyond which a warning tells that distances are known to about a nanometre only
/// (metres): the rounding of a pose is bounded over the limits, and is 6e-15 of them.
pub const FAR_SLIDE: f64 = 1e5;

/// The usual extents of a link's mesh (metres). Outside of them a warning asks for the file's unit: a scaled
/// mesh below a millimetre may be in metres already, and a mesh above twenty metres may be in millimetres.
/// Most links of a robot in millimetres are larger than 20.
pub const LINK_SIZES: [f64; 2] = [1e-3, 20.0];

/// The usual extents of a mesh that stands in the cell (metres), with the same warning outside of them. Halls
/// are smaller than 200 m. An obstacle in millimetres is larger than 200 if it is larger than a hand.
pub const CELL_SIZES: [f64; 2] = [1e-3, 200.0];

/// Most boxes that the parts of a template may leave of its whole: a hundred parts apart from each other.
pub const CUTS: usize = 600;

/// Deepest nesting of nodes in a DAE scene, instances included.
pub const SCENE_DEPTH: usize = 128;

/// Most nodes and instances visited in one DAE scene: instances of instances multiply.
pub const SCENE_VISITS: usize = 1_000_000;

/// The last row of a matrix that places a mesh is within this of 0, 0, 0, 1: exporters round it.
pub const AFFINE: f64 = 1e-9;

/// Most triangles in one mesh.
pub const MESH_TRIANGLES: usize = 10_000_000;

/// Most triangles of all meshes of one description together, counting a mesh as often as it is used: 3 GB at
/// the worst.
pub const TOTAL_TRIANGLES: usize = 40_000_000;

/// A mesh file is flat along an axis where its extent is within this, in units of its largest extent: f32
/// rounds more. Elsewhere no scale may make it flatter than the smallest shape that is accepted.
pub const FLAT_MESH: f64 = 1e-9;

/// Most corners of one polygon.
pub const POLYGON_CORNERS: usize = 4096;

/// Most corner tests for cutting the polygons of one mesh: a few seconds, and thousands of polygons of 100
/// corners.
pub const POLYGON_WORK: usize = 1_000_000_000;

/// Faults listed of one mesh; more of them say nothing new.
pub const MESH_FAULTS: usize = 20;

/// Most disabled or allowed pairs of one file.
pub const PAIRS: usize = 4_000_000;

/// Columns listed that no joint is called after, before the rest is only counted: a file with more of them is
/// of another robot, or holds more than poses.
pub const UNKNOWN_COLUMNS: usize = 10;

/// Joints named of a motion that is another robot's.
pub const JOINTS_SHOWN: usize = 4;

/// Faults listed before the rest is only counted.
pub const FAULTS: usize = 1000;

/// Places named of warnings that are alike before the rest is only counted.
pub const PLACES: usize = 3;

/// Spelling hints given in one load, candidates looked at for each, and letters of a name that may have one:
/// 0.2 G steps.
pub const HINTS: usize = 200;
/// See [`HINTS`].
pub const HINT_CANDIDATES: usize = 500;
/// See [`HINTS`].
pub const HINT_LETTERS: usize = 48;

/// Letters of a name for each slip beyond the first that a hint allows: `rgbd_joint` is not a slip of
/// `root_joint`.
pub const HINT_LETTERS_A_SLIP: usize = 6;

/// Farthest that a joint goes from zero (radians or metres): 160,000 turns, a thousand kilometres. A limit
/// beyond it is a way to write none: Gazebo writes 1e16, others the largest number of f32 or f64, or
/// infinity. What slides so far still is placed to within some nanometres.
pub const JOINT_RANGE: f64 = 1e6;

/// Most robots, and most scenes, in one world file: each may be a file of its own.
pub const ROBOTS: usize = 1000;

/// How far the value that a motion gives for a mimic joint may be from what its rule gives (radians or
/// metres), times the rule's factor where that is more than one. Files keep six decimals: half of the last is
/// lost of the value itself, and half, times the factor, of what it follows.
pub const MIMIC_DEFECT: f64 = 1e-6;

/// Most values in a motion (8 bytes each): 1.6 GB.
pub const MOTION_VALUES: usize = 200_000_000;

/// A motion ends at rest if no joint of its last row is faster than this (rad/s, m/s): planners leave
/// rounding.
pub const REST_SPEED: f64 = 1e-6;

/// There is a warning if the first point of a trajectory is farther than this from the start at its time
/// (rad, m): encoders and rounding leave less.
pub const START_JUMP: f64 = 0.01;

/// How far a transform of a planar joint may lead out of its plane (metres), or tilt out of it (rad): what
/// rounding to seven digits leaves. What is beyond it is not left out.
pub const PLANE_DEFECT: f64 = 1e-6;

/// Turns that may leave constant speed by no more than this are not warned of (radians).
pub const TURN_BULGE: f64 = 1e-6;

/// Points of the two halves of a trajectory are one instant if their times differ by no more than this (s):
/// half of the nanosecond in which messages count.
pub const SAME_TIME: f64 = 0.5e-9;

/// How far a joint may be from the end of a polynomial where the next one begins (rad, m): what rounding to
/// seven digits leaves. The motion is then at both values at one instant, and both are proved.
pub const PIECE_JUMP: f64 = 1e-6;

/// Most events in a motion (about 200 bytes each): 0.2 GB.
pub const MOTION_EVENTS: usize = 1_000_000;

/// In a CSV of poses the place of each row of this multiple is remembered (16 bytes each). To find a row less
/// than a hundred kilobytes are read in vain.
pub const ROWS_A_PLACE: u64 = 512;

/// Longest header of such a file (bytes): of a thousand joints with long names.
pub const HEADER_LINE_BYTES: u64 = 1 << 20;

/// Most contacts of one calibration: measured by a machine for a day, one each ten seconds.
pub const CONTACTS: usize = 10_000;

/// How far a joint may read beyond its limits in a contact (radians or metres): eleven degrees. An encoder
/// with an offset reads so at the end of its range.
pub const READING_EXCESS: f64 = 0.2;

/// Most SRDFs looked into when those of a robot are searched for near its URDF, and the largest of them
/// (bytes).
pub const NEAR_FILES: usize = 200;
/// See [`NEAR_FILES`].
pub const NEAR_BYTES: u64 = 4 << 20;

/// Most names of one folder that are looked at when a package is searched for by its manifest, or a file by
/// its name in another case.
pub const FOLDER_ENTRIES: usize = 10_000;

/// Largest manifest of a package that is looked into (bytes): the largest seen have some thousand.
pub const MANIFEST_BYTES: u64 = 1 << 20;

/// Most points in one cloud (24 bytes each): 1.6 GB.
pub const CLOUD_POINTS: usize = 1 << 26;

/// Most fields of a point, elements of a PLY and properties of one element: the largest seen have 70.
pub const CLOUD_FIELDS: usize = 1024;

/// Largest point of a cloud, and longest line of one (bytes): a descriptor of a point has some thousand
/// numbers.
pub const POINT_BYTES: usize = 1 << 20;

/// Longest line in a header before binary data (bytes): names of [`CLOUD_FIELDS`] fields.
pub const HEADER_LINE: usize = 1 << 16;

/// Most bytes that a compressed cloud is unpacked to, and that a picture may take in parts beside its pixels:
/// [`CLOUD_POINTS`] points of four floats.
pub const UNPACKED_BYTES: usize = 1 << 30;

/// Fewer zeros than these behind the last point are no fault (bytes). PCL fills the last page of a file with
/// zeros, and this is the largest page size in use.
pub const PAGE_BYTES: usize = 1 << 16;

/// An array with more columns than this and fewer rows than columns is refused: its points seem to lie in
/// columns.
pub const CLOUD_COLUMNS: usize = 16;

/// Most cells of one OctoMap (32 bytes each): 1.6 GB. The map of a large building has some million.
pub const MAP_CELLS: usize = 50_000_000;

/// Most cubes that make up the unseen space of an OctoMap, for programs that take them as boxes: these take
/// some hundred megabytes.
pub const UNKNOWN_CELLS: usize = 1 << 20;

/// Edges that the smallest cells of an OctoMap may have (metres): from a nanometre, far finer than any
/// sensor, to so much that 65536 of them are still far from overflow.
pub const MAP_RESOLUTION: RangeInclusive<f64> = 1e-9..=1e9;

/// Most cells of one height field (8 bytes each): 0.5 GB. Eight kilometres square at a metre.
pub const HEIGHT_CELLS: usize = 1 << 26;

/// Most boxes that a height field of a world file may take (700 bytes each in a compiled world): 0.7 GB. That
/// is a field of a thousand by a thousand cells, no two neighbours alike.
pub const HEIGHT_BOXES: usize = 1 << 20;

/// Most bytes that one byte of a PNG can become when unpacked, by the format of its compression.
pub const PNG_GROWTH: usize = 1032;

/// Edges that a cell of a height field may have (metres), and metres that a unit of its file may stand for.
pub const HEIGHT_SCALE: RangeInclusive<f64> = 1e-9..=1e9;

/// Faults listed of one cloud, map or height field; more of them say nothing new.
pub const SENSOR_FAULTS: usize = 20;
