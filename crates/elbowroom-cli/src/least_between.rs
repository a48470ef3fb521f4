//! The least clearance on a way that is proved apart: by what margins the way is proved free, and by which it
//! is not.
//!
//! Free with a margin is a lower bound; nearer than a margin at an instant is an upper bound, with the pair
//! and where. The margin is halved between both until they are within [`LEAST_SHARE`] of each other, or a
//! question is not decided. Most ways have their least at an end, so the first question, a little below the
//! clearance at the end, is often the last.

use crate::answer::json_number;
use crate::asked_way::AskedWay;
use crate::limits::{LEAST_LENGTH, LEAST_SHARE};
use elbowroom::World;
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
use elbowroom::world::BodyPair;
use serde_json::{Value, json};

/// The least clearance on a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastBetween {
    /// It is between these (metres).
    pub interval: [f64; 2],
    /// On which part of the way the upper end is reached; 1 is the sample that it leads to.
    pub part: f64,
    /// By which pair, if that is known.
    pub pair: Option<BodyPair>,
}

impl LeastBetween {
    /// Of a way that is proved farther apart than `apart` (metres), from the clearance at its end.
    pub fn find(
        checker: &mut MotionChecker,
        way: AskedWay<'_>,
        options: &EdgeOptions,
        apart: f64,
        at_end: LeastBetween,
    ) -> LeastBetween {
        let mut least =
            LeastBetween { interval: [apart.min(at_end.interval[1]), at_end.interval[1]], ..at_end };
        let mut margin = (1.0 - LEAST_SHARE) * least.interval[1];
        loop {
            let [low, high] = least.interval;
            if high - low <= (LEAST_SHARE * high).max(LEAST_LENGTH) || !(low < margin && margin < high) {
                return least;
            }
            match way.check(checker, &EdgeOptions { margin: Some(margin), ..*options }) {
                Edge::Free => least.interval[0] = margin,
                Edge::Contact { first, pair, .. } => {
                    least = LeastBetween { interval: [low, margin], part: first[1], pair: Some(pair) };
                }
                Edge::Unknown { .. } => return least,
            }
            margin = 0.5 * (least.interval[0] + least.interval[1]);
        }
    }

    /// As JSON; `times` are those of the two samples, if the motion has them.
    pub fn json(&self, world: &World, times: Option<[f64; 2]>) -> Value {
        json!({
            "lower": json_number(self.interval[0]),
            "upper": json_number(self.interval[1]),
            "part": json_number(self.part),
            "t": times.map(|times| json_number(time_on_way(times, self.part))),
            "pair": self.pair.and_then(|pair| world.body_names(pair)),
        })
    }
}

/// The time at a part of a way.
pub fn time_on_way([from, to]: [f64; 2], part: f64) -> f64 {
    if part >= 1.0 { to } else { from + (to - from) * part }
}
