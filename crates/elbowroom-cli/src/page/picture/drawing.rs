//! Draws a view as SVG: regions of one tone, lines where bodies end, and large bodies as glass.

use super::camera::Camera;
use super::creases::{self, Crease};
use super::raster::{Cell, Raster, SHADES};
use super::regions::{Corner, Labels, NOTHING, OUTSIDE, Piece};
use super::scene::{Role, Scene};
use super::surface::Triangle;
use elbowroom::math::Vec3;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is seen.
pub struct SeenRegions {
    /// Everything but glass.
    pub solids: Raster,
    /// The glass.
    pub glass: Raster,
    /// The pair's bodies, each alone.
    pub pair: [Raster; 2],
    /// Where the pair is coloured: the place in the picture and how far around it (units).
    zone: Option<([f64; 3], f64)>,
}

impl SeenRegions {
    /// Draws the triangles of the scene's parts.
    pub fn new(camera: &Camera, scene: &Scene<'_>, triangles: &[Vec<Triangle>]) -> SeenRegions {
        SeenRegions::drawn(camera, scene, triangles, scene.zone, false)
    }

    /// Draws the triangles of a close-up: all within its round edge, the pair coloured everywhere.
    pub fn close(camera: &Camera, scene: &Scene<'_>, triangles: &[Vec<Triangle>]) -> SeenRegions {
        SeenRegions::drawn(camera, scene, triangles, None, true)
    }

    fn drawn(
        camera: &Camera,
        scene: &Scene<'_>,
        triangles: &[Vec<Triangle>],
        zone: Option<(Vec3, f64)>,
        round: bool,
    ) -> SeenRegions {
        let empty = || Raster::new(camera);
        let zone = zone.map(|(focus, reach)| (camera.project(focus), reach * camera.scale));
        let mut seen = SeenRegions { solids: empty(), glass: empty(), pair: [empty(), empty()], zone };
        for (number, (part, triangles)) in (1..).zip(scene.parts.iter().zip(triangles)) {
            let own = match part.role {
                Role::First => Some(0),
                Role::Second => Some(1),
                Role::Link | Role::Obstacle => None,
            };
            let layer = if part.glass { &mut seen.glass } else { &mut seen.solids };
            layer.draw(camera, number, triangles, round || !part.framed);
            if let Some(own) = own {
                seen.pair[own].draw(camera, number, triangles, round || !part.framed);
            }
        }
        seen
    }

    /// How many cells there are.
    pub fn count(&self) -> usize {
        self.solids.cells.len()
    }

    /// How many cells of a rectangle show something: left, top, right and bottom (units).
    pub fn covered_cells(&self, area: [f64; 4]) -> usize {
        let [left, top, right, bottom] = area.map(|x| x.max(0.0) as usize);
        [&self.solids, &self.glass].iter().map(|layer| layer.covered_cells([left, top, right, bottom])).sum()
    }

    /// Whether something solid stands before a cell of a body of the pair.
    pub fn is_hidden(&self, own: &Cell, cell: usize) -> bool {
        let front = &self.solids.cells[cell];
        front.part != 0 && front.part != own.part && front.before(own)
    }

    /// Whether a cell's surface is near the contact.
    fn is_near(&self, cell: usize, width: usize, of: &Cell) -> bool {
        self.zone.is_none_or(|([x, y, near], reach)| {
            let at = [(cell % width) as f64 + 0.5 - x, (cell / width) as f64 + 0.5 - y, of.near - near];
            at.iter().map(|d| d * d).sum::<f64>() <= reach * reach
        })
    }
}

/// How much detail is drawn.
struct Level {
    /// Shades of one colour are drawn as this many.
    shades: u8,
    /// Fewest cells of a region.
    least: usize,
    /// How far lines may be from where they belong (cells).
    tolerance: f64,
    /// Small regions go even if they are all there is of a body that is not of the pair.
    drops: bool,
}

/// From fine to coarse: the first whose drawing is short enough is taken.
const LEVELS: [Level; 5] = [
    Level { shades: 4, least: 60, tolerance: 1.25, drops: false },
    Level { shades: 4, least: 200, tolerance: 1.6, drops: false },
    Level { shades: 2, least: 400, tolerance: 2.2, drops: false },
    Level { shades: 1, least: 800, tolerance: 3.0, drops: true },
    Level { shades: 1, least: 4000, tolerance: 4.0, drops: true },
];

/// The paths of a view, of no more than `most` bytes, and whether something small is left out. `None` if no
/// level of detail is short enough.
pub fn paths(
    camera: &Camera,
    scene: &Scene<'_>,
    seen: &SeenRegions,
    creases: &[Crease],
    most: usize,
) -> Option<(String, bool)> {
    LEVELS.iter().find_map(|level| {
        let drawn = at_level(camera, scene, seen, creases, level);
        (drawn.len() <= most).then_some((drawn, level.drops))
    })
}

/// The content of a cell as a number: part, whether it is near the contact, shade.
fn label(part: u32, near: bool, shade: u8) -> u32 {
    part << 4 | u32::from(near) << 3 | u32::from(shade)
}

fn at_level(
    camera: &Camera,
    scene: &Scene<'_>,
    seen: &SeenRegions,
    creases: &[Crease],
    level: &Level,
) -> String {
    let width = camera.size.width;
    let shade = |s: u8| match level.shades {
        1 => 2,
        2 => s / 2 * 2 + 1,
        _ => s,
    };
    let role =
        |label: u32| (label >> 4).checked_sub(1).and_then(|i| scene.parts.get(i as usize)).map(|p| p.role);
    let of_pair = |label: u32| role(label).is_some_and(Role::is_of_pair);
    let labelled = |cell: usize, of: &Cell| match of.part {
        0 => NOTHING,
        part => {
            let near = of_pair(part << 4) && seen.is_near(cell, width, of);
            label(part, near, shade(of.shade))
        }
    };
    let cells = (0..seen.count()).map(|cell| labelled(cell, &seen.solids.cells[cell]));
    let mut labels = Labels { width, cells: cells.collect() };
    labels.merge_specks(level.least, |from, to| {
        // A speck joins a region of its own body, near the contact or not, as it is. If there is too much to
        // draw, that need not be the same.
        let bits = if level.drops { 4 } else { 3 };
        let same_body = from != NOTHING && to != NOTHING && from >> bits == to >> bits;
        same_body || (level.drops && !of_pair(from) && from != NOTHING)
    });

    // One path for each tone, whatever bodies have it.
    let tone = |label: u32| match role(label) {
        None => NOTHING,
        Some(role) => 1 + (role as u32) * 8 + if label & 8 == 0 { 4 } else { 0 } + (label & 7),
    };
    let tones = Labels { width, cells: labels.cells.iter().map(|l| tone(*l)).collect() };
    let mut svg = String::new();
    fills(&mut svg, &tones, level.tolerance, ["a", "b", "l", "o"]);

    // Glass lies over what is behind it.
    let cells = (0..seen.count()).map(|cell| {
        let [glass, solid] = [&seen.glass.cells[cell], &seen.solids.cells[cell]];
        if solid.part == 0 || glass.before(solid) { labelled(cell, glass) } else { NOTHING }
    });
    let cells: Vec<u32> = cells.map(tone).collect();
    if cells.iter().any(|tone| *tone != NOTHING) {
        let mut tones = Labels { width, cells };
        tones.merge_specks(level.least, |_, _| true);
        fills(&mut svg, &tones, level.tolerance, ["ga", "gb", "g", "g"]);
    }
    hidden(&mut svg, width, scene, seen, level);
    lines(&mut svg, &labels, level.tolerance, of_pair);
    let path = creases::path(camera, &seen.solids, creases);
    if !path.is_empty() {
        // Writing to a string cannot fail, here and below.
        let _ = write!(svg, "<path class=\"crease\" d=\"{path}\"/>");
    }
    svg
}

/// Fills the regions of each tone; the classes are those of the four roles.
fn fills(svg: &mut String, tones: &Labels, tolerance: f64, classes: [&str; 4]) {
    let mut paths: BTreeMap<u32, String> = BTreeMap::new();
    closed(tones, tolerance, &mut paths);
    for (tone, path) in paths {
        let class = classes[((tone - 1) / 8) as usize & 3];
        let _ = write!(svg, "<path class=\"{class}{}\" d=\"{path}\"/>", (tone - 1) % (2 * u32::from(SHADES)));
    }
}

/// Draws the parts of the pair near the contact that something solid stands before, as if through glass.
fn hidden(svg: &mut String, width: usize, scene: &Scene<'_>, seen: &SeenRegions, level: &Level) {
    for (own, class) in seen.pair.iter().zip(["glass_a", "glass_b"]) {
        let of = |cell: usize| {
            let own = &own.cells[cell];
            let glass =
                own.part.checked_sub(1).and_then(|i| scene.parts.get(i as usize)).is_none_or(|p| p.glass);
            !glass && seen.is_hidden(own, cell) && seen.is_near(cell, width, own)
        };
        let cells: Vec<u32> = (0..seen.count()).map(|cell| u32::from(of(cell))).collect();
        if cells.iter().all(|cell| *cell == NOTHING) {
            continue;
        }
        let mut labels = Labels { width, cells };
        labels.merge_specks(level.least, |_, _| true);
        let mut paths: BTreeMap<u32, String> = BTreeMap::new();
        closed(&labels, level.tolerance, &mut paths);
        for path in paths.values() {
            let _ = write!(svg, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }
}

/// The regions as closed paths, by label.
fn closed(labels: &Labels, tolerance: f64, paths: &mut BTreeMap<u32, String>) {
    let mut begins = true;
    for piece in labels.borders(tolerance) {
        let path = paths.entry(piece.of).or_default();
        add(path, &piece, begins);
        begins = piece.closes;
        if piece.closes {
            path.push('z');
        }
    }
}

/// Lines between bodies, each once.
fn lines(svg: &mut String, labels: &Labels, tolerance: f64, of_pair: impl Fn(u32) -> bool) {
    let bodies = Labels { width: labels.width, cells: labels.cells.iter().map(|l| l & !15).collect() };
    let mut paths: BTreeMap<&str, String> = BTreeMap::new();
    for piece in bodies.borders(tolerance) {
        if piece.beyond == OUTSIDE || (piece.beyond != NOTHING && piece.beyond > piece.of) {
            continue;
        }
        let class = if of_pair(piece.of) || of_pair(piece.beyond) { "edge" } else { "rim" };
        add(paths.entry(class).or_default(), &piece, true);
    }
    for class in ["rim", "edge"] {
        if let Some(path) = paths.get(class) {
            let _ = write!(svg, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }
}

/// Adds a piece to the end of a path. The last corner of a closed border is its first, and is not repeated.
fn add(path: &mut String, piece: &Piece, begins: bool) {
    let Some((first, rest)) = piece.corners.split_first() else { return };
    if begins {
        let _ = write!(path, "M{} {}l", first[0], first[1]);
    }
    let mut last = *first;
    for corner in rest {
        let step: Corner = [corner[0] - last[0], corner[1] - last[1]];
        last = *corner;
        for number in step {
            if number >= 0 && !path.ends_with('l') {
                path.push(' ');
            }
            let _ = write!(path, "{number}");
        }
    }
}
