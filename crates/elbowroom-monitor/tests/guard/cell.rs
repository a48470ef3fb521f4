//! A small cell: two arms of three joints each above a table, with a part on it that may be taken.

use crate::describe::*;
use crate::rng::Rng;
use elbowroom::World;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3};
use elbowroom_monitor::Role;
use elbowroom_monitor::guard::{
    ArmDescription, GuardDescription, JointDescription, Limit, ObjectDescription,
};
use elbowroom_monitor::stopping::{Brake, Profile, Range, Stopping};

/// What the plant may do; the guard is told these ranges.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    pub period: f64,
    pub latency: [f64; 2],
    pub brake: [f64; 2],
    pub acceleration: f64,
    pub speed: f64,
    pub position_error: f64,
    pub velocity_error: f64,
}

impl Facts {
    pub fn draw(rng: &mut Rng) -> Facts {
        let latest = rng.range(0.001, 0.03);
        let weakest = rng.range(2.0, 10.0);
        Facts {
            period: rng.range(0.002, 0.012),
            latency: [rng.range(0.0, latest), latest],
            brake: [weakest, weakest * rng.range(1.0, 2.0)],
            acceleration: rng.range(1.0, 4.0),
            speed: rng.range(0.5, 2.0),
            position_error: rng.range(0.0, 0.001),
            velocity_error: rng.range(0.0, 0.01),
        }
    }
}

/// An arm of three links of 0.4 m, capsules, that turns about z and then twice about y; the last link is its
/// hand.
fn arm(name: &str) -> RobotDescription {
    let axes = [Vec3::Z, Vec3::Y, Vec3::Y];
    let at = [[0.0, 0.0, 0.3], [0.0, 0.0, 0.0], [0.4, 0.0, 0.0]];
    let joints: Vec<_> = (0..3).map(|k| (JointKind::Revolute, at[k], axes[k])).collect();
    let mut robot = chain(name, &joints);
    let lying = Transform::from_xyz_rpy([0.2, 0.0, 0.0], [0.0, std::f64::consts::FRAC_PI_2, 0.0]);
    let rod = |radius| shape_at(ShapeDescription::Capsule { radius, length: 0.4 }, lying);
    robot.links[2].shapes.push(rod(0.05));
    robot.links[3].shapes.push(rod(0.03));
    robot.links[0].shapes.push(ball(0.0, 0.0, 0.08, 0.08));
    robot
}

/// The cell. The part stands on the table 0.5 m before the first arm.
pub fn describe(posts: usize, rng: &mut Rng) -> WorldDescription {
    let mut left = placed(arm("left"));
    let mut right = placed(arm("right"));
    left.base_in_world = Transform::from_translation([0.0, 0.0, 0.0].into());
    right.base_in_world = Transform::from_xyz_rpy([1.2, 0.0, 0.0], [0.0, 0.0, std::f64::consts::PI]);
    let cube = |size| vec![shape(ShapeDescription::Box { size })];
    let mut d = WorldDescription { robots: vec![left, right], ..WorldDescription::default() };
    d.margin = 0.002;
    d.obstacles.push(obstacle("table", [0.6, 0.0, -0.12], cube([0.6, 0.8, 0.04])));
    let mut part = obstacle("part", [0.55, 0.1, -0.04], cube([0.06, 0.06, 0.118]));
    part.movable = true;
    d.obstacles.push(part);
    d.obstacles.extend(draw_posts(posts, rng));
    d
}

/// Balls in the way of the arms, at most so many.
pub fn draw_posts(count: usize, rng: &mut Rng) -> Vec<ObstacleDescription> {
    let draw = |k| {
        let at = [rng.range(0.0, 1.2), rng.range(-0.9, 0.9), rng.range(0.1, 0.8)];
        // None stands in a base or in the part.
        let far = |x: f64, y: f64| (at[0] - x).hypot(at[1] - y) > 0.25;
        let stands = far(0.0, 0.0) && far(1.2, 0.0) && far(0.55, 0.1);
        stands.then(|| obstacle(&format!("post{k}"), at, vec![ball(0.0, 0.0, 0.0, 0.05)]))
    };
    (0..count).filter_map(draw).collect()
}

pub fn guard_of(world: &World, facts: &Facts) -> GuardDescription {
    let range = |[least, most]: [f64; 2]| Range { least, most };
    let profile = Profile::Ramp {
        acceleration: Range::exactly(facts.acceleration),
        speed: Range::exactly(facts.speed),
    };
    let stopping =
        Stopping::new(profile, Brake::Deceleration(range(facts.brake)), range(facts.latency)).unwrap();
    let joint = JointDescription {
        position: [-3.5, 3.5],
        position_error: facts.position_error,
        velocity_error: facts.velocity_error,
        velocity: Limit::stop_beyond(facts.speed),
        acceleration: Limit::stop_beyond(facts.brake[1].max(facts.acceleration)),
        effort: Limit::stop_beyond(100.0),
        current: Limit::stop_beyond(10.0),
        stopping,
    };
    let body = |name: &str| world.body_by_name(name).unwrap();
    let mut d = GuardDescription::new(world, facts.period);
    for (robot, name) in [(0, "left/3"), (1, "right/3")] {
        d.arms.push(ArmDescription {
            robot: elbowroom::world::RobotId(robot),
            end_effector: vec![body(name)],
            joints: vec![joint.clone(); 3],
        });
    }
    d.objects = vec![
        ObjectDescription { parts: vec![(body("world/part"), Role::Manipulating)] },
        ObjectDescription { parts: vec![(body("world/table"), Role::Supporting)] },
    ];
    d
}
