//! Mimic joints in motions: their values must agree with what they follow.

use crate::limits;
use crate::xml::short_text;
use elbowroom::fault::Numeral;
use elbowroom::world::Follows;

/// What is wrong with the value of a mimic joint, if it differs from what the joint's rule gives.
pub(super) fn mimic_contradiction(
    name: &str,
    follows: &Follows,
    given: f64,
    names: &[String],
    row: &[f64],
) -> Option<String> {
    let Follows { value, scale, offset } = *follows;
    let (source, x) = (names.get(value)?, *row.get(value)?);
    let rule = scale * x + offset;
    // NaN differs from every value.
    let agrees = (given - rule).abs() <= limits::MIMIC_DEFECT * scale.abs().max(1.0);
    let [_, rule] = Numeral::computed_apart([given, rule]);
    let [given, scale, x, offset] = [given, scale, x, offset].map(Numeral);
    (!agrees).then(|| {
        format!(
            "mimic joint {:?} is {given}, but {scale} * {x} ({:?}) + {offset} gives {rule}",
            short_text(name),
            short_text(source)
        )
    })
}

/// What is wrong with a rate of a mimic joint, if it differs from what the joint's rule gives without its
/// offset. `word` names the rate.
pub(super) fn mimic_rate_contradiction(
    word: &str,
    (name, follows): (&str, &Follows),
    given: f64,
    names: &[String],
    rates: &[f64],
) -> Option<String> {
    let rule = Follows { offset: 0.0, ..*follows };
    mimic_contradiction(name, &rule, given, names, rates).map(|what| format!("{word}: {what}"))
}
