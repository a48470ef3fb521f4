//! What the joints of an arm, or of all arms, report.

/// A state: what was measured at one time. Values are in the world's order: those of one robot, or of all.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State<'a> {
    /// When it was measured (s), on a clock that never runs back.
    pub t: f64,
    /// The arm, by its number in [`GuardDescription::arms`](super::GuardDescription::arms); `None` for all.
    pub arm: Option<usize>,
    /// Positions (rad, m).
    pub positions: &'a [f64],
    /// Velocities (rad/s, m/s). Without them they are taken from differences.
    pub velocities: Option<&'a [f64]>,
    /// Efforts (N m, N).
    pub efforts: Option<&'a [f64]>,
    /// Currents of the motors (A).
    pub currents: Option<&'a [f64]>,
    /// Forces on the hands (N, >= 0): of each arm of the state.
    pub forces: Option<&'a [f64]>,
}
