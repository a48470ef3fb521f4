//! Every number that decides something in the program.

use std::time::Duration;

/// Samples that are asked one after the other on one thread. Each such block begins without memory of earlier
/// queries, so that an answer depends on its block alone and never on the number of threads.
pub const BLOCK: usize = 32;

/// Rows of a sweep that a thread answers together, and that a part of a sweep has at least: some milliseconds
/// of tests. Two rows are an edge, so it is even.
pub const SWEEP_CHUNK: u64 = 4096;

/// A sweep makes sure that its answers are on the disk after this time, and each time waits for the disk: of
/// a second some hundredths.
pub const CHECKPOINT_TIME: Duration = Duration::from_secs(1);

/// So long a sweep on several ranks waits for the ranks of an earlier job that are being ended: longer than
/// the second that `mpirun` gives them.
pub const ENDING_TIME: Duration = Duration::from_secs(5);

/// It looks again after this time.
pub const ENDING_LOOK: Duration = Duration::from_millis(50);

/// Contacts that contradict another one: the first so many are named, the others only counted.
pub const CONTRADICTIONS_NAMED: usize = 5;
/// Rows that are no poses: the first so many are named, the others only counted.
pub const ROW_FAULTS_SHOWN: usize = 10;

/// Longest description of a sweep beside its answers that is read (bytes): two million pairs.
pub const ABOUT_BYTES: u64 = 1 << 28;

/// Largest group of rows of a Parquet file that is read, as numbers (bytes): 33 million numbers. Most writers
/// put a million rows into a group.
#[cfg(feature = "parquet")]
pub const GROUP_BYTES: u64 = 1 << 28;

/// Groups of rows that are held: while some threads still read one, the first reads the next.
#[cfg(feature = "parquet")]
pub const GROUPS_HELD: usize = 2;

/// Rows of an output that become a group of a Parquet file together: a million, as other writers have, or
/// what so many bytes hold.
#[cfg(feature = "parquet")]
pub const TABLE_GROUP: (usize, usize) = (1 << 20, 1 << 26);

/// Samples of which only verdicts are told that are asked in one batch: as many as go through its lanes
/// together.
pub const BATCH_BLOCK: usize = 512;

/// Fewer samples are asked one by one: to make a batch ready costs as much as some tens of answers.
pub const BATCH_LEAST: usize = 64;

/// Pairs asked in one block of samples, of one sample at least: of worlds of many obstacles a block is a
/// sample, so that several threads have work.
pub const PAIRS_A_BLOCK: usize = 1 << 17;

/// The memory of answers that are being made, or wait until those before them are written (bytes).
pub const WAITING_BYTES: usize = 256 << 20;

/// The memory of an answer without its pairs (bytes): a line and its answer.
pub const SAMPLE_BYTES: usize = 2048;

/// What one pair of a line is expected to hold (bytes): six vectors of numbers of 20 digits, and two names.
pub const PAIR_BYTES: usize = 600;

/// Answers are handed over, to be written, when they hold this much (bytes) ...
pub const HAND_OVER_BYTES: usize = 1 << 16;

/// ... or after this time.
pub const HAND_OVER_TIME: Duration = Duration::from_millis(20);

/// A way between samples that takes longer is told on the progress bar.
pub const LONG_WAY: Duration = Duration::from_secs(1);

/// The clock is looked at after so many pairs asked on a way: some tenths of a millisecond.
pub const WAY_LOOK: u64 = 256;

/// Size of the parts that the text of pairs is kept in (bytes).
pub const PART_BYTES: usize = 1 << 16;

/// An interval no wider than this (metres), and this part of its distance, is told as one number: further
/// digits are of no use.
pub const NARROW: f64 = 1e-6;

/// Shortest distance that a proof tells in numbers (metres): less is no engineer's length.
pub const SHOWN_LEAST: f64 = 1e-9;

/// Worst moments shown.
pub const MOMENTS: usize = 10;

/// A dip in the clearance begins when the clearance has fallen by this fraction of what it has fallen to from
/// its largest since the last one, and ends when it has risen from its smallest by this fraction of it. What
/// changes less is a plateau.
pub const DIP_SHARE: f64 = 0.25;

/// The least change of a dip (metres): what changes less is noise beside what a robot repeats.
pub const DIP_LEAST: f64 = 0.001;

/// A fall by this is always enough (metres): a hundredth of a metre is much beside what margins are.
pub const DIP_FALL: f64 = 0.01;

/// Fewest samples whose time is told: of fewer, starting is most of it.
pub const TIMED_SAMPLES: usize = 100;

/// Columns of the plot: more samples are drawn as their smallest and largest.
pub const PLOT_COLUMNS: usize = 900;

/// Pairs, or runs of edges, listed on a page before the rest is only counted: with their CSV half a megabyte.
pub const PAGE_PAIRS: usize = 1500;

/// Stretches within the margin kept for the list on a page (about 60 bytes each).
pub const STRETCHES_KEPT: usize = 1 << 16;

/// Edges kept for the list of those that are not free (about 100 bytes each).
pub const EDGES_KEPT: usize = 1 << 16;

/// Most bytes of the outlines in the large view of a picture; with [`VIEW_BYTES`] for each of three others,
/// the dots of [`DOT_AREA`] and [`MOMENTS`] pictures a page stays below two megabytes.
pub const LARGE_VIEW_BYTES: usize = 48_000;

/// Most bytes of the outlines in each other view.
pub const VIEW_BYTES: usize = 20_000;

/// Most stills of a film: of more samples, every second, third and so on, and the worst moments.
pub const STILLS: usize = 240;

/// Most bytes of all stills together: with all else a page stays below five megabytes ...
pub const FILM_BYTES: usize = 2_600_000;

/// ... and of each: more detail than this is not seen in it.
pub const STILL_BYTES: usize = 24_000;

/// Triangles that are drawn for all stills together, about: some seconds.
pub const FILM_TRIANGLES: usize = 40_000_000;

/// Part of a view for each dot of a cloud's points (units squared): at most 2516 dots in the large view of a
/// picture, and 481 in each other (11 bytes each).
pub const DOT_AREA: usize = 530;

/// Points of clouds that are looked at for a view: of more, every second, third and so on.
pub const PICTURE_POINTS: usize = 1 << 20;

/// Shapes in a picture: those beyond are the farthest from the points and left out, as those are beyond half
/// of [`PICTURE_TRIANGLES`]. So many cells of an OctoMap are a quarter of a million triangles.
pub const PICTURE_SHAPES: usize = 20_000;

/// Triangles in a picture (72 bytes each while it is drawn): of more, meshes are drawn as their hulls.
pub const PICTURE_TRIANGLES: usize = 1_000_000;

/// Longest record of interrupted proofs that is read (bytes): a million pairs.
pub const PROGRESS_BYTES: u64 = 1 << 28;

/// Columns for the name of a body in a list of pairs.
pub const NAME_COLUMNS: usize = 60;

/// Kinds of joint faults listed before the rest is only counted.
pub const JOINT_FAULTS: usize = 50;

/// Warnings shown before the rest is only counted.
pub const WARNINGS: usize = 20;

/// Longest line of cases (bytes); the reader of cases refuses more.
pub const LINE_BYTES: usize = elbowroom_files::limits::TREE_BYTES;

/// Longest line of a record (bytes): a line of bytes is written as numbers, of four characters each.
pub const RECORD_LINE: u64 = 8 * elbowroom_files::states::LINE_BYTES as u64;

/// Most vertices of overlapping polytopes for which the reference, which tries all triples, is asked.
pub const REFERENCE_VERTICES: usize = 400;

/// Most pairs of triangles for which the reference, which tries them all, is asked.
pub const REFERENCE_TRIANGLE_PAIRS: usize = 4_000_000;

/// Poses between two random ones in the bench's coherent motion: a hundredth of the way each.
pub const COHERENT_STEPS: usize = 100;

/// Poses handed over together in a batch.
pub const BATCH: usize = 64;

/// Of more fixed bodies than this, `pairs` lists how many have which status instead of each pair: two
/// thousand rows.
pub const FIXED_LISTED: usize = 64;

/// Fixed bodies of one status that are named all the same.
pub const FIXED_NAMED: usize = 8;

/// Files `NAME.incomplete` that interrupted runs may leave beside an output before it is refused.
pub const INCOMPLETE: usize = 100;

/// Pairs named in a note before the rest is only hinted at.
pub const PAIRS_NAMED: usize = 6;

/// Refused changes told before the rest is only counted.
pub const CHANGE_FAULTS: usize = 50;

/// Changes told by name, and bodies said to be carried or hidden, before the rest is only counted.
pub const CHANGES_NAMED: usize = 8;

/// Tolerances of joints that are named in a sentence.
pub const TOLERANCES_NAMED: usize = 12;

/// Poses after events that a plot shows.
pub const CHANGED_DRAWN: usize = 100;

/// Joints whose ways between samples are refused that are named before the rest is only counted.
pub const WAY_FAULTS: usize = 50;

/// The least clearance between samples is bracketed to this share of itself ...
pub const LEAST_SHARE: f64 = 0.01;

/// ... or this (metres): less is no engineer's length between moving bodies.
pub const LEAST_LENGTH: f64 = 1e-6;

/// Joints and states named in a message before the rest is only counted.
pub const NAMES_SHOWN: usize = 60;

/// A joint to which the limits of mimic joints leave less than this part of its own range is told of: half,
/// so that rounding in a file is not.
pub const MIMICS_LEAVE: f64 = 0.5;

/// A cloud of which no point is within this of a robot's base is asked about, since its points may be
/// millimetres (m): no obstacle so far away concerns an arm, and in millimetres it is a hand's breadth.
pub const CLOUD_NEAR: f64 = 100.0;

/// So is one that a sensor sees if it has a point beyond this (m): sensors of machines see 500 m at most. In
/// millimetres it is a metre, which nearly every cloud of a cell has.
pub const SENSOR_FAR: f64 = 1000.0;

/// A cloud from a file is asked about if it has a point beyond this (m): it may be a map of a site.
pub const MAP_FAR: f64 = 10_000.0;

/// A recorded stop from a greater speed is asked about, since its log may be in degrees (rad/s, m/s): the
/// fastest joints of small arms turn at 45 rad/s, and none slides so fast.
pub const STOP_SPEED: f64 = 50.0;

/// So is one of a longer way (rad, m): a turn. The fastest joints stop within half of one, and gantries
/// within two metres.
pub const STOP_WAY: f64 = std::f64::consts::TAU;

/// Radians. A continuous joint that goes farther is asked about, since its values may be degrees: two turns.
pub const TURNS_EXPECTED: f64 = 4.0 * std::f64::consts::PI;

/// An angle farther beyond its limits than this is asked about, since it may be in degrees (rad). It is one
/// turn: angles in radians may have another zero, by a turn and hardly by more.
pub const ANGLE_EXCESS: f64 = std::f64::consts::TAU;

/// Velocities of a joint that differ by more than this from one way to the next jump (rad/s, m/s): a
/// thousandth, which numbers of six digits in a file leave of any velocity of an arm.
pub const VELOCITY_JUMP: f64 = 1e-3;

/// Digits of a rate and its limit, if they show which is larger.
pub const RATE_DIGITS: usize = 4;

/// A joint value that gets farther beyond both of its samples than this is told of (rad, m): half a degree,
/// or a centimetre. Splines from rest to rest, and those through dense samples, stay below it.
pub const SWING_LEAST: f64 = 0.01;

/// A pair whose clearance changes by no more than this over a motion (metres) never changes: no plot shows
/// it.
pub const STILL: f64 = 1e-6;

/// Poses with each joint at its ends or in its middle that an audit asks of a pair: all of six joints.
pub const AUDIT_GRID: u32 = 729;

/// Poses that an audit's descent may ask of a pair: of six joints, and twelve halvings, three rounds each.
pub const AUDIT_DESCENT: u64 = 400;

/// The shortest step of that descent, as a part of a joint's range: a milliradian of a turn.
pub const AUDIT_STEP: f64 = 1.0 / 8192.0;

/// Digits behind the point that the joint values of an overlap are rounded to, if that leaves an overlap.
pub const AUDIT_DIGITS: [i32; 3] = [2, 3, 5];

/// Boxes of joint values that an audit asks for one pair: a tenth of those of a proof. Poses have shown most
/// of what is not proved by then.
pub const AUDIT_BOXES: u64 = 20_000;

/// Largest tolerance within which contact counts as near (metres): what gives way by more is no contact of
/// rigid bodies.
pub const TOUCH_MOST: f64 = 1e-3;

/// Below this, the x axis of a frame is vertical but for the rounding of a rotation's numbers, and roll and
/// yaw are one angle: the square root of the rounding of 1.
pub const LEVEL: f64 = 1e-8;

/// Least distance of a part from all that it may touch, where it is attached, of which a note is made
/// (metres): a hand's breadth. What a hand holds touches it.
pub const CARRIED_FAR: f64 = 0.1;

/// Marks of what happens between samples on a page: more of them would hide the curve.
pub const WAY_MARKS: usize = 200;

/// Times in which a pair is allowed to touch that are hatched on a plot.
pub const HATCHES: usize = 20;

/// Bodies that overlap by no more than this are said to touch, with what to do about it (metres): as deep as
/// joint values of six digits put a part into what it lies on.
pub const TOUCH_DEPTH: f64 = 1e-6;

/// A part that stands deeper than this in its carrier is warned of (metres): a finger's soft pad gives way by
/// less, and what only touches is no fault.
pub const CARRIER_DEPTH: f64 = 1e-3;

/// What overlaps by no more than this is told as touching (metres): rounding.
pub const HELD_TOUCH: f64 = 1e-6;

/// Bodies that a warning about a carried part names.
pub const HELD_NAMED: usize = 4;

/// Most bytes of contacts that are read from standard input: the most that are read of a file in contacts, of
/// a robot of a hundred joints.
pub const CONTACT_BYTES: u64 = 64 << 20;

/// Shares of a contact below this are not named to people (hundredths): twenty of them at most are.
pub const CONTACT_SHARE: f64 = 5.0;

/// Parts of a loose direction that are not named to people: those below this share of the largest.
pub const LOOSE_PART: f64 = 0.05;
