//! Claimed bounds against exact rational arithmetic: a lower bound is never above the true distance, an upper
//! never below, to the last bit. Poses are what they are: a rotation is the nine f64 numbers that the engine
//! is given.

use crate::support::cases::{Case, Put, draw_facing_pair};
use crate::support::engine::{self, Engine};
use crate::support::rng::Rng;
use crate::support::shapes::{Kind, polytope_points};
use crate::support::slow::truth;
use dashu_ratio::Relaxed;
use elbowroom_pair::math::Vec3;

type Point = [Relaxed; 3];

fn exact(x: f64) -> Relaxed {
    Relaxed::try_from(x).unwrap()
}
fn point(v: Vec3) -> Point {
    v.to_array().map(exact)
}
fn dot(a: &Point, b: &Point) -> Relaxed {
    &a[0] * &b[0] + &a[1] * &b[1] + &a[2] * &b[2]
}
fn minus(a: &Point, b: &Point) -> Point {
    [&a[0] - &b[0], &a[1] - &b[1], &a[2] - &b[2]]
}
fn cross(a: &Point, b: &Point) -> Point {
    [&a[1] * &b[2] - &a[2] * &b[1], &a[2] * &b[0] - &a[0] * &b[2], &a[0] * &b[1] - &a[1] * &b[0]]
}
fn zero() -> Relaxed {
    exact(0.0)
}

/// Vertices of A and of B in A's frame, exactly.
fn place(c: &Case) -> [Vec<Point>; 2] {
    let pose = c.b_in_a();
    let columns = pose.rotation.cols.map(point);
    let t = point(pose.translation);
    let turn = |p: Vec3| {
        let p = point(p);
        [0, 1, 2].map(|i| &columns[0][i] * &p[0] + &columns[1][i] * &p[1] + &columns[2][i] * &p[2] + &t[i])
    };
    [
        polytope_points(&c.a).into_iter().map(point).collect(),
        polytope_points(&c.b).into_iter().map(turn).collect(),
    ]
}

/// Squared distance of two hulls, zero if they meet: the active set of the reference, without a rounding.
fn squared_distance(a: &[Point], b: &[Point]) -> Relaxed {
    let mut set: Vec<Point> = Vec::new();
    let mut x = minus(&a[0], &b[0]);
    loop {
        let norm = dot(&x, &x);
        if norm == zero() {
            return norm;
        }
        let p = a.iter().min_by_key(|p| dot(p, &x)).unwrap();
        let q = b.iter().max_by_key(|p| dot(p, &x)).unwrap();
        let new = minus(p, q);
        if dot(&new, &x) >= norm {
            return norm;
        }
        if set.is_empty() {
            set.push(x.clone());
        }
        let mut best: Option<(Relaxed, Point, Vec<Point>)> = None;
        for mask in 0..1_u32 << set.len() {
            let mut some = vec![new.clone()];
            some.extend(set.iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1).map(|(_, p)| p.clone()));
            if let Some(y) = nearest_inside(&some) {
                let n = dot(&y, &y);
                if best.as_ref().is_none_or(|b| n < b.0) {
                    best = Some((n, y, some));
                }
            }
        }
        let (n, y, some) = best.expect("the new point alone is a subset");
        assert!(n < norm, "no progress in exact arithmetic");
        (x, set) = (y, some);
        if set.len() == 4 {
            return zero();
        }
    }
}

/// The point of the plane through the points that is nearest to the origin, if it lies between them.
fn nearest_inside(points: &[Point]) -> Option<Point> {
    let base = &points[0];
    let edges: Vec<Point> = points[1..].iter().map(|p| minus(p, base)).collect();
    let k = edges.len();
    let mut rows: Vec<Vec<Relaxed>> = edges
        .iter()
        .map(|e| edges.iter().map(|f| dot(e, f)).chain([zero() - dot(e, base)]).collect())
        .collect();
    for p in 0..k {
        if rows[p][p] == zero() {
            return None;
        }
        let pivot = rows[p].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            if i != p {
                let f = &row[p] / &pivot[p];
                for (entry, above) in row.iter_mut().zip(&pivot) {
                    *entry = &*entry - &f * above;
                }
            }
        }
    }
    let mut rest = exact(1.0);
    let mut x = base.clone();
    for (i, e) in edges.iter().enumerate() {
        let w = &rows[i][k] / &rows[i][i];
        if w <= zero() {
            return None;
        }
        rest -= &w;
        x = [0, 1, 2].map(|c| &x[c] + &w * &e[c]);
    }
    (rest > zero()).then_some(x)
}

/// Squared depth of two hulls that meet: the least over the normals of all triples and of all pairs of
/// vertices.
fn squared_depth(a: &[Point], b: &[Point]) -> Relaxed {
    let edges = |v: &[Point]| -> Vec<Point> {
        (0..v.len())
            .flat_map(|i| (i + 1..v.len()).map(move |j| (i, j)))
            .map(|(i, j)| minus(&v[j], &v[i]))
            .collect()
    };
    let (ea, eb) = (edges(a), edges(b));
    let mut normals = Vec::new();
    for own in [a, b] {
        for i in 0..own.len() {
            for j in i + 1..own.len() {
                for k in j + 1..own.len() {
                    normals.push(cross(&minus(&own[j], &own[i]), &minus(&own[k], &own[i])));
                }
            }
        }
    }
    for e in &ea {
        normals.extend(eb.iter().map(|f| cross(e, f)));
    }
    let mut best: Option<Relaxed> = None;
    for n in normals {
        let norm = dot(&n, &n);
        if norm == zero() {
            continue;
        }
        for n in [n.clone(), n.map(|c| zero() - c)] {
            let a = a.iter().map(|p| dot(p, &n)).max().unwrap();
            let b = b.iter().map(|p| dot(p, &n)).min().unwrap();
            let width = a - b;
            let squared = &width * &width / &norm;
            if best.as_ref().is_none_or(|b| squared < *b) {
                best = Some(squared);
            }
        }
    }
    // Without any normal (segments on one line, points) the difference is flat.
    best.unwrap_or_else(zero)
}

/// True signed distance, squared, with its sign kept.
enum Signed {
    Apart(Relaxed),
    Deep(Relaxed),
}

impl Signed {
    fn at_least(&self, bound: f64) -> bool {
        if bound == f64::NEG_INFINITY {
            return true;
        }
        let square = exact(bound) * exact(bound);
        match self {
            Signed::Apart(d) => bound <= 0.0 || square <= *d,
            Signed::Deep(d) => bound <= 0.0 && square >= *d,
        }
    }
    fn at_most(&self, bound: f64) -> bool {
        if bound == f64::INFINITY {
            return true;
        }
        let square = exact(bound) * exact(bound);
        match self {
            Signed::Apart(d) => bound >= 0.0 && square >= *d,
            Signed::Deep(d) => bound >= 0.0 || square <= *d,
        }
    }
}

/// Pairs of small polytopes without padding: every placement, slivers among them.
fn sample(seed: u64, corners_at_most: usize, puts: &[Put]) -> Case {
    let rng = &mut Rng::new(seed);
    let kinds = [Kind::Box, Kind::Cloud, Kind::Prism, Kind::Grid, Kind::Polygon, Kind::Segment, Kind::Point];
    loop {
        let pair = [rng.pick(&kinds), rng.pick(&kinds)];
        let size = rng.decades(-3.0, 3.0);
        let mut c = draw_facing_pair(pair, size, rng.pick(puts), rng);
        c.seed = seed;
        if c.padding == [0.0; 2]
            && polytope_points(&c.a).len().max(polytope_points(&c.b).len()) <= corners_at_most
        {
            return c;
        }
    }
}

fn check(c: &Case, engine: &mut Engine, overlaps: &mut u32) {
    let [a, b] = place(c);
    let apart = squared_distance(&a, &b);
    let d = if apart > zero() { Signed::Apart(apart) } else { Signed::Deep(squared_depth(&a, &b)) };
    *overlaps += u32::from(matches!(d, Signed::Deep(_)));
    let t = truth(&c.a, 0.0, &c.b, 0.0, &c.b_in_a()).unwrap();
    assert!(d.at_least(t.lower) && d.at_most(t.upper), "reference {t:?}: {}", c.as_json_line());
    let answer = engine.distance(&engine::compile_pair(c).unwrap(), &c.b_in_a());
    assert!(
        d.at_least(answer.interval.lower),
        "lower bound above the true distance: {answer:?}, {t:?}: {}",
        c.as_json_line()
    );
    assert!(
        d.at_most(answer.interval.upper),
        "upper bound below the true distance: {answer:?}, {t:?}: {}",
        c.as_json_line()
    );
}

#[test]
fn bounds_apart_and_touching() {
    let (mut engine, mut overlaps) = (Engine::default(), 0);
    for seed in 0..400 {
        check(
            &sample(seed, 12, &[Put::Clear, Put::Near, Put::Near, Put::Touching]),
            &mut engine,
            &mut overlaps,
        );
    }
    assert!((5..100).contains(&overlaps), "{overlaps} of those that touch overlap by a rounding");
}

#[test]
fn bounds_of_depth() {
    let (mut engine, mut overlaps) = (Engine::default(), 0);
    for seed in 0..160 {
        check(&sample(seed, 8, &[Put::Shallow, Put::Deep]), &mut engine, &mut overlaps);
    }
    assert!(overlaps > 60, "{overlaps}");
}
