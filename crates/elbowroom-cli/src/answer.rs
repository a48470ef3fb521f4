//! Reports as JSON, in the words of the outward contract.

use elbowroom::math::Vec3;
use elbowroom::narrow::Stop;
use elbowroom::report::{Counts, PairReport, Report, Witness};
use elbowroom::world::World;
use serde_json::{Map, Value, json};

/// A number; null where it is not finite.
pub fn number(x: f64) -> Value {
    serde_json::Number::from_f64(x).map_or(Value::Null, Value::Number)
}

/// Three numbers.
pub fn vector(v: Vec3) -> Value {
    Value::Array(v.to_array().map(number).to_vec())
}

/// The word for why a query stopped.
pub fn stop(stop: Stop) -> &'static str {
    match stop {
        Stop::ClosedForm => "closed_form",
        Stop::Converged => "converged",
        Stop::Decided => "decided",
        Stop::Stalled => "stalled",
        Stop::IterationLimit => "iteration_limit",
        Stop::Bracketed => "bracketed",
    }
}

fn witness(object: &mut Map<String, Value>, witness: Option<&Witness>) {
    object.insert("witness_a".into(), witness.map_or(Value::Null, |w| vector(w.a)));
    object.insert("witness_b".into(), witness.map_or(Value::Null, |w| vector(w.b)));
    object.insert("vector".into(), witness.map_or(Value::Null, |w| vector(w.vector())));
    object.insert("normal".into(), witness.map_or(Value::Null, |w| vector(w.normal)));
}

/// The counts of a report.
pub fn counts(c: &Counts) -> Value {
    json!({
        "pairs": c.pairs, "allowed": c.allowed, "pruned": c.pruned, "proved": c.proved, "unknown": c.unknown,
        "skipped": c.skipped, "shape_queries": c.shape_queries,
    })
}

/// One pair of `"pairs"`.
pub fn pair(world: &World, report: &PairReport) -> Value {
    let mut object = Map::new();
    object.insert("pair".into(), json!(world.pair_names(report.pair)));
    object.insert("verdict".into(), report.verdict.word().into());
    object.insert("lower".into(), number(report.lower));
    object.insert("upper".into(), number(report.upper));
    object.insert("distance".into(), distance(report.lower, report.upper, report.distance));
    witness(&mut object, report.witness.as_ref());
    object.insert("stop".into(), report.stop.map_or("bounds", stop).into());
    Value::Object(object)
}

/// The line of a sample.
pub fn sample(
    world: &World,
    index: usize,
    t: Option<f64>,
    report: &Report,
    pairs: Option<&[PairReport]>,
) -> Value {
    let mut object = Map::new();
    object.insert("sample".into(), index.into());
    object.insert("t".into(), t.map_or(Value::Null, number));
    object.insert("verdict".into(), report.verdict.word().into());
    object.insert("lower".into(), number(report.lower));
    object.insert("upper".into(), number(report.upper));
    object.insert("distance".into(), distance(report.lower, report.upper, report.distance));
    object.insert("pair".into(), json!(report.pair.and_then(|p| world.pair_names(p))));
    witness(&mut object, report.witness.as_ref());
    object.insert("counts".into(), counts(&report.counts));
    if let Some(pairs) = pairs {
        object.insert("pairs".into(), pairs.iter().map(|p| pair(world, p)).collect());
    }
    Value::Object(object)
}

/// The distance; null where neither bound is known.
fn distance(lower: f64, upper: f64, distance: f64) -> Value {
    if lower == f64::NEG_INFINITY && upper == f64::INFINITY { Value::Null } else { number(distance) }
}
