//! The joints of a field in the order in which they are drawn.

use crate::units::value_unit;
use anyhow::{Result, bail};
use elbowroom::World;
use elbowroom::motion::{Field, FieldJoint};
use elbowroom_files::fault::did_you_mean;

/// A joint of a field, with its name and its unit.
#[derive(Clone, Debug)]
pub struct FieldAxis {
    pub name: String,
    pub joint: FieldJoint,
    /// Its place among the joints of the field.
    pub place: usize,
    /// Degrees for what turns, millimetres for what slides.
    pub unit: &'static str,
    /// How many of the unit are a radian or a metre.
    pub factor: f64,
}

impl FieldAxis {
    /// A value with its unit, for people.
    pub fn value_text(&self, value: f64) -> String {
        let rounded = (value * self.factor * 100.0).round() / 100.0 + 0.0;
        format!("{rounded} {}", self.unit)
    }
}

/// The joints of a field in the order that is asked for, or in that of their values.
///
/// # Errors
/// A name that is none of them, or one of them is missing.
pub fn ordered_axes(world: &World, field: &Field, wanted: &[String]) -> Result<Vec<FieldAxis>> {
    let all: Vec<FieldAxis> = field
        .joints()
        .iter()
        .enumerate()
        .map(|(place, joint)| {
            let (unit, factor) = value_unit(world, joint.value);
            FieldAxis { name: world.dof_names()[joint.value].clone(), joint: *joint, place, unit, factor }
        })
        .collect();
    if wanted.is_empty() {
        return Ok(all);
    }
    let names: Vec<&str> = all.iter().map(|axis| &*axis.name).collect();
    let mut ordered: Vec<FieldAxis> = Vec::new();
    for name in wanted {
        let short = |axis: &&FieldAxis| axis.name.split_once('/').is_some_and(|(_, short)| short == name);
        let Some(axis) = all.iter().find(|axis| axis.name == *name).or(all.iter().find(short)) else {
            let meant = did_you_mean(name, names.iter().copied());
            bail!(
                "--joints {name}: what lies between the two bodies is {}{}",
                names.join(", "),
                after_semicolon(&meant)
            );
        };
        if ordered.iter().any(|there| there.place == axis.place) {
            bail!("--joints {name}: it is there twice");
        }
        ordered.push(axis.clone());
    }
    if ordered.len() < all.len() {
        bail!("--joints: all of {} are needed", names.join(", "));
    }
    Ok(ordered)
}

fn after_semicolon(text: &str) -> String {
    if text.is_empty() { String::new() } else { format!("; {text}") }
}
