//! The point nearest to the origin beyond a few planes.

use crate::numeric::math::Vec3;
use crate::pair::tolerance::{PLANES_LEVEL, PLANES_PARALLEL, WAY_OUT_LOOKS};

/// Half spaces `normal . x >= height` with unit normals.
#[derive(Clone, Copy)]
pub(super) struct Planes {
    plane: [(Vec3, f64); WAY_OUT_LOOKS],
    len: usize,
}

impl Planes {
    pub const NONE: Planes = Planes { plane: [(Vec3::ZERO, 0.0); WAY_OUT_LOOKS], len: 0 };

    /// Adds one. One too many is left out.
    pub fn add(&mut self, normal: Vec3, height: f64) {
        if let Some(plane) = self.plane.get_mut(self.len) {
            *plane = (normal, height);
            self.len += 1;
        }
    }

    /// The nearest point beyond all of them; none where they leave none. It lies on one, two or three of the
    /// planes, and all combinations are tried.
    pub fn nearest(&self) -> Option<Vec3> {
        let planes = &self.plane[..self.len];
        let slack = PLANES_LEVEL * planes.iter().fold(0.0_f64, |m, p| m.max(p.1.abs()));
        let mut best: Option<(f64, Vec3)> = None;
        let mut take = |x: Vec3| {
            let far = x.norm_squared();
            let nearer = far.is_finite() && best.is_none_or(|(least, _)| far < least);
            if nearer && planes.iter().all(|(n, h)| n.dot(x) >= h - slack) {
                best = Some((far, x));
            }
        };
        take(Vec3::ZERO);
        for (i, &(n, h)) in planes.iter().enumerate() {
            take(n * h);
            for (j, &(m, g)) in planes[..i].iter().enumerate() {
                let cosine = n.dot(m);
                let square = 1.0 - cosine * cosine;
                if square < PLANES_PARALLEL {
                    continue;
                }
                take(n * ((h - cosine * g) / square) + m * ((g - cosine * h) / square));
                let across = n.cross(m);
                for &(k, f) in &planes[..j] {
                    let volume = k.dot(across);
                    if volume * volume > PLANES_PARALLEL {
                        take((across * f + m.cross(k) * h + k.cross(n) * g) * (1.0 / volume));
                    }
                }
            }
        }
        best.map(|(_, x)| x)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::numeric::math::vec3;
    use crate::rng::Rng;

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
