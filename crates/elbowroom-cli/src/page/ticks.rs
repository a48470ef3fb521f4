//! Round numbers along an axis: steps of 1, 2 or 5 times a power of ten, and a unit that suits them.

/// Where lines are drawn and what stands beside them.
#[derive(Clone, Debug, PartialEq)]
pub struct Ticks {
    /// Each value and its label, ascending.
    pub at: Vec<(f64, String)>,
    /// The unit of the labels.
    pub unit: &'static str,
}

/// A unit and its power of ten.
pub type Unit = (&'static str, i32);

/// The units of lengths.
pub const LENGTHS: [Unit; 4] = [("m", 0), ("mm", -3), ("um", -6), ("nm", -9)];

/// The units of times.
pub const TIMES: [Unit; 3] = [("s", 0), ("ms", -3), ("us", -6)];

/// The unit of counts.
pub const NUMBERS: [Unit; 1] = [("", 0)];

/// `k` times ten to a power, to the last digit.
fn decimal(k: i64, power: i32) -> f64 {
    format!("{k}e{power}").parse().unwrap_or(0.0)
}

/// The smallest of 1, 2 and 5 times a power of ten that is no less than something: digit and power.
fn round_above(least: f64) -> (i64, i32) {
    let steps = (-15..300).flat_map(|power| [1, 2, 5].map(|digit| (digit, power)));
    steps.into_iter().find(|(digit, power)| decimal(*digit, *power) >= least).unwrap_or((5, 299))
}

/// The largest unit in which a step is not less than one, or a tenth of one for the largest unit.
fn unit(digit: i64, power: i32, units: &[Unit]) -> Unit {
    let fits = |(_, own): &&Unit| power >= *own;
    let largest = units.first().filter(|(_, own)| decimal(digit, power) >= decimal(1, own - 1));
    largest.or(units.iter().find(fits)).or(units.last()).copied().unwrap_or(("", 0))
}

fn label(k: i64, power: i32, unit: i32) -> String {
    let digits = (unit - power).max(0) as usize;
    format!("{:.digits$}", decimal(k, power - unit))
}

impl Ticks {
    /// Round numbers from `low` to `high`, no more than `most` and no fewer than two, but for whole numbers
    /// (`whole`) in ranges with fewer of them. Empty where the range is empty or not finite.
    pub fn new(low: f64, high: f64, most: usize, units: &[Unit], whole: bool) -> Ticks {
        let range = high - low;
        if !(range > 0.0 && range.is_finite()) {
            return Ticks { at: Vec::new(), unit: units.first().map_or("", |u| u.0) };
        }
        let least = range / most.saturating_sub(1).max(1) as f64;
        let (digit, power) = round_above(if whole { least.max(1.0) } else { least });
        let step = decimal(digit, power);
        let (name, own) = unit(digit, power, units);
        let first = (low / step).ceil();
        let count = ((high / step).floor() - first).max(-1.0) as usize;
        let ks = (0..=most.min(count)).map(|i| (first as i64).saturating_add(i as i64).saturating_mul(digit));
        let at =
            ks.map(|k| (decimal(k, power), label(k, power, own))).filter(|(x, _)| (low..=high).contains(x));
        Ticks { at: at.collect(), unit: name }
    }
}

/// The largest round length (metres) that is no longer than something, and its words.
pub fn round_length(most: f64) -> (f64, String) {
    // That, or the round number below it.
    let (mut digit, mut power) = round_above(most);
    if decimal(digit, power) > most {
        (digit, power) = match digit {
            5 => (2, power),
            2 => (1, power),
            _ => (5, power - 1),
        };
    }
    let (name, own) = unit(digit, power, &LENGTHS);
    (decimal(digit, power), format!("{} {name}", label(digit, power, own)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64, units: &[Unit]) -> String {
        let ticks = Ticks::new(low, high, 8, units, false);
        let words: Vec<String> = ticks.at.into_iter().map(|(_, label)| label).collect();
        format!("{} {}", words.join(" "), ticks.unit)
    }

    #[test]
    fn ticks_are_round_and_in_a_unit_that_suits() {
        assert_eq!(labels(0.0, 10.0, &TIMES), "0 2 4 6 8 10 s");
        assert_eq!(labels(0.0, 1.99, &TIMES), "0.0 0.5 1.0 1.5 s");
        assert_eq!(labels(0.13, 0.74, &TIMES), "0.2 0.3 0.4 0.5 0.6 0.7 s");
        assert_eq!(labels(0.0, 0.03, &TIMES), "0 5 10 15 20 25 30 ms");
        assert_eq!(labels(-0.012, 0.104, &LENGTHS), "0 20 40 60 80 100 mm");
        assert_eq!(labels(-3e-6, 4.2e-6, &LENGTHS), "-2 0 2 4 um");
        assert_eq!(labels(-2.5, 9.0, &LENGTHS), "-2 0 2 4 6 8 m");
        assert_eq!(labels(1.7e9, 1.7e9 + 1.0, &TIMES).split(' ').next(), Some("1700000000.0"));
        for bad in [[1.0, 1.0], [2.0, 1.0], [0.0, f64::INFINITY], [f64::NAN, 1.0]] {
            assert!(Ticks::new(bad[0], bad[1], 8, &TIMES, false).at.is_empty(), "{bad:?}");
        }
        let whole = Ticks::new(0.0, 3.0, 8, &NUMBERS, true);
        assert_eq!(whole.at.iter().map(|(x, _)| *x).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 3.0]);
    }

    #[test]
    fn every_range_has_a_few_ticks_within() {
        let mut ranges = 0;
        for power in -12..12 {
            for (from, width) in [(0.0, 1.0), (-0.3, 1.7), (0.9, 3.3), (-7.7, 9.99), (0.123, 0.5)] {
                let scale = decimal(1, power);
                let (low, high) = (from * scale, (from + width) * scale);
                let ticks = Ticks::new(low, high, 8, &LENGTHS, false).at;
                assert!((3..=8).contains(&ticks.len()), "{low} {high}: {ticks:?}");
                assert!(ticks.iter().all(|(x, _)| (low..=high).contains(x)));
                assert!(ticks.windows(2).all(|w| w[0].0 < w[1].0 && w[0].1 != w[1].1), "{ticks:?}");
                ranges += 1;
            }
        }
        assert_eq!(ranges, 120);
    }

    #[test]
    fn lengths_of_scale_bars() {
        let words = |most: f64| round_length(most).1;
        assert_eq!([0.37, 1.0, 0.0499, 3.1e-6, 7.0].map(words), ["0.2 m", "1 m", "20 mm", "2 um", "5 m"]);
        assert!([1e-7, 0.03, 4.9, 5.0].iter().all(|m| round_length(*m).0 <= *m));
    }
}
