//! The path: a natural cubic spline through ten configurations.

use super::SAMPLES;

/// What the path goes through, evenly in time (degrees).
const VIAS: [[f64; 6]; 10] = [
    [20.0, -140.0, 26.0, 0.0, 100.0, 0.0],
    [58.0, -72.0, -23.0, 10.0, 96.0, 15.0],
    [88.0, -112.0, 4.0, 0.0, 98.0, 30.0],
    [90.0, -62.0, -33.0, 0.0, 95.0, 45.0],
    [72.0, -40.0, -50.0, -20.0, 92.0, 60.0],
    [106.0, -38.0, -46.0, 25.0, 80.0, 30.0],
    [92.0, -22.0, -44.0, 10.0, 80.0, 0.0],
    [90.0, -80.0, -22.0, 0.0, 100.0, -20.0],
    [130.0, -86.0, -11.0, -10.0, 100.0, -30.0],
    [170.0, -140.0, 25.0, 0.0, 100.0, 0.0],
];

/// Joint values (radians) of every sample: the natural cubic spline through the vias, evenly in its
/// parameter.
fn path() -> Vec<[f64; 6]> {
    let curvatures: [Vec<f64>; 6] = std::array::from_fn(|j| curvature(&VIAS.map(|via| via[j])));
    let pieces = VIAS.len() - 1;
    let sample = |k: usize| {
        let t = k as f64 * pieces as f64 / (SAMPLES - 1) as f64;
        let i = (t as usize).min(pieces - 1);
        let (b, a) = (t - i as f64, i as f64 + 1.0 - t);
        std::array::from_fn(|j| {
            let bend = (a * a * a - a) * curvatures[j][i] + (b * b * b - b) * curvatures[j][i + 1];
            (a * VIAS[i][j] + b * VIAS[i + 1][j] + bend / 6.0).to_radians()
        })
    };
    (0..SAMPLES).map(sample).collect()
}

/// Second derivatives at the knots of the natural cubic spline through `y` at 0, 1, 2, ...: a tridiagonal
/// system with 4 on the diagonal and 1 beside it.
fn curvature(y: &[f64]) -> Vec<f64> {
    let n = y.len();
    let (mut m, mut factor) = (vec![0.0; n], vec![0.0; n]);
    for i in 1..n - 1 {
        let pivot = 4.0 - factor[i - 1];
        factor[i] = 1.0 / pivot;
        m[i] = (6.0 * (y[i - 1] - 2.0 * y[i] + y[i + 1]) - m[i - 1]) / pivot;
    }
    for i in (1..n - 1).rev() {
        m[i] -= factor[i] * m[i + 1];
    }
    m
}

pub fn path_file() -> String {
    let mut text = String::from("joint_1,joint_2,joint_3,joint_4,joint_5,joint_6\n");
    for row in path() {
        let row: Vec<String> = row.iter().map(|q| format!("{:.6}", (q * 1e6).round() / 1e6 + 0.0)).collect();
        text += &row.join(",");
        text.push('\n');
    }
    text
}
