//! Figures as SVG.

use crate::coulombe20::{LabError, RobotReport};
use crate::limits::COLUMNS;
use plotters::prelude::*;

/// The time a pose takes by each method: a histogram over the logarithm of microseconds, one line a method.
///
/// # Errors
/// If the figure cannot be drawn.
pub fn times(robot: &RobotReport) -> Result<String, LabError> {
    let mut svg = String::new();
    draw(robot, &mut svg).map_err(|e| LabError::Figure(e.to_string()))?;
    Ok(svg)
}

fn draw(robot: &RobotReport, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let all = || robot.methods.iter().flat_map(|m| m.times_us.iter().copied());
    let lowest = all().fold(f64::INFINITY, f64::min).max(1e-2);
    let highest = all().fold(lowest, f64::max);
    let (from, to) = (lowest.log10().floor(), (highest.log10().ceil()).max(lowest.log10().floor() + 1.0));
    let column = (to - from) / COLUMNS as f64;
    let shares: Vec<Vec<f64>> = robot
        .methods
        .iter()
        .map(|m| {
            let mut shares = vec![0.0; COLUMNS];
            for t in &m.times_us {
                let place = ((t.max(lowest).log10() - from) / column) as usize;
                shares[place.min(COLUMNS - 1)] += 100.0 / m.times_us.len() as f64;
            }
            shares
        })
        .collect();
    let top = shares.iter().flatten().copied().fold(1.0, f64::max) * 1.05;

    let area = SVGBackend::with_string(svg, (900, 480)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(format!("{}: time a pose, {} random poses", robot.name, robot.poses), ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(54)
        .build_cartesian_2d(from..to, 0.0..top)?;
    chart
        .configure_mesh()
        .x_desc("microseconds (logarithmic)")
        .y_desc("% of poses")
        .x_label_formatter(&|x| {
            format!("{:.3}", 10.0_f64.powf(*x)).trim_end_matches('0').trim_end_matches('.').into()
        })
        .draw()?;
    for (k, (method, shares)) in robot.methods.iter().zip(&shares).enumerate() {
        let color = Palette99::pick(k).to_rgba();
        let steps = shares.iter().enumerate().flat_map(|(i, share)| {
            let x = from + i as f64 * column;
            [(x, *share), (x + column, *share)]
        });
        chart
            .draw_series(LineSeries::new(steps, color.stroke_width(2)))?
            .label(method.name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    area.present()?;
    Ok(())
}
