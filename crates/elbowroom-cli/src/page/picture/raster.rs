//! Which body is seen in each cell of a picture: triangles drawn into a grid, the nearest kept.
//!
//! A grid tells what hides what for any triangles, without sorting or cutting them, in bounded room however
//! many there are. What is drawn in the end is not the grid but the outlines of its regions: see
//! [`super::regions`].

use super::camera::Camera;
use super::surface::Triangle;
use std::cell::RefCell;

/// Steps of light on a surface.
pub const SHADES: u8 = 4;

/// What is seen in a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cell {
    /// Number of the part, from 1; 0 where nothing is.
    pub part: u32,
    /// How light it is: from 0 to [`SHADES`] less one.
    pub shade: u8,
    /// How near it is to the eye (units).
    pub near: f64,
}

/// A picture's cells, row by row from the top.
#[derive(Clone, Debug)]
pub struct Raster {
    width: usize,
    height: usize,
    /// The cells.
    pub cells: Vec<Cell>,
}

/// How many grids a thread keeps: those of a view.
const SPARE_GRIDS_KEPT: usize = 4;

thread_local! {
    /// Grids of finished pictures, for the next ones. A grid has some megabytes, and a film has hundreds of
    /// pictures. To get this memory from the system for each of them takes as long as drawing.
    static SPARE_GRIDS: RefCell<Vec<Vec<Cell>>> = const { RefCell::new(Vec::new()) };
}

impl Drop for Raster {
    fn drop(&mut self) {
        // A thread that ends keeps nothing.
        let _ = SPARE_GRIDS.try_with(|spare| {
            let mut spare = spare.borrow_mut();
            if spare.len() < SPARE_GRIDS_KEPT {
                spare.push(std::mem::take(&mut self.cells));
            }
        });
    }
}

impl Raster {
    /// An empty one of a camera's size.
    pub fn new(camera: &Camera) -> Raster {
        let (width, height) = (camera.size.width, camera.size.height);
        let nothing = Cell { near: f64::NEG_INFINITY, ..Cell::default() };
        let mut cells = SPARE_GRIDS.with_borrow_mut(|spare| spare.pop()).unwrap_or_default();
        cells.clear();
        cells.resize(width * height, nothing);
        Raster { width, height, cells }
    }

    /// How many cells of a rectangle show a part: left, top, right and bottom.
    pub fn covered_cells(&self, [left, top, right, bottom]: [usize; 4]) -> usize {
        let rows = self.cells.chunks(self.width.max(1)).take(bottom).skip(top);
        rows.flat_map(|row| row.iter().take(right).skip(left)).filter(|cell| cell.part != 0).count()
    }

    /// Draws triangles of a part; with an edge, only what lies within the picture's round edge.
    pub fn draw(&mut self, camera: &Camera, part: u32, triangles: &[Triangle], edge: bool) {
        for triangle in triangles {
            self.triangle(part, triangle.map(|p| camera.project(p)), edge.then_some(camera));
        }
    }

    fn triangle(&mut self, part: u32, corners: [[f64; 3]; 3], edge: Option<&Camera>) {
        let [a, b, c] = corners;
        let area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
        if !area.is_finite() || area == 0.0 {
            return;
        }
        let Some([x_from, x_to]) = span([a[0], b[0], c[0]], self.width) else { return };
        let Some([y_from, y_to]) = span([a[1], b[1], c[1]], self.height) else { return };
        // Its nearness to the eye is a plane over the picture.
        let slope = |k: usize| {
            let (along, across) = (1 - k, if k == 0 { 1.0 } else { -1.0 });
            across * ((b[2] - a[2]) * (c[along] - a[along]) - (c[2] - a[2]) * (b[along] - a[along])) / area
        };
        let (by_x, by_y) = (slope(0), slope(1));
        let shade = light(by_x, by_y);
        let sign = if area > 0.0 { 1.0 } else { -1.0 };
        for y in y_from..y_to {
            let middle = y as f64 + 0.5;
            // The part of the row that lies within all three sides.
            let (mut from, mut to) = (x_from as f64 + 0.5, x_to as f64 - 0.5);
            for [p, q] in [[a, b], [b, c], [c, a]] {
                let (rise, run) = (sign * (q[1] - p[1]), sign * (q[0] - p[0]));
                // Inside: run * (y - p.y) - rise * (x - p.x) >= 0.
                let offset = run * (middle - p[1]);
                if rise > 0.0 {
                    to = to.min(p[0] + offset / rise);
                } else if rise < 0.0 {
                    from = from.max(p[0] + offset / rise);
                } else if offset < 0.0 {
                    to = f64::NEG_INFINITY;
                }
            }
            let (first, end) = ((from - 0.5).ceil(), (to - 0.5).floor() + 1.0);
            if !(first < end) {
                continue;
            }
            let first = (first.max(0.0) as usize).min(self.width);
            let end = (end as usize).min(self.width);
            for x in first..end {
                if edge.is_some_and(|camera| !camera.is_within(x as f64 + 0.5, middle)) {
                    continue;
                }
                let near = a[2] + by_x * (x as f64 + 0.5 - a[0]) + by_y * (middle - a[1]);
                let cell = &mut self.cells[y * self.width + x];
                if near > cell.near {
                    *cell = Cell { part, shade, near };
                }
            }
        }
    }

    /// What is seen at a place, if it is in the picture.
    pub fn cell_at(&self, x: f64, y: f64) -> Option<Cell> {
        let within = x >= 0.0 && y >= 0.0 && x < self.width as f64 && y < self.height as f64;
        within.then(|| self.cells[y as usize * self.width + x as usize])
    }
}

impl Cell {
    /// Whether this hides something that is so near (units).
    pub fn hides(&self, near: f64) -> bool {
        self.part != 0 && self.near > near
    }
    /// Whether this is in front of another.
    pub fn before(&self, other: &Cell) -> bool {
        self.part != 0 && self.near >= other.near
    }
}

/// The cells whose middles can be within three numbers.
fn span(of: [f64; 3], cells: usize) -> Option<[usize; 2]> {
    let low = of.iter().copied().fold(f64::INFINITY, f64::min);
    let high = of.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let from = (low - 0.5).ceil().clamp(0.0, cells as f64) as usize;
    let to = ((high - 0.5).floor() + 1.0).clamp(0.0, cells as f64) as usize;
    (from < to).then_some([from, to])
}

/// The light on a plane that comes nearer by so much to the right and downward. It falls from the upper left,
/// over the viewer's shoulder.
fn light(by_x: f64, by_y: f64) -> u8 {
    // The plane's normal, toward the eye: to the right, upward, toward.
    let length = (by_x * by_x + by_y * by_y + 1.0).sqrt();
    let shine = (-by_x * -0.48 + by_y * 0.62 + 0.62) / length;
    let step = (0.15 + 0.85 * shine.max(0.0)) * f64::from(SHADES);
    (step as u8).min(SHADES - 1)
}

#[cfg(test)]
mod tests {
    use super::super::camera::{Axes, Size};
    use super::*;
    use elbowroom::math::vec3;

    #[test]
    fn the_nearest_is_seen_and_nothing_outside_is() {
        let axes = Axes::from(vec3(0.0, 0.0, 1.0)).unwrap();
        let size = Size { width: 40, height: 40 };
        let camera = Camera::window(axes, size, vec3(0.0, 0.0, 0.0), 4.0).unwrap();
        let flat = |z: f64, w: f64| [vec3(-w, -w, z), vec3(w, -w, z), vec3(w, w, z)];
        let other = |z: f64, w: f64| [vec3(-w, -w, z), vec3(w, w, z), vec3(-w, w, z)];
        for order in [[0, 1], [1, 0]] {
            let mut raster = Raster::new(&camera);
            for k in order {
                // A small square above a large one that leaves the picture; both ways round.
                let (part, z, w) = [(1, 0.0, 9.0), (2, 1.0, 1.0)][k];
                raster.draw(&camera, part, &[flat(z, w), other(z, w)], false);
            }
            let count = |part| raster.cells.iter().filter(|c| c.part == part).count();
            assert_eq!((count(1), count(2)), (1200, 400), "{order:?}");
            assert_eq!(raster.cell_at(20.0, 20.0).unwrap().part, 2);
            assert!(raster.cell_at(-0.1, 0.0).is_none() && raster.cell_at(0.0, 40.0).is_none());
            // Seen from straight above both are lit alike.
            assert!(raster.cells.iter().all(|c| c.shade == raster.cells[0].shade));
        }
        // A triangle on its edge, one without area and one that is not finite leave nothing.
        let mut raster = Raster::new(&camera);
        let edge = [vec3(0.0, 0.0, 0.0), vec3(1.0, 0.0, 0.0), vec3(0.5, 0.0, 1.0)];
        let endless = [vec3(f64::INFINITY, 0.0, 0.0), vec3(1.0, 0.0, 0.0), vec3(0.0, 1.0, 0.0)];
        raster.draw(&camera, 1, &[edge, [edge[0]; 3], endless], false);
        assert!(raster.cells.iter().all(|c| c.part == 0));
    }

    #[test]
    fn light_falls_from_the_upper_left() {
        // A plane that falls away to the right (by_x < 0) looks to the right.
        assert!(light(3.0, 0.0) > light(-3.0, 0.0));
        // A plane that comes nearer downward looks upward.
        assert!(light(0.0, 3.0) > light(0.0, -3.0));
        assert!(light(0.0, 0.0) >= 2);
    }
}
