//! Clouds as text: a point a line, as spreadsheets and scanners write them.
//!
//! The first line tells what separates the numbers: semicolons if it has any, else commas, else white space.
//! So a number with a decimal comma is never taken for two numbers: `1,5 2,5 3,5` is a fault.

use super::points::{Points, THIN_OUT, too_many};
use crate::fault::{Log, counted_things};
use crate::limits;
use crate::lines::numbered_lines;
use crate::text::DECIMAL_POINT;
use crate::xml::short_text;
use std::path::Path;

/// What to do about a line that is no point.
const CORRECT: &str = "correct the line, or put # before it";

/// What separates the numbers of a line.
#[derive(Clone, Copy)]
enum Between {
    Space,
    Mark(char),
}

impl Between {
    fn find_in(line: &str) -> Between {
        [';', ','].into_iter().find(|mark| line.contains(*mark)).map_or(Between::Space, Between::Mark)
    }

    fn split(self, line: &str) -> Vec<&str> {
        match self {
            Between::Space => line.split_whitespace().collect(),
            Between::Mark(mark) => line.split(mark).map(str::trim).collect(),
        }
    }
}

/// The layout that the first line of the points shows.
struct Layout {
    between: Between,
    columns: usize,
    axes: [usize; 3],
}

/// Reads the points and tells every fault, up to the most that are listed. `None` if a line shows that this
/// is no cloud.
pub(super) fn read(path: &Path, bytes: &[u8], log: &mut Log) -> Option<Points> {
    let mut points = Points::default();
    let mut layout: Option<Layout> = None;
    // A comment before the points may name their columns.
    let mut remark = String::new();
    let before = log.fault_count();
    for (line, raw) in numbered_lines(bytes) {
        if raw.len() > limits::POINT_BYTES {
            let what = format!("is longer than {} bytes", limits::POINT_BYTES);
            log.add_fault(path, format!("line {line}"), what, "give a point cloud, a point a line");
            return None;
        }
        let text = String::from_utf8_lossy(raw);
        let (text, comment) = match text.split_once('#') {
            Some((text, comment)) => (text.trim(), Some(comment)),
            None => match text.trim().strip_prefix("//") {
                Some(comment) => ("", Some(comment)),
                None => (text.trim(), None),
            },
        };
        if text.is_empty() {
            let names = |comment: &&str| title_axes(&Between::find_in(comment).split(comment)).is_some();
            if let Some(comment) = comment.filter(|_| layout.is_none()).filter(names) {
                remark = comment.trim().to_string();
            }
            continue;
        }
        if log.fault_count() - before >= limits::SENSOR_FAULTS {
            return Some(points);
        }
        points.line = line;
        let Some(layout) = &layout else {
            let (new, is_title) = read_layout(path, line, text, &remark, log)?;
            if !is_title {
                read_point_line(path, line, text, &new, &mut points, log);
            }
            layout = Some(new);
            continue;
        };
        read_point_line(path, line, text, layout, &mut points, log);
        if points.point_count() > limits::CLOUD_POINTS {
            log.add_fault(
                path,
                format!("line {line}"),
                too_many(points.point_count()).replace("claims", "holds"),
                THIN_OUT,
            );
            return Some(points);
        }
    }
    Some(points)
}

/// The layout that the first line shows that is not a comment, and whether it is a line of titles.
fn read_layout(path: &Path, line: usize, text: &str, remark: &str, log: &mut Log) -> Option<(Layout, bool)> {
    let between = Between::find_in(text);
    let fields = between.split(text);
    let (columns, place) = (fields.len(), format!("line {line}"));
    if fields.first().is_some_and(|field| field.parse::<f64>().is_err()) {
        if let Some(axes) = title_axes(&fields) {
            return Some((Layout { between, columns, axes }, true));
        }
        let what = format!("{:?} is neither a point nor the titles of x, y and z", short_text(text));
        let help = if matches!(between, Between::Mark(';')) && text.contains(',') {
            DECIMAL_POINT
        } else {
            "give a point cloud, or put # before what is no point"
        };
        log.add_fault(path, place, what, help);
        return None;
    }
    if columns < 3 {
        let what = format!("has {}, and a point has three", counted_things(columns, "number"));
        log.add_fault(path, place, what, "give x, y and z a line; put # before a count of points");
        return None;
    }
    let named = Between::find_in(remark).split(remark);
    match title_axes(&named) {
        Some(axes) if named.len() == columns => return Some((Layout { between, columns, axes }, false)),
        Some(named) if named != [0, 1, 2] => {
            let what = "a comment names x, y and z, but not as the columns are; the first three are read";
            log.add_warning(path, place, what, "name all columns, as in: # intensity x y z");
        }
        _ => {}
    }
    Some((Layout { between, columns, axes: [0, 1, 2] }, false))
}

/// Which of the titles are x, y and z, if each is there once.
fn title_axes(titles: &[&str]) -> Option<[usize; 3]> {
    let find = |axis: &str| {
        let mut all = titles.iter().enumerate().filter(|(_, title)| {
            title.trim_matches(|c: char| c == '"' || c == '\'').eq_ignore_ascii_case(axis)
        });
        all.next().filter(|_| all.next().is_none()).map(|(k, _)| k)
    };
    Some([find("x")?, find("y")?, find("z")?])
}

fn read_point_line(
    path: &Path,
    line: usize,
    text: &str,
    layout: &Layout,
    points: &mut Points,
    log: &mut Log,
) {
    let fields = layout.between.split(text);
    if fields.len() != layout.columns {
        let what = format!(
            "has {}, and the first line has {}",
            counted_things(fields.len(), "value"),
            layout.columns
        );
        log.add_fault(path, format!("line {line}"), what, CORRECT);
        return;
    }
    let mut point = [0.0; 3];
    for (value, column) in point.iter_mut().zip(layout.axes) {
        let word = fields[column];
        match word.parse() {
            Ok(number) => *value = number,
            Err(_) => {
                let what = format!("{:?} is not a number", short_text(word));
                let help = if word.contains(',') { DECIMAL_POINT } else { CORRECT };
                log.add_fault(path, format!("line {line}, column {}", column + 1), what, help);
            }
        }
    }
    points.push(point);
}
