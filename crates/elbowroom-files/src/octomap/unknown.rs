//! What a map did not see: the cubes between its cells.
//!
//! Cells are sorted along a Morton curve, on which every cube of the tree is a range. Cubes are looked at
//! from the root downwards. A cube that is a cell, or lies outside the box around all cells, is dropped. A
//! cube inside this box that has no cell in it is unknown. Any other cube is cut in eight.

use super::map::{Cell, OctoMap};

/// Cells of the finest level along half an edge of the root.
const HALF: f64 = 32768.0;

/// A cell or cube on the finest level's grid: its place on the curve and its edge.
#[derive(Clone, Copy)]
struct Cube {
    low: [u32; 3],
    edge: u32,
}

impl Cube {
    /// Its first place on the curve.
    fn morton_code(&self) -> u64 {
        (0..3).map(|k| spread_bits(self.low[k]) << k).sum()
    }
    /// One past its last.
    fn end(&self) -> u64 {
        self.morton_code() + u64::from(self.edge).pow(3)
    }
}

/// Puts two zeros behind each of sixteen bits.
fn spread_bits(bits: u32) -> u64 {
    (0..16).map(|i| u64::from(bits >> i & 1) << (3 * i)).sum()
}

impl OctoMap {
    /// The space inside the box around all cells that is in none of them, as the largest possible cubes.
    /// `None` if there are more than `most`. Space outside that box is unknown as well, but is not returned.
    pub fn unknown_cells(&self, most: usize) -> Option<Vec<Cell>> {
        let mut known: Vec<(u64, Cube)> = self
            .occupied
            .iter()
            .chain(&self.free)
            .map(|cell| self.on_grid(cell))
            .map(|c| (c.morton_code(), c))
            .collect();
        known.sort_unstable_by_key(|(code, _)| *code);
        let (mut low, mut high) = ([u32::MAX; 3], [0; 3]);
        for (_, cube) in &known {
            for k in 0..3 {
                low[k] = low[k].min(cube.low[k]);
                high[k] = high[k].max(cube.low[k] + cube.edge);
            }
        }
        let (mut found, mut open) = (Vec::new(), vec![Cube { low: [0; 3], edge: 1 << 16 }]);
        while let Some(cube) = open.pop() {
            if (0..3).any(|k| cube.low[k] >= high[k] || cube.low[k] + cube.edge <= low[k]) {
                continue;
            }
            let (code, end) = (cube.morton_code(), cube.end());
            let first = known.partition_point(|(other, _)| *other < code);
            let inside = known.get(first).filter(|(other, _)| *other < end);
            let whole = (0..3).all(|k| cube.low[k] >= low[k] && cube.low[k] + cube.edge <= high[k]);
            match inside {
                Some((other, cell)) if *other == code && cell.edge >= cube.edge => {}
                None if whole => {
                    if found.len() == most {
                        return None;
                    }
                    found.push(self.in_metres(&cube));
                }
                _ => {
                    let edge = cube.edge / 2;
                    open.extend((0..8).filter(|_| edge > 0).map(|part| {
                        let at = |k: usize| cube.low[k] + if part >> k & 1 == 1 { edge } else { 0 };
                        Cube { low: [at(0), at(1), at(2)], edge }
                    }));
                }
            }
        }
        Some(found)
    }

    fn on_grid(&self, cell: &Cell) -> Cube {
        let low = cell.centre.map(|x| ((x - 0.5 * cell.edge) / self.resolution + HALF).round() as u32);
        Cube { low, edge: (cell.edge / self.resolution).round() as u32 }
    }

    fn in_metres(&self, cube: &Cube) -> Cell {
        let edge = f64::from(cube.edge) * self.resolution;
        Cell { centre: cube.low.map(|x| (f64::from(x) - HALF) * self.resolution + 0.5 * edge), edge }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_and_unknown_cells_fill_the_box_and_do_not_overlap() {
        let mut state = 7_u64;
        let mut next = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for round in 0..200 {
            let resolution = 0.1;
            // Cells of edges 1, 2 and 4 in a cube of 16, about the origin.
            let mut taken = vec![false; 16 * 16 * 16];
            let (mut map, mut count) = (OctoMap { resolution, occupied: vec![], free: vec![] }, 0);
            for _ in 0..1 + next(60) {
                let edge = 1_usize << next(3);
                let low = [0; 3].map(|_| next(16 / edge as u64) as usize * edge);
                let mut inside = Vec::new();
                for i in 0..edge.pow(3) {
                    let at = [i % edge, i / edge % edge, i / edge / edge];
                    inside.push((low[0] + at[0]) + 16 * (low[1] + at[1]) + 256 * (low[2] + at[2]));
                }
                if inside.iter().any(|i| taken[*i]) {
                    continue;
                }
                inside.iter().for_each(|i| taken[*i] = true);
                count += edge.pow(3);
                let size = edge as f64 * resolution;
                let centre = low.map(|x| (x as f64 - 8.0) * resolution + 0.5 * size);
                let list = if next(2) == 0 { &mut map.occupied } else { &mut map.free };
                list.push(Cell { centre, edge: size });
            }
            let unknown = map.unknown_cells(1 << 20).unwrap();
            let volume: f64 = unknown.iter().map(|cell| (cell.edge / resolution).powi(3)).sum();
            let all = || map.occupied.iter().chain(&map.free);
            let side = |k: usize| {
                let low = all().map(|c| c.centre[k] - 0.5 * c.edge).fold(f64::INFINITY, f64::min);
                let high = all().map(|c| c.centre[k] + 0.5 * c.edge).fold(f64::NEG_INFINITY, f64::max);
                (high - low) / resolution
            };
            let whole = (side(0) * side(1) * side(2)).round();
            assert_eq!(volume.round() + count as f64, whole, "{round}");
            for (i, a) in unknown.iter().enumerate() {
                for b in unknown[..i].iter().chain(all()) {
                    let apart =
                        (0..3).any(|k| (a.centre[k] - b.centre[k]).abs() > 0.5 * (a.edge + b.edge) - 1e-9);
                    assert!(apart, "{round}: {a:?} {b:?}");
                }
            }
            assert!(unknown.is_empty() || map.unknown_cells(unknown.len() - 1).is_none());
        }
    }
}
