//! What is remembered of a body whose speed is limited.

/// What is remembered of a body with a limit.
#[derive(Clone, Copy, Debug)]
pub(super) struct LimitPace {
    /// How fast it was measured to be at most (m/s).
    pub speed: f64,
    /// When the arms were told to be slower because of it (s).
    pub slowed: f64,
}

impl Default for LimitPace {
    fn default() -> LimitPace {
        LimitPace { speed: 0.0, slowed: f64::NEG_INFINITY }
    }
}
