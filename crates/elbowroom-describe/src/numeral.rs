//! Numbers and lists in messages.

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
