//! The points of a large hull by sectors of directions, so that few are scanned for a farthest point.
//!
//! A cube around the origin has its faces cut into cells. A cell is a cone of directions, and every direction
//! of it is a sum of the cone's four corners with weights that are not negative. So a point that is lower
//! than another one along all four corners is lower along every direction of the cone: the cell does not keep
//! it. What is kept contains the farthest points along all directions of the cone. The scan of a cell gives
//! a point as high as the scan of all points, and the same proof.
//!
//! Cells are cut in four again and again, and a cell chooses from the points of the one that it is part of.
//! Cones are a little wider than their cells, by more than the rounding that chooses a direction's cell.

use crate::numeric::simd::Lanes;
use crate::shape::extreme::{dot_error, find_farthest, max_height};
use crate::shape::hull::{AXES, Block, CELL_ERROR, direction_cell};
use crate::shape::tolerance::SECTOR_SIDES;
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;
use elbowroom_describe::math::Vec3;

/// The points of one hull, by cell: their numbers among all its points, ascending.
#[derive(Debug)]
pub(super) struct SectorCut {
    /// Cells along an edge of the cube, a power of two.
    side: usize,
    cells: Vec<Vec<u32>>,
}

impl SectorCut {
    /// The cells of these points; none where a scan of all is as fast.
    pub(super) fn from_points(points: &[Vec3]) -> Option<SectorCut> {
        let (_, side) = SECTOR_SIDES.into_iter().rev().find(|(from, _)| points.len() >= *from)?;
        let extent = points.iter().map(|p| p.norm()).fold(0.0, f64::max);
        let mut cut = SectorCut { side, cells: vec![Vec::new(); 6 * side * side] };
        let all: Vec<u32> = (0..points.len() as u32).collect();
        let mut heights = Vec::new();
        for face in 0..6 {
            cut.cut_cone(points, extent, &all, Cone { face, side: 1, at: [0, 0] }, &mut heights);
        }
        Some(cut).filter(|cut| 2 * cut.block_count() < cut.cells.len() * points.len().div_ceil(4))
    }

    /// The blocks of all cells.
    pub(super) fn block_count(&self) -> usize {
        self.cells.iter().map(|kept| kept.len().div_ceil(4)).sum()
    }

    /// Stores the points of a cone, chosen from `among`, or those of its four parts.
    fn cut_cone(
        &mut self,
        points: &[Vec3],
        extent: f64,
        among: &[u32],
        cone: Cone,
        heights: &mut Vec<[f64; 4]>,
    ) {
        let mut kept = select_points(points, extent, among, &cone, heights);
        let Cone { face, side, at: [u, w] } = cone;
        if side == self.side {
            kept.shrink_to_fit();
            self.cells[(face * side + u) * side + w] = kept;
            return;
        }
        for [i, j] in [[0, 0], [0, 1], [1, 0], [1, 1]] {
            let part = Cone { face, side: 2 * side, at: [2 * u + i, 2 * w + j] };
            self.cut_cone(points, extent, &kept, part, heights);
        }
    }
}

/// A cell of a face that has `side` by `side`.
#[derive(Clone, Copy)]
struct Cone {
    face: usize,
    side: usize,
    at: [usize; 2],
}

impl Cone {
    /// A direction of the face, by its place in cells.
    fn face_direction(&self, place: [f64; 2]) -> Vec3 {
        let [normal, u, w] = AXES[self.face / 2];
        let mut d = Vec3::ZERO;
        d[normal] = if self.face.is_multiple_of(2) { 1.0 } else { -1.0 };
        (d[u], d[w]) = (2.0 * place[0] / self.side as f64 - 1.0, 2.0 * place[1] / self.side as f64 - 1.0);
        d
    }

    /// The corners of the widened cone.
    fn cone_corners(&self) -> [Vec3; 4] {
        let ends = self.at.map(|at| [at as f64 - CELL_ERROR, (at + 1) as f64 + CELL_ERROR]);
        from_fn(|i| self.face_direction([ends[0][i / 2], ends[1][i % 2]]))
    }

    /// Some directions all over the cone: the points that are the highest along them make most others lower.
    fn sample_directions(&self) -> [Vec3; 9] {
        let place = |at: usize, third: usize| at as f64 + third as f64 / 2.0;
        from_fn(|i| self.face_direction([place(self.at[0], i / 3), place(self.at[1], i % 3)]))
    }
}

/// The points that no highest point along a sample is above along all corners.
fn select_points(
    points: &[Vec3],
    extent: f64,
    among: &[u32],
    cone: &Cone,
    heights: &mut Vec<[f64; 4]>,
) -> Vec<u32> {
    let corners = cone.cone_corners();
    heights.clear();
    heights.extend(among.iter().map(|&i| corners.map(|d| points[i as usize].dot(d))));
    let highest = cone.sample_directions().map(|d| {
        let mut best = (f64::NEG_INFINITY, [f64::NEG_INFINITY; 4]);
        for (&i, h) in among.iter().zip(heights.iter()) {
            let along = points[i as usize].dot(d);
            if along > best.0 {
                best = (along, *h);
            }
        }
        best.1
    });
    let room = corners.map(|d| 2.0 * dot_error(d, extent));
    let lower = |h: &[f64; 4]| highest.iter().any(|top| (0..4).all(|k| top[k] > h[k] + room[k]));
    among.iter().zip(heights.iter()).filter(|(_, h)| !lower(h)).map(|(&i, _)| i).collect()
}

/// The cells of all large nodes of a mesh.
#[derive(Clone, Debug, Default)]
pub(crate) struct Sectors {
    /// By cell its first block, and at the end of each node's cells the end of the last.
    first: Vec<u32>,
    blocks: Vec<Block>,
    /// The numbers of the points of each block.
    numbers: Vec<[u32; 4]>,
}

/// Where the cells of a node are.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SectorPlace {
    first: u32,
    /// Zero for a node without cells.
    side: u32,
}

impl Sectors {
    /// With room for these cells, and no more.
    pub(super) fn with_room<'a>(cuts: impl Iterator<Item = &'a SectorCut>) -> Sectors {
        let size = |cut: &SectorCut| (cut.cells.len() + 1, cut.block_count());
        let (cells, blocks) = cuts.map(size).fold((0, 0), |(a, b), (c, d)| (a + c, b + d));
        Sectors {
            first: Vec::with_capacity(cells),
            blocks: Vec::with_capacity(blocks),
            numbers: Vec::with_capacity(blocks),
        }
    }

    /// Adds the cells of a node's points. The last block of a cell repeats its last point.
    pub(super) fn store_cells(&mut self, points: &[Vec3], cut: &SectorCut) -> SectorPlace {
        let place = SectorPlace { first: self.first.len() as u32, side: cut.side as u32 };
        for kept in &cut.cells {
            self.first.push(self.blocks.len() as u32);
            for four in kept.chunks(4) {
                let numbers = from_fn(|i| four[i.min(four.len() - 1)]);
                self.blocks.push(Block::new(numbers.map(|i| points[i as usize])));
                self.numbers.push(numbers);
            }
        }
        self.first.push(self.blocks.len() as u32);
        place
    }

    /// The cells of a node, if it has any.
    #[inline(always)]
    pub(super) fn of_node(&self, place: SectorPlace) -> Option<NodeSectors<'_>> {
        (place.side > 0).then_some(NodeSectors { sectors: self, place })
    }
}

/// The cells of a node.
#[derive(Clone, Copy)]
pub(crate) struct NodeSectors<'a> {
    sectors: &'a Sectors,
    place: SectorPlace,
}

impl<'a> NodeSectors<'a> {
    /// Cells along an edge of the cube.
    #[cfg(test)]
    pub(super) fn side(self) -> u32 {
        self.place.side
    }

    /// How many blocks are scanned along a direction.
    #[cfg(test)]
    pub(super) fn blocks_of(self, d: Vec3) -> usize {
        self.cell_blocks(d).1.len()
    }

    /// The blocks of a direction's cell.
    #[inline(always)]
    fn cell_blocks(self, d: Vec3) -> (usize, &'a [Block]) {
        let at = self.place.first as usize + direction_cell(d, self.place.side as usize);
        let (first, end) = (self.sectors.first[at] as usize, self.sectors.first[at + 1] as usize);
        (first, &self.sectors.blocks[first..end])
    }

    /// The number of a point farthest along `d`.
    #[inline(always)]
    pub(crate) fn farthest_number<L: Lanes>(self, l: L, d: Vec3) -> u32 {
        let (first, blocks) = self.cell_blocks(d);
        let at = find_farthest(l, blocks, d) as usize;
        self.sectors.numbers[first + at / 4][at % 4]
    }

    /// The largest `d.x` of the points, as computed.
    #[inline(always)]
    pub(crate) fn max_height<L: Lanes>(self, l: L, d: Vec3) -> f64 {
        max_height(l, self.cell_blocks(d).1, d)
    }
}
