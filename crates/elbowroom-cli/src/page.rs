//! page
use crate::check::*;
pub fn page(
    _: &Arguments,
    _: &crate::load::LoadedWorld,
    _: &crate::motion::Source<'_>,
    _: &Outcome,
) -> String {
    String::new()
}
