//! The next contact worth measuring: of poses at which two bodies touch, the one that reduces the largest
//! variance most. Where two joints are as uncertain, no contact reduces the largest; so the mean of all
//! counts as well.

use crate::calibration::Calibration;
use crate::closing::{Closer, TouchingPose};
use crate::fit::Problem;
use crate::limits::{CANDIDATES, TRIES, WITHIN};
use crate::meter::MeasuredPair;
use crate::options::CalibrateOptions;
use crate::symmetric::{dot, multiply_vector};
use elbowroom::math::Random;
use elbowroom::{Interval, PairId, World};

/// A contact worth measuring.
#[derive(Clone, Debug, PartialEq)]
pub struct Proposal {
    /// The two bodies.
    pub pair: PairId,
    /// What the encoders will read about there (radians, metres).
    pub readings: Vec<f64>,
    /// The joint value whose deviation it reduces most, for its bound.
    pub value: usize,
    /// The deviation of that joint's offset before and with this contact (radians, metres).
    pub deviation: [f64; 2],
}

/// The next contacts to measure, the best first; each counts on those before it. They are chosen from random
/// poses, so another seed gives others. There are fewer where hardly a pair can be closed: each pose keeps to
/// the limits, and nothing else overlaps.
pub fn propose_contacts(
    world: &World,
    calibration: &Calibration,
    options: &CalibrateOptions,
    count: usize,
    random: &mut Random,
) -> Vec<Proposal> {
    let free: Vec<usize> = calibration.joints.iter().map(|joint| joint.value).collect();
    let bounds: Vec<f64> = free.iter().map(|value| options.bounds[*value]).collect();
    let problem = Problem { world, contacts: &[], options, free };
    let mut closer = Closer::new(world, options.geometry);
    let mut candidates: Vec<(TouchingPose, Vec<f64>)> = Vec::new();
    for _ in 0..CANDIDATES * TRIES {
        if count == 0 || candidates.len() >= CANDIDATES {
            break;
        }
        let Some(pose) = closer.draw_touching(random, |_| true) else { continue };
        let interval = Interval::new(0.0, 0.0, options.geometry);
        let row = problem.row_of(&MeasuredPair { interval, slopes: pose.slopes.clone() }, WITHIN);
        candidates
            .extend(row.filter(|row| dot(&row.slopes, &row.slopes) > 0.0).map(|row| (pose, row.slopes)));
    }
    let offsets = calibration.offsets(options);
    let scaled = |i: usize, j: usize| calibration.covariance[i][j] / (bounds[i] * bounds[j]);
    let n = bounds.len();
    let mut covariance: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| scaled(i, j)).collect()).collect();
    let mut proposals = Vec::new();
    while proposals.len() < count {
        let left = |k: usize| uncertainty_of(&covariance_with(&covariance, &candidates[k].1));
        let all: Vec<f64> = (0..candidates.len()).map(left).collect();
        let Some(best) = (0..all.len()).min_by(|a, b| all[*a].total_cmp(&all[*b])) else { break };
        let (pose, slopes) = candidates.swap_remove(best);
        let next = covariance_with(&covariance, &slopes);
        let gain = |i: &usize| covariance[*i][*i] - next[*i][*i];
        let Some(joint) = (0..n).max_by(|a, b| gain(a).total_cmp(&gain(b))) else { break };
        let deviation = [&covariance, &next].map(|c| c[joint][joint].max(0.0).sqrt() * bounds[joint]);
        let readings = pose.values.iter().zip(&offsets).map(|(q, offset)| q - offset).collect();
        proposals.push(Proposal { pair: pose.pair, readings, value: problem.free[joint], deviation });
        covariance = next;
    }
    proposals
}

/// The covariance once a contact of these slopes, in units of its deviation, is measured too.
fn covariance_with(covariance: &[Vec<f64>], slopes: &[f64]) -> Vec<Vec<f64>> {
    let along = multiply_vector(covariance, slopes);
    let by = 1.0 / (1.0 + dot(slopes, &along));
    let row = |(row, a): (&Vec<f64>, &f64)| row.iter().zip(&along).map(|(c, b)| c - a * b * by).collect();
    covariance.iter().zip(&along).map(row).collect()
}

/// The largest variance, and the mean of all.
fn uncertainty_of(covariance: &[Vec<f64>]) -> f64 {
    let variances = (0..covariance.len()).map(|i| covariance[i][i]);
    variances.clone().fold(0.0, f64::max) + variances.sum::<f64>() / covariance.len().max(1) as f64
}
