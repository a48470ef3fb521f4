//! Offsets by least squares: Gauss and Newton's method, damped as Levenberg and Marquardt do.
//!
//! A contact says that the signed distance of its pair at reading + offset is zero. Its error has three
//! parts: each encoder is off by up to half a step, which moves the distance by the slope of that joint; the
//! bodies are within the contact's tolerance; and the distance is only known to its interval. The variances
//! add up, and each residual is divided by the root of the sum. Unknowns are offsets in units of their
//! bounds, so that radians and metres weigh alike, and what is known before counts as one more residual for
//! each: the offset itself, with the deviation of a number that is uniform between the bounds. That leaves
//! what contacts determine as it is, and keeps where it was what they do not.
//!
//! A distance is used as a number only where its interval is narrower than that error. Below zero it may not
//! be: depths of meshes that are not convex are bracketed. Such a contact is left out of a step, and costs
//! what a suspected one does, so that no step wins by making distances unknown.
//!
//! A joint at its bound stays there while the contacts push outward.

use crate::contact::Contact;
use crate::limits::{DAMPING, FIT_STEP, FIT_STEPS, PRIOR, UNKNOWN_COST};
use crate::meter::{MeasuredPair, PairMeter};
use crate::options::CalibrateOptions;
use crate::symmetric::{Eigen, dot};
use elbowroom::{Interval, World};

/// Contacts, and what is known before.
pub(crate) struct Problem<'p> {
    pub world: &'p World,
    pub contacts: &'p [Contact],
    pub options: &'p CalibrateOptions,
    /// The joint values that are free.
    pub free: Vec<usize>,
}

/// A contact that is known as a number.
#[derive(Clone, Debug)]
pub(crate) struct Row {
    /// The signed distance (metres).
    pub residual: f64,
    /// Its expected deviation (metres).
    pub deviation: f64,
    /// How it changes with each free offset, in units of its bound and of the deviation.
    pub slopes: Vec<f64>,
}

/// Each contact's distance at some offsets.
#[derive(Clone, Debug)]
pub(crate) struct Reading {
    pub interval: Interval,
    /// `None` where the distance is not known well enough.
    pub row: Option<Row>,
}

/// Where a search ended.
pub(crate) struct Fit {
    /// Offsets of the free joints from the known ones, in units of their bounds.
    pub shifts: Vec<f64>,
    pub readings: Vec<Reading>,
    /// Of the information in the contacts that were used.
    pub eigen: Eigen,
    pub has_converged: bool,
}

impl Problem<'_> {
    /// The offsets of all joint values for shifts of the free ones.
    pub fn offsets(&self, shifts: &[f64]) -> Vec<f64> {
        let mut offsets = self.options.start.clone();
        for (value, shift) in self.free.iter().zip(shifts) {
            offsets[*value] += shift * self.options.bounds[*value];
        }
        offsets
    }

    /// A distance as a row, if it is known well enough.
    pub fn row_of(&self, measured: &MeasuredPair, within: f64) -> Option<Row> {
        let Interval { lower, upper, .. } = measured.interval;
        if measured.slopes.is_empty() || !lower.is_finite() || !upper.is_finite() {
            return None;
        }
        // An even error has a twelfth of the square of its width.
        let even = |width: f64| width * width / 12.0;
        let steps = measured.slopes.iter().zip(&self.options.steps);
        let noise: f64 = even(2.0 * within) + steps.map(|(slope, step)| even(slope * step)).sum::<f64>();
        let width = upper - lower;
        if width * width > noise {
            return None;
        }
        let deviation = (noise + even(width)).sqrt().max(f64::MIN_POSITIVE);
        let slope = |value: &usize| measured.slopes[*value] * self.options.bounds[*value] / deviation;
        Some(Row { residual: lower + 0.5 * width, deviation, slopes: self.free.iter().map(slope).collect() })
    }

    /// All contacts at shifts.
    fn read_contacts(&self, meter: &mut PairMeter, shifts: &[f64]) -> Vec<Reading> {
        let offsets = self.offsets(shifts);
        let mut read = |contact: &Contact| {
            let values: Vec<f64> = contact.readings.iter().zip(&offsets).map(|(q, o)| q + o).collect();
            let measured = meter.measure_pair(contact.pair, &values);
            Reading { interval: measured.interval, row: self.row_of(&measured, contact.within) }
        };
        self.contacts.iter().map(&mut read).collect()
    }

    /// Searches from shifts, with some of the contacts, as far as `reach` (in bounds).
    pub fn fit_offsets(&self, used: &[bool], from: &[f64], reach: f64) -> Fit {
        let mut meter = PairMeter::new(self.world, self.options.geometry);
        let mut shifts: Vec<f64> = from.iter().map(|shift| shift.clamp(-reach, reach)).collect();
        let mut readings = self.read_contacts(&mut meter, &shifts);
        let [mut damping, factor, most] = DAMPING;
        let mut has_converged = false;
        for _ in 0..FIT_STEPS {
            let (matrix, mut right) = normal_equations(&readings, used, self.free.len());
            right.iter_mut().zip(&shifts).for_each(|(r, shift)| *r -= PRIOR * shift);
            // What pushes a joint beyond its bound moves no other either.
            let held = |i: usize| shifts[i].abs() >= reach && right[i] * shifts[i] > 0.0;
            let held: Vec<bool> = (0..shifts.len()).map(held).collect();
            let (matrix, right) = without_held(matrix, right, &held);
            let eigen = Eigen::of_symmetric(matrix);
            let old = sum_of_squares(&readings, &readings, used) + PRIOR * dot(&shifts, &shifts);
            let mut taken = None;
            while taken.is_none() && damping < most {
                let step = eigen.solve_with(PRIOR + damping, &right);
                let next: Vec<f64> =
                    shifts.iter().zip(&step).map(|(a, b)| (a + b).clamp(-reach, reach)).collect();
                let far = shifts.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
                let there = self.read_contacts(&mut meter, &next);
                let new = sum_of_squares(&there, &readings, used) + PRIOR * dot(&next, &next);
                if new <= old {
                    taken = Some((next, there));
                    damping /= factor;
                } else {
                    damping *= factor;
                }
                if far < FIT_STEP {
                    has_converged = true;
                    break;
                }
            }
            if let Some((next, there)) = taken {
                (shifts, readings) = (next, there);
            } else {
                has_converged = true;
            }
            if has_converged {
                break;
            }
        }
        let (matrix, _) = normal_equations(&readings, used, self.free.len());
        Fit { shifts, readings, eigen: Eigen::of_symmetric(matrix), has_converged }
    }
}

/// The information in contacts, and what they ask for.
fn normal_equations(readings: &[Reading], used: &[bool], n: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    let (mut matrix, mut right) = (vec![vec![0.0; n]; n], vec![0.0; n]);
    let rows = readings.iter().zip(used).filter(|(_, used)| **used).filter_map(|(r, _)| r.row.as_ref());
    for row in rows {
        for i in 0..n {
            right[i] -= row.slopes[i] * row.residual / row.deviation;
            (0..n).for_each(|j| matrix[i][j] += row.slopes[i] * row.slopes[j]);
        }
    }
    (matrix, right)
}

/// Normal equations in which the unknowns that are `held` do not move.
fn without_held(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>, held: &[bool]) -> (Vec<Vec<f64>>, Vec<f64>) {
    for i in (0..right.len()).filter(|i| held[*i]) {
        right[i] = 0.0;
        matrix[i].fill(0.0);
        matrix.iter_mut().for_each(|row| row[i] = 0.0);
    }
    (matrix, right)
}

/// The squares of residuals, in units of the deviations that the contacts have elsewhere: a step must not win
/// by going where errors are large.
fn sum_of_squares(readings: &[Reading], weights: &[Reading], used: &[bool]) -> f64 {
    let cost = |(reading, weight): (&Reading, &Reading)| match (&reading.row, &weight.row) {
        (Some(row), Some(weight)) => (row.residual / weight.deviation).powi(2),
        (Some(row), None) => (row.residual / row.deviation).powi(2).min(UNKNOWN_COST),
        (None, _) => UNKNOWN_COST,
    };
    let all = readings.iter().zip(weights).zip(used);
    all.filter(|(_, used)| **used).map(|(both, _)| cost(both)).sum()
}
