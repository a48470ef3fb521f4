//! The splines by which a motion goes from row to row.

use super::data::Motion;
use super::ways::MotionWays;
use elbowroom::World;
use elbowroom::motion::{SplineFault, SplinePiece};

impl Motion {
    /// Whether the way that leads to a row is straight in all joint values.
    pub fn is_straight_to(&self, row: usize) -> bool {
        match &self.ways {
            MotionWays::Straight => true,
            // Where one trajectory follows another, both rows are one instant.
            MotionWays::Polynomials(_) => !(self.seconds_to(row) > 0.0),
            MotionWays::Rates(rates) => {
                let moves = |row: usize| rates.get(row).is_some_and(|own| !own.velocities.is_empty());
                !(row > 0 && moves(row - 1) && moves(row) && self.seconds_to(row) > 0.0)
            }
        }
    }

    /// The way that leads to a row, which is not the first, as a spline in time. A straight way in a motion
    /// without times takes a second.
    ///
    /// # Errors
    /// The spline is refused; or the motion has no such way, whose length then is no number.
    pub fn spline_to(&self, world: &World, row: usize) -> Result<SplinePiece, SplineFault> {
        let Some([from, to]) = row.checked_sub(1).and_then(|k| self.rows.get(k..=row)).and_then(both) else {
            return Err(SplineFault::Seconds(f64::NAN));
        };
        let seconds = match self.seconds_to(row) {
            seconds if seconds > 0.0 => seconds,
            _ => 1.0,
        };
        let ends = [&from[..], &to[..]];
        if self.is_straight_to(row) {
            return SplinePiece::linear_between(world, seconds, ends);
        }
        match &self.ways {
            MotionWays::Straight => SplinePiece::linear_between(world, seconds, ends),
            MotionWays::Polynomials(pieces) => {
                SplinePiece::new(world, seconds, pieces.get(row - 1).map_or(&[], Vec::as_slice))
            }
            MotionWays::Rates(rates) => {
                let [a, b] = [&rates[row - 1], &rates[row]];
                let straight: Vec<bool> =
                    a.velocities.iter().zip(&b.velocities).map(|(a, b)| a.is_nan() || b.is_nan()).collect();
                let moving = |rates: &[f64]| -> Vec<f64> {
                    let all = rates.iter().zip(&straight);
                    all.map(|(rate, straight)| if *straight { 0.0 } else { *rate }).collect()
                };
                let [v, w] = [a, b].map(|own| moving(&own.velocities));
                let piece = if a.accelerations.is_empty() || b.accelerations.is_empty() {
                    SplinePiece::cubic_between(world, seconds, ends, [&v, &w])
                } else {
                    let [a, b] = [a, b].map(|own| moving(&own.accelerations));
                    SplinePiece::quintic_between(world, seconds, ends, [&v, &w], [&a, &b])
                };
                if !straight.contains(&true) {
                    return piece;
                }
                let line = SplinePiece::linear_between(world, seconds, ends)?.part_coefficients([0.0, 1.0]);
                let mut rows = piece?.part_coefficients([0.0, 1.0]);
                for ((row, line), _) in rows.iter_mut().zip(line).zip(&straight).filter(|(_, own)| **own) {
                    *row = line;
                }
                SplinePiece::new(world, seconds, &rows)
            }
        }
    }

    /// How long the way to a row takes; NaN where the motion has no times.
    fn seconds_to(&self, row: usize) -> f64 {
        let t = self.t.as_deref().unwrap_or(&[]);
        row.checked_sub(1).and_then(|k| t.get(k..=row)).map_or(f64::NAN, |t| t[1] - t[0])
    }
}

fn both(rows: &[Vec<f64>]) -> Option<[&Vec<f64>; 2]> {
    match rows {
        [from, to] => Some([from, to]),
        _ => None,
    }
}
