//! A straight line in the place of a field of two joints, with what it calls wrongly (haase10, section
//! III-D).

use super::axis::FieldAxis;
use crate::out::clean_text;
use elbowroom::motion::{Field, FieldLine, LineAxis, LineErrors};
use serde_json::{Value, json};

/// The line in the units of the axes, the first across.
fn fit_line<'a>(field: &Field, axes: &'a [FieldAxis]) -> Option<(FieldLine, LineErrors, [&'a FieldAxis; 2])> {
    let [across, up] = axes else { return None };
    let fitted =
        field.fit_line([across, up].map(|axis| LineAxis { place: axis.place, unit: 1.0 / axis.factor }));
    fitted.map(|(line, errors)| (line, errors, [across, up]))
}

/// The line and its errors for people; nothing where there is none.
pub fn line_in_words(field: &Field, axes: &[FieldAxis]) -> String {
    let Some((line, errors, [across, up])) = fit_line(field, axes) else { return String::new() };
    let [free, overlap, open] = field.count_cells();
    let names = [across, up].map(|axis| clean_text(&axis.name));
    let units = if across.unit == up.unit {
        format!("in {}", up.unit)
    } else {
        format!("{} in {}, {} in {}", names[0], across.unit, names[1], up.unit)
    };
    let part = 100.0 * errors.false_alarms as f64 / free.max(1) as f64;
    format!(
        "a straight line: overlap if {} ({units})\n  it calls {} of {overlap} overlapping cells free, {} of \
         {free} free ones overlapping ({part:.2} %), {} of {open} others free\n",
        line.rule_text([&*names[0], &*names[1]]),
        errors.missed,
        errors.false_alarms,
        errors.unproved
    )
}

/// The line and its errors for JSON, in radians and metres; null where there is none.
pub fn json_line(field: &Field, axes: &[FieldAxis]) -> Value {
    let Some((line, errors, [across, up])) = fit_line(field, axes) else { return Value::Null };
    let FieldLine { slope, offset, from, above } = line;
    json!({
        "slope": slope * across.factor / up.factor,
        "offset": offset / up.factor,
        "from": from / across.factor,
        "above": above, "missed": errors.missed, "false_alarms": errors.false_alarms,
        "unproved": errors.unproved,
    })
}
