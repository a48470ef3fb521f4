//! The bodies of the cell as the octree has them: boxes, classes, and which pairs are checked.

use super::script::cell_error;
use crate::error::LabError;
use crate::tran91::Compatibility;
use elbowroom::bounds::{AlignedBox, fit};
use elbowroom::math::{Vec3, vec3};
use elbowroom::world::{AllowedReason, BodyId, PairStatus};
use elbowroom::{Checker, World};
use std::collections::BTreeSet;

/// The bodies that have shapes.
pub struct Bodies {
    /// Each with the boxes of its shapes, own frame.
    pub boxes: Vec<(BodyId, Vec<AlignedBox>)>,
    /// Their classes: one for all that is fixed, and one of its own for each other.
    pub classes: Vec<u8>,
    /// Pairs that are checked, by their places here.
    pub checked: BTreeSet<[u32; 2]>,
}

impl Bodies {
    /// Those of a world.
    pub fn new(world: &World) -> Bodies {
        let mut boxes: Vec<(BodyId, Vec<AlignedBox>)> = Vec::new();
        for (id, _) in (0..).map(BodyId).zip(world.bodies()) {
            let of = world.shapes().iter().filter(|shape| shape.body == id);
            let around = of.filter_map(|shape| {
                let own = fit::fit_aligned_box(&fit::BallSet::of_shape(&shape.shape))?;
                Some(transformed_box(&own, |p| shape.shape_in_body().point(p)))
            });
            let around: Vec<AlignedBox> = around.collect();
            if !around.is_empty() {
                boxes.push((id, around));
            }
        }
        let place = |id: BodyId| boxes.iter().position(|(body, _)| *body == id).map(|place| place as u32);
        let (mut checked, mut fixed) = (BTreeSet::new(), BTreeSet::new());
        for (a, b, status) in world.all_pairs() {
            match (status, place(a), place(b)) {
                (PairStatus::Checked(_), Some(a), Some(b)) => _ = checked.insert([a.min(b), a.max(b)]),
                (PairStatus::Allowed(AllowedReason::BothFixed), Some(a), Some(b)) => fixed.extend([a, b]),
                _ => {}
            }
        }
        let mut next = 0;
        let classes = (0..boxes.len() as u32).map(|place| {
            next += u8::from(!fixed.contains(&place));
            if fixed.contains(&place) { 0 } else { next }
        });
        let classes = classes.collect();
        Bodies { boxes, classes, checked }
    }

    /// Boxes around all of them, world frame.
    pub fn world_boxes(&self, checker: &Checker) -> Vec<AlignedBox> {
        let around = |(id, boxes): &(BodyId, Vec<AlignedBox>)| {
            let Some(at) = checker.body_in_world(*id) else { return AlignedBox::EMPTY };
            let moved = boxes.iter().map(|own| transformed_box(own, |p| at.point(p)));
            moved.fold(AlignedBox::EMPTY, |a, b| a.join(&b))
        };
        self.boxes.iter().map(around).collect()
    }

    /// Which of their classes cannot collide.
    ///
    /// # Errors
    /// There are too many.
    pub fn compatibility_table(&self) -> Result<Compatibility, LabError> {
        let classes = self.classes.iter().max().map_or(0, |most| *most as usize + 1);
        let mut table =
            Compatibility::none_compatible(classes).ok_or_else(|| cell_error("too many bodies move"))?;
        let mut against = BTreeSet::new();
        for [a, b] in &self.checked {
            let [a, b] = [a, b].map(|place| self.classes[*place as usize]);
            against.insert([a.min(b), a.max(b)]);
        }
        for a in 0..classes as u8 {
            for b in a..classes as u8 {
                if !against.contains(&[a, b]) {
                    table.make_compatible(a, b);
                }
            }
        }
        Ok(table)
    }
}

/// The box around a box that was moved.
fn transformed_box(own: &AlignedBox, moved: impl Fn(Vec3) -> Vec3) -> AlignedBox {
    let (low, high) = (own.low, own.high);
    let corners = (0..8).map(|k: u32| {
        let pick = |bit: u32, low: f64, high: f64| if k >> bit & 1 == 1 { high } else { low };
        moved(vec3(pick(0, low.x, high.x), pick(1, low.y, high.y), pick(2, low.z, high.z)))
    });
    corners.fold(AlignedBox::EMPTY, |b, p| AlignedBox { low: b.low.min(p), high: b.high.max(p) })
}
