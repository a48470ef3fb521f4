//! `check --continuous`: the straight way of all joints from each sample to the next, at every instant.
//!
//! As of samples: beyond the margin is free, apart but not proved beyond it is near, overlap is contact. So
//! an edge is asked with the margin first, and where that does not prove it free, again without.

use crate::answer::number;
use crate::limits::EDGES_KEPT;
use crate::out::clean;
use elbowroom::motion::{Doubt, Edge, EdgeChecker, EdgeOptions, EdgeSieve};
use elbowroom::pose::SetOptions;
use elbowroom::world::BodyPair;
use elbowroom::{Checker, Geometry, World};
use serde_json::{Value, json};
use std::ops::Range;

/// The verdict on an edge, from harmless to worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Everything is proved farther apart than the margin at every instant.
    Free,
    /// Everything is proved apart at every instant, but not beyond the margin.
    Near,
    /// A pair is proved to overlap.
    Contact,
    /// Neither is proved.
    Unknown,
}

/// Their words in the table, the page and, but for the last, in JSON.
const WORDS: [(Kind, &str); 4] =
    [(Kind::Free, "free"), (Kind::Near, "near"), (Kind::Contact, "contact"), (Kind::Unknown, "not proved")];

/// The answers for an edge: of a world without a margin both are one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EdgeAnswer {
    /// Whether everything stays farther apart than the margin.
    margin: Edge,
    /// Whether everything stays apart.
    apart: Edge,
}

impl EdgeAnswer {
    /// The verdict of the two together.
    pub fn kind(&self) -> Kind {
        match (self.margin, self.apart) {
            (Edge::Free, _) => Kind::Free,
            (_, Edge::Free) => Kind::Near,
            (_, Edge::Contact { .. }) => Kind::Contact,
            (_, Edge::Unknown { .. }) => Kind::Unknown,
        }
    }

    /// The answer that is told: of an edge that is near, what its margin says.
    fn told(&self) -> Edge {
        if self.kind() == Kind::Near { self.margin } else { self.apart }
    }
}

/// All edges together.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// How many of each kind, in the order of `WORDS`.
    counts: [usize; WORDS.len()],
    /// The first edges that are not free, each with the sample that it leads to.
    pub listed: Vec<(usize, EdgeAnswer)>,
    /// The first one that decides the exit code, or else the first that is near.
    first: Option<(usize, EdgeAnswer)>,
}

impl Edges {
    /// Counts the edge that leads to a sample.
    pub fn add(&mut self, sample: usize, answer: EdgeAnswer) {
        let kind = answer.kind();
        self.counts[WORDS.iter().position(|(k, _)| *k == kind).unwrap_or(0)] += 1;
        if kind == Kind::Free {
            return;
        }
        if self.listed.len() < EDGES_KEPT {
            self.listed.push((sample, answer));
        }
        let is_near = |answer: &EdgeAnswer| answer.kind() == Kind::Near;
        if self.first.is_none_or(|(_, first)| is_near(&first) && !is_near(&answer)) {
            self.first = Some((sample, answer));
        }
    }

    /// How many are of a kind.
    pub fn of(&self, kind: Kind) -> usize {
        WORDS.iter().position(|(k, _)| *k == kind).map_or(0, |i| self.counts[i])
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.counts.iter().sum()
    }

    /// How many are not free and not listed.
    pub fn unlisted(&self) -> usize {
        self.count() - self.of(Kind::Free) - self.listed.len()
    }

    /// Whether nothing touches on any edge, proved.
    pub fn all_apart(&self) -> bool {
        self.of(Kind::Contact) + self.of(Kind::Unknown) == 0
    }

    /// How many of each kind, in words.
    pub fn counted(&self) -> String {
        let [free, near, contact, unknown] = self.counts;
        let near = if near > 0 { format!("{near} near, ") } else { String::new() };
        format!("{free} free, {near}{contact} with contact, {unknown} unknown")
    }

    /// In words.
    pub fn words(&self, world: &World) -> String {
        if self.count() == 0 {
            return "edges: none between fewer than two samples".into();
        }
        let mut words = format!("edges: {}", self.counted());
        if let Some((sample, answer)) = &self.first {
            let Told { what, part, pair: [a, b], before, why } = told(world, answer);
            let way = match percents(part).as_str() {
                "0 %" => format!("; first {what} at the start of the way to sample {sample}"),
                parts => format!("; first {what} at {parts} of the way to sample {sample}"),
            };
            words.push_str(&way);
            if !a.is_empty() {
                words.push_str(&format!(", between {} and {}", clean(a), clean(b)));
            }
            words.push_str(&clean(&before));
            if !why.is_empty() {
                words.push_str(&format!(": {why}"));
            }
        }
        words
    }
}

/// An edge that is not free, for people.
pub struct Told<'w> {
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
pub fn told<'w>(world: &'w World, answer: &EdgeAnswer) -> Told<'w> {
    let kind = answer.kind();
    let (part, pair, before) = match answer.told() {
        Edge::Free => ([0.0, 1.0], None, None),
        Edge::Contact { first, pair, free_until, open } => (first, Some(pair), open.map(|o| (free_until, o))),
        Edge::Unknown { at, pair, .. } => (at, pair, None),
    };
    let before = before.and_then(|(until, open)| Some((until, world.body_names(open)?)));
    Told {
        what: WORDS.iter().find(|(k, _)| *k == kind).map_or("", |(_, word)| word),
        part,
        pair: pair.and_then(|pair| world.body_names(pair)).unwrap_or_default(),
        before: before.map_or(String::new(), |(until, [a, b])| {
            format!(" (from {} on nothing is proved of {a} and {b})", percent(until))
        }),
        why: because(answer),
    }
}

/// What a thread asks edges with. The edges of a block of samples are sieved together. If the sieve proves
/// all further edges of a block free, none of them is searched. Before an edge that stays open all are
/// searched: a search starts from those before it, so the last digits of its answer depend on them.
pub struct EdgeAsker<'w> {
    checker: EdgeChecker<'w>,
    sieve: Option<EdgeSieve<'w>>,
    options: EdgeOptions,
    free: Vec<bool>,
    /// From this sample of the block on, the edges that lead to samples are free.
    free_from: usize,
}

impl<'w> EdgeAsker<'w> {
    /// For a world; with a sieve, if nothing changes in the course of the samples.
    pub fn new(world: &'w World, geometry: Geometry, set: SetOptions, sieves: bool) -> EdgeAsker<'w> {
        let options = EdgeOptions { geometry, set, ..EdgeOptions::default() };
        EdgeAsker {
            checker: EdgeChecker::new(world),
            sieve: if sieves { EdgeSieve::new(world) } else { None },
            options,
            free: Vec::new(),
            free_from: usize::MAX,
        }
    }

    /// Takes over where a checker has the movable bodies and which pairs it allows, and forgets earlier
    /// edges.
    pub fn copy_state_from(&mut self, checker: &Checker) {
        self.checker.forget();
        self.checker.copy_state_from(checker);
    }

    /// Begins with the edges that lead to a block of samples, and forgets earlier ones.
    pub fn begin(&mut self, rows: &[Vec<f64>], block: Range<usize>) {
        self.checker.forget();
        self.free_from = usize::MAX;
        let Some(sieve) = &mut self.sieve else { return };
        let first = block.start.max(1);
        let ways: Vec<[&[f64]; 2]> =
            rows[first - 1..block.end].windows(2).map(|w| [&*w[0], &*w[1]]).collect();
        self.free.resize(ways.len(), false);
        sieve.free(&ways, &self.options, &mut self.free);
        self.free_from = first + self.free.iter().rposition(|free| !free).map_or(0, |last| last + 1);
    }

    /// The edge that leads to a sample of the block, between these poses.
    pub fn ask(&mut self, sample: usize, ends: [&[f64]; 2]) -> EdgeAnswer {
        if sample >= self.free_from {
            return EdgeAnswer { margin: Edge::Free, apart: Edge::Free };
        }
        ask(&mut self.checker, ends, &self.options)
    }
}

/// The edge between two samples.
fn ask(checker: &mut EdgeChecker, ends: [&[f64]; 2], options: &EdgeOptions) -> EdgeAnswer {
    let positive = checker.world().margin() > 0.0;
    let mut ask = |options: &EdgeOptions| {
        // Values were checked before: a refusal means that nothing is known.
        let unknown = Edge::Unknown { at: [0.0, 1.0], pair: None, why: Doubt::NothingKnown };
        checker.check(ends, options).unwrap_or(unknown)
    };
    let margin = ask(options);
    if margin == Edge::Free || !positive {
        return EdgeAnswer { margin, apart: margin };
    }
    EdgeAnswer { margin, apart: ask(&EdgeOptions { margin: Some(0.0), ..*options }) }
}

/// Why an edge is open, as one word; `None` if it is not.
fn reason(answer: &EdgeAnswer) -> Option<&'static str> {
    let Edge::Unknown { why, .. } = answer.told() else { return None };
    Some(match why {
        Doubt::Touching => "touching",
        Doubt::Close => "close",
        Doubt::Work => "work",
        Doubt::NothingKnown => "nothing_known",
    })
}

/// Why an edge is open, in words behind those that name its bodies.
fn because(answer: &EdgeAnswer) -> &'static str {
    match reason(answer) {
        Some("touching") => "they touch, as closely as can be computed",
        Some("close") => "they come too near to tell",
        Some("work") => "the work that an edge may take was done",
        _ => "",
    }
}

/// A part of a way for people, rounded down; JSON has all its digits.
pub fn percent(part: f64) -> String {
    format!("{} %", hundredths((1e4 * part).floor()))
}

/// An interval of parts of a way, rounded outwards: one number where both ends are the same.
pub fn percents([from, to]: [f64; 2]) -> String {
    let [from, to] = [(1e4 * from).floor(), (1e4 * to).ceil()].map(hundredths);
    if from == to { format!("{from} %") } else { format!("{from} to {to} %") }
}

/// A number of hundredths with at most two decimals.
fn hundredths(number: f64) -> String {
    let text = format!("{:.2}", 0.01 * number);
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// Before which part of the way everything is proved.
fn until(edge: Edge) -> f64 {
    match edge {
        Edge::Free => 1.0,
        Edge::Contact { free_until, .. } => free_until,
        Edge::Unknown { at, .. } => at[0],
    }
}

/// An edge as JSON; `times` are those of its two samples, if the motion has them.
pub fn json(world: &World, answer: &EdgeAnswer, times: Option<[f64; 2]>) -> Value {
    let kind = answer.kind();
    let word = match kind {
        Kind::Free => "free",
        Kind::Near => "near",
        Kind::Contact => "contact",
        Kind::Unknown => "unknown",
    };
    let (first, open, pair, other) = match answer.told() {
        Edge::Free => (None, None, None, None),
        Edge::Contact { first, pair, open, .. } => (Some(first), None, Some(pair), open),
        Edge::Unknown { at, pair, .. } => (None, Some(at), pair, None),
    };
    let parts = |at: Option<[f64; 2]>| at.map(|at| at.map(number));
    let time = |s: f64| times.map(|[a, b]| if s >= 1.0 { b } else { a + (b - a) * s });
    let both = |at: Option<[f64; 2]>| at.and_then(|[a, b]| Some([number(time(a)?), number(time(b)?)]));
    let of = |wanted: Kind| first.filter(|_| kind == wanted);
    let named = |pair: Option<BodyPair>| pair.and_then(|pair| world.body_names(pair));
    // Free is beyond the margin; what is beyond the margin is apart as well.
    let free = until(answer.margin);
    let apart = until(answer.apart).max(free);
    json!({
        "verdict": word,
        "first_contact": parts(of(Kind::Contact)),
        "first_contact_t": both(of(Kind::Contact)),
        "first_near": parts(of(Kind::Near)),
        "first_near_t": both(of(Kind::Near)),
        "open": parts(open),
        "reason": reason(answer),
        "pair": named(pair),
        "free_until": number(free),
        "free_until_t": time(free).map(number),
        "apart_until": number(apart),
        "apart_until_t": time(apart).map(number),
        "open_pair": named(other),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_way_are_rounded_outwards() {
        assert_eq!(percents([0.0, 0.0]), "0 %");
        assert_eq!(percents([1e-7, 2e-7]), "0 to 0.01 %");
        assert_eq!(percents([0.123_44, 0.123_46]), "12.34 to 12.35 %");
        assert_eq!((percents([0.25, 0.5]).as_str(), percent(0.999_999).as_str()), ("25 to 50 %", "99.99 %"));
    }
}
