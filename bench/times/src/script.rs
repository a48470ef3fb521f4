//! Scripts of two arms, as lines for the monitor.

use anyhow::{Context, Result};
use serde_json::Value;
use std::path::Path;

/// Positions and velocities of all joints.
pub type State = (Vec<f64>, Vec<f64>);

/// Positions and velocities of both arms at each time of a script; events are left out.
///
/// # Errors
/// The file cannot be read, or a line of it is no JSON.
pub fn read_states(path: &Path) -> Result<Vec<State>> {
    let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
    let lines: Vec<Value> = text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?;
    let states: Vec<&Value> = lines.iter().filter(|line| line.get("q").is_some()).collect();
    let numbers = |value: &Value| -> Vec<f64> {
        value.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
    };
    let both = |two: &[&Value], key: &str| two.iter().flat_map(|line| numbers(&line[key])).collect();
    Ok(states.chunks_exact(2).map(|two| (both(two, "q"), both(two, "qd"))).collect())
}
