//! `check --continuous`: what is known of the way from each sample to the next, at every instant, in words
//! and in JSON. `edge_asker` asks for it.

use crate::answer::json_number;
use crate::least_between::LeastBetween;
use crate::lengths::{LengthDigits, length_text};
use crate::limits::EDGES_KEPT;
use crate::out::{clean_text, seconds_text};
use crate::way_time::{rounded_time_on_way, time_on_way};
use elbowroom::World;
use elbowroom::motion::{Doubt, Edge};
use elbowroom::world::BodyPair;
use serde_json::{Value, json};

/// The verdict on an edge, from harmless to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EdgeKind {
    /// Everything is proved farther apart than the margin at every instant.
    Free,
    /// Everything is proved apart at every instant, but not beyond the margin.
    Near,
    /// Nothing but pads is touched, proved, and no deeper than they give way.
    Pressed,
    /// A pair is proved to overlap.
    Contact,
    /// Neither is proved.
    Unknown,
}

/// Their words in the table, the page and, but for the last, in JSON.
const WORDS: [(EdgeKind, &str); 5] = [
    (EdgeKind::Free, "free"),
    (EdgeKind::Near, "near"),
    (EdgeKind::Pressed, "contact on pads alone"),
    (EdgeKind::Contact, "contact"),
    (EdgeKind::Unknown, "not proved"),
];

/// The answers for an edge: of a world without a margin the first two are one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeAnswer {
    /// Whether everything stays farther apart than the margin.
    pub margin: Edge,
    /// Whether everything stays apart.
    pub apart: Edge,
    /// Whether everything stays apart with the pads drawn back.
    pub pressed: bool,
    /// What is known of a way that is not proved within its tolerance.
    pub tolerance: Option<ToleranceAnswer>,
    /// The least clearance on it, if it was asked.
    pub least: Option<LeastBetween>,
}

/// What is known of a way that is not proved within its tolerance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ToleranceAnswer {
    /// Whether wrong clocks of robots are the reason: with right ones it is proved.
    pub by_clocks: bool,
    /// Whether everything stays apart on the way itself.
    pub alone: bool,
    /// The factor with which the tolerance is proved, if it was searched for; 0 if no part of it is.
    pub largest: Option<f64>,
}

impl EdgeAnswer {
    /// That of an edge beyond the margin.
    pub const FREE: EdgeAnswer =
        EdgeAnswer { margin: Edge::Free, apart: Edge::Free, pressed: false, tolerance: None, least: None };

    /// The answer for an edge about which nothing is known.
    pub const NOTHING_KNOWN: EdgeAnswer = {
        let unknown = Edge::Unknown { at: [0.0, 1.0], pair: None, why: Doubt::NothingKnown };
        EdgeAnswer { margin: unknown, apart: unknown, ..EdgeAnswer::FREE }
    };

    /// The verdict of the two together.
    pub fn edge_kind(&self) -> EdgeKind {
        match (self.margin, self.apart) {
            (Edge::Free, _) => EdgeKind::Free,
            (_, Edge::Free) => EdgeKind::Near,
            (_, _) if self.pressed => EdgeKind::Pressed,
            (_, Edge::Contact { .. }) => EdgeKind::Contact,
            (_, Edge::Unknown { .. }) => EdgeKind::Unknown,
        }
    }

    /// The factor with which the tolerance is proved, if it was searched for.
    pub fn largest_tolerance(&self) -> Option<f64> {
        self.tolerance.and_then(|tolerance| tolerance.largest)
    }

    /// The part of the way on which the answer begins to hold, up to where it ends as far as that is known.
    pub fn told_part(&self) -> [f64; 2] {
        match self.told_edge() {
            Edge::Free => [0.0, 1.0],
            Edge::Contact { first, .. } => first,
            Edge::Unknown { at, .. } => at,
        }
    }

    /// The pair that the answer is about.
    pub fn told_pair(&self) -> Option<BodyPair> {
        match self.told_edge() {
            Edge::Free => None,
            Edge::Contact { pair, .. } => Some(pair),
            Edge::Unknown { pair, .. } => pair,
        }
    }

    /// The answer for people: if an edge is near, the one with the margin.
    pub fn told_edge(&self) -> Edge {
        if self.edge_kind() == EdgeKind::Near { self.margin } else { self.apart }
    }
}

/// A way that is proved apart without its tolerance. No factor was searched for.
pub const ALONE: ToleranceAnswer = ToleranceAnswer { by_clocks: false, alone: true, largest: None };

/// All edges together.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// How many of each kind, in the order of `WORDS`.
    counts: [usize; WORDS.len()],
    /// The first edges that are not free, each with the sample that it leads to.
    pub listed: Vec<(usize, EdgeAnswer)>,
    /// The first with contact, or else the first that is open, or else the first that is near or presses
    /// pads.
    first: Option<(usize, EdgeAnswer)>,
    /// The times of both ends of that one, if the motion has times.
    first_times: Option<[f64; 2]>,
    /// The least clearance of the ways for which it was found, with the sample and the times of its way.
    least: Option<(usize, Option<[f64; 2]>, LeastBetween)>,
    /// How many are open only because bodies touch as closely as can be computed.
    touching: usize,
    /// The least of the factors that were searched for.
    largest_tolerance: Option<f64>,
    /// Whether ways are asked with a tolerance.
    has_tolerance: bool,
}

impl Edges {
    /// None yet, of ways with a tolerance or without.
    pub fn with_tolerance(has_tolerance: bool) -> Edges {
        Edges { has_tolerance, ..Edges::default() }
    }

    /// Counts the edge that leads to a sample; with the times of its ends, if the motion has them.
    pub fn add(&mut self, sample: usize, answer: EdgeAnswer, times: Option<[f64; 2]>) {
        let kind = answer.edge_kind();
        self.counts[WORDS.iter().position(|(k, _)| *k == kind).unwrap_or(0)] += 1;
        if let Some(own) = answer.least {
            let found = self.least.get_or_insert((sample, times, own));
            let lower = found.2.interval[0].min(own.interval[0]);
            if own.interval[1] < found.2.interval[1] {
                *found = (sample, times, own);
            }
            found.2.interval[0] = lower;
        }
        if kind == EdgeKind::Free {
            return;
        }
        if self.listed.len() < EDGES_KEPT {
            self.listed.push((sample, answer));
        }
        self.touching += usize::from(kind == EdgeKind::Unknown && reason_word(&answer) == Some("touching"));
        // Contact ranks before an open edge, and an open edge before a near one.
        let rank = |answer: &EdgeAnswer| match answer.edge_kind() {
            EdgeKind::Contact => 2,
            EdgeKind::Unknown => 1,
            EdgeKind::Free | EdgeKind::Near | EdgeKind::Pressed => 0,
        };
        if self.first.is_none_or(|(_, first)| rank(&first) < rank(&answer)) {
            self.first = Some((sample, answer));
            self.first_times = times;
        }
        if let Some(factor) = answer.largest_tolerance() {
            self.largest_tolerance = Some(self.largest_tolerance.map_or(factor, |least| least.min(factor)));
        }
    }

    /// How many are of a kind.
    pub fn kind_count(&self, kind: EdgeKind) -> usize {
        WORDS.iter().position(|(k, _)| *k == kind).map_or(0, |i| self.counts[i])
    }

    /// How many there are.
    pub fn edge_count(&self) -> usize {
        self.counts.iter().sum()
    }

    /// How many are not free and not listed.
    pub fn unlisted_count(&self) -> usize {
        self.edge_count() - self.kind_count(EdgeKind::Free) - self.listed.len()
    }

    /// Whether each is free, or touches nothing but pads.
    pub fn all_free(&self) -> bool {
        self.kind_count(EdgeKind::Free) + self.kind_count(EdgeKind::Pressed) == self.edge_count()
    }

    /// How many are open only because bodies touch as closely as can be computed.
    pub fn touching_count(&self) -> usize {
        self.touching
    }

    /// The worst edge, the first of its kind, with the sample that it leads to and the times of its ends.
    pub fn first_bad(&self) -> Option<(usize, &EdgeAnswer, Option<[f64; 2]>)> {
        self.first.as_ref().map(|(sample, answer)| (*sample, answer, self.first_times))
    }

    /// Whether nothing touches on any edge, but for pads, proved.
    pub fn all_apart(&self) -> bool {
        self.kind_count(EdgeKind::Contact) + self.kind_count(EdgeKind::Unknown) == 0
    }

    /// How many of each kind, in words.
    pub fn counts_in_words(&self) -> String {
        let [free, near, pressed, contact, unknown] = self.counts;
        let near = if near > 0 { format!("{near} near, ") } else { String::new() };
        let pressed =
            if pressed > 0 { format!("{pressed} with contact on pads alone, ") } else { String::new() };
        format!("{free} free, {near}{pressed}{contact} with contact, {unknown} unknown")
    }

    /// How many of each kind, in words for a page, where `free` would have two meanings. `margin` is in
    /// metres.
    pub fn counts_by_margin(&self, margin: f64) -> String {
        let [free, near, pressed, contact, unknown] = self.counts;
        let beyond = match margin > 0.0 {
            true => format!("{free} farther apart than {}", length_text(margin)),
            false => format!("{free} apart"),
        };
        let more = [
            (near, "within the margin but apart"),
            (pressed, "with contact on pads alone"),
            (contact, "with contact"),
            (unknown, "not proved"),
        ];
        let more = more.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}"));
        std::iter::once(beyond).chain(more).collect::<Vec<_>>().join(", ")
    }

    /// In words.
    pub fn edges_in_words(&self, world: &World) -> String {
        if self.edge_count() == 0 {
            return "edges: none between fewer than two samples".into();
        }
        let mut words = format!("edges: {}", self.counts_in_words());
        if let Some((sample, answer)) = &self.first {
            let ToldEdge { what, part, pair: [a, b], before, why } = edge_in_words(world, answer);
            let way = match percents_of_way(part).as_str() {
                "0 %" | "0 to 0.01 %" => format!("; first {what} at the start of the way to sample {sample}"),
                parts => format!("; first {what} at {parts} of the way to sample {sample}"),
            };
            words.push_str(&way);
            if let Some([from, to]) = self.first_times {
                let time = seconds_text(rounded_time_on_way([from, to], part[0]));
                words.push_str(&format!(" (t = {time} s)"));
            }
            if !a.is_empty() {
                words.push_str(&format!(", between {} and {}", clean_text(a), clean_text(b)));
            }
            words.push_str(&clean_text(&before));
            if !why.is_empty() {
                words.push_str(&format!(": {why}"));
            }
        }
        if let Some(least) = self.least_in_words(world) {
            words.push_str(&format!("; {least}"));
        }
        if let Some(factor) = self.largest_tolerance {
            words.push_str(&match factor {
                0.0 => "; a way that is apart without its tolerance is not proved so with a millionth of it"
                    .into(),
                _ => format!(
                    "; each way that is apart without its tolerance is proved apart with {} of it",
                    percent_of_way(factor)
                ),
            });
        }
        words
    }
}

impl Edges {
    /// The least clearance of the ways for which it was found, and the sample that its way leads to.
    pub fn least_between(&self) -> Option<(usize, &LeastBetween)> {
        self.least.as_ref().map(|(sample, _, least)| (*sample, least))
    }

    /// The least clearance of the motion itself, of the ways for which it was found.
    pub fn least_in_words(&self, world: &World) -> Option<String> {
        let (sample, times, least) = self.least.as_ref()?;
        let [low, high] = least.interval;
        let place = match times {
            Some(times) => format!("t = {} s", seconds_text(rounded_time_on_way(*times, least.part))),
            None => format!("{} of the way to sample {sample}", percent_of_way(least.part)),
        };
        let clearance = LengthDigits::default().span_text(low, high);
        // What may be beside the way by its tolerance may come nearer.
        let exact = if self.has_tolerance { ", without their tolerance" } else { "" };
        let mut words = format!("least clearance on all ways that are apart{exact}: {clearance} at {place}");
        if let Some([a, b]) = least.pair.and_then(|pair| world.body_names(pair)) {
            words += &format!(", between {} and {}", clean_text(a), clean_text(b));
        }
        Some(words)
    }
}

/// An edge that is not free, for people.
pub struct ToldEdge<'w> {
    /// What it has.
    pub what: &'static str,
    /// On which part of it.
    pub part: [f64; 2],
    /// Between which bodies.
    pub pair: [&'w str; 2],
    /// Words about the pair that is open before that, if one is, to be put behind the names.
    pub before: String,
    /// Why the edge is open, in words; empty if it is not.
    pub why: &'static str,
}

/// An edge in words.
pub fn edge_in_words<'w>(world: &'w World, answer: &EdgeAnswer) -> ToldEdge<'w> {
    let kind = answer.edge_kind();
    let before = match answer.told_edge() {
        Edge::Contact { free_until, open, .. } => open.map(|open| (free_until, open)),
        Edge::Free | Edge::Unknown { .. } => None,
    };
    let before = before.and_then(|(until, open)| Some((until, world.body_names(open)?)));
    ToldEdge {
        what: WORDS.iter().find(|(k, _)| *k == kind).map_or("", |(_, word)| word),
        part: answer.told_part(),
        pair: answer.told_pair().and_then(|pair| world.body_names(pair)).unwrap_or_default(),
        before: before.map_or(String::new(), |(until, [a, b])| {
            format!(" (from {} on nothing is proved of {a} and {b})", percent_of_way(until))
        }),
        why: reason_in_words(answer),
    }
}

/// Why an edge is open, as one word; `None` if it is not.
fn reason_word(answer: &EdgeAnswer) -> Option<&'static str> {
    let Edge::Unknown { why, .. } = answer.told_edge() else { return None };
    match answer.tolerance {
        Some(ToleranceAnswer { by_clocks: true, .. }) => return Some("clocks"),
        Some(ToleranceAnswer { alone: true, .. }) => return Some("tolerance"),
        _ => {}
    }
    Some(match why {
        Doubt::Touching => "touching",
        Doubt::Close => "close",
        Doubt::Work => "work",
        Doubt::NothingKnown => "nothing_known",
    })
}

/// Why an edge is open, in words behind those that name its bodies.
fn reason_in_words(answer: &EdgeAnswer) -> &'static str {
    match reason_word(answer) {
        Some("touching") if answer.edge_kind() == EdgeKind::Near => {
            "they are as far apart as the margin, as closely as can be computed"
        }
        Some("touching") => "they touch, as closely as can be computed",
        Some("clocks") => {
            "it is proved apart with right clocks, but not if these are wrong by as much as asked"
        }
        Some("tolerance") => {
            "the way itself is proved apart, but not all that follows it within its tolerance"
        }
        Some("close") => "they come too near to tell",
        Some("work") => "the work that an edge may take was done",
        _ => "",
    }
}

/// A part of a way for people, rounded down; JSON has all its digits.
pub fn percent_of_way(part: f64) -> String {
    format!("{} %", hundredths_text((1e4 * part).floor()))
}

/// An interval of parts of a way, rounded outwards: one number where both ends are the same.
pub fn percents_of_way([from, to]: [f64; 2]) -> String {
    let [from, to] = [(1e4 * from).floor(), (1e4 * to).ceil()].map(hundredths_text);
    if from == to { format!("{from} %") } else { format!("{from} to {to} %") }
}

/// A number of hundredths with at most two decimals.
fn hundredths_text(number: f64) -> String {
    let text = format!("{:.2}", 0.01 * number);
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// Before which part of the way everything is proved.
fn proved_until(edge: Edge) -> f64 {
    match edge {
        Edge::Free => 1.0,
        Edge::Contact { free_until, .. } => free_until,
        Edge::Unknown { at, .. } => at[0],
    }
}

/// An edge as JSON; `times` are those of its two samples, if the motion has them.
pub fn json_edge(world: &World, answer: &EdgeAnswer, times: Option<[f64; 2]>) -> Value {
    let kind = answer.edge_kind();
    let word = match kind {
        EdgeKind::Free => "free",
        EdgeKind::Near => "near",
        EdgeKind::Pressed => "expected_contact",
        EdgeKind::Contact => "contact",
        EdgeKind::Unknown => "unknown",
    };
    let (first, open, pair, other) = match answer.told_edge() {
        Edge::Free => (None, None, None, None),
        Edge::Contact { first, pair, open, .. } => (Some(first), None, Some(pair), open),
        Edge::Unknown { at, pair, .. } => (None, Some(at), pair, None),
    };
    let parts = |at: Option<[f64; 2]>| at.map(|at| at.map(json_number));
    let time = |s: f64| times.map(|times| time_on_way(times, s));
    let both =
        |at: Option<[f64; 2]>| at.and_then(|[a, b]| Some([json_number(time(a)?), json_number(time(b)?)]));
    // First contact is with the declared bodies, on a pad or not.
    let touches = if kind == EdgeKind::Pressed { EdgeKind::Pressed } else { EdgeKind::Contact };
    let of = |wanted: EdgeKind| first.filter(|_| kind == wanted);
    let named = |pair: Option<BodyPair>| pair.and_then(|pair| world.body_names(pair));
    // Free is beyond the margin; what is beyond the margin is apart as well.
    let free = proved_until(answer.margin);
    let apart = proved_until(answer.apart).max(free);
    let mut edge = json!({
        "verdict": word,
        "first_contact": parts(of(touches)),
        "first_contact_t": both(of(touches)),
        "first_near": parts(of(EdgeKind::Near)),
        "first_near_t": both(of(EdgeKind::Near)),
        "open": parts(open),
        "reason": reason_word(answer),
        "pair": named(pair),
        "free_until": json_number(free),
        "free_until_t": time(free).map(json_number),
        "apart_until": json_number(apart),
        "apart_until_t": time(apart).map(json_number),
        "open_pair": named(other),
    });
    if let Some(edge) = edge.as_object_mut() {
        if let Some(factor) = answer.largest_tolerance() {
            edge.insert("largest_tolerance".into(), json_number(factor));
        }
        if let Some(least) = &answer.least {
            edge.insert("least".into(), least.json_least(world, times));
        }
    }
    edge
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_way_are_rounded_outwards() {
        assert_eq!(percents_of_way([0.0, 0.0]), "0 %");
        assert_eq!(percents_of_way([1e-7, 2e-7]), "0 to 0.01 %");
        assert_eq!(percents_of_way([0.123_44, 0.123_46]), "12.34 to 12.35 %");
        assert_eq!(
            (percents_of_way([0.25, 0.5]).as_str(), percent_of_way(0.999_999).as_str()),
            ("25 to 50 %", "99.99 %")
        );
    }
}
