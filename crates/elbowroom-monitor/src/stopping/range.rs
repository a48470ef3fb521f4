//! Numbers that are known to lie between two ends, and arithmetic that rounds one way.

use crate::fault::{Log, Place};

/// A number that is known to lie between two ends, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// No value is below it.
    pub least: f64,
    /// No value is above it.
    pub most: f64,
}

impl Range {
    /// Nothing is known of the number.
    pub const EVERYWHERE: Range = Range { least: f64::NEG_INFINITY, most: f64::INFINITY };

    /// The number, known without uncertainty.
    pub const fn exactly(value: f64) -> Range {
        Range { least: value, most: value }
    }

    /// A number and its uncertainty, `value - uncertainty` to `value + uncertainty`, rounded outward. With an
    /// uncertainty below zero or NaN the range holds nothing, and is refused wherever it is given.
    pub fn about(value: f64, uncertainty: f64) -> Range {
        if uncertainty == 0.0 {
            return Range::exactly(value);
        }
        if !(uncertainty > 0.0) {
            return Range::exactly(f64::NAN);
        }
        Range { least: (value - uncertainty).next_down(), most: add(value, uncertainty) }
    }

    /// Whether a value lies in the range.
    pub fn contains(&self, value: f64) -> bool {
        self.least <= value && value <= self.most
    }

    /// The greatest less the least value.
    pub fn width(&self) -> f64 {
        self.most - self.least
    }

    /// Whether both ends are finite and in order, and no value is below zero.
    pub(super) fn check(&self, log: &mut Log, place: Place, what: &str) -> bool {
        let good = 0.0 <= self.least && self.least <= self.most && self.most < f64::INFINITY;
        if !good {
            let told = format!("{what} lies between {} and {}", self.least, self.most);
            log.fault(place, told, "give two finite ends in order, none of them below zero");
        }
        good
    }
}

// A result that is rounded to nearest is at most half a unit in the last place from the exact one: the next
// double beyond it is on the far side. That holds where results are subnormal, too. With a zero, sums and
// products are exact: what is known without uncertainty stays so.

/// `a + b`, or a little more.
pub(super) fn add(a: f64, b: f64) -> f64 {
    let sum = a + b;
    if a == 0.0 || b == 0.0 { sum } else { sum.next_up() }
}

/// `a b`, or a little more.
pub(super) fn multiply_up(a: f64, b: f64) -> f64 {
    let product = a * b;
    if a == 0.0 || b == 0.0 { product } else { product.next_up() }
}

/// `a / b`, or a little more.
pub(super) fn divide_up(a: f64, b: f64) -> f64 {
    (a / b).next_up()
}

/// `a b`, or a little less.
pub(super) fn times_down(a: f64, b: f64) -> f64 {
    (a * b).next_down()
}

/// `a / b`, or a little less.
pub(super) fn over_down(a: f64, b: f64) -> f64 {
    (a / b).next_down()
}
