//! Numbers that are likely in other units than they are taken for. No machine has them in the units that are
//! meant, so nobody is warned in vain; not all that is in other units is found.

use crate::limits;
use elbowroom::describe::JointKind;
use elbowroom::math::Vec3;
use elbowroom::pose::SetOptions;
use elbowroom::{Checker, World};
use elbowroom_monitor::stopping::RecordedStop;

/// Whether a joint value is an angle.
pub fn is_angle(world: &World, value: usize) -> bool {
    let of_value = |joint: &&elbowroom::world::Joint| joint.values.contains(&value);
    world.joints().iter().find(of_value).is_none_or(|joint| joint.kind != JointKind::Prismatic)
}

/// The unit of a joint value for people, and how many of it are a radian or a metre: degrees for what turns,
/// millimetres for what slides.
pub fn value_unit(world: &World, value: usize) -> (&'static str, f64) {
    if is_angle(world, value) { ("deg", 1.0_f64.to_degrees()) } else { ("mm", 1e3) }
}

/// A joint value with its unit and so many digits; no negative zero.
pub fn value_text(world: &World, value: usize, x: f64, digits: usize) -> String {
    let (unit, factor) = value_unit(world, value);
    let text = format!("{:.digits$}", x * factor);
    let text = if text.bytes().any(|b| (b'1'..=b'9').contains(&b)) { text } else { text.replace('-', "") };
    format!("{text} {unit}")
}

/// What to say of a cloud (m, in the world) whose points are likely millimetres. `far` is the distance from
/// all robots beyond which no point is believed (m).
pub fn doubted_cloud(world: &World, name: &str, points: &[[f64; 3]], far: f64) -> Option<String> {
    let bases: Vec<Vec3> = world.robots().iter().map(|robot| robot.base_in_world.translation).collect();
    let from_robots = |point: &[f64; 3]| {
        bases.iter().map(|base| (Vec3::from(*point) - *base).norm()).fold(f64::NAN, f64::min)
    };
    let (mut least, mut most) = (f64::INFINITY, 0.0_f64);
    for distance in points.iter().map(from_robots) {
        (least, most) = (least.min(distance), most.max(distance));
    }
    // Without a robot or a point nothing is known.
    let is_far = least > limits::CLOUD_NEAR || most > far;
    (is_far && least.is_finite()).then(|| {
        let of = if least > limits::CLOUD_NEAR { ("nearest", least) } else { ("farthest", most) };
        format!(
            "the {} point of {name} is {:.0} m from all robots: points are metres; if these are millimetres, \
             divide them by 1000",
            of.0, of.1
        )
    })
}

/// What to say of recorded stops whose numbers are likely degrees.
pub fn doubted_stops(log: &str, stops: &[RecordedStop]) -> Option<String> {
    let most = |of: fn(&RecordedStop) -> f64| stops.iter().map(of).fold(0.0, f64::max);
    let (speed, way) = (most(|stop| stop.speed), most(|stop| stop.way));
    let what = if speed > limits::STOP_SPEED {
        format!("the fastest stop is from {speed} rad/s (or m/s)")
    } else if way > limits::STOP_WAY {
        format!("the longest stop takes {way} rad (or m)")
    } else {
        return None;
    };
    let help = "which no joint does: if speeds and ways are degrees, divide both by 57.29578 (180 / pi)";
    Some(format!("{log}: {what}, {help}"))
}

/// What to say about refused poses that are likely in degrees: read as degrees, all are within the limits.
/// `excess` is the most that an angle lies beyond its limits. Up to one turn it may also be radians with
/// another zero.
pub fn doubted_angles(world: &World, rows: &[Vec<f64>], excess: f64) -> Option<String> {
    if excess <= limits::ANGLE_EXCESS {
        return None;
    }
    let turns = |kind| matches!(kind, JointKind::Revolute | JointKind::Continuous);
    let angles: Vec<usize> =
        world.joints().iter().filter(|j| turns(j.kind)).filter_map(|j| j.values.clone().next()).collect();
    let checker = Checker::new(world);
    let all_fit = rows.iter().all(|row| {
        let mut row = row.clone();
        angles.iter().for_each(|value| row[*value] = row[*value].to_radians());
        checker.accepts(&row, SetOptions::default()).is_ok()
    });
    all_fit.then(|| {
        format!(
            "Are these degrees? As degrees {} within the limits. Angles are radians: multiply those of \
             revolute and continuous joints by 0.01745329 (pi / 180)",
            if rows.len() == 1 { "the sample is" } else { "all samples are" }
        )
    })
}
