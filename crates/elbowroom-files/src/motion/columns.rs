//! What the columns of a CSV file of poses mean, and the pose that a line gives.

use super::data::Joints;
use super::mimic::{mimic_contradiction, mimic_rate_contradiction};
use super::names::{Named, ValueNames};
use super::other_robot::tell_other_robot;
use super::ways::RowRates;
use crate::fault::{Log, counted_things};
use crate::limits;
use crate::source::Options;
use crate::text::{DECIMAL_POINT, has_decimal_comma};
use crate::xml::{parse_number, short_text};
use std::path::Path;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Value(usize),
    /// One of the mimic joints.
    Mimic(usize),
    Time,
    /// The rate of a value. Numbers beyond those of the values are those of mimic joints.
    Rate(Rate, usize),
    Ignored,
}

/// A derivative of a value, as titles of columns name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rate {
    Velocity,
    Acceleration,
}

/// The rates that titles may name: `elbow/velocity`.
const RATES: [(Rate, &str); 2] = [(Rate::Velocity, "velocity"), (Rate::Acceleration, "acceleration")];

/// Whether columns of rates are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum RateColumns {
    /// They say how a motion goes between its rows.
    Read,
    /// Poses alone are asked.
    Refused,
}

/// What is wrong with numbers such as `0,5`.
const DECIMAL_COMMAS: &str = "has numbers with decimal commas, as spreadsheets write them in some languages";

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
    /// How fast its values change; empty where there are no columns for it.
    pub rates: RowRates,
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
        PoseColumns::read_titles_of(
            (TitlePlace::FirstLine, RateColumns::Refused),
            path,
            header,
            joints,
            options,
            log,
        )
    }

    /// [`PoseColumns::read_titles`], of titles that stand where this says, with rates or without.
    pub fn read_titles_of(
        place: (TitlePlace, RateColumns),
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

    /// Whether there are columns for velocities or accelerations.
    pub fn has_rates(&self) -> bool {
        RATES.iter().any(|(rate, _)| self.has_rate(*rate))
    }

    fn has_rate(&self, rate: Rate) -> bool {
        self.columns.iter().any(|column| matches!(column, Column::Rate(own, _) if *own == rate))
    }

    /// An empty line.
    pub fn empty_line(&self, joints: Joints<'_>) -> PoseLine {
        let count = joints.names.len();
        let rate = |rate: Rate| vec![0.0; if self.has_rate(rate) { count } else { 0 }];
        let rates = RowRates { velocities: rate(Rate::Velocity), accelerations: rate(Rate::Acceleration) };
        PoseLine { row: vec![f64::NAN; count], t: None, rates, given: vec![0.0; self.columns.len()] }
    }

    /// Reads the fields of a line, of which there are `count`; what is wrong with them goes to `tell`.
    pub fn read_line<'f>(
        &self,
        joints: Joints<'_>,
        (fields, count): (impl Iterator<Item = &'f str>, usize),
        line: &mut PoseLine,
        mut tell: impl FnMut(LineFault),
    ) {
        let PoseLine { row, t, rates, given } = &mut *line;
        row.fill(f64::NAN);
        *t = None;
        let mut whole = count == self.columns.len();
        if !whole {
            let what = format!("has {count} fields, the header has {}", self.columns.len());
            // A comma in each number makes two fields of it.
            let doubled = count == 2 * self.columns.len();
            tell((
                what,
                if doubled {
                    "correct the line; if its numbers have decimal commas, write points"
                } else {
                    "correct the line"
                },
            ));
        }
        for (((field, column), title), given) in fields.zip(&self.columns).zip(&self.titles).zip(&mut *given)
        {
            if *column == Column::Ignored {
                continue;
            }
            let Some(value) = parse_number(field) else {
                whole = false;
                // In words that are those of every such line.
                if has_decimal_comma(field) {
                    tell((DECIMAL_COMMAS.into(), DECIMAL_POINT));
                    continue;
                }
                let what =
                    format!("column {:?}: {:?} is not a finite number", short_text(title), short_text(field));
                tell((what, "correct the number"));
                continue;
            };
            *given = value;
            match column {
                Column::Value(i) => row[*i] = value,
                Column::Time => *t = Some(value),
                Column::Rate(rate, i) => {
                    let rates = match rate {
                        Rate::Velocity => &mut rates.velocities,
                        Rate::Acceleration => &mut rates.accelerations,
                    };
                    if let Some(slot) = rates.get_mut(*i) {
                        *slot = value;
                    }
                }
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
        let PoseLine { row, given, rates, .. } = line;
        let help = "correct the number, or leave the column out";
        for (column, &given) in self.columns.iter().zip(given) {
            let mimic = |i: usize| i.checked_sub(joints.names.len()).and_then(|k| joints.mimics.get(k));
            let wrong = match column {
                Column::Mimic(k) => {
                    let (name, follows) = &joints.mimics[*k];
                    mimic_contradiction(name, follows, given, joints.names, row)
                }
                Column::Rate(rate, i) => mimic(*i).and_then(|(name, follows)| {
                    let (word, values) = match rate {
                        Rate::Velocity => ("velocity", &rates.velocities),
                        Rate::Acceleration => ("acceleration", &rates.accelerations),
                    };
                    mimic_rate_contradiction(word, (name, follows), given, joints.names, values)
                }),
                Column::Value(_) | Column::Time | Column::Ignored => None,
            };
            if let Some(what) = wrong {
                tell((what, help));
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
    (at, rates): (TitlePlace, RateColumns),
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
    let is_number = |title: &str| {
        matches!(index.find_value(title), Named::Nothing) && title.trim().parse::<f64>().is_ok()
    };
    if at == TitlePlace::FirstLine && !header.is_empty() && header.iter().all(is_number) {
        let shown: Vec<&str> = names.iter().take(50).map(String::as_str).collect();
        let more = if names.len() > 50 { ",..." } else { "" };
        let help = format!("write the joint names above it: {}{more}", shown.join(","));
        log.add_fault(path, "line 1", "holds numbers, and no joint names", help);
        return None;
    }
    if !options.ignore_unknown_columns
        && let Some((what, help)) =
            tell_other_robot(header.iter().filter(|title| may_be_joint(title)), joints)
    {
        log.add_fault(path, at.of_missing()[0], what, help);
        return None;
    }
    let (mut out, mut taken, mut time) = (Vec::new(), vec![None; all().count()], None);
    let mut rates_taken = RATES.map(|_| vec![false; all().count()]);
    let mut unknown = 0;
    for (k, title) in header.iter().enumerate() {
        let place = at.of_column(k);
        let (shown, rate) = (short_text(title), find_rate(&index, title));
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
            Named::Nothing if let (Some((k, rate, i)), RateColumns::Read) = (rate, rates) => {
                if std::mem::replace(&mut rates_taken[k][i], true) {
                    log.add_fault(path, place, format!("{shown:?} is given a second time"), "keep one");
                }
                out.push(Column::Rate(rate, i));
            }
            Named::Nothing if options.ignore_unknown_columns => out.push(Column::Ignored),
            Named::Nothing if rate.is_some() => {
                let what = format!("{shown:?} says how fast a joint moves, and poses alone are asked");
                log.add_fault(path, place, what, "remove the column, or pass --ignore-unknown-columns");
                out.push(Column::Ignored);
            }
            Named::Nothing => {
                out.push(Column::Ignored);
                unknown += 1;
                if unknown > limits::UNKNOWN_COLUMNS {
                    continue;
                }
                let other = "remove the column, or pass --ignore-unknown-columns";
                let help = if TIMES.iter().any(|time| title.eq_ignore_ascii_case(time)) {
                    format!("if it is time in seconds, call it t; else {other}")
                } else {
                    let meant = log.did_you_mean(title, index.known_names());
                    if meant.is_empty() { other.into() } else { format!("{meant} If not, {other}") }
                };
                log.add_fault(path, place, format!("{shown:?} is not a joint of this model"), help);
            }
        }
    }
    if let more @ 1.. = unknown.saturating_sub(limits::UNKNOWN_COLUMNS) {
        let what =
            format!("{} that no joint of this model is called after", counted_things(more, "more column"));
        let help = "remove them, or pass --ignore-unknown-columns";
        log.add_fault(path, at.of_missing()[0], what, help);
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
    for ((_, word), taken) in RATES.iter().zip(&rates_taken) {
        let missing: Vec<&str> =
            names.iter().zip(taken).filter(|(_, taken)| !**taken).map(|(name, _)| name.as_str()).collect();
        if taken.contains(&true) && !missing.is_empty() {
            let shown = missing.iter().take(50).copied().collect::<Vec<_>>().join(", ");
            let help = format!("give every joint a column JOINT/{word}, or none");
            log.add_fault(path, at.of_missing()[0], format!("no {word} for {shown}"), help);
        }
    }
    let [velocities, accelerations] = rates_taken.map(|taken| taken.contains(&true));
    let help = if accelerations && !velocities {
        Some(("has accelerations and no velocities", "give columns JOINT/velocity too"))
    } else if velocities && time.is_none() {
        Some(("has velocities and no times", "give a column t, the time in seconds"))
    } else {
        None
    };
    if let Some((what, help)) = help {
        log.add_fault(path, at.of_missing()[0], what, help);
    }
    (log.fault_count() == before).then_some(out)
}

/// Whether a title may be the name of a joint: not that of a time or a rate.
fn may_be_joint(title: &str) -> bool {
    let is_rate = RATES.iter().any(|(_, word)| title.rsplit_once('/').is_some_and(|(_, own)| own == *word));
    !is_rate && title != "t" && !TIMES.iter().any(|time| title.eq_ignore_ascii_case(time))
}

/// The rate that a title names: its number in [`RATES`], the rate, and the number of the value or mimic
/// joint.
fn find_rate(index: &ValueNames<'_>, title: &str) -> Option<(usize, Rate, usize)> {
    let (joint, word) = title.rsplit_once('/')?;
    let (k, (rate, _)) = RATES.iter().enumerate().find(|(_, (_, known))| *known == word)?;
    match index.find_value(joint) {
        Named::One(i) => Some((k, *rate, i)),
        Named::Several | Named::Nothing => None,
    }
}
