//! How much may be asked for. Each bound keeps memory and time in proportion to something real.

/// Most faults listed; a person reads no more.
pub const FAULTS: usize = 100;

/// Longest text of templates (bytes). A body takes about 100: ten thousand bodies. Reading takes up to 100
/// bytes a byte.
pub const TEMPLATE_BYTES: usize = 1 << 20;

/// How deep lists lie in lists: a body, its parts, a part, its role, a dimension. A template has no more.
pub const TEMPLATE_DEPTH: usize = 5;

/// Longest name in a template (bytes).
pub const NAME_BYTES: usize = 256;

/// Most characters of a word that a message repeats.
pub const QUOTED: usize = 40;

/// Farthest coordinate of a template (metres): a thousand kilometres. Doubles there are a tenth of a
/// nanometre apart.
pub const METRES: f64 = 1e6;

/// Most rows of a table of stopping angles: makers publish a dozen.
pub const ROWS: usize = 10_000;

/// Greatest speed and angle of a recorded stop (rad/s and rad, m/s and m): what no joint reaches, and whose
/// squares are far from overflow.
pub const RECORDED: f64 = 1e6;

/// Least of the longest time between two states of an arm, in periods. The steps of a clock that counts
/// seconds from 1970 round to a quarter of a microsecond, which is less than a hundredth of a period from 24
/// us on; that a controller is as punctual is rare.
pub const LATE_ROOM: f64 = 1.01;

/// By which part of the time the clock of the states may run faster or slower, where nothing else is told.
/// The quartz of a controller is wrong by a ten-thousandth at most. A clock that is a hundredth too slow
/// makes each period as much longer as [`LATE_ROOM`] grants.
pub const CLOCK_DRIFT: f64 = 0.01;

/// The greatest such part: then the clock of the states may be any, as that of a simulation.
pub const CLOCK_ANY: f64 = 1e6;
