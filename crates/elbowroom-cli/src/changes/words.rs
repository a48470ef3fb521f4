//! Tells of changes in words and as JSON.

use super::Changes;
use super::change::{ResolvedChange, TimedChange};
use crate::answer;
use crate::held::{HeldPair, held_note};
use crate::limits;
use crate::note::Note;
use crate::out::{clean_text, joint_value, seconds_text};
use elbowroom::describe::JointKind;
use elbowroom::world::BodyId;
use elbowroom::{Checker, World};
use elbowroom_files::fault::counted_things;
use elbowroom_files::motion::Motion;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The name of a body; that of an obstacle comes without `world/`.
fn short_name(world: &World, body: BodyId) -> String {
    let name = world.bodies().get(body.index()).map_or("", |body| &*body.name);
    clean_text(name.strip_prefix("world/").unwrap_or(name))
}

/// A change in a few words.
pub fn change_in_words(world: &World, what: &ResolvedChange) -> String {
    let name = |body: &BodyId| short_name(world, *body);
    match what {
        ResolvedChange::Place(body, _) => format!("{} placed", name(body)),
        ResolvedChange::Attach(body, carrier, _) => format!("{} attached to {}", name(body), name(carrier)),
        ResolvedChange::Open(body, value, kind) => {
            format!("{} opened to {}", name(body), joint_value(*value, *kind))
        }
        ResolvedChange::Close(body, _) => format!("{} closed", name(body)),
        ResolvedChange::Detach(body) => format!("{} detached", name(body)),
        ResolvedChange::Hide(body) => format!("{} hidden", name(body)),
        ResolvedChange::Show(body) => format!("{} shown", name(body)),
        ResolvedChange::Fill(body, kind, _) => format!("{} filled ({kind})", name(body)),
        ResolvedChange::Empty(body) => format!("{} emptied", name(body)),
        ResolvedChange::Allow([a, b], None) => format!("{} and {} allowed", name(a), name(b)),
        ResolvedChange::Allow([a, b], Some(reason)) => {
            format!("{} and {} allowed ({})", name(a), name(b), clean_text(reason))
        }
        ResolvedChange::Forbid([a, b]) => format!("{} and {} no longer allowed", name(a), name(b)),
        ResolvedChange::See(body, points) => {
            format!("{} seen, {}", name(body), counted_things(points.len(), "point"))
        }
    }
}

/// When an event happens that the way after a sample has: `after sample 20 (t = 1 s)`.
pub fn after_sample(sample: usize, t: Option<f64>) -> String {
    let time = t.map_or(String::new(), |t| format!(" (t = {} s)", seconds_text(t)));
    format!("after sample {sample}{time}")
}

/// When the changes happen that are made before a sample is asked, of so many; with the times of samples.
pub fn when_changed(sample: usize, samples: usize, time: impl Fn(usize) -> Option<f64>) -> String {
    match sample.checked_sub(1) {
        None => "at the start".into(),
        Some(before) if sample < samples => after_sample(before, time(before)),
        Some(before) => format!("{}, the last", after_sample(before, time(before))),
    }
}

/// All changes in words. The first of them are named, the others counted. Empty if nothing changes.
pub fn changes_in_words(world: &World, changes: &Changes, motion: &Motion) -> Option<String> {
    let (all, samples) = (changes.all_changes(), motion.rows.len());
    let time = |sample: usize| motion.t.as_ref().and_then(|t| t.get(sample).copied());
    let named = &all[..all.len().min(limits::CHANGES_NAMED)];
    let mut parts: Vec<String> = Vec::new();
    for group in named.chunk_by(|a, b| a.sample == b.sample) {
        let words: Vec<String> = group.iter().map(|change| change_in_words(world, &change.what)).collect();
        let when = group.first().map_or(String::new(), |first| when_changed(first.sample, samples, time));
        parts.push(format!("{when}: {}", words.join(", ")));
    }
    let more = all.len() - named.len();
    if more > 0 {
        parts.push(format!("and {} (all are in `events` of --json)", counted_things(more, "more change")));
    }
    (!parts.is_empty()).then(|| format!("changes {}", parts.join("; ")))
}

/// Who carries what now, what is open and what is hidden, in sentences.
pub fn state_in_words(
    checker: &Checker,
    opened: &BTreeMap<BodyId, (f64, JointKind)>,
    hidden: &BTreeSet<BodyId>,
) -> Vec<String> {
    let world = checker.world();
    let bodies = (0..world.bodies().len() as u32).map(BodyId);
    let carried = bodies.filter_map(|body| Some((body, checker.carrier(body)?)));
    let mut all: Vec<String> = carried
        .map(|(body, carrier)| format!("{} carries {}.", short_name(world, carrier), short_name(world, body)))
        .chain(opened.iter().map(|(body, (value, kind))| {
            format!("{} is open at {}.", short_name(world, *body), joint_value(*value, *kind))
        }))
        .chain(hidden.iter().map(|body| format!("{} is hidden.", short_name(world, *body))))
        .collect();
    let more = all.len().saturating_sub(limits::CHANGES_NAMED);
    if more > 0 {
        all.truncate(limits::CHANGES_NAMED);
        all.push(format!("And {more} more."));
    }
    all
}

/// A change as JSON, in the words of a motion's events.
fn json_change(world: &World, what: &ResolvedChange) -> Value {
    let name = |body: &BodyId| world.bodies().get(body.index()).map_or("", |body| &*body.name);
    match what {
        ResolvedChange::Place(body, pose) => {
            json!({"place": {"name": name(body), "xyz": answer::json_vector(pose.translation)}})
        }
        ResolvedChange::Attach(body, carrier, touch) => {
            let touch: Vec<&str> = touch.iter().map(name).collect();
            json!({"attach": {"name": name(body), "attached_to": name(carrier), "touch": touch}})
        }
        ResolvedChange::Open(body, value, _) => {
            json!({"open": {"name": name(body), "value": answer::json_number(*value)}})
        }
        ResolvedChange::Close(body, value) => {
            json!({"close": {"name": name(body), "value": answer::json_number(*value)}})
        }
        ResolvedChange::Detach(body) => json!({"detach": {"name": name(body)}}),
        ResolvedChange::Hide(body) => json!({"hide": {"name": name(body)}}),
        ResolvedChange::Show(body) => json!({"show": {"name": name(body)}}),
        ResolvedChange::Fill(body, kind, shape) => {
            json!({"fill": {"name": name(body), "type": kind, "corners": shape.corner_count()}})
        }
        ResolvedChange::Empty(body) => json!({"empty": {"name": name(body)}}),
        ResolvedChange::Allow([a, b], reason) => {
            json!({"allow": {"a": name(a), "b": name(b), "reason": reason}})
        }
        ResolvedChange::Forbid([a, b]) => json!({"forbid": {"a": name(a), "b": name(b)}}),
        ResolvedChange::See(body, points) => json!({"see": {"name": name(body), "points": points.len()}}),
    }
}

/// What changed before a sample was asked, as JSON; `None` if nothing did.
pub fn json_events(world: &World, changes: &Changes, sample: usize) -> Option<Value> {
    let first = changes.first_change_at(sample);
    let event = |(k, change): (usize, &TimedChange)| {
        let mut event = json_change(world, &change.what);
        if let (Some(overlaps), Some(of)) =
            (json_held(world, changes.held_pairs(first + k)), event.as_object_mut())
            && let Some(of) = of.values_mut().next().and_then(Value::as_object_mut)
        {
            of.insert("overlaps".into(), overlaps);
        }
        event
    };
    let events: Vec<Value> = changes.changes_at(sample).iter().enumerate().map(event).collect();
    (!events.is_empty()).then_some(Value::Array(events))
}

/// Warnings of parts that overlap what moves with them.
pub fn held_notes(world: &World, changes: &Changes, motion: &Motion) -> Vec<Note> {
    let time = |sample: usize| motion.t.as_ref().and_then(|t| t.get(sample).copied());
    let of = |(change, pairs): (&TimedChange, &[HeldPair])| {
        let when = when_changed(change.sample, motion.rows.len(), time);
        held_note(world, pairs, &format!(" {when}"))
    };
    changes.held_changes().filter_map(of).collect()
}

/// The pairs that must be known as JSON; `None` if none must.
fn json_held(world: &World, pairs: &[HeldPair]) -> Option<Value> {
    let one = |pair: &HeldPair| {
        let [lower, upper] = pair.ends.map(answer::json_number);
        json!({"name": &*world.bodies()[pair.other.index()].name, "lower": lower, "upper": upper})
    };
    let told: Vec<Value> = pairs.iter().filter(|pair| pair.is_told()).map(one).collect();
    (!told.is_empty()).then_some(Value::Array(told))
}
