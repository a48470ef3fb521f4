//! Answers as JSON, in the words of the outward contract. `schema/` of the project has a schema for each kind
//! of object.

use crate::limits;
use crate::load::LoadedWorld;
use crate::touch;
use elbowroom::math::Vec3;
use elbowroom::pair::{Ask, Stop, Witness};
use elbowroom::{Answer, Counts, Interval, PadPress, PairAnswer, PairId, Verdict, World};
use serde_json::{Map, Value, json};

/// Version of what objects hold, the field `schema` of each. It grows when a field goes, or means something
/// else; new fields leave it as it is.
pub const SCHEMA: u32 = 1;

/// A number; null where it is not finite.
pub fn json_number(x: f64) -> Value {
    serde_json::Number::from_f64(x).map_or(Value::Null, Value::Number)
}

/// Three numbers.
pub fn json_vector(v: Vec3) -> Value {
    Value::Array(v.to_array().map(json_number).to_vec())
}

/// The word for why a query stopped.
pub fn stop_word(stop: Stop) -> &'static str {
    match stop {
        Stop::ClosedForm => "closed_form",
        Stop::Converged => "converged",
        Stop::Decided => "decided",
        Stop::Stalled => "stalled",
        Stop::IterationLimit => "iteration_limit",
        Stop::Bracketed => "bracketed",
        Stop::ShutIn => "shut_in",
    }
}

fn add_witness(object: &mut Map<String, Value>, witness: Option<&Witness>) {
    object.insert("witness_a".into(), witness.map_or(Value::Null, |w| json_vector(w.a)));
    object.insert("witness_b".into(), witness.map_or(Value::Null, |w| json_vector(w.b)));
    object.insert("vector".into(), witness.map_or(Value::Null, |w| json_vector(w.vector())));
    object.insert("normal".into(), witness.map_or(Value::Null, |w| json_vector(w.normal)));
}

/// The counts of an answer.
pub fn json_counts(c: &Counts) -> Value {
    json!({
        "pairs": c.pairs, "allowed": c.allowed, "pruned": c.pruned, "proved": c.proved, "unknown": c.unknown,
        "skipped": c.skipped, "shape_queries": c.shape_queries,
    })
}

/// One pair of `"pairs"`.
pub fn json_pair(world: &World, ask: Ask, answer: &PairAnswer, press: Option<PadPress>) -> Value {
    let mut object = Map::new();
    object.insert("pair".into(), json!(world.pair_names(answer.pair)));
    object.insert("verdict".into(), answer.verdict.word().into());
    object.insert("lower".into(), json_number(answer.interval.lower));
    object.insert("upper".into(), json_number(answer.interval.upper));
    add_distance(&mut object, ask, &answer.interval, answer.distance, answer.witness.as_ref());
    add_touching(&mut object, ask, answer.verdict, &answer.interval);
    object.insert("stop".into(), answer.stop.map_or("bounds", stop_word).into());
    add_presses(&mut object, world, press.as_slice());
    Value::Object(object)
}

/// The fields of a sample but its pairs. `lower` and `upper` bound the smallest distance of all checked
/// pairs; `lower_pair` and `upper_pair` say whose bounds they are, and `pair` whose points and vector follow.
pub fn sample_fields(
    loaded: &LoadedWorld,
    ask: Ask,
    index: usize,
    t: Option<f64>,
    answer: &Answer,
) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("schema".into(), SCHEMA.into());
    object.insert("sample".into(), index.into());
    object.insert("t".into(), t.map_or(Value::Null, json_number));
    add_answer(&mut object, loaded, ask, answer);
    if let Some(allowed) = &loaded.zero_overlaps {
        object.insert("zero_overlaps".into(), allowed.len().into());
    }
    object
}

/// Adds an answer.
pub fn add_answer(object: &mut Map<String, Value>, loaded: &LoadedWorld, ask: Ask, answer: &Answer) {
    object.insert("verdict".into(), answer.verdict.word().into());
    object.insert("lower".into(), json_number(answer.interval.lower));
    object.insert("upper".into(), json_number(answer.interval.upper));
    let names = |pair: Option<PairId>| json!(pair.and_then(|p| loaded.world.pair_names(p)));
    object.insert("pair".into(), names(answer.pair));
    object.insert("lower_pair".into(), names(answer.lower_pair));
    object.insert("upper_pair".into(), names(answer.upper_pair));
    add_distance(object, ask, &answer.interval, answer.distance, answer.witness.as_ref());
    add_touching(object, ask, answer.verdict, &answer.interval);
    object.insert("stop".into(), answer.stop.map_or("bounds", stop_word).into());
    object.insert("counts".into(), json_counts(&answer.counts));
}

/// Says that bodies touch, where they do. Only a distance tells.
fn add_touching(object: &mut Map<String, Value>, ask: Ask, verdict: Verdict, interval: &Interval) {
    if ask == Ask::Distance && touch::is_told(verdict, interval) {
        object.insert("touching".into(), true.into());
    }
}

/// Adds the pads that may be pressed, if all contact is on pads, and how far they can still be pressed in.
pub fn add_presses(object: &mut Map<String, Value>, world: &World, presses: &[PadPress]) {
    let Some(left) = presses.iter().map(|press| press.left).reduce(f64::min) else { return };
    let mut names: Vec<&str> =
        presses.iter().flat_map(|press| press.pads(world)).map(|pad| &*pad.name).collect();
    names.sort_unstable();
    names.dedup();
    object.insert("pad".into(), json!(names));
    object.insert("pad_left".into(), json_number(left));
}

/// The text of `"pairs"`, in parts: of a world of many obstacles it is a hundred megabytes.
#[derive(Default)]
pub struct Pairs {
    parts: Vec<String>,
}

impl Pairs {
    /// The next pair.
    pub fn add(&mut self, world: &World, ask: Ask, answer: &PairAnswer, press: Option<PadPress>) {
        let text = json_pair(world, ask, answer, press).to_string();
        match self.parts.last_mut().filter(|last| last.len() + text.len() < last.capacity()) {
            Some(last) => {
                last.push(',');
                last.push_str(&text);
            }
            None => {
                let comma = if self.parts.is_empty() { "" } else { "," };
                let mut part = String::with_capacity(limits::PART_BYTES.max(text.len() + 1));
                part.push_str(comma);
                part.push_str(&text);
                self.parts.push(part);
            }
        }
    }
}

/// The line of an object, in parts; with `"pairs"` as its last field if there are any.
pub fn line_parts(object: Map<String, Value>, pairs: Option<Pairs>) -> Vec<String> {
    let mut head = Value::Object(object).to_string();
    let Some(pairs) = pairs else {
        head.push('\n');
        return vec![head];
    };
    head.pop();
    head.push_str(",\"pairs\":[");
    let parts = pairs.parts.into_iter();
    std::iter::once(head).chain(parts).chain(["]}\n".to_string()]).collect()
}

/// The distance and its points. A test asks for neither: its bounds prove the verdict and measure nothing.
fn add_distance(
    object: &mut Map<String, Value>,
    ask: Ask,
    interval: &Interval,
    distance: f64,
    points: Option<&Witness>,
) {
    let nothing = interval.lower == f64::NEG_INFINITY && interval.upper == f64::INFINITY;
    let known = ask != Ask::Test && !nothing;
    object.insert("distance".into(), if known { json_number(distance) } else { Value::Null });
    add_witness(object, points.filter(|_| ask != Ask::Test));
}
