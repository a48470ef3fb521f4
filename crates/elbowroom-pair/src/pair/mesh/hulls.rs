//! Bounds on the distance of two parts of meshes, by the hulls of their nodes.
//!
//! Box bounds choose which parts to look at; before a pair of parts is expanded, the distance of its hulls is
//! measured as that of two convex cores, and certified in the same way. It starts from the direction of the
//! pair that it is a part of, so two or three steps suffice. Along the direction that it ends with, the
//! children are bounded by their points, which is ten times as fast, and prunes most.

use crate::numeric::simd::{Kernel, Lanes, Plain, detect_wide_lanes};
use crate::numeric::wide::LEAF;
use crate::pair::certify;
use crate::pair::clearance::Ask;
use crate::pair::cores::Cores;
use crate::pair::gjk::{End, GjkStart, Goal, Nearest, nearest};
use crate::shape::extreme::Support;
use crate::shape::hull::Block;
use crate::shape::mesh::Mesh;
use crate::shape::mesh::node_hulls::{NodeHull, of_triangle};
use crate::shape::solid::Shape;
use crate::with_support;
use elbowroom_describe::math::{Transform, Vec3};

/// Where the corners of a triangle are put.
pub const EMPTY: [Block; 1] = [Block { x: [0.0; 4], y: [0.0; 4], z: [0.0; 4] }];

/// What a box holds: a node's hull, or a triangle, which are put into `corners`.
#[inline(always)]
pub(super) fn part<'m>(mesh: &'m Mesh, child: u32, corners: &'m mut [Block; 1]) -> NodeHull<'m> {
    if child & LEAF != 0 {
        *corners = of_triangle(&mesh.triangles[(child & !LEAF) as usize]);
        NodeHull { points: &corners[..], sectors: None, extent: mesh.extent }
    } else {
        mesh.node_hulls().node_core(child, mesh.extent)
    }
}

#[inline(always)]
fn direction(along: [f32; 3]) -> Vec3 {
    Vec3 { x: along[0].into(), y: along[1].into(), z: along[2].into() }
}

/// A direction in which the children of a node are bounded against the part that is not expanded.
pub(super) struct Plane {
    /// Against it in A's frame if A is expanded, along it in B's frame if B is.
    own: Vec3,
    /// Bound on the other part.
    other: f64,
    /// From B to A in A's frame.
    v: Vec3,
    translation: Vec3,
    scale: f64,
}

impl Plane {
    /// The plane between two parts, of which A's or B's is expanded. None without a direction.
    #[inline(always)]
    pub(super) fn new<L: Lanes>(
        l: L,
        cores: &Cores<NodeHull, NodeHull>,
        expand_a: bool,
        along: [f32; 3],
    ) -> Option<Plane> {
        let v = direction(along);
        if v == Vec3::ZERO {
            return None;
        }
        let in_b = cores.rotation.transpose_mul(v);
        let (own, other) =
            if expand_a { (-v, cores.b.reach_bound(l, in_b)) } else { (in_b, cores.a.reach_bound(l, -v)) };
        Some(Plane { own, other, v, translation: cores.translation, scale: cores.scale })
    }

    /// A lower bound on the distance of a child of the expanded node.
    #[inline(always)]
    pub(super) fn bound<L: Lanes>(&self, l: L, mesh: &Mesh, child: u32) -> f64 {
        let mut corners = EMPTY;
        let high = part(mesh, child, &mut corners).reach_bound(l, self.own);
        certify::between([high, self.other], self.v, self.translation, self.scale)
    }
}

/// Two hulls that are proved apart.
#[derive(Clone, Copy, Debug)]
pub struct Apart {
    /// A lower bound on their distance (metres), above zero.
    pub lower: f64,
    /// The unit direction of that bound, from B to A in A's frame.
    pub along: [f32; 3],
    /// Their points that are nearest to each other (A's frame), unless the search stopped before.
    pub(super) witnesses: [Vec3; 2],
}

/// The distance of two hulls, if they are proved apart. The search stops once the bound is more than `above`.
#[inline(always)]
pub fn apart<L: Lanes, A: Support, B: Support>(
    l: L,
    cores: &Cores<A, B>,
    above: f64,
    along: [f32; 3],
    found: &mut Nearest,
) -> Option<Apart> {
    let goal = Goal { ask: Ask::Distance, above, below: 0.0, ratio: 2.0 };
    let mut start = GjkStart { direction: direction(along), ..GjkStart::default() };
    nearest(l, cores, goal, &mut start, found);
    if found.end == End::Inside {
        return None;
    }
    let gap = certify::gap(l, cores, &found.simplex, &found.far);
    let v = found.v.normalized().filter(|_| gap.lower > 0.0)?;
    Some(Apart { lower: gap.lower, along: [v.x as f32, v.y as f32, v.z as f32], witnesses: [gap.a, gap.b] })
}

/// A lower bound on the distance of a node's triangles from a convex core (metres); not above zero where they
/// are not proved apart. It need not be better than `above`. `along` is a guess of its direction, from the
/// core to the mesh, in the mesh's frame.
pub(crate) fn from_core(
    (mesh, node): (&Mesh, u32),
    b: &Shape,
    b_in_a: &Transform,
    above: f64,
    along: Vec3,
    found: &mut Nearest,
) -> f64 {
    let along = [along.x as f32, along.y as f32, along.z as f32];
    let a = mesh.node_hulls().node_core(node, mesh.extent);
    with_support!(&b.core, core => {
        let cores = Cores::new(a, core, b_in_a, mesh.origin, b.center);
        match detect_wide_lanes() {
            Some(l) => l.run(Bound { cores: &cores, above, along, found }),
            None => Bound { cores: &cores.plainly(), above, along, found }.run(Plain),
        }
    })
}

/// [`apart`], compiled for each instruction set.
struct Bound<'a, A, B> {
    cores: &'a Cores<A, B>,
    above: f64,
    along: [f32; 3],
    found: &'a mut Nearest,
}

impl<A: Support, B: Support> Kernel for Bound<'_, A, B> {
    type Output = f64;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> f64 {
        apart(l, self.cores, self.above, self.along, self.found).map_or(0.0, |apart| apart.lower)
    }
}
