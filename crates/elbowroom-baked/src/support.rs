//! The farthest point of a shape along a direction.

use crate::arithmetic::{V3, add, dot, root, scaled};
use crate::frames::Frame;
use crate::world::{BakedShape, Core};

/// A point of a core from the shape's centre, in the cell, and how high it is along the direction (metres).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Farthest {
    pub point: V3,
    pub height: f32,
}

/// A shape in the cell.
#[derive(Clone, Copy)]
pub(crate) struct Placed<'a> {
    pub shape: &'a BakedShape,
    pub frame: &'a Frame,
    pub vertices: &'a [V3],
    pub center: V3,
}

/// `axis` with the sign of `along`.
#[inline(always)]
fn signed(axis: V3, along: f32) -> V3 {
    if along < 0.0 { scaled(axis, -1.0) } else { axis }
}

/// The farthest point of a disc of two half axes: its height, and the point.
#[inline(always)]
fn farthest_of_disc(axes: &[V3; 3], along: V3) -> (f32, V3) {
    let height = root(along[0] * along[0] + along[1] * along[1]);
    let share = if height > 0.0 { 1.0 / height } else { 0.0 };
    let point = add(scaled(axes[0], along[0] * share), scaled(axes[1], along[1] * share));
    (height, point)
}

impl Placed<'_> {
    /// The farthest point of the core along a direction of the cell, of length 1. Its height is what the
    /// bound stands on; the point only leads the search.
    #[inline]
    pub fn farthest_along(&self, direction: V3) -> Farthest {
        let d = self.frame.turn_in(direction);
        let axes = &self.shape.axes;
        let along = [dot(axes[0], d), dot(axes[1], d), dot(axes[2], d)];
        let (height, point) = match self.shape.core {
            Core::Point => (0.0, [0.0; 3]),
            Core::Segment => (along[2].abs(), signed(axes[2], along[2])),
            Core::Box => {
                let sum = add(signed(axes[0], along[0]), signed(axes[1], along[1]));
                (along[0].abs() + along[1].abs() + along[2].abs(), add(sum, signed(axes[2], along[2])))
            }
            Core::Cylinder => {
                let (height, point) = farthest_of_disc(axes, along);
                (height + along[2].abs(), add(point, signed(axes[2], along[2])))
            }
            Core::Cone => {
                let (height, point) = farthest_of_disc(axes, along);
                if along[2] >= height - along[2] {
                    (along[2], axes[2])
                } else {
                    (height - along[2], add(point, scaled(axes[2], -1.0)))
                }
            }
            Core::Ellipsoid => {
                let height = root(dot(along, along));
                let share = if height > 0.0 { 1.0 / height } else { 0.0 };
                let flat = add(scaled(axes[0], along[0] * share), scaled(axes[1], along[1] * share));
                (height, add(flat, scaled(axes[2], along[2] * share)))
            }
            Core::Hull { .. } => {
                let mut best = (f32::NEG_INFINITY, [0.0; 3]);
                for vertex in self.vertices {
                    let height = dot(*vertex, along);
                    if height > best.0 {
                        best = (height, *vertex);
                    }
                }
                let p = best.1;
                let flat = add(scaled(axes[0], p[0]), scaled(axes[1], p[1]));
                (best.0, add(flat, scaled(axes[2], p[2])))
            }
        };
        Farthest { point: self.frame.turn_out(point), height }
    }
}
