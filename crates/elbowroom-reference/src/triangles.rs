//! Meshes: every triangle against every triangle of the other (or the other's core), and parity for what lies
//! inside.

use crate::convex::convex_distance;
use crate::math::{Transform, Vec3, vec3};
use crate::shape::Shape;
use crate::solid::{Core, Solid, prepare_shape};
use crate::truth::{Method, ROUNDING, Truth};
use std::collections::BTreeMap;

/// Whether the point lies inside: crossings of three rays of odd directions, by majority. `None` where that
/// is a matter of opinion: inside several shells, or where the winding number and the parity of the crossings
/// differ.
pub fn contains(triangles: &[[Vec3; 3]], shells: &[usize], p: Vec3) -> Option<bool> {
    let rays = [vec3(0.5377, 0.6191, 0.5722), vec3(-0.7312, 0.4129, 0.5431), vec3(0.2713, -0.8377, 0.4739)];
    let along = |r: Vec3| {
        let mut crossed: BTreeMap<usize, (u32, i32)> = BTreeMap::new();
        for (t, shell) in triangles.iter().zip(shells) {
            let [a, b, c] = t.map(|v| v - p);
            let s = [a.cross(b).dot(r), b.cross(c).dot(r), c.cross(a).dot(r)];
            let through = s.iter().all(|s| *s > 0.0) || s.iter().all(|s| *s < 0.0);
            let volume = a.dot(b.cross(c));
            if through && volume != 0.0 && (volume > 0.0) == (s[0] > 0.0) {
                let (count, winding) = crossed.entry(*shell).or_default();
                *count += 1;
                *winding += if volume > 0.0 { 1 } else { -1 };
            }
        }
        let alike = crossed.values().all(|(count, winding)| (count % 2 == 1) == (*winding != 0));
        match crossed.values().filter(|c| c.0 % 2 == 1).count() {
            0 | 1 if !alike => None,
            0 => Some(false),
            1 => Some(true),
            _ => None,
        }
    };
    let said = rays.map(along);
    [Some(true), Some(false)].into_iter().find(|s| said.iter().filter(|x| *x == s).count() >= 2).flatten()
}

/// Pieces of a shape and a point of each: triangles, or the convex shape itself.
fn shape_pieces(s: &Solid) -> Vec<Solid> {
    if s.triangles.is_empty() {
        return vec![s.clone()];
    }
    let piece = |t: &[Vec3; 3]| {
        prepare_shape(&Shape::Convex { vertices: t.map(|p| p.to_array()).to_vec() }, s.radius)
    };
    s.triangles.iter().filter_map(piece).collect()
}

fn piece_ball(s: &Solid) -> (Vec3, f64) {
    match s.triangles.is_empty() {
        true => match &s.core {
            Core::Points(p) => {
                let c = p.iter().fold(Vec3::ZERO, |s, p| s + *p) * (1.0 / p.len() as f64);
                (c, p.iter().fold(0.0, |m: f64, p| m.max((*p - c).norm())) + s.radius)
            }
            _ => (Vec3::ZERO, s.reach),
        },
        false => (Vec3::ZERO, s.reach),
    }
}

/// Signed distance when at least one shape is a mesh.
pub fn mesh_distance(a: &Solid, b: &Solid, b_in_a: &Transform) -> Truth {
    let hulls = convex_distance(a, b, b_in_a);
    let (pa, pb) = (shape_pieces(a), shape_pieces(b));
    // A ball around each piece bounds a pair from below; the pair with the least bound goes first, then all
    // that may be nearer.
    let balls = |pieces: &[Solid]| pieces.iter().map(piece_ball).collect::<Vec<_>>();
    let ball_a = balls(&pa);
    let ball_b: Vec<_> = balls(&pb).iter().map(|&(c, r)| (b_in_a.transform_point(c), r)).collect();
    let bound = |i: usize, j: usize| (ball_b[j].0 - ball_a[i].0).norm() - ball_a[i].1 - ball_b[j].1;
    let mut first = (f64::INFINITY, 0, 0);
    for i in 0..pa.len() {
        for j in 0..pb.len() {
            if bound(i, j) < first.0 {
                first = (bound(i, j), i, j);
            }
        }
    }
    if pa.is_empty() || pb.is_empty() {
        return hulls;
    }
    let mut best = convex_distance(&pa[first.1], &pb[first.2], b_in_a);
    let mut lower = best.lower;
    for (i, p) in pa.iter().enumerate() {
        for (j, q) in pb.iter().enumerate() {
            if bound(i, j) <= best.upper {
                let t = convex_distance(p, q, b_in_a);
                lower = lower.min(t.lower);
                if t.upper < best.upper {
                    best = t;
                }
            }
        }
    }
    let mut t = best;
    t.lower = lower;
    t.scale = hulls.scale;
    t.method = Method::Triangles;
    // Padding lies around the surface; what is inside a closed mesh is inside whatever the padding.
    let radius = a.radius + b.radius;
    let surface = t.lower + radius;
    let point = |s: &Solid| match &s.core {
        Core::Points(p) => p.clone(),
        _ => vec![Vec3::ZERO],
    };
    let inverse = b_in_a.inverse();
    let within =
        |s: &Solid, p: Vec3| if s.is_closed() { contains(&s.triangles, &s.shells, p) } else { Some(false) };
    let mut said = point(b).iter().map(|&p| within(a, b_in_a.transform_point(p))).collect::<Vec<_>>();
    said.extend(point(a).iter().map(|&p| within(b, inverse.transform_point(p))));
    let inside = said.contains(&Some(true));
    let error = ROUNDING * hulls.scale;
    if surface > error && !inside && said.contains(&None) {
        // Apart or inside: both are in the bracket.
        t.lower = hulls.lower.min(t.lower);
    } else if inside && surface > error {
        // Its way out leads at least through the gap between the surfaces, at most out of the hulls.
        t.upper = -surface - radius + error;
        t.lower = hulls.lower.min(t.upper);
        t.normal = hulls.normal;
    } else if t.lower <= 0.0 {
        // Surfaces that meet, or may: what parts one pair of triangles is not enough for all.
        t.lower = hulls.lower.min(t.lower);
        t.normal = hulls.normal;
    }
    t
}
