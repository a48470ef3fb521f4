//! A simulated hand under the guard (haase10, section IV): positions every 33 ms, late, from coarse encoders;
//! commands that act late; a brake whose way is linear in the speed. Do the fingers rest before they touch?
//!
//! The hand closes at random from where the guard lets it begin, until the guard stops it or it would touch.
//! The guard is the one of arms, told the paper's numbers: the encoder (360 / 1024 degrees), the delay (30
//! ms), the emergency stop (Fig. 12). The paper's other stop, the stop command, turns back to where the
//! command came and overshoots (Figs. 9 and 10). The guard cannot be told of a brake that turns back, so
//! nobody may rely on it: the same closings are run with it, and the joints that leave the guard's interval
//! are counted.

use super::controller::{ACCELERATION, DELAY, ENCODER, FASTEST, PERIOD, SLOPE, TICK, VELOCITY_ERROR};
use super::drive::Drive;
use super::hand::hand_error;
use super::joint::{SimulatedJoint, StopCourse, StopKind};
use crate::error::LabError;
use elbowroom::math::Random;
use elbowroom::world::RobotId;
use elbowroom::{Checker, Question, World};
use elbowroom_monitor::guard::{
    Action, ArmDescription, Guard, GuardDescription, JointDescription, Limit, State,
};
use elbowroom_monitor::stopping::{Brake, JointState, Profile, Range, Stopping};

/// How long a hand closes at most (s).
const LONGEST: f64 = 3.0;
/// Ticks after which all joints rest: 0.3 s.
const RESTS_AFTER: usize = 300;

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

/// A stop that was told.
#[derive(Debug)]
struct ToldStop {
    /// The tick at which it acts.
    acts: usize,
    /// The positions that the guard proved clear, by joint.
    sets: Vec<Range>,
    /// Where the joints were (rad).
    places: Vec<f64>,
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

/// The finger joints at a random clear start, each with a velocity that is asked for; `None` if none is
/// found.
fn draw_start(world: &World, checker: &mut Checker, random: &mut Random) -> Option<Vec<SimulatedJoint>> {
    let ranges: Vec<[f64; 2]> = world.value_ranges().iter().map(|l| [l.lower, l.upper]).collect();
    (0..50).find_map(|_| {
        let q: Vec<f64> = ranges.iter().map(|[low, high]| random.range(*low, *high)).collect();
        checker.set(&q).ok()?;
        (checker.ask(&Question::distance()).interval.lower > 0.0).then(|| {
            let joint = |(q, limits): (&f64, &[f64; 2])| {
                SimulatedJoint::at_rest(*q, *limits, Drive::Velocity(random.range(-FASTEST, FASTEST)))
            };
            q.iter().zip(&ranges).map(joint).collect()
        })
    })
}

fn is_touching(checker: &mut Checker, joints: &[SimulatedJoint]) -> bool {
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
        free.iter_mut().for_each(SimulatedJoint::advance);
        if tick % 5 == 0 && is_touching(checker, &free) {
            closing.colliding = true;
            break;
        }
    }
    let mut guard = Guard::new(world, description).map_err(|faults| hand_error(&faults.to_string()))?;
    let mut joints = start;
    let courses: Vec<StopCourse> = joints.iter().map(|_| StopCourse::draw_course(kind, random)).collect();
    let mut left = vec![false; joints.len()];
    let mut told: Option<ToldStop> = None;
    let mut due = 0.0;
    for tick in 0..ticks {
        let t = tick as f64 * TICK;
        if t >= due && told.is_none() {
            due += PERIOD;
            let q: Vec<f64> = joints.iter().map(SimulatedJoint::encoder_position).collect();
            let v: Vec<f64> =
                joints.iter().map(|joint| joint.v + VELOCITY_ERROR * random.range(-1.0, 1.0)).collect();
            let command = guard.step(&State { velocities: Some(&v), ..State::new(t, &q) });
            if command.action == Action::Stop {
                // A hand that may not begin rests.
                if tick == 0 {
                    return Ok(None);
                }
                closing.stopped = true;
                let acts = tick + (random.range(0.0, DELAY) / TICK) as usize;
                let passed = |((q, v), d): ((&f64, &f64), &JointDescription)| {
                    d.stopping.passed_positions(&JointState {
                        position: Range::about(*q, d.position_error),
                        velocity: Range::about(*v, d.velocity_error),
                    })
                };
                let sets = q.iter().zip(&v).zip(&description.arms[0].joints).map(passed).collect();
                told = Some(ToldStop { acts, sets, places: joints.iter().map(|joint| joint.q).collect() });
            }
        }
        if let Some(told) = told.as_ref().filter(|told| told.acts == tick) {
            for ((joint, course), place) in joints.iter_mut().zip(&courses).zip(&told.places) {
                joint.stop(*course, *place);
            }
        }
        joints.iter_mut().for_each(SimulatedJoint::advance);
        if let Some(told) = &told {
            for ((joint, set), has_left) in joints.iter().zip(&told.sets).zip(&mut left) {
                *has_left |= joint.is_braked() && !set.contains(joint.q);
            }
        }
        if tick % 5 == 0 && is_touching(checker, &joints) {
            closing.touched = true;
            break;
        }
        if told.as_ref().is_some_and(|told| tick > told.acts + RESTS_AFTER) {
            break;
        }
    }
    closing.joints = joints.iter().filter(|joint| joint.is_braked()).count();
    closing.left = left.iter().filter(|has_left| **has_left).count();
    let q: Vec<f64> = joints.iter().map(|joint| joint.q).collect();
    if checker.set(&q).is_ok() {
        closing.at_rest = checker.ask(&Question::distance()).interval.lower;
    }
    Ok(Some(closing))
}
