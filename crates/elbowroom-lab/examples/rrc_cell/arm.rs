//! An arm in the cell: where its hand is, and joint values that bring it somewhere.

use super::robot::{JOINTS, PEDESTAL, TIPS, TOOL};
use anyhow::{Result, ensure};
use elbowroom::math::{Mat3, Transform, Vec3, sin_cos, vec3};

/// Values of the seven joints (radians).
pub type Values = [f64; 7];

/// How far the hand may be from where it is wanted, in metres and as a sine: less than the last digit of what
/// is written.
const REACHED: f64 = 1e-9;
/// Steps of the search for joint values. It converges in a dozen.
const STEPS: usize = 200;
/// Damping of a step, squared. It keeps steps small where the arm is stretched.
const DAMPING: f64 = 1e-6;
/// A step turns no joint farther than this (radians).
const STEP: f64 = 0.2;

/// An arm that stands on the floor.
#[derive(Clone, Copy)]
pub struct Arm {
    /// Where its base stands (metres).
    pub at: Vec3,
}

/// The hand points down with its finger tips at a point, and its fingers close across `heading` (radians from
/// the world's x): the frame of the tool plate in the world.
pub fn down(tips: Vec3, heading: f64) -> Transform {
    let (s, c) = sin_cos(heading);
    let [x, y, z] = [vec3(0.0, 0.0, -1.0), vec3(-c, -s, 0.0), vec3(-s, c, 0.0)];
    Transform::new(Mat3 { cols: [x, y, z] }, tips - x * TIPS)
}

impl Arm {
    /// The frames of all joints, turned, and that of the tool plate, in the world.
    fn frames(&self, q: &Values) -> ([Transform; 7], Transform) {
        let quarter = std::f64::consts::FRAC_PI_2;
        let mut at = Transform::from_translation(self.at)
            * Transform::from_xyz_rpy([0.0, 0.0, PEDESTAL], [0.0, -quarter, 0.0]);
        let joints = std::array::from_fn(|i| {
            let axis = [Vec3::X, Vec3::Y, Vec3::Z][JOINTS[i].0];
            at = at * Transform::new(Mat3::from_axis_angle(axis, q[i]), JOINTS[i].1.into());
            at
        });
        (joints, at * Transform::from_translation(Vec3::X * TOOL))
    }

    /// Where the tool plate is.
    pub fn tool(&self, q: &Values) -> Transform {
        self.frames(q).1
    }

    /// Joint values that bring the tool plate to a frame, near others that bring it somewhere near: damped
    /// least squares, so of all steps the smallest.
    pub fn solve(&self, wanted: &Transform, near: &Values) -> Result<Values> {
        let mut q = *near;
        for _ in 0..STEPS {
            let (joints, tool) = self.frames(&q);
            let way = wanted.translation - tool.translation;
            let turn = |k: usize| tool.rotation.cols[k].cross(wanted.rotation.cols[k]);
            let turn = (turn(0) + turn(1) + turn(2)) * 0.5;
            if way.norm().max(turn.norm()) < REACHED {
                return Ok(q);
            }
            // Each joint's column of the Jacobian: how it moves the tool plate, and turns it.
            let columns: [[f64; 6]; 7] = std::array::from_fn(|i| {
                let axis = joints[i].rotation.cols[JOINTS[i].0];
                let moves = axis.cross(tool.translation - joints[i].translation);
                [moves.x, moves.y, moves.z, axis.x, axis.y, axis.z]
            });
            let square = std::array::from_fn(|r| {
                std::array::from_fn(|c| {
                    let sum: f64 = columns.iter().map(|column| column[r] * column[c]).sum();
                    sum + if r == c { DAMPING } else { 0.0 }
                })
            });
            let weights = linear(square, [way.x, way.y, way.z, turn.x, turn.y, turn.z]);
            let step = columns.map(|column| column.iter().zip(&weights).map(|(a, b)| a * b).sum::<f64>());
            let most = step.iter().fold(0.0, |most: f64, s| most.max(s.abs()));
            let shrink = if most > STEP { STEP / most } else { 1.0 };
            q = std::array::from_fn(|i| q[i] + step[i] * shrink);
        }
        let [p, r] = [wanted.translation, self.tool(&q).translation];
        ensure!(false, "no joint values bring the hand to {p:?}: the search ended at {r:?}, {q:?}");
        Ok(q)
    }
}

/// Solves six linear equations by elimination. The matrix is symmetric and positive, so no rows are swapped.
fn linear(mut a: [[f64; 6]; 6], mut b: [f64; 6]) -> [f64; 6] {
    for k in 0..6 {
        let pivot = a[k];
        for r in k + 1..6 {
            let factor = a[r][k] / pivot[k];
            a[r].iter_mut().zip(pivot).for_each(|(to, from)| *to -= factor * from);
            b[r] -= factor * b[k];
        }
    }
    for k in (0..6).rev() {
        for c in k + 1..6 {
            b[k] -= a[k][c] * b[c];
        }
        b[k] /= a[k][k];
    }
    b
}
