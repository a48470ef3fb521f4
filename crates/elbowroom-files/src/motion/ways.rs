//! How a motion goes from one row to the next: straight, or as the spline that a controller makes of
//! velocities and accelerations, or as polynomials that the file gives.
//!
//! The rules are those of ROS 2's `joint_trajectory_controller` (`trajectory.cpp`): between two points that
//! both have velocities and accelerations a quintic, between two that both have velocities a cubic, and else
//! a straight line.

/// How a motion goes between its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum MotionWays {
    /// Straight in all joint values.
    #[default]
    Straight,
    /// As the velocities and accelerations of its rows say, one for each row.
    Rates(Vec<RowRates>),
    /// By polynomials: of each way, from the first row to the second on, six coefficients for each value, by
    /// power of the seconds since the way began ([`SplinePiece::new`](elbowroom::motion::SplinePiece::new)).
    Polynomials(Vec<Vec<[f64; 6]>>),
}

impl MotionWays {
    /// The largest speed of a value at the end of the last way, which took so long (seconds).
    pub(super) fn end_speed(&self, seconds: f64) -> f64 {
        let largest = |speeds: &mut dyn Iterator<Item = f64>| speeds.map(f64::abs).fold(0.0, f64::max);
        match self {
            MotionWays::Straight => 0.0,
            MotionWays::Rates(rates) => {
                rates.last().map_or(0.0, |own| largest(&mut own.velocities.iter().copied()))
            }
            MotionWays::Polynomials(pieces) => {
                let speed =
                    |c: &[f64; 6]| (1..6).rev().fold(0.0, |sum, k| sum * seconds + f64::from(k as u8) * c[k]);
                pieces.last().map_or(0.0, |last| largest(&mut last.iter().map(speed)))
            }
        }
    }
}

/// How fast the values of a row change, in the model's order; empty where nothing is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowRates {
    /// In a second (rad/s, m/s). NaN for a joint with transforms, which has none and goes straight.
    pub velocities: Vec<f64>,
    /// In the square of a second.
    pub accelerations: Vec<f64>,
}
