//! How the time of a query grows with the number of obstacles: a figure from a record. `cargo xtask
//! bench-peers` runs it with the record, the figure to write, and the engines in the order of their colours.

use anyhow::{Context, Result, anyhow, bail};
use elbowroom_lab::figure::{Axes, lines_svg};
use serde_json::Value;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [record, out, engines @ ..] = &arguments[..] else {
        bail!("usage: record_growth RECORD.json OUT.svg ENGINE...")
    };
    let text = std::fs::read_to_string(record).with_context(|| format!("cannot read {record}"))?;
    if let Some(svg) = growth_figure(&serde_json::from_str(&text).context(record.clone())?, engines)? {
        std::fs::write(out, svg).with_context(|| format!("cannot write {out}"))?;
        println!("drawn in {out}");
    }
    Ok(())
}

/// The SVG of a record's rows of the same robot and path before more and more obstacles; `None` if there are
/// fewer than two.
fn growth_figure(record: &Value, engines: &[String]) -> Result<Option<String>> {
    let rows: Vec<&Value> = record["items"]
        .as_array()
        .into_iter()
        .flatten()
        .filter(|item| item["ask"] == "scene_distance" && item["cell"] != true)
        .collect();
    if rows.len() < 2 {
        return Ok(None);
    }
    let series: Vec<(&str, Vec<(f64, f64)>)> = engines
        .iter()
        .map(|engine| {
            let point = |item: &&Value| {
                let ns = item["engines"][engine.as_str()]["median_ns"].as_f64()?;
                Some((item["obstacles"].as_f64()?, ns / 1000.0))
            };
            (engine.as_str(), rows.iter().filter_map(point).collect())
        })
        .filter(|(_, points): &(&str, Vec<_>)| !points.is_empty())
        .collect();
    let date = record["date"].as_str().unwrap_or_default();
    let caption = format!("Smallest distance of a Panda to obstacles, a pose ({date})");
    let axes = Axes { caption: &caption, x: "obstacles", y: "microseconds a pose" };
    lines_svg(&axes, &series).map(Some).map_err(|error| anyhow!("the figure of growth: {error}"))
}

#[cfg(test)]
mod tests {
    use super::growth_figure;
    use serde_json::json;

    #[test]
    fn engines_with_figures_are_drawn() {
        let engines = ["elbowroom", "fcl"].map(String::from);
        let item = |obstacles, us: f64| {
            let engines = json!({ "elbowroom": { "median_ns": 1000.0 * us }, "fcl": { "cannot": "do it" } });
            json!({ "ask": "scene_distance", "obstacles": obstacles, "engines": engines })
        };
        let record = json!({ "date": "2026-01-01", "items": [item(16, 1.0), item(100, 2.0)] });
        let svg = growth_figure(&record, &engines).unwrap().unwrap();
        assert!(svg.contains("elbowroom") && !svg.contains("fcl"));
        assert!(growth_figure(&json!({ "items": [item(16, 1.0)] }), &engines).unwrap().is_none());
    }
}
