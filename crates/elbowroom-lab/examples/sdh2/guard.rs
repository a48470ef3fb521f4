//! The settings of a monitor for the hand, and two motions as the states that it reads.
//!
//! Pace, delay, speed and encoder are the paper's (section IV); the brake is that of the simulated hand,
//! whose emergency stop is linear in the speed (Fig. 12). The ramp of the controller is ours: a hand can be
//! set to it, and the guard has to know it.

use super::grasp::{Vias, samples};
use elbowroom_lab::haase10::controller::{DELAY, ENCODER, FASTEST, PERIOD, SLOPE, VELOCITY_ERROR};
use std::f64::consts::PI;
use std::fmt::Write as _;

/// Between any two fingers and the palm (metres). The limbs are 2.7 mm over the palm at all poses, so this is
/// below that; it is the world's margin.
const CLEARANCE: f64 = 0.001;
/// Periods until the guard notices that a state is missing: one may be lost, and the next may come half a
/// period late.
const LATE: f64 = 2.5;
/// How late a position is told and a stop acts, together (s): each has the delay of the simulated hand.
const LATENCY: f64 = 2.0 * DELAY;
/// Ramps of the controller (rad/s^2): 100 degrees per second in a second.
const RAMP: f64 = FASTEST;
/// How far a measured velocity may be above the greatest speed, as a part.
const ROOM: f64 = 1.05;

/// A number rounded up to four decimals: the guard must not be given a smaller error than there is.
fn round_up(x: f64) -> f64 {
    (x * 1e4).ceil() / 1e4
}

/// The table `[guard]`.
pub fn guard_table() -> String {
    let ([least, most], braking) = (SLOPE, (ROOM * FASTEST / (2.0 * SLOPE[0])).ceil());
    format!(
        "\
# How the hand stops, for `elbowroom monitor`: by its emergency stop. README.md says where the numbers are
# from. They are those of a simulated hand: put your own in.
[guard]
period = {period:.6}             # 30 Hz (s)
late = {late:.6}               # two and a half periods (s)
clearance = {CLEARANCE}             # less than the 2.7 mm between limbs and palm (m)

[guard.joints]
position_error = {position_error}       # half a step of the encoder, of 360/1024 degrees (rad)
velocity_error = {VELOCITY_ERROR}         # rad/s
velocity = {fastest}             # 100 degrees/s, and 5 % for what is measured (rad/s)
acceleration = {braking}             # braking included, from 105 degrees/s (rad/s^2)
latency = [0, {LATENCY}]           # until a position is told, and until a stop acts (s)
profile = {{ type = \"ramp\", acceleration = {ramp}, speed = {speed} }}  # 100 degrees/s^2, 100 degrees/s
brake = {{ type = \"linear\", slope = [{least}, {most}], offset = 0, fastest = {fastest} }}
",
        period = PERIOD,
        late = LATE * PERIOD,
        position_error = round_up(0.5 * ENCODER),
        fastest = round_up(ROOM * FASTEST),
        ramp = round_up(RAMP),
        speed = round_up(FASTEST),
    )
}

/// A motion as the states of a hand, a line each, at the guard's pace.
pub fn states_file(vias: Vias) -> String {
    let mut text = String::new();
    for (k, (q, qd)) in samples(vias).iter().zip(velocities(vias)).enumerate() {
        let list = |values: &[f64; 7]| values.map(|x| format!("{:.6}", x + 0.0)).join(", ");
        let t = PERIOD * k as f64;
        let _ = writeln!(text, "{{\"t\": {t:.6}, \"q\": [{}], \"qd\": [{}]}}", list(q), list(&qd));
    }
    text
}

/// The velocities at the samples of a motion (rad/s), if one is a period after the other.
fn velocities(vias: Vias) -> Vec<[f64; 7]> {
    let mut rows = Vec::new();
    for pair in vias.windows(2) {
        let [(from, n), (to, _)] = pair else { continue };
        let duration = PERIOD * *n as f64;
        for k in 0..*n {
            let (sin, _) = elbowroom::math::sin_cos(PI * k as f64 / *n as f64);
            let part = 0.5 * PI / duration * sin;
            rows.push(std::array::from_fn(|j| (part * (to[j] - from[j])).to_radians()));
        }
    }
    rows.push([0.0; 7]);
    rows
}
