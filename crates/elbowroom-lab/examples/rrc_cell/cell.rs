//! The cell: two arms, a floor, a table, stands, and what stands on them.
//!
//! What the paper would write as the parts of one template (a table's top and legs) are obstacles of their
//! own here, so that each can have a role. What rests on something rests a millimetre above it.

use super::arm::Arm;
use super::robot::{HALF_GAP, short};
use elbowroom::math::{Vec3, vec3};

/// How high the table and the stands are (metres).
pub const TOP: f64 = 0.70;
/// How far above its support a thing rests (metres).
pub const GAP: f64 = 0.001;
/// Length, width and height of a box (metres).
pub const ORU: [f64; 3] = [0.20, 0.16, 0.16];
/// Length, width and height of a handle, a plate on the middle of its box (metres). The fingers pass it 2 mm
/// away on both sides.
const HANDLE: [f64; 3] = [0.10, 2.0 * HALF_GAP - 0.004, 0.06];
/// Where the arms stand.
pub const ARMS: [Arm; 2] = [Arm { at: vec3(0.0, 0.5, 0.0) }, Arm { at: vec3(0.0, -0.5, 0.0) }];
/// Where the first box stands, and how it is turned about z: along the arm that reaches for it.
pub const FIRST: (Vec3, f64) = (vec3(0.10, 1.25, 0.0), 1.44);
/// Where it is put.
pub const SECOND: (Vec3, f64) = (vec3(0.62, 0.95, 0.0), 0.63);
/// Where the box with the door stands.
pub const DOORED: Vec3 = vec3(0.70, -0.05, 0.0);
/// Where the third box stands: beside the door.
pub const NEIGHBOUR: Vec3 = vec3(0.70, 0.20, 0.0);

/// Where the mug stands, and how high its brim is (metres).
pub const MUG: Vec3 = vec3(0.95, -0.14, 0.0);
pub const MUG_TOP: f64 = TOP + GAP + MUG_HEIGHT;
const MUG_HEIGHT: f64 = 0.10;
/// The book beside it.
pub const BOOK: Vec3 = vec3(0.95, -0.30, 0.0);
pub const BOOK_TOP: f64 = TOP + GAP + BOOK_HEIGHT;
const BOOK_HEIGHT: f64 = 0.03;

/// An obstacle: its name, where its frame is in the world or on its carrier, how it is turned about z, what
/// else is said of it, and its shapes.
struct Thing {
    name: &'static str,
    at: Vec3,
    turned: f64,
    more: String,
    shapes: Vec<String>,
}

fn list(v: [f64; 3]) -> String {
    format!("[{}]", v.map(short).join(", "))
}

fn block(size: [f64; 3], at: [f64; 3]) -> String {
    let at = if at == [0.0; 3] { String::new() } else { format!(", xyz = {}", list(at)) };
    format!("{{ type = \"box\", size = {}{at} }}", list(size))
}

fn cylinder(radius: f64, length: f64) -> String {
    format!("{{ type = \"cylinder\", radius = {}, length = {} }}", short(radius), short(length))
}

fn fixed(name: &'static str, at: [f64; 3], shape: String) -> Thing {
    Thing { name, at: at.into(), turned: 0.0, more: String::new(), shapes: vec![shape] }
}

fn movable(name: &'static str, at: Vec3, turned: f64, shapes: Vec<String>) -> Thing {
    Thing { name, at, turned, more: "movable = true\n".into(), shapes }
}

fn carried(name: &'static str, by: &str, at: [f64; 3], shape: String) -> Thing {
    let more = format!("movable = true\nattached_to = \"world/{by}\"\n");
    Thing { name, at: at.into(), turned: 0.0, more, shapes: vec![shape] }
}

/// How high the middle of a thing is that stands on the table or on a stand.
fn standing(at: Vec3, height: f64) -> Vec3 {
    vec3(at.x, at.y, TOP + GAP + height / 2.0)
}

/// A table: its top, and four legs up to a millimetre below it.
fn table() -> Vec<Thing> {
    let ([x, y], [a, b]) = ([0.85, 0.0], [0.26, 0.46]);
    let leg_height = TOP - 0.04 - GAP;
    let leg = |name, i: f64, j: f64| {
        let at = [x + i * a, y + j * b, leg_height / 2.0];
        fixed(name, at, block([0.05, 0.05, leg_height], [0.0; 3]))
    };
    vec![
        fixed("table_top", [x, y, TOP - 0.02], block([0.60, 1.00, 0.04], [0.0; 3])),
        leg("table_leg_1", -1.0, -1.0),
        leg("table_leg_2", 1.0, -1.0),
        leg("table_leg_3", 1.0, 1.0),
        leg("table_leg_4", -1.0, 1.0),
    ]
}

fn stand([top, column]: [&'static str; 2], at: Vec3) -> [Thing; 2] {
    let height = TOP - 0.03 - GAP;
    [
        fixed(top, [at.x, at.y, TOP - 0.015], block([0.34, 0.34, 0.03], [0.0; 3])),
        fixed(column, [at.x, at.y, height / 2.0], cylinder(0.06, height)),
    ]
}

/// A box with a door and a camera in it: a back, two sides, a floor and a roof.
fn doored() -> Vec<Thing> {
    let [x, y, z] = ORU.map(|s| s / 2.0);
    let wall = 0.01;
    let shell = vec![
        block([2.0 * x, wall, 2.0 * z], [0.0, wall / 2.0 - y, 0.0]),
        block([wall, 2.0 * y, 2.0 * z], [wall / 2.0 - x, 0.0, 0.0]),
        block([wall, 2.0 * y, 2.0 * z], [x - wall / 2.0, 0.0, 0.0]),
        block([2.0 * x, 2.0 * y, wall], [0.0, 0.0, wall / 2.0 - z]),
        block([2.0 * x, 2.0 * y, wall], [0.0, 0.0, z - wall / 2.0]),
    ];
    // The door's frame is its hinge, a millimetre before the shell's edge.
    let door = block([2.0 * x - 0.002, 0.008, 2.0 * z - 0.004], [x, 0.004, 0.0]);
    let mut door = carried("oru_2_door", "oru_2", [-x, y + GAP, 0.0], door);
    door.more += "door = { joint = \"revolute\", axis = [0, 0, 1], limits = [0, 1.9] }\n";
    vec![
        movable("oru_2", standing(DOORED, ORU[2]), 0.0, shell),
        handle("oru_2_handle", "oru_2"),
        door,
        carried("oru_2_camera", "oru_2", [0.0, -0.03, -0.03], block([0.06, 0.06, 0.06], [0.0; 3])),
    ]
}

fn handle(name: &'static str, of: &str) -> Thing {
    carried(name, of, [0.0, 0.0, (ORU[2] + HANDLE[2]) / 2.0], block(HANDLE, [0.0; 3]))
}

fn things() -> Vec<Thing> {
    let mut things = vec![fixed("floor", [0.5, 0.0, -0.05], block([4.0, 4.0, 0.098], [0.0; 3]))];
    things.extend(table());
    things.extend([
        fixed("camera_stand_foot", [1.45, 0.0, 0.020], cylinder(0.20, 0.04)),
        fixed("camera_stand_pole", [1.45, 0.0, 0.791], cylinder(0.025, 1.5)),
        fixed("camera_stand_camera", [1.40, 0.0, 1.592], block([0.16, 0.10, 0.10], [0.0; 3])),
    ]);
    things.extend(stand(["stand_1_top", "stand_1_column"], FIRST.0));
    things.extend(stand(["stand_2_top", "stand_2_column"], SECOND.0));
    let whole = || vec![block(ORU, [0.0; 3])];
    things.push(movable("oru_1", standing(FIRST.0, ORU[2]), FIRST.1, whole()));
    things.push(handle("oru_1_handle", "oru_1"));
    things.extend(doored());
    things.push(movable("oru_3", standing(NEIGHBOUR, ORU[2]), 0.0, whole()));
    let mug = standing(MUG, MUG_HEIGHT);
    things.push(movable("mug", mug, 0.0, vec![cylinder(0.04, MUG_HEIGHT)]));
    things.push(carried("mug_handle", "mug", [0.055, 0.0, 0.0], block([0.028, 0.012, 0.06], [0.0; 3])));
    let book = standing(BOOK, BOOK_HEIGHT);
    things.push(movable("book", book, 0.0, vec![block([0.15, 0.21, BOOK_HEIGHT], [0.0; 3])]));
    things
}

/// The world file.
pub fn world_file() -> String {
    let mut text = String::from(
        "# Two K-1207i arms, a work table, a camera stand, two equipment stands, three ORU boxes, and a\n\
         # coffee mug beside a book. What rests on something rests 1 mm above it.\n\
         # Written by `cargo xtask rrc-cell`; metres.\n\nmargin = 0.01\n",
    );
    for (name, arm) in ["left", "right"].iter().zip(ARMS) {
        text += &format!(
            "\n[[robot]]\nname = \"{name}\"\nurdf = \"rrc_k1207i.urdf\"\nxyz = {}\n",
            list(arm.at.to_array())
        );
    }
    for Thing { name, at, turned, more, shapes } in things() {
        text += &format!("\n[[obstacle]]\nname = \"{name}\"\n{more}xyz = {}\n", list(at.to_array()));
        if turned != 0.0 {
            text += &format!("rpy = {}\n", list([0.0, 0.0, turned]));
        }
        match &shapes[..] {
            [shape] => text += &format!("shape = {shape}\n"),
            shapes => text += &format!("shapes = [\n  {},\n]\n", shapes.join(",\n  ")),
        }
    }
    text + GUARD
}

/// What a monitor is told. How the machine stops was never published; these are ours.
const GUARD: &str = r#"
# For `elbowroom monitor`: what the arms may do, how they stop, and what may touch what.
[guard]
period = 0.01
late = 0.025
look_ahead = 0.2
clearance = 0.003
contact_speed = 0.12
grasp_range = 0.005

[guard.roles]
supporting = ["world/table_top", "world/stand_1_top", "world/stand_2_top"]
manipulating = [
  "world/oru_1", "world/oru_1_handle", "world/oru_2", "world/oru_2_handle", "world/oru_3", "world/mug",
  "world/mug_handle",
]

[[guard.object]]
parts = [
  "world/table_top", "world/table_leg_1", "world/table_leg_2", "world/table_leg_3", "world/table_leg_4",
]

[[guard.object]]
parts = ["world/stand_1_top", "world/stand_1_column"]

[[guard.object]]
parts = ["world/stand_2_top", "world/stand_2_column"]

[[guard.arm]]
robot = "left"
end_effector = ["left/palm", "left/finger_1", "left/finger_2"]

[[guard.arm]]
robot = "right"
end_effector = ["right/palm", "right/finger_1", "right/finger_2"]

[guard.joints]
position_error = 0.0001
velocity_error = 0.001
velocity = { most = 0.6, reaction = "slow" }
acceleration = 8
latency = [0.004, 0.012]
profile = { type = "ramp", acceleration = 2, speed = 0.6 }
brake = { type = "deceleration", value = [6, 8] }
"#;
