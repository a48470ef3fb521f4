//! Two overlapping shapes as the search for their depth sees them.
//!
//! Everything is in the frame of the first, A, and translations move A. Of a mesh convex parts count: parts
//! of the solid that are grown around a point, or a triangle alone, where nothing is enclosed. A convex shape
//! is its only part.

use super::faces::PartFaces;
use super::part::{Part, PartScratch};
use super::regions::Regions;
use super::swept::Swept;
use crate::numeric::simd::dispatch_kernel;
use crate::numeric::tolerance::ROUNDOFF;
use crate::pair::aligned::defect;
use crate::pair::clearance::{Ask, Clearance};
use crate::pair::cores::Cores;
use crate::pair::gjk::Goal;
use crate::pair::mesh::point::ball_inside;
use crate::pair::nonconvex;
use crate::pair::penetration::shell::{Shell, Wanted};
use crate::pair::scratch::{Scratch, Warm, Work};
use crate::pair::tolerance::{CERTIFY_ROUNDING, INWARDS, OFF_MIDDLE, PART_REACH, REGION_CORNERS};
use crate::shape::mesh::Mesh;
use crate::shape::mesh::nearest::NearestScratch;
use crate::shape::mesh::node_hulls::NodeHull;
use crate::shape::solid::Shape;
use crate::shape::tolerance::PART_HAIR;
use crate::with_support;
use elbowroom_describe::math::{Transform, Vec3};

/// Two shapes, of which at least one is a mesh.
pub(super) struct Sides<'a> {
    a: &'a Shape,
    b: &'a Shape,
    b_in_a: Transform,
    a_in_b: Transform,
    /// How far the pose may be off, and the rounding of a translated pose and of what is told in A's frame
    /// (metres).
    pub error: f64,
}

/// What parts are grown for.
#[derive(Clone, Copy)]
pub(super) struct GrowAim {
    /// About the depth (metres).
    pub size: f64,
    /// About the longest translation that matters (metres).
    pub reach: f64,
    /// Whether their faces will be asked for.
    pub faces: bool,
    /// Whether what encloses something must not count as its triangle alone.
    pub solid: bool,
}

/// Where an overlap was seen after A was moved: a point of both (A's frame, B at rest) and the triangles that
/// it is on, of A and of B. If only one is a mesh, its triangle comes first.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    pub at: Vec3,
    pub triangles: [u32; 2],
}

/// On which sides of a triangle of a mesh the solid ends: on that of its normal, and on the other. Both where
/// it encloses nothing.
fn outer_sides(mesh: &Mesh, t: &[Vec3; 3], near: &mut NearestScratch) -> [bool; 2] {
    let across = (t[1] - t[0]).cross(t[2] - t[0]).normalized().unwrap_or(Vec3::ZERO);
    let middle = (t[0] + t[1] + t[2]) * (1.0 / 3.0);
    let beneath = across * (INWARDS[INWARDS.len() - 1] * (t[1] - t[0]).norm());
    let inside = [middle - beneath, middle + beneath].map(|x| ball_inside(mesh, x, 0.0, near).is_some());
    if inside[0] == inside[1] { [true; 2] } else { inside }
}

impl<'a> Sides<'a> {
    /// None if neither is a mesh. `b_in_a` may be off by `slack` (metres).
    pub fn new(a: &'a Shape, b: &'a Shape, b_in_a: &Transform, slack: f64) -> Option<Sides<'a>> {
        let extent = |s: &Shape| s.center.norm() + s.bounding_radius;
        let scale = extent(a) + extent(b) + 2.0 * b_in_a.translation.norm();
        let error = slack + (2.0 * CERTIFY_ROUNDING * ROUNDOFF + 2.0 * defect(&b_in_a.rotation)) * scale;
        let meshes = a.mesh().is_some() || b.mesh().is_some();
        meshes.then(|| Sides { a, b, b_in_a: *b_in_a, a_in_b: b_in_a.inverse(), error })
    }

    /// Sum of the radii around the cores (metres).
    pub fn radius(&self) -> f64 {
        self.a.radius + self.b.radius
    }

    /// How much parts may be smaller than the solids, both together (metres).
    pub fn hair(&self) -> f64 {
        let hair = |s: &Shape| s.mesh().map_or(0.0, |m| PART_HAIR * m.radius);
        2.0 * (hair(self.a) + hair(self.b))
    }

    /// Moves a point of A's core to its surface, along a direction from B to A.
    pub fn surface_of_a(&self, a: Vec3, normal: Vec3) -> Vec3 {
        a - normal * self.a.radius
    }

    /// Whether A is convex: then queries of parts are made in B's frame.
    fn mirrored(&self) -> bool {
        self.a.mesh().is_none()
    }

    /// B's pose after A was moved, as if A had stayed.
    fn moved_pose(&self, t: Vec3) -> Transform {
        Transform { translation: self.b_in_a.translation - t, ..self.b_in_a }
    }

    /// A's pose in B's frame after A was moved.
    fn mirrored_pose(&self, t: Vec3) -> Transform {
        Transform { translation: self.a_in_b.translation + self.a_in_b.rotation * t, ..self.a_in_b }
    }

    /// The clearance after A was moved by `t`, from the triangles alone, without the radii. It ends as soon
    /// as an overlap is proved. `normal`, of any length, is a guess of its direction.
    pub fn moved(&self, t: Vec3, normal: Vec3, warm: &mut Warm, scratch: &mut Scratch) -> Clearance {
        let goal = Goal { ask: Ask::Test, above: f64::INFINITY, below: self.radius(), ratio: 2.0 };
        // A half space is bounded along it, which takes a unit vector.
        let normal = normal.normalized().unwrap_or(Vec3::Z);
        let mut hulls = Clearance { normal, ..Clearance::NOTHING };
        nonconvex::refine(self.a, self.b, &self.moved_pose(t), goal, &mut hulls, warm, scratch)
    }

    /// The way in which A leaves the solids at triangles of A and of B, the sum of unit vectors (A's frame).
    /// If only one is a mesh, its triangle comes first.
    pub fn outward_direction(&self, [first, second]: [u32; 2], scratch: &mut Scratch) -> Vec3 {
        let second = if self.mirrored() { first } else { second };
        let near = &mut scratch.mesh.nearest;
        let mut outward = |mesh: Option<&Mesh>, triangle: u32| {
            let (mesh, t) = mesh.and_then(|m| Some((m, m.triangle(triangle)?)))?;
            let n = (t[1] - t[0]).cross(t[2] - t[0]).normalized()?;
            match outer_sides(mesh, t, near) {
                [true, false] => Some(n),
                [false, true] => Some(-n),
                _ => None,
            }
        };
        let of_a = outward(self.a.mesh(), first).map_or(Vec3::ZERO, |n| -n);
        of_a + outward(self.b.mesh(), second).map_or(Vec3::ZERO, |n| self.b_in_a.rotation * n)
    }

    /// Grows a convex part of each mesh around an overlap that was seen with A moved by `t`. False if no such
    /// parts are found.
    pub fn grow_parts(
        &self,
        seen: &Seen,
        t: Vec3,
        GrowAim { size, reach, faces, solid }: GrowAim,
        (parts, space): (&mut [Part; 2], &mut PartScratch),
        scratch: &mut Scratch,
    ) -> bool {
        let [first, second] = seen.triangles;
        let of_a = self.a.mesh().and_then(|m| Some((m, m.triangle(first)?)));
        let second = if self.mirrored() { first } else { second };
        let of_b = self.b.mesh().and_then(|m| Some((m, m.triangle(second)?)));
        let normal = |[a, b, c]: &[Vec3; 3]| (*b - *a).cross(*c - *a).normalized().unwrap_or(Vec3::ZERO);
        let na = of_a.map_or(Vec3::ZERO, |(_, t)| normal(t));
        let nb = of_b.map_or(Vec3::ZERO, |(_, t)| self.b_in_a.rotation * normal(t));
        let [pa, pb] = parts;
        let reach = PART_REACH * reach;
        // A part of A, of B, or of both around one point; what has none is its triangle.
        let alone = |of: Option<(&Mesh, _)>, i: u32| !(solid && of.is_some_and(|(m, _)| m.has_inside_at(i)));
        let may_be_alone = [alone(of_a, first), alone(of_b, second)];
        for [grow_a, grow_b] in [[true, true], [true, false], [false, true], [false, false]] {
            if !(grow_a || may_be_alone[0]) || !(grow_b || may_be_alone[1]) {
                continue;
            }
            let (grow_a, grow_b) = (of_a.filter(|_| grow_a), of_b.filter(|_| grow_b));
            let in_which = [grow_a.is_some(), grow_b.is_some()];
            let Some(x) = self.common(in_which, seen.at, [na, nb], (t, size), scratch) else { continue };
            let polytope = &mut scratch.work.polytope;
            if grow_a.is_none_or(|(mesh, _)| space.grow(mesh, (x - t, reach), polytope, pa))
                && grow_b
                    .is_none_or(|(mesh, _)| space.grow(mesh, (self.a_in_b.point(x), reach), polytope, pb))
            {
                let near = &mut scratch.mesh.nearest;
                for (part, grown, of) in [(pa, grow_a, of_a), (pb, grow_b, of_b)] {
                    if let (None, Some((mesh, triangle))) = (grown, of) {
                        let sides = if faces { outer_sides(mesh, triangle, near) } else { [false; 2] };
                        part.set_triangle(triangle, sides);
                    }
                }
                return true;
            }
        }
        false
    }

    /// A point near `at` that is in the solids that are named, after A was moved by `t`; those farther away
    /// come first, since they are the deeper ones.
    fn common(
        &self,
        [in_a, in_b]: [bool; 2],
        at: Vec3,
        [na, nb]: [Vec3; 2],
        (t, size): (Vec3, f64),
        scratch: &mut Scratch,
    ) -> Option<Vec3> {
        let near = &mut scratch.mesh.nearest;
        let mut holds = |mesh: Option<&Mesh>, x| mesh.is_none_or(|m| ball_inside(m, x, 0.0, near).is_some());
        let mut in_both = |x: Vec3| {
            holds(self.a.mesh().filter(|_| in_a), x - t)
                && holds(self.b.mesh().filter(|_| in_b), self.a_in_b.point(x))
        };
        // Inwards from both, whichever way the triangles are wound; and where it is, for surfaces alone.
        if !(in_a || in_b) {
            return Some(at);
        }
        let (na, nb) = (if in_a { na } else { Vec3::ZERO }, if in_b { nb } else { Vec3::ZERO });
        let ways = [-(na + nb), na + nb, na - nb, nb - na];
        // A little off these ways, so that parts of symmetric bodies have no faces in common.
        let ways = ways.map(|way| way + (Vec3::from(OFF_MIDDLE) - Vec3::from([0.5; 3])) * way.norm());
        let steps = INWARDS.iter().flat_map(|share| ways.iter().map(move |way| *way * (share * size)));
        steps.map(|step| at + step).find(|x| in_both(*x))
    }

    /// The parts of both, where they are meshes.
    fn cores<'p>(&self, [pa, pb]: &'p [Part; 2]) -> [Option<(NodeHull<'p>, Vec3)>; 2] {
        [self.a.mesh().map(|m| pa.core(m)), self.b.mesh().map(|m| pb.core(m))]
    }

    /// The nearest plane of [`PartFaces`] beyond which two parts are apart, as seen from `t`.
    pub fn nearest_face_plane(&self, parts: &[Part; 2], t: Vec3) -> Option<(Vec3, f64)> {
        dispatch_kernel(PartFaces { shapes: [self.a, self.b], parts, b_in_a: &self.b_in_a, t })
    }

    /// Adds the region of translations up to `reach` at which two parts overlap, as they do after A was moved
    /// by `t`. It may be smaller by `tolerance`. Returns a near plane, by unit normal and height, beyond
    /// which these two parts are apart; none if no region was added.
    pub fn region(
        &self,
        parts: &[Part; 2],
        t: Vec3,
        (reach, tolerance): (f64, f64),
        regions: &mut Regions,
        work: &mut Work,
    ) -> Option<(Vec3, f64)> {
        // After A was moved by `t`, a point w of A - B is the translation t - w.
        let mirrored = self.mirrored();
        let about = if mirrored { -(self.a_in_b.rotation * t) } else { t };
        let wanted = Wanted { about, reach, tolerance, corners: REGION_CORNERS };
        let (error, radius, rotation) = (self.error, self.radius(), self.b_in_a.rotation);
        let mut room = true;
        let translation = |(n, d): (Vec3, f64)| {
            let n = if mirrored { rotation * n } else { -n };
            (n, d + n.dot(t))
        };
        let plane = |n: Vec3, d: f64| {
            let (n, height) = translation((n, d));
            room &= regions.add(n, height - error);
        };
        let exit = match self.cores(parts) {
            [Some((a, p)), Some((b, q))] => {
                // Without a radius the core is not curved, and ends exactly.
                let cores = Cores::new(a, Swept { core: b, radius }, &self.moved_pose(t), p, q);
                dispatch_kernel(Shell { cores: &cores, wanted, work, plane })
            }
            [Some((a, p)), None] | [None, Some((a, p))] => {
                let (convex, pose) = match mirrored {
                    true => (self.a, self.mirrored_pose(t)),
                    false => (self.b, self.moved_pose(t)),
                };
                with_support!(&convex.core, core => {
                    let cores = Cores::new(a, Swept { core, radius }, &pose, p, convex.center);
                    dispatch_kernel(Shell { cores: &cores, wanted, work, plane })
                })
            }
            [None, None] => None,
        };
        let exit = exit.filter(|_| room).map(translation);
        regions.close(exit.is_some());
        exit
    }
}
