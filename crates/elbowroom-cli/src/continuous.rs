//! `check --continuous`: the straight way of all joints from each sample to the next, at every instant.

use crate::answer::number;
use crate::limits::PAGE_PAIRS;
use crate::out::clean;
use crate::summary::counted_edges;
use elbowroom::motion::edge::{Edge, EdgeOptions, EdgeWork, edge};
use elbowroom::narrow::Geometry;
use elbowroom::pairs::BodyPair;
use elbowroom::pose::{Pose, SetOptions};
use elbowroom::world::World;
use serde_json::{Value, json};

/// All edges together.
#[derive(Clone, Debug, Default)]
pub struct Edges {
    /// Proved free at every instant.
    pub free: usize,
    /// With a contact.
    pub contact: usize,
    /// Neither proved.
    pub unknown: usize,
    /// The first edges that are not free, each with the sample that it leads to.
    pub bad: Vec<(usize, Edge)>,
}

impl Edges {
    /// Counts the edge that leads to a sample.
    pub fn add(&mut self, sample: usize, answer: Edge) {
        match answer {
            Edge::Free => self.free += 1,
            Edge::Contact { .. } => self.contact += 1,
            Edge::Unknown { .. } => self.unknown += 1,
        }
        if answer != Edge::Free && self.bad.len() < PAGE_PAIRS {
            self.bad.push((sample, answer));
        }
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.free + self.contact + self.unknown
    }

    /// Whether every edge is proved free.
    pub fn all_free(&self) -> bool {
        self.contact + self.unknown == 0
    }

    /// In words.
    pub fn words(&self, world: &World) -> String {
        if self.count() == 0 {
            return "edges: none between fewer than two samples".into();
        }
        let mut words = format!("edges: {}", counted_edges([self.free, self.contact, self.unknown]));
        if let Some((sample, edge)) = self.bad.first() {
            let (what, part, [a, b]) = told(world, *edge);
            words.push_str(&format!("; first {what} {part} of the way to sample {sample}"));
            if !a.is_empty() {
                words.push_str(&format!(", between {} and {}", clean(a), clean(b)));
            }
        }
        words
    }
}

/// What an edge that is not free has, on which part of it, and between which bodies.
pub fn told(world: &World, edge: Edge) -> (&'static str, String, [&str; 2]) {
    let (what, [a, b], pair) = match edge {
        Edge::Free => ("free", [0.0, 1.0], None),
        Edge::Contact { first, pair } => ("contact", first, Some(pair)),
        Edge::Unknown { at, pair } => ("not proved", at, pair),
    };
    let pair = pair.and_then(|pair| names(world, pair)).unwrap_or_default();
    (what, format!("from {a:.6} to {b:.6}"), pair)
}

fn names(world: &World, pair: BodyPair) -> Option<[&str; 2]> {
    let name = |id: elbowroom::id::BodyId| Some(&*world.bodies().get(id.index())?.name);
    Some([name(pair.a)?, name(pair.b)?])
}

/// The edge between two samples.
pub fn ask(
    world: &World,
    pose: &mut Pose,
    work: &mut EdgeWork,
    ends: [&[f64]; 2],
    geometry: Geometry,
    set: SetOptions,
) -> Edge {
    let options = EdgeOptions { geometry, set, ..EdgeOptions::default() };
    // Values were checked before: a refusal means that nothing is known.
    edge(world, pose, work, ends, &options).unwrap_or(Edge::Unknown { at: [0.0, 1.0], pair: None })
}

/// An edge as JSON; `times` are those of its two samples, if the motion has them.
pub fn json(world: &World, edge: Edge, times: Option<[f64; 2]>) -> Value {
    let (word, at, pair) = match edge {
        Edge::Free => ("free", None, None),
        Edge::Contact { first, pair } => ("contact", Some(first), Some(pair)),
        Edge::Unknown { at, pair } => ("unknown", Some(at), pair),
    };
    let parts = |at: Option<[f64; 2]>| at.map(|at| at.map(number));
    let time = |at: [f64; 2]| times.map(|[a, b]| at.map(|s| if s >= 1.0 { b } else { a + (b - a) * s }));
    let contact = at.filter(|_| word == "contact");
    json!({
        "verdict": word,
        "first_contact": parts(contact),
        "first_contact_t": parts(contact.and_then(time)),
        "open": parts(at.filter(|_| word == "unknown")),
        "pair": pair.and_then(|pair| names(world, pair)),
    })
}
