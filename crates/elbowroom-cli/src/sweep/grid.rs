//! Poses on a grid: all combinations of some values of some joints.

use anyhow::{Result, bail};
use elbowroom::World;
use elbowroom_files::fault::did_you_mean;
use elbowroom_files::motion::names::{Named, ValueNames};

/// All combinations of joint values; the last joint changes fastest.
#[derive(Clone, Debug)]
pub struct Grid {
    /// What all poses begin with.
    neutral: Vec<f64>,
    axes: Vec<GridAxis>,
    rows: u64,
}

#[derive(Clone, Copy, Debug)]
struct GridAxis {
    value: usize,
    from: f64,
    to: f64,
    count: u64,
}

impl Grid {
    /// Reads `joint=from:to:count,...`.
    pub fn parse(text: &str, world: &World) -> Result<Grid> {
        let names = ValueNames::new(world.dof_names().iter().map(String::as_str));
        let mut axes: Vec<GridAxis> = Vec::new();
        let mut faults = Vec::new();
        for word in text.split(',') {
            match parse_axis(word, &names) {
                Ok(axis) if axes.iter().any(|other| other.value == axis.value) => {
                    faults.push(format!("--grid: {word:?} gives its joint a second time"));
                }
                Ok(axis) => axes.push(axis),
                Err(fault) => faults.push(format!("--grid: {fault}")),
            }
        }
        let rows = axes.iter().try_fold(1_u64, |rows, axis| rows.checked_mul(axis.count));
        let rows = rows.filter(|rows| *rows <= MOST_ROWS);
        if rows.is_none() {
            faults.push(format!("--grid: has more than {MOST_ROWS} poses"));
        }
        match (rows, faults.is_empty()) {
            (Some(rows), true) => Ok(Grid { neutral: world.neutral_values(), axes, rows }),
            _ => bail!(faults.join("\n")),
        }
    }

    /// How many poses there are.
    pub fn row_count(&self) -> u64 {
        self.rows
    }

    /// Adds the joint values of a pose.
    pub fn add_row(&self, row: u64, values: &mut Vec<f64>) {
        let start = values.len();
        values.extend(&self.neutral);
        let mut rest = row;
        for axis in self.axes.iter().rev() {
            values[start + axis.value] = axis.value_at(rest % axis.count);
            rest /= axis.count;
        }
    }
}

/// Most poses of a sweep: at a microsecond each a day on a dozen cores.
pub const MOST_ROWS: u64 = 1_000_000_000_000;

impl GridAxis {
    fn value_at(&self, step: u64) -> f64 {
        match self.count - 1 {
            0 => self.from,
            // The last is exactly what was asked for.
            last if step == last => self.to,
            last => self.from + (self.to - self.from) * (step as f64 / last as f64),
        }
    }
}

fn parse_axis(word: &str, names: &ValueNames<'_>) -> Result<GridAxis, String> {
    let help = "write joint=from:to:count, as elbow=-1.5:1.5:31";
    let Some((name, range)) = word.split_once('=') else { return Err(format!("{word:?}: {help}")) };
    let name = name.trim();
    let value = match names.find_value(name) {
        Named::One(value) => value,
        Named::Several => return Err(format!("{name:?} is a joint of several robots: write robot/joint")),
        Named::Nothing => {
            let meant = did_you_mean(name, names.known_names());
            return Err(format!("{name:?} is not a joint of this world. {meant}").trim_end().into());
        }
    };
    let mut words = range.split(':').map(str::trim);
    let mut number = || words.next()?.parse::<f64>().ok().filter(|x| x.is_finite());
    let (from, to) = (number(), number());
    let count = words.next().and_then(|word| word.parse::<u64>().ok()).filter(|count| *count > 0);
    match (from, to, count, words.next()) {
        (Some(from), Some(to), Some(count), None) => Ok(GridAxis { value, from, to, count }),
        _ => Err(format!("{word:?}: {help}")),
    }
}
