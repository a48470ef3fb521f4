//! Intervals of clearance: which are as good as a number, and what is said of them.

use super::arguments::{Arguments, AskChoice};
use crate::arguments::GeometryChoice;
use crate::limits::NARROW;
use crate::out::{length, span};
use elbowroom::id::BodyId;
use elbowroom::narrow::Stop;
use elbowroom::report::Report;
use elbowroom::verdict::Verdict;
use elbowroom::world::World;

/// Whether an interval is as narrow as a number for people.
pub fn is_narrow(lower: f64, upper: f64, distance: f64) -> bool {
    upper - lower <= NARROW * (1.0 + distance.abs())
}

/// Whether the depth of a collision is only bracketed. That is also so where the search for the named pair
/// converged, but other meshes may overlap deeper.
pub fn is_bracketed(world: &World, arguments: &Arguments, report: &Report) -> bool {
    let has_mesh = |id: BodyId| {
        let shapes = world.bodies()[id.index()].shapes.clone();
        shapes.into_iter().any(|s| world.shapes()[s as usize].shape.mesh().is_some())
    };
    let of_meshes = || {
        let pair = report.lower_pair.filter(|_| report.lower_pair != report.upper_pair);
        let pair = pair.and_then(|pair| world.pairs().get(pair));
        pair.is_some_and(|pair| has_mesh(pair.a) || has_mesh(pair.b))
    };
    report.stop == Some(Stop::Bracketed)
        || (arguments.ask, arguments.geometry) == (AskChoice::Distance, GeometryChoice::Mesh)
            && report.verdict == Verdict::Collision
            && !is_narrow(report.lower, report.upper, report.distance)
            && of_meshes()
}

/// An interval in words; after a test, which measures nothing, only what it proves.
pub fn told(ask: AskChoice, lower: f64, upper: f64, distance: f64) -> String {
    match ask {
        AskChoice::Test if lower > 0.0 => "apart".into(),
        AskChoice::Test if upper < 0.0 => "overlapping".into(),
        AskChoice::Test => "not proved".into(),
        AskChoice::LowerBound | AskChoice::Distance => words(lower, upper, distance),
    }
}

/// An interval in words: its number if it is narrow, and what is known of it if not.
fn words(lower: f64, upper: f64, distance: f64) -> String {
    let narrow = is_narrow(lower, upper, distance);
    match (lower.is_finite(), upper.is_finite()) {
        (true, true) if narrow => length(distance),
        (true, true) => span(lower, upper),
        (true, false) => format!("at least {}", length(lower)),
        (false, true) => format!("at most {}", length(upper)),
        (false, false) => "nothing is known".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_narrow_interval_is_a_number_and_a_test_tells_none() {
        let distance = |lower, upper| told(AskChoice::Distance, lower, upper, lower);
        assert_eq!(distance(0.5, 0.5 + 1e-7), length(0.5));
        assert_eq!(distance(0.5, 0.6), span(0.5, 0.6));
        assert_eq!(distance(0.5, f64::INFINITY), format!("at least {}", length(0.5)));
        assert_eq!(told(AskChoice::Test, 0.5, 0.6, 0.5), "apart");
        assert_eq!(told(AskChoice::Test, -0.1, 0.1, 0.0), "not proved");
    }
}
