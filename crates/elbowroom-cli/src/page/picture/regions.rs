//! Regions of equal label in a grid, as polygons with few corners.
//!
//! The border of a region is walked from cell corner to cell corner, always with the region on the right.
//! A corner where three or four regions meet is a junction, and stays. The piece of border between two
//! junctions is shared by two regions. Its steps are replaced by straight lines that are nowhere farther from
//! them than a tolerance (Douglas and Peucker, "Algorithms for the reduction of the number of points required
//! to represent a digitized line or its caricature", 1973). A piece is always simplified in the same
//! direction, so that both of its regions get the same line and no gap opens between them. The walk ends
//! because it takes every step of a border once.

use std::collections::BTreeMap;

/// A corner of cells: to the right, downward.
pub type Corner = [i32; 2];

/// The label beyond the grid.
pub const OUTSIDE: u32 = u32::MAX;

/// The label of empty cells, which have no polygons.
pub const NOTHING: u32 = 0;

/// Labels, row by row.
#[derive(Clone, Debug)]
pub struct Labels {
    /// Cells in a row.
    pub width: usize,
    /// The cells.
    pub cells: Vec<u32>,
}

/// A part of a border between two junctions, or all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Piece {
    /// The region whose border it is, on the right of the way.
    pub of: u32,
    /// The label on the other side.
    pub beyond: u32,
    /// Its corners, simplified.
    pub corners: Vec<Corner>,
    /// It is the last piece of a closed border.
    pub closes: bool,
}

const EAST: usize = 0;
const STEPS: [Corner; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

impl Labels {
    fn label_at(&self, [x, y]: Corner) -> u32 {
        // Row and column come from the caller. To divide an index by the width would be slow here.
        let (width, within) = (self.width as i32, x >= 0 && y >= 0 && x < self.width as i32);
        let cell = within.then(|| self.cells.get((y * width + x) as usize)).flatten();
        cell.copied().unwrap_or(OUTSIDE)
    }

    /// The cells ahead of a corner when one walks in a direction: on the left, on the right.
    fn ahead(&self, [x, y]: Corner, direction: usize) -> [u32; 2] {
        // Cells around a corner: north-west, north-east, south-east, south-west.
        let around = [[x - 1, y - 1], [x, y - 1], [x, y], [x - 1, y]];
        [(1 + direction) % 4, (2 + direction) % 4].map(|k| self.label_at(around[k]))
    }

    /// Whether more than two regions, or two that meet crosswise, touch a corner.
    fn is_junction(&self, corner: Corner) -> bool {
        let [ne, se] = self.ahead(corner, EAST);
        let [sw, nw] = self.ahead(corner, 2);
        let around = [nw, ne, se, sw];
        let changes = (0..4).filter(|&k| around[k] != around[(k + 1) % 4]).count();
        changes > 2
    }

    /// All borders, in the order in which rows meet them.
    pub fn borders(&self, tolerance: f64) -> Vec<Piece> {
        let mut pieces = Vec::new();
        let mut walked = vec![false; self.cells.len()];
        for start in 0..self.cells.len() {
            let corner = [(start % self.width) as i32, (start / self.width) as i32];
            let of = self.cells[start];
            // Every closed border goes east somewhere, along the upper side of a cell.
            if of == NOTHING || walked[start] || self.label_at([corner[0], corner[1] - 1]) == of {
                continue;
            }
            let way = self.walk(corner, of, &mut walked);
            split(&way, of, tolerance, |c| self.is_junction(c), &mut pieces);
        }
        pieces
    }

    /// The corners of a closed border, and what is on the left of each step that leaves them.
    fn walk(&self, start: Corner, of: u32, walked: &mut [bool]) -> Vec<(Corner, u32)> {
        let mut way = Vec::new();
        let (mut at, mut direction) = (start, EAST);
        loop {
            let [beyond, _] = self.ahead(at, direction);
            way.push((at, beyond));
            if direction == EAST {
                walked[at[1] as usize * self.width + at[0] as usize] = true;
            }
            at = [at[0] + STEPS[direction][0], at[1] + STEPS[direction][1]];
            let [left, right] = self.ahead(at, direction);
            direction = match (left == of, right == of) {
                (_, false) => (direction + 1) % 4,
                (true, true) => (direction + 3) % 4,
                (false, true) => direction,
            };
            if at == start && direction == EAST {
                return way;
            }
        }
    }

    /// Gives regions of fewer cells than `least` to the neighbour they share most of their border with. `may`
    /// says which label may become which.
    pub fn merge_specks(&mut self, least: usize, may: impl Fn(u32, u32) -> bool) {
        let mut seen = vec![false; self.cells.len()];
        let mut region = Vec::new();
        for start in self.find_specks(least) {
            let of = self.cells[start];
            let mut beside: BTreeMap<u32, usize> = BTreeMap::new();
            region.clear();
            region.push(start);
            seen[start] = true;
            let mut next = 0;
            while let Some(&cell) = region.get(next) {
                next += 1;
                let [x, y] = [(cell % self.width) as i32, (cell / self.width) as i32];
                for step in STEPS {
                    let other = [x + step[0], y + step[1]];
                    match self.label_at(other) {
                        OUTSIDE => {}
                        label if label == of => {
                            let index = other[1] as usize * self.width + other[0] as usize;
                            if !seen[index] {
                                seen[index] = true;
                                region.push(index);
                            }
                        }
                        label => *beside.entry(label).or_default() += 1,
                    }
                }
            }
            let allowed = beside.into_iter().filter(|(label, _)| may(of, *label));
            if let Some((label, _)) = allowed.max_by_key(|(label, n)| (*n, u32::MAX - label)) {
                region.iter().for_each(|&cell| self.cells[cell] = label);
            }
        }
    }

    /// The first cell of every region of fewer cells than `least`, in the order of the cells.
    ///
    /// A row is cut into runs of equal label, and runs that touch from row to row are united: a picture has
    /// some hundred times fewer runs than cells.
    fn find_specks(&self, least: usize) -> Vec<usize> {
        let mut runs = Runs::default();
        let mut above = 0;
        for (row, cells) in self.cells.chunks(self.width.max(1)).enumerate() {
            let begin = runs.first_cells.len();
            let mut from = row * self.width;
            for run in cells.chunk_by(|a, b| a == b) {
                let to = from + run.len();
                let number = runs.add_run(from, run.len());
                // Runs of the row above that end before this one are behind all that follow, too.
                while above < begin && runs.first_cells[above] + runs.lengths[above] <= from - self.width {
                    above += 1;
                }
                let mut touching = above;
                while touching < begin && runs.first_cells[touching] < to - self.width {
                    if self.cells[runs.first_cells[touching]] == run[0] {
                        runs.unite_runs(touching, number);
                    }
                    touching += 1;
                }
                from = to;
            }
            above = begin;
        }
        runs.find_small(least)
    }
}

/// Runs of cells in rows, and which of them are of one region: a forest whose roots are a region's first run.
#[derive(Default)]
struct Runs {
    first_cells: Vec<usize>,
    lengths: Vec<usize>,
    parents: Vec<usize>,
}

impl Runs {
    fn add_run(&mut self, first_cell: usize, length: usize) -> usize {
        self.first_cells.push(first_cell);
        self.lengths.push(length);
        self.parents.push(self.parents.len());
        self.parents.len() - 1
    }

    fn find_root(&mut self, mut run: usize) -> usize {
        while self.parents[run] != run {
            self.parents[run] = self.parents[self.parents[run]];
            run = self.parents[run];
        }
        run
    }

    /// Says that two runs are of one region. Its root is the earlier of both roots.
    fn unite_runs(&mut self, a: usize, b: usize) {
        let roots = [self.find_root(a), self.find_root(b)];
        self.parents[roots[0].max(roots[1])] = roots[0].min(roots[1]);
    }

    /// The first cells of regions that have fewer cells than `least`.
    fn find_small(mut self, least: usize) -> Vec<usize> {
        let mut sizes = vec![0; self.lengths.len()];
        for run in 0..self.lengths.len() {
            sizes[self.find_root(run)] += self.lengths[run];
        }
        let roots = (0..sizes.len()).filter(|&run| self.parents[run] == run && sizes[run] < least);
        roots.map(|run| self.first_cells[run]).collect()
    }
}

/// Cuts a closed border at its junctions, or at two points far apart where it has none, and simplifies the
/// pieces.
fn split(
    way: &[(Corner, u32)],
    of: u32,
    tolerance: f64,
    is_junction: impl Fn(Corner) -> bool,
    pieces: &mut Vec<Piece>,
) {
    let mut cuts: Vec<usize> = (0..way.len()).filter(|&i| is_junction(way[i].0)).collect();
    if cuts.is_empty() {
        // These two corners do not depend on the side on which the border is walked.
        let Some(first) = (0..way.len()).min_by_key(|&i| way[i].0) else { return };
        let far = |i: &usize| {
            let [dx, dy] = [0, 1].map(|k| i64::from(way[*i].0[k] - way[first].0[k]));
            (dx * dx + dy * dy, way[*i].0)
        };
        cuts.extend([Some(first), (0..way.len()).max_by_key(far)].into_iter().flatten());
    }
    for (k, &cut) in cuts.iter().enumerate() {
        let end = cuts[(k + 1) % cuts.len()];
        let steps = (end + way.len() - cut - 1) % way.len() + 1;
        let corners: Vec<Corner> = (0..=steps).map(|i| way[(cut + i) % way.len()].0).collect();
        let corners = simplified(corners, tolerance);
        pieces.push(Piece { of, beyond: way[cut].1, corners, closes: k + 1 == cuts.len() });
    }
}

/// The fewest of the corners that the recursion finds sufficient.
fn simplified(mut corners: Vec<Corner>, tolerance: f64) -> Vec<Corner> {
    let backward: Vec<Corner> = corners.iter().rev().copied().collect();
    let turned = backward < corners;
    if turned {
        corners = backward;
    }
    let mut keep = vec![false; corners.len()];
    let mut open = vec![[0, corners.len() - 1]];
    keep[0] = true;
    keep[corners.len() - 1] = true;
    while let Some([from, to]) = open.pop() {
        let (mut worst, mut at) = (tolerance, None);
        for i in from + 1..to {
            let off = distance(corners[i], corners[from], corners[to]);
            if off > worst {
                (worst, at) = (off, Some(i));
            }
        }
        if let Some(i) = at {
            keep[i] = true;
            open.extend([[from, i], [i, to]]);
        }
    }
    let mut left: Vec<Corner> =
        corners.iter().zip(&keep).filter(|(_, keep)| **keep).map(|(c, _)| *c).collect();
    if turned {
        left.reverse();
    }
    left
}

/// The distance of a point from a segment.
fn distance(p: Corner, a: Corner, b: Corner) -> f64 {
    let [[px, py], [bx, by]] = [p, b].map(|q| [0, 1].map(|k| f64::from(q[k] - a[k])));
    let squared = bx * bx + by * by;
    let t = if squared > 0.0 { ((px * bx + py * by) / squared).clamp(0.0, 1.0) } else { 0.0 };
    let [x, y] = [px - t * bx, py - t * by];
    (x * x + y * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(rows: &[&str]) -> Labels {
        let cells = rows.concat().bytes().map(|b| u32::from(b - b'0')).collect();
        Labels { width: rows[0].len(), cells }
    }

    /// Twice the area to the right of a region's borders.
    fn area(pieces: &[Piece], of: u32) -> i32 {
        let mine = pieces.iter().filter(|p| p.of == of);
        mine.flat_map(|p| p.corners.windows(2)).map(|w| w[0][0] * w[1][1] - w[0][1] * w[1][0]).sum()
    }

    #[test]
    fn exact_borders_have_their_cells() {
        let grid = labels(&["0110", "0212", "0222", "3022"]);
        let pieces = grid.borders(0.0);
        for (label, cells) in [(1, 3), (2, 7), (3, 1)] {
            assert_eq!(area(&pieces, label), 2 * cells, "{label}: {pieces:?}");
        }
        // Two regions share the same line, there and back.
        for piece in pieces.iter().filter(|p| p.beyond != NOTHING && p.beyond != OUTSIDE) {
            let back: Vec<Corner> = piece.corners.iter().rev().copied().collect();
            let found =
                pieces.iter().any(|p| p.of == piece.beyond && p.beyond == piece.of && p.corners == back);
            assert!(found, "{piece:?}");
        }
        // A hole is walked the other way round.
        let ring = labels(&["111", "101", "111"]);
        assert_eq!(area(&ring.borders(0.0), 1), 16);
    }

    #[test]
    fn simplified_borders_stay_near_and_shared() {
        // Two discs that overlap, one cut by the grid's edge.
        let disc = |x: i32, y: i32, [cx, cy]: [i32; 2], r: i32| (x - cx).pow(2) + (y - cy).pow(2) < r * r;
        let cell = |i: i32| match [i % 100, i / 100] {
            [x, y] if disc(x, y, [40, 40], 30) => 1,
            [x, y] if disc(x, y, [70, 50], 40) => 2,
            _ => 0,
        };
        let grid = Labels { width: 100, cells: (0..10_000).map(cell).collect() };
        let (exact, coarse) = (grid.borders(0.0), grid.borders(1.0));
        let corners = |pieces: &[Piece]| pieces.iter().map(|p| p.corners.len()).sum::<usize>();
        assert!(corners(&coarse) * 4 < corners(&exact), "{} {}", corners(&coarse), corners(&exact));
        for label in [1, 2] {
            let [a, b] = [&exact, &coarse].map(|pieces| f64::from(area(pieces, label)));
            assert!((a / b - 1.0).abs() < 0.02, "{label}: {a} {b}");
        }
        assert_eq!(exact.len(), coarse.len());
        let shared = |p: &&Piece| p.of == 1 && p.beyond == 2;
        let one = coarse.iter().find(shared).unwrap();
        assert!(coarse.iter().any(|p| p.of == 2 && p.corners.iter().rev().eq(&one.corners)));
        for (exact, coarse) in exact.iter().zip(&coarse) {
            for corner in &exact.corners {
                let off = coarse.corners.windows(2).map(|w| distance(*corner, w[0], w[1]));
                assert!(off.fold(f64::INFINITY, f64::min) <= 1.0);
            }
        }
    }

    #[test]
    fn specks_go_to_their_largest_neighbour() {
        let mut grid = labels(&["11122", "13122", "11112", "00000"]);
        let same = grid.cells.clone();
        grid.merge_specks(2, |_, to| to == 2);
        assert_eq!(grid.cells, same, "the speck has no such neighbour");
        grid.merge_specks(2, |_, _| true);
        assert_eq!(grid.cells, labels(&["11122", "11122", "11112", "00000"]).cells);
        grid.merge_specks(6, |from, to| from != 0 && to != 0);
        assert_eq!(grid.cells, labels(&["11111", "11111", "11111", "00000"]).cells);
    }

    #[test]
    fn regions_of_runs_are_those_that_a_flood_finds() {
        let mut found = [0; 2];
        let mut random = elbowroom::math::Random(7);
        for (width, height) in [(1, 30), (30, 1), (2, 2), (17, 23), (40, 30)] {
            // Three labels, at random: many regions are united only some rows after they begin.
            let cells = (0..width * height).map(|_| (random.unit() * 2.4) as u32).collect();
            let labels = Labels { width, cells };
            for least in [1, 2, 5, 30] {
                let mut open: Vec<usize> = (0..labels.cells.len()).rev().collect();
                let (mut seen, mut expected) = (vec![false; open.len()], Vec::new());
                while let Some(start) = open.pop() {
                    let (mut stack, mut size) = (vec![start], 0);
                    while let Some(cell) = stack.pop() {
                        if std::mem::replace(&mut seen[cell], true) {
                            continue;
                        }
                        size += 1;
                        let [x, y] = [cell % width, cell / width].map(|i| i as i32);
                        let beside = STEPS.map(|step| [x + step[0], y + step[1]]);
                        let same = beside.iter().filter(|c| labels.label_at(**c) == labels.cells[cell]);
                        stack.extend(same.map(|c| c[1] as usize * width + c[0] as usize));
                    }
                    if (1..least).contains(&size) {
                        expected.push(start);
                    }
                }
                assert_eq!(labels.find_specks(least), expected, "{width} {height} {least}");
                found[usize::from(least == 30)] += expected.len();
            }
        }
        assert!(found.iter().all(|n| *n > 50), "{found:?}");
    }
}
