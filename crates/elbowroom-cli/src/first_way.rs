//! The worst way between two samples in words: what headlines and summaries lead with.

use crate::continuous::{EdgeKind, Edges, ToldEdge, edge_in_words, percents_of_way};
use crate::out::{clean_text, seconds_text};
use crate::way_time::rounded_time_on_way;
use elbowroom::World;

/// The worst way, the first of its kind.
pub struct FirstWay {
    /// What it has.
    pub kind: EdgeKind,
    /// All of it: `contact at t = 2.485 s (between samples 49 and 50): A and B`.
    pub words: String,
}

/// That of all ways; `None` if all are free.
pub fn first_way(world: &World, edges: &Edges) -> Option<FirstWay> {
    let (sample, answer, times) = edges.first_bad()?;
    let kind = answer.edge_kind();
    let what = match kind {
        EdgeKind::Free => return None,
        EdgeKind::Near => "within the margin",
        EdgeKind::Pressed => "contact on pads alone",
        EdgeKind::Contact => "contact",
        EdgeKind::Unknown => "not proved free",
    };
    let ToldEdge { part, pair: [a, b], why, .. } = edge_in_words(world, answer);
    let mut words = format!("{what} {}", when_on_way(sample, part, times));
    if !a.is_empty() {
        words += &format!(": {} and {}", clean_text(a), clean_text(b));
    }
    if kind == EdgeKind::Unknown && !why.is_empty() {
        words += &format!(" ({why})");
    }
    Some(FirstWay { kind, words })
}

/// When something begins on the way to a sample: `at t = 2.485 s (between samples 49 and 50)`.
pub fn when_on_way(sample: usize, part: [f64; 2], times: Option<[f64; 2]>) -> String {
    let between = format!("between samples {} and {sample}", sample.saturating_sub(1));
    match times {
        Some(times) => format!("at t = {} s ({between})", seconds_text(rounded_time_on_way(times, part[0]))),
        None => format!("{between} (at {} of the way)", percents_of_way(part)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_on_a_way_has_one_time() {
        let times = Some([2.45, 2.5]);
        assert_eq!(when_on_way(50, [0.7, 0.7001], times), "at t = 2.485 s (between samples 49 and 50)");
        assert_eq!(when_on_way(1, [0.25, 0.25], None), "between samples 0 and 1 (at 25 % of the way)");
        assert_eq!(rounded_time_on_way([1.0, 1.001], 0.5), 1.0005);
    }
}
