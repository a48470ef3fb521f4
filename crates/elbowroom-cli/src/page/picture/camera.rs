//! Where a picture is seen from: parallel projection, so that lengths in it can be measured.

use elbowroom::math::{Vec3, sin_cos, vec3};

/// A picture's width and height in its own units; one unit is one cell of the raster.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Size {
    /// Units from left to right.
    pub width: usize,
    /// Units from top to bottom.
    pub height: usize,
}

/// Unit vectors of a view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axes {
    /// To the right in the picture.
    pub right: Vec3,
    /// Upward in the picture.
    pub up: Vec3,
    /// From the scene to the viewer.
    pub toward: Vec3,
}

impl Axes {
    /// Seen from a direction, with the world's z upward where that has a meaning and y where it has none.
    pub fn from(toward: Vec3) -> Option<Axes> {
        let toward = toward.normalized()?;
        let z = vec3(0.0, 0.0, 1.0);
        let above = if toward.x.abs().max(toward.y.abs()) < 1e-6 { vec3(0.0, 1.0, 0.0) } else { z };
        let right = above.cross(toward).normalized()?;
        Some(Axes { right, up: toward.cross(right), toward })
    }

    /// Seen obliquely from above, at an angle around z (radians).
    pub fn oblique(around: f64) -> Axes {
        // Low enough to tell heights, high enough to tell what is behind what.
        let ((s, c), (sin, cos)) = (sin_cos(around), sin_cos(0.46));
        let toward = vec3(cos * c, cos * s, sin);
        let right = vec3(-s, c, 0.0);
        Axes { right, up: toward.cross(right), toward }
    }

    /// Coordinates to the right, upward and toward the eye (metres).
    pub fn turn_point(&self, p: Vec3) -> [f64; 3] {
        [p.dot(self.right), p.dot(self.up), p.dot(self.toward)]
    }
}

/// A view of a part of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// From where.
    pub axes: Axes,
    /// The middle of the picture, in the coordinates of `axes` (metres).
    center: [f64; 2],
    /// Units a metre.
    pub scale: f64,
    /// The picture.
    pub size: Size,
}

/// How far points reach in the coordinates of some axes (metres).
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    low: [f64; 2],
    high: [f64; 2],
}

impl Extent {
    /// Of no point.
    pub const NOTHING: Extent = Extent { low: [f64::INFINITY; 2], high: [f64::NEG_INFINITY; 2] };

    /// Adds points.
    pub fn extend(&mut self, axes: &Axes, points: impl Iterator<Item = Vec3>) {
        for p in points {
            let [x, y, _] = axes.turn_point(p);
            for (k, value) in [x, y].into_iter().enumerate() {
                self.low[k] = self.low[k].min(value);
                self.high[k] = self.high[k].max(value);
            }
        }
    }
}

impl Camera {
    /// Shows all the points, with some room around; `None` where they are not finite.
    pub fn around(axes: Axes, size: Size, points: impl Iterator<Item = Vec3>) -> Option<Camera> {
        let mut extent = Extent::NOTHING;
        extent.extend(&axes, points);
        Camera::fit_extent(axes, size, &extent)
    }

    /// Shows an extent, with some room around; `None` where it is not finite.
    pub fn fit_extent(axes: Axes, size: Size, Extent { low, high }: &Extent) -> Option<Camera> {
        let [width, height] = [high[0] - low[0], high[1] - low[1]].map(|w| w.max(1e-9));
        let room = 0.86;
        let scale = (room * size.width as f64 / width).min(room * size.height as f64 / height);
        let center = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])];
        let sound = scale.is_finite() && scale > 0.0 && center.iter().all(|x| x.is_finite());
        sound.then_some(Camera { axes, center, scale, size })
    }

    /// Shows a window of some width (metres) about a point.
    pub fn window(axes: Axes, size: Size, middle: Vec3, width: f64) -> Option<Camera> {
        let [x, y, _] = axes.turn_point(middle);
        let scale = size.width as f64 / width;
        (scale.is_finite() && scale > 0.0 && x.is_finite() && y.is_finite()).then_some(Camera {
            axes,
            center: [x, y],
            scale,
            size,
        })
    }

    /// This view at another size of the picture.
    pub fn resized(&self, size: Size) -> Camera {
        let factor =
            (size.width as f64 / self.size.width as f64).min(size.height as f64 / self.size.height as f64);
        Camera { scale: self.scale * factor, size, ..*self }
    }

    /// Whether a place in the picture lies within its round edge, at which bodies end that go on beyond it.
    pub fn is_within(&self, x: f64, y: f64) -> bool {
        let [u, v] =
            [x / self.size.width as f64, y / self.size.height as f64].map(|t| (2.0 * t - 1.0) / 0.97);
        u.powi(4) + v.powi(4) <= 1.0
    }

    /// Units to the right of the left edge, units below the upper edge, and how near to the eye (units).
    pub fn project(&self, p: Vec3) -> [f64; 3] {
        let [x, y, z] = self.axes.turn_point(p);
        [
            0.5 * self.size.width as f64 + (x - self.center[0]) * self.scale,
            0.5 * self.size.height as f64 - (y - self.center[1]) * self.scale,
            z * self.scale,
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_points_are_in_the_picture() {
        let points = [vec3(-1.0, 2.0, 0.5), vec3(3.0, 2.5, -0.5), vec3(1.0, -4.0, 9.0)];
        let size = Size { width: 300, height: 200 };
        let up = vec3(0.0, 0.0, 1.0);
        for axes in [Axes::oblique(1.0), Axes::from(up).unwrap(), Axes::from(vec3(-1.0, 0.2, 0.0)).unwrap()] {
            let [r, u, t] = [axes.right, axes.up, axes.toward];
            assert!((r.cross(u) - t).norm() < 1e-12 && (r.norm() - 1.0).abs() < 1e-12, "{axes:?}");
            let camera = Camera::around(axes, size, points.into_iter()).unwrap();
            for p in points {
                let [x, y, _] = camera.project(p);
                assert!((0.0..=300.0).contains(&x) && (0.0..=200.0).contains(&y), "{x} {y}");
            }
        }
        // From above x goes to the right and y upward.
        assert_eq!(Axes::from(up).unwrap().turn_point(vec3(1.0, 2.0, 3.0)), [1.0, 2.0, 3.0]);
        assert!(Axes::from(Vec3::ZERO).is_none());
        let nowhere = [vec3(f64::INFINITY, 0.0, 0.0)];
        assert!(Camera::around(Axes::oblique(0.0), size, nowhere.into_iter()).is_none());
    }
}
