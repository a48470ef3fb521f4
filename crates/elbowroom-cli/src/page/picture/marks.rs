//! Marks over a view: the nearest points and the vector between them, the axes, and a bar of known length.

use super::camera::Camera;
use super::drawing::SeenRegions;
use super::labels::ViewLabels;
use crate::page::ticks::round_length;
use elbowroom::math::{Vec3, vec3};
use elbowroom::pair::Witness;
use std::fmt::Write;

/// Shorter vectors (units) cannot be seen: a ring says where they are.
const VISIBLE: f64 = 36.0;

/// The marks of a view as SVG. `close` for the close-up, where the points have their letters. The axes stand
/// where they cover least of what is `seen`; in a view that is one of many they keep their place.
pub fn marks(camera: &Camera, witness: Option<&Witness>, close: bool, seen: Option<&SeenRegions>) -> String {
    let mut svg = String::new();
    let mut labels = ViewLabels::new(camera);
    if let Some(witness) = witness {
        draw_witness_points(&mut svg, camera, witness);
    }
    // Its words have one place, so that the others make way.
    let mut bar_svg = String::new();
    draw_scale_bar(&mut bar_svg, camera, &mut labels);
    if let Some(witness) = witness.filter(|_| close) {
        draw_letters(&mut svg, camera, witness, &mut labels);
    }
    draw_axes(&mut svg, camera, axes_origin(camera, seen), &mut labels);
    svg + &bar_svg
}

/// The length of the vector in a view (units).
pub fn seen_length(camera: &Camera, witness: &Witness) -> f64 {
    let [a, b] = [witness.a, witness.b].map(|p| camera.project(p));
    let [x, y] = [a[0] - b[0], a[1] - b[1]];
    (x * x + y * y).sqrt()
}

fn draw_witness_points(svg: &mut String, camera: &Camera, witness: &Witness) {
    let [a, b] = [witness.a, witness.b].map(|p| camera.project(p));
    let long = seen_length(camera, witness);
    // Writing to a string cannot fail, here and below.
    if long < VISIBLE {
        let [x, y] = [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
        let _ = write!(
            svg,
            "<circle class=\"ring halo\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"24\"/>\
             <circle class=\"ring\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"24\"/>"
        );
    }
    let line = format!("d=\"M{:.1} {:.1}L{:.1} {:.1}\"", b[0], b[1], a[0], a[1]);
    let _ = write!(svg, "<path class=\"vector halo\" {line}/><path class=\"vector\" {line}/>");
    for (class, [x, y, _]) in [("at_b", b), ("at_a", a)] {
        let r = if long < VISIBLE { 4.0 } else { 7.0 };
        let _ = write!(svg, "<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{r}\"/>");
    }
}

/// The letters of the nearest points. They stand beside the vector, so that they hide neither it nor the
/// surfaces at its ends.
fn draw_letters(svg: &mut String, camera: &Camera, witness: &Witness, labels: &mut ViewLabels) {
    let [a, b] = [witness.a, witness.b].map(|p| camera.project(p));
    let long = seen_length(camera, witness);
    if long < VISIBLE {
        return;
    }
    let [x, y] = [0, 1].map(|k| (a[k] - b[k]) / long);
    for (letter, p, side) in [("A", a, 1.0), ("B", b, -1.0)] {
        let beside = |along: f64, across: f64| {
            let [along, across] = [along * side, across];
            [p[0] + along * x - across * y, p[1] + along * y + across * x + 9.0]
        };
        let places = [(26.0, 23.0), (26.0, -23.0), (0.0, 34.0), (0.0, -34.0), (40.0, 0.0)];
        labels.put_letter(svg, letter, &places.map(|(along, across)| beside(along, across)));
    }
}

/// How long the axes are drawn (units).
fn axes_length(camera: &Camera) -> f64 {
    0.02 * (camera.size.width + camera.size.height) as f64 + 18.0
}

/// Where the axes begin: in the corner below on the left, or in one above, where they cover less.
fn axes_origin(camera: &Camera, seen: Option<&SeenRegions>) -> [f64; 2] {
    let room = axes_length(camera) + 28.0;
    let [width, height] = [camera.size.width as f64, camera.size.height as f64];
    let (left, right) = (room + 6.0, width - room - 6.0);
    let places = [[left, height - room], [left, room], [right, room]];
    let covered = |[x, y]: &[f64; 2]| {
        let area = [x - room, y - room, x + room, y + room];
        seen.map_or(0, |seen| seen.covered_cells(area))
    };
    places.into_iter().min_by_key(covered).unwrap_or(places[0])
}

/// The world's axes, as far as they are seen from here.
fn draw_axes(svg: &mut String, camera: &Camera, origin: [f64; 2], labels: &mut ViewLabels) {
    let long = axes_length(camera);
    let directions = [("x", vec3(1.0, 0.0, 0.0)), ("y", vec3(0.0, 1.0, 0.0)), ("z", vec3(0.0, 0.0, 1.0))];
    for (name, direction) in directions {
        let [x, y, _] = camera.axes.turn_point(direction);
        let seen = (x * x + y * y).sqrt();
        if seen < 0.3 {
            continue;
        }
        let end = [origin[0] + long * x, origin[1] - long * y];
        let line = format!("M{:.1} {:.1}L{:.1} {:.1}", origin[0], origin[1], end[0], end[1]);
        let _ = write!(svg, "<path class=\"halo\" d=\"{line}\"/><path class=\"axis\" d=\"{line}\"/>");
        // Behind the end of the axis, or beside it.
        let [x, y] = [x / seen, y / seen];
        let beside = |along: f64, across: f64| {
            [end[0] + along * x + across * y, end[1] - along * y + across * x + 7.0]
        };
        let places = [(15.0, 0.0), (8.0, 16.0), (8.0, -16.0), (32.0, 0.0), (0.0, 22.0), (0.0, -22.0)];
        labels.put_words(svg, name, &places.map(|(along, across)| beside(along, across)));
    }
}

/// A bar of a round length.
fn draw_scale_bar(svg: &mut String, camera: &Camera, labels: &mut ViewLabels) {
    let (metres, words) = round_length(0.28 * camera.size.width as f64 / camera.scale);
    let (right, below) = (camera.size.width as f64 - 20.0, camera.size.height as f64 - 20.0);
    let left = right - metres * camera.scale;
    let line =
        format!("M{left:.1} {0:.1}v12M{left:.1} {below:.1}H{right:.1}M{right:.1} {0:.1}v12", below - 6.0);
    let _ = write!(svg, "<path class=\"halo\" d=\"{line}\"/><path class=\"axis\" d=\"{line}\"/>");
    labels.put_words(svg, &words, &[[0.5 * (left + right), below - 13.0]]);
}

/// A direction at right angles to a vector, as near to another as such a direction can be.
pub fn across(vector: Vec3, wish: Vec3) -> Option<Vec3> {
    let along = vector.normalized()?;
    let flat = wish - along * wish.dot(along);
    if flat.norm() > 0.1 { flat.normalized() } else { Some(along.any_perpendicular()) }
}
