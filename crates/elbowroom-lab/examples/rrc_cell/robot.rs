//! The robot: kinematics of the K-1207i as published, limits and shapes of our own.

use std::fmt::Write as _;

/// Which axis of its parent's frame a joint turns about, and where its frame lies in it (metres).
/// From rpiRobotics/ik-geo, BSD-3-Clause.
pub const JOINTS: [(usize, [f64; 3]); 7] = [
    (0, [0.0, 0.0, 0.0]),
    (2, [0.508, -0.1016, 0.0]),
    (0, [0.0, 0.1016, 0.0]),
    (2, [0.5461, 0.085725, 0.0]),
    (0, [0.0, -0.085725, 0.0]),
    (2, [0.5461, 0.084455, 0.0]),
    (0, [0.0, -0.084455, 0.0]),
];
/// How far along x the tool plate lies from joint 7 (metres); from the same source.
pub const TOOL: f64 = 0.1778;
/// How high joint 1 stands over the floor (metres). The rest of this file is ours.
pub const PEDESTAL: f64 = 0.40;
/// How far along x the finger tips lie from the tool plate (metres).
pub const TIPS: f64 = 0.14;
/// Half of the way between the fingers, along z of the tool plate (metres).
pub const HALF_GAP: f64 = 0.022;

/// Limits of the joints that roll (about x) and of those that bend (about z) (radians).
const LIMITS: [f64; 2] = [3.1, 2.7];
/// Greatest speed (radians per second) and torque (newton metres) of a joint.
const SPEED_AND_EFFORT: [f64; 2] = [0.8, 200.0];

/// A solid of a link: along which axis of the link's frame it lies, from where to where on that axis, and
/// where its middle lies on the two others (metres).
enum Solid {
    Cylinder { axis: usize, ends: [f64; 2], radius: f64 },
    Box { least: [f64; 3], most: [f64; 3] },
}

/// Link, name and solid. Joints that bend have a housing about z and an arm to the next roll's axis along y.
const SOLIDS: [(&str, &str, Solid); 19] = {
    use Solid::{Box, Cylinder};
    const fn tube(axis: usize, from: f64, to: f64, radius: f64) -> Solid {
        Cylinder { axis, ends: [from, to], radius }
    }
    [
        ("link_0", "pedestal", tube(0, -PEDESTAL, 0.0, 0.11)),
        ("link_1", "column", tube(0, 0.005, 0.30, 0.075)),
        ("link_1", "bracket", Box { least: [0.24, -0.1316, -0.05], most: [0.528, -0.0866, 0.05] }),
        ("link_2", "housing", tube(2, -0.08, 0.08, 0.065)),
        ("link_2", "turn", tube(1, 0.0, 0.15, 0.05)),
        ("link_3", "upper_arm", tube(0, 0.09, 0.37, 0.05)),
        ("link_3", "bracket", Box { least: [0.33, 0.03, -0.04], most: [0.525, 0.1, 0.04] }),
        ("link_4", "housing", tube(2, -0.065, 0.065, 0.055)),
        ("link_4", "turn", tube(1, -0.13, 0.0, 0.042)),
        ("link_5", "forearm", tube(0, 0.08, 0.37, 0.045)),
        ("link_5", "bracket", Box { least: [0.33, 0.03, -0.035], most: [0.525, 0.098, 0.035] }),
        ("link_6", "housing", tube(2, -0.055, 0.055, 0.048)),
        ("link_6", "turn", tube(1, -0.12, 0.0, 0.036)),
        ("link_7", "wrist", tube(0, 0.06, TOOL, 0.04)),
        ("palm", "palm", Box { least: [0.0, -0.035, -0.055], most: [0.06, 0.035, 0.055] }),
        (
            "finger_1",
            "finger",
            Box { least: [0.06, -0.015, HALF_GAP], most: [TIPS, 0.015, HALF_GAP + 0.016] },
        ),
        ("finger_1", "pad", Box { least: [0.11, -0.02, HALF_GAP], most: [TIPS, 0.02, HALF_GAP + 0.008] }),
        (
            "finger_2",
            "finger",
            Box { least: [0.06, -0.015, -HALF_GAP - 0.016], most: [TIPS, 0.015, -HALF_GAP] },
        ),
        ("finger_2", "pad", Box { least: [0.11, -0.02, -HALF_GAP - 0.008], most: [TIPS, 0.02, -HALF_GAP] }),
    ]
};

/// A number to a millionth, as short as it is; no negative zero.
pub fn short(x: f64) -> String {
    format!("{}", (x * 1e6).round() / 1e6 + 0.0)
}

fn three(v: [f64; 3]) -> String {
    v.map(short).join(" ")
}

fn link(text: &mut String, name: &str) {
    let solids: Vec<_> = SOLIDS.iter().filter(|s| s.0 == name).collect();
    if solids.is_empty() {
        *text += &format!("  <link name=\"{name}\"/>\n");
        return;
    }
    *text += &format!("  <link name=\"{name}\">\n");
    for (_, name, solid) in solids {
        let (xyz, rpy, geometry) = match solid {
            Solid::Cylinder { axis, ends: [from, to], radius } => {
                let mut xyz = [0.0; 3];
                xyz[*axis] = (from + to) / 2.0;
                // A cylinder of a URDF lies along z.
                let rpy = [" rpy=\"0 1.570796326794897 0\"", " rpy=\"1.570796326794897 0 0\"", ""][*axis];
                let (length, radius) = (short(to - from), short(*radius));
                (xyz, rpy, format!("<cylinder radius=\"{radius}\" length=\"{length}\"/>"))
            }
            Solid::Box { least, most } => {
                let middle = std::array::from_fn(|k| (least[k] + most[k]) / 2.0);
                let size = std::array::from_fn(|k| most[k] - least[k]);
                (middle, "", format!("<box size=\"{}\"/>", three(size)))
            }
        };
        *text += &format!(
            "    <collision name=\"{name}\">\n      \
             <origin xyz=\"{}\"{rpy}/><geometry>{geometry}</geometry>\n    </collision>\n",
            three(xyz)
        );
    }
    *text += "  </link>\n";
}

fn fixed(text: &mut String, name: &str, [parent, child]: [&str; 2], origin: &str) {
    *text += &format!(
        "  <joint name=\"{name}\" type=\"fixed\">\n    \
         <parent link=\"{parent}\"/><child link=\"{child}\"/>{origin}\n  </joint>\n"
    );
}

/// The robot's file. Its base stands on the floor, z up; the published frames have x up.
pub fn urdf() -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n\
         <!-- Robotics Research Corporation K-1207i. The offsets and axes of joint_1 to joint_7 and of\n     \
         tool0 are facts from rpiRobotics/ik-geo (BSD-3-Clause). All limits are ours: position, speed\n     \
         and effort are not published there, and those of the machine may be others. Shapes and\n     \
         hand are ours. Written by `cargo xtask rrc-cell`. -->\n\
         <robot name=\"rrc_k1207i\">\n",
    );
    link(&mut text, "base");
    let upright = format!("\n    <origin xyz=\"0 0 {}\" rpy=\"0 -1.570796326794897 0\"/>", short(PEDESTAL));
    fixed(&mut text, "upright", ["base", "link_0"], &upright);
    for i in 0..=JOINTS.len() {
        link(&mut text, &format!("link_{i}"));
        let Some((axis, offset)) = JOINTS.get(i) else { break };
        let (child, limit) = (i + 1, short(LIMITS[usize::from(*axis == 2)]));
        let axis = ["1 0 0", "0 1 0", "0 0 1"][*axis];
        let [speed, effort] = SPEED_AND_EFFORT.map(short);
        let _ = write!(
            text,
            "  <joint name=\"joint_{child}\" type=\"revolute\">\n    \
             <parent link=\"link_{i}\"/><child link=\"link_{child}\"/>\n    \
             <origin xyz=\"{}\"/><axis xyz=\"{axis}\"/>\n    \
             <limit lower=\"-{limit}\" upper=\"{limit}\" effort=\"{effort}\" velocity=\"{speed}\"/>\n  \
             </joint>\n",
            three(*offset)
        );
    }
    fixed(&mut text, "plate", ["link_7", "tool0"], &format!("<origin xyz=\"{}\"/>", three([TOOL, 0.0, 0.0])));
    link(&mut text, "tool0");
    for part in ["palm", "finger_1", "finger_2"] {
        fixed(&mut text, &format!("{part}_joint"), ["tool0", part], "");
        link(&mut text, part);
    }
    text + "</robot>\n"
}
