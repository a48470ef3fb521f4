//! The largest value that a quantity reaches on a piece of a spline: the rate of a joint value, how far it
//! swings out beyond both ends, or how far it is beyond its limits.
//!
//! The ranges of polynomials ([`super::polynomial`]) bound the quantity on any interval, from above and at a
//! single place from below. The interval with the largest upper bound is halved, and its middle is evaluated.
//! So the bound falls and what was reached grows, until the caller has enough: until the bound is below what
//! matters, or until the two are close. Bounds of Bernstein coefficients close in with the square of the
//! length, so some tens of intervals are looked at. It also ends at the shortest interval
//! ([`LIMIT_HALVINGS`]) and after [`PEAK_INTERVALS`]; what is not proved by then counts as beyond.

use super::spline::SplinePiece;
use super::tolerance::{LIMIT_HALVINGS, PEAK_INTERVALS, PEAK_SHARE, RATE_ROUNDING};
use alloc::vec;

/// The largest value of a quantity on a piece of a spline, as [`SplinePiece::find_rate_peak`] and
/// [`SplinePiece::find_swing`] find it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SplinePeak {
    /// It is proved to be as large as this, or larger, at `at`.
    pub reached: f64,
    /// It is proved to be nowhere larger than this.
    pub bound: f64,
    /// Where it was reached, as a fraction of the piece.
    pub at: f64,
    /// And in seconds since the piece began.
    pub seconds: f64,
}

impl SplinePeak {
    /// Whether it is not proved to stay within a limit. The limit itself is allowed, and a billionth part
    /// more, for rounding.
    pub fn is_beyond(&self, most: f64) -> bool {
        !(self.bound <= most * (1.0 + RATE_ROUNDING))
    }

    /// Whether what was reached is known up to a billionth part of it.
    fn is_close(&self) -> bool {
        self.bound - self.reached <= PEAK_SHARE * self.reached
    }
}

impl SplinePiece {
    /// The largest magnitude of how fast a joint value changes: of its velocity (`order` 1), acceleration (2)
    /// or jerk (3), by seconds. `reached` and `bound` are within a billionth part of each other, unless both
    /// are below `enough`, where the search ends earlier. The tolerance is not included. `None`
    /// for a number of an orientation, for a value that the world does not have, and if the numbers overflow.
    ///
    /// ```
    /// use elbowroom::World;
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::motion::SplinePiece;
    ///
    /// // From rest at 0 to rest at 1 rad, in two seconds: fastest half way, by 1.875 / 2 rad/s.
    /// let world = World::compile(&rod_and_post())?;
    /// let rest = [&[0.0][..], &[0.0]];
    /// let piece = SplinePiece::quintic_between(&world, 2.0, [&[0.0], &[1.0]], rest, rest)?;
    /// let fastest = piece.find_rate_peak(0, 1, 0.0).expect("it is no orientation");
    /// assert!((fastest.reached - 0.9375).abs() < 1e-9 && (fastest.seconds - 1.0).abs() < 1e-4);
    /// assert!(!fastest.is_beyond(0.9375) && fastest.is_beyond(0.93));
    ///
    /// // Whether it stays within a limit, with less work.
    /// assert_eq!(piece.find_rate_fault(0, 1, 1.0), None);
    /// let fault = piece.find_rate_fault(0, 1, 0.9).expect("it is faster");
    /// assert!(fault.reached > 0.93);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn find_rate_peak(&self, value: usize, order: u8, enough: f64) -> Option<SplinePeak> {
        let magnitude = |interval: [f64; 2]| {
            let [low, high] = self.rate_range(value, order, interval);
            [low.max(-high).max(0.0), high.max(-low)]
        };
        let is_enough = |peak: &SplinePeak| peak.bound <= enough || peak.is_close();
        let known = self.rate_range(value, order, [0.0, 1.0]).into_iter().all(f64::is_finite);
        known.then(|| self.find_peak(magnitude, is_enough))
    }

    /// The largest rate of [`SplinePiece::find_rate_peak`], if it is not proved to stay within a limit
    /// ([`SplinePeak::is_beyond`]). At the shortest interval that is looked at, `reached` may still be
    /// within the limit: only `bound` is beyond it then.
    pub fn find_rate_fault(&self, value: usize, order: u8, most: f64) -> Option<SplinePeak> {
        self.find_rate_peak(value, order, most).filter(|peak| peak.is_beyond(most))
    }

    /// How far a joint value gets beyond both of its ends, at most (radians, metres): 0 or less, up to
    /// rounding, where it stays between them. Below `enough` the search ends earlier. `None` for a
    /// number of an orientation, and for a value that the world does not have.
    pub fn find_swing(&self, value: usize, enough: f64) -> Option<SplinePeak> {
        let [start, end] = [0.0, 1.0].map(|at| self.value_range(value, [at; 2]));
        let (lower, upper) = (start[0].min(end[0]), start[1].max(end[1]));
        let beyond = |interval: [f64; 2]| measure_excess(self.value_range(value, interval), [lower, upper]);
        let is_enough = |peak: &SplinePeak| peak.bound <= enough || peak.reached > enough && peak.is_close();
        (lower <= upper).then(|| self.find_peak(beyond, is_enough))
    }

    /// Searches for the largest value of a quantity whose range on an interval a function bounds.
    pub(super) fn find_peak(
        &self,
        range_on: impl Fn([f64; 2]) -> [f64; 2],
        is_enough: impl Fn(&SplinePeak) -> bool,
    ) -> SplinePeak {
        let [_, bound] = range_on([0.0, 1.0]);
        let mut peak = SplinePeak { reached: f64::NEG_INFINITY, bound, at: 0.0, seconds: 0.0 };
        let look_at = |peak: &mut SplinePeak, at: f64| {
            let [reached, _] = range_on([at; 2]);
            if reached > peak.reached {
                (peak.reached, peak.at, peak.seconds) = (reached, at, at * self.duration_seconds());
            }
        };
        look_at(&mut peak, 0.0);
        look_at(&mut peak, 1.0);
        if is_enough(&peak) {
            return peak;
        }
        let mut open = vec![(peak.bound, 0, [0.0, 1.0])];
        for _ in 0..PEAK_INTERVALS {
            // Among equal bounds the shorter interval comes first, so that the search ends on flat tops.
            let largest = (0..open.len()).max_by(|a, b| {
                let key = |k: usize| (open[k].0, open[k].1);
                key(*a).0.total_cmp(&key(*b).0).then(key(*a).1.cmp(&key(*b).1))
            });
            let Some((bound, halvings, [start, end])) = largest.map(|k| open.swap_remove(k)) else { break };
            peak.bound = bound.max(peak.reached);
            if is_enough(&peak) || halvings == LIMIT_HALVINGS {
                break;
            }
            let middle = 0.5 * (start + end);
            look_at(&mut peak, middle);
            for half in [[start, middle], [middle, end]] {
                // No half is more than the whole.
                open.push((range_on(half)[1].min(bound), halvings + 1, half));
            }
        }
        peak
    }
}

/// How far values of a range are beyond others, as a range.
pub(super) fn measure_excess([low, high]: [f64; 2], [lower, upper]: [f64; 2]) -> [f64; 2] {
    [(lower - high).max(low - upper), (lower - low).max(high - upper)]
}
