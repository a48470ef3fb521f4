//! How far a joint goes on from the moment at which its brake begins to act.
//!
//! A joint brakes in the direction in which it moves and does not turn back; one that does not move stays.
//! The way is never shorter at a greater speed. Where directions, loads or temperatures differ, the worst one
//! is stated.

use super::range::{Range, add, divide_up, multiply_up};
use crate::fault::{Faults, Log, Place};
use crate::limits;

/// How a joint stops. Angles are radians; for a joint that slides read metres.
#[derive(Clone, Debug, PartialEq)]
pub enum Brake {
    /// The stopping angle is linear in the speed (haase10, Fig. 12): `offset + slope speed`.
    Linear {
        /// The angle for each unit of speed (rad/(rad/s) = s).
        slope: Range,
        /// What is added at every speed above zero (rad).
        offset: Range,
        /// The greatest speed at which this was measured (rad/s). Beyond it nothing is known.
        fastest: f64,
    },
    /// The brake decelerates by a constant, in this range (rad/s^2): the angle is `speed^2 / (2 d)`.
    Deceleration(Range),
    /// The stopping angle was measured at some speeds. Beyond the last of them nothing is known.
    Table(SpeedTable),
}

/// What is known of the stopping angle between the rows of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Between {
    /// It rises with the speed, and no more is known: the angle of the next row above counts.
    Rising,
    /// It rises, and bends upward: a chord lies above it, also the one from no speed and no angle. That is so
    /// for a delay and a deceleration that do not depend on the speed.
    Convex,
}

/// A row of a table: a stop that was measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StopRow {
    /// The speed at which the brake began to act (rad/s).
    pub speed: Range,
    /// The angle until rest (rad): its greatest value is never passed at this speed.
    pub way: Range,
}

/// A checked table of stopping angles over speed.
#[derive(Clone, Debug, PartialEq)]
pub struct SpeedTable {
    /// Speed (rad/s), and an angle (rad) that is not passed at this speed or below; both rising.
    rows: Box<[(f64, f64)]>,
    between: Between,
}

impl SpeedTable {
    /// A table of rows whose speeds rise and do not overlap.
    ///
    /// # Errors
    /// All faults: rows that are no numbers, that are not in order, or that contradict what is said to be
    /// known between them.
    pub fn new(rows: &[StopRow], between: Between) -> Result<SpeedTable, Faults> {
        let mut log = Log::default();
        if rows.is_empty() || rows.len() > limits::ROWS {
            let what = format!("the table has {} rows", rows.len());
            log.fault(Place::Field("brake.table"), what, format!("give 1 to {} rows", limits::ROWS));
        }
        for (number, row) in (1..).zip(rows) {
            let place = Place::Row { of: "brake.table", number };
            let numbers = row.speed.check(&mut log, place, "the speed");
            if numbers && row.speed.least == 0.0 {
                log.fault(place, "the speed may be zero", "leave out what was measured at rest");
            }
            row.way.check(&mut log, place, "the angle");
        }
        for (number, pair) in (2..).zip(rows.windows(2)) {
            let place = Place::Row { of: "brake.table", number };
            let [one, next] = pair else { continue };
            if next.speed.least <= one.speed.most {
                let what = "the speed is not above that of the row before";
                log.fault(place, what, "sort the rows by speed, and make one of those that overlap");
            }
        }
        // What no rising, or no convex, angle can do.
        let mut least: f64 = 0.0;
        for (number, row) in (1..).zip(rows) {
            if row.way.most < least {
                let place = Place::Row { of: "brake.table", number };
                let help = "give each row an uncertainty that holds all of its stops";
                log.fault(place, "the joint stops shorter here than at a smaller speed", help);
            }
            least = least.max(row.way.least);
        }
        let start = StopRow { speed: Range::exactly(0.0), way: Range::exactly(0.0) };
        let before = std::iter::once(&start).chain(rows);
        for (number, ((before, row), next)) in (1..).zip(before.zip(rows).zip(rows.iter().skip(1))) {
            let ends = [(before.speed.least, before.way.most), (next.speed.least, next.way.most)];
            if between == Between::Convex && row.way.least > chord_at(ends, row.speed.most) {
                let place = Place::Row { of: "brake.table", number };
                let what = "the angle lies above the chord of its neighbours, so the curve is not convex";
                log.fault(place, what, "say that it is only rising, or give the rows their uncertainty");
            }
        }
        // A rising angle is, at a measured speed and below, at most what was measured there; a greater one of
        // a row before is kept, so that the bound rises too.
        let mut most: f64 = 0.0;
        let rows = rows.iter().map(|row| {
            most = most.max(row.way.most);
            (row.speed.least, most)
        });
        let table = SpeedTable { rows: rows.collect(), between };
        log.finish(table)
    }

    /// An angle that is not passed at this speed (rad/s) or below; infinite beyond the last row.
    fn angle_not_passed(&self, speed: f64) -> f64 {
        let above = self.rows.partition_point(|(row, _)| *row < speed);
        let Some(&next) = self.rows.get(above) else { return f64::INFINITY };
        match self.between {
            Between::Rising => next.1,
            Between::Convex => {
                let before = above.checked_sub(1).and_then(|i| self.rows.get(i));
                chord_at([before.copied().unwrap_or((0.0, 0.0)), next], speed)
            }
        }
    }
}

/// The line through two points at a speed between them, or a little more; never above the second.
fn chord_at([(s0, w0), (s1, w1)]: [(f64, f64); 2], speed: f64) -> f64 {
    let part = divide_up((speed - s0).next_up(), (s1 - s0).next_down());
    add(w0, multiply_up((w1 - w0).next_up(), part)).min(w1)
}

impl Brake {
    /// By how much it slows a joint down at most (rad/s^2); infinite where only ways are known.
    pub(super) fn greatest_deceleration(&self) -> f64 {
        match self {
            Brake::Deceleration(range) => range.most,
            Brake::Linear { .. } | Brake::Table(_) => f64::INFINITY,
        }
    }

    pub(super) fn check(&self, log: &mut Log) {
        match self {
            Brake::Linear { slope, offset, fastest } => {
                slope.check(log, Place::Field("brake.slope"), "the slope");
                offset.check(log, Place::Field("brake.offset"), "the offset");
                if !(*fastest > 0.0) {
                    let what = format!("the greatest measured speed is {fastest}");
                    let help = "give the speed up to which stops were recorded";
                    log.fault(Place::Field("brake.fastest"), what, help);
                }
            }
            Brake::Deceleration(range) => {
                let place = Place::Field("brake.deceleration");
                if range.check(log, place, "the deceleration") && range.least == 0.0 {
                    log.fault(place, "the brake may not decelerate at all", "give a least value above zero");
                }
            }
            // Checked when it was made.
            Brake::Table(_) => {}
        }
    }

    /// An angle that is not passed from this speed (rad/s, above zero) or a smaller one; infinite where
    /// nothing is known.
    pub(super) fn way(&self, speed: f64) -> f64 {
        match self {
            Brake::Linear { slope, offset, fastest } => match speed <= *fastest {
                true => add(offset.most, multiply_up(slope.most, speed)),
                false => f64::INFINITY,
            },
            Brake::Deceleration(range) => divide_up(multiply_up(speed, speed), 2.0 * range.least),
            Brake::Table(table) => table.angle_not_passed(speed),
        }
    }
}
