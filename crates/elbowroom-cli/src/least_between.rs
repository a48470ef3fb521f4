//! The least clearance on a way that is proved apart.
//!
//! A margin with which the way is free is a lower bound. A margin with which it is not is an upper bound, and
//! the search for first contact names the pair and the place. The margin is bisected until both bounds are
//! within [`LEAST_SHARE`] of each other, or a question is not decided. Most ways have their least at an end,
//! so the first question, a little below the clearance at the end, is often the last.

use crate::answer::json_number;
use crate::asked_way::AskedWay;
use crate::limits::{LEAST_LENGTH, LEAST_SHARE};
use crate::way_time::time_on_way;
use crate::way_watch::WayWatch;
use elbowroom::World;
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
use elbowroom::world::BodyPair;
use serde_json::{Value, json};

/// The least clearance on a way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LeastBetween {
    /// It is between these (metres).
    pub interval: [f64; 2],
    /// The part of the way at which the upper end is reached; 1 is the sample that it leads to.
    pub part: f64,
    /// The pair that reaches it, if that is known.
    pub pair: Option<BodyPair>,
}

impl LeastBetween {
    /// Searches a way that is proved farther apart than `apart` (metres), from the clearance at its end on.
    pub fn find_least(
        checker: &mut MotionChecker,
        way: AskedWay<'_>,
        options: &EdgeOptions,
        apart: f64,
        at_end: LeastBetween,
        watch: &mut WayWatch,
    ) -> LeastBetween {
        let mut least =
            LeastBetween { interval: [apart.min(at_end.interval[1]), at_end.interval[1]], ..at_end };
        let mut margin = (1.0 - LEAST_SHARE) * least.interval[1];
        loop {
            let [low, high] = least.interval;
            if high - low <= (LEAST_SHARE * high).max(LEAST_LENGTH) || !(low < margin && margin < high) {
                return least;
            }
            match way.check_free(checker, &options.margin(margin), watch) {
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
    pub fn json_least(&self, world: &World, times: Option<[f64; 2]>) -> Value {
        json!({
            "lower": json_number(self.interval[0]),
            "upper": json_number(self.interval[1]),
            "part": json_number(self.part),
            "t": times.map(|times| json_number(time_on_way(times, self.part))),
            "pair": self.pair.and_then(|pair| world.body_names(pair)),
        })
    }
}
