//! Commands of the guard as JSON, and their reasons in sentences.

use super::record::Own;
use crate::answer::{SCHEMA, add_presses, json_number};
use crate::lengths::length_text;
use elbowroom::describe::JointKind;
use elbowroom::world::{BodyId, BodyPair, Pad};
use elbowroom::{Verdict, World};
use elbowroom_monitor::guard::{Action, Category, Reason, ReasonKind};

use elbowroom_monitor::roles::Body;
use elbowroom_monitor::{Command, Guard, Intent};
use serde::Serialize;
use serde_json::{Map, Value, json};

/// What the program knows beside a command.
#[derive(Debug, Default)]
pub struct Beside<'a> {
    /// The event that was taken, or refused.
    pub event: Option<&'static str>,
    /// Whether it was taken.
    pub accepted: bool,
    /// What the first reason of this kind is about, in words.
    pub detail: Option<(ReasonKind, String)>,
    /// A reason that is the program's own.
    pub own: Option<Own<'a>>,
    /// Nobody asked: the input is silent, or the guard is.
    pub silence: bool,
    /// How long an arm may be silent, and the time between two of its states (s), where that was asked.
    pub settings: Option<[f64; 2]>,
}

/// The word of an action.
pub fn action_word(action: Action) -> &'static str {
    match action {
        Action::Permit => "permit",
        Action::Slow => "slow",
        Action::Stop => "stop",
    }
}

fn category_number(category: Category) -> u8 {
    match category {
        Category::Zero => 0,
        Category::One => 1,
        Category::Two => 2,
    }
}

/// A stop as one line of JSON, without its end, that no guard was asked about.
pub fn stop_line(category: Option<u8>, [kind, text]: [&str; 2], silence: bool) -> String {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.into(), value);
    put("schema", SCHEMA.into());
    put("command", action_word(Action::Stop).into());
    put("speed", json_number(0.0));
    if let Some(category) = category {
        put("category", category.into());
    }
    put("reasons", json!([{"kind": kind, "text": text}]));
    if silence {
        put("silence", true.into());
    }
    Value::Object(object).to_string()
}

/// An answer, in the order in which it is written. A number that is NaN or infinite becomes null.
#[derive(Serialize)]
struct AnswerLine<'a> {
    schema: u32,
    t: f64,
    command: &'static str,
    speed: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<u8>,
    distance: f64,
    lower: f64,
    upper: f64,
    pair: Option<[&'a str; 2]>,
    /// The verdict and the pads, where bodies touch on pads alone.
    #[serde(flatten)]
    press: Map<String, Value>,
    reasons: Vec<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    more: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    ask: Option<Value>,
    #[serde(skip_serializing_if = "Option::is_none")]
    event: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    accepted: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<Times>,
    #[serde(skip_serializing_if = "Option::is_none")]
    silence: Option<bool>,
    step: u64,
    fingerprint: String,
    work: Work,
}

/// The times that states must keep (s).
#[derive(Serialize)]
struct Times {
    period: f64,
    late: f64,
}

/// What the step took.
#[derive(Serialize)]
struct Work {
    ranges: u32,
    pairs: u32,
    motions: u32,
}

/// A command as one line of JSON, without its end.
pub fn json_command(guard: &Guard, command: &Command, beside: &Beside) -> String {
    let world = guard.world();
    let [lower, upper] = command.distance.unwrap_or([f64::NAN; 2]);
    let middle = 0.5 * (lower + upper);
    let distance = [middle, lower, upper].into_iter().find(|d| d.is_finite());
    let mut reasons = Vec::new();
    if let Some(Own { kind, text, .. }) = &beside.own {
        reasons.push(json!({"kind": kind, "text": text}));
    }
    let mut detail = beside.detail.as_ref();
    // What the program found out itself stands in the place of what the guard was told instead.
    let is_own = |kind: ReasonKind| beside.own.is_some_and(|own| own.kind_of_guard() == kind);
    for reason in command.reasons().filter(|reason| !is_own(reason.kind)) {
        let own = detail.take_if(|(kind, _)| *kind == reason.kind);
        let text =
            own.map_or_else(|| reason_sentence(guard, reason, command.action), |(_, text)| text.clone());
        reasons.push(json_reason(guard, reason, text));
    }
    let line = AnswerLine {
        schema: SCHEMA,
        t: command.t,
        command: action_word(command.action),
        speed: command.speed,
        category: command.category.map(category_number),
        distance: distance.unwrap_or(f64::NAN),
        lower,
        upper,
        pair: command.pair.and_then(|pair| world.body_names(pair)),
        press: press_fields(guard, command),
        reasons,
        more: (command.more > 0).then_some(command.more),
        ask: command.ask.map(|pair| operator_question(guard, pair)),
        event: beside.event,
        accepted: beside.event.map(|_| beside.accepted),
        settings: beside.settings.map(|[late, period]| Times { period, late }),
        silence: beside.silence.then_some(true),
        step: command.step,
        fingerprint: format!("{:016x}", command.fingerprint),
        work: Work { ranges: command.work.ranges, pairs: command.work.pairs, motions: command.work.motions },
    };
    // Names and numbers can always be written.
    serde_json::to_string(&line).unwrap_or_default()
}

/// What `check` says of contact on pads alone.
fn press_fields(guard: &Guard, command: &Command) -> Map<String, Value> {
    let mut object = Map::new();
    if command.pad_left.is_some() {
        object.insert("verdict".into(), Verdict::ExpectedContact.word().into());
        add_presses(&mut object, guard.world(), guard.presses());
    }
    object
}

fn json_reason(guard: &Guard, reason: &Reason, text: String) -> Value {
    let world = guard.world();
    let mut object = Map::new();
    object.insert("kind".into(), reason.kind.word().into());
    object.insert("text".into(), text.into());
    if let Some(pair) = reason.pair.and_then(|pair| world.body_names(pair)) {
        object.insert("pair".into(), json!(pair));
    }
    if let Some(name) = reason.value.and_then(|value| world.dof_names().get(value as usize)) {
        object.insert("joint".into(), name.as_str().into());
    }
    if let Some(name) = reason.arm.and_then(|arm| robot_name(guard, arm)) {
        object.insert("robot".into(), name.into());
    }
    if reason.measured != 0.0 || reason.limit != 0.0 {
        object.insert("measured".into(), json_number(reason.measured));
        object.insert("limit".into(), json_number(reason.limit));
    }
    Value::Object(object)
}

/// The name of an arm's robot.
pub fn robot_name<'w>(guard: &Guard<'w>, arm: u32) -> Option<&'w str> {
    let robot = guard.description().arms.get(arm as usize)?.robot;
    Some(&*guard.world().robots().get(robot.0 as usize)?.name)
}

/// The name of a body.
pub fn body_name(world: &World, body: u32) -> &str {
    world.bodies().get(BodyId(body).index()).map_or("", |body| &*body.name)
}

/// What an operator is asked: the contact, and the intent that it would need, in the words of an intent.
fn operator_question(guard: &Guard, pair: BodyPair) -> Value {
    let world = guard.world();
    let mut object = Map::new();
    object.insert("pair".into(), json!(world.body_names(pair)));
    if let Some((arm, intent)) = guard.intent_for(pair) {
        match intent {
            Intent::Pick { object: taken, .. } => {
                object.insert("pick".into(), body_name(world, taken.0).into());
            }
            Intent::Place { object: held, on, .. } => {
                object.insert("place".into(), body_name(world, held.0).into());
                object.insert("on".into(), body_name(world, on.0).into());
            }
        }
        object.insert("arm".into(), json!(robot_name(guard, arm.0)));
    }
    Value::Object(object)
}

/// A reason for people.
pub fn reason_sentence(guard: &Guard, reason: &Reason, action: Action) -> String {
    let world = guard.world();
    let Reason { measured, limit, says, .. } = *reason;
    let [a, b] = reason.pair.and_then(|pair| world.body_names(pair)).unwrap_or(["?"; 2]);
    let joint = reason.value.and_then(|value| world.dof_names().get(value as usize)).map_or("a joint", |n| n);
    let arm = reason.arm.and_then(|arm| robot_name(guard, arm)).unwrap_or("an arm");
    let unit = reason.value.map_or("rad", |value| value_unit(world, value as usize));
    let quoted = if says.is_empty() { String::new() } else { format!(": \"{says}\"") };
    let seconds = |s: f64| format!("{:.1} ms", s * 1e3);
    let until = if action == Action::Stop { "before the arms rest" } else { "if the arms go on so fast" };
    match reason.kind {
        ReasonKind::Waiting if reason.value.is_some() => {
            format!("the velocity of {joint} is not known yet: send qd, or another state")
        }
        ReasonKind::Waiting => format!("{arm} has not reported yet"),
        ReasonKind::Late => {
            format!("the last state of {arm} is {} old; it may be {}", seconds(measured), seconds(limit))
        }
        ReasonKind::Repeated => format!("the state of {arm} has the time of the one before"),
        ReasonKind::OutOfOrder => {
            format!("the state of {arm} is {} older than the one before: time runs back", seconds(-measured))
        }
        ReasonKind::WrongCount if says.is_empty() => {
            format!("the state has {measured} values where {limit} are expected")
        }
        ReasonKind::WrongCount => format!("the state does not fit: {says}"),
        ReasonKind::NotFinite if says.is_empty() => {
            format!("a value of {joint} is {measured:?}: it must be finite, and not beyond {limit:?}")
        }
        ReasonKind::NotFinite if reason.arm.is_some() => {
            format!("{says} on the hand of {arm} is not finite, or beyond 1e6 N")
        }
        ReasonKind::NotFinite => format!("{says} is not a finite number"),
        ReasonKind::Unreadable => "the line could not be read".into(),
        ReasonKind::Implausible => format!("what {joint} reports contradicts itself{quoted}"),
        ReasonKind::BeyondModel => format!(
            "{joint} {says}: {measured:.4}, beyond {limit:.4}; the profile, the brake or the latency is not \
             what the settings say"
        ),
        ReasonKind::ForceLost if reason.value.is_some() => {
            format!("{joint} does not tell {says} any more, which has a limit")
        }
        ReasonKind::ForceLost if measured > 0.0 => format!(
            "the force on the hand of {arm} has been the same to the last bit for {measured:.2} s: its \
             sensor may have frozen; if it rounds, set force_still"
        ),
        ReasonKind::ForceLost => {
            format!("the force on the hand of {arm} is not measured any more, and contact_force is set")
        }
        ReasonKind::Position => {
            format!("{joint} is at {measured:.4} {unit}, beyond its end at {limit:.4} {unit}")
        }
        ReasonKind::Range => {
            format!("{joint} would pass {measured:.4} {unit} {until}; its end is {limit:.4} {unit}")
        }
        ReasonKind::Velocity => {
            format!("{joint} moves at {measured:.4} {unit}/s, and may at {limit:.4} {unit}/s")
        }
        ReasonKind::Acceleration => {
            format!("{joint} accelerates by {measured:.3} {unit}/s^2, and may by {limit:.3} {unit}/s^2")
        }
        ReasonKind::Effort => format!("the effort of {joint} is {measured:.3}, and may be {limit:.3}"),
        ReasonKind::Current => format!("the current of {joint} is {measured:.3} A, and may be {limit:.3} A"),
        ReasonKind::Unbounded => {
            format!(
                "nothing bounds how far {joint} goes: its brake is not known at the speed that it could \
                 reach; measure stops from higher speeds, or limit its profile"
            )
        }
        ReasonKind::Unproved => match guard.cloud_without_points() {
            Some(cloud) => format!(
                "nothing is proved before {} is told: send see with its points, or hide if nothing is there",
                body_name(world, cloud.0)
            ),
            None if !reason.says.is_empty() => reason.says.into(),
            None => "it could not be proved in time that the arms stay clear".into(),
        },
        ReasonKind::Collision => {
            let meant = reason.pair.and_then(|pair| guard.intent_for(pair)).map(|(_, intent)| intent);
            let near = comes_near(a, b, reason);
            let name = |object: Body| body_name(world, object.0);
            match meant {
                Some(Intent::Pick { object, .. }) => format!(
                    "{near} {until}: no intent means this contact now, such as {{\"intent\": {{\"pick\": \
                     \"{}\"}}}}",
                    name(object)
                ),
                Some(Intent::Place { object, on, .. }) => format!(
                    "{near} {until}: no intent means this contact now, such as {{\"intent\": {{\"place\": \
                     \"{}\", \"on\": \"{}\"}}}}",
                    name(object),
                    name(on)
                ),
                None => format!("{near} {until}{quoted}"),
            }
        }
        ReasonKind::Ask => format!("{} {until}{quoted}; is this contact meant?", comes_near(a, b, reason)),
        ReasonKind::ContactSpeed if limit > 0.0 => {
            format!("{a} may touch {b}, but slowly: {measured:.3} m/s, and {limit:.3} m/s is allowed{quoted}")
        }
        ReasonKind::ContactSpeed => format!("{a} may touch {b}, but slowly{quoted}"),
        ReasonKind::Pad => {
            let pads: Vec<String> = reason.pair.map_or(Vec::new(), |pair| {
                let words = |pad: &Pad| format!("`{}` by {:.2} mm", pad.name, pad.depth * 1e3);
                world.pads_of(pair).map(words).collect()
            });
            let pads = pads.join(" and ");
            let kept = guard.description().clearance * 1e3;
            format!("{a} and {b} press deeper {until} than {pads}, less {kept:.2} mm of clearance")
        }
        ReasonKind::ContactForce => {
            format!("the force on the hand of {arm} is {measured:.1} N, and may be {limit:.1} N")
        }
        ReasonKind::Zone => {
            let zone = |body: BodyId| guard.description().zones.contains(&body);
            let first_is = reason.pair.is_some_and(|pair| zone(pair.a));
            let (body, zone) = if first_is { (b, a) } else { (a, b) };
            let there = format!("where {zone} does not let it");
            format!("{} {until}", comes_near(body, &there, reason))
        }
        ReasonKind::BodySpeed => format!("{a} moves at up to {measured:.3} m/s, and may at {limit:.3} m/s"),
        ReasonKind::Separation if measured > 0.0 => {
            format!("{a} and {b} could come within {measured:.3} m of each other, and need {limit:.3} m")
        }
        ReasonKind::Separation => format!("{a} and {b} could meet, and need {limit:.3} m between them"),
        ReasonKind::Unseen if measured.is_finite() => {
            format!("where {a} is was told {} ago, and must be each {}", seconds(measured), seconds(limit))
        }
        ReasonKind::Unseen => format!("where {a} is has not been told yet"),
        ReasonKind::Rising if action == Action::Stop => {
            "the arms were stopped at this very time: from the next state on the speed rises slowly".into()
        }
        ReasonKind::Rising if limit < 0.001 => {
            "the speed rises slowly from zero, from the next state on".into()
        }
        ReasonKind::Rising => {
            let digits = if limit < 0.1 { 1 } else { 0 };
            format!("the speed rises slowly, now to {:.digits$} %", 100.0 * limit)
        }
        ReasonKind::Event => "an event contradicts what was proved before it".into(),
        ReasonKind::Latched if says == ReasonKind::Restored.word() && reason.pair.is_some() => format!(
            "what was in {a} is not in the snapshot: tell it again, then reset; the arms wait for that since \
             the start (restored)"
        ),
        ReasonKind::Latched => format!("the arms wait for a reset since an earlier stop ({says})"),
        ReasonKind::Disagreement => "two guards do not agree, or one is silent".into(),
        ReasonKind::Restored if says.is_empty() => {
            format!(
                "{joint} is at {measured:.4} {unit}, and was at {limit:.4} {unit} when the snapshot was \
                 kept: see what has changed in the cell, then reset"
            )
        }
        ReasonKind::Restored => format!(
            "it is {measured} s, and was {limit} s when the snapshot was kept{quoted}; intents must be told \
             again"
        ),
        ReasonKind::Clock => "the clock of the states is not that of the monitor".into(),
        ReasonKind::Overrun => format!("a step took {}, and may take {}", seconds(measured), seconds(limit)),
    }
}

/// That a body could come nearer to something than it may. Where no nearer place was found, but none is
/// excluded either, that is said.
fn comes_near(body: &str, to: &str, reason: &Reason) -> String {
    let limit = length_text(reason.limit);
    if reason.measured <= reason.limit {
        format!("{body} could come within {limit} of {to}")
    } else {
        format!("nothing excludes that {body} comes within {limit} of {to}")
    }
}

fn value_unit(world: &World, value: usize) -> &'static str {
    let joint = world.joints().iter().find(|joint| joint.values.contains(&value));
    if joint.is_some_and(|joint| joint.kind == JointKind::Prismatic) { "m" } else { "rad" }
}
