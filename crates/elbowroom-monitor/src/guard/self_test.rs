//! Known answers, asked before a guard is trusted: a wrong build, a broken processor or a damaged file shows
//! here and not in the cell.

use super::command::{Action, Command, ReasonKind};
use super::description::{ArmDescription, GuardDescription, JointDescription};
use super::event::Event;
use super::limit::Limit;
use super::state::State;
use super::steps::Guard;
use super::twin::agreed_command;
use crate::stopping::{Brake, Profile, Range, Stopping};
use elbowroom::World;
use elbowroom::describe::JointLimits;
use elbowroom::describe::examples::rod_and_post;
use elbowroom::world::RobotId;

/// A ball at the end of a rod of 1 m, which turns about z by up to 3 rad either way, and a ball at (0, 1, 0).
fn example_world() -> Option<World> {
    let mut description = rod_and_post();
    description.margin = 0.0;
    let joints = description.robots.iter_mut().flat_map(|placed| &mut placed.robot.joints);
    joints.for_each(|joint| joint.limits = Some(JointLimits { lower: -3.0, upper: 3.0 }));
    World::compile(&description).ok()
}

/// A guard of it that is told states each 0.01 s, late by up to 0.01 s, with a brake of 5 rad/s^2 at least.
fn describe_guard(world: &World) -> Option<GuardDescription> {
    let profile = Profile::Ramp { acceleration: Range::exactly(1.0), speed: Range::exactly(1.0) };
    let brake = Brake::Deceleration(Range { least: 5.0, most: 6.0 });
    let joint = JointDescription {
        position: [-3.0, 3.0],
        position_error: 0.0,
        velocity_error: 0.0,
        velocity: Limit::stop_beyond(1.0),
        acceleration: Limit::stop_beyond(10.0),
        effort: Limit::NONE,
        current: Limit::NONE,
        stopping: Stopping::new(profile, brake, Range { least: 0.0, most: 0.01 }).ok()?,
    };
    let mut d = GuardDescription::new(world, 0.01);
    d.clearance = 0.001;
    d.arms = vec![ArmDescription { robot: RobotId(0), end_effector: Vec::new(), joints: vec![joint] }];
    Some(d)
}

/// Asks the known answers; the first that is wrong, in words.
///
/// # Errors
/// Which answer is wrong. Such a guard must not be used.
pub fn self_test() -> Result<(), &'static str> {
    let world = example_world().ok_or("the world of the self-test does not compile")?;
    let d = describe_guard(&world).ok_or("the brake of the self-test is refused")?;
    let made = || Guard::new(&world, &d).map_err(|_| "the guard of the self-test is refused");
    let (mut one, mut other) = (made()?, made()?);
    let mut tell = |t: f64, q: f64, v: f64| -> Command {
        let (q, v) = ([q], [v]);
        let state = State { velocities: Some(&v), ..State::new(t, &q) };
        let (a, b) = (one.step(&state), other.step(&state));
        agreed_command(Some(&a), Some(&b), t)
    };
    // Between (1, 0, 0) and (0, 1, 0), less both radii.
    let gap = 2.0_f64.sqrt() - 0.3;
    let at_rest = tell(0.0, 0.0, 0.0);
    let known = at_rest.distance.is_some_and(|[low, high]| low <= gap && gap <= high && high - low < 1e-6);
    if !known {
        return Err("a distance that is known is not told");
    }
    if at_rest.action != Action::Permit {
        return Err("an arm at rest, far from everything, is not permitted to go on");
    }
    // It turns towards the post at 0.5 rad/s, and would touch it at 1.2697 rad.
    let (mut stopped, mut t) = (None, 0.0);
    while t < 3.0 && stopped.is_none() {
        t += 0.01;
        let (q, v) = if t < 0.5 { (0.5 * t * t, t) } else { (0.125 + 0.5 * (t - 0.5), 0.5) };
        let command = tell(t, q, v);
        if command.action == Action::Stop {
            stopped = Some((q, command.reasons().any(|reason| reason.kind == ReasonKind::Collision)));
        }
    }
    // It needs at least 0.5^2 / (2 * 6) = 0.0208 rad to stop, and with all that is stated less than 0.1.
    match stopped {
        Some((q, true)) if (1.2697 - 0.1..1.2697 - 0.0208).contains(&q) => {}
        Some((_, true)) => return Err("an arm that goes towards a post is stopped too soon or too late"),
        _ => return Err("an arm that goes towards a post is not stopped"),
    }
    let nan = tell(t + 0.01, f64::NAN, 0.0);
    if nan.action != Action::Stop || !nan.reasons().any(|reason| reason.kind == ReasonKind::NotFinite) {
        return Err("a position that is not a number does not stop the arm");
    }
    let kept = one.snapshot(0.0);
    if Guard::restore(&world, &d, &kept, (1.0, 2.0)).is_err() {
        return Err("a snapshot cannot be restored");
    }
    if Guard::restore(&world, &d, &kept.replace("written", "wri77en"), (1.0, 2.0)).is_ok() {
        return Err("a snapshot that was changed is restored");
    }
    one.event(t + 0.02, &Event::Reset).map_err(|_| "a reset is refused")?;
    if one.latched_reason().is_some() {
        return Err("a reset does not end a stop");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_known_answers_are_given() {
        super::self_test().unwrap();
    }
}
