//! Points of clouds in a view: those that nothing hides, as dots of their size. Where they are dense, the one
//! that is nearest to the eye stands for those around it.

use super::camera::{Camera, Size};
use super::drawing::SeenRegions;
use super::scene::{Role, Scene};
use crate::limits::{DOT_AREA, PICTURE_POINTS};
use elbowroom::math::Vec3;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Edges of the squares of which each keeps a point (units), from fine to coarse.
const SQUARES: [usize; 8] = [1, 2, 4, 6, 9, 13, 20, 40];

/// How opaque dots are, from the farthest to the nearest, so that surfaces differ.
const BANDS: [f64; 5] = [0.3, 0.4, 0.5, 0.6, 0.75];

/// Points that are looked at to tell what should be in the picture.
const FRAMED_POINTS: usize = 4096;

/// A dot of fewer units is not seen.
const LEAST_DOT: f64 = 1.6;

/// A cloud that was seen.
#[derive(Clone, Copy, Debug)]
pub struct Cloud<'a> {
    /// What it is in the picture.
    pub role: Role,
    /// Radius of its points (metres).
    pub radius: f64,
    /// Its points (metres, world frame).
    pub points: &'a [[f64; 3]],
}

/// A place in a view, and how near it is to the eye (units).
#[derive(Clone, Copy)]
struct Dot {
    cloud: usize,
    at: [usize; 2],
    near: f64,
}

/// Dots as SVG, and whether some points have none though they could be seen.
pub fn dots(camera: &Camera, scene: &Scene<'_>, seen: &SeenRegions, clouds: &[Cloud<'_>]) -> (String, bool) {
    let all: usize = clouds.iter().map(|cloud| cloud.points.len()).sum();
    let step = all.div_ceil(PICTURE_POINTS).max(1);
    let mut visible = Vec::new();
    for (number, cloud) in clouds.iter().enumerate() {
        let reach = cloud.radius * camera.scale;
        let (center, far) = scene.around;
        let points = cloud.points.iter().step_by(step).map(|point| Vec3::from(*point));
        let near = points.filter(|point| (*point - center).norm() <= far + cloud.radius);
        visible.extend(near.filter_map(|point| dot(camera, seen, number, point, reach)));
    }
    let Size { width, height } = camera.size;
    let most = width * height / DOT_AREA;
    let kept = SQUARES.iter().map(|edge| (*edge, thinned(&visible, *edge)));
    let (edge, kept) = kept.into_iter().find(|(_, kept)| kept.len() <= most).unwrap_or_default();
    // Leaving out dots that fall on the same unit does not count.
    let thinned = step > 1 || edge != 1;
    let nears = || kept.iter().map(|dot| dot.near);
    let (far, near) = (nears().fold(f64::INFINITY, f64::min), nears().fold(f64::NEG_INFINITY, f64::max));
    let band = |dot: &Dot| {
        let part = (dot.near - far) / (near - far).max(1.0) * BANDS.len() as f64;
        (part as usize).min(BANDS.len() - 1)
    };
    let mut svg = String::new();
    for (number, cloud) in clouds.iter().enumerate() {
        let class = match cloud.role {
            Role::First => "dots_a",
            Role::Second => "dots_b",
            Role::Link | Role::Obstacle => "dots",
        };
        let wide = (2.0 * cloud.radius * camera.scale).max(LEAST_DOT);
        for (k, opacity) in BANDS.iter().enumerate() {
            let own = kept.iter().filter(|dot| dot.cloud == number && band(dot) == k);
            let path: String = own.map(|dot| format!("M{} {}h0", dot.at[0], dot.at[1])).collect();
            if !path.is_empty() {
                // Writing to a string cannot fail.
                let _ = write!(
                    svg,
                    "<path class=\"{class}\" stroke-width=\"{wide:.1}\" stroke-opacity=\"{opacity}\" \
                     d=\"{path}\"/>"
                );
            }
        }
    }
    (svg, thinned)
}

/// Some points of clouds, as far as they are drawn: enough to tell what should be in the picture.
pub fn framed(scene: &Scene<'_>, clouds: &[Cloud<'_>]) -> Vec<Vec3> {
    let all: usize = clouds.iter().map(|cloud| cloud.points.len()).sum();
    let step = all.div_ceil(FRAMED_POINTS).max(1);
    let (center, far) = scene.around;
    let points = clouds.iter().flat_map(|cloud| cloud.points.iter().step_by(step).map(|p| Vec3::from(*p)));
    points.filter(|point| (*point - center).norm() <= far).collect()
}

/// A point that is in the view and in front of everything; `reach` is its radius (units).
fn dot(camera: &Camera, seen: &SeenRegions, cloud: usize, point: Vec3, reach: f64) -> Option<Dot> {
    let [x, y, middle] = camera.project(point);
    // The side that is turned to the eye.
    let near = middle + reach;
    let hidden = seen.solids.cell_at(x, y).is_none_or(|cell| cell.hides(near));
    (!hidden).then_some(Dot { cloud, at: [x as usize, y as usize], near })
}

/// The nearest of the dots in each square, in the order of squares.
fn thinned(dots: &[Dot], edge: usize) -> Vec<Dot> {
    let mut squares: BTreeMap<[usize; 2], Dot> = BTreeMap::new();
    for dot in dots {
        let square = squares.entry([dot.at[1] / edge, dot.at[0] / edge]).or_insert(*dot);
        if dot.near > square.near {
            *square = *dot;
        }
    }
    squares.into_values().collect()
}
