//! A calibration as JSON.

use super::report::{Report, state_word};
use crate::answer::{SCHEMA, json_number};
use elbowroom_calibrate::{ContactReport, ContactState, LooseDirection, Proposal};
use elbowroom_files::contacts::ContactLine;
use serde_json::{Map, Value, json};

/// The object of `--json`.
pub fn report_object(report: &Report) -> Value {
    let Report { world, contacts, found, next, geometry, .. } = report;
    let name = |value: usize| &*world.dof_names()[value];
    // By the names of the free joints.
    let by_joint = |numbers: &[f64]| -> Value {
        let named = found.joints.iter().zip(numbers).map(|(joint, x)| (name(joint.value), json_number(*x)));
        Value::Object(named.map(|(name, x)| (name.to_string(), x)).collect::<Map<_, _>>())
    };
    let joints = found.joints.iter().map(|joint| {
        json!({
            "name": name(joint.value), "offset": joint.offset, "deviation": joint.deviation,
            "determined": joint.is_determined, "at_bound": joint.is_at_bound,
        })
    });
    let contact = |(line, told): (&ContactLine, &ContactReport)| {
        let others = match &told.state {
            ContactState::Contradicts { others } => others.iter().map(|k| &*contacts[*k].name).collect(),
            _ => Vec::new(),
        };
        let optional = |x: Option<f64>| x.map_or(Value::Null, json_number);
        json!({
            "name": line.name, "line": line.line, "pair": world.pair_names(line.pair),
            "state": state_word(&told.state), "contradicts": others,
            "lower": json_number(told.interval.lower), "upper": json_number(told.interval.upper),
            "residual": optional(told.residual), "deviation": optional(told.deviation),
            "deviations": optional(told.deviations), "redundancy": optional(told.redundancy),
            "shares": by_joint(&told.shares),
        })
    };
    let loose = |direction: &LooseDirection| by_joint(&direction.moves);
    let proposal = |next: &Proposal| {
        let q = world.dof_names().iter().zip(&next.readings).map(|(name, q)| (name.clone(), json_number(*q)));
        let [before, with] = next.deviation;
        json!({
            "pair": world.pair_names(next.pair), "q": q.collect::<Map<_, _>>(), "joint": name(next.value),
            "deviation": before, "deviation_with": with,
        })
    };
    json!({
        "schema": SCHEMA, "settled": found.is_settled(), "converged": found.has_converged,
        "scatter": found.scatter.map_or(Value::Null, json_number), "geometry": geometry.json_word(),
        "joints": joints.collect::<Vec<_>>(), "covariance": found.covariance,
        "loose": found.loose.iter().map(loose).collect::<Vec<_>>(),
        "contacts": contacts.iter().zip(&found.contacts).map(contact).collect::<Vec<_>>(),
        "next": next.iter().map(proposal).collect::<Vec<_>>(),
    })
}
