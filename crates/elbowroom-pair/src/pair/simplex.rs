//! Up to four points of A - B: the state of GJK, and the start of a depth search.

use elbowroom_describe::math::Vec3;

/// A point of A - B, and the points of A and B whose difference it is (all in A's frame).
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Corner {
    pub w: Vec3,
    pub a: Vec3,
    pub b: Vec3,
    /// Numbers of the vertices of A and B, if they have numbers.
    pub vertices: [u32; 2],
}

/// Up to four corners. They are stored in slots and do not move; `order` lists the used slots, the newest
/// last. `weight`, in the same order, combines the corners to the point nearest to the origin.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Simplex {
    pub len: usize,
    pub order: Order,
    pub weight: [f64; 4],
    pub slot: [Corner; 4],
}

/// Four slot numbers, a byte each, the first in the lowest byte: one register instead of an array in memory.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Order(pub u32);

impl Order {
    #[inline(always)]
    pub fn from_slots(slots: [u32; 4]) -> Order {
        Order(slots[0] | slots[1] << 8 | slots[2] << 16 | slots[3] << 24)
    }
    #[inline(always)]
    pub fn slot(self, index: usize) -> u32 {
        self.0 >> (8 * (index & 3)) & 3
    }
    #[inline(always)]
    pub fn with_slot(self, index: usize, slot: u32) -> Order {
        let shift = 8 * (index & 3);
        Order(self.0 & !(0xff << shift) | slot << shift)
    }
}

impl Simplex {
    /// The corner at an index in the order.
    #[inline(always)]
    pub fn corner(&self, index: usize) -> &Corner {
        &self.slot[self.order.slot(index) as usize]
    }
    #[inline(always)]
    pub fn corners(&self) -> impl Iterator<Item = &Corner> {
        (0..self.len.min(4)).map(|index| self.corner(index))
    }
    /// Adds a corner as the newest; there must be at most three.
    #[inline(always)]
    pub fn push(&mut self, c: Corner) {
        let mut used = 0u32;
        for k in 0..3 {
            used |= u32::from(k < self.len) << self.order.slot(k);
        }
        let free = (!used).trailing_zeros() & 3;
        self.slot[free as usize] = c;
        self.order = self.order.with_slot(self.len, free);
        self.len += 1;
    }
}
