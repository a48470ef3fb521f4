//! What the columns of a table of poses mean, whatever kind of file it is kept in.

use super::columns::{PoseColumns, RateColumns, TitlePlace};
use super::data::Joints;
use crate::fault::{Faults, Loaded, Log};
use crate::source::Options;
use elbowroom::world::Follows;
use std::path::Path;

/// The columns of a table whose names say which joints they are of, in any order: as those of a CSV file,
/// for readers of other kinds of tables.
///
/// ```
/// use elbowroom_files::Options;
/// use elbowroom_files::motion::{Joints, TableColumns};
///
/// let names = ["arm/shoulder".to_string(), "arm/elbow".to_string()];
/// let joints = Joints { names: &names, mimics: &[], ..Joints::default() };
/// let (path, options) = ("poses.parquet".as_ref(), Options::default());
/// let columns = TableColumns::from_titles(path, &["elbow", "t", "shoulder"], joints, &options)?.value;
/// assert!(columns.is_used(0) && !columns.is_used(1), "time is no joint value");
/// let mut values = Vec::new();
/// columns.add_rows(&[0.5, 9.0, 0.1], &mut values, |_, _| panic!("the row is a pose"));
/// assert_eq!(values, [0.1, 0.5], "in the model's order");
/// assert!(TableColumns::from_titles(path, &["elbow"], joints, &options).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct TableColumns {
    columns: PoseColumns,
    names: Vec<String>,
    mimics: Vec<(String, Follows)>,
}

impl TableColumns {
    /// The meaning of these titles for a model that has these joints.
    ///
    /// # Errors
    /// All faults together: unknown, repeated and missing joints.
    pub fn from_titles(
        path: &Path,
        titles: &[&str],
        joints: Joints<'_>,
        options: &Options,
    ) -> Result<Loaded<TableColumns>, Faults> {
        let mut log = Log::default();
        let header = csv::StringRecord::from(titles);
        let columns = PoseColumns::read_titles_of(
            (TitlePlace::Schema, RateColumns::Refused),
            path,
            &header,
            joints,
            options,
            &mut log,
        );
        let (names, mimics) = (joints.names.to_vec(), joints.mimics.to_vec());
        log.finish(columns.map(|columns| TableColumns { columns, names, mimics }))
    }

    /// Whether the values of a column are read: those of time, and of columns that are ignored, are not.
    pub fn is_used(&self, column: usize) -> bool {
        self.columns.is_used(column)
    }

    /// Adds the poses of rows to `values`, in the model's order. `numbers` has those of one row after the
    /// other, one for each column; those of columns that are not used count for nothing. A row whose mimic
    /// joints differ from what they follow is no pose: its number goes to `tell`, with what is wrong, and all
    /// its values are NaN.
    pub fn add_rows(&self, numbers: &[f64], values: &mut Vec<f64>, mut tell: impl FnMut(usize, String)) {
        let joints = Joints { names: &self.names, mimics: &self.mimics, ..Joints::default() };
        let mut line = self.columns.empty_line(joints);
        for (row, numbers) in numbers.chunks_exact(self.columns.count().max(1)).enumerate() {
            let mut is_pose = true;
            self.columns.read_numbers(joints, numbers, &mut line, |(what, _)| {
                if std::mem::replace(&mut is_pose, false) {
                    tell(row, what);
                }
            });
            if !is_pose {
                line.row.fill(f64::NAN);
            }
            values.extend(&line.row);
        }
    }
}
