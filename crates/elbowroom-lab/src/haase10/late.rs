//! How wrong a late position is, and what prediction and a model of the brake leave of it (haase10, section
//! IV-A, Figs. 8, 12 and 13).
//!
//! A joint moves at a speed, and stops at a random moment. What is known then is what its encoder said last,
//! up to a period ago and late by the delay. Three guesses of where it comes to rest are compared with where
//! it does: the last position; the prediction by the last difference (8), for the time until the stop acts;
//! the same with the brake's mean way. The paper has 3 degrees and 8.11 mm (6, 7) for the first while it
//! moves, and 0.55 degrees and 1.17 mm for the last. Its pair of numbers is of another lever: 0.55 degrees at
//! 155 mm are 1.49 mm.

use elbowroom::math::Random;

/// Time between two positions (s), and the longest time until a position is told and a stop acts.
const PERIOD: f64 = 1.0 / 30.0;
const DELAY: f64 = 0.03;
/// A step of the encoder (degrees).
const ENCODER: f64 = 360.0 / 1024.0;
/// Stopping angle for each unit of speed (s), at least and at most.
const SLOPE: [f64; 2] = [0.018, 0.022];
/// The finger's length (mm).
const LEVER: f64 = 155.0;
/// Stops at each speed.
const STOPS: usize = 2_000;

/// The largest errors at a speed (degrees): of the last position and of the prediction while the joint moves;
/// of both, and of the prediction with the brake, at rest.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LateRow {
    /// Degrees per second.
    pub speed: f64,
    /// Of the last position, while it moves (Fig. 8).
    pub moving: f64,
    /// Of the prediction by the last difference (8), while it moves.
    pub predicted: f64,
    /// Of the last position, at rest (Fig. 11).
    pub at_rest: f64,
    /// Of the prediction with the brake's mean way, at rest (Fig. 13).
    pub with_brake: f64,
}

/// An angle at the finger's length (mm).
pub fn arc_of(degrees: f64) -> f64 {
    LEVER * degrees.to_radians()
}

/// The errors at speeds from 10 to 100 degrees per second.
pub fn measure_late_errors() -> Vec<LateRow> {
    (1..=10_u32).map(|k| errors_at(10.0 * f64::from(k), &mut Random(k.into()))).collect()
}

fn errors_at(speed: f64, random: &mut Random) -> LateRow {
    let mut row = LateRow { speed, ..LateRow::default() };
    let read = |q: f64| (q / ENCODER).round() * ENCODER;
    for _ in 0..STOPS {
        // The joint is at `speed t`; the last position was taken a while before the time at which it is used.
        let (age, start) = (random.range(0.0, DELAY), random.range(0.0, ENCODER));
        let [last, before] = [0.0, PERIOD].map(|earlier| read(start - speed * earlier));
        let now = start + speed * age;
        // (8), for the part of a period that went by.
        let known_speed = (last - before) / PERIOD;
        let predicted = last + known_speed * age;
        let acts = random.range(0.0, DELAY);
        let rest = now + speed * (acts + random.range(SLOPE[0], SLOPE[1]));
        let mean = known_speed * (0.5 * DELAY + 0.5 * (SLOPE[0] + SLOPE[1]));
        let worst = |most: &mut f64, guess: f64, truth: f64| *most = most.max((guess - truth).abs());
        worst(&mut row.moving, last, now);
        worst(&mut row.predicted, predicted, now);
        worst(&mut row.at_rest, last, rest);
        worst(&mut row.with_brake, predicted + mean, rest);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_position_is_three_degrees_off_at_the_greatest_speed() {
        let rows = measure_late_errors();
        // Equations 6 and 7, and half a step of the encoder.
        let last = rows.last().unwrap();
        assert!((2.9..3.0 + 0.51 * ENCODER).contains(&last.moving), "{last:?}");
        assert!((arc_of(3.0) - 8.11).abs() < 0.01);
        for row in &rows {
            // The overrun is linear in the speed, with the delays in it (Fig. 12).
            let most = row.speed * (2.0 * DELAY + SLOPE[1]) + 0.51 * ENCODER;
            assert!(row.at_rest <= most && row.at_rest > 0.8 * (most - ENCODER), "{row:?}");
            assert!(row.with_brake < 0.6 * row.at_rest + 1.5 * ENCODER, "{row:?}");
        }
        // A difference of two readings knows the speed only to a step a period: prediction pays where joints
        // are fast.
        assert!(last.predicted < 0.4 * last.moving, "{last:?}");
    }
}
