//! The rank of a set, and the hulls that are not solid.
//!
//! A starting simplex is chosen point by point: the first point in order, the farthest from it, the farthest
//! from their line, the farthest from their plane. Distances in f64 only propose a point; an exact predicate
//! confirms it. If it does not, all other points are tried before the set counts as flat.

use super::points::Set;
use super::predicate::{are_collinear, compare_points, plane_side, projected_orientation};
use super::rank::Rank;
use super::scratch::HullScratch;
use super::{facet, quick, small};
use crate::shape::hull::outline::{Cycles, Facets, Outline};
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::fault::HullFault;
use elbowroom_describe::math::Vec3;

pub(super) fn hull_outline(
    set: &Set,
    budget: Option<u64>,
    scratch: &mut HullScratch,
) -> Result<Outline, HullFault> {
    let p = &set.points[..];
    let (mut first, mut last) = (0, p.len() - 1);
    if !set.in_order {
        for i in 0..p.len() {
            if compare_points(p[i], p[first]).is_lt() {
                first = i;
            }
            if compare_points(p[i], p[last]).is_gt() {
                last = i;
            }
        }
    }
    let flat = |rank, corners| Outline { rank, corners, facets: Facets::Triangles(Vec::new()) };
    if p[first] == p[last] {
        return Ok(flat(Rank::Point, vec![first as u32]));
    }
    let a = p[first];
    let second = index_of_largest(p, |x| (x - a).norm_squared());
    let second = if p[second] == a { last } else { second };
    let b = p[second];
    let third = index_of_largest(p, |x| (b - a).cross(x - a).norm_squared());
    let third = if are_collinear(a, b, p[third]) {
        p.iter().position(|&x| !are_collinear(a, b, x))
    } else {
        Some(third)
    };
    let Some(third) = third else {
        return Ok(flat(Rank::Segment, vec![first as u32, last as u32]));
    };
    let c = p[third];
    let normal = (b - a).cross(c - a);
    let fourth = index_of_largest(p, |x| normal.dot(x - a).abs());
    let off = |x: Vec3| plane_side(a, b, c, x) != 0.0;
    let fourth = if off(p[fourth]) { Some(fourth) } else { p.iter().position(|&x| off(x)) };
    match fourth {
        None => Ok(polygon_outline(p, a, b, c)),
        Some(fourth) => {
            let simplex = [first as u32, second as u32, third as u32, fourth as u32];
            if p.len() <= small::MOST && budget.is_none() {
                return small::small_hull_outline(p, set.extent, simplex, &mut scratch.small);
            }
            let surface = quick::build_surface(p, set.extent, simplex, budget)?;
            facet::join_facets(p, &surface)
        }
    }
}

/// Index of the largest value; the first of equals.
fn index_of_largest(p: &[Vec3], value: impl Fn(Vec3) -> f64) -> usize {
    let (mut best, mut at) = (f64::NEG_INFINITY, 0);
    for (i, &x) in p.iter().enumerate() {
        let v = value(x);
        if v > best {
            (best, at) = (v, i);
        }
    }
    at
}

/// The polygon of points exactly in the plane of `a b c`: Andrew's monotone chain in a projection along an
/// axis that is not parallel to the plane. Strict orientations leave only corners.
fn polygon_outline(p: &[Vec3], a: Vec3, b: Vec3, c: Vec3) -> Outline {
    let size = |drop: usize| projected_orientation(drop, a, b, c).abs();
    let drop = (1..3).fold(0, |best, d| if size(d) > size(best) { d } else { best });
    let mut sorted: Vec<u32> = (0..p.len() as u32).collect();
    let at = |i: u32| p[i as usize];
    sorted.sort_unstable_by(|&i, &j| compare_points(at(i), at(j)).then(i.cmp(&j)));
    sorted.dedup_by(|j, i| at(*i) == at(*j));
    // The chain needs the lexicographic order in some affine coordinates of the plane. Those of x, y and z
    // that do not follow from the ones before them are such coordinates. So the order by (x, y, z) will do,
    // whichever axis is dropped.
    let half = |points: &mut dyn Iterator<Item = u32>| {
        let mut chain: Vec<u32> = Vec::new();
        for i in points {
            while let [.., u, v] = chain[..] {
                if projected_orientation(drop, at(u), at(v), at(i)) > 0.0 {
                    break;
                }
                chain.pop();
            }
            chain.push(i);
        }
        chain.pop();
        chain
    };
    let mut ring = half(&mut sorted.iter().copied());
    ring.extend(half(&mut sorted.iter().rev().copied()));
    let mut corners = ring.clone();
    corners.sort_unstable_by(|&i, &j| compare_points(at(i), at(j)));
    let position = |i: u32| corners.binary_search_by(|&j| compare_points(at(j), at(i))).unwrap_or(0) as u32;
    let mut cycles: Vec<u32> = ring.iter().map(|&i| position(i)).collect();
    cycles.extend(ring.iter().rev().map(|&i| position(i)));
    let n = ring.len() as u32;
    let cycles = Cycles { corners: cycles, starts: vec![0, n, 2 * n] };
    Outline { rank: Rank::Polygon, corners, facets: Facets::Cycles(cycles) }
}
