//! Cells like the paper's industrial one, which was never published: convex objects with nine corners on
//! average.
//!
//! Of ten objects five have eight corners, one six, two ten and two twelve: blocks, wedges and prisms,
//! tapered and turned about the vertical. Six of ten are small parts, three are machines, one is a table or a
//! wall. Each has so much `room`; a cell of `n` objects has the `n` nearest to the robot, so that all are as
//! dense. The column of the robot is left free.

use crate::limits::{CELL_HEIGHT, FREE_AROUND_ROBOT};
use elbowroom::math::Random;
use elbowroom::math::{Vec3, sin_cos, sqrt, vec3};

/// The corners of the `count` objects nearest to a robot at the origin, world frame (metres), of a cell of
/// `of` objects, each of which has so much `room` (cubic metres).
pub fn industrial_cell(count: usize, of: usize, room: f64, seed: u64) -> Vec<Vec<Vec3>> {
    let mut random = Random(seed);
    let half = 0.5 * sqrt(of as f64 * room / CELL_HEIGHT);
    let mut objects: Vec<(f64, Vec<Vec3>)> = Vec::with_capacity(of);
    while objects.len() < of {
        let corners = [8, 6, 8, 10, 8, 12, 8, 10, 8, 12][objects.len() % 10];
        let object = random_object(corners, half, &mut random);
        let around = |p: &Vec3| sqrt(p.x * p.x + p.y * p.y);
        if object.iter().any(|p| around(p) < FREE_AROUND_ROBOT) || middle_is_low(&object) {
            continue;
        }
        let middle = object.iter().fold(Vec3::ZERO, |s, p| s + *p) * (1.0 / corners as f64);
        objects.push((middle.norm(), object));
    }
    objects.sort_by(|a, b| a.0.total_cmp(&b.0));
    // The mean of nine corners is exact for the whole cell, and approximate if it is cut off at `count`.
    objects.into_iter().take(count).map(|(_, o)| o).collect()
}

/// Whether an object reaches over the robot's column, though no corner does.
fn middle_is_low(object: &[Vec3]) -> bool {
    let (mut low, mut high) = (object[0], object[0]);
    for p in object {
        (low, high) = (low.min(*p), high.max(*p));
    }
    let r = FREE_AROUND_ROBOT;
    low.x < r && high.x > -r && low.y < r && high.y > -r
}

fn random_object(corners: usize, half: f64, random: &mut Random) -> Vec<Vec3> {
    let size = match (random.unit() * 10.0) as u32 {
        0..=5 => [0.02, 0.06].map(|s| vec3(s, s, s)),
        6..=8 => [0.06, 0.15].map(|s| vec3(s, s, s)),
        _ => [vec3(0.2, 0.15, 0.01), vec3(0.4, 0.3, 0.03)],
    };
    let s = vec3(
        random.range(size[0].x, size[1].x),
        random.range(size[0].y, size[1].y),
        random.range(size[0].z, size[1].z),
    );
    let at = vec3(random.range(-half, half), random.range(-half, half), random.range(0.0, CELL_HEIGHT));
    let (sin, cos) = sin_cos(random.range(0.0, std::f64::consts::TAU));
    let taper = random.range(0.7, 1.0);
    // A wedge is a prism of three sides; what has an even number of corners is one of half as many.
    let sides = corners / 2;
    let mut points = Vec::with_capacity(corners);
    for (z, scale) in [(-s.z, 1.0), (s.z, taper)] {
        for k in 0..sides {
            let angle = std::f64::consts::TAU * (k as f64 + 0.5) / sides as f64;
            let (b, a) = sin_cos(angle);
            let (x, y) = (a * s.x * scale, b * s.y * scale);
            points.push(at + vec3(x * cos - y * sin, x * sin + y * cos, z));
        }
    }
    points
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::ROOM_OF_OBJECT;

    #[test]
    fn cells_have_the_numbers_of_the_paper() {
        for count in [40, 60, 80, 100, 157, 1000] {
            let cell = industrial_cell(count, 1000, ROOM_OF_OBJECT, 97);
            assert_eq!(cell.len(), count);
            let mean = cell.iter().map(Vec::len).sum::<usize>() as f64 / count as f64;
            assert!((8.5..=9.5).contains(&mean), "{count}: {mean}");
            assert_eq!(cell, industrial_cell(count, 1000, ROOM_OF_OBJECT, 97));
        }
    }
}
