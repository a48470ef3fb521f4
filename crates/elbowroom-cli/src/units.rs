//! Numbers that are likely in other units than they are taken for. No machine has them in the units that are
//! meant, so nobody is warned in vain; not all that is in other units is found.

use crate::limits;
use elbowroom::World;
use elbowroom::math::Vec3;
use elbowroom_monitor::stopping::RecordedStop;

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
