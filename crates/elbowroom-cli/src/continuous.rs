//! `check --continuous`: the straight way of all joints from each sample to the next, at every instant.

use crate::answer::number;
use crate::out::clean;
use crate::summary::counted_edges;
use elbowroom::motion::edge::{Edge, EdgeOptions, EdgeWork, edge};
use elbowroom::narrow::Geometry;
use elbowroom::pairs::BodyPair;
use elbowroom::pose::{Pose, SetOptions};
use elbowroom::world::World;
use serde_json::{Value, json};

/// All edges together.
#[derive(Clone, Copy, Debug, Default)]
pub struct Edges {
    /// Proved free at every instant.
    pub free: usize,
    /// With a contact.
    pub contact: usize,
    /// Neither proved.
    pub unknown: usize,
    /// The first edge that is not free, and the sample that it leads to.
    pub first_bad: Option<(usize, Edge)>,
}

impl Edges {
    /// Counts the edge that leads to a sample.
    pub fn add(&mut self, sample: usize, answer: Edge) {
        match answer {
            Edge::Free => self.free += 1,
            Edge::Contact { .. } => self.contact += 1,
            Edge::Unknown { .. } => self.unknown += 1,
        }
        if answer != Edge::Free {
            self.first_bad.get_or_insert((sample, answer));
        }
    }

    /// Whether every edge is proved free.
    pub fn all_free(&self) -> bool {
        self.first_bad.is_none()
    }

    /// In words.
    pub fn words(&self, world: &World) -> String {
        let mut words = format!("edges: {}", counted_edges([self.free, self.contact, self.unknown]));
        if let Some((sample, edge)) = self.first_bad {
            let (what, [a, b], pair) = match edge {
                Edge::Contact { first, pair } => ("first contact", first, Some(pair)),
                Edge::Unknown { at, pair } => ("first not proved", at, pair),
                Edge::Free => return words,
            };
            words.push_str(&format!("; {what} from {a:.6} to {b:.6} of the way to sample {sample}"));
            if let Some([a, b]) = pair.and_then(|pair| names(world, pair)) {
                words.push_str(&format!(", between {} and {}", clean(a), clean(b)));
            }
        }
        words
    }
}

fn names(world: &World, pair: BodyPair) -> Option<[&str; 2]> {
    let name = |id: elbowroom::id::BodyId| Some(&*world.bodies().get(id.index())?.name);
    Some([name(pair.a)?, name(pair.b)?])
}

/// The edge between two samples. Where nothing is checked nothing is proved.
pub fn ask(
    world: &World,
    pose: &mut Pose,
    work: &mut EdgeWork,
    ends: [&[f64]; 2],
    geometry: Geometry,
    set: SetOptions,
) -> Edge {
    let nothing = Edge::Unknown { at: [0.0, 1.0], pair: None };
    if world.pairs().is_empty() {
        return nothing;
    }
    let options = EdgeOptions { geometry, set, ..EdgeOptions::default() };
    // Values were checked before: a refusal means that nothing is known.
    edge(world, pose, work, ends, &options).unwrap_or(nothing)
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
