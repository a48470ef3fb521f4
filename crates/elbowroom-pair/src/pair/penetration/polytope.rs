//! The polytope of a depth search: a surface of triangles around the origin, and which of them to push out.

use crate::numeric::simd::{Lanes, lane_numbers, largest_lane};
use crate::pair::certify::surface::{FACES, Rim, Surface, boxed, face_of, unpack};
use crate::pair::simplex::Corner;
use alloc::boxed::Box;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// Work space of a depth search, of fixed size.
#[derive(Clone, Debug)]
pub(crate) struct Polytope {
    pub(super) surface: Surface,
    /// Signed distance of each face's plane, four at a time; infinite for faces that are not pushed out.
    offset: Box<[[f64; 4]; FACES / 4]>,
    /// Slots of removed faces, to be used again.
    dead: Box<[u16; FACES]>,
    dead_len: usize,
    /// Height below which a corner counts as level with a face (metres).
    pub(super) level: f64,
    /// Faces that the new corner sees.
    visible: Box<[u16; FACES]>,
    visible_len: usize,
    /// Edges around the visible faces.
    rim: Box<[Rim; FACES]>,
    rim_len: usize,
    /// Edges that are still to be crossed.
    stack: Box<[u16; 2 * FACES]>,
    /// The first four corners.
    pub(super) first: Vec<Corner>,
}

impl Default for Polytope {
    fn default() -> Polytope {
        Polytope {
            surface: Surface::default(),
            offset: boxed([f64::INFINITY; 4]),
            dead: boxed(0),
            dead_len: 0,
            level: 0.0,
            visible: boxed(0),
            visible_len: 0,
            rim: boxed(Rim::default()),
            rim_len: 0,
            stack: boxed(0),
            first: Vec::with_capacity(4),
        }
    }
}

impl Polytope {
    /// How many corners it has.
    pub(crate) fn corner_count(&self) -> usize {
        self.surface.corners()
    }
    pub(super) fn clear(&mut self) {
        self.surface.clear();
        self.first.clear();
        self.dead_len = 0;
    }
    #[inline(always)]
    pub(super) fn set_offset(&mut self, f: u16, offset: f64) {
        self.offset[(f >> 2) as usize & (FACES / 4 - 1)][(f & 3) as usize] = offset;
    }
    /// The face whose plane is nearest to the origin, and its distance.
    #[inline(always)]
    pub(super) fn nearest<L: Lanes>(&self, l: L) -> (u16, f64) {
        let mut best = l.splat(f64::INFINITY);
        let mut best_at = lane_numbers(l);
        let mut at = best_at;
        let four = l.splat(4.0);
        for d in &self.offset[..self.surface.slots().div_ceil(4)] {
            let d = l.load(d);
            best_at = l.select(l.gt(best, d), at, best_at);
            best = l.min(d, best);
            at = l.add(at, four);
        }
        let (value, number) = largest_lane(l, l.sub(l.splat(0.0), best), best_at);
        (number as u16, -value)
    }
    /// A free slot for a face.
    #[inline(always)]
    fn new_slot(&mut self) -> u16 {
        if self.dead_len > 0 {
            self.dead_len -= 1;
            return self.dead[self.dead_len & (FACES - 1)];
        }
        let f = self.surface.new_face();
        if f & 3 == 0 {
            self.offset[(f >> 2) as usize & (FACES / 4 - 1)] = [f64::INFINITY; 4];
        }
        f
    }
    /// Collects the faces that `w` sees and the edges of their rim, in order around it. False, with nothing
    /// changed, if by rounding they are not one patch with one rim.
    ///
    /// The patch grows depth first across the edges of each face in order, so the edges of the rim come in
    /// order.
    fn collect_visible(&mut self, w: Vec3, from: u16) -> bool {
        const STACK: usize = 2 * FACES - 1;
        const MASK: usize = FACES - 1;
        let (mut top, mut seen, mut rim) = (3, 1, 0);
        self.visible[0] = from;
        self.surface.remove(from);
        let [first, second, third] = unpack(self.surface.twins(from));
        (self.stack[0], self.stack[1], self.stack[2]) = (third, second, first);
        // The rim is one cycle if each edge starts where the edge before it ends; the first is tested at the
        // end.
        let (mut whole, mut start, mut end) = (true, 0, 0);
        while top > 0 {
            top -= 1;
            let edge = self.stack[top & STACK];
            let g = face_of(edge);
            if !self.surface.is_alive(g) {
                continue;
            }
            // A face whose plane contains `w` counts as visible: otherwise triangles at its edges would have
            // no area.
            let (n, d) = self.surface.plane(g);
            if n.dot(w) - d > -self.level {
                self.surface.remove(g);
                self.visible[seen & MASK] = g;
                seen += 1;
                let (after, before) = self.surface.onward(edge);
                (self.stack[top & STACK], self.stack[(top + 1) & STACK]) = (before, after);
                top += 2;
            } else {
                let (to, from) = self.surface.ends(edge);
                if rim == 0 {
                    (start, end) = (from, from);
                }
                whole &= from == end;
                end = to;
                self.rim[rim & MASK] = Rim::new(edge, from, to);
                rim += 1;
            }
        }
        (self.visible_len, self.rim_len) = (seen, rim);
        whole &= start == end
            && (3..FACES).contains(&rim)
            && rim.saturating_sub(seen + self.dead_len) + self.surface.slots() <= FACES;
        if !whole {
            for &f in &self.visible[..seen & MASK] {
                self.surface.restore(f);
            }
        }
        whole
    }
    /// Replaces all faces that the corner `c` sees by a fan around it; false, with nothing changed, if that
    /// fails.
    #[inline(always)]
    pub(super) fn expand<L: Lanes>(&mut self, l: L, c: Corner, from: u16) -> bool {
        if self.surface.full() || !self.collect_visible(c.w, from) {
            return false;
        }
        const MASK: usize = FACES - 1;
        let top = self.surface.push(c);
        let (rim, seen) = (self.rim_len, self.visible_len);
        // The new faces take the slots of the visible faces, then others.
        for i in rim..seen {
            let f = self.visible[i & MASK];
            self.set_offset(f, f64::INFINITY);
            self.dead[self.dead_len & MASK] = f;
            self.dead_len += 1;
        }
        for i in seen..rim {
            self.visible[i & MASK] = self.new_slot();
        }
        let rim = rim.min(FACES);
        let faces = &self.visible[..rim];
        self.surface.fan(l, top, faces, &self.rim[..rim]);
        for i in 0..rim {
            let f = self.visible[i];
            self.set_offset(f, self.surface.plane(f).1);
        }
        true
    }
    /// The faces of the tetrahedron of the first four corners, oriented outward.
    #[inline(always)]
    pub(super) fn first_faces<L: Lanes>(&mut self, l: L) {
        let mut c = [0, 1, 2, 3].map(|i| self.first[i]);
        if (c[1].w - c[0].w).cross(c[2].w - c[0].w).dot(c[3].w - c[0].w) > 0.0 {
            c.swap(1, 2);
        }
        for c in c {
            self.surface.push(c);
        }
        self.surface.tetrahedron(l);
        self.offset[0] = [0, 1, 2, 3].map(|f| self.surface.plane(f).1);
    }
}
