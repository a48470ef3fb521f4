//! Panels beside each other, each over two linear axes: dots, lines, and rectangles.

use super::Axes;
use crate::error::LabError;
use plotters::prelude::*;

/// Size of a panel (units of the drawing), and of its letters.
const PANEL: [u32; 2] = [520, 460];
const CAPTION: u32 = 18;
const LETTERS: u32 = 14;
/// Height of the caption above all panels.
const HEAD: u32 = 40;
/// Dots and large dots have these radii, lines this width, dashes this length and this space between.
const DOT: i32 = 2;
const PLACE: i32 = 4;
const LINE: u32 = 2;
const DASH: [u32; 2] = [8, 5];
/// Room above the marks for the legend, as a part of their height: for each line of it, and besides.
const LEGEND_LINE: f64 = 0.065;
const LEGEND_MORE: f64 = 0.1;

/// How marks are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Drawn {
    /// A dot each.
    Dots,
    /// A large dot each.
    Places,
    /// A line through them.
    Line,
    /// A line through them, of dashes.
    Dashes,
    /// A filled rectangle between each two of them.
    Rectangles,
}

/// Marks of one name in a panel.
#[derive(Clone, Debug)]
pub struct Marks {
    /// What the legend calls them.
    pub name: String,
    /// How they are drawn.
    pub drawn: Drawn,
    /// Red, green and blue.
    pub colour: [u8; 3],
    /// Where they are.
    pub points: Vec<(f64, f64)>,
}

/// Where the legend of a panel lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Legend {
    /// Nowhere.
    None,
    /// In the upper left corner.
    UpperLeft,
    /// In the lower left corner.
    LowerLeft,
    /// In the lower right corner.
    LowerRight,
}

/// One panel.
#[derive(Clone, Debug)]
pub struct Panel<'a> {
    /// What it says of itself.
    pub axes: Axes<'a>,
    /// From the left to the right, and from below to above.
    pub ranges: [[f64; 2]; 2],
    /// What is drawn, the last on top.
    pub marks: Vec<Marks>,
    /// Where the legend lies.
    pub legend: Legend,
}

impl Panel<'_> {
    /// The least ranges around all marks and zero, with room beside them; above also for a legend.
    pub fn ranges_of(marks: &[Marks]) -> [[f64; 2]; 2] {
        let around = |of: fn(&(f64, f64)) -> f64| {
            let all = marks.iter().flat_map(|m| &m.points).map(of);
            all.fold([0.0_f64, 0.0_f64], |[low, high], x| [low.min(x), high.max(x)])
        };
        let [[left, right], [low, high]] = [around(|p| p.0), around(|p| p.1)];
        let (wide, tall) = ((right - left).max(1e-9), (high - low).max(1e-9));
        let below = if low < 0.0 { low - 0.05 * tall } else { low };
        let legend = marks.iter().filter(|m| !m.name.is_empty()).count() as f64;
        let above = high + (LEGEND_MORE + LEGEND_LINE * legend) * tall;
        [[left, right + 0.03 * wide], [below, above]]
    }
}

/// Draws panels beside each other under one caption.
///
/// # Errors
/// If the figure cannot be drawn.
pub fn panels_svg(caption: &str, panels: &[Panel]) -> Result<String, LabError> {
    let mut svg = String::new();
    draw_panels(caption, panels, &mut svg).map_err(|e| LabError::Figure(e.to_string()))?;
    Ok(svg)
}

fn draw_panels(caption: &str, panels: &[Panel], svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let count = panels.len().max(1);
    let size = (PANEL[0] * count as u32, PANEL[1] + HEAD);
    let area = SVGBackend::with_string(svg, size).into_drawing_area();
    area.fill(&WHITE)?;
    let area = area.titled(caption, ("sans-serif", CAPTION))?;
    for (area, panel) in area.split_evenly((1, count)).iter().zip(panels) {
        let [[left, right], [low, high]] = panel.ranges;
        let mut builder = ChartBuilder::on(area);
        if !panel.axes.caption.is_empty() {
            builder.caption(panel.axes.caption, ("sans-serif", LETTERS + 1));
        }
        let mut chart = builder
            .margin(10)
            .margin_right(22)
            .x_label_area_size(46)
            .y_label_area_size(62)
            .build_cartesian_2d(left..right, low..high)?;
        chart
            .configure_mesh()
            .x_desc(panel.axes.x)
            .y_desc(panel.axes.y)
            .x_labels(8)
            .y_labels(8)
            .light_line_style(WHITE)
            .x_label_formatter(&format_tick)
            .y_label_formatter(&format_tick)
            .label_style(("sans-serif", LETTERS))
            .axis_desc_style(("sans-serif", LETTERS))
            .draw()?;
        for marks in &panel.marks {
            draw_marks(&mut chart, marks)?;
        }
        let position = match panel.legend {
            Legend::None => continue,
            Legend::UpperLeft => SeriesLabelPosition::UpperLeft,
            Legend::LowerLeft => SeriesLabelPosition::LowerLeft,
            Legend::LowerRight => SeriesLabelPosition::LowerRight,
        };
        chart
            .configure_series_labels()
            .position(position)
            .label_font(("sans-serif", LETTERS - 1))
            .background_style(WHITE.mix(0.85))
            .border_style(BLACK)
            .draw()?;
    }
    area.present()?;
    Ok(())
}

/// A number at an axis, without digits that say nothing.
fn format_tick(value: &f64) -> String {
    let text = format!("{value:.2}");
    let short = text.trim_end_matches('0').trim_end_matches('.');
    if short == "-0" { "0".into() } else { short.into() }
}

type Chart<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

fn draw_marks(chart: &mut Chart, marks: &Marks) -> Result<(), Box<dyn std::error::Error>> {
    let [r, g, b] = marks.colour;
    let colour = RGBColor(r, g, b);
    let points = marks.points.iter().copied();
    let series = match marks.drawn {
        Drawn::Dots => chart.draw_series(points.map(|p| Circle::new(p, DOT, colour.mix(0.6).filled())))?,
        Drawn::Places => chart.draw_series(points.map(|p| Circle::new(p, PLACE, colour.filled())))?,
        Drawn::Line => chart.draw_series(LineSeries::new(points, colour.stroke_width(LINE)))?,
        Drawn::Dashes => {
            let [dash, space] = DASH;
            chart.draw_series(DashedLineSeries::new(points, dash, space, colour.stroke_width(LINE)))?
        }
        Drawn::Rectangles => {
            let corners = marks.points.chunks_exact(2).map(|ends| [ends[0], ends[1]]);
            chart.draw_series(corners.map(|ends| Rectangle::new(ends, colour.filled())))?
        }
    };
    if marks.name.is_empty() {
        return Ok(());
    }
    let stroke = colour.stroke_width(LINE);
    let series = series.label(&marks.name);
    match marks.drawn {
        Drawn::Dots => series.legend(move |(x, y)| Circle::new((x + 9, y), DOT + 1, colour.filled())),
        Drawn::Places => series.legend(move |(x, y)| Circle::new((x + 9, y), PLACE, colour.filled())),
        Drawn::Line => series.legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], stroke)),
        Drawn::Dashes => series.legend(move |(x, y)| PathElement::new([(x, y), (x + 8, y)], stroke)),
        Drawn::Rectangles => {
            series.legend(move |(x, y)| Rectangle::new([(x + 2, y - 5), (x + 16, y + 5)], colour.filled()))
        }
    };
    Ok(())
}
