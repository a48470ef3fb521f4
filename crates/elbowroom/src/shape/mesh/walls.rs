//! Equal corners of triangles, and triangles with the same corners.

use crate::numeric::math::Vec3;
use crate::shape::triangle::Triangle;
use alloc::vec;
use alloc::vec::Vec;

/// A number that is ordered as the coordinate; both zeros have the same.
fn key(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Merges equal vertices. Returns the vertex of each corner (three a triangle), and the merged vertices.
pub(super) fn merge(triangles: &[Triangle]) -> (Vec<u32>, Vec<Vec3>) {
    let points: Vec<Vec3> = triangles.iter().flatten().copied().collect();
    let mut all: Vec<([u64; 3], u32)> =
        points.iter().enumerate().map(|(i, p)| ([key(p.x), key(p.y), key(p.z)], i as u32)).collect();
    all.sort_unstable();
    let (mut merged, mut vertices) = (vec![0; all.len()], Vec::new());
    for (i, (k, corner)) in all.iter().enumerate() {
        if i == 0 || *k != all[i - 1].0 {
            vertices.push(points[*corner as usize]);
        }
        merged[*corner as usize] = vertices.len() as u32 - 1;
    }
    (merged, vertices)
}

/// Triangles grouped by equal corners.
#[derive(Default)]
pub(super) struct Walls {
    /// Corners in ascending order, with `2 * triangle + 1` if that order is opposite to the triangle's
    /// winding, else `2 * triangle`. Sorted. Where all triangles of a group have the same winding, only one
    /// is listed.
    pub(super) order: Vec<([u32; 3], u32)>,
    /// One triangle of each group with one winding only.
    pub(super) single: Vec<u32>,
    /// One triangle of each group with both windings: of the more frequent winding.
    pub(super) sheets: Vec<u32>,
    /// Those of the sheets whose group has an odd number of triangles.
    pub(super) surplus: Vec<u32>,
}

impl Walls {
    /// Groups triangles with numbered corners. Triangles with coinciding corners are left out: they bound
    /// nothing.
    pub(super) fn new(triangles: impl Iterator<Item = (u32, [u32; 3])>) -> Walls {
        let mut order: Vec<([u32; 3], u32)> = triangles
            .filter(|(_, c)| c[0] != c[1] && c[1] != c[2] && c[2] != c[0])
            .map(|(t, c)| {
                let mut sorted = c;
                sorted.sort_unstable();
                let rising = [(0, 1), (1, 2), (2, 0)].iter().filter(|(i, j)| c[*i] < c[*j]).count();
                (sorted, t << 1 | u32::from(rising == 1))
            })
            .collect();
        order.sort_unstable();
        let mut walls = Walls::default();
        for run in order.chunk_by(|a, b| a.0 == b.0) {
            let backward = run.iter().filter(|e| e.1 & 1 == 1).count();
            if backward == 0 || backward == run.len() {
                walls.single.push(run[0].1 >> 1);
                walls.order.push(run[0]);
                continue;
            }
            let way = u32::from(2 * backward > run.len());
            let sheet = run.iter().find(|e| e.1 & 1 == way).map(|e| e.1 >> 1);
            walls.sheets.extend(sheet);
            if run.len() % 2 == 1 {
                walls.surplus.extend(sheet);
            }
            walls.order.extend_from_slice(run);
        }
        walls
    }

    /// One `free` triangle of each sheet that has one.
    pub(super) fn spare(&self, free: impl Fn(u32) -> bool) -> Vec<u32> {
        let runs = self.order.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1);
        runs.filter_map(|run| run.iter().map(|e| e.1 >> 1).find(|&t| free(t))).collect()
    }
}
