//! Marks of what happens between samples, on the plot and beside the slider: where contact, a part that is
//! not proved, or the margin begins. The curve itself goes from sample to sample, and does not show it.

use super::html::escaped;
use super::sample_axis::way_place;
use crate::continuous::{EdgeAnswer, EdgeKind, Edges, edge_in_words};
use crate::first_way::when_on_way;
use crate::limits::WAY_MARKS;
use crate::load::LoadedWorld;
use crate::outcome::{Outcome, Point};
use elbowroom::World;
use elbowroom::world::{BodyId, BodyPair};

/// What begins between two samples.
pub struct WayMark {
    /// Contact, not proved or near.
    pub kind: EdgeKind,
    /// The sample that the way leads to.
    pub sample: usize,
    /// On which part of the way.
    pub part: f64,
    /// Between which bodies, if that is known.
    pub pair: Option<BodyPair>,
    /// The sample and part up to which it is known to go on.
    pub to: (usize, f64),
    /// Words, as HTML.
    pub words: String,
}

/// The least clearance on a way, for the curves.
pub struct LeastPoint {
    /// The sample that the way leads to.
    pub sample: usize,
    /// On which part of the way.
    pub part: f64,
    /// Between these (metres).
    pub interval: [f64; 2],
    /// Between which bodies, if that is known.
    pub pair: Option<BodyPair>,
    /// Whether it is of one robot's links.
    pub is_own: bool,
}

/// The least clearance of each way that is listed and has one, in order.
pub fn least_points(world: &World, edges: Option<&Edges>) -> Vec<LeastPoint> {
    let listed = edges.map_or(&[][..], |edges| &edges.listed);
    let point = |(sample, answer): &(usize, EdgeAnswer)| {
        let least = answer.least.filter(|least| 0.0 < least.part && least.part < 1.0)?;
        let robot = |body: BodyId| world.bodies()[body.index()].robot;
        let is_own = least.pair.is_some_and(|pair| robot(pair.a).is_some() && robot(pair.a) == robot(pair.b));
        let (part, interval, pair) = (least.part, least.interval, least.pair);
        Some(LeastPoint { sample: *sample, part, interval, pair, is_own })
    };
    listed.iter().filter_map(point).collect()
}

impl WayMark {
    /// Its class in the style sheet.
    pub fn css_class(&self) -> &'static str {
        match self.kind {
            EdgeKind::Contact => "collision",
            EdgeKind::Unknown => "unknown",
            EdgeKind::Free | EdgeKind::Near | EdgeKind::Pressed => "near",
        }
    }

    /// Its label in the plot.
    pub fn label_word(&self) -> &'static str {
        match self.kind {
            EdgeKind::Contact => "contact",
            EdgeKind::Unknown => "not proved",
            EdgeKind::Free | EdgeKind::Near | EdgeKind::Pressed => "near",
        }
    }

    /// Its ends in the plot.
    pub fn plot_span(&self, points: &[Point]) -> [f64; 2] {
        [way_place(points, self.sample, self.part), way_place(points, self.to.0, self.to.1)]
    }
}

/// The marks, in order. A way that begins as the one before it ended, with the same answer, has none.
pub fn way_marks(loaded: &LoadedWorld, outcome: &Outcome) -> Vec<WayMark> {
    let listed = outcome.edges.as_ref().map_or(&[][..], |edges| &edges.listed);
    let mut marks: Vec<WayMark> = Vec::new();
    let mut last = None;
    for (sample, answer) in listed {
        let kind = answer.edge_kind();
        if matches!(kind, EdgeKind::Free | EdgeKind::Pressed) {
            continue;
        }
        let part = answer.told_part();
        let follows = last.replace((*sample, kind)) == Some((sample.saturating_sub(1), kind));
        if let (true, Some(mark)) = (follows && part[0] == 0.0, marks.last_mut()) {
            mark.to = (*sample, part[1]);
            continue;
        }
        if marks.len() == WAY_MARKS {
            break;
        }
        let time = |i: usize| outcome.points.get(i).and_then(|point| point.t);
        let times = sample.checked_sub(1).and_then(time).zip(time(*sample)).map(|(a, b)| [a, b]);
        let [a, b] = edge_in_words(&loaded.world, answer).pair;
        let what = match kind {
            EdgeKind::Contact => "Contact",
            EdgeKind::Unknown => "Not proved free",
            EdgeKind::Free | EdgeKind::Near | EdgeKind::Pressed => "Within the margin",
        };
        let pair = if a.is_empty() { String::new() } else { format!(": {a} and {b}") };
        let words = escaped(&format!("{what} {}{pair}", when_on_way(*sample, part, times)));
        let (to, pair) = ((*sample, part[1]), answer.told_pair());
        marks.push(WayMark { kind, sample: *sample, part: part[0], pair, to, words });
    }
    marks
}
