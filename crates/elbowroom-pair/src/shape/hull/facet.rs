//! From triangles to facets: coplanar neighbours are joined, and vertices that are not extreme are dropped.
//!
//! An edge is real if it is not inside a facet. A vertex with no real edge lies inside a facet, with two
//! inside an edge of the hull; with three or more it is extreme. The outline of each facet is followed along
//! its real edges, and its extreme vertices are kept. The results are the facets as strictly convex polygons.

use super::outline::{Cycles, Facets, Outline};
use super::predicate::{compare_points, plane_side};
use super::rank::Rank;
use super::surface::HullSurface;
use crate::shape::tolerance::HULL_TABLE_VERTICES;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::fault::HullFault;
use elbowroom_describe::math::Vec3;

const OPEN: HullFault = HullFault::Unproved { what: "the outline of a facet is open" };

pub(super) fn join_facets(points: &[Vec3], surface: &HullSurface) -> Result<Outline, HullFault> {
    let HullSurface { faces, across } = surface;
    let at = |i: u32| points[i as usize];
    let twin = |f: usize, e: usize| {
        let g = across[f][e] as usize;
        faces[g].iter().position(|&v| v == faces[f][(e + 1) % 3]).map(|t| (g, t)).ok_or(OPEN)
    };
    // Which edges are real.
    let mut real = vec![[true; 3]; faces.len()];
    let mut edges_at = vec![0u8; points.len()];
    for f in 0..faces.len() {
        for e in 0..3 {
            let (g, t) = twin(f, e)?;
            if f < g {
                let [a, b, c] = faces[f].map(at);
                let flat = plane_side(a, b, c, at(faces[g][(t + 2) % 3])) == 0.0;
                (real[f][e], real[g][t]) = (!flat, !flat);
            }
        }
    }
    for (f, r) in real.iter().enumerate() {
        for e in 0..3 {
            let count = &mut edges_at[faces[f][e] as usize];
            *count = count.saturating_add(u8::from(r[e]));
        }
    }
    // Numbers of the corners.
    let mut corners: Vec<u32> = (0..points.len() as u32).filter(|&i| edges_at[i as usize] >= 3).collect();
    // Very large hulls stay in the set's order, where neighbours are near in memory.
    if corners.len() <= HULL_TABLE_VERTICES {
        corners.sort_unstable_by(|&i, &j| compare_points(at(i), at(j)));
    }
    let mut number = vec![u32::MAX; points.len()];
    for (k, &i) in corners.iter().enumerate() {
        number[i as usize] = k as u32;
    }
    // Outlines. Each directed real edge is followed once; rotating about a vertex crosses each flat edge at
    // most once.
    let mut followed = vec![[false; 3]; faces.len()];
    let (mut cycles, mut cycle_starts) = (Vec::new(), vec![0]);
    for start in 0..faces.len() {
        for edge in 0..3 {
            if !real[start][edge] || followed[start][edge] {
                continue;
            }
            let (mut f, mut e) = (start, edge);
            let begin = cycles.len();
            while !followed[f][e] {
                followed[f][e] = true;
                let v = faces[f][e];
                if edges_at[v as usize] >= 3 {
                    cycles.push(number[v as usize]);
                }
                e = (e + 1) % 3;
                let mut crossed = 0;
                while !real[f][e] {
                    let (g, t) = twin(f, e)?;
                    (f, e) = (g, (t + 1) % 3);
                    crossed += 1;
                    if crossed > faces.len() {
                        return Err(OPEN);
                    }
                }
            }
            let cycle = &mut cycles[begin..];
            if (f, e) != (start, edge) || cycle.len() < 3 {
                return Err(OPEN);
            }
            let least = (0..cycle.len()).min_by_key(|&i| cycle[i]).unwrap_or(0);
            cycle.rotate_left(least);
            cycle_starts.push(cycles.len() as u32);
        }
    }
    let cycles = Cycles { corners: cycles, starts: cycle_starts };
    Ok(Outline { rank: Rank::Solid, corners, facets: Facets::Cycles(cycles) })
}
