//! The smallest ball around balls.
//!
//! At most four of the balls, its basis, determine it. The search starts with one of them. In each step the
//! ball that sticks out farthest enters: of all balls that it and at most three of the basis determine, the
//! smallest that contains the whole basis is next. The radius grows in every step, so no basis comes twice.

use crate::bounds::ball::Ball;
use crate::bounds::fit::ball_set::BallSet;
use crate::bounds::tolerance::{FIT_EXCHANGES, FIT_TIGHT};
use elbowroom_describe::math::{Vec3, sqrt};
use elbowroom_pair::numeric::tolerance::{NORM_ROUNDING, ROUNDOFF};

/// A ball around a set of balls, as a rule within a billionth of the smallest; `None` for an empty or invalid
/// set.
pub fn fit_ball(set: &BallSet) -> Option<Ball> {
    if !set.is_usable() {
        return None;
    }
    let (middle, size) = set.search_frame();
    let smallest = smallest_ball_around(&set.balls_to_search(middle, size));
    let center = middle + smallest.center * size;
    // The proof: the radius that contains all balls.
    let radius_around =
        |b: &Ball| ((b.center - center).norm() * (1.0 + NORM_ROUNDING) + b.radius) * (1.0 + 2.0 * ROUNDOFF);
    let radius = set.balls().iter().map(radius_around).fold(0.0, f64::max);
    Some(Ball { center, radius })
}

/// The smallest ball around balls, up to rounding. Not proved.
pub(super) fn smallest_ball_around(balls: &[Ball]) -> Ball {
    let Some(first) = balls.first() else { return Ball { center: Vec3::ZERO, radius: 0.0 } };
    let mut best = *first;
    let (mut basis, mut count) = ([*first; 4], 1);
    let mut least = Ball { radius: f64::INFINITY, ..best };
    for _ in 0..FIT_EXCHANGES {
        let extent = |b: &Ball| (b.center - best.center).norm() + b.radius;
        let (far, out) = balls.iter().fold((first, 0.0), |(at, most), b| {
            let r = extent(b);
            if r > most { (b, r) } else { (at, most) }
        });
        if out < least.radius {
            least = Ball { center: best.center, radius: out };
        }
        if out <= best.radius * (1.0 + FIT_TIGHT) {
            break;
        }
        let Some((ball, list, n)) = exchange_basis(&basis[..count], far) else { break };
        (best, basis, count) = (ball, list, n);
    }
    least
}

/// The smallest ball that contains `new` and `basis` and is determined by `new` and some of `basis`; with its
/// own basis.
fn exchange_basis(basis: &[Ball], new: &Ball) -> Option<(Ball, [Ball; 4], usize)> {
    let mut best: Option<(Ball, [Ball; 4], usize)> = None;
    for subset in 0..1_u32 << basis.len() {
        if subset.count_ones() > 3 {
            continue;
        }
        let (mut list, mut n) = ([*new; 4], 1);
        for (i, b) in basis.iter().enumerate() {
            if subset >> i & 1 == 1 {
                list[n] = *b;
                n += 1;
            }
        }
        let Some(ball) = ball_touching_all(&list[..n]) else { continue };
        let holds = |b: &Ball| (b.center - ball.center).norm() + b.radius <= ball.radius * (1.0 + FIT_TIGHT);
        if basis.iter().all(holds) && best.as_ref().is_none_or(|b| ball.radius < b.0.radius) {
            best = Some((ball, list, n));
        }
    }
    best
}

/// The ball around up to four balls that touches each of them, with its centre in their affine hull.
///
/// Let the first ball be at the origin with radius `r`, and another at `d` with radius `s`. Then `|x| = R -
/// r` and `|x - d| = R - s` make `x.d` linear in R. So `x` is linear in R, and the first equation is
/// quadratic.
fn ball_touching_all(balls: &[Ball]) -> Option<Ball> {
    let (o, r) = (balls[0].center, balls[0].radius);
    let rest = &balls[1..];
    if rest.is_empty() {
        return Some(balls[0]);
    }
    let mut d = [Vec3::ZERO; 3];
    let (mut p, mut q) = ([0.0; 3], [0.0; 3]);
    for (k, b) in rest.iter().enumerate() {
        d[k] = b.center - o;
        p[k] = 0.5 * (d[k].norm_squared() + r * r - b.radius * b.radius);
        q[k] = b.radius - r;
    }
    let solve = |b: [f64; 3]| -> Option<Vec3> {
        let x = match rest.len() {
            1 => d[0] * (b[0] / d[0].norm_squared()),
            2 => {
                let n = d[0].cross(d[1]);
                (d[1].cross(n) * b[0] + n.cross(d[0]) * b[1]) * (1.0 / n.norm_squared())
            }
            _ => {
                let (u, v, w) = (d[1].cross(d[2]), d[2].cross(d[0]), d[0].cross(d[1]));
                (u * b[0] + v * b[1] + w * b[2]) * (1.0 / d[0].dot(u))
            }
        };
        x.is_finite().then_some(x)
    };
    let (x0, x1) = (solve(p)?, solve(q)?);
    let a = 1.0 - x1.norm_squared();
    let b = x0.dot(x1) + r;
    let c = r * r - x0.norm_squared();
    // a R² - 2 b R + c = 0: the smaller of the roots that are at least the largest radius.
    let root = sqrt((b * b - a * c).max(0.0));
    let least = balls.iter().fold(0.0, |m: f64, b| m.max(b.radius));
    let is_valid = |radius: &f64| *radius >= least * (1.0 - FIT_TIGHT) && radius.is_finite();
    let radius = [(b - root) / a, (b + root) / a].into_iter().filter(is_valid).reduce(f64::min)?;
    Some(Ball { center: o + x0 + x1 * radius, radius })
}
