//! The point of `D = A - B` nearest to the origin, by an active set in double-double arithmetic.
//!
//! At most four points of `D` are kept, and `x`, the point of their hull nearest to the origin. The next
//! point is the one that reaches least along `x`; then every subset that contains it is tried, and the one
//! whose nearest point lies inside it and is nearest of all replaces the four (Wolfe 1976, with the pivoting
//! done by trying everything). Stops when `|x|` and the support along `x` agree to the target, when the new
//! point brings nothing, or when the four points hold the origin inside. What is reported is a bound in each
//! case.

use crate::double::{Double, Vector};
use crate::math::vec3;
use crate::solid::{Difference, Number};
use crate::truth::{Method, Truth};

/// Enough for the flattest curved pairs met; what is found by then is still a bracket.
const ROUNDS: usize = 400;

#[derive(Clone, Copy)]
struct Point {
    a: Vector,
    b: Vector,
    v: Vector,
    number: [Number; 2],
    weight: Double,
}

/// Nearest points of the cores, or `None` if they overlap (or touch to the last digit).
pub fn nearest_core_points(d: &Difference, target: f64) -> Option<Truth> {
    let (mut set, mut rounds): ([Option<Point>; 4], usize) = ([None; 4], 0);
    let mut x = Vector::from(vec3(1.0, 0.0, 0.0));
    let mut lower = Double::from(f64::NEG_INFINITY);
    let mut normal = x;
    loop {
        let length = x.dot(x).sqrt();
        if set[0].is_some() && length.hi <= 1e-22 * (d.a.reach + d.b.reach) {
            return None;
        }
        let (a, b, number) = d.least_difference(x);
        let new = Point { a, b, v: a - b, number, weight: Double::ONE };
        let gap = new.v.dot(x) / length;
        if gap > lower {
            (lower, normal) = (gap, x.scale_by(Double::ONE / length));
        }
        let known = set
            .iter()
            .flatten()
            .any(|p| (p.number == number && number[0].is_some() && number[1].is_some()) || p.v == new.v);
        if set[0].is_some() && ((length - lower).hi <= target * 1e-3 || known || rounds == ROUNDS) {
            break;
        }
        rounds += 1;
        let best =
            improve_subset(&set, new, if set[0].is_some() { x.dot(x) } else { Double::from(f64::INFINITY) });
        match best {
            Some((next, y)) => (set, x) = (next, y),
            None => break,
        }
        if set.iter().flatten().count() == 4 {
            return None;
        }
    }
    let sum = |f: fn(&Point) -> Vector| {
        set.iter().flatten().fold(Vector::ZERO, |s, p| s + f(p).scale_by(p.weight)).to_vec3()
    };
    // Distinct vertices that carry the nearest point.
    let distinct = |side: usize| {
        let mut n: Vec<Number> = set.iter().flatten().map(|p| p.number[side]).collect();
        n.sort();
        n.dedup();
        n.len() as u8
    };
    let upper = x.dot(x).sqrt();
    Some(Truth {
        lower: lower.hi,
        upper: upper.hi,
        witness_a: sum(|p| p.a),
        witness_b: sum(|p| p.b),
        normal: normal.to_vec3(),
        scale: 0.0,
        method: Method::Separated,
        rank: [distinct(0), distinct(1)],
    })
}

/// The best subset of the set and the new point that contains the new point; `None` if none comes nearer than
/// `norm`.
fn improve_subset(
    set: &[Option<Point>; 4],
    new: Point,
    norm: Double,
) -> Option<([Option<Point>; 4], Vector)> {
    let old: Vec<Point> = set.iter().flatten().copied().collect();
    let mut best: Option<([Option<Point>; 4], Vector, Double)> = None;
    for mask in 0..1_usize << old.len() {
        let mut points = [new; 4];
        let mut n = 1;
        for (i, p) in old.iter().enumerate() {
            if mask >> i & 1 == 1 {
                points[n] = *p;
                n += 1;
            }
        }
        let Some(weights) = inside_weights(&points[..n]) else { continue };
        let x = (0..n).fold(Vector::ZERO, |s, i| s + points[i].v.scale_by(weights[i]));
        let squared = x.dot(x);
        if squared < norm && best.as_ref().is_none_or(|b| squared < b.2) {
            let mut next = [None; 4];
            for i in 0..n {
                next[i] = Some(Point { weight: weights[i], ..points[i] });
            }
            best = Some((next, x, squared));
        }
    }
    best.map(|b| (b.0, b.1))
}

/// Weights of the point nearest to the origin in the plane (line, space) of the points, if it lies between
/// them.
fn inside_weights(points: &[Point]) -> Option<[Double; 4]> {
    let k = points.len() - 1;
    let base = points[0].v;
    let edge = |i: usize| points[i + 1].v - base;
    let mut rows = [[Double::ZERO; 4]; 3];
    for (i, row) in rows.iter_mut().enumerate().take(k) {
        for (j, entry) in row.iter_mut().enumerate().take(k) {
            *entry = edge(i).dot(edge(j));
        }
        row[3] = -edge(i).dot(base);
    }
    // Gauss elimination with pivots on the diagonal, largest first; nearly dependent points are left to
    // smaller subsets.
    let mut done = [false; 3];
    for _ in 0..k {
        let p = (0..k).filter(|&i| !done[i]).max_by(|&i, &j| rows[i][i].hi.total_cmp(&rows[j][j].hi))?;
        let (pivot, full) = (rows[p], edge(p).dot(edge(p)).hi);
        if pivot[p].hi.is_nan() || pivot[p].hi <= 1e-26 * full {
            return None;
        }
        done[p] = true;
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != p) {
            let f = row[p] / pivot[p];
            for (entry, above) in row.iter_mut().zip(pivot) {
                *entry = *entry - f * above;
            }
        }
    }
    let mut weights = [Double::ZERO; 4];
    weights[0] = Double::ONE;
    for i in 0..k {
        weights[i + 1] = rows[i][3] / rows[i][i];
        weights[0] = weights[0] - weights[i + 1];
    }
    weights[..=k].iter().all(|w| w.hi > 0.0).then_some(weights)
}
