//! How the time of a query grows with the number of obstacles: a figure from a record.

use super::ENGINES;
use anyhow::{Result, anyhow};
use elbowroom_lab::figure::{Axes, lines};
use serde_json::Value;

/// The SVG of a record's rows of the same robot and path before more and more obstacles; `None` if there are fewer than two.
pub(super) fn figure(record: &Value) -> Result<Option<String>> {
    let rows: Vec<&Value> = record["items"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|item| item["ask"] == "scene_distance" && item["cell"] != true)
        .collect();
    if rows.len() < 2 {
        return Ok(None);
    }
    let series: Vec<(&str, Vec<(f64, f64)>)> = ENGINES
        .iter()
        .map(|engine| {
            let point = |item: &&Value| {
                let ns = item["engines"][engine]["median_ns"].as_f64()?;
                Some((item["obstacles"].as_f64()?, ns / 1000.0))
            };
            (*engine, rows.iter().filter_map(point).collect())
        })
        .filter(|(_, points): &(&str, Vec<_>)| !points.is_empty())
        .collect();
    let date = record["date"].as_str().unwrap_or_default();
    let caption = format!("Smallest distance of a Panda to obstacles, a pose ({date})");
    let axes = Axes { caption: &caption, x: "obstacles", y: "microseconds a pose" };
    lines(&axes, &series).map(Some).map_err(|error| anyhow!("the figure of growth: {error}"))
}

#[cfg(test)]
mod tests {
    use super::figure;
    use serde_json::json;

    #[test]
    fn engines_with_figures_are_drawn() {
        let item = |obstacles, us: f64| {
            let engines = json!({ "elbowroom": { "median_ns": 1000.0 * us }, "fcl": { "cannot": "do it" } });
            json!({ "ask": "scene_distance", "obstacles": obstacles, "engines": engines })
        };
        let record = json!({ "date": "2026-01-01", "items": [item(16, 1.0), item(100, 2.0)] });
        let svg = figure(&record).unwrap().unwrap();
        assert!(svg.contains("elbowroom") && !svg.contains("fcl"));
        assert!(figure(&json!({ "items": [item(16, 1.0)] })).unwrap().is_none());
    }
}
