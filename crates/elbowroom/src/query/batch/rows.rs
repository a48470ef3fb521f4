//! Rows of joint values, answered on one thread.

use super::eights::Eights;
use super::fault::{BatchCounts, BatchFault};
use super::gaps::OVERLAP;
use super::lanes::Bounds;
use super::model::Model;
use crate::model::world::World;
use crate::numeric::held::held;
use crate::numeric::math::round_up;
use crate::numeric::simd::dispatch;
use crate::pair::clearance::Ask;
use crate::pose::fault::SetOptions;
use crate::query::check::smallest;
use crate::query::check_work::CheckWork;
use crate::query::options::Options;
use crate::query::report::Report;
use crate::query::tolerance::{BATCH_CHUNK, BATCH_FAULTS};
use crate::query::verdict::Verdict;
use alloc::vec;
use alloc::vec::Vec;
/// Work space for poses of one world that are asked together.
///
/// ```
/// # mod example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/rod.rs")); }
/// # use example::rod_and_post;
/// use elbowroom::batch::Batch;
/// use elbowroom::check::Options;
/// use elbowroom::compile::compile;
/// use elbowroom::report::Report;
/// use elbowroom::verdict::Verdict;
///
/// // The rod of the crate's first example, and the post at (0, 1, 0).
/// let world = compile(&rod_and_post([0.0, 1.0, 0.0]))?;
/// let mut batch = Batch::new(&world);
/// // A row for each pose: here of one joint value.
/// let rows = [0.0, 1.0, 1.5];
/// let mut verdicts = [Verdict::Unknown; 3];
/// let counts = batch.tests(&world, &rows, &Options::of(&world), &mut verdicts)?;
/// assert_eq!(verdicts, [Verdict::Clear, Verdict::Clear, Verdict::Collision]);
/// assert_eq!(counts.poses, 3);
///
/// let mut reports = [Report::default(); 3];
/// batch.smallest(&world, &rows, &Options::of(&world), &mut reports)?;
/// // The centres are a chord of the unit circle apart.
/// let distance = 2.0_f64.sqrt() - 0.3;
/// assert!(reports[0].lower <= distance && distance <= reports[0].upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Batch {
    checker: CheckWork,
    model: Option<Model>,
    frames: Vec<[Eights; 12]>,
    capsules: Vec<[Eights; 6]>,
    gaps: Vec<f32>,
}

impl Batch {
    /// For a world.
    pub fn new(world: &World) -> Batch {
        let model = Model::new(world);
        let (mut frames, mut capsules) = (Vec::new(), 0);
        if let Some(model) = &model {
            let all = |root: &[[f32; 3]; 4]| {
                let mut frame = [[0.0; 8]; 12];
                for (out, value) in frame.iter_mut().zip(root.iter().flatten()) {
                    *out = [*value; 8];
                }
                frame
            };
            frames = model.roots.iter().map(all).collect();
            frames.resize(model.roots.len() + model.links.len(), [[0.0; 8]; 12]);
            capsules = model.capsules.len();
        }
        let (capsules, gaps) = (vec![[[0.0; 8]; 6]; capsules], vec![0.0; BATCH_CHUNK]);
        Batch { checker: CheckWork::new(world), model, frames, capsules, gaps }
    }

    /// Bytes it holds beside itself.
    pub(crate) fn held(&self) -> usize {
        let model = self.model.as_ref().map_or(0, Model::held);
        self.checker.held() + model + held(&self.frames) + held(&self.capsules) + held(&self.gaps)
    }

    /// The verdict of each pose: that of [`smallest`] with [`Ask::Test`], of a pose that remembers nothing.
    /// `values` is one row a verdict, of the world's joint values (radians, metres; see
    /// [`World::value_names`]). A row that is no configuration gets [`Verdict::Unknown`] and is named in the
    /// error.
    pub fn tests(
        &mut self,
        world: &World,
        values: &[f64],
        options: &Options,
        verdicts: &mut [Verdict],
    ) -> Result<BatchCounts, BatchFault> {
        let options = Options { ask: Ask::Test, ..*options };
        self.answer(world, values, &options, true, verdicts.len(), |row, verdict, _| verdicts[row] = verdict)
    }

    /// The report of each pose: that of [`smallest`]. `values` is one row a report. Lanes are no help here: a
    /// smallest distance is asked of shapes in every pose. A row that is no configuration leaves its report
    /// as it was and is named in the error.
    pub fn smallest(
        &mut self,
        world: &World,
        values: &[f64],
        options: &Options,
        reports: &mut [Report],
    ) -> Result<BatchCounts, BatchFault> {
        self.answer(world, values, options, false, reports.len(), |row, _, report| {
            if let Some(report) = report {
                reports[row] = *report;
            }
        })
    }

    /// Tells `each` row's verdict, and its report if it has one. `lanes`: a verdict by them is enough.
    fn answer(
        &mut self,
        world: &World,
        values: &[f64],
        options: &Options,
        lanes: bool,
        count: usize,
        mut each: impl FnMut(usize, Verdict, Option<&Report>),
    ) -> Result<BatchCounts, BatchFault> {
        if self.checker.pose.fingerprint != world.fingerprint {
            return Err(BatchFault::OtherWorld);
        }
        let width = world.value_names.len();
        if count.checked_mul(width) != Some(values.len()) {
            return Err(BatchFault::WrongSize { expected: count.saturating_mul(width), given: values.len() });
        }
        let mut counts = BatchCounts { poses: count, ..BatchCounts::default() };
        let (mut first, mut refused) = (Vec::new(), 0);
        // Pairs that are not in the model are beyond its floor, whatever the world has proved since.
        let floor = self.model.as_ref().map_or(f64::NEG_INFINITY, |model| model.floor);
        let lanes = lanes && !world.blind && floor > options.margin && options.margin >= 0.0;
        let enough = round_up(options.margin);
        for start in (0..count).step_by(BATCH_CHUNK) {
            let rows = (count - start).min(BATCH_CHUNK);
            let chunk = &values[start * width..(start + rows) * width];
            let Batch { checker, model, frames, capsules, gaps } = self;
            match model {
                Some(model) if lanes && !model.pairs.is_empty() => {
                    let gaps = &mut gaps[..rows];
                    let (heights, insides) = (&world.heights, &world.insides);
                    dispatch(Bounds {
                        model,
                        values: chunk,
                        frames,
                        capsules,
                        heights,
                        insides,
                        enough,
                        gaps,
                    });
                }
                _ => gaps[..rows].fill(f32::NEG_INFINITY),
            }
            for row in 0..rows {
                if gaps[row] > enough {
                    counts.by_lanes += 1;
                    each(start + row, Verdict::Clear, None);
                    continue;
                }
                if gaps[row] == OVERLAP {
                    counts.by_lanes += 1;
                    each(start + row, Verdict::Collision, None);
                    continue;
                }
                // What was asked before may change last digits, and so a verdict where bodies touch: nothing
                // of it is left, whatever thread has which rows.
                if row == 0 || options.ask == Ask::Test {
                    checker.forget();
                }
                match checker.set_with(world, &chunk[row * width..(row + 1) * width], SetOptions::default()) {
                    Ok(()) => {
                        let report = smallest(world, checker, options);
                        counts.shape_queries += report.counts.shape_queries;
                        each(start + row, report.verdict, Some(&report));
                    }
                    Err(fault) => {
                        refused += 1;
                        if first.len() < BATCH_FAULTS {
                            first.push((start + row, fault));
                        }
                        each(start + row, Verdict::Unknown, None);
                    }
                }
            }
        }
        if refused == 0 { Ok(counts) } else { Err(BatchFault::Poses { first, count: refused }) }
    }
}
