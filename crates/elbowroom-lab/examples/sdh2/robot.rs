//! The hand: its kinematics are public, its shapes are boxes, cylinders and a rounded tip of our own.

use elbowroom::math::sin_cos;
use elbowroom_lab::haase10::dimensions::{
    ARC_MIDDLE, BEND_LIMITS, Corners, FINGER_PLACES, JOINT_LENGTH, JOINT_OVER_PIVOT, JOINT_RADIUS,
    JOINT_SPEED, KNUCKLE_RADIUS, LIMB_BOXES, LIMB_LENGTH, PALM_BOXES, PIVOT_HEIGHT, PIVOT_LIMITS, SHAFT_BOX,
    TIP_FACETS, TIP_HALF_WIDTH, TIP_RADIUS,
};
use std::fmt::Write as _;

/// The seven values, in the order of their numbers.
pub const NAMES: [&str; 7] = ["phi_0", "phi_1", "phi_2", "phi_3", "phi_4", "phi_5", "phi_6"];

/// A number to a hundredth of a micrometre, as short as it is; no negative zero.
fn short(x: f64) -> String {
    format!("{}", (x * 1e8).round() / 1e8 + 0.0)
}

fn three(v: [f64; 3]) -> String {
    v.map(short).join(" ")
}

/// A shape of a link, as a URDF has it.
fn collision(name: &str, origin: &str, geometry: &str) -> String {
    format!(
        "    <collision name=\"{name}\">\n      {origin}<geometry>{geometry}</geometry>\n    </collision>\n"
    )
}

fn box_shape(name: &str, [least, most]: &Corners) -> String {
    let middle = std::array::from_fn(|k| (least[k] + most[k]) / 2.0);
    let size = std::array::from_fn(|k| most[k] - least[k]);
    let origin = format!("<origin xyz=\"{}\"/>", three(middle));
    collision(name, &origin, &format!("<box size=\"{}\"/>", three(size)))
}

/// A joint's housing about the link's origin, along y. A cylinder of a URDF lies along z.
fn housing(name: &str) -> String {
    let geometry =
        format!("<cylinder radius=\"{}\" length=\"{}\"/>", short(JOINT_RADIUS), short(JOINT_LENGTH));
    collision(name, "<origin xyz=\"0 0 0\" rpy=\"1.570796326794897 0 0\"/>", &geometry)
}

/// A joint: its name, kind, links, origin, and what else its element holds.
fn joint(name: &str, kind: &str, [parent, child]: [&str; 2], origin: &str, rest: &str) -> String {
    format!(
        "  <joint name=\"{name}\" type=\"{kind}\">\n    \
         <parent link=\"{parent}\"/><child link=\"{child}\"/>\n    <origin {origin}/>{rest}\n  </joint>\n"
    )
}

/// Axis, limits (degrees) and speed of a joint.
fn turning(axis: &str, limits: [f64; 2]) -> String {
    let [lower, upper] = limits.map(|x| format!("{:.9}", x.to_radians() + 0.0));
    format!(
        "<axis xyz=\"{axis}\"/>\n    \
         <limit lower=\"{lower}\" upper=\"{upper}\" effort=\"2\" velocity=\"{:.9}\"/>",
        JOINT_SPEED.to_radians()
    )
}

/// The robot's file.
pub fn urdf() -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n\
         <!-- A hand with the kinematics of the SCHUNK SDH-2 and shapes of our own. phi_0 to phi_6 are\n     \
         the maker's axes 0 to 6 and the angles of Haase and Woern (2010). The effort is ours.\n     \
         Written by `cargo xtask sdh2`. -->\n\
         <robot name=\"sdh2\">\n  <link name=\"palm\">\n",
    );
    text += &box_shape("palm_long", &PALM_BOXES[0]);
    text += &box_shape("palm_wide", &PALM_BOXES[1]);
    text += "  </link>\n";
    for (i, [x, y]) in FINGER_PLACES.into_iter().enumerate() {
        let finger = i + 1;
        let link = |part: &str| format!("finger_{finger}_{part}");
        let (knuckle, limb, tip) = (link("knuckle"), link("limb"), link("tip"));
        let at = format!("xyz=\"{}\"", three([x, y, PIVOT_HEIGHT]));
        let facing = format!("{at} rpy=\"0 0 3.141592653589793\"");
        let mimic = "\n    <mimic joint=\"phi_0\" multiplier=\"1\" offset=\"0\"/>";
        text += &match finger {
            1 => joint("phi_0", "revolute", ["palm", &knuckle], &facing, &turning("0 0 1", PIVOT_LIMITS)),
            2 => joint("finger_2_fixed", "fixed", ["palm", &knuckle], &at, ""),
            _ => joint(
                "phi_0_mirrored",
                "revolute",
                ["palm", &knuckle],
                &facing,
                &(turning("0 0 -1", PIVOT_LIMITS) + mimic),
            ),
        };
        let post = format!(
            "<cylinder radius=\"{}\" length=\"{}\"/>",
            short(KNUCKLE_RADIUS),
            short(JOINT_OVER_PIVOT)
        );
        let middle = format!("<origin xyz=\"{}\"/>", three([0.0, 0.0, JOINT_OVER_PIVOT / 2.0]));
        text += &format!("  <link name=\"{knuckle}\">\n{}  </link>\n", collision("post", &middle, &post));
        let bend = turning("0 1 0", BEND_LIMITS);
        let origin = |z| format!("xyz=\"{}\"", three([0.0, 0.0, z]));
        let proximal = format!("phi_{}", 2 * i + 1);
        text += &joint(&proximal, "revolute", [&knuckle, &limb], &origin(JOINT_OVER_PIVOT), &bend);
        text += &format!("  <link name=\"{limb}\">\n{}", housing("proximal_joint"));
        for (name, corners) in ["lower_neck", "limb", "upper_neck"].iter().zip(&LIMB_BOXES) {
            text += &box_shape(name, corners);
        }
        text += "  </link>\n";
        let distal = format!("phi_{}", 2 * i + 2);
        text += &joint(&distal, "revolute", [&limb, &tip], &origin(LIMB_LENGTH), &bend);
        text += &format!("  <link name=\"{tip}\">\n{}", housing("distal_joint"));
        text += &box_shape("shaft", &SHAFT_BOX);
        let arc = format!("<origin xyz=\"{}\"/>", three(ARC_MIDDLE));
        text += &collision("tip", &arc, "<mesh filename=\"meshes/tip.obj\"/>");
        text += "  </link>\n";
    }
    text + "</robot>\n"
}

/// The tip: a quarter of a disc, as thick as a joint is long, as OBJ. Its corners lie on the arc, or within
/// it by a tenth of a micrometre.
pub fn tip_mesh() -> String {
    let mut text = String::from(
        "# The tip of a finger: a quarter of a cylinder along y, convex, metres. Written by `cargo xtask \
         sdh2`.\n\
         o tip\n",
    );
    let inward = |x: f64| (x * 1e7).floor() / 1e7;
    let step = std::f64::consts::FRAC_PI_2 / f64::from(TIP_FACETS);
    let mut outline = vec![[0.0, 0.0]];
    for k in 0..=TIP_FACETS {
        let (sin, cos) = sin_cos(step * f64::from(k));
        // The ends lie on the axes; rounding would put them beside.
        outline.push(match k {
            0 => [TIP_RADIUS, 0.0],
            TIP_FACETS => [0.0, TIP_RADIUS],
            _ => [inward(TIP_RADIUS * cos), inward(TIP_RADIUS * sin)],
        });
    }
    let n = outline.len();
    for side in [-TIP_HALF_WIDTH, TIP_HALF_WIDTH] {
        outline.iter().for_each(|[x, z]| _ = writeln!(text, "v {x:.7} {side:.7} {z:.7}"));
    }
    // The outline runs from x to z, which is clockwise seen from +y.
    for k in 1..n - 1 {
        let _ = writeln!(text, "f {} {} {}", 1, k + 1, k + 2);
        let _ = writeln!(text, "f {} {} {}", n + 1, n + k + 2, n + k + 1);
    }
    for k in 0..n {
        let (a, b) = (k + 1, (k + 1) % n + 1);
        let _ = writeln!(text, "f {a} {} {b}", n + a);
        let _ = writeln!(text, "f {b} {} {}", n + a, n + b);
    }
    text
}
