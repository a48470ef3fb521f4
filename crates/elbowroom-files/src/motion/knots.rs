//! The cubic spline through points in time that is at rest at both ends and has continuous accelerations: how
//! fast it goes at its points.
//!
//! The velocities of the spline solve one equation for each inner point, in which `h` are the times between
//! points (de Boor, A Practical Guide to Splines, 1978, chapter IV):
//!
//! `v[k-1] / h[k-1] + 2 v[k] (1 / h[k-1] + 1 / h[k]) + v[k+1] / h[k]
//!  = 3 (p[k] - p[k-1]) / h[k-1]^2 + 3 (p[k+1] - p[k]) / h[k]^2`

/// The velocity of the spline at each of its points. Times grow from point to point.
pub(super) fn find_velocities(times: &[f64], points: &[f64]) -> Vec<f64> {
    let count = times.len().min(points.len());
    let mut velocities = vec![0.0; count];
    // Above the diagonal, after the row before it was taken away.
    let mut above = vec![0.0; count];
    let slope = |k: usize| {
        let seconds = times[k + 1] - times[k];
        (1.0 / seconds, 3.0 * (points[k + 1] - points[k]) / (seconds * seconds))
    };
    for k in 1..count.saturating_sub(1) {
        let ((before, rise), (behind, next)) = (slope(k - 1), slope(k));
        let diagonal = 2.0 * (before + behind) - before * above[k - 1];
        above[k] = behind / diagonal;
        velocities[k] = (rise + next - before * velocities[k - 1]) / diagonal;
    }
    for k in (1..count.saturating_sub(1)).rev() {
        velocities[k] -= above[k] * velocities[k + 1];
    }
    velocities
}

/// The acceleration of the spline at each of its points.
pub(super) fn find_accelerations(times: &[f64], points: &[f64], velocities: &[f64]) -> Vec<f64> {
    let count = times.len().min(points.len());
    let at = |k: usize| {
        let ahead = k + 1 < count;
        let from = if ahead { k } else { k.checked_sub(1)? };
        let seconds = times[from + 1] - times[from];
        let chord = 6.0 * (points[from + 1] - points[from]) / seconds;
        let [v, w] = [velocities[from], velocities[from + 1]];
        Some(if ahead { chord - 4.0 * v - 2.0 * w } else { 2.0 * v + 4.0 * w - chord } / seconds)
    };
    (0..count).map(|k| at(k).unwrap_or(0.0)).collect()
}

/// The most by which the spline leaves the straight lines from point to point.
pub(super) fn find_bulge(times: &[f64], points: &[f64], velocities: &[f64]) -> f64 {
    let ways = times.windows(2).zip(points.windows(2)).zip(velocities.windows(2));
    let bulges = ways.map(|((t, p), v)| {
        let (seconds, chord) = (t[1] - t[0], p[1] - p[0]);
        // With `x` from 0 to 1, the spline is beside the line by `x (1 - x) (a (1 - x) - b x)`.
        let [a, b] = [v[0], v[1]].map(|v| v * seconds - chord);
        let beside = |x: f64| (x * (1.0 - x) * (a * (1.0 - x) - b * x)).abs();
        // The derivative is `3 (a + b) x^2 - (4 a + 2 b) x + a`. The largest value is at one of its zeros.
        let (square, linear) = (3.0 * (a + b), 4.0 * a + 2.0 * b);
        let root = (linear * linear - 4.0 * square * a).max(0.0).sqrt();
        let sum = linear + root.copysign(linear);
        let places = [sum / (2.0 * square), 2.0 * a / sum];
        places.into_iter().filter(|x| (0.0..=1.0).contains(x)).map(beside).fold(0.0, f64::max)
    });
    bulges.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The value of a cubic after a part of its way.
    fn value(x: f64, seconds: f64, [p, q]: [f64; 2], [v, w]: [f64; 2]) -> f64 {
        let (v, w) = (v * seconds, w * seconds);
        p + v * x + (3.0 * (q - p) - 2.0 * v - w) * x * x + (v + w - 2.0 * (q - p)) * x * x * x
    }

    #[test]
    fn three_points_have_the_velocity_of_the_formula() {
        let velocities = find_velocities(&[0.0, 2.0, 4.0], &[1.0, 1.5, 4.0]);
        assert_eq!(velocities, [0.0, 3.0 * (4.0 - 1.0) / (4.0 * 2.0), 0.0]);
        // There and back: it turns round at the middle point.
        assert_eq!(find_velocities(&[0.0, 1.0, 2.0], &[0.0, 1.0, 0.0]), [0.0; 3]);
        // Two points and one: from rest to rest, and at rest.
        assert_eq!(find_velocities(&[0.0, 1.0], &[0.0, 1.0]), [0.0; 2]);
        assert_eq!(find_velocities(&[0.0], &[7.0]), [0.0]);
        assert_eq!(find_velocities(&[], &[]), [0.0; 0]);
    }

    /// At points with unequal times the acceleration of the way before is that of the way behind.
    #[test]
    fn accelerations_are_continuous() {
        let (times, points) = ([0.0, 0.5, 2.0, 2.25, 4.0], [0.0, 1.0, -1.0, 3.0, 2.0]);
        let velocities = find_velocities(&times, &points);
        let accelerations = find_accelerations(&times, &points, &velocities);
        assert_eq!((velocities[0], velocities[4]), (0.0, 0.0));
        for k in 1..5 {
            let seconds = times[k] - times[k - 1];
            let chord = 6.0 * (points[k] - points[k - 1]) / seconds;
            let [v, w] = [velocities[k - 1], velocities[k]];
            let [start, end] =
                [chord - 4.0 * v - 2.0 * w, 2.0 * v + 4.0 * w - chord].map(|change| change / seconds);
            assert!((start - accelerations[k - 1]).abs() < 1e-12, "{k}");
            assert!((end - accelerations[k]).abs() < 1e-12, "{k}: {end} {accelerations:?}");
        }
    }

    #[test]
    fn a_bulge_is_the_largest_of_many_samples() {
        let times = [0.0, 0.5, 2.0, 2.25, 4.0];
        for points in [[0.0, 1.0, -1.0, 3.0, 2.0], [0.0, 0.0, 1.0, 1.0, 1.0], [2.0; 5]] {
            let velocities = find_velocities(&times, &points);
            let told = find_bulge(&times, &points, &velocities);
            let mut most: f64 = 0.0;
            for k in 0..4 {
                let ends = [points[k], points[k + 1]];
                for x in (0..=2000).map(|x| f64::from(x) / 2000.0) {
                    let on_line = ends[0] + (ends[1] - ends[0]) * x;
                    let speeds = [velocities[k], velocities[k + 1]];
                    most = most.max((value(x, times[k + 1] - times[k], ends, speeds) - on_line).abs());
                }
            }
            assert!((told - most).abs() < 1e-6 * (1.0 + most), "{told} {most}");
        }
        // A quarter of a turn from rest to rest.
        assert!((find_bulge(&[0.0, 3.0], &[0.0, 1.0], &[0.0, 0.0]) - 3.0_f64.sqrt() / 18.0).abs() < 1e-15);
    }
}
