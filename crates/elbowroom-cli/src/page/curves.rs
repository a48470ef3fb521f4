//! The curves of a plot: the proved interval as a band, its lower end as a line. Where there is a cell, what
//! a robot has to itself is a curve of its own.
//!
//! A curve goes from sample to sample. It ends before a way that is not proved apart, and where an event
//! leaves a pair out or takes it in again; the pose is asked once more there, and the next piece begins with
//! that answer.

use super::changed::ChangedPoint;
use super::marked::Marked;
use super::way_marks::LeastPoint;
use crate::continuous::EdgeKind;
use crate::limits::PLOT_COLUMNS;
use crate::outcome::Point;
use elbowroom::Verdict;
use std::fmt::Write;

/// Neighbouring samples drawn as one.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// The first of them.
    pub first: usize,
    /// The sample with the smallest lower bound.
    pub worst: usize,
    /// The smallest lower bound.
    pub lower: f64,
    /// The smallest upper bound.
    pub upper: f64,
    /// The largest lower bound.
    pub largest: f64,
    /// The worst verdict.
    pub verdict: Verdict,
    /// The least of both ends to itself, and to the cell.
    sides: [Option<[f64; 2]>; 2],
}

impl Column {
    /// The least of both ends to itself and to the cell, where there are such.
    pub fn side_ends(&self) -> impl Iterator<Item = f64> {
        self.sides.into_iter().flatten().flatten()
    }
}

/// The columns of samples, in order.
pub fn plot_columns(points: &[Point]) -> Vec<Column> {
    let size = points.len().div_ceil(PLOT_COLUMNS).max(1);
    let column = |(k, group): (usize, &[Point])| {
        let first = k * size;
        let mut c = Column {
            first,
            worst: first,
            lower: f64::INFINITY,
            upper: f64::INFINITY,
            largest: f64::NEG_INFINITY,
            verdict: Verdict::Clear,
            sides: [None; 2],
        };
        for (i, p) in group.iter().enumerate() {
            if i == 0 || p.interval.lower < c.lower {
                (c.lower, c.worst) = (p.interval.lower, first + i);
            }
            c.upper = c.upper.min(p.interval.upper);
            c.largest = c.largest.max(p.interval.lower);
            c.verdict = c.verdict.max(p.verdict);
            for (known, side) in c.sides.iter_mut().zip([p.sides.own, p.sides.cell]) {
                let Some([lower, upper]) = side else { continue };
                let [low, high] = known.unwrap_or([f64::INFINITY; 2]);
                *known = Some([low.min(lower), high.min(upper)]);
            }
        }
        c
    };
    points.chunks(size).enumerate().map(column).collect()
}

/// The samples that are drawn: of each column the one with the smallest lower bound, with the ends of both
/// curves there, to itself and to the cell.
pub fn shown(points: &[Point]) -> Vec<(usize, [Option<[f64; 2]>; 2])> {
    plot_columns(points).iter().map(|c| (c.worst, c.sides)).collect()
}

/// Whether the clearance to itself and to the cell are drawn apart: where there are both.
pub fn has_sides(points: &[Point]) -> bool {
    points.iter().any(|p| p.sides.own.is_some()) && points.iter().any(|p| p.sides.cell.is_some())
}

/// What the two curves are. `without` says what the one to the cell leaves out.
pub fn curves_legend(without: &str) -> String {
    let comma = if without.is_empty() { "" } else { ", " };
    format!(
        "<p class=\"curves\"><span><i class=\"own\"></i>the robot to itself</span> \
         <span><i class=\"cell\"></i>to the cell{comma}{without}</span></p>"
    )
}

/// Which of the curves one is.
#[derive(Clone, Copy, PartialEq)]
enum CurveSide {
    /// The only one.
    Both,
    /// To itself.
    Own,
    /// To the cell.
    Cell,
}

impl CurveSide {
    /// Its class in the style sheet.
    fn css_class(self) -> &'static str {
        match self {
            CurveSide::Both => "",
            CurveSide::Own => "own",
            CurveSide::Cell => "cell",
        }
    }

    /// Both ends of it at a column.
    fn column_ends(self, column: &Column) -> Option<[f64; 2]> {
        match self {
            CurveSide::Both => Some([column.lower, column.upper]),
            CurveSide::Own => column.sides[0],
            CurveSide::Cell => column.sides[1],
        }
    }

    /// Both ends of it at a point.
    fn point_ends(self, point: &Point) -> Option<[f64; 2]> {
        match self {
            CurveSide::Both => Some([point.interval.lower, point.interval.upper]),
            CurveSide::Own => point.sides.own,
            CurveSide::Cell => point.sides.cell,
        }
    }
}

/// What curves are drawn from.
pub struct Curves<'a> {
    /// The samples.
    pub points: &'a [Point],
    /// Their columns.
    pub columns: &'a [Column],
    /// What is marked on the plot.
    pub marked: &'a Marked<'a>,
}

impl Curves<'_> {
    /// Draws them; `at` is where a sample is, and `y` the height of a length.
    pub fn write_curves(&self, s: &mut String, at: &dyn Fn(usize) -> f64, y: &dyn Fn(f64) -> f64) {
        let sides: &[CurveSide] =
            if has_sides(self.points) { &[CurveSide::Own, CurveSide::Cell] } else { &[CurveSide::Both] };
        for side in sides {
            for piece in self.curve_pieces(*side, at) {
                let end = |(x, ends): &(f64, [f64; 2]), k: usize| format!("{x:.1} {:.1}", y(ends[k]));
                let line: Vec<String> = piece.iter().map(|at| end(at, 0)).collect();
                let back: Vec<String> = piece.iter().rev().map(|at| end(at, 1)).collect();
                // A sample by itself is a dot.
                let dot = if piece.len() == 1 { "h0" } else { "" };
                let (line, back, class) = (line.join("L"), back.join("L"), side.css_class());
                // The lower end is the line: it is what one may rely on. Writing to a string cannot fail.
                let _ = write!(
                    s,
                    "<path class=\"band {class}\" d=\"M{line}L{back}Z\"/>\
                     <path class=\"line {class}\" d=\"M{line}{dot}\"/>"
                );
            }
        }
    }

    /// Where a curve goes without a break: places along the plot, with both ends there.
    fn curve_pieces(&self, side: CurveSide, at: &dyn Fn(usize) -> f64) -> Vec<Vec<(f64, [f64; 2])>> {
        let mut pieces = vec![Vec::new()];
        let mut before: Option<&Column> = None;
        for column in self.columns {
            if let Some(before) = before {
                let again = self.changed_between(before, column);
                let cut = self.is_cut(before, column);
                if cut || again.is_some() || self.is_hatched(before) != self.is_hatched(column) {
                    pieces.push(Vec::new());
                }
                let begins = again.filter(|_| !cut).and_then(|again| side.point_ends(&again.point));
                if let (Some(ends), Some(piece)) = (begins, pieces.last_mut()) {
                    piece.push((at(before.worst), ends));
                }
                if let (Some(least), Some(piece)) =
                    (self.least_between(side, before, column), pieces.last_mut())
                {
                    let [from, to] = [before, column].map(|column| at(column.worst));
                    piece.push((from + (to - from) * least.part, least.interval));
                }
            }
            match (side.column_ends(column), pieces.last_mut()) {
                (Some(ends), Some(piece)) => piece.push((at(column.worst), ends)),
                // There is no such pair, as before a part is taken.
                _ => pieces.push(Vec::new()),
            }
            before = Some(column);
        }
        pieces.retain(|piece| !piece.is_empty());
        pieces
    }

    /// What was asked once more after the events between two samples, where these are columns of their own.
    fn changed_between(&self, before: &Column, column: &Column) -> Option<&ChangedPoint> {
        let place = self.marked.changed.binary_search_by_key(&before.worst, |changed| changed.sample).ok()?;
        self.marked.changed.get(place).filter(|_| column.worst == before.worst + 1)
    }

    /// The least clearance between two samples, where these are columns of their own and it is of this curve.
    fn least_between(&self, side: CurveSide, before: &Column, column: &Column) -> Option<&LeastPoint> {
        let place = self.marked.least.binary_search_by_key(&column.worst, |least| least.sample).ok()?;
        let least = self.marked.least.get(place).filter(|_| column.worst == before.worst + 1)?;
        (side == CurveSide::Both || (side == CurveSide::Own) == least.is_own).then_some(least)
    }

    /// Whether a way between two columns is in contact, or not proved apart.
    fn is_cut(&self, before: &Column, column: &Column) -> bool {
        self.marked.ways.iter().any(|way| {
            let bad = matches!(way.kind, EdgeKind::Contact | EdgeKind::Unknown);
            bad && way.sample <= column.worst && way.to.0 > before.worst
        })
    }

    /// Whether a pair is left out at a column.
    fn is_hatched(&self, column: &Column) -> bool {
        self.marked.hatches.iter().any(|hatch| hatch.contains_sample(column.worst))
    }
}
