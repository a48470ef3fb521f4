//! The surface of a solid set of few points: every face is tested with every point, four faces at a time.
//!
//! It grows as in [`super::quick`], and is correct in any order of the points for the same reasons: the faces
//! that a point sees strictly are replaced by a fan from the point to their rim. The points come in an order
//! that is spread over the sorted set. There are no lists of outside points, because testing a few dozen
//! faces is faster. Nothing is allocated.

use super::facet;
use super::outline::{Facets, Outline, from_least};
use super::predicate::plane_side;
use super::rank::Rank;
use super::surface::HullSurface;
use crate::numeric::simd::{Kernel, Lanes, V3, dispatch_kernel, dot_vec3, splat_vec3, sub_vec3};
use crate::shape::tolerance::HULL_FILTER;
use alloc::boxed::Box;
use alloc::vec::Vec;
use elbowroom_describe::fault::HullFault;
use elbowroom_describe::math::{Vec3, vec3};

/// Largest number of points: the bits of a u64.
pub(super) const MOST: usize = 64;
/// A surface with so many corners has fewer than twice as many faces.
const FACES: usize = 2 * MOST;
const OPEN: HullFault = HullFault::Unproved { what: "the rim of a visible region is not one cycle" };

/// The planes of four faces; see `quick::Face`.
#[derive(Clone, Copy)]
struct FacePlaneLanes {
    origin: [[f64; 4]; 3],
    normal: [[f64; 4]; 3],
    error: [f64; 4],
}

/// Work space for growing one surface after another.
pub(super) struct SmallHullScratch {
    planes: [FacePlaneLanes; FACES / 4],
    corners: [[u8; 3]; FACES],
    /// The face left of the edge from one point to another, where there is one.
    left: [[u8; MOST]; MOST],
    /// The faces that exist, as bits.
    alive: u128,
}

impl SmallHullScratch {
    pub(super) fn new() -> Box<SmallHullScratch> {
        let none = FacePlaneLanes { origin: [[0.0; 4]; 3], normal: [[0.0; 4]; 3], error: [0.0; 4] };
        Box::new(SmallHullScratch {
            planes: [none; FACES / 4],
            corners: [[0; 3]; FACES],
            left: [[0; MOST]; MOST],
            alive: 0,
        })
    }

    /// Adds a face in the first free slot.
    #[inline(always)]
    fn add(&mut self, points: &[Vec3], extent: Vec3, v: [u8; 3]) -> Result<(), HullFault> {
        let f = (!self.alive).trailing_zeros() as usize;
        if f >= FACES {
            return Err(OPEN);
        }
        self.alive |= 1 << f;
        self.corners[f] = v;
        for e in 0..3 {
            self.left[v[e] as usize][v[(e + 1) % 3] as usize] = f as u8;
        }
        let (origin, b, c) = (points[v[0] as usize], points[v[1] as usize], points[v[2] as usize]);
        let (s, t) = (b - origin, c - origin);
        let (m, n) = (s.abs(), t.abs());
        let terms = vec3(m.y * n.z + m.z * n.y, m.z * n.x + m.x * n.z, m.x * n.y + m.y * n.x);
        let (planes, lane) = (&mut self.planes[f / 4], f % 4);
        let normal = s.cross(t);
        for k in 0..3 {
            (planes.origin[k][lane], planes.normal[k][lane]) = (origin[k], normal[k]);
        }
        // The constant covers products that underflow.
        planes.error[lane] = HULL_FILTER * terms.dot(extent) + 1e-300;
        Ok(())
    }

    /// The faces that see `p` strictly, and those for which the filter cannot tell, as bits.
    #[inline(always)]
    fn visible_faces<L: Lanes>(&self, l: L, p: Vec3) -> (u128, u128) {
        let p = splat_vec3(l, p);
        let zero = l.splat(0.0);
        let used = FACES - self.alive.leading_zeros() as usize;
        let (mut seen, mut sure) = (0_u128, 0_u128);
        let mut i = 0;
        while 4 * i < used {
            let FacePlaneLanes { origin, normal, error } = &self.planes[i];
            let (h, error) = (
                dot_vec3(l, load_vectors(l, normal), sub_vec3(l, p, load_vectors(l, origin))),
                l.load(error),
            );
            let above = l.mask_bits(l.gt(h, error));
            let below = l.mask_bits(l.gt(l.sub(zero, h), error));
            seen |= u128::from(above) << (4 * i);
            sure |= u128::from(above | below) << (4 * i);
            i += 1;
        }
        (seen & self.alive, self.alive & !sure)
    }
}

#[inline(always)]
fn load_vectors<L: Lanes>(l: L, a: &[[f64; 4]; 3]) -> V3<L::F> {
    V3 { x: l.load(&a[0]), y: l.load(&a[1]), z: l.load(&a[2]) }
}

/// The numbers of the bits that are set.
#[inline(always)]
fn set_bits(mut bits: u128) -> impl Iterator<Item = usize> {
    core::iter::from_fn(move || {
        let i = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (i < 128).then_some(i)
    })
}

struct Grow<'a> {
    points: &'a [Vec3],
    extent: Vec3,
    simplex: [u32; 4],
    scratch: &'a mut SmallHullScratch,
}

impl Kernel for Grow<'_> {
    type Output = Result<(), HullFault>;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Result<(), HullFault> {
        let Grow { points, extent, simplex, scratch } = self;
        let [a, b, c, d] = simplex.map(|i| i as u8);
        let at = |i: u8| points[i as usize];
        let (b, c) = if plane_side(at(a), at(b), at(c), at(d)) > 0.0 { (c, b) } else { (b, c) };
        scratch.alive = 0;
        for v in [[a, b, c], [b, a, d], [c, b, d], [a, c, d]] {
            scratch.add(points, extent, v)?;
        }
        let mut after = [0_u8; MOST];
        let mut k = 0_u8;
        while k < MOST as u8 {
            // Bits reversed: far from the points before, as they are sorted.
            let p = k.reverse_bits() >> 2;
            k += 1;
            if p as usize >= points.len() || [a, b, c, d].contains(&p) {
                continue;
            }
            let (mut seen, unsure) = scratch.visible_faces(l, at(p));
            for f in set_bits(unsure) {
                let [a, b, c] = scratch.corners[f].map(at);
                if plane_side(a, b, c, at(p)) > 0.0 {
                    seen |= 1 << f;
                }
            }
            if seen == 0 {
                continue;
            }
            let (mut edges, mut first) = (0, 0);
            for f in set_bits(seen) {
                let v = scratch.corners[f];
                for e in 0..3 {
                    let (from, to) = (v[e], v[(e + 1) % 3]);
                    if seen & (1 << scratch.left[to as usize][from as usize]) == 0 {
                        (after[from as usize], first) = (to, from);
                        edges += 1;
                    }
                }
            }
            scratch.alive &= !seen;
            let mut from = first;
            for walked in 1..=edges {
                let to = after[from as usize];
                scratch.add(points, extent, [from, to, p])?;
                from = to;
                if (from == first) != (walked == edges) {
                    return Err(OPEN);
                }
            }
            if edges < 3 {
                return Err(OPEN);
            }
        }
        Ok(())
    }
}

/// The hull of up to [`MOST`] sorted points from a starting simplex that is exactly solid.
pub(super) fn small_hull_outline(
    points: &[Vec3],
    extent: Vec3,
    simplex: [u32; 4],
    scratch: &mut SmallHullScratch,
) -> Result<Outline, HullFault> {
    dispatch_kernel(Grow { points, extent, simplex, scratch })?;
    let across = |f: usize| {
        let v = scratch.corners[f];
        let across = |from: u8, to: u8| scratch.left[to as usize][from as usize];
        [across(v[0], v[1]), across(v[1], v[2]), across(v[2], v[0])]
    };
    let (mut corners, mut bent) = (0_u64, true);
    for f in set_bits(scratch.alive) {
        let v = scratch.corners[f];
        corners |= 1 << v[0] | 1 << v[1] | 1 << v[2];
        for g in across(f) {
            let other = scratch.corners[g as usize].into_iter().find(|i| !v.contains(i)).ok_or(OPEN)?;
            let at = |i: u8| points[i as usize];
            bent &= f >= g as usize || plane_side(at(v[0]), at(v[1]), at(v[2]), at(other)) != 0.0;
        }
    }
    if !bent {
        // Some facet has several triangles.
        let mut number = [0_u32; FACES];
        set_bits(scratch.alive).zip(0..).for_each(|(f, k)| number[f] = k);
        let faces = set_bits(scratch.alive).map(|f| scratch.corners[f].map(u32::from)).collect();
        let across = set_bits(scratch.alive).map(|f| across(f).map(|g| number[g as usize])).collect();
        return facet::join_facets(points, &HullSurface { faces, across });
    }
    // All triangles are facets, and all their corners are corners of the hull.
    let mut number = [0_u8; MOST];
    let corners: Vec<u32> = set_bits(u128::from(corners)).map(|i| i as u32).collect();
    corners.iter().zip(0..).for_each(|(&i, k)| number[i as usize] = k);
    // Sorted as numbers of three digits.
    let mut keys = [0_u32; FACES];
    let mut count = 0;
    for f in set_bits(scratch.alive) {
        let [a, b, c] = from_least(scratch.corners[f].map(|i| u32::from(number[i as usize])));
        keys[count] = a << 16 | b << 8 | c;
        count += 1;
    }
    let keys = &mut keys[..count];
    keys.sort_unstable();
    let faces = keys.iter().map(|key| [key >> 16, key >> 8 & 0xff, key & 0xff]).collect();
    Ok(Outline { rank: Rank::Solid, corners, facets: Facets::Triangles(faces) })
}
