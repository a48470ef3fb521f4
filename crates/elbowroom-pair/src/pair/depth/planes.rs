//! The point nearest to the origin beyond a few planes.

use crate::pair::tolerance::{PLANES, PLANES_LEVEL, PLANES_PARALLEL};
use elbowroom_describe::math::{Vec3, sqrt};

/// Half spaces `normal . x >= height` with unit normals.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    plane: [(Vec3, f64); PLANES],
    len: usize,
}

impl Planes {
    pub const NONE: Planes = Planes { plane: [(Vec3::ZERO, 0.0); PLANES], len: 0 };

    /// Adds one. One too many is left out.
    pub fn add(&mut self, normal: Vec3, height: f64) {
        if let Some(plane) = self.plane.get_mut(self.len) {
            *plane = (normal, height);
            self.len += 1;
        }
    }

    /// Adds one. If there is no room, the first makes it.
    pub fn add_last(&mut self, normal: Vec3, height: f64) {
        if self.len == PLANES {
            self.drop_first();
        }
        self.add(normal, height);
    }

    /// Forgets the plane that was added first.
    pub fn drop_first(&mut self) {
        self.plane.copy_within(1..self.len, 0);
        self.len -= 1;
    }

    pub fn len(&self) -> usize {
        self.len
    }

    /// The nearest point beyond all of them; none where they leave none.
    pub fn nearest(&self) -> Option<Vec3> {
        self.nearest_beyond(0.0)
    }

    /// The nearest point that is at least `gap` beyond all of them; none where they leave none. They are
    /// taken one after the other: where
    /// the point so far is not beyond one, the nearest point lies on that one (Seidel, "Small-dimensional
    /// linear programming and convex hulls made easy", 1991).
    pub fn nearest_beyond(&self, gap: f64) -> Option<Vec3> {
        let mut moved = self.plane;
        let planes = &mut moved[..self.len];
        planes.iter_mut().for_each(|plane| plane.1 += gap);
        let slack = PLANES_LEVEL * planes.iter().fold(0.0_f64, |most, plane| most.max(plane.1.abs()));
        let is_beyond = |x: Vec3, (n, h): (Vec3, f64)| n.dot(x) >= h - slack;
        let mut x = Vec3::ZERO;
        for (i, &plane) in planes.iter().enumerate() {
            if !is_beyond(x, plane) {
                x = nearest_on_plane(plane, &planes[..i], is_beyond)?;
            }
        }
        x.is_finite().then_some(x)
    }
}

/// The point of a plane nearest to the origin that is beyond others.
fn nearest_on_plane(
    (n, h): (Vec3, f64),
    others: &[(Vec3, f64)],
    is_beyond: impl Fn(Vec3, (Vec3, f64)) -> bool,
) -> Option<Vec3> {
    let mut x = n * h;
    for (j, &(m, g)) in others.iter().enumerate() {
        if is_beyond(x, (m, g)) {
            continue;
        }
        let cosine = n.dot(m);
        let square = 1.0 - cosine * cosine;
        if square < PLANES_PARALLEL {
            return None;
        }
        let base = n * ((h - cosine * g) / square) + m * ((g - cosine * h) / square);
        x = nearest_on_line(base, n.cross(m) * (1.0 / sqrt(square)), &others[..j])?;
    }
    Some(x)
}

/// The point of a line nearest to the origin that is beyond planes. `base` is its point nearest to the
/// origin, `along` its unit direction.
fn nearest_on_line(base: Vec3, along: Vec3, planes: &[(Vec3, f64)]) -> Option<Vec3> {
    let (mut least, mut most) = (f64::NEG_INFINITY, f64::INFINITY);
    for &(k, f) in planes {
        let (rise, missing) = (k.dot(along), f - k.dot(base));
        if rise * rise > PLANES_PARALLEL {
            let at = missing / rise;
            if rise > 0.0 { least = least.max(at) } else { most = most.min(at) }
        } else if missing > PLANES_LEVEL * f.abs() {
            return None;
        }
    }
    (least <= most).then(|| base + along * 0.0_f64.clamp(least, most))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;
    use elbowroom_describe::math::vec3;

    #[test]
    fn the_nearest_point_beyond_planes_is_beyond_them_and_none_is_nearer() {
        let mut rng = Rng::new(7);
        let (mut found, mut none) = ([0; 4], 0);
        for _ in 0..3000 {
            let count = 1 + rng.below(5);
            let mut planes = Planes::NONE;
            for _ in 0..count {
                planes.add(rng.direction(), rng.range(-0.2, 1.0));
            }
            let beyond = |x: Vec3| planes.plane[..count].iter().all(|(n, h)| n.dot(x) >= h - 1e-8);
            let Some(x) = planes.nearest() else {
                none += 1;
                continue;
            };
            assert!(beyond(x));
            let on = planes.plane[..count].iter().filter(|(n, h)| (n.dot(x) - h).abs() < 1e-8).count();
            found[on.min(3)] += 1;
            for _ in 0..100 {
                let y = x + rng.direction() * rng.range(0.0, 0.5);
                assert!(!beyond(y) || y.norm() > x.norm() - 1e-6, "{x:?} {y:?}");
            }
        }
        assert!(found.iter().all(|n| *n > 20) && none > 20, "{found:?} {none}");
        let mut opposite = Planes::NONE;
        opposite.add(Vec3::X, 1.0);
        opposite.add(vec3(-1.0, 0.0, 0.0), 1.0);
        assert!(opposite.nearest().is_none());
    }
}
