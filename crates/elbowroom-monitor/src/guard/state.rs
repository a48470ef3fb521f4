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
    /// Velocities with which the controller would go on if nothing slowed it (rad/s, m/s). The guard proves
    /// nothing with them: it knows from them where the arms would go, and how much they must be slowed.
    /// Without them it takes that from what the arms did.
    pub asked: Option<&'a [f64]>,
    /// Efforts (N m, N).
    pub efforts: Option<&'a [f64]>,
    /// Currents of the motors (A).
    pub currents: Option<&'a [f64]>,
    /// Forces on the hands (N, >= 0): of each arm of the state.
    pub forces: Option<&'a [f64]>,
}

impl<'a> State<'a> {
    /// Positions of all arms at a time (s), and nothing else.
    pub fn new(t: f64, positions: &'a [f64]) -> State<'a> {
        State {
            t,
            arm: None,
            positions,
            velocities: None,
            asked: None,
            efforts: None,
            currents: None,
            forces: None,
        }
    }
}
