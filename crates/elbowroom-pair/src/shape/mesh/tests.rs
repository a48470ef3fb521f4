//! Meshes, by what may go wrong with them; what the tests share.

use super::*;
use crate::data::data;
use crate::pair::clearance::{Query, Stop};
use crate::pair::geometry::Geometry;
use crate::pair::interval::Interval;
use crate::pair::mesh::{MeshGap, MeshQuery, MeshScratch, MeshWarm, Relation, distance};
use crate::pair::narrow::{self};
use crate::pair::scratch::{Scratch, Warm};
use crate::rng::Rng;
use crate::shape::solid::{Core, Shape};
use crate::shape::triangle;
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use elbowroom_describe::ShapeDescription;
use elbowroom_describe::math::{Transform, Vec3, vec3};

mod closed;
mod cracks;
mod distances;
mod hostile;
mod node_hulls;
mod slow;
mod unions;

type Parts = (Vec<Vec3>, Vec<[u32; 3]>);

/// A box from its corners, wound outwards, each face in `n * n * 2` triangles.
fn block(low: Vec3, high: Vec3, n: usize) -> Parts {
    let (mut v, mut t) = (Vec::new(), Vec::new());
    let size = high - low;
    for axis in 0..3 {
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in 0..2 {
            let start = v.len() as u32;
            for a in 0..=n {
                for b in 0..=n {
                    let mut p = Vec3::ZERO;
                    p[axis] = if side == 1 { high[axis] } else { low[axis] };
                    p[i] = if a == n { high[i] } else { low[i] + size[i] * (a as f64 / n as f64) };
                    p[j] = if b == n { high[j] } else { low[j] + size[j] * (b as f64 / n as f64) };
                    v.push(p);
                }
            }
            let m = n as u32 + 1;
            for a in 0..n as u32 {
                for b in 0..n as u32 {
                    let c = start + a * m + b;
                    let quad = [[c, c + m, c + m + 1], [c, c + m + 1, c + 1]];
                    t.extend(quad.map(|[x, y, z]| if side == 1 { [x, y, z] } else { [x, z, y] }));
                }
            }
        }
    }
    (v, t)
}

/// A torus around z, wound outwards.
fn ring(major: f64, minor: f64, n: u32, m: u32) -> Parts {
    let turn = |k: u32, n: u32| {
        elbowroom_describe::math::sin_cos(core::f64::consts::TAU * f64::from(k) / f64::from(n))
    };
    let (mut v, mut t) = (Vec::new(), Vec::new());
    for i in 0..n {
        let (si, ci) = turn(i, n);
        for j in 0..m {
            let (sj, cj) = turn(j, m);
            let r = major + minor * cj;
            v.push(vec3(r * ci, r * si, minor * sj));
        }
    }
    for i in 0..n {
        for j in 0..m {
            let at = |i: u32, j: u32| (i % n) * m + j % m;
            t.push([at(i, j), at(i + 1, j), at(i + 1, j + 1)]);
            t.push([at(i, j), at(i + 1, j + 1), at(i, j + 1)]);
        }
    }
    (v, t)
}

fn joined(pieces: &[&Parts]) -> Parts {
    let (mut v, mut t) = (Vec::new(), Vec::new());
    for p in pieces {
        let start = v.len() as u32;
        v.extend_from_slice(&p.0);
        t.extend(p.1.iter().map(|i| i.map(|k| k + start)));
    }
    (v, t)
}

fn turned_over(p: &Parts) -> Parts {
    (p.0.clone(), p.1.iter().map(|&[a, b, c]| [a, c, b]).collect())
}

fn mesh(p: &Parts) -> Mesh {
    let m = Mesh::new(&p.0, &p.1).unwrap();
    assert!(super::validate::has_valid_tree(&m));
    m
}

fn cube(h: f64) -> Parts {
    block(vec3(-h, -h, -h), vec3(h, h, h), 1)
}

fn ask(a: &Mesh, b: &Mesh, pose: &Transform) -> MeshGap {
    let mut scratch = MeshScratch::for_depths(a.depth(), b.depth());
    let before = scratch.capacity();
    let mut warm = MeshWarm::default();
    let cold = distance(a, b, pose, &MeshQuery::DISTANCE, &mut warm, &mut scratch);
    let again = distance(a, b, pose, &MeshQuery::DISTANCE, &mut warm, &mut scratch);
    assert_eq!(scratch.capacity(), before, "a query must not allocate");
    if cold.relation == Relation::Apart {
        assert!(again.relation == Relation::Apart);
        assert!(again.lower <= cold.upper && cold.lower <= again.upper);
    }
    cold
}

/// Every triangle of a binary STL file, its vertices in file order.
fn read_stl(path: &std::path::Path) -> Parts {
    let bytes = std::fs::read(path).unwrap();
    let n = u32::from_le_bytes(bytes[80..84].try_into().unwrap()) as usize;
    let mut v = Vec::new();
    for i in 0..n {
        for k in 0..9 {
            let at = 84 + 50 * i + 12 + 4 * k;
            v.push(f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())));
        }
    }
    let v: Vec<Vec3> = v.chunks(3).map(|c| vec3(c[0], c[1], c[2])).collect();
    let t = (0..n as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
    (v, t)
}

/// Every triangle with corners of its own, each off by up to `by`.
fn cracked(p: &Parts, by: f64, rng: &mut Rng) -> Parts {
    let v: Vec<Vec3> = p.1.iter().flatten().map(|&i| p.0[i as usize] + rng.point(by)).collect();
    (v, (0..p.1.len() as u32).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
}

/// A box of half extent `h` whose six faces are cut each its own way, so that corners lie on the neighbours'
/// edges.
fn patched(h: f64, cuts: [usize; 6]) -> Parts {
    let mut faces = Vec::new();
    for (k, n) in cuts.into_iter().enumerate() {
        let (v, t) = block(vec3(-h, -h, -h), vec3(h, h, h), n);
        faces.push((v, t[2 * n * n * k..][..2 * n * n].to_vec()));
    }
    joined(&faces.iter().collect::<Vec<_>>())
}

fn posed(p: &Parts, pose: &Transform) -> Parts {
    (p.0.iter().map(|v| pose.point(*v)).collect(), p.1.clone())
}

fn shape(p: &Parts) -> Shape {
    let vertices = p.0.iter().map(|v| v.to_array()).collect();
    Shape::new(&ShapeDescription::Mesh { vertices, triangles: p.1.clone() }, 0.0).unwrap()
}

/// With its seams the surface has no boundary: what each edge is used more one way than the other, and how
/// often by parity shells.
fn is_cycle(m: &Mesh) -> bool {
    let mut edges: BTreeMap<[[u64; 3]; 2], (i64, u64)> = BTreeMap::new();
    let seams = m.seams.iter().flat_map(|s| s.triangles.iter().zip(&s.winding));
    for (t, &turn) in m.triangles.iter().zip(&m.winding).chain(seams) {
        for k in 0..3 {
            let [a, b] = [t[k], t[(k + 1) % 3]].map(|p| p.to_array().map(|x| (x + 0.0).to_bits()));
            let edge = edges.entry([a.min(b), a.max(b)]).or_default();
            match turn {
                0 => {}
                t if t < super::surface::PARITY => edge.0 += i64::from(t) * if a < b { 1 } else { -1 },
                t => edge.1 ^= 1 << (t - super::surface::PARITY),
            }
        }
    }
    edges.values().all(|e| *e == (0, 0))
}

/// The corners of the seams are no farther from the triangles than said.
fn seams_are_near(m: &Mesh) -> bool {
    let Some(seams) = &m.seams else { return true };
    // The proved distance: the nearest point of a needle is not known to the last digit.
    let far = |p: Vec3| {
        m.triangles.iter().map(|t| triangle::triangle_gap(t, &[p; 3]).lower).fold(f64::INFINITY, f64::min)
    };
    // Two hundred of them are enough.
    seams.triangles.iter().step_by(seams.triangles.len() / 200 + 1).all(|t| {
        let middle = (t[0] + t[1] + t[2]) * (1.0 / 3.0);
        far(middle) <= seams.width && seams.width <= 4.0 * crate::shape::tolerance::CRACKS[2] * m.radius
    })
}
