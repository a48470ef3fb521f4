//! A figure of recorded stops as SVG.

use anyhow::{Result, anyhow};
use elbowroom_monitor::stopping::{Fit, RecordedStop};
use plotters::prelude::*;

/// A line between two points, with its name.
type NamedLine<'a> = (&'a str, [(f64, f64); 2]);

/// Recorded stops as dots, the line through them, and the envelope with what is added to it; the text of the
/// SVG.
pub fn draw_stops(stops: &[RecordedStop], fit: &Fit, beyond: f64) -> Result<String> {
    let points: Vec<(f64, f64)> = stops.iter().map(|stop| (stop.speed, stop.way)).collect();
    let line = |slope: f64, offset: f64| [0.0, fit.fastest].map(|speed| (speed, offset + slope * speed));
    let (slope, offset) = fit.envelope;
    let lines = [
        ("least squares", line(fit.slope, fit.offset)),
        ("envelope, with what is beyond it", line(slope, offset + beyond)),
    ];
    let mut svg = String::new();
    draw_chart(&points, &lines, &mut svg).map_err(|error| anyhow!("a figure could not be drawn: {error}"))?;
    Ok(svg)
}

fn draw_chart(
    points: &[(f64, f64)],
    lines: &[NamedLine],
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let all = || points.iter().chain(lines.iter().flat_map(|(_, ends)| ends));
    // From the origin, and lower where a line is.
    let ends = |of: fn(&(f64, f64)) -> f64| {
        let low = all().map(of).fold(0.0, f64::min);
        let high = all().map(of).fold(low, f64::max);
        if low < high { low..high + 0.05 * (high - low) } else { low..low + 1.0 }
    };
    let area = SVGBackend::with_string(svg, (900, 560)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption("Recorded stops", ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d(ends(|p| p.0), ends(|p| p.1))?;
    let (x, y) = ("speed (rad/s, m/s)", "way until rest (rad, m)");
    chart.configure_mesh().x_desc(x).y_desc(y).draw()?;
    chart
        .draw_series(points.iter().map(|p| Circle::new(*p, 3, BLACK.filled())))?
        .label("stops")
        .legend(|(x, y)| Circle::new((x + 9, y), 3, BLACK.filled()));
    for (k, (name, line)) in lines.iter().enumerate() {
        let color = Palette99::pick(k).to_rgba();
        chart
            .draw_series(LineSeries::new(*line, color.stroke_width(2)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}
