//! The rounding bound against kinematics in twice the digits.
//!
//! A number here is the unevaluated sum of two f64 (Dekker 1971): about 32 digits, far more than the measured
//! errors need.

use crate::model::id::BodyId;
use crate::model::step::{KinematicStep, Motion};
use crate::rng::Rng;
use core::ops::{Add, Mul, Sub};
use elbowroom_describe::math::{Mat3, Transform, Vec3};
use elbowroom_pair::numeric::pose_error::PoseError;
use elbowroom_pair::numeric::rigid::rotation_defect;
use elbowroom_pair::numeric::tolerance::ERROR_FACTOR;

#[derive(Clone, Copy)]
struct Two(f64, f64);

fn two_sum(a: f64, b: f64) -> Two {
    let s = a + b;
    let t = s - a;
    Two(s, (a - (s - t)) + (b - t))
}

fn split(a: f64) -> (f64, f64) {
    let t = 134_217_729.0 * a;
    let high = t - (t - a);
    (high, a - high)
}

impl Add for Two {
    type Output = Two;
    fn add(self, b: Two) -> Two {
        let s = two_sum(self.0, b.0);
        two_sum(s.0, s.1 + self.1 + b.1)
    }
}
impl Sub for Two {
    type Output = Two;
    fn sub(self, b: Two) -> Two {
        self + Two(-b.0, -b.1)
    }
}
impl Mul for Two {
    type Output = Two;
    fn mul(self, b: Two) -> Two {
        let p = self.0 * b.0;
        let ((ah, al), (bh, bl)) = (split(self.0), split(b.0));
        let error = ((ah * bh - p) + ah * bl + al * bh) + al * bl;
        two_sum(p, error + self.0 * b.1 + self.1 * b.0)
    }
}

fn two(a: f64) -> Two {
    Two(a, 0.0)
}

/// 1 / a by Newton's method.
fn inverse(a: Two) -> Two {
    (0..3).fold(two(1.0 / a.0), |x, _| x * (two(2.0) - a * x))
}

/// 1 / sqrt a by Newton's method.
fn inverse_root(a: Two) -> Two {
    (0..3).fold(two(1.0 / elbowroom_describe::math::sqrt(a.0)), |x, _| x * (two(1.5) - two(0.5) * a * x * x))
}

/// Sine and cosine by their series at a 64th of the angle, then doubled back.
fn sin_cos_two(angle: Two) -> (Two, Two) {
    let x = angle * two(1.0 / 64.0);
    let square = x * x;
    let (mut s, mut c, mut term_s, mut term_c) = (x, two(1.0), x, two(1.0));
    for i in 1..16 {
        let k = f64::from(2 * i);
        term_c = two(-1.0) * term_c * square * inverse(two(k * (k - 1.0)));
        term_s = two(-1.0) * term_s * square * inverse(two(k * (k + 1.0)));
        (s, c) = (s + term_s, c + term_c);
    }
    for _ in 0..6 {
        (s, c) = (two(2.0) * s * c, c * c - s * s);
    }
    (s, c)
}

/// By columns.
type Matrix = [[Two; 3]; 3];

fn times(a: &Matrix, v: &[Two; 3]) -> [Two; 3] {
    core::array::from_fn(|i| a[0][i] * v[0] + a[1][i] * v[1] + a[2][i] * v[2])
}

fn product(a: &Matrix, b: &Matrix) -> Matrix {
    core::array::from_fn(|i| times(a, &b[i]))
}

fn exact(m: &Mat3) -> Matrix {
    m.cols.map(|c| c.to_array().map(two))
}

/// The nearest rotation, by Newton's method for the polar factor: R <- R (3 - RᵀR) / 2.
fn nearest_rotation(m: &Mat3) -> Matrix {
    let mut r = exact(m);
    for _ in 0..4 {
        let square: Matrix = core::array::from_fn(|i| {
            core::array::from_fn(|j| r[i][0] * r[j][0] + r[i][1] * r[j][1] + r[i][2] * r[j][2])
        });
        let correction: Matrix = core::array::from_fn(|i| {
            core::array::from_fn(|j| (two(if i == j { 3.0 } else { 0.0 }) - square[i][j]) * two(0.5))
        });
        r = product(&r, &correction);
    }
    r
}

fn turn_about(axis: [Two; 3], angle: Two) -> Matrix {
    let [x, y, z] = axis;
    let n = inverse_root(x * x + y * y + z * z);
    let k = [x * n, y * n, z * n];
    let (s, c) = sin_cos_two(angle);
    let t = two(1.0) - c;
    let o = two(0.0);
    let skew = [[o, k[2] * s, o - k[1] * s], [o - k[2] * s, o, k[0] * s], [k[1] * s, o - k[0] * s, o]];
    core::array::from_fn(|i| {
        core::array::from_fn(|j| k[i] * k[j] * t + skew[i][j] + if i == j { c } else { two(0.0) })
    })
}

struct Exact {
    rotation: Matrix,
    translation: [Two; 3],
}

/// How far a computed pose is from the exact one: (turn, shift).
fn off(computed: &Transform, exact: &Exact) -> (f64, f64) {
    let apart = |v: Vec3, e: &[Two; 3]| -> f64 {
        v.to_array().iter().zip(e).map(|(v, e)| (two(*v) - *e).0).map(|d| d * d).sum::<f64>()
    };
    let turn: f64 = computed.rotation.cols.iter().zip(&exact.rotation).map(|(c, e)| apart(*c, e)).sum();
    (
        elbowroom_describe::math::sqrt(turn),
        elbowroom_describe::math::sqrt(apart(computed.translation, &exact.translation)),
    )
}

#[test]
fn twice_the_digits_are_right() {
    let (s, c) = sin_cos_two(two(1.0));
    // sin 1 and cos 1 to 32 digits, cut at the second f64.
    assert!((s.0 - 0.841_470_984_807_896_5).abs() < 2e-16 && (c.0 - 0.540_302_305_868_139_8).abs() < 2e-16);
    let one = s * s + c * c - two(1.0);
    assert!(one.0.abs() < 1e-29, "{}", one.0);
    let root = inverse_root(two(2.0));
    assert!((root * root * two(2.0) - two(1.0)).0.abs() < 1e-30);
}

#[test]
fn poses_are_never_off_by_more_than_their_bound() {
    let mut rng = Rng::new(11);
    let (mut most, mut kinds) = (0.0_f64, [0; 8]);
    for chain in 0..300 {
        let scale = [1e-3, 1.0, 1e3][chain % 3];
        let base = rng.point(scale);
        let mut pose = Transform::from_translation(base);
        let mut truth = Exact { rotation: exact(&Mat3::IDENTITY), translation: base.to_array().map(two) };
        let mut error = PoseError::of_placement(base.norm(), 0.0);
        for _ in 0..12 {
            let kind = rng.below(8);
            kinds[kind] += 1;
            let raw = rng.point(1.0);
            let unit = raw.normalized().unwrap();
            let (motion, axis) = match kind {
                0 => (Motion::TurnX, Vec3::X),
                1 => (Motion::TurnY, Vec3::Y),
                2 => (Motion::TurnZ, Vec3::Z),
                3 | 4 => (Motion::Turn(unit), raw),
                5 => (Motion::Slide(unit), raw),
                6 => (Motion::Fixed, Vec3::X),
                _ => (Motion::Floating, Vec3::X),
            };
            let turned = rng.chance(0.5);
            let mut rotation = if turned {
                Mat3::from_rpy(rng.range(-3.0, 3.0), rng.range(-1.5, 1.5), rng.range(-3.0, 3.0))
            } else {
                Mat3::IDENTITY
            };
            if chain % 5 == 0 && turned {
                // A matrix of ten decimals.
                rotation.cols = rotation.cols.map(|c| c + rng.point(1e-11));
            }
            let mimic = kind < 6 && rng.chance(0.3);
            let (multiplier, shift) = (rng.range(-2.0, 2.0), rng.range(-1.0, 1.0));
            let step = KinematicStep {
                parent: BodyId(0),
                child: BodyId(1),
                joint_in_parent: Transform::new(rotation, rng.point(scale)),
                turned,
                motion,
                value: 0,
                scale: if mimic { multiplier } else { 1.0 },
                offset: if mimic { shift } else { 0.0 },
                rounding: if mimic { crate::model::tolerance::MIMIC_ROUNDING } else { 0.0 },
                rounding_offset: if mimic { shift.abs() } else { 0.0 },
                defect: rotation_defect(&rotation).unwrap(),
            };
            let mut values = [0.0; 7];
            values[0] = rng.range(-3.0, 3.0) * if kind == 5 { scale } else { 1.0 };
            let mut q = [0.0; 4];
            if kind == 7 {
                values[1..3].fill(scale);
                q = [rng.range(-1.0, 1.0), raw.x, raw.y, raw.z];
                let length = elbowroom_describe::math::sqrt(q.iter().map(|v| v * v).sum());
                q = q.map(|v| v / length);
                values[3..].copy_from_slice(&q);
            }
            pose = step.child_frame(&pose, &values);
            error = step.child_pose_error(error, |i| values[i].abs());

            // The same step in twice the digits.
            let t = step.joint_in_parent.translation.to_array().map(two);
            let placed = times(&truth.rotation, &t);
            truth.translation = core::array::from_fn(|i| truth.translation[i] + placed[i]);
            truth.rotation = product(&truth.rotation, &nearest_rotation(&rotation));
            let amount = two(step.scale) * two(values[0]) + two(step.offset);
            let axis = axis.to_array().map(two);
            match motion {
                Motion::Fixed => {}
                Motion::Slide(_) => {
                    let n = inverse_root(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
                    let moved = times(&truth.rotation, &axis.map(|a| a * n * amount));
                    truth.translation = core::array::from_fn(|i| truth.translation[i] + moved[i]);
                }
                Motion::Floating => {
                    let moved = times(&truth.rotation, &[values[0], values[1], values[2]].map(two));
                    truth.translation = core::array::from_fn(|i| truth.translation[i] + moved[i]);
                    // R = 1 + 2 (w K + K²) / |q|² with K the cross product by x, y, z.
                    let [w, x, y, z] = q.map(two);
                    let s = two(2.0) * inverse(w * w + x * x + y * y + z * z);
                    let o = two(0.0);
                    let k: Matrix = [[o, z, o - y], [o - z, o, x], [y, o - x, o]];
                    let square = product(&k, &k);
                    let turn = core::array::from_fn(|i| {
                        core::array::from_fn(|j| {
                            (w * k[i][j] + square[i][j]) * s + two(if i == j { 1.0 } else { 0.0 })
                        })
                    });
                    truth.rotation = product(&truth.rotation, &turn);
                }
                _ => truth.rotation = product(&truth.rotation, &turn_about(axis, amount)),
            }
            let (turn, shift) = off(&pose, &truth);
            assert!(
                turn <= ERROR_FACTOR * error.rotation,
                "{motion:?}: turn {turn:e} > {:e}",
                error.rotation
            );
            assert!(shift <= ERROR_FACTOR * error.shift, "{motion:?}: shift {shift:e} > {:e}", error.shift);
            assert!(pose.translation.norm() <= error.distance * (1.0 + 1e-12));
            most = most.max(turn / error.rotation).max(shift / error.shift);
        }
    }
    // Every kind occurred, and the bound is not far too wide: at least a tenth of it is used somewhere.
    assert!(kinds.iter().all(|k| *k > 200), "{kinds:?}");
    assert!(most > 0.1, "{most}");
}
