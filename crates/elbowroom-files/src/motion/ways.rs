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

/// How fast the values of a row change, in the model's order; empty where nothing is given.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct RowRates {
    /// In a second (rad/s, m/s).
    pub velocities: Vec<f64>,
    /// In the square of a second.
    pub accelerations: Vec<f64>,
}
