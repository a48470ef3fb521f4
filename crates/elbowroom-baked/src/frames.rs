//! Joint values to frames, and the centres of all shapes.

use crate::arithmetic::{V3, add, dot, scaled, sine_cosine};
use crate::world::{BakedWorld, JointMotion};

/// A frame in the cell: columns of its rotation, and its origin (metres).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    pub axes: [V3; 3],
    pub origin: V3,
}

impl Frame {
    pub const CELL: Frame =
        Frame { axes: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]], origin: [0.0; 3] };

    /// A direction of the frame in the cell.
    #[inline(always)]
    pub fn turn_out(&self, d: V3) -> V3 {
        let [x, y, z] = self.axes;
        add(add(scaled(x, d[0]), scaled(y, d[1])), scaled(z, d[2]))
    }
    /// A direction of the cell in the frame.
    #[inline(always)]
    pub fn turn_in(&self, d: V3) -> V3 {
        [dot(self.axes[0], d), dot(self.axes[1], d), dot(self.axes[2], d)]
    }
    /// A point of the frame in the cell.
    #[inline(always)]
    pub fn place_point(&self, p: V3) -> V3 {
        add(self.turn_out(p), self.origin)
    }
}

/// Work space: frames of `JOINTS` joints and centres of `SHAPES` shapes. `bake` prints both numbers.
#[derive(Clone, Debug)]
pub struct Scratch<const JOINTS: usize, const SHAPES: usize> {
    pub(crate) frames: [Frame; JOINTS],
    pub(crate) centers: [V3; SHAPES],
}

impl<const JOINTS: usize, const SHAPES: usize> Scratch<JOINTS, SHAPES> {
    /// Nothing is computed yet.
    pub const fn new() -> Self {
        Scratch { frames: [Frame::CELL; JOINTS], centers: [[0.0; 3]; SHAPES] }
    }
}

impl<const JOINTS: usize, const SHAPES: usize> Default for Scratch<JOINTS, SHAPES> {
    fn default() -> Self {
        Scratch::new()
    }
}

/// A world at joint values.
pub(crate) struct Posed<'a> {
    pub world: &'a BakedWorld<'a>,
    pub frames: &'a [Frame],
    pub centers: &'a [V3],
}

impl Posed<'_> {
    /// A frame by its number; `None` for one that the world does not have.
    #[inline]
    pub fn frame(&self, number: u16) -> Option<&Frame> {
        frame_of(self.frames, number)
    }
}

#[inline]
fn frame_of(frames: &[Frame], number: u16) -> Option<&Frame> {
    const CELL: Frame = Frame::CELL;
    match number {
        0 => Some(&CELL),
        _ => frames.get(usize::from(number) - 1),
    }
}

/// Whether these are values within limits. A value that is not a number is not.
fn are_within(world: &BakedWorld, values: &[f32]) -> bool {
    let within = |(v, [lower, upper]): (&f32, &[f32; 2])| *v >= *lower && *v <= *upper;
    values.len() == world.limits.len() && values.iter().zip(world.limits).all(within)
}

/// The world at these values; `None` for values that are refused, for a work space that is too small, and
/// where no pair is checked.
pub(crate) fn pose_world<'a>(
    world: &'a BakedWorld<'a>,
    values: &[f32],
    frames: &'a mut [Frame],
    centers: &'a mut [V3],
) -> Option<Posed<'a>> {
    let has_room = frames.len() >= world.joints.len() && centers.len() >= world.shapes.len();
    if !(has_room && are_within(world, values)) || world.pairs.is_empty() {
        return None;
    }
    for (number, joint) in world.joints.iter().enumerate() {
        let (above, rest) = frames.split_at_mut_checked(number)?;
        let parent = frame_of(above, joint.parent)?;
        let moved = joint.scale * values.get(usize::from(joint.value))? + joint.offset;
        let mut origin = parent.place_point(joint.origin);
        let [mut x, mut y, z] = joint.axes.map(|axis| parent.turn_out(axis));
        match joint.kind {
            JointMotion::Turn => {
                let (s, c) = sine_cosine(moved);
                (x, y) = (add(scaled(x, c), scaled(y, s)), add(scaled(y, c), scaled(x, -s)));
            }
            JointMotion::Slide => origin = add(origin, scaled(z, moved)),
        }
        *rest.first_mut()? = Frame { axes: [x, y, z], origin };
    }
    for body in world.bodies {
        let frame = *frame_of(frames, body.frame)?;
        let (first, count) = (usize::from(body.first), usize::from(body.count));
        let shapes = world.shapes.get(first..first + count)?;
        for (center, shape) in centers.get_mut(first..first + count)?.iter_mut().zip(shapes) {
            *center = frame.place_point(shape.center);
        }
    }
    Some(Posed { world, frames, centers })
}
