//! A simulated hand under the guard (haase10, section IV): positions every 33 ms, late, from coarse encoders;
//! commands that act late; a brake whose way is linear in the speed. Do the fingers rest before they touch?
//!
//! The hand closes at random from where the guard lets it begin, until the guard stops it or it would touch.
//! The guard is the one of arms, told the paper's numbers: the encoder (360 / 1024 degrees), the delay (30
//! ms), the emergency stop (Fig. 12). The paper's other stop, the stop command, turns back to where the
//! command came and overshoots (Figs. 9 and 10). The guard cannot be told of a brake that turns back, so
//! nobody may rely on it: the same closings are run with it, and the joints that leave the guard's interval
//! are counted.

use super::hand::hand_error;
use crate::error::LabError;
use elbowroom::math::Random;
use elbowroom::world::RobotId;
use elbowroom::{Checker, Question, World};
use elbowroom_monitor::guard::{
    Action, ArmDescription, Guard, GuardDescription, JointDescription, Limit, State,
};
use elbowroom_monitor::stopping::{Brake, JointState, Profile, Range, Stopping};

/// Time between two states (s): 30 Hz.
const PERIOD: f64 = 1.0 / 30.0;
/// The longest time until a command acts (s).
const DELAY: f64 = 0.03;
/// Greatest speed of a joint (rad/s): 100 degrees per second.
const FASTEST: f64 = 100.0 * core::f64::consts::PI / 180.0;
/// Greatest acceleration of a joint (rad/s^2): to the greatest speed in a tenth of a second.
const ACCELERATION: f64 = 10.0 * FASTEST;
/// A step of the encoder (rad).
const ENCODER: f64 = core::f64::consts::TAU / 1024.0;
/// How far a velocity may be from what is reported (rad/s).
const VELOCITY_ERROR: f64 = 0.01;
/// Stopping angle for each unit of speed (s), at least and at most.
const SLOPE: [f64; 2] = [0.01, 0.02];
/// A step of the simulation (s).
const TICK: f64 = 1e-3;
/// How long a hand closes at most (s).
const LONGEST: f64 = 3.0;
/// How far a joint that turns back goes beyond where the command came, in parts of its speed (s): with Fig.
/// 9's overshoot of a few degrees at 100 degrees per second.
const OVERSHOOT: f64 = 0.04;

/// How a joint stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopKind {
    /// The joints are no longer controlled, and overrun (Figs. 11 and 12).
    Emergency,
    /// They are driven back to where the command came, and overshoot (Figs. 9 and 10).
    Command,
}

/// What became of closings.
#[derive(Clone, Copy, Debug, Default)]
pub struct Closings {
    /// How many.
    pub count: usize,
    /// Those that would touch if nobody stopped them.
    pub colliding: usize,
    /// Those in which fingers touched under the guard.
    pub touched: usize,
    /// Those that the guard stopped.
    pub stopped: usize,
    /// Joints that left the interval of positions that the guard's model gives them, of all that stopped.
    pub left: usize,
    /// Joints that stopped while they moved.
    pub joints: usize,
    /// The least clearance at rest (metres).
    pub nearest: f64,
}

/// What the guard is told of a joint between two limits (rad).
fn describe_joint(position: [f64; 2]) -> Result<JointDescription, LabError> {
    let profile =
        Profile::Ramp { acceleration: Range::exactly(ACCELERATION), speed: Range::exactly(FASTEST) };
    let slope = Range { least: SLOPE[0], most: SLOPE[1] };
    let brake = Brake::Linear { slope, offset: Range::exactly(0.0), fastest: 1.05 * FASTEST };
    let stopping = Stopping::new(profile, brake, Range { least: 0.0, most: DELAY });
    Ok(JointDescription {
        // Stops at the ends are the hand's own: fingers may go there.
        position: [position[0] - 1.0, position[1] + 1.0],
        position_error: 0.5 * ENCODER + 1e-6,
        velocity_error: VELOCITY_ERROR,
        velocity: Limit::stop_beyond(1.05 * FASTEST),
        acceleration: Limit::NONE,
        effort: Limit::NONE,
        current: Limit::NONE,
        stopping: stopping.map_err(|faults| hand_error(&faults.to_string()))?,
    })
}

/// A joint of the simulated hand.
#[derive(Clone, Copy, Debug)]
struct FingerJoint {
    q: f64,
    v: f64,
    asked: f64,
    limits: [f64; 2],
    /// Its deceleration once it brakes (rad/s^2), where that began, and how far it overshoots behind there
    /// (rad).
    braking: Option<f64>,
    from: f64,
    back: f64,
    /// Whether it left the positions that the guard's model gives it.
    has_left: bool,
}

impl FingerJoint {
    /// Whether it moved when its brake began to act.
    fn is_braked(&self) -> bool {
        self.braking.is_some_and(|deceleration| deceleration > 0.0)
    }

    /// Goes on for a tick; `stopping` once the command acts.
    fn advance(&mut self, stopping: Option<StopKind>, slope: f64) {
        let before = self.v;
        match stopping {
            None => self.v += (self.asked - self.v).clamp(-ACCELERATION * TICK, ACCELERATION * TICK),
            Some(kind) => {
                let deceleration = *self.braking.get_or_insert_with(|| {
                    (self.from, self.back) = (self.q, OVERSHOOT * self.v);
                    // This deceleration makes the stopping angle `slope v`.
                    if self.v == 0.0 { 0.0 } else { self.v.abs() / (2.0 * slope) }
                });
                let less = (self.v.abs() - deceleration * TICK).max(0.0);
                self.v = if less == 0.0 { 0.0 } else { less.copysign(self.v) };
                if kind == StopKind::Command && self.v == 0.0 && deceleration > 0.0 {
                    // Back to where the command came, and beyond.
                    let goal = self.from - self.back;
                    let way = (goal - self.q).clamp(-FASTEST * TICK, FASTEST * TICK);
                    self.q += way;
                    return;
                }
            }
        }
        self.q += 0.5 * (before + self.v) * TICK;
        // The hand's end stops.
        let [low, high] = self.limits;
        if self.q < low || self.q > high {
            (self.q, self.v) = (self.q.clamp(low, high), 0.0);
        }
    }
}

/// What one closing came to.
#[derive(Clone, Copy, Debug, Default)]
struct Closing {
    colliding: bool,
    touched: bool,
    stopped: bool,
    left: usize,
    joints: usize,
    at_rest: f64,
}

/// Closes a hand at random so often, from seeds `from` on, with the guard and this kind of stop.
///
/// # Errors
/// The guard takes no such hand.
pub fn run_closings(world: &World, kind: StopKind, from: u64, count: usize) -> Result<Closings, LabError> {
    let mut description = GuardDescription::new(world, PERIOD);
    description.clearance = 0.0;
    description.late = 2.0 * PERIOD;
    // The simulation has no second clock.
    description.clock_drift = 1.0;
    let joints: Result<Vec<JointDescription>, LabError> =
        world.value_ranges().iter().map(|l| describe_joint([l.lower, l.upper])).collect();
    description.arms = vec![ArmDescription { robot: RobotId(0), end_effector: vec![], joints: joints? }];
    let mut found = Closings { nearest: f64::INFINITY, ..Closings::default() };
    let mut checker = Checker::new(world);
    for seed in from..from + count as u64 {
        let Some(closing) = close_once(world, &description, &mut checker, kind, seed)? else { continue };
        found.count += 1;
        found.colliding += usize::from(closing.colliding);
        found.touched += usize::from(closing.touched);
        found.stopped += usize::from(closing.stopped);
        found.left += closing.left;
        found.joints += closing.joints;
        if closing.stopped {
            found.nearest = found.nearest.min(closing.at_rest);
        }
    }
    Ok(found)
}

/// The finger joints at a random clear start, and the velocities that are asked for; `None` if none is found.
fn draw_start(world: &World, checker: &mut Checker, random: &mut Random) -> Option<Vec<FingerJoint>> {
    let ranges: Vec<[f64; 2]> = world.value_ranges().iter().map(|l| [l.lower, l.upper]).collect();
    (0..50).find_map(|_| {
        let q: Vec<f64> = ranges.iter().map(|[low, high]| random.range(*low, *high)).collect();
        checker.set(&q).ok()?;
        (checker.ask(&Question::distance()).interval.lower > 0.0).then(|| {
            let joint = |(q, limits): (&f64, &[f64; 2])| {
                let asked = random.range(-FASTEST, FASTEST);
                FingerJoint {
                    q: *q,
                    v: 0.0,
                    asked,
                    limits: *limits,
                    braking: None,
                    from: *q,
                    back: 0.0,
                    has_left: false,
                }
            };
            q.iter().zip(&ranges).map(joint).collect()
        })
    })
}

fn is_touching(checker: &mut Checker, joints: &[FingerJoint]) -> bool {
    let q: Vec<f64> = joints.iter().map(|joint| joint.q).collect();
    checker.set(&q).is_ok() && checker.ask(&Question::distance().margin(0.0)).interval.upper < 0.0
}

fn close_once(
    world: &World,
    description: &GuardDescription,
    checker: &mut Checker,
    kind: StopKind,
    seed: u64,
) -> Result<Option<Closing>, LabError> {
    let random = &mut Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let Some(start) = draw_start(world, checker, random) else { return Ok(None) };
    let ticks = (LONGEST / TICK) as usize;
    let mut closing = Closing::default();
    // If nobody stops it.
    let mut free = start.clone();
    for tick in 0..ticks {
        free.iter_mut().for_each(|joint| joint.advance(None, SLOPE[0]));
        if tick % 5 == 0 && is_touching(checker, &free) {
            closing.colliding = true;
            break;
        }
    }
    let mut guard = Guard::new(world, description).map_err(|faults| hand_error(&faults.to_string()))?;
    let mut joints = start;
    let slopes: Vec<f64> = joints.iter().map(|_| random.range(SLOPE[0], SLOPE[1])).collect();
    let mut acts: Option<f64> = None;
    let (mut due, mut sets): (f64, Option<Vec<Range>>) = (0.0, None);
    for tick in 0..ticks {
        let t = tick as f64 * TICK;
        if t >= due && acts.is_none() {
            due += PERIOD;
            let read = |q: f64| (q / ENCODER).round() * ENCODER;
            let q: Vec<f64> = joints.iter().map(|joint| read(joint.q)).collect();
            let v: Vec<f64> =
                joints.iter().map(|joint| joint.v + VELOCITY_ERROR * random.range(-1.0, 1.0)).collect();
            let command = guard.step(&State { velocities: Some(&v), ..State::new(t, &q) });
            if command.action == Action::Stop {
                // A hand that may not begin rests.
                if tick == 0 {
                    return Ok(None);
                }
                closing.stopped = true;
                acts = Some(t + random.range(0.0, DELAY));
                let passed = |((q, v), d): ((&f64, &f64), &JointDescription)| {
                    d.stopping.passed_positions(&JointState {
                        position: Range::about(*q, d.position_error),
                        velocity: Range::about(*v, d.velocity_error),
                    })
                };
                sets = Some(q.iter().zip(&v).zip(&description.arms[0].joints).map(passed).collect());
            }
        }
        let stopping = acts.filter(|acts| t >= *acts).map(|_| kind);
        for (joint, slope) in joints.iter_mut().zip(&slopes) {
            joint.advance(stopping, *slope);
        }
        if let (Some(sets), Some(_)) = (&sets, stopping) {
            for (joint, set) in joints.iter_mut().zip(sets) {
                joint.has_left |= joint.is_braked() && !set.contains(joint.q);
            }
        }
        if tick % 5 == 0 && is_touching(checker, &joints) {
            closing.touched = true;
            break;
        }
        if acts.is_some_and(|acts| t > acts + 0.3) {
            break;
        }
    }
    closing.joints = joints.iter().filter(|joint| joint.is_braked()).count();
    closing.left = joints.iter().filter(|joint| joint.has_left).count();
    let q: Vec<f64> = joints.iter().map(|joint| joint.q).collect();
    if checker.set(&q).is_ok() {
        closing.at_rest = checker.ask(&Question::distance()).interval.lower;
    }
    Ok(Some(closing))
}
