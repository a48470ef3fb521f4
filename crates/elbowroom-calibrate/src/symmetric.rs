//! Eigenvalues and eigenvectors of a symmetric matrix, by Jacobi's method: each rotation makes one number off
//! the diagonal zero, and all of them vanish (source: Golub and Van Loan, Matrix Computations, 8.5).

use crate::limits::SWEEPS;

/// Eigenvalues with their unit vectors.
#[derive(Clone, Debug, Default)]
pub(crate) struct Eigen {
    pub values: Vec<f64>,
    /// One for each value.
    pub vectors: Vec<Vec<f64>>,
}

impl Eigen {
    /// Takes a symmetric matrix apart, given by rows.
    pub fn of_symmetric(mut m: Vec<Vec<f64>>) -> Eigen {
        let n = m.len();
        let unit = |i: usize| (0..n).map(|j| f64::from(u8::from(i == j))).collect();
        let mut vectors: Vec<Vec<f64>> = (0..n).map(unit).collect();
        for _ in 0..SWEEPS {
            let off: f64 = (0..n).flat_map(|p| (0..p).map(move |q| (p, q))).map(|(p, q)| m[p][q].abs()).sum();
            if off == 0.0 {
                break;
            }
            for p in 0..n {
                for q in p + 1..n {
                    if m[p][q] == 0.0 {
                        continue;
                    }
                    let theta = (m[q][q] - m[p][p]) / (2.0 * m[p][q]);
                    // The smaller of the two angles; its tangent is the root of t^2 + 2 theta t = 1.
                    let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                    let cos = 1.0 / (t * t + 1.0).sqrt();
                    let sin = t * cos;
                    let turn = |a: f64, b: f64| (cos * a - sin * b, sin * a + cos * b);
                    for row in &mut m {
                        (row[p], row[q]) = turn(row[p], row[q]);
                    }
                    for k in 0..n {
                        (m[p][k], m[q][k]) = turn(m[p][k], m[q][k]);
                        (vectors[p][k], vectors[q][k]) = turn(vectors[p][k], vectors[q][k]);
                    }
                    (m[p][q], m[q][p]) = (0.0, 0.0);
                }
            }
        }
        Eigen { values: (0..n).map(|i| m[i][i]).collect(), vectors }
    }

    /// The inverse of the matrix with a number added to its diagonal, times a vector.
    pub fn solve_with(&self, added: f64, right: &[f64]) -> Vec<f64> {
        let mut found = vec![0.0; right.len()];
        for (value, vector) in self.values.iter().zip(&self.vectors) {
            let along: f64 = vector.iter().zip(right).map(|(v, r)| v * r).sum::<f64>() / (value + added);
            found.iter_mut().zip(vector).for_each(|(f, v)| *f += along * v);
        }
        found
    }

    /// The inverse of the matrix with a number added to its diagonal.
    pub fn inverse_with(&self, added: f64) -> Vec<Vec<f64>> {
        let n = self.values.len();
        let column = |i: usize| {
            let unit: Vec<f64> = (0..n).map(|j| f64::from(u8::from(i == j))).collect();
            self.solve_with(added, &unit)
        };
        (0..n).map(column).collect()
    }
}

/// A matrix times a vector.
pub(crate) fn multiply_vector(m: &[Vec<f64>], v: &[f64]) -> Vec<f64> {
    m.iter().map(|row| dot(row, v)).collect()
}

/// The sum of products.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use elbowroom_testkit::rng::Rng;

    #[test]
    fn a_matrix_is_the_sum_of_its_parts() {
        let rng = &mut Rng::new(3);
        for n in 0..12 {
            let mut m = vec![vec![0.0; n]; n];
            for (i, j) in (0..n).flat_map(|i| (0..=i).map(move |j| (i, j))) {
                // Some are diagonal in part, and some eigenvalues come twice.
                let x = if rng.chance(0.3) { 0.0 } else { rng.range(-9.0, 9.0) };
                (m[i][j], m[j][i]) = (x, x);
            }
            let eigen = Eigen::of_symmetric(m.clone());
            for i in 0..n {
                assert!(
                    (multiply_vector(&m, &eigen.vectors[i])[i] - eigen.values[i] * eigen.vectors[i][i]).abs()
                        < 1e-9
                );
                for j in 0..n {
                    let part = |k: usize| eigen.values[k] * eigen.vectors[k][i] * eigen.vectors[k][j];
                    assert!(((0..n).map(part).sum::<f64>() - m[i][j]).abs() < 1e-9, "{m:?}");
                    let unit = f64::from(u8::from(i == j));
                    assert!((dot(&eigen.vectors[i], &eigen.vectors[j]) - unit).abs() < 1e-12);
                }
            }
            let inverse = eigen.inverse_with(40.0 * n as f64);
            let solved = eigen.solve_with(40.0 * n as f64, &vec![1.0; n]);
            for (row, x) in inverse.iter().zip(&solved) {
                assert!((row.iter().sum::<f64>() - x).abs() < 1e-12);
            }
        }
    }
}
