//! A trail contains whatever the motion sweeps: random joints, cores and motions, against samples.

use super::{Part, Trail};
use crate::model::id::{BodyId, ShapeId};
use crate::model::world::World;
use crate::motion::course::{Course, Mover, Turning};
use crate::motion::motion_bounds::MotionBounds;
use crate::motion::route::Route;
use crate::motion::route_bounds::RouteBounds;
use crate::motion::way::Way;
use crate::pose::fault::SetOptions;
use crate::pose::frames::Pose;
use crate::rng::Rng;
use alloc::vec::Vec;
use alloc::{format, vec};
use elbowroom_describe::math::{Mat3, Transform, Vec3};
use elbowroom_describe::*;
use elbowroom_pair::numeric::simd::Plain;
use elbowroom_pair::shape::extreme::Support;

const LOOSE: SetOptions = SetOptions { ignore_limits: true };

fn core(rng: &mut Rng) -> ShapeDescription {
    let mut size = || rng.range(0.05, 0.3);
    let [radius, length, other] = [size(), size(), size()];
    match rng.below(6) {
        0 => ShapeDescription::Sphere { radius },
        1 => ShapeDescription::Cylinder { radius, length },
        2 => ShapeDescription::Cone { radius, length },
        3 => ShapeDescription::Box { size: [radius, length, other] },
        4 => ShapeDescription::Ellipsoid { radii: [radius, length, other] },
        _ => ShapeDescription::Convex {
            vertices: (0..9).map(|_| (rng.direction() * radius).to_array()).collect(),
        },
    }
}

/// A chain of one to five joints from one body to the other; the body that does not move is somewhere in it.
fn world(rng: &mut Rng) -> World {
    let kinds = [JointKind::Revolute, JointKind::Prismatic, JointKind::Planar, JointKind::Floating];
    let count = if rng.chance(0.5) { 1 } else { 1 + rng.below(5) };
    let parallel = rng.chance(0.4);
    let name = |i: usize| format!("{i}");
    let link = |i: usize, rng: &mut Rng| {
        let shape_in_body = if rng.chance(0.5) { Transform::IDENTITY } else { rng.pose(0.2) };
        let shape = PlacedShape { name: "".into(), shape_in_body, shape: core(rng), padding: 0.0 };
        LinkDescription { name: name(i), shapes: vec![shape] }
    };
    let links = (0..=count).map(|i| link(i, rng)).collect();
    let joint = |i: usize, rng: &mut Rng| {
        let kind = if rng.chance(0.5) { kinds[rng.below(2)] } else { kinds[rng.below(4)] };
        let mut joint_in_parent = rng.pose(0.4);
        if parallel {
            joint_in_parent.rotation = Mat3::IDENTITY;
        }
        let axis = if parallel { Vec3::Z } else { rng.direction() };
        let limits = Some(JointLimits { lower: -4.0, upper: 4.0 });
        let limits = limits.filter(|_| matches!(kind, JointKind::Revolute | JointKind::Prismatic));
        JointDescription {
            name: format!("j{i}"),
            kind,
            parent: name(i),
            child: name(i + 1),
            joint_in_parent,
            axis,
            limits,
            mimic: None,
        }
    };
    let joints = (0..count).map(|i| joint(i, rng)).collect();
    let robot = RobotDescription { name: "r".into(), links, joints, ..RobotDescription::default() };
    let robots = vec![PlacedRobot { name: "r".into(), base_in_world: rng.pose(1.0), robot }];
    World::compile(&WorldDescription { robots, ..WorldDescription::default() }).unwrap()
}

fn values(world: &World, rng: &mut Rng) -> Vec<f64> {
    let mut values: Vec<f64> = world.dof_names().iter().map(|_| rng.range(-1.0, 1.0)).collect();
    for (i, name) in world.dof_names().iter().enumerate() {
        if name.ends_with("/rot_w") {
            values[i..i + 4].copy_from_slice(&rng.quaternion());
        }
    }
    values
}

#[test]
fn a_trail_contains_what_the_motion_sweeps_and_hardly_more() {
    let mut rng = Rng::new(77);
    let (mut kinds, mut tight, mut cases) = ([0; 3], [0; 3], 0);
    let mut at_world = 0;
    let mut now = world(&mut rng);
    while cases < 3000 {
        at_world += 1;
        if at_world % 16 == 0 {
            now = world(&mut rng);
        }
        let world = &now;
        let (way, bounds) = (Way::new(world), MotionBounds::new(world));
        let mut pose = Pose::new(world);
        let bodies = world.bodies().len();
        let (from, mut to) = (values(world, &mut rng), values(world, &mut rng));
        if rng.chance(0.4) {
            // One value alone moves, or one orientation.
            let names = world.dof_names();
            let orients = |i: usize| names[i].contains("/rot_");
            let only = rng.below(to.len());
            let whole = if names[only].ends_with("/rot_w") { only + 4 } else { only + 1 };
            if orients(only) && whole == only + 1 {
                continue;
            }
            (0..to.len()).filter(|i| !(only..whole).contains(i)).for_each(|i| to[i] = from[i]);
        }
        let share = rng.pick(&[1.0, 0.1, 0.01, 1e-4]);
        let interval = [0.3, 0.3 + 0.7 * share];
        let [still, moving] = [0; 2].map(|_| BodyId(rng.below(bodies) as u32));
        let (mut around, mut at) = (RouteBounds::new(from.len()), from.clone());
        Route::Straight([&from, &to]).bound_interval(&way, interval, &mut around);
        way.values_at([&from, &to], 0.5 * (interval[0] + interval[1]), &mut at);
        if still == moving || pose.set_with(&at, LOOSE).is_err() {
            continue;
        }
        let shape = ShapeId(world.bodies()[moving.index()].shapes.start);
        let (in_cell, error) = pose.shape_in_cell(shape);
        let still_in_cell = pose.body_frame(still);
        let ball = pose.shape_ball(shape.0);
        let straight = around.straight();
        let mover = Mover { in_cell, error, ball: &ball };
        let course = Course::new((&bounds, &pose), [still, moving], straight, mover).unwrap();
        let kind = match course.turning {
            Turning::Never => 0,
            Turning::About(_) => 1,
            Turning::Freely { .. } => 2,
        };
        let placed = &world.shapes()[shape.0 as usize];
        let part = Part::of_core(placed.shape.core());
        let trail = Trail::new(part, &course);
        cases += 1;
        kinds[kind] += 1;
        for k in 0..15 {
            // Along the axis, too, and across it.
            let aside = course.across.any_perpendicular();
            let d = [course.across, -course.across, aside].get(k).copied().unwrap_or_else(|| rng.direction());
            let bound = trail.height_bound(Plain, d, trail.support_point(Plain, d, 0)) + course.off;
            let mut most = f64::NEG_INFINITY;
            for k in 0..=40 {
                let t = interval[0] + (interval[1] - interval[0]) * f64::from(k) / 40.0;
                way.values_at([&from, &to], t, &mut at);
                pose.set_with(&at, LOOSE).unwrap();
                // Where the shape is now, as the still body sees it, in the shape's frame at the middle.
                let now = still_in_cell * pose.body_frame(still).inverse() * pose.shape_in_cell(shape).0;
                let now = in_cell.inverse() * now;
                let e = part.support_point(Plain, now.rotation.transpose_mul(d), 0);
                most = most.max(now.point(e.point).dot(d));
            }
            assert!(most <= bound + 1e-13, "{most} of {bound}: {course:?} {:?}", world.joints());
            tight[kind] += usize::from(bound - most < 1e-3 * share);
        }
    }
    assert!(kinds.iter().all(|n| *n > 200), "{kinds:?}");
    // Of a dozen directions each.
    assert!((0..3).all(|k| tight[k] > 3 * kinds[k]), "{tight:?} {kinds:?}");
}
