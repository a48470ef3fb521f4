//! The octree: bodies come, move and go.

use super::counts::OctreeCounts;
use super::nodes::{NONE, ROOT};
use super::rule::Rule;
use super::span::{Grid, VoxelSpan};
use super::store::{Body, Store};
use crate::limits::OCTREE_BODIES;
use elbowroom::bounds::{AlignedBox, Ball};
use elbowroom::math::{Vec3, vec3};

/// What a body occupies.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BodyExtent {
    /// A box.
    Box(AlignedBox),
    /// A ball. It counts as the box around it.
    Ball(Ball),
}

impl BodyExtent {
    /// A box around it without NaN: a coordinate that is no number bounds nothing, and is infinite here. The
    /// box of a ball with a negative radius is empty.
    pub fn bounding_box(&self) -> AlignedBox {
        let AlignedBox { low, high } = match *self {
            BodyExtent::Box(b) => b,
            BodyExtent::Ball(Ball { radius, .. }) if radius < 0.0 => AlignedBox::EMPTY,
            BodyExtent::Ball(Ball { center, radius }) => {
                let r = vec3(radius, radius, radius);
                let (low, high) = (center - r, center + r);
                let each = |p: Vec3, to: fn(f64) -> f64| vec3(to(p.x), to(p.y), to(p.z));
                AlignedBox { low: each(low, f64::next_down), high: each(high, f64::next_up) }
            }
        };
        let known = |x: f64, else_it_is: f64| if x.is_nan() { else_it_is } else { x };
        let each = |p: Vec3, e: f64| vec3(known(p.x, e), known(p.y, e), known(p.z, e));
        AlignedBox { low: each(low, f64::NEG_INFINITY), high: each(high, f64::INFINITY) }
    }
}

/// The spatial index octree over bodies that move.
#[derive(Clone, Debug)]
pub struct Octree {
    store: Store,
    /// Numbers of bodies that were removed.
    free: Vec<u32>,
}

impl Octree {
    /// An octree without bodies. The root is the cube from the least corner of `room` whose edge is the
    /// room's longest. `None` where an edge or a coordinate is not within
    /// [`OCTREE_EDGES`](crate::limits::OCTREE_EDGES).
    pub fn new(room: &AlignedBox, rule: Rule) -> Option<Octree> {
        Some(Octree { store: Store::new(Grid::covering_box(room)?, rule), free: Vec::new() })
    }

    /// Adds a body and returns its number: the one that was given back last, or else the next. Its class says
    /// what it is compatible with; the n-objects rule does not ask it. `None` for a class that the rule does
    /// not have, and beyond [`OCTREE_BODIES`].
    pub fn insert(&mut self, extent: &BodyExtent, class: u8) -> Option<u32> {
        let store = &mut self.store;
        if !store.rule.has_class(class) || (self.free.is_empty() && store.bodies.len() >= OCTREE_BODIES) {
            return None;
        }
        let extent = extent.bounding_box();
        let span = store.grid.box_span(&extent);
        let body = Body { extent, span, home: NONE, class, in_use: true };
        let number = self.free.pop().unwrap_or(store.bodies.len() as u32);
        match store.bodies.get_mut(number as usize) {
            Some(slot) => *slot = body,
            None => store.bodies.push(body),
        }
        store.move_body(number, ROOT, VoxelSpan::EMPTY, span);
        store.reshape_touched();
        Some(number)
    }

    /// Moves a body: it goes out of the leaves that it meets no longer and into those that it meets now, from
    /// their nearest common ancestor. `false` where there is no such body.
    pub fn move_to(&mut self, body: u32, extent: &BodyExtent) -> bool {
        let store = &mut self.store;
        let Some(&Body { span: old, home, .. }) = store.present_body(body) else { return false };
        let extent = extent.bounding_box();
        let new = store.grid.box_span(&extent);
        let slot = &mut store.bodies[body as usize];
        (slot.extent, slot.span) = (extent, new);
        if old == new {
            store.counts.stays += 1;
            return true;
        }
        let (from, height) = store.common_ancestor(home, &old, &new);
        if home != NONE && !new.is_empty() {
            store.counts.climbs[height] += 1;
        }
        store.move_body(body, from, old, new);
        store.reshape_touched();
        true
    }

    /// Removes a body; another body may get its number. `false` where there is no such body.
    pub fn remove(&mut self, body: u32) -> bool {
        let store = &mut self.store;
        let Some(&Body { span, .. }) = store.present_body(body) else { return false };
        store.move_body(body, ROOT, span, VoxelSpan::EMPTY);
        let slot = &mut store.bodies[body as usize];
        (slot.span, slot.in_use) = (VoxelSpan::EMPTY, false);
        store.reshape_touched();
        self.free.push(body);
        true
    }

    /// The box around a body; `None` where there is no such body.
    pub fn body_extent(&self, body: u32) -> Option<&AlignedBox> {
        self.store.present_body(body).map(|b| &b.extent)
    }
    /// Bodies that are there.
    pub fn len(&self) -> usize {
        self.store.bodies.len() - self.free.len()
    }
    /// Whether there is no body.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
    /// Nodes, inner ones and leaves.
    pub fn node_count(&self) -> usize {
        self.store.nodes.len()
    }
    /// What it has done since it was made.
    pub fn counts(&self) -> &OctreeCounts {
        &self.store.counts
    }
    /// Bytes that it allocated.
    pub fn allocated_bytes(&self) -> usize {
        self.store.allocated_bytes() + self.free.capacity() * size_of::<u32>()
    }

    /// What it holds, for queries and checks.
    pub(super) fn store(&self) -> &Store {
        &self.store
    }
    /// What it holds, for tests that spoil it.
    #[cfg(test)]
    pub(super) fn store_mut(&mut self) -> &mut Store {
        &mut self.store
    }
}
