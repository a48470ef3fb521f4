//! Numbers and lists in messages.

use alloc::format;
use core::fmt;

/// A number for a message: very large and very small ones as powers of ten.
///
/// ```
/// use elbowroom_describe::fault::Numeral;
///
/// assert_eq!(format!("{} {}", Numeral(0.25), Numeral(1e-9)), "0.25 1e-9");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numeral(pub f64);

/// Digits of a computed number in messages: sums of a few thousand terms are off in the digits behind them.
const COMPUTED_DIGITS: usize = 12;
/// Digits of a double that tell it from all others.
const ALL_DIGITS: usize = 17;

impl Numeral {
    /// A computed number, without the digits that rounding made.
    ///
    /// ```
    /// use elbowroom_describe::fault::Numeral;
    ///
    /// assert_eq!(Numeral::computed(4.100000000001735).to_string(), "4.1");
    /// ```
    pub fn computed(x: f64) -> Numeral {
        Numeral(round_to_digits(x, COMPUTED_DIGITS))
    }

    /// Two numbers with so many digits, or with as many more as show which is larger.
    ///
    /// ```
    /// use elbowroom_describe::fault::Numeral;
    ///
    /// let told = |a, b| Numeral::apart([a, b], 4).map(|x| x.to_string());
    /// assert_eq!(told(4.2123456, 4.14159), ["4.212", "4.142"]);
    /// assert_eq!(told(4.1400004, 4.14), ["4.1400004", "4.14"]);
    /// ```
    pub fn apart(both: [f64; 2], digits: usize) -> [Numeral; 2] {
        let rounded = |digits: usize| both.map(|x| round_to_digits(x, digits));
        let same = |[a, b]: [f64; 2]| a.partial_cmp(&b) == both[0].partial_cmp(&both[1]);
        let digits = (digits..ALL_DIGITS).find(|digits| same(rounded(*digits)));
        rounded(digits.unwrap_or(ALL_DIGITS)).map(Numeral)
    }

    /// [`Numeral::apart`] with the digits of computed numbers.
    pub fn computed_apart(both: [f64; 2]) -> [Numeral; 2] {
        Numeral::apart(both, COMPUTED_DIGITS)
    }
}

fn round_to_digits(x: f64, digits: usize) -> f64 {
    let behind = digits.saturating_sub(1);
    // No negative zero.
    format!("{x:.behind$e}").parse::<f64>().map_or(x, |x| x + 0.0)
}

impl fmt::Display for Numeral {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = self.0;
        let usual = x == 0.0 || !x.is_finite() || (1e-5..1e16).contains(&x.abs());
        if usual { write!(f, "{x}") } else { write!(f, "{x:e}") }
    }
}

/// Writes all items, one a line.
///
/// # Errors
/// What the formatter says.
pub fn write_lines<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    what: impl Iterator<Item = T>,
) -> fmt::Result {
    for (i, one) in what.enumerate() {
        write!(f, "{}{one}", if i == 0 { "" } else { "\n" })?;
    }
    Ok(())
}
