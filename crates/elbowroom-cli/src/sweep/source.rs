//! Where the poses of a sweep come from: any rows at any time, so that threads, parts and interrupted work
//! all have the same.

use super::arguments::SweepArguments;
use super::grid::{Grid, MOST_ROWS};
#[cfg(feature = "parquet")]
use super::parquet_poses::{ParquetPoses, Refusal};
use crate::load;
use crate::out::{say_line, say_warnings};
use anyhow::{Context, Result, bail};
use elbowroom::World;
use elbowroom::math::Random;
use elbowroom_files::motion::{Joints, PoseFile, RowFault, mimic_rules};
use serde_json::{Value, json};
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// The poses.
pub enum PoseSource<'w> {
    /// Those of a file.
    File(PoseFile),
    /// Those of a file of Parquet.
    #[cfg(feature = "parquet")]
    Parquet(ParquetPoses),
    /// Drawn within limits.
    Random(RandomPoses<'w>),
    /// All combinations of some values.
    Grid(Grid, String),
}

/// Random poses, each of which can be drawn by itself.
pub struct RandomPoses<'w> {
    world: &'w World,
    rows: u64,
    seed: u64,
    /// Random numbers that a pose takes.
    draws: u64,
}

impl<'w> PoseSource<'w> {
    /// Opens what the command was given.
    pub fn open(arguments: &SweepArguments, world: &'w World) -> Result<PoseSource<'w>> {
        if let Some(path) = &arguments.poses {
            let joints =
                Joints { names: world.dof_names(), mimics: &mimic_rules(world), ..Joints::default() };
            let options = elbowroom_files::Options {
                ignore_unknown_columns: arguments.ignore_unknown_columns,
                ..load::file_options(&arguments.world)
            };
            if is_parquet(path) {
                return PoseSource::open_parquet(path, joints, &options);
            }
            return match PoseFile::open(path, joints, &options) {
                Ok(loaded) => {
                    say_warnings(&loaded.warnings);
                    Ok(PoseSource::File(loaded.value))
                }
                Err(faults) => {
                    say_line(&faults.to_string());
                    bail!("{} is refused", path.display())
                }
            };
        }
        if let Some(text) = &arguments.grid {
            return Ok(PoseSource::Grid(Grid::parse(text, world)?, text.clone()));
        }
        let Some(rows) = arguments.random else { bail!("give poses: --poses FILE, --random N or --grid") };
        if !(1..=MOST_ROWS).contains(&rows) {
            bail!("--random: give a number from 1 to {MOST_ROWS}");
        }
        let mut draws = 0;
        let counted = world.draw_configuration(|| {
            draws += 1;
            0.5
        });
        if counted.is_none() {
            bail!(
                "no pose is within all limits: those of a joint and of the mimic joints that follow it differ"
            );
        }
        Ok(PoseSource::Random(RandomPoses { world, rows, seed: arguments.seed, draws }))
    }

    #[cfg(not(feature = "parquet"))]
    fn open_parquet(path: &Path, _: Joints<'_>, _: &elbowroom_files::Options) -> Result<PoseSource<'w>> {
        bail!("{} is Parquet: {}", path.display(), super::columns::NO_PARQUET)
    }

    #[cfg(feature = "parquet")]
    fn open_parquet(
        path: &Path,
        joints: Joints<'_>,
        options: &elbowroom_files::Options,
    ) -> Result<PoseSource<'w>> {
        match ParquetPoses::open(path, joints, options) {
            Ok(poses) => Ok(PoseSource::Parquet(poses)),
            Err(Refusal::Other(error)) => Err(error),
            Err(Refusal::Columns(faults)) => {
                say_line(&faults.to_string());
                bail!("{} is refused", path.display())
            }
        }
    }

    /// How many rows there are.
    pub fn row_count(&self) -> u64 {
        match self {
            PoseSource::File(file) => file.row_count(),
            #[cfg(feature = "parquet")]
            PoseSource::Parquet(poses) => poses.row_count(),
            PoseSource::Random(random) => random.rows,
            PoseSource::Grid(grid, _) => grid.row_count(),
        }
    }

    /// Reads rows into `values`, and returns those that are no poses.
    pub fn read_rows(&self, rows: Range<u64>, values: &mut Vec<f64>) -> Result<Vec<RowFault>> {
        values.clear();
        match self {
            PoseSource::File(file) => {
                let path = file.path();
                return file
                    .read_rows(rows, values)
                    .with_context(|| format!("{} can no longer be read", path.display()));
            }
            #[cfg(feature = "parquet")]
            PoseSource::Parquet(poses) => return poses.read_rows(rows, values),
            PoseSource::Random(random) => random.draw_rows(rows, values),
            PoseSource::Grid(grid, _) => rows.for_each(|row| grid.add_row(row, values)),
        }
        Ok(Vec::new())
    }

    /// Whether its rows are fixed by what [`PoseSource::to_json`] says.
    pub fn is_made(&self) -> bool {
        matches!(self, PoseSource::Random(_) | PoseSource::Grid(..))
    }

    /// What the poses are, for who compares.
    pub fn to_json(&self) -> Value {
        let rows = self.row_count();
        match self {
            PoseSource::File(_) => json!({ "rows": rows }),
            #[cfg(feature = "parquet")]
            PoseSource::Parquet(_) => json!({ "rows": rows }),
            PoseSource::Random(random) => json!({ "rows": rows, "random": rows, "seed": random.seed }),
            PoseSource::Grid(_, text) => json!({ "rows": rows, "grid": text }),
        }
    }
}

impl RandomPoses<'_> {
    fn draw_rows(&self, rows: Range<u64>, values: &mut Vec<f64>) {
        // The generator can skip numbers, so a pose can be drawn without those before it.
        let mut random = Random(self.seed);
        random.skip_numbers(self.draws.wrapping_mul(rows.start));
        for _ in rows {
            values.extend(self.world.draw_configuration(|| random.unit()).into_iter().flatten());
        }
    }
}

/// Whether a file is one of Parquet, by its first bytes, or its name if it cannot be read.
fn is_parquet(path: &Path) -> bool {
    let mut begins = [0; 4];
    match File::open(path).and_then(|mut file| file.read_exact(&mut begins)) {
        Ok(()) => begins == *b"PAR1" || has_parquet_name(path),
        Err(_) => has_parquet_name(path),
    }
}

fn has_parquet_name(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}
