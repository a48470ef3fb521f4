//! The robot: kinematics of the machine, ten convex polytopes of our own.

use super::rounded;
use anyhow::{Result, anyhow, ensure};
use elbowroom::math::{Vec3, sin_cos, vec3};
use elbowroom::pair::shape::hull::Hull;
use std::fmt::Write as _;

/// Axis, offset from the parent's frame (metres) and limits (degrees) of each joint: Puma 260B.
const JOINTS: [([i32; 3], [f64; 3], [f64; 2]); 6] = [
    ([0, 0, 1], [0.0, 0.0, 0.3302], [-5.0, 313.0]),
    ([0, 1, 0], [0.0, 0.0, 0.0], [-256.0, 76.0]),
    ([0, 1, 0], [0.19812, -0.12446, -0.01905], [-214.0, 34.0]),
    ([0, 0, 1], [0.0, 0.0, -0.2032], [-384.0, 194.0]),
    ([0, 1, 0], [0.0, 0.0, 0.0], [-32.0, 212.0]),
    ([1, 0, 0], [0.0, 0.0, 0.0], [-267.0, 267.0]),
];
/// The flange in the frame of link 6 (metres).
const TOOL: [f64; 3] = [0.05588, 0.0, 0.0];

/// `n` points around `center`, on the ellipse of half axes `u` and `v`; the first is turned by half a step.
fn ring(n: u32, center: Vec3, u: Vec3, v: Vec3) -> Vec<Vec3> {
    let step = std::f64::consts::TAU / f64::from(n);
    arc(n, step / 2.0, std::f64::consts::TAU - step / 2.0, center, u, v)
}

/// `n` points from angle `from` to angle `to` (radians), counted from `u` towards `v`.
fn arc(n: u32, from: f64, to: f64, center: Vec3, u: Vec3, v: Vec3) -> Vec<Vec3> {
    let at = |i: u32| {
        let (s, c) = sin_cos(from + (to - from) * f64::from(i) / f64::from(n - 1));
        rounded(center + u * c + v * s)
    };
    (0..n).map(at).collect()
}

/// Link, name and corner points of the ten polytopes, in their links' frames.
pub fn parts() -> Vec<(usize, &'static str, Vec<Vec3>)> {
    use std::f64::consts::PI;
    let (x, y, z) = (Vec3::X, Vec3::Y, Vec3::Z);
    let about_z = |n, h: f64, r: f64| ring(n, z * h, x * r, y * r);
    let about_y = |n, h: f64, r: f64| ring(n, y * h, z * r, x * r);
    let about_x = |n, h: f64, r: f64| ring(n, x * h, y * r, z * r);
    // The upper arm is a plate beside the plane of the forearm, from the shoulder's disc to the elbow's.
    let plate = |h: f64| {
        let shoulder = arc(9, PI / 2.0, 1.5 * PI, vec3(0.0, h, 0.0), x * 0.052, z * 0.052);
        let elbow = arc(9, -PI / 2.0, PI / 2.0, vec3(0.19812, h, -0.01905), x * 0.040, z * 0.040);
        [shoulder, elbow].concat()
    };
    let elbow = |h: f64| arc(7, 0.0, PI, y * h, x * 0.038, z * 0.038);
    let front = [(1.0, 1.0), (1.0, -1.0), (-1.0, -1.0), (-1.0, 1.0)]
        .map(|(a, b)| vec3(0.080, a * 0.032, b * 0.016))
        .to_vec();
    let finger = |side: f64| {
        let root = ring(12, vec3(0.078, side * 0.022, 0.0), y * 0.007, z * 0.012);
        let tip = ring(12, vec3(0.135, side * 0.018, 0.0), y * 0.004, z * 0.009);
        [root, tip].concat()
    };
    vec![
        (0, "foot", [about_z(16, 0.0, 0.090), about_z(16, 0.030, 0.084)].concat()),
        (0, "column", [about_z(16, 0.030, 0.062), about_z(16, 0.266, 0.058)].concat()),
        (
            1,
            "shoulder",
            [about_y(12, -0.060, 0.054), about_y(12, 0.010, 0.058), about_y(12, 0.078, 0.046)].concat(),
        ),
        (2, "upper_arm", [plate(-0.066), plate(-0.097)].concat()),
        (3, "forearm", [elbow(-0.0255), elbow(0.0255), about_z(16, -0.150, 0.026)].concat()),
        (4, "wrist_roll", [about_z(12, 0.050, 0.027), about_z(12, 0.004, 0.019)].concat()),
        (
            5,
            "wrist_bend",
            [about_y(10, -0.022, 0.016), about_y(10, 0.0, 0.022), about_y(10, 0.022, 0.016)].concat(),
        ),
        (6, "palm", [about_x(12, 0.028, 0.016), about_x(12, 0.055, 0.030), front].concat()),
        (6, "finger_left", finger(1.0)),
        (6, "finger_right", finger(-1.0)),
    ]
}

/// The hull of points that are all corners of it, as OBJ.
pub fn obj(name: &str, points: &[Vec3]) -> Result<String> {
    let hull = Hull::from_points(points).map_err(|e| anyhow!("{name}: {e:?}"))?;
    ensure!(
        hull.vertices().len() == points.len(),
        "{name}: {} points, {} of them corners",
        points.len(),
        hull.vertices().len()
    );
    let mut text =
        format!("# {name} of the Puma 260, convex, metres; written by `cargo xtask puma260`\no {name}\n");
    for v in hull.vertices() {
        writeln!(text, "v {:.5} {:.5} {:.5}", v.x, v.y, v.z)?;
    }
    for [a, b, c] in hull.faces() {
        writeln!(text, "f {} {} {}", a + 1, b + 1, c + 1)?;
    }
    Ok(text)
}

pub fn urdf() -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n\
         <!-- Puma 260B: kinematics of the machine, shapes of our own. \
         Written by `cargo xtask puma260`. -->\n\
         <robot name=\"puma260\">\n",
    );
    let parts = parts();
    for link in 0..=JOINTS.len() {
        text += &format!("  <link name=\"link_{link}\">\n");
        for (_, name, _) in parts.iter().filter(|p| p.0 == link) {
            text += &format!(
                "    <collision name=\"{name}\">\
                 <geometry><mesh filename=\"meshes/{name}.obj\"/></geometry></collision>\n"
            );
        }
        text += "  </link>\n";
        let Some((axis, offset, limits)) = JOINTS.get(link) else { break };
        let (child, [lower, upper]) = (link + 1, limits.map(f64::to_radians));
        text += &format!(
            "  <joint name=\"joint_{child}\" type=\"revolute\">\n    \
             <parent link=\"link_{link}\"/><child link=\"link_{child}\"/>\n    \
             <origin xyz=\"{} {} {}\"/><axis xyz=\"{} {} {}\"/>\n    \
             <limit lower=\"{lower:.9}\" upper=\"{upper:.9}\" effort=\"100\" velocity=\"3\"/>\n  </joint>\n",
            offset[0], offset[1], offset[2], axis[0], axis[1], axis[2]
        );
    }
    text += &format!(
        "  <link name=\"tool0\"/>\n  <joint name=\"flange\" type=\"fixed\">\n    \
         <parent link=\"link_6\"/><child link=\"tool0\"/>\n    \
         <origin xyz=\"{} {} {}\"/>\n  </joint>\n</robot>\n",
        TOOL[0], TOOL[1], TOOL[2]
    );
    text
}
