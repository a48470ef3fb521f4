//! A joint of the simulated hand: driven, late, read by a coarse encoder, and stopped in two ways (haase10,
//! section IV-A).
//!
//! The *emergency stop* ends the control: the joint overruns, by a way that is linear in its speed (Fig. 12).
//! The *stop command* drives the joint back to where the command came. An error of the firmware first raises
//! the velocity. The joint turns back, goes beyond that place, to *u*, and comes to rest elsewhere, at *f*
//! (Fig. 10). The paper has no numbers for this: raise, *u* and *f* are drawn at random, and *u* grows with
//! the square of the speed.

use super::controller::{ACCELERATION, ENCODER, FASTEST, SLOPE, TICK};
use super::drive::Drive;
use elbowroom::math::Random;

/// How long the stop command raises the velocity (s), and by which part at most.
const RAISED_FOR: f64 = 0.02;
const RAISE: f64 = 0.5;
/// How far a joint that turns back from the greatest speed goes beyond where the command came (s), for each
/// unit of that speed, at least and at most: some degrees.
const BEYOND: [f64; 2] = [0.01, 0.04];
/// Acceleration while a joint turns back (rad/s^2).
const TURN: f64 = 4.0 * ACCELERATION;

/// How a joint stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopKind {
    /// The joints are no longer controlled, and overrun (Figs. 11 and 12).
    Emergency,
    /// They are driven back to where the command came, and overshoot (Figs. 9 and 10).
    Command,
}

/// One stop of one joint: what is not known of it before.
#[derive(Clone, Copy, Debug)]
pub struct StopCourse {
    kind: StopKind,
    /// Emergency stop: the stopping angle for each unit of speed (s).
    slope: f64,
    /// Stop command: the part by which it raises the velocity; how far it goes beyond (s); where between
    /// there and the command's place it rests, as a part.
    raise: f64,
    beyond: f64,
    rest: f64,
}

impl StopCourse {
    /// A stop at random.
    pub fn draw_course(kind: StopKind, random: &mut Random) -> StopCourse {
        StopCourse {
            kind,
            slope: random.range(SLOPE[0], SLOPE[1]),
            raise: random.range(0.0, RAISE),
            beyond: random.range(BEYOND[0], BEYOND[1]),
            rest: random.range(0.0, 1.0),
        }
    }
}

/// A stop that acts on a joint.
#[derive(Clone, Copy, Debug)]
struct Acting {
    course: StopCourse,
    /// Velocity when it began (rad/s), and the time since (s).
    velocity: f64,
    since: f64,
    /// Where the stop command drives to: *u*, then *f* (rad), and how many of them were reached.
    goals: [f64; 2],
    reached: usize,
}

/// A joint of the simulated hand.
#[derive(Clone, Copy, Debug)]
pub struct SimulatedJoint {
    /// Position (rad).
    pub q: f64,
    /// Velocity (rad/s).
    pub v: f64,
    drive: Drive,
    /// Time since the movement began (s).
    t: f64,
    limits: [f64; 2],
    acting: Option<Acting>,
}

impl SimulatedJoint {
    /// A joint at rest between the hand's end stops (rad).
    pub fn at_rest(q: f64, limits: [f64; 2], drive: Drive) -> SimulatedJoint {
        SimulatedJoint { q, v: 0.0, drive, t: 0.0, limits, acting: None }
    }

    /// Whether it moved when a stop began to act.
    pub fn is_braked(&self) -> bool {
        self.acting.is_some_and(|acting| acting.velocity != 0.0)
    }

    /// What the encoder says (rad).
    pub fn encoder_position(&self) -> f64 {
        (self.q / ENCODER).round() * ENCODER
    }

    /// Lets a stop act from now on; `from` is where the joint was when its command came (rad).
    pub fn stop(&mut self, course: StopCourse, from: f64) {
        let beyond = course.beyond * self.v * self.v.abs() / FASTEST;
        let goals = [from - beyond, from - course.rest * beyond];
        self.acting = Some(Acting { course, velocity: self.v, since: 0.0, goals, reached: 0 });
    }

    /// Goes on for a tick.
    pub fn advance(&mut self) {
        let (before, mut lasts) = (self.v, TICK);
        match &mut self.acting {
            None => {
                let asked = self.drive.velocity_at(self.t + TICK);
                self.v += (asked - self.v).clamp(-ACCELERATION * TICK, ACCELERATION * TICK);
            }
            Some(acting) if acting.course.kind == StopKind::Emergency => {
                // This deceleration makes the stopping angle `slope v`.
                let less = acting.velocity.abs() / (2.0 * acting.course.slope) * TICK;
                // The last tick ends where it rests.
                lasts = if less > before.abs() { TICK * before.abs() / less } else { TICK };
                self.v = self.v.signum() * (self.v.abs() - less).max(0.0);
            }
            Some(acting) if acting.velocity == 0.0 => {}
            Some(acting) => {
                acting.since += TICK;
                self.v = match acting.goals.get(acting.reached) {
                    None => 0.0,
                    _ if acting.since <= RAISED_FOR => {
                        let raised = acting.velocity * (1.0 + acting.course.raise);
                        self.v + (raised - self.v).clamp(-TURN * TICK, TURN * TICK)
                    }
                    Some(goal) => {
                        let way = goal - self.q;
                        if way.abs() <= TURN * TICK * TICK && self.v.abs() <= 2.0 * TURN * TICK {
                            acting.reached += 1;
                        }
                        // As fast as still rests there.
                        let asked = way.signum() * (2.0 * TURN * way.abs()).sqrt().min(FASTEST);
                        self.v + (asked - self.v).clamp(-TURN * TICK, TURN * TICK)
                    }
                };
            }
        }
        self.t += TICK;
        self.q += 0.5 * (before + self.v) * lasts;
        // The hand's end stops.
        let [low, high] = self.limits;
        if self.q < low || self.q > high {
            (self.q, self.v) = (self.q.clamp(low, high), 0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stop_at(speed: f64, kind: StopKind, random: &mut Random) -> (f64, SimulatedJoint) {
        let mut joint = SimulatedJoint::at_rest(0.0, [-9.0, 9.0], Drive::Velocity(speed));
        (0..300).for_each(|_| joint.advance());
        assert!((joint.v - speed).abs() < 1e-12);
        let from = joint.q;
        joint.stop(StopCourse::draw_course(kind, random), from);
        (0..600).for_each(|_| joint.advance());
        (from, joint)
    }

    #[test]
    fn the_emergency_stop_overruns_by_a_way_that_is_linear_in_the_speed() {
        let random = &mut Random(1);
        for speed in [-FASTEST, -0.5, 0.1, FASTEST] {
            let (from, joint) = stop_at(speed, StopKind::Emergency, random);
            let way = (joint.q - from) / speed;
            assert!(joint.v == 0.0 && (SLOPE[0] - TICK..SLOPE[1] + TICK).contains(&way), "{speed}: {way}");
        }
    }

    #[test]
    fn the_stop_command_rests_behind_where_the_command_came() {
        let random = &mut Random(2);
        for speed in [-FASTEST, -0.5, 0.5, FASTEST] {
            let (from, joint) = stop_at(speed, StopKind::Command, random);
            let behind = (from - joint.q) * speed.signum();
            let most = BEYOND[1] * speed * speed / FASTEST;
            assert!(joint.v == 0.0 && (-1e-3..most + 1e-3).contains(&behind), "{speed}: {behind}");
        }
    }
}
