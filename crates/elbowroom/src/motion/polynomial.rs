//! A polynomial of degree five at most on the way from 0 to 1, and what it does on an interval.
//!
//! On an interval with the middle `m` and half the length `h` it is written as `v(m + h x) = sum b_k x^k`
//! with `x` from -1 to 1. Half its chord is `b_1 + b_3 + b_5`, so what is left beside the straight motion
//! through the middle is `-(b_3 + b_5) x + b_2 x^2 + b_3 x^3 + b_4 x^4 + b_5 x^5`. Each term has a second or
//! higher power of `h`, so it falls to a quarter, at least, where the interval is halved.
//!
//! A polynomial is between the least and the largest of its Bernstein coefficients (Farouki, The Bernstein
//! polynomial basis: a centennial retrospective, 2012). They are taken for `x` from 0 to 1 and for `x` from 0
//! to -1. Coefficients of the second are those of the first with the sign of odd powers changed, so the
//! larger magnitude of both is the sum of two magnitudes. Two halves make the bound on a quintic from rest to
//! rest 1.4 times what it is beside its chord, and exact for how far it changes.
//!
//! The true value is that of exact arithmetic; what rounding costs is [`SPLINE_ROUNDING`].

use super::tolerance::SPLINE_ROUNDING;

/// A joint value on a piece of a motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Polynomial {
    /// By power of the fraction of the piece.
    terms: [f64; 6],
    /// What rounding may cost at any place.
    rounding: f64,
}

/// How a value goes on an interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stretch {
    /// How far it goes from the middle to the end along the chord.
    pub half: f64,
    /// How far it gets from its value at the middle, rounding included.
    pub change: f64,
    /// How far it gets from the straight motion through the middle, rounding included.
    pub beside: f64,
}

impl Stretch {
    pub const STILL: Stretch = Stretch { half: 0.0, change: 0.0, beside: 0.0 };
}

impl Polynomial {
    /// Of coefficients by power of the seconds since the piece began.
    pub fn new(coefficients: &[f64; 6], seconds: f64) -> Polynomial {
        let (mut terms, mut power) = (*coefficients, 1.0);
        for term in &mut terms {
            *term *= power;
            power *= seconds;
        }
        // What never moves has no error.
        let still = coefficients[1..].iter().all(|c| *c == 0.0);
        // A power of a time that underflows is no reason for infinity times zero.
        for (term, coefficient) in terms.iter_mut().zip(coefficients) {
            if *coefficient == 0.0 {
                *term = 0.0;
            }
        }
        let size: f64 = terms.iter().map(|term| term.abs()).sum();
        Polynomial { terms, rounding: if still { 0.0 } else { SPLINE_ROUNDING * size } }
    }

    /// A bound on every value and every sum on the way to it; not finite if a coefficient is not.
    pub fn size(&self) -> f64 {
        self.terms.iter().map(|term| term.abs()).sum()
    }

    /// Whether it is one number.
    pub fn is_still(&self) -> bool {
        self.terms[1..].iter().all(|term| *term == 0.0) && self.rounding == 0.0
    }

    /// The value at a fraction of the piece.
    #[inline]
    pub fn value_at(&self, t: f64) -> f64 {
        self.terms.iter().rev().fold(0.0, |sum, term| sum * t + term)
    }

    /// The coefficients about a fraction, by power of the distance from it in units of `length`.
    #[inline]
    fn terms_about(&self, at: f64, length: f64) -> [f64; 6] {
        let mut terms = self.terms;
        for low in 0..5 {
            for k in (low..5).rev() {
                terms[k] += at * terms[k + 1];
            }
        }
        let mut power = 1.0;
        for term in &mut terms {
            *term *= power;
            power *= length;
        }
        terms
    }

    /// By power of the distance from a fraction of the piece, in seconds, if the piece takes so long.
    pub fn coefficients_about(&self, at: f64, seconds: f64) -> [f64; 6] {
        let mut terms = self.terms_about(at, 1.0);
        let mut power = 1.0;
        for term in &mut terms {
            *term /= power;
            power *= seconds;
        }
        terms
    }

    /// How fast it changes, by the fraction of the piece.
    pub fn derivative(&self) -> Polynomial {
        let [_, a, b, c, d, e] = self.terms;
        let terms = [a, 2.0 * b, 3.0 * c, 4.0 * d, 5.0 * e, 0.0];
        let size: f64 = terms.iter().map(|term| term.abs()).sum();
        Polynomial { terms, rounding: if self.is_still() { 0.0 } else { SPLINE_ROUNDING * size } }
    }

    /// How it goes on an interval of the piece.
    #[inline]
    pub fn stretch_on(&self, [start, end]: [f64; 2]) -> Stretch {
        if self.is_still() {
            return Stretch::STILL;
        }
        let [_, first, second, third, fourth, fifth] =
            self.terms_about(0.5 * (start + end), 0.5 * (end - start));
        let bend = third + fifth;
        let even = [0.1 * second, 0.3 * second, 0.6 * second + 0.2 * fourth, second + fourth].map(f64::abs);
        // The largest Bernstein coefficient without the value at the middle, on either half.
        let most = |first: f64| {
            let odd = [0.4 * first, 0.6 * first + 0.1 * third, 0.8 * first + 0.4 * third, first + bend];
            (0..4).map(|i| even[i] + odd[i].abs()).fold(0.2 * first.abs(), f64::max)
        };
        let [change, beside] = [first, -bend].map(|first| most(first) + self.rounding);
        Stretch { half: first + bend, change, beside }
    }

    /// The least and the largest value on an interval, or a little beyond.
    pub fn range_on(&self, [start, end]: [f64; 2]) -> [f64; 2] {
        if self.is_still() {
            return [self.terms[0]; 2];
        }
        let [at, first, second, third, fourth, fifth] = self.terms_about(start, end - start);
        let rest = [
            0.0,
            0.2 * first,
            0.4 * first + 0.1 * second,
            0.6 * first + 0.3 * second + 0.1 * third,
            0.8 * first + 0.6 * second + 0.4 * third + 0.2 * fourth,
            first + second + third + fourth + fifth,
        ];
        let [low, high] =
            [rest.iter().copied().fold(0.0, f64::min), rest.iter().copied().fold(0.0, f64::max)];
        [at + low - self.rounding, at + high + self.rounding]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// From rest to rest, from 0 to 1.
    const REST: [f64; 6] = [0.0, 0.0, 0.0, 10.0, -15.0, 6.0];

    /// How far samples get from the middle, and from the chord through it.
    fn sample_stretch(polynomial: &Polynomial, [start, end]: [f64; 2]) -> (f64, f64) {
        let middle = polynomial.value_at(0.5 * (start + end));
        let half = 0.5 * (polynomial.value_at(end) - polynomial.value_at(start));
        (-200..=200).fold((0.0_f64, 0.0_f64), |(change, beside), k| {
            let x = f64::from(k) / 200.0;
            let away = polynomial.value_at(0.5 * (start + end) + 0.5 * x * (end - start)) - middle;
            (change.max(away.abs()), beside.max((away - half * x).abs()))
        })
    }

    #[test]
    fn a_quintic_from_rest_to_rest_is_bounded_closely() {
        let polynomial = Polynomial::new(&REST, 1.0);
        let whole = polynomial.stretch_on([0.0, 1.0]);
        let (change, beside) = sample_stretch(&polynomial, [0.0, 1.0]);
        assert!((whole.half - 0.5).abs() < 1e-13 && (whole.change - 0.5).abs() < 1e-12, "{whole:?}");
        assert!(change <= whole.change && beside <= whole.beside, "{whole:?}");
        assert!(whole.beside < 1.4 * beside, "{whole:?} {beside}");
        let [low, high] = polynomial.range_on([0.0, 1.0]);
        assert!((-1e-12..=0.0).contains(&low) && (1.0..1.0 + 1e-12).contains(&high), "{low} {high}");
    }

    #[test]
    fn no_sample_is_outside_and_halving_quarters_what_is_beside() {
        let mut rng = Rng::new(5);
        let mut loose = 0;
        for case in 0..4000 {
            let degree = 1 + case % 5;
            let seconds = rng.range(0.01, 4.0);
            let mut coefficients = [0.0; 6];
            let mut scale = 1.0;
            for c in &mut coefficients[..=degree] {
                *c = rng.range(-2.0, 2.0) / scale;
                scale *= seconds;
            }
            let polynomial = Polynomial::new(&coefficients, seconds);
            let (at, length) = (rng.range(0.0, 1.0), rng.pick(&[1.0, 0.3, 0.01, 1e-6]));
            let interval = [at * (1.0 - length), at * (1.0 - length) + length];
            let stretch = polynomial.stretch_on(interval);
            let (change, beside) = sample_stretch(&polynomial, interval);
            assert!(change <= stretch.change && beside <= stretch.beside, "{case} {interval:?} {stretch:?}");
            let [low, high] = polynomial.range_on(interval);
            for k in 0..=50 {
                let t = interval[0] + (interval[1] - interval[0]) * f64::from(k) / 50.0;
                let value = polynomial.value_at(t.min(interval[1]));
                assert!(low <= value && value <= high, "{case} {value}");
            }
            loose += usize::from(stretch.change > 1.5 * change + 1e-12);
            // Each term beside the chord falls to a quarter at least, but for rounding.
            let (middle, quarter) = (0.5 * (interval[0] + interval[1]), 0.25 * length);
            let terms = polynomial.terms_about(middle, 0.5 * length);
            let sum: f64 = terms[2..].iter().chain(&[terms[3] + terms[5]]).map(|term| term.abs()).sum();
            let half = polynomial.stretch_on([middle - quarter, middle + quarter]);
            assert!(half.beside <= 0.25 * sum + 1e-12, "{case} {half:?} {terms:?}");
        }
        assert!(loose < 200, "{loose}");
    }

    #[test]
    fn what_stands_still_has_no_error() {
        let polynomial = Polynomial::new(&[0.7, 0.0, 0.0, 0.0, 0.0, 0.0], 2.0);
        assert!(polynomial.is_still() && polynomial.value_at(0.3) == 0.7);
        assert_eq!(polynomial.stretch_on([0.1, 0.4]), Stretch::STILL);
        assert_eq!(polynomial.range_on([0.1, 0.4]), [0.7; 2]);
    }
}
