//! What queries of two meshes leave for the next ones, for small steps: which parts they had to expand, and
//! along which directions the others were apart.
//!
//! A part that was expanded is expanded again, and its hull is not measured. Where two parts were apart, the
//! search for their distance starts from the direction of that distance, so one step often suffices. Either
//! way it is the search that proves: what is kept here chooses among its steps, and any numbers are safe.
//! What one query found is named by the triangles of its answer, the warm start of the next one. A query
//! takes only what the latest query with this answer left. So what is left is forgotten with the warm start,
//! and after a cold start nothing depends on earlier queries. Another pair with the same triangles may take
//! it: that costs time and last digits.

use super::gap::MeshWarm;
use crate::pair::tolerance::{FRONT_MOTION, FRONT_PARTS, FRONTS};
use alloc::vec::Vec;
use elbowroom_describe::math::{Transform, Vec3};

/// Which of two parts is expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// That with the larger box.
    Larger,
    A,
    B,
}

/// What is known of a pair of boxes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known {
    a: u32,
    b: u32,
    /// A direction from B to A in A's frame.
    pub(super) along: [f32; 3],
    /// The part that was expanded; `None` where the hulls were far enough apart.
    pub(super) expanded: Option<Next>,
}

/// What one query left.
#[derive(Clone, Debug)]
struct Front {
    of: MeshWarm,
    /// The pose of the first of the queries that handed it on.
    b_in_a: Transform,
    known: Vec<Known>,
}

impl Front {
    fn empty() -> Front {
        Front { of: MeshWarm::default(), b_in_a: Transform::IDENTITY, known: Vec::with_capacity(FRONT_PARTS) }
    }
}

/// What the latest queries left.
#[derive(Clone, Debug, Default)]
pub(super) struct Fronts {
    /// Each at the place of its triangles; empty until meshes are expected.
    kept: Vec<Front>,
    /// That which the present query takes from.
    before: Option<usize>,
    /// Where its next pair of boxes is, if the present query goes the same way.
    next: usize,
    /// What the present query leaves.
    now: Option<Front>,
}

impl Fronts {
    /// Allocates.
    pub(super) fn reserve(&mut self) {
        if self.kept.is_empty() {
            self.kept = (0..FRONTS).map(|_| Front::empty()).collect();
            self.now = Some(Front::empty());
        }
    }

    fn place(of: &MeshWarm) -> usize {
        let mixed = of.triangle_a.wrapping_mul(0x9e37_79b9) ^ of.triangle_b.wrapping_mul(0x85eb_ca6b);
        (mixed >> 16) as usize % FRONTS
    }

    /// Begins a query with this warm start. What was left is taken only if B's points, in a ball about
    /// `center` (B's frame), have moved little since.
    pub(super) fn begin(&mut self, warm: &MeshWarm, b_in_a: &Transform, center: Vec3, radius: f64) {
        let Some(now) = &mut self.now else { return };
        now.known.clear();
        now.b_in_a = *b_in_a;
        self.next = 0;
        let near = |front: &Front| {
            let turned = (0..3).map(|k| {
                let (x, y) = (b_in_a.rotation.cols[k], front.b_in_a.rotation.cols[k]);
                (0..3).map(|i| (x[i] - y[i]) * (x[i] - y[i])).sum::<f64>()
            });
            let moved = (b_in_a.point(center) - front.b_in_a.point(center)).norm_squared();
            moved + turned.sum::<f64>() * radius * radius <= FRONT_MOTION * FRONT_MOTION * radius * radius
        };
        let at = Fronts::place(warm);
        let taken = self.kept.get(at).filter(|front| front.of == *warm && near(front));
        self.before = taken.filter(|_| *warm != MeshWarm::default()).map(|front| {
            now.b_in_a = front.b_in_a;
            at
        });
    }

    /// What the query before found of a pair of boxes.
    #[inline(always)]
    pub(super) fn known(&mut self, a: u32, b: u32) -> Option<Known> {
        let known = &self.kept.get(self.before?)?.known;
        // Pairs come in about the same order.
        let from = self.next.min(known.len());
        let (first, last) = known.split_at(from);
        let is = |known: &Known| known.a == a && known.b == b;
        let at = last.iter().position(is).map(|at| from + at).or_else(|| first.iter().position(is))?;
        self.next = at + 1;
        known.get(at).copied()
    }

    /// Keeps what the present query found of a pair of boxes, while there is room.
    #[inline(always)]
    pub(super) fn keep(&mut self, a: u32, b: u32, along: [f32; 3], expanded: Option<Next>) {
        if let Some(now) = &mut self.now
            && now.known.len() < FRONT_PARTS
        {
            now.known.push(Known { a, b, along, expanded });
        }
    }

    /// Ends the query; `warm` is the warm start that it leaves.
    pub(super) fn end(&mut self, warm: &MeshWarm) {
        if *warm == MeshWarm::default() {
            return;
        }
        let (Some(now), Some(place)) = (&mut self.now, self.kept.get_mut(Fronts::place(warm))) else {
            return;
        };
        if !now.known.is_empty() {
            now.of = *warm;
            core::mem::swap(now, place);
        } else if place.of == *warm {
            // What an earlier query left under this name is not this one's.
            place.of = MeshWarm::default();
        }
    }
}
