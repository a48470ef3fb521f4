//! What the columns of a CSV file of poses mean, and the pose that a line gives.

use super::data::Joints;
use super::mimic::mimic_contradiction;
use super::names::{Named, ValueNames};
use crate::fault::Log;
use crate::source::Options;
use crate::xml::{parse_number, short_text};
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Value(usize),
    /// One of the mimic joints.
    Mimic(usize),
    Time,
    Ignored,
}

/// Titles that other programs give to time.
const TIMES: [&str; 8] = ["time", "times", "timestamp", "stamp", "secs", "seconds", "time_s", "time (s)"];

/// The first line of a file of poses.
pub(super) struct TitleLine<'b> {
    /// What lies between fields.
    pub delimiter: u8,
    /// The line itself, without the comment sign that numpy.savetxt puts before it.
    pub text: &'b [u8],
}

impl<'b> TitleLine<'b> {
    /// Finds the delimiter of the line, which may stand behind a comment sign if it names joints.
    pub fn find_delimiter(line: &'b [u8], names: &[String]) -> TitleLine<'b> {
        let delimiter = [b',', b';', b'\t'].into_iter().find(|d| line.contains(d)).unwrap_or(b',');
        let uncommented = line.trim_ascii_start().strip_prefix(b"#").filter(|title| {
            String::from_utf8_lossy(title).split(char::from(delimiter)).map(str::trim).any(|field| {
                names.iter().any(|n| n == field || n.split_once('/').is_some_and(|(_, bare)| bare == field))
            })
        });
        TitleLine { delimiter, text: uncommented.unwrap_or(line) }
    }
}

/// The columns of a file, in its order.
#[derive(Clone, Debug)]
pub(super) struct PoseColumns {
    columns: Vec<Column>,
    titles: Vec<String>,
}

/// What a line gives.
#[derive(Clone, Debug)]
pub(super) struct PoseLine {
    /// The pose, in the model's order. NaN where it has no number.
    pub row: Vec<f64>,
    /// The time (seconds), if there is a column for it.
    pub t: Option<f64>,
    /// The numbers of the columns.
    given: Vec<f64>,
}

/// What is wrong with a line, and what to do.
pub(super) type LineFault = (String, &'static str);

impl PoseColumns {
    /// What each title of a header means; `None` after a fault.
    pub fn read_titles(
        path: &Path,
        header: &csv::StringRecord,
        joints: Joints<'_>,
        options: &Options,
        log: &mut Log,
    ) -> Option<PoseColumns> {
        PoseColumns::read_titles_of(TitlePlace::FirstLine, path, header, joints, options, log)
    }

    /// [`PoseColumns::read_titles`], of titles that stand where this says.
    pub fn read_titles_of(
        place: TitlePlace,
        path: &Path,
        header: &csv::StringRecord,
        joints: Joints<'_>,
        options: &Options,
        log: &mut Log,
    ) -> Option<PoseColumns> {
        let columns = read_columns(place, path, header, joints, options, log)?;
        Some(PoseColumns { columns, titles: header.iter().map(String::from).collect() })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.columns.len()
    }

    /// Whether the values of a column belong to a pose, or must agree with it.
    pub fn is_used(&self, column: usize) -> bool {
        matches!(self.columns.get(column), Some(Column::Value(_) | Column::Mimic(_)))
    }

    /// Whether there is a column for time.
    pub fn has_time(&self) -> bool {
        self.columns.contains(&Column::Time)
    }

    /// An empty line.
    pub fn empty_line(&self, joints: Joints<'_>) -> PoseLine {
        PoseLine { row: vec![f64::NAN; joints.names.len()], t: None, given: vec![0.0; self.columns.len()] }
    }

    /// Reads the fields of a line, of which there are `count`; what is wrong with them goes to `tell`.
    pub fn read_line<'f>(
        &self,
        joints: Joints<'_>,
        (fields, count): (impl Iterator<Item = &'f str>, usize),
        line: &mut PoseLine,
        mut tell: impl FnMut(LineFault),
    ) {
        let PoseLine { row, t, given } = &mut *line;
        row.fill(f64::NAN);
        *t = None;
        let mut whole = count == self.columns.len();
        if !whole {
            let what = format!("has {count} fields, the header has {}", self.columns.len());
            tell((what, "correct the line"));
        }
        for (((field, column), title), given) in fields.zip(&self.columns).zip(&self.titles).zip(&mut *given)
        {
            if *column == Column::Ignored {
                continue;
            }
            let Some(value) = parse_number(field) else {
                let what =
                    format!("column {:?}: {:?} is not a finite number", short_text(title), short_text(field));
                tell((what, "correct the number"));
                whole = false;
                continue;
            };
            *given = value;
            match column {
                Column::Value(i) => row[*i] = value,
                Column::Time => *t = Some(value),
                Column::Mimic(_) | Column::Ignored => {}
            }
        }
        // Only of a line that could be read as a whole is known what its mimic joints should be.
        if whole {
            self.judge_mimics(joints, line, tell);
        }
    }

    /// Reads the numbers of a row, one a column; those of columns that are not used count for nothing.
    pub fn read_numbers(
        &self,
        joints: Joints<'_>,
        numbers: &[f64],
        line: &mut PoseLine,
        tell: impl FnMut(LineFault),
    ) {
        line.row.fill(f64::NAN);
        line.given.copy_from_slice(numbers);
        for (column, number) in self.columns.iter().zip(numbers) {
            if let Column::Value(i) = column {
                line.row[*i] = *number;
            }
        }
        self.judge_mimics(joints, line, tell);
    }

    /// Tells which mimic joints differ from what they follow.
    fn judge_mimics(&self, joints: Joints<'_>, line: &PoseLine, mut tell: impl FnMut(LineFault)) {
        let PoseLine { row, given, .. } = line;
        for (column, &given) in self.columns.iter().zip(given) {
            let Column::Mimic(k) = column else { continue };
            let (name, follows) = &joints.mimics[*k];
            if let Some(what) = mimic_contradiction(name, follows, given, joints.names, row) {
                tell((what, "correct the number, or leave the column out"));
            }
        }
    }
}

/// Where titles stand: what faults of them say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TitlePlace {
    /// In the first line of a text.
    FirstLine,
    /// In what a file says of its columns.
    Schema,
}

impl TitlePlace {
    fn of_column(self, column: usize) -> String {
        match self {
            TitlePlace::FirstLine => format!("line 1, column {}", column + 1),
            TitlePlace::Schema => format!("column {}", column + 1),
        }
    }

    /// Where a missing column is missing, and what to do.
    fn of_missing(self) -> [&'static str; 2] {
        match self {
            TitlePlace::FirstLine => ["line 1", "the first line names the joints; add the missing ones"],
            TitlePlace::Schema => ["", "columns are named after joints; add the missing ones"],
        }
    }
}

/// What each column of a header means.
fn read_columns(
    at: TitlePlace,
    path: &Path,
    header: &csv::StringRecord,
    joints: Joints<'_>,
    options: &Options,
    log: &mut Log,
) -> Option<Vec<Column>> {
    let names = joints.names;
    let before = log.fault_count();
    // Mimic joints are numbered behind the values.
    let all = || names.iter().chain(joints.mimics.iter().map(|(name, _)| name)).map(String::as_str);
    let index = ValueNames::new(all());
    let (mut out, mut taken, mut time) = (Vec::new(), vec![None; all().count()], None);
    for (k, title) in header.iter().enumerate() {
        let place = at.of_column(k);
        let shown = short_text(title);
        match index.find_value(title) {
            Named::One(i) => {
                if let Some(first) = taken[i].replace(k) {
                    let name = all().nth(i).unwrap_or("");
                    let what = format!("{shown:?} gives {name:?} a second time");
                    log.add_fault(path, place, what, format!("keep one; the first is column {}", first + 1));
                }
                out.push(match i.checked_sub(names.len()) {
                    Some(k) => Column::Mimic(k),
                    None => Column::Value(i),
                });
            }
            Named::Several => {
                log.add_fault(
                    path,
                    place,
                    format!("{shown:?} is a joint of several robots"),
                    "write robot/joint",
                );
                out.push(Column::Ignored);
            }
            Named::Nothing if title == "t" => {
                if time.replace(k).is_some() {
                    log.add_fault(path, place, "time is given a second time", "keep one column t");
                    out.push(Column::Ignored);
                } else {
                    out.push(Column::Time);
                }
            }
            Named::Nothing if options.ignore_unknown_columns => out.push(Column::Ignored),
            Named::Nothing => {
                let other = "remove the column, or pass --ignore-unknown-columns";
                let help = if TIMES.iter().any(|time| title.eq_ignore_ascii_case(time)) {
                    format!("if it is time in seconds, call it t; else {other}")
                } else {
                    let meant = log.did_you_mean(title, index.known_names());
                    if meant.is_empty() { other.into() } else { format!("{meant} If not, {other}") }
                };
                log.add_fault(path, place, format!("{shown:?} is not a joint of this model"), help);
                out.push(Column::Ignored);
            }
        }
    }
    let missing: Vec<&str> =
        names.iter().zip(&taken).filter(|(_, t)| t.is_none()).map(|(n, _)| n.as_str()).collect();
    if !missing.is_empty() {
        let shown: Vec<&str> = missing.iter().take(50).copied().collect();
        let more =
            if missing.len() > 50 { format!(" and {} more", missing.len() - 50) } else { String::new() };
        let what = format!("no column for {}{more}", shown.join(", "));
        let [place, help] = at.of_missing();
        log.add_fault(path, place, what, help);
    }
    (log.fault_count() == before).then_some(out)
}
