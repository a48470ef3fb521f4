//! The edges of large bodies: where their faces meet at an angle, or end. A body that is seen through is
//! these lines, with next to nothing between them.

use super::camera::Camera;
use super::raster::Raster;
use super::surface::Triangle;
use elbowroom::math::Vec3;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Faces whose normals have at least this cosine between them meet smoothly (20 degrees).
const SMOOTH: f64 = 0.94;

/// Most edges of all bodies together: of more, the longest.
const MOST: usize = 400;

/// The step in which an edge is looked at (units).
const STEP: f64 = 3.0;

/// What is on a surface is not behind it (units).
const ON: f64 = 4.0;

/// An edge, and whether its body ends at the picture's round edge.
#[derive(Clone, Copy, Debug)]
pub struct Crease {
    ends: [Vec3; 2],
    goes_on: bool,
}

/// The edges of bodies, each given by its triangles and whether it goes on beyond the picture.
pub fn creases<'t>(bodies: impl Iterator<Item = (&'t [Triangle], bool)>) -> Vec<Crease> {
    let mut all = Vec::new();
    for (triangles, goes_on) in bodies {
        let mut faces: BTreeMap<[[u64; 3]; 2], (Crease, Vec<Vec3>)> = BTreeMap::new();
        for [a, b, c] in triangles {
            let Some(normal) = (*b - *a).cross(*c - *a).normalized() else { continue };
            for ends in [[*a, *b], [*b, *c], [*c, *a]] {
                let mut key = ends.map(|p| p.to_array().map(|x| (x + 0.0).to_bits()));
                key.sort_unstable();
                faces.entry(key).or_insert((Crease { ends, goes_on }, Vec::new())).1.push(normal);
            }
        }
        let sharp = |normals: &[Vec3]| match normals {
            [one, other] => one.dot(*other) < SMOOTH,
            _ => true,
        };
        all.extend(faces.into_values().filter(|(_, normals)| sharp(normals)).map(|(crease, _)| crease));
    }
    let long = |crease: &Crease| (crease.ends[1] - crease.ends[0]).norm();
    all.sort_by(|a, b| long(b).total_cmp(&long(a)));
    all.truncate(MOST);
    all
}

/// The parts of edges that nothing solid hides, as a path.
pub fn path(camera: &Camera, solids: &Raster, creases: &[Crease]) -> String {
    let mut path = String::new();
    for Crease { ends, goes_on } in creases {
        let [from, to] = ends.map(|p| camera.project(p));
        let [dx, dy] = [to[0] - from[0], to[1] - from[1]];
        let long = (dx * dx + dy * dy).sqrt();
        // An edge may lead far beyond the picture; steps are counted for the picture's own size.
        let most = 4.0 * (camera.size.width + camera.size.height) as f64;
        let steps = (long.min(most) / STEP).ceil();
        if !(steps >= 1.0) {
            continue;
        }
        let at = |k: f64| [0, 1, 2].map(|i| from[i] + (to[i] - from[i]) * (k / steps));
        let visible = |[x, y, near]: [f64; 3]| {
            let within = !goes_on || camera.is_within(x, y);
            within && solids.cell_at(x, y).is_some_and(|cell| !cell.hides(near + ON))
        };
        let mut begun: Option<[f64; 3]> = None;
        for k in 0..=steps as usize {
            let place = at(k as f64);
            let seen = visible(place);
            let last = k == steps as usize;
            match begun {
                None if seen => begun = Some(place),
                Some(first) if !seen || last => {
                    let end = if seen { place } else { at(k as f64 - 1.0) };
                    // Writing to a string cannot fail.
                    let _ = write!(path, "M{:.0} {:.0}L{:.0} {:.0}", first[0], first[1], end[0], end[1]);
                    begun = None;
                }
                _ => {}
            }
        }
    }
    path
}

#[cfg(test)]
mod tests {
    use super::super::camera::{Axes, Size};
    use super::*;
    use elbowroom::math::vec3;

    #[test]
    fn flat_faces_have_no_lines_inside_and_what_is_hidden_has_none() {
        let quad = |z: f64, w: f64| {
            let [a, b, c, d] = [[-w, -w], [w, -w], [w, w], [-w, w]].map(|[x, y]| vec3(x, y, z));
            [[a, b, c], [a, c, d]]
        };
        let floor = quad(0.0, 1.0);
        let lines = creases([(&floor[..], false)].into_iter());
        assert_eq!(lines.len(), 4);
        let axes = Axes::from(vec3(0.0, 0.0, 1.0)).unwrap();
        let camera = Camera::window(axes, Size { width: 100, height: 100 }, Vec3::ZERO, 4.0).unwrap();
        let mut solids = Raster::new(&camera);
        assert_eq!(path(&camera, &solids, &lines).matches('M').count(), 4);
        // A plate above one half of it hides the lines there.
        let plate = quad(1.0, 1.5).map(|t| t.map(|p| p + vec3(1.5, 0.0, 0.0)));
        solids.draw(&camera, 1, &plate, false);
        let drawn = path(&camera, &solids, &lines);
        assert_eq!(drawn.matches('M').count(), 3, "{drawn}");
    }
}
