//! Equal corners of triangles, and triangles with the same corners.

use super::cycles::sort_by_vertex;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// A number that is ordered as the coordinate; both zeros have the same.
fn sortable_bits(x: f64) -> u64 {
    let bits = (x + 0.0).to_bits();
    if bits >> 63 == 1 { !bits } else { bits | 1 << 63 }
}

/// Merges equal vertices of triangles, which number `points`. Returns the vertex of each corner (three a
/// triangle), and the merged vertices.
pub(super) fn merge(points: &[Vec3], triangles: &[[u32; 3]]) -> (Vec<u32>, Vec<Vec3>) {
    // Each point that a triangle uses is listed once, in the order of first use. So of equal points the first
    // one is kept.
    let (mut uses, mut is_used) = (Vec::with_capacity(points.len()), vec![false; points.len()]);
    for &point in triangles.as_flattened() {
        if !core::mem::replace(&mut is_used[point as usize], true) {
            uses.push(point);
        }
    }
    let mut all: Vec<([u64; 3], u32)> = (0..)
        .zip(&uses)
        .map(|(i, point)| {
            let p = points[*point as usize];
            ([sortable_bits(p.x), sortable_bits(p.y), sortable_bits(p.z)], i)
        })
        .collect();
    all.sort_unstable();
    let (mut merged, mut vertices) = (vec![0; points.len()], Vec::new());
    for (i, (k, first)) in all.iter().enumerate() {
        let point = uses[*first as usize] as usize;
        if i == 0 || *k != all[i - 1].0 {
            vertices.push(points[point]);
        }
        merged[point] = vertices.len() as u32 - 1;
    }
    (triangles.as_flattened().iter().map(|point| merged[*point as usize]).collect(), vertices)
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
    /// Groups triangles with numbered corners, of which there are `vertices`. Triangles with coinciding
    /// corners are left out: they bound nothing.
    pub(super) fn new(triangles: impl Iterator<Item = (u32, [u32; 3])>, vertices: usize) -> Walls {
        let order: Vec<([u32; 3], u32)> = triangles
            .filter(|(_, c)| c[0] != c[1] && c[1] != c[2] && c[2] != c[0])
            .map(|(t, c)| {
                let mut sorted = c;
                sorted.sort_unstable();
                let rising = [(0, 1), (1, 2), (2, 0)].iter().filter(|(i, j)| c[*i] < c[*j]).count();
                (sorted, t << 1 | u32::from(rising == 1))
            })
            .collect();
        let order = sort_by_vertex(order, vertices, |e| e.0[0]);
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
    pub(super) fn spare_triangles(&self, free: impl Fn(u32) -> bool) -> Vec<u32> {
        let runs = self.order.chunk_by(|a, b| a.0 == b.0).filter(|run| run.len() > 1);
        runs.filter_map(|run| run.iter().map(|e| e.1 >> 1).find(|&t| free(t))).collect()
    }
}
