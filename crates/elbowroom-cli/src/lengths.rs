//! Lengths for people, in the unit that suits them.

/// How many digits lengths have for people.
#[derive(Clone, Copy, Default)]
pub struct LengthDigits {
    /// The power of ten of the last digit that must be seen (metres).
    last: Option<i32>,
}

/// A unit, how many of it are a metre, and the digits behind the point.
type LengthUnit = (&'static str, f64, i32);

impl LengthDigits {
    /// Two to four digits, or as many as this length needs.
    pub fn showing(length: Option<f64>) -> LengthDigits {
        let last = length.and_then(|length| {
            let text = format!("{length:e}");
            let (digits, power) = text.split_once('e')?;
            let behind = digits.split_once('.').map_or(0, |(_, behind)| behind.len());
            Some(power.parse::<i32>().ok()? - i32::try_from(behind).ok()?)
        });
        LengthDigits { last }
    }

    /// The unit that suits a size; none for what is too small.
    fn length_unit(self, size: f64) -> Option<LengthUnit> {
        let (unit, factor, power, digits) = match size {
            s if s >= 1.0 => ("m", 1.0, 0, 3),
            s if s >= 1e-4 => ("mm", 1e3, 3, 2),
            s if s >= 1e-7 => ("um", 1e6, 6, 3),
            s if s >= 1e-10 => ("nm", 1e9, 9, 2),
            _ => return None,
        };
        // More digits than a number has are none.
        let needed = self.last.map_or(0, |last| (-last - power).clamp(0, 15));
        Some((unit, factor, digits.max(needed)))
    }

    /// A length for people, in the unit that suits it.
    pub fn length_text(self, metres: f64) -> String {
        let size = metres.abs();
        match self.length_unit(size) {
            _ if !metres.is_finite() && metres > 0.0 => "inf".into(),
            _ if !metres.is_finite() && metres < 0.0 => "-inf".into(),
            _ if !metres.is_finite() => "unknown".into(),
            Some((unit, factor, digits)) => format!("{:.*} {unit}", digits as usize, metres * factor),
            None if size == 0.0 => "0".into(),
            None => format!("{metres:.1e} m"),
        }
    }

    /// Two lengths for people, in the unit that suits the larger; one if no digit tells them apart.
    pub fn span_text(self, lower: f64, upper: f64) -> String {
        let size = lower.abs().max(upper.abs());
        let (unit, factor, digits) = self.length_unit(size).unwrap_or(("m", 1.0, 0));
        let one = |metres: f64| {
            let value = metres * factor;
            // Only zero is shown as zero: the sign of any other number is proved.
            let vanishes = value != 0.0 && value.abs() < 0.5 * 0.1_f64.powi(digits);
            if vanishes {
                format!("{value:.1e} {unit}")
            } else {
                format!("{value:.0$} {unit}", digits as usize)
            }
        };
        let (lower, upper) = (one(lower), one(upper));
        if lower == upper { lower } else { format!("{lower} to {upper}") }
    }
}

/// A length for people: two to four digits with a unit that suits it.
pub fn length_text(metres: f64) -> String {
    LengthDigits::default().length_text(metres)
}

/// Two lengths for people; see [`LengthDigits::span_text`].
pub fn span_text(lower: f64, upper: f64) -> String {
    LengthDigits::default().span_text(lower, upper)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_have_the_digits_that_are_asked_for() {
        assert_eq!(length_text(1.5), "1.500 m");
        assert_eq!(length_text(-0.0123), "-12.30 mm");
        assert_eq!(length_text(2e-6), "2.000 um");
        assert_eq!(length_text(-1.746e-8), "-17.46 nm");
        assert_eq!(length_text(1e-12), "1.0e-12 m");
        assert_eq!(length_text(f64::NAN), "unknown");
        assert_eq!(span_text(-0.05774, 2.1e-14), "-57.74 mm to 2.1e-11 mm");
        assert_eq!(span_text(-0.5, 1.25), "-0.500 m to 1.250 m");
        assert_eq!(span_text(0.0, 2e-5), "0.000 um to 20.000 um");
        assert_eq!(span_text(-1e-12, 0.0), "-1.0e-12 m to 0 m");
        assert_eq!(span_text(-0.0024202, -0.0024184), "-2.42 mm");
        let beside = LengthDigits::showing(Some(2.5e-5));
        assert_eq!(beside.length_text(-0.01234567), "-12.346 mm");
        assert_eq!(beside.span_text(1.5, 2e-5), "1.500000 m to 0.000020 m");
        assert_eq!(beside.length_text(2.5e-5), "25.000 um");
    }
}
