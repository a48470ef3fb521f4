//! What the arms do: a clean pick and place, and six motions that must be stopped.

use super::arm::{Values, down};
use super::cell::{ARMS, BOOK, BOOK_TOP, DOORED, FIRST, GAP, MUG, MUG_TOP, NEIGHBOUR, ORU, SECOND, TOP};
use super::motion::Script;
use anyhow::Result;
use elbowroom::math::{Transform, Vec3, vec3};

/// How high the finger tips are over a box that they hold by its handle (metres).
const OVER: f64 = 0.015;
/// From how far above a box is approached, and how far it is lifted (metres).
const HOVER: f64 = 0.07;
/// The time for that when something is approached: with this profile it is 0.049 m/s at most (seconds).
const SLOWLY: f64 = 2.7;
/// And when the hand leaves (seconds).
const AWAY: f64 = 1.4;
/// Numbers of the arms.
const LEFT: usize = 0;
const RIGHT: usize = 1;

/// The frame of a hand that holds a box which stands at a place, raised.
fn holding((at, heading): (Vec3, f64), raised: f64) -> Transform {
    down(vec3(at.x, at.y, TOP + GAP + ORU[2] + OVER + raised), heading)
}

/// Joint values of an arm that bends with its elbow up towards a heading, for a hand that points down.
fn bent(heading: f64) -> Values {
    [heading - std::f64::consts::FRAC_PI_2, 0.3, 0.0, 1.5, 0.0, 1.34, 0.0]
}

/// Where both arms begin in all scripts: the left hand over the first box, the right one over the table.
pub fn starts() -> Result<[Values; 2]> {
    let over_table = down(vec3(0.68, -0.28, 0.96), 0.3);
    Ok([
        ARMS[LEFT].solve(&holding(FIRST, HOVER), &bent(FIRST.1))?,
        ARMS[RIGHT].solve(&over_table, &bent(0.3))?,
    ])
}

fn intent(script: &mut Script, fields: &str) {
    script.event(&format!("\"intent\": {{{fields}}}"));
}

/// The left arm takes the first box and lifts it.
fn pick_first(script: &mut Script) -> Result<()> {
    intent(script, r#""pick": "world/oru_1", "from": "world/stand_1_top", "arm": "left""#);
    script.line(LEFT, &holding(FIRST, 0.0), SLOWLY)?;
    attach(script, "oru_1", "left", "");
    script.wait(0.1);
    script.line(LEFT, &holding(FIRST, HOVER), AWAY)
}

/// The fingers may touch what they hold; the palm carries it. It touches some more when it is taken.
fn attach(script: &mut Script, name: &str, arm: &str, more: &str) {
    script.event(&format!(
        "\"attach\": {{\"name\": \"{name}\", \"attached_to\": \"{arm}/palm\", \
         \"touch\": [\"{arm}/finger_1\", \"{arm}/finger_2\"{more}]}}"
    ));
}

/// Joint values for a frame, near those at the end of all moves so far with the arm swung round to a heading.
fn swung(script: &Script, arm: usize, to: &Transform, heading: f64) -> Result<Values> {
    let mut near = script.values_of_arm(arm);
    near[0] = heading - std::f64::consts::FRAC_PI_2;
    ARMS[arm].solve(to, &near)
}

fn pick(script: &mut Script) -> Result<()> {
    pick_first(script)?;
    intent(script, r#""place": "world/oru_1", "on": "world/stand_2_top", "arm": "left""#);
    let over = swung(script, LEFT, &holding(SECOND, HOVER), SECOND.1)?;
    script.turn(LEFT, over, 3.2);
    script.line(LEFT, &holding(SECOND, 0.0), SLOWLY)?;
    script.event(r#""detach": {"name": "oru_1"}"#);
    script.wait(0.1);
    script.line(LEFT, &holding(SECOND, HOVER), AWAY)?;
    intent(script, r#""arm": "left""#);
    script.wait(0.2);
    Ok(())
}

fn bump(script: &mut Script) -> Result<()> {
    intent(script, r#""arm": "right""#);
    script.line(RIGHT, &down(vec3(0.68, -0.28, TOP - 0.05), 0.3), 4.5)
}

fn held_box(script: &mut Script) -> Result<()> {
    pick_first(script)?;
    intent(script, r#""place": "world/oru_1", "on": "world/table_top", "arm": "left""#);
    let heading = -0.30;
    let beside = vec3(NEIGHBOUR.x, NEIGHBOUR.y + 0.08, 0.0);
    let onto = swung(script, LEFT, &holding((beside, heading), HOVER), heading)?;
    script.turn(LEFT, onto, 7.0);
    Ok(())
}

fn door(script: &mut Script) -> Result<()> {
    intent(script, r#""pick": "world/oru_2", "from": "world/table_top", "arm": "right""#);
    let over = swung(script, RIGHT, &holding((DOORED, 0.0), HOVER), 0.57)?;
    script.turn(RIGHT, over, 3.0);
    script.line(RIGHT, &holding((DOORED, 0.0), 0.0), SLOWLY)?;
    // Its door hangs 3 mm over the table.
    attach(script, "oru_2", "right", r#", "world/table_top""#);
    script.wait(0.1);
    script.line(RIGHT, &holding((DOORED, 0.0), 0.03), AWAY)?;
    // In the hand, its door opens to 0.8 rad within two seconds.
    for step in 1..=80 {
        script.wait(0.02);
        script.event(&format!(
            "\"open\": {{\"name\": \"oru_2_door\", \"value\": {}}}",
            f64::from(step) / 100.0
        ));
    }
    script.wait(0.4);
    Ok(())
}

fn cross(script: &mut Script) -> Result<()> {
    intent(script, r#""arm": "left""#);
    intent(script, r#""arm": "right""#);
    let ends = [vec3(0.72, 0.0, 0.98), vec3(0.60, 0.15, 0.98)];
    let left = swung(script, LEFT, &down(ends[0], -0.6), -0.6)?;
    let right = swung(script, RIGHT, &down(ends[1], 0.85), 0.85)?;
    script.both(&[(LEFT, left), (RIGHT, right)], 8.0);
    Ok(())
}

fn fold(script: &mut Script) -> Result<()> {
    intent(script, r#""arm": "right""#);
    let mut folded = script.values_of_arm(RIGHT);
    (folded[1], folded[3], folded[5]) = (-0.35, 2.65, 2.1);
    script.turn(RIGHT, folded, 5.0);
    Ok(())
}

fn mug(script: &mut Script) -> Result<()> {
    intent(script, r#""pick": "world/mug", "from": "world/table_top", "arm": "right""#);
    // Over the mug, down to it, then aside and down into the book.
    let heading = 0.1;
    let over = |raised: f64| down(vec3(MUG.x, MUG.y, MUG_TOP + raised), heading);
    let above = swung(script, RIGHT, &over(0.05), heading)?;
    script.turn(RIGHT, above, 3.6);
    script.line(RIGHT, &over(0.001), 1.9)?;
    script.wait(0.1);
    script.line(RIGHT, &over(0.05), AWAY)?;
    let beside = |z: f64| down(vec3(BOOK.x, BOOK.y, z), heading);
    script.line(RIGHT, &beside(MUG_TOP + 0.05), 1.8)?;
    script.line(RIGHT, &beside(BOOK_TOP - 0.02), 2.4)
}

/// A script.
pub struct Task {
    /// Its file's name, without the ending.
    pub name: &'static str,
    /// What it is, in one sentence.
    pub about: &'static str,
    /// When something first overlaps (seconds), and what; `None` where nothing does.
    pub meets: Option<(f64, [&'static str; 2])>,
    write: fn(&mut Script) -> Result<()>,
}

/// All scripts. The table of what meets is what the engine says of them; the survey holds it against that.
pub const TASKS: [Task; 7] = [
    Task {
        name: "pick",
        about: "The left arm takes ORU box 1 from stand 1 by its handle, places it on stand 2 and retreats.",
        meets: None,
        write: pick,
    },
    Task {
        name: "bump",
        about: "The right hand goes straight down into the table.",
        meets: Some((3.16, ["right/finger_2", "world/table_top"])),
        write: bump,
    },
    Task {
        name: "held_box",
        about: "The left arm takes ORU box 1 and swings it against ORU box 3.",
        meets: Some((9.65, ["world/oru_1", "world/oru_3"])),
        write: held_box,
    },
    Task {
        name: "door",
        about: "The right arm lifts ORU box 2, and its door swings open into ORU box 3.",
        meets: Some((8.06, ["world/oru_2_door", "world/oru_3"])),
        write: door,
    },
    Task {
        name: "cross",
        about: "Both arms reach over the table to the other's side, and cross.",
        meets: Some((6.16, ["left/link_6", "right/link_6"])),
        write: cross,
    },
    Task {
        name: "self",
        about: "The right arm folds until its fingers meet its own shoulder.",
        meets: Some((4.07, ["right/link_2", "right/finger_1"])),
        write: fold,
    },
    Task {
        name: "mug",
        about: "The right hand goes for the mug, comes away from it, and goes down into the book beside it.",
        meets: Some((10.52, ["right/finger_2", "world/book"])),
        write: mug,
    },
];

/// The lines of a script.
pub fn lines(task: &Task) -> Result<String> {
    let mut script = Script::new(ARMS, starts()?);
    (task.write)(&mut script)?;
    Ok(script.lines())
}
