//! Draws a view as SVG: regions of one tone, and lines where bodies end.

use super::camera::Camera;
use super::raster::{Cell, Raster, SHADES};
use super::regions::{Corner, Labels, NOTHING, OUTSIDE, Piece};
use super::scene::{Role, Scene};
use super::surface::Triangle;
use std::collections::BTreeMap;
use std::fmt::Write;

/// What is seen. The two bodies are kept apart from each other and from the rest, so that they show through
/// it.
pub struct Seen {
    /// Everything but the pair.
    pub others: Raster,
    /// The pair's bodies.
    pub pair: [Raster; 2],
}

impl Seen {
    /// Draws the triangles of the scene's parts.
    pub fn through(camera: &Camera, scene: &Scene<'_>, triangles: &[Vec<Triangle>]) -> Seen {
        let empty = || Raster::new(camera);
        let mut seen = Seen { others: empty(), pair: [empty(), empty()] };
        for (number, (part, triangles)) in (1..).zip(scene.parts.iter().zip(triangles)) {
            let raster = match part.role {
                Role::First => &mut seen.pair[0],
                Role::Second => &mut seen.pair[1],
                Role::Link | Role::Obstacle => &mut seen.others,
            };
            raster.draw(camera, number, triangles);
        }
        seen
    }

    /// What is seen in a cell: the body of the pair in front, the one behind it, and the rest.
    pub fn at(&self, cell: usize) -> [Cell; 3] {
        let [a, b] = [&self.pair[0].cells[cell], &self.pair[1].cells[cell]];
        let (front, back) = if a.part != 0 && a.before(b) { (a, b) } else { (b, a) };
        [*front, *back, self.others.cells[cell]]
    }

    /// How many cells there are.
    pub fn count(&self) -> usize {
        self.others.cells.len()
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
pub fn paths(width: usize, scene: &Scene<'_>, seen: &Seen, most: usize) -> Option<(String, bool)> {
    LEVELS.iter().find_map(|level| {
        let drawn = at_level(width, scene, seen, level);
        (drawn.len() <= most).then_some((drawn, level.drops))
    })
}

/// The content of a cell as a number: part, whether something is in front of it, shade.
fn label(part: u32, hidden: bool, shade: u8) -> u32 {
    part << 4 | u32::from(hidden) << 3 | u32::from(shade)
}

fn at_level(width: usize, scene: &Scene<'_>, seen: &Seen, level: &Level) -> String {
    let shade = |s: u8| match level.shades {
        1 => 2,
        2 => s / 2 * 2 + 1,
        _ => s,
    };
    let cells = (0..seen.count()).map(|cell| match seen.at(cell) {
        [front, _, other] if front.part == 0 && other.part == 0 => NOTHING,
        [front, _, other] if front.part == 0 => label(other.part, false, shade(other.shade)),
        [front, _, other] if front.before(&other) => label(front.part, false, shade(front.shade)),
        [front, ..] => label(front.part, true, 0),
    });
    let mut labels = Labels { width, cells: cells.collect() };
    let role =
        |label: u32| (label >> 4).checked_sub(1).and_then(|i| scene.parts.get(i as usize)).map(|p| p.role);
    let of_pair = |label: u32| role(label).is_some_and(Role::is_of_pair);
    labels.merge_specks(level.least, |from, to| {
        // A speck joins a region of its own body that is seen, or hidden, as it is. If there is too much to
        // draw, that need not be the same.
        let bits = if level.drops { 4 } else { 3 };
        let same_body = from != NOTHING && to != NOTHING && from >> bits == to >> bits;
        same_body || (level.drops && !of_pair(from) && from != NOTHING)
    });

    // One path for each tone, whatever bodies have it.
    let tone = |label: u32| match role(label) {
        None => NOTHING,
        Some(role) => 1 + (role as u32) * 8 + if label & 8 != 0 { u32::from(SHADES) } else { label & 7 },
    };
    let tones = Labels { width, cells: labels.cells.iter().map(|l| tone(*l)).collect() };
    let mut fills: BTreeMap<u32, String> = BTreeMap::new();
    closed(&tones, level.tolerance, &mut fills);
    let mut svg = String::new();
    for (tone, path) in fills {
        let class = ["a", "b", "l", "o"][((tone - 1) / 8) as usize & 3];
        // Writing to a string cannot fail.
        let _ = write!(svg, "<path class=\"{class}{}\" d=\"{path}\"/>", (tone - 1) % 8);
    }
    through(&mut svg, width, scene, seen, level);
    lines(&mut svg, &labels, level.tolerance, of_pair);
    svg
}

/// Draws the part of one body of the pair that is behind the other, as if through glass.
fn through(svg: &mut String, width: usize, scene: &Scene<'_>, seen: &Seen, level: &Level) {
    let cells = (0..seen.count()).map(|cell| seen.at(cell)[1].part);
    let mut labels = Labels { width, cells: cells.collect() };
    labels.merge_specks(level.least, |_, _| true);
    let mut paths: BTreeMap<u32, String> = BTreeMap::new();
    closed(&labels, level.tolerance, &mut paths);
    for (part, path) in paths {
        let first = scene.parts.get(part as usize - 1).is_some_and(|p| p.role == Role::First);
        let class = if first { "glass_a" } else { "glass_b" };
        let _ = write!(svg, "<path class=\"{class}\" d=\"{path}\"/>");
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
    let bodies = Labels { width: labels.width, cells: labels.cells.iter().map(|l| l & !7).collect() };
    let mut paths: BTreeMap<&str, String> = BTreeMap::new();
    for piece in bodies.borders(tolerance) {
        if piece.beyond == OUTSIDE || (piece.beyond != NOTHING && piece.beyond > piece.of) {
            continue;
        }
        let class =
            match (of_pair(piece.of) && piece.of & 8 == 0, of_pair(piece.beyond) && piece.beyond & 8 == 0) {
                (false, false) if of_pair(piece.of) || of_pair(piece.beyond) => "hid",
                (false, false) => "rim",
                _ => "edge",
            };
        add(paths.entry(class).or_default(), &piece, true);
    }
    for class in ["rim", "hid", "edge"] {
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
