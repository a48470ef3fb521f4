//! How fast a joint may go.

/// How fast a joint may go, in each direction; `None` where there is no limit. Joints that turn are measured
/// in radians, those that slide in metres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct JointRates {
    /// rad/s or m/s.
    pub velocity: Option<f64>,
    /// rad/s^2 or m/s^2.
    pub acceleration: Option<f64>,
    /// rad/s^3 or m/s^3.
    pub jerk: Option<f64>,
}

impl JointRates {
    /// In the order of derivatives: the first is the velocity.
    pub fn to_array(self) -> [Option<f64>; 3] {
        [self.velocity, self.acceleration, self.jerk]
    }
}

impl From<[Option<f64>; 3]> for JointRates {
    fn from([velocity, acceleration, jerk]: [Option<f64>; 3]) -> JointRates {
        JointRates { velocity, acceleration, jerk }
    }
}
