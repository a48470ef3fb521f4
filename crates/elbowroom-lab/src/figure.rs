//! Figures as SVG.

pub mod panels;

use crate::error::LabError;
use crate::limits::COLUMNS;
use plotters::prelude::*;

/// What a figure says of itself.
#[derive(Clone, Copy, Debug)]
pub struct Axes<'a> {
    /// Above it.
    pub caption: &'a str,
    /// Along x.
    pub x: &'a str,
    /// Along y.
    pub y: &'a str,
}

/// A histogram over the logarithm of times, one line a series: their names, and the times (microseconds).
///
/// # Errors
/// If the figure cannot be drawn.
pub fn histogram_svg(axes: &Axes, series: &[(&str, &[f64])]) -> Result<String, LabError> {
    let mut svg = String::new();
    draw_histogram(axes, series, &mut svg).map_err(|e| LabError::Figure(e.to_string()))?;
    Ok(svg)
}

fn draw_histogram(
    axes: &Axes,
    series: &[(&str, &[f64])],
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let all = || series.iter().flat_map(|(_, times)| times.iter().copied());
    let lowest = all().fold(f64::INFINITY, f64::min).max(1e-2);
    let highest = all().fold(lowest, f64::max);
    let (from, to) = (lowest.log10().floor(), (highest.log10().ceil()).max(lowest.log10().floor() + 1.0));
    let column = (to - from) / COLUMNS as f64;
    let shares: Vec<Vec<f64>> = series
        .iter()
        .map(|(_, times)| {
            let mut shares = vec![0.0; COLUMNS];
            for t in *times {
                let place = ((t.max(lowest).log10() - from) / column) as usize;
                shares[place.min(COLUMNS - 1)] += 100.0 / times.len() as f64;
            }
            shares
        })
        .collect();
    let top = shares.iter().flatten().copied().fold(1.0, f64::max) * 1.05;

    let area = SVGBackend::with_string(svg, (900, 480)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(axes.caption, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(54)
        .build_cartesian_2d(from..to, 0.0..top)?;
    chart
        .configure_mesh()
        .x_desc(axes.x)
        .y_desc(axes.y)
        .x_label_formatter(&|x| {
            format!("{:.3}", 10.0_f64.powf(*x)).trim_end_matches('0').trim_end_matches('.').into()
        })
        .draw()?;
    for (k, ((name, _), shares)) in series.iter().zip(&shares).enumerate() {
        let color = Palette99::pick(k).to_rgba();
        let steps = shares.iter().enumerate().flat_map(|(i, share)| {
            let x = from + i as f64 * column;
            [(x, *share), (x + column, *share)]
        });
        chart
            .draw_series(LineSeries::new(steps, color.stroke_width(2)))?
            .label(*name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], color.stroke_width(2)));
    }
    chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    area.present()?;
    Ok(())
}

/// Lines over two logarithmic axes; points that are not positive are left out.
///
/// # Errors
/// If the figure cannot be drawn.
pub fn lines_svg(axes: &Axes, series: &[(&str, Vec<(f64, f64)>)]) -> Result<String, LabError> {
    let mut svg = String::new();
    draw_lines(axes, series, &mut svg).map_err(|e| LabError::Figure(e.to_string()))?;
    Ok(svg)
}

fn draw_lines(
    axes: &Axes,
    series: &[(&str, Vec<(f64, f64)>)],
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let logs = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        let good = points.iter().filter(|p| p.0 > 0.0 && p.1 > 0.0);
        good.map(|p| (p.0.log10(), p.1.log10())).collect()
    };
    let all: Vec<(f64, f64)> = series.iter().flat_map(|s| logs(&s.1)).collect();
    let ends = |of: fn(&(f64, f64)) -> f64| {
        let low = all.iter().map(of).fold(f64::INFINITY, f64::min);
        let high = all.iter().map(of).fold(f64::NEG_INFINITY, f64::max);
        if low <= high { low - 0.1..high + 0.1 } else { 0.0..1.0 }
    };
    let area = SVGBackend::with_string(svg, (900, 560)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(axes.caption, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d(ends(|p| p.0), ends(|p| p.1))?;
    let number = |x: &f64| {
        let x = 10.0_f64.powf(*x);
        if x >= 10.0 { format!("{x:.0}") } else { format!("{x:.2}") }
    };
    chart
        .configure_mesh()
        .x_desc(axes.x)
        .y_desc(axes.y)
        .x_label_formatter(&number)
        .y_label_formatter(&number)
        .draw()?;
    for (k, (name, points)) in series.iter().enumerate() {
        let color = Palette99::pick(k).to_rgba();
        chart
            .draw_series(LineSeries::new(logs(points), color.stroke_width(2)).point_size(3))?
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

/// Groups of bars over a logarithmic axis: one group a name, one bar a series.
///
/// # Errors
/// If the figure cannot be drawn.
pub fn bars_svg(axes: &Axes, groups: &[&str], series: &[(&str, Vec<f64>)]) -> Result<String, LabError> {
    let mut svg = String::new();
    draw_bars(axes, groups, series, &mut svg).map_err(|e| LabError::Figure(e.to_string()))?;
    Ok(svg)
}

fn draw_bars(
    axes: &Axes,
    groups: &[&str],
    series: &[(&str, Vec<f64>)],
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let good = || series.iter().flat_map(|s| &s.1).copied().filter(|y| *y > 0.0);
    let low = good().fold(f64::INFINITY, f64::min).log10().floor();
    let high = good().fold(f64::NEG_INFINITY, f64::max).log10() + 0.6;
    let (low, high) = if low < high { (low, high) } else { (0.0, 1.0) };
    let area = SVGBackend::with_string(svg, (900, 560)).into_drawing_area();
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(&area)
        .caption(axes.caption, ("sans-serif", 20))
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(60)
        .build_cartesian_2d(0.0..groups.len() as f64, low..high)?;
    chart
        .configure_mesh()
        .disable_x_mesh()
        .x_desc(axes.x)
        .y_desc(axes.y)
        .x_labels(2 * groups.len() + 1)
        .x_label_formatter(&|x| {
            let middle = (x.fract() - 0.5).abs() < 0.05;
            groups.get(*x as usize).filter(|_| middle).map_or(String::new(), |g| (*g).to_string())
        })
        .y_label_formatter(&|y| format!("{:.1}", 10.0_f64.powf(*y)))
        .draw()?;
    let wide = 0.8 / series.len().max(1) as f64;
    for (k, (name, heights)) in series.iter().enumerate() {
        let color = Palette99::pick(k).to_rgba();
        let drawn = heights.iter().enumerate().filter(|(_, y)| **y > 0.0).map(|(g, y)| {
            let x = g as f64 + 0.1 + k as f64 * wide;
            Rectangle::new([(x, low), (x + wide * 0.9, y.log10())], color.filled())
        });
        chart
            .draw_series(drawn)?
            .label(*name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 5), (x + 18, y + 5)], color.filled()));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK)
        .draw()?;
    area.present()?;
    Ok(())
}

/// A binary tree over named leaves.
#[derive(Clone, Debug)]
pub struct DrawnTree {
    /// What is written above it.
    pub title: String,
    /// The names of its leaves.
    pub leaves: Vec<String>,
    /// Its joins, two nodes each: leaves first, then the joins before.
    pub joins: Vec<[u32; 2]>,
}

impl DrawnTree {
    /// Leaves from left to right, so that no lines cross.
    fn leaf_order(&self) -> Vec<usize> {
        let (n, mut order) = (self.leaves.len(), Vec::new());
        let mut work: Vec<usize> = (n + self.joins.len()).checked_sub(1).into_iter().collect();
        while let Some(node) = work.pop() {
            match node.checked_sub(n).and_then(|k| self.joins.get(k)) {
                Some(join) => work.extend(join.iter().rev().map(|child| *child as usize)),
                None => order.push(node),
            }
        }
        order
    }

    /// It in one line, joins as brackets.
    pub fn in_words(&self) -> String {
        let mut words = self.leaves.clone();
        for [l, r] in &self.joins {
            words.push(format!("({} {})", words[*l as usize], words[*r as usize]));
        }
        words.pop().unwrap_or_default()
    }
}

/// Trees beside each other, roots above.
///
/// # Errors
/// If the figure cannot be drawn.
pub fn trees_svg(caption: &str, trees: &[DrawnTree]) -> Result<String, LabError> {
    let mut svg = String::new();
    draw_trees(caption, trees, &mut svg).map_err(|e| LabError::Figure(e.to_string()))?;
    Ok(svg)
}

fn draw_trees(
    caption: &str,
    trees: &[DrawnTree],
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, (900, 480)).into_drawing_area();
    area.fill(&WHITE)?;
    let area = area.titled(caption, ("sans-serif", 20))?;
    for (area, tree) in area.split_evenly((1, trees.len().max(1))).iter().zip(trees) {
        let (n, order) = (tree.leaves.len(), tree.leaf_order());
        let mut levels = vec![0.0_f64; n];
        for [l, r] in &tree.joins {
            levels.push(levels[*l as usize].max(levels[*r as usize]) + 1.0);
        }
        // Names hang below the leaves, a third as high as the tree.
        let (wide, high) = (n as f64, levels.last().copied().unwrap_or(0.0) + 0.5);
        let mut chart = ChartBuilder::on(area)
            .caption(&tree.title, ("sans-serif", 14))
            .margin(12)
            .build_cartesian_2d(-0.7..wide - 0.3, -0.4 * high..high)?;
        let mut at: Vec<(f64, f64)> = vec![(0.0, 0.0); n];
        order.iter().enumerate().for_each(|(x, leaf)| at[*leaf] = (x as f64, 0.0));
        for [l, r] in &tree.joins {
            let [(a, below), (b, beside)] = [at[*l as usize], at[*r as usize]];
            let up = levels[at.len()];
            let path = vec![(a, below), (a, up), (b, up), (b, beside)];
            chart.draw_series([PathElement::new(path, BLACK.stroke_width(2))])?;
            at.push((0.5 * (a + b), up));
        }
        let font = ("sans-serif", 13).into_font().transform(FontTransform::Rotate90);
        for (name, place) in tree.leaves.iter().zip(&at) {
            chart.draw_series([Text::new(name.clone(), (place.0 + 0.15, place.1 - 0.2), font.clone())])?;
        }
    }
    area.present()?;
    Ok(())
}
