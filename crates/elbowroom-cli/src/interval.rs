//! Intervals of clearance: which are told as one number, and how intervals are told in words.

use crate::arguments::GeometryChoice;
use crate::arguments::check::{AskChoice, CheckArguments};
use crate::lengths::{LengthDigits, length_text};
use crate::limits::NARROW;
use elbowroom::pair::Stop;
use elbowroom::world::BodyId;
use elbowroom::{Answer, Interval, Verdict, World};

/// Whether an interval is as narrow as a number for people.
pub fn is_narrow(interval: &Interval, distance: f64) -> bool {
    interval.width() <= NARROW * (1.0 + distance.abs())
}

/// Whether the depth of a collision is only bracketed. That is also so where the search for the named pair
/// converged, but other meshes may overlap deeper.
pub fn is_bracketed(world: &World, arguments: &CheckArguments, answer: &Answer) -> bool {
    let has_mesh = |id: BodyId| {
        let shapes = world.bodies()[id.index()].shapes.clone();
        shapes.into_iter().any(|s| world.shapes()[s as usize].shape.mesh().is_some())
    };
    let of_meshes = || {
        let pair = answer.lower_pair.filter(|_| answer.lower_pair != answer.upper_pair);
        let pair = pair.and_then(|pair| world.pairs().get(pair));
        pair.is_some_and(|pair| has_mesh(pair.a) || has_mesh(pair.b))
    };
    answer.stop == Some(Stop::Bracketed)
        || (arguments.ask, arguments.geometry) == (AskChoice::Distance, GeometryChoice::Mesh)
            && answer.verdict == Verdict::Collision
            && !is_narrow(&answer.interval, answer.distance)
            && of_meshes()
}

/// An interval in words; after a test, which measures nothing, only what it proves. With a tolerance of
/// contact (`touch`), the digits show that too.
pub fn interval_in_words(ask: AskChoice, touch: Option<f64>, interval: &Interval, distance: f64) -> String {
    match ask {
        AskChoice::Test if interval.lower > 0.0 => "apart".into(),
        AskChoice::Test if interval.upper < 0.0 => "overlapping".into(),
        AskChoice::Test => "not proved".into(),
        AskChoice::LowerBound | AskChoice::Distance => bounds_in_words(interval, distance, touch),
    }
}

/// An interval in words: its number if it is narrow, and what is known of it if not. Where it is not known
/// whether the bodies are apart, no number is told.
fn bounds_in_words(interval: &Interval, distance: f64, touch: Option<f64>) -> String {
    let Interval { lower, upper, .. } = *interval;
    let narrow = is_narrow(interval, distance);
    let digits = LengthDigits::showing(touch);
    match (lower.is_finite(), upper.is_finite()) {
        // To within rounding: neither apart nor overlapping.
        (true, true) if lower <= 0.0 && upper >= 0.0 && is_narrow(interval, distance) => {
            format!("touching ({})", digits.span_text(lower, upper))
        }
        // With a tolerance, both ends are shown where one number would do without.
        (true, true) if narrow && touch.is_none() => length_text(distance),
        (true, true) => digits.span_text(lower, upper),
        (true, false) => format!("at least {}", digits.length_text(lower)),
        (false, true) => format!("at most {}", digits.length_text(upper)),
        (false, false) => "nothing is known".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lengths::span_text;
    use elbowroom::Geometry;

    #[test]
    fn a_narrow_interval_is_a_number_and_a_test_tells_none() {
        let distance = |lower, upper| {
            interval_in_words(AskChoice::Distance, None, &Interval::new(lower, upper, Geometry::Mesh), lower)
        };
        assert_eq!(distance(0.5, 0.5 + 1e-7), length_text(0.5));
        assert_eq!(distance(0.5, 0.6), span_text(0.5, 0.6));
        assert_eq!(distance(-3e-14, 3.6e-14), "touching (-3.0e-14 m to 3.6e-14 m)");
        assert_eq!(distance(0.5, f64::INFINITY), format!("at least {}", length_text(0.5)));
        let beside = |touch, lower, upper| {
            let interval = Interval::new(lower, upper, Geometry::Mesh);
            interval_in_words(AskChoice::Distance, Some(touch), &interval, lower)
        };
        assert_eq!(beside(1e-6, -0.000251, -0.000251), "-0.251 mm");
        assert_eq!(beside(1e-6, 0.0123456, 0.01234561), "12.346 mm");
        assert_eq!(beside(1e-8, -0.0002512, -0.00025112), "-0.25120 mm to -0.25112 mm");
        assert_eq!(beside(1e-6, 1.25, f64::INFINITY), "at least 1.250000 m");
        let test = |lower, upper| {
            interval_in_words(AskChoice::Test, None, &Interval::new(lower, upper, Geometry::Mesh), lower)
        };
        assert_eq!((test(0.5, 0.6), test(-0.1, 0.1)), ("apart".into(), "not proved".into()));
    }
}
