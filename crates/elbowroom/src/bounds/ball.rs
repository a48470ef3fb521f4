//! Balls around bodies.

use elbowroom_describe::math::{Vec3, vec3};
use elbowroom_pair::numeric::tolerance::{NORM_ROUNDING, ROUNDOFF};

/// A ball (metres), in the frame that is named where it comes from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ball {
    /// Centre.
    pub center: Vec3,
    /// Radius.
    pub radius: f64,
}

impl Ball {
    /// No ball: its radius is infinite, and a bound that is made of it proves nothing.
    pub const UNBOUNDED: Ball = Ball { center: Vec3::ZERO, radius: f64::INFINITY };
}

/// A lower bound on the signed distance of the contents of two balls (metres), rounding included.
#[inline]
pub fn ball_gap(a: &Ball, b: &Ball) -> f64 {
    let distance = (a.center - b.center).norm() * (1.0 - NORM_ROUNDING);
    let radii = (a.radius + b.radius) * (1.0 + 2.0 * ROUNDOFF);
    let gap = distance - radii;
    // A difference of infinities is NaN, which bounds nothing: `max` turns it into minus infinity.
    (gap - 4.0 * ROUNDOFF * gap.abs()).max(f64::NEG_INFINITY)
}

/// A ball around balls, all in one frame; `None` around none. Its centre is the middle of their box, so it is
/// not the smallest.
pub fn ball_around(balls: &[Ball]) -> Option<Ball> {
    let first = balls.first()?;
    let (mut low, mut high) = (first.center, first.center);
    for ball in balls {
        let r = vec3(ball.radius, ball.radius, ball.radius);
        low = low.min(ball.center - r);
        high = high.max(ball.center + r);
    }
    let center = if balls.len() == 1 { first.center } else { low + (high - low) * 0.5 };
    let radius_around = |ball: &Ball| {
        let apart = (ball.center - center).norm() * (1.0 + NORM_ROUNDING);
        (apart + ball.radius) * (1.0 + 2.0 * ROUNDOFF)
    };
    let radius =
        if balls.len() == 1 { first.radius } else { balls.iter().map(radius_around).fold(0.0, f64::max) };
    Some(Ball { center, radius })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gap_never_exceeds_the_distance() {
        let ball = |x, radius| Ball { center: vec3(x, 0.0, 0.0), radius };
        for (d, r, s) in
            [(3.0, 1.0, 1.0), (0.3, 0.1, 0.2), (0.5, 1.0, 2.0), (0.0, 1.0, 1.0), (1e9, 1.0, 1e-9)]
        {
            let gap = ball_gap(&ball(0.0, r), &ball(d, s));
            assert!(gap <= d - r - s && gap >= d - r - s - 1e-14 * (d + r + s), "{d} {r} {s}: {gap}");
        }
        assert_eq!(ball_gap(&ball(0.0, 1.0), &Ball::UNBOUNDED), f64::NEG_INFINITY);
    }

    #[test]
    fn ball_around_contains_all() {
        let balls: [Ball; 3] = [(0.0, 1.0), (3.0, 0.5), (-1.0, 0.25)]
            .map(|(x, radius)| Ball { center: vec3(x, 0.1 * x, -x), radius });
        let around = ball_around(&balls).unwrap();
        for ball in &balls {
            assert!((ball.center - around.center).norm() + ball.radius <= around.radius);
        }
        assert_eq!(ball_around(&balls[..1]), Some(balls[0]));
        assert_eq!(ball_around(&[]), None);
    }
}
