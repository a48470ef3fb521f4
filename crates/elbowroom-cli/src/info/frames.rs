//! Where each link and each obstacle is at a pose.

use crate::arguments::WorldArguments;
use crate::limits;
use crate::load::{LoadedWorld, file_options};
use crate::motion::{self, MotionSource};
use crate::out::say_line;
use anyhow::{Result, bail};
use elbowroom::math::{Mat3, Transform};
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyId;
use elbowroom::{Checker, World};
use elbowroom_files::fault::did_you_mean;

/// The frames of all bodies in the world, in their order, at joint values.
pub struct Frames {
    /// The joint values, in their order.
    pub values: Vec<f64>,
    /// Each body's frame in the world.
    pub bodies: Vec<Transform>,
}

/// The frames at a pose as `--at` takes it, or every fault of it on standard error.
pub fn frames_at_pose(pose: &String, arguments: &WorldArguments, loaded: &LoadedWorld) -> Result<Frames> {
    let source = MotionSource::Values(std::slice::from_ref(pose));
    let (motion, _) = motion::load_motion(loaded, &source, &file_options(arguments), SetOptions::default())?;
    let mut checker = Checker::new(&loaded.world);
    let values = motion.rows.into_iter().next().unwrap_or_default();
    checker.set(&values)?;
    let bodies = (0..loaded.world.bodies().len() as u32).map(BodyId);
    let bodies = bodies.map(|body| checker.body_in_world(body).unwrap_or(Transform::IDENTITY)).collect();
    Ok(Frames { values, bodies })
}

/// The bodies of these names, which an option has, whole or without the only robot's; every name that there
/// is not is a fault.
pub fn bodies_by_name(option: &str, names: &[String], world: &World) -> Result<Vec<BodyId>> {
    let body = |name: &String| {
        let robots = world.robots().iter().map(|robot| format!("{}/{name}", robot.name));
        let one = robots.filter_map(|full| world.body_by_name(&full)).collect::<Vec<_>>();
        let world_s = || world.body_by_name(&format!("world/{name}"));
        match (world.body_by_name(name), &one[..]) {
            (Some(body), _) => Ok(body),
            (None, [body]) => Ok(*body),
            (None, []) => world_s().ok_or_else(|| {
                let known = world.bodies().iter().flat_map(|body| {
                    std::iter::once(&*body.name).chain(body.name.split_once('/').map(|(_, link)| link))
                });
                let meant = did_you_mean(name, known);
                let help = if meant.is_empty() { "`elbowroom info` lists them".into() } else { meant };
                format!("{option} {name}: no link and no obstacle is called that; {help}")
            }),
            (None, _) => Err(format!("{option} {name}: several robots have it; write ROBOT/{name}")),
        }
    };
    let found: Vec<Result<BodyId, String>> = names.iter().map(body).collect();
    let faults: Vec<&String> = found.iter().filter_map(|found| found.as_ref().err()).collect();
    faults.iter().for_each(|fault| say_line(fault));
    if !faults.is_empty() {
        bail!("{option} is refused");
    }
    Ok(found.into_iter().flatten().collect())
}

/// Roll, pitch and yaw of a rotation (radians), as URDF has them: about fixed x, then y, then z. Where the
/// pitch is a quarter turn, roll is zero.
pub fn roll_pitch_yaw(m: &Mat3) -> [f64; 3] {
    let [x, y, z] = [m.cols[0], m.cols[1], m.cols[2]];
    let across = x.x.hypot(x.y);
    if across > limits::LEVEL {
        [y.z.atan2(z.z), (-x.z).atan2(across), x.y.atan2(x.x)]
    } else {
        [0.0, (-x.z).atan2(across), (-y.x).atan2(y.y)]
    }
    .map(|angle| angle + 0.0)
}

/// A rotation as a quaternion w, x, y, z, with w not below zero: from the largest of its four parts, which
/// loses nothing to cancellation.
pub fn quaternion_wxyz(m: &Mat3) -> [f64; 4] {
    let [a, b, c] = [m.cols[0], m.cols[1], m.cols[2]];
    let squares =
        [1.0 + a.x + b.y + c.z, 1.0 + a.x - b.y - c.z, 1.0 - a.x + b.y - c.z, 1.0 - a.x - b.y + c.z];
    let largest = (0..4).fold(0, |most, k| if squares[k] > squares[most] { k } else { most });
    let [wx, wy, wz] = [b.z - c.y, c.x - a.z, a.y - b.x];
    let [xy, xz, yz] = [a.y + b.x, a.z + c.x, b.z + c.y];
    let parts = match largest {
        0 => [squares[0], wx, wy, wz],
        1 => [wx, squares[1], xy, xz],
        2 => [wy, xy, squares[2], yz],
        _ => [wz, xz, yz, squares[3]],
    };
    let length = parts.iter().map(|part| part * part).sum::<f64>().sqrt();
    let sign = if parts[0] < 0.0 { -1.0 } else { 1.0 };
    parts.map(|part| sign * part / length + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom::math::vec3;

    #[test]
    fn roll_pitch_and_yaw_make_the_rotation_again() {
        let mut level = 0;
        for k in 0..400 {
            let step = f64::from(k);
            // Every fourth has a pitch of a quarter turn, up or down.
            let quarter = std::f64::consts::FRAC_PI_2 * if k % 8 == 0 { 1.0 } else { -1.0 };
            let pitch = if k % 4 == 0 { quarter } else { f64::from(k % 30) * 0.1 - 1.5 };
            let m = Transform::from_xyz_rpy([0.0; 3], [0.7 * step, pitch, 1.3 * step]).rotation;
            let rpy = roll_pitch_yaw(&m);
            level += u32::from(rpy[0] == 0.0 && k > 0);
            let again = Transform::from_xyz_rpy([0.0; 3], rpy).rotation;
            for (a, b) in m.cols.iter().zip(again.cols) {
                assert!((*a - b).norm() < 1e-7, "{k}: {rpy:?}");
            }
        }
        assert_eq!(level, 99);
    }

    #[test]
    fn a_rotation_is_its_quaternion_wherever_its_axis_points() {
        for k in 0..200 {
            let step = f64::from(k);
            let axis = vec3((step * 0.7) % 2.0 - 1.0, (step * 1.3) % 2.0 - 1.0, (step * 0.41) % 2.0 - 0.9);
            let Some(axis) = axis.normalized() else { continue };
            // Half turns, where w is zero, among them.
            let angle = if k % 5 == 0 { std::f64::consts::PI } else { step * 0.09 - 9.0 };
            let wanted = Mat3::from_axis_angle(axis, angle);
            let found = Mat3::from_quat_wxyz(quaternion_wxyz(&wanted)).unwrap();
            let off = (0..3).map(|c| (wanted.cols[c] - found.cols[c]).norm()).fold(0.0, f64::max);
            assert!(off < 1e-14 && quaternion_wxyz(&wanted)[0] >= 0.0, "{k} {off}");
        }
    }
}
