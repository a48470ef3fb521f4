//! The simulated hand's controller in numbers: its pace, its delays, its encoders and how its joints move.
//!
//! Pace, delay, speed and encoder are the paper's (section IV). Acceleration and brake are ours.

/// Time between two positions (s): 30 Hz.
pub const PERIOD: f64 = 1.0 / 30.0;
/// The longest time until a position is told, and until a command acts (s).
pub const DELAY: f64 = 0.03;
/// Greatest speed of a joint (rad/s): 100 degrees per second.
pub const FASTEST: f64 = 100.0 * core::f64::consts::PI / 180.0;
/// Greatest acceleration of a joint that is driven (rad/s^2): to the greatest speed in a tenth of a second.
pub const ACCELERATION: f64 = 10.0 * FASTEST;
/// A step of the encoder (rad).
pub const ENCODER: f64 = core::f64::consts::TAU / 1024.0;
/// How far a velocity may be from what is told (rad/s).
pub const VELOCITY_ERROR: f64 = 0.01;
/// Stopping angle for each unit of speed (s), at least and at most.
pub const SLOPE: [f64; 2] = [0.018, 0.022];
/// A step of the simulation (s).
pub const TICK: f64 = 1e-3;
