//! Makes the engine's questions from Python's keywords.

use crate::errors::value_error;
use elbowroom::motion::{EdgeAsk, EdgeOptions};
use elbowroom::pair::Effort;
use elbowroom::{Geometry, Policy, Question};
use pyo3::PyResult;

/// Keywords that every question takes.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    pub margin: Option<f64>,
    pub cutoff: Option<f64>,
    pub hulls: bool,
    pub depth: Option<&'a str>,
}

impl Asked<'_> {
    /// `begin`, with these keywords in place of its defaults.
    pub fn build_question(self, begin: Question) -> PyResult<Question> {
        let mut question = begin.geometry(geometry_of(self.hulls));
        if let Some(margin) = checked_length(self.margin, "margin")? {
            question = question.margin(margin);
        }
        if let Some(cutoff) = checked_length(self.cutoff, "cutoff")? {
            question = question.cutoff(cutoff);
        }
        Ok(match self.depth {
            None | Some("ordinary") => question,
            Some("rough") => question.depth(Effort::Rough),
            Some("tight") => question.depth(Effort::TIGHT),
            Some(other) => {
                let words = r#""rough", "ordinary" or "tight""#;
                return Err(value_error(format!("depth must be {words}, and not {other:?}")));
            }
        })
    }
}

/// What meshes count as.
pub fn geometry_of(hulls: bool) -> Geometry {
    if hulls { Geometry::Hull } else { Geometry::Mesh }
}

/// A length, if it is a number and not negative.
pub fn checked_length(metres: Option<f64>, what: &str) -> PyResult<Option<f64>> {
    match metres {
        Some(metres) if metres.is_nan() || metres < 0.0 => {
            Err(value_error(format!("{what} must be a number of metres that is not negative, not {metres}")))
        }
        metres => Ok(metres),
    }
}

/// The options of a question about a motion.
pub fn edge_options(
    margin: Option<f64>,
    hulls: bool,
    first: bool,
    resolution: Option<f64>,
    work: Option<u64>,
) -> PyResult<EdgeOptions> {
    let usual = EdgeOptions::default();
    Ok(EdgeOptions {
        ask: if first { EdgeAsk::FirstContact } else { EdgeAsk::IsFree },
        policy: Policy { margin: checked_length(margin, "margin")?, geometry: geometry_of(hulls) },
        resolution: checked_length(resolution, "resolution")?.unwrap_or(usual.resolution),
        work: work.unwrap_or(usual.work),
        ..usual
    })
}
