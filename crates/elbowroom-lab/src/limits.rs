//! The deciding numbers of the experiments, with unit and reason.

/// Steps after which a search of the paper's method is given up. It has no limit of its own; on hulls of 2600
/// vertices it ends in at most about thirty, unless it runs in a circle.
pub const RGJK_STEPS: u32 = 100;
/// A distance of the paper's method counts as wrong if it leaves the proved interval by more than this part of one
/// metre: far above rounding, far below a tenth of a millimetre.
pub const WRONG_DISTANCE: f64 = 1e-6;
/// Random poses of the paper's experiment.
pub const POSES: usize = 20_000;
/// Poses before the clock is read.
pub const WARM_UP: usize = 50;
/// Simplices of each kind in the table of sub-distances.
pub const SIMPLICES: usize = 300;
/// Columns of the figure.
pub const COLUMNS: usize = 60;
/// A corner nearer by less than this (metres, along the vector) is no progress: a thousand roundings of a robot's size,
/// and far below anything that is measured here.
pub const PROGRESS: f64 = 1e-12;
