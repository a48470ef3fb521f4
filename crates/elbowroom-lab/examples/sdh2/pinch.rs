//! The hand with pads on its tips, and a motion in which two fingers press these on each other.

use super::Written;
use super::grasp::motion_file;
use super::guard::guard_table;
use super::survey::load;
use anyhow::{Result, anyhow, ensure};
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
use elbowroom::{Checker, PadChecker, Question, Verdict};
use elbowroom_lab::haase10::dimensions::{ARC_MIDDLE, TIP_HALF_WIDTH, TIP_LENGTH, TIP_RADIUS};

/// How far a pad may be pressed in (metres; section IV-D).
const DEPTH: f64 = 0.0013;
/// What is left free around the arc in the pads' regions, and of the arc at the shaft (metres). Ours.
const ROOM: f64 = 0.001;
/// See [`ROOM`]: less than the first facet of the arc, which stays.
const END: f64 = 0.0004;

/// What the motion goes through: fingers 1 and 3 face each other, lean inwards, and pinch.
pub const VIAS: [([f64; 7], usize); 2] =
    [([90.0, -20.0, 25.0, -60.0, -30.0, -20.0, 25.0], 60), ([90.0, 0.4, 25.0, -60.0, -30.0, 0.4, 25.0], 0)];
/// Between these two pads together are pressed in at the end (metres).
const PRESS: std::ops::Range<f64> = 0.001..0.0013;

pub fn pinch_file() -> String {
    motion_file(&VIAS)
}

/// The world: the hand, and a pad on the arc of each tip.
pub fn world() -> String {
    let (low, high) = (ARC_MIDDLE[2] + END, TIP_LENGTH + ROOM);
    let size = [TIP_RADIUS + 2.0 * ROOM, 2.0 * (TIP_HALF_WIDTH + ROOM), high - low];
    let [x, y, z] = size.map(|length| format!("{length:.4}"));
    let middle = 0.5 * (low + high);
    let mut text = String::from(
        "# The hand with pads on the arcs of its tips. They give way by 1.3 mm (Haase and Woern, section \
         IV-D).\n\
         # Where they are on these shapes of ours is ours too: a region holds the arc of a tip but for its \
         end\n\
         # at the shaft.\n\
         # Written by `cargo xtask sdh2`; metres.\n\n\
         margin = 0.001\n\n[[robot]]\nname = \"hand\"\nurdf = \"hand.urdf\"\n",
    );
    for finger in 1..=3 {
        text += &format!(
            "\n[[pad]]\nname = \"tip {finger}\"\nlink = \"hand/finger_{finger}_tip\"\ndepth = {DEPTH}\n\
             region = {{ type = \"box\", size = [{x}, {y}, {z}], xyz = [0, 0, {middle:.4}] }}\n"
        );
    }
    text + "\n" + &guard_table()
}

/// Checks that the fingers come together without touching anything but pads, and press these at the end.
pub fn survey(files: &Written) -> Result<String> {
    let (world, rows) = load(files, "pads.toml", "pinch.csv")?;
    let pads = PadChecker::new(&world).zip(world.drawn_back());
    let (mut pads, drawn_back) = pads.ok_or_else(|| anyhow!("there are no pads"))?;
    let (mut checker, question) = (Checker::new(&world), Question::distance());
    let (mut pressed, mut last) = (0, 0.0);
    for (i, row) in rows.iter().enumerate() {
        checker.set(row).map_err(|e| anyhow!("sample {i}: {e}"))?;
        let answer = checker.ask(&question);
        let verdict = pads.judge_answer(&mut checker, &question, answer).verdict;
        ensure!(verdict <= Verdict::ExpectedContact, "sample {i} is {verdict}");
        pressed += usize::from(verdict == Verdict::ExpectedContact);
        last = -answer.distance;
    }
    let mut ways = MotionChecker::new(drawn_back);
    let apart = EdgeOptions::default().margin(0.0);
    for pair in rows.windows(2) {
        let way = ways.check_edge([&pair[0], &pair[1]], &apart).map_err(|e| anyhow!("a way: {e}"))?;
        ensure!(way == Edge::Free, "a way between two samples touches more than pads: {way:?}");
    }
    ensure!(PRESS.contains(&last), "the pads are pressed by {last} m at the end");
    Ok(format!("{} samples, {pressed} with contact on pads alone, {last:.4} m at the end", rows.len()))
}
