//! Whether the trail of a shape stays apart from another shape: what sweeps part of the way, from what
//! stands still.
//!
//! Where both are convex, one search decides. A mesh is searched by the hulls of its nodes: a pair of parts
//! that is proved apart is done with, another is expanded. Of two triangles, or a triangle and a convex core,
//! the planes of the triangles are tried first. Each pair of parts has a plane of its own: so the walls of a
//! hole hold what slides along them, each across itself.
//!
//! The first parts that are not proved apart end it.

use super::course::Course;
use super::trail::{Part, Trail};
use crate::motion::tolerance::{TRAIL_BLOCKS, TRAIL_PARTS};
use alloc::vec::Vec;
use elbowroom_describe::math::{Transform, Vec3};
use elbowroom_pair::Geometry;
use elbowroom_pair::aligned::defect;
use elbowroom_pair::certify;
use elbowroom_pair::cores::Cores;
use elbowroom_pair::farthest::Farthest;
use elbowroom_pair::gjk::Nearest;
use elbowroom_pair::mesh::hulls;
use elbowroom_pair::numeric::simd::{Kernel, Lanes, dispatch_kernel};
use elbowroom_pair::numeric::tolerance::ROUNDOFF;
use elbowroom_pair::numeric::wide::{LEAF, WIDTH};
use elbowroom_pair::shape::hull::Block;
use elbowroom_pair::shape::mesh::Mesh;
use elbowroom_pair::shape::mesh::node_hulls::of_triangle;
use elbowroom_pair::shape::solid::{Core, Shape};
use elbowroom_pair::shape::triangle::Triangle;
use elbowroom_pair::tolerance::CERTIFY_ROUNDING;

/// Where a search for a trail stands.
#[derive(Clone, Debug)]
pub(crate) struct TrailScratch {
    stack: Vec<Parts>,
    found: Nearest,
    /// Blocks of four corners of the parts that were looked at so far, in pairs: each is scanned some hundred
    /// times.
    pub parts: usize,
}

impl TrailScratch {
    /// For meshes whose trees have at most `mesh_depth` levels.
    pub fn new(mesh_depth: usize) -> TrailScratch {
        // Of each level of both trees, all children but one may wait.
        let stack = Vec::with_capacity(2 * (mesh_depth + 1) * WIDTH);
        TrailScratch { stack, found: Nearest::NEW, parts: 0 }
    }
}

/// A part of each shape, and the direction along which those that they are parts of were apart.
#[derive(Clone, Copy, Debug)]
struct Parts {
    moving: TrailNode,
    still: TrailNode,
    along: [f32; 3],
}

/// A part of a shape: the whole core, or a child of a mesh's tree; and how large its box is (metres).
#[derive(Clone, Copy, Debug)]
struct TrailNode {
    child: Option<u32>,
    size: f32,
}

/// A shape as its parts.
#[derive(Clone, Copy)]
struct Side<'a> {
    core: &'a Core,
    mesh: Option<&'a Mesh>,
}

impl<'a> Side<'a> {
    fn new(shape: &'a Shape, geometry: Geometry) -> Side<'a> {
        let mesh = if geometry == Geometry::Mesh { shape.mesh() } else { None };
        Side { core: shape.core(), mesh }
    }

    fn root(&self) -> TrailNode {
        let child = self.mesh.map(|_| 0);
        TrailNode { child, size: self.mesh.map_or(0.0, |mesh| 3.0 * mesh.radius as f32) }
    }

    fn crack(&self) -> f64 {
        self.mesh.map_or(0.0, Mesh::crack_half_width)
    }

    fn triangle(&self, node: TrailNode) -> Option<&'a Triangle> {
        let child = node.child.filter(|child| child & LEAF != 0)?;
        self.mesh.map(|mesh| &mesh.triangles[(child & !LEAF) as usize])
    }

    /// How many blocks of four corners are looked at for a farthest point of a part.
    fn block_count(&self, node: TrailNode) -> usize {
        match (node.child, self.core.hull(), self.mesh) {
            (None, Some(hull), _) => hull.blocks().len(),
            (Some(child), _, Some(mesh)) if child & LEAF == 0 => {
                mesh.node_hulls().of_node(child).len().max(1)
            }
            _ => 1,
        }
    }

    /// Whether a part has parts of its own.
    fn has_parts(node: TrailNode) -> bool {
        node.child.is_some_and(|child| child & LEAF == 0)
    }

    #[inline(always)]
    fn part<'p>(&self, node: TrailNode, room: &'p mut [Block; 1]) -> Part<'p>
    where
        'a: 'p,
    {
        let (Some(mesh), Some(child)) = (self.mesh, node.child) else { return Part::of_core(self.core) };
        if child & LEAF != 0 {
            *room = of_triangle(&mesh.triangles[(child & !LEAF) as usize]);
            Part::Points { blocks: room, extent: mesh.extent, defect: 0.0 }
        } else {
            Part::Points { blocks: mesh.node_hulls().of_node(child), extent: mesh.extent, defect: 0.0 }
        }
    }

    /// The parts of a part.
    fn children(&self, node: TrailNode) -> impl Iterator<Item = TrailNode> {
        let node = self.mesh.zip(node.child).map(|(mesh, child)| &mesh.nodes[child as usize]);
        let count = node.map_or(0, |node| node.count as usize);
        (0..count).filter_map(move |lane| {
            let node = node?;
            let size = (0..3).map(|k| node.boxes.half[k][lane]).sum();
            Some(TrailNode { child: Some(node.child[lane]), size })
        })
    }
}

/// What moves and what stands still: the still shape's pose in the moving one's frame.
pub(crate) struct TrailQuery<'a> {
    pub moving: &'a Shape,
    pub still: &'a Shape,
    pub still_in_moving: Transform,
    /// Of the moving shape, in its own frame.
    pub course: &'a Course,
    /// What a distance at the middle may be off by (metres).
    pub slack: f64,
    pub geometry: Geometry,
    /// A point of the moving shape and one of the still shape that are near each other at the middle (the
    /// moving shape's frame), if they are known.
    pub near: Option<[Vec3; 2]>,
}

/// What is proved of a course.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Parting {
    /// The two stay at least so far apart (metres).
    Apart(f64),
    /// Nothing; who takes the other one as the one that moves may prove more.
    Open,
    /// Nothing, and nobody will: the course passes a point of the other.
    Meets,
}

impl TrailQuery<'_> {
    /// Whether the two stay farther apart than `margin` on the whole course (metres), which is not negative.
    /// At the middle of the course they must be apart: then they are, if their surfaces never meet.
    pub fn parting(&self, margin: f64, scratch: &mut TrailScratch) -> Parting {
        // What the course is not known by is around each point, also at the middle.
        if self.near.is_some_and(|[own, other]| self.course.distance_unknown(other - own) <= margin) {
            return Parting::Open;
        }
        let [moving, still] = [self.moving, self.still].map(|shape| Side::new(shape, self.geometry));
        let reach = [self.moving, self.still].map(|shape| shape.center().norm() + shape.bounding_radius());
        let size = reach[0] + reach[1] + self.still_in_moving.translation.norm();
        let taken = self.moving.radius()
            + self.still.radius()
            + self.slack
            + self.course.off
            + 2.0 * defect(&self.still_in_moving.rotation) * size
            + 8.0 * ROUNDOFF * size;
        // The side of a surface is known only beyond its seams.
        let seams = 2.0 * moving.crack().max(still.crack());
        let above = (margin.max(seams) + taken) * (1.0 + 4.0 * ROUNDOFF);
        let centers = [self.moving.center(), self.still.center()];
        let Self { course, still_in_moving, near, .. } = self;
        let search = TrailSearch {
            course,
            still_in_moving,
            near: near.map(|[_, still]| still),
            centers,
            sides: [moving, still],
            above,
            scratch,
        };
        match dispatch_kernel(search) {
            Parting::Apart(least) if least - taken > margin => Parting::Apart(least - taken),
            Parting::Apart(_) | Parting::Open => Parting::Open,
            Parting::Meets => Parting::Meets,
        }
    }

    /// How far the two stay apart on the whole course, by a ball about its hub in which the moving shape
    /// stays, if that is more than `margin` (metres).
    pub fn parting_of_ball(&self, margin: f64, scratch: &mut TrailScratch) -> Option<f64> {
        let hub = self.course.hub?;
        // The near points alone often say that it is of no use: one lies in the ball if the other does.
        let apart = |point: Vec3| (point - hub.center).norm();
        if self.near.is_some_and(|[own, other]| apart(other) <= apart(own) + hub.off + margin) {
            return None;
        }
        let radius =
            self.moving.radius() + hub.off + Part::of_core(self.moving.core()).farthest_from(hub.center);
        // A point that is near lies in it.
        if self.near.is_some_and(|[_, near]| (near - hub.center).norm() <= radius + margin) {
            return None;
        }
        let still = Side::new(self.still, self.geometry);
        let moving = Side { core: &Core::Point, mesh: None };
        let still_in_moving =
            Transform { translation: self.still_in_moving.translation - hub.center, ..self.still_in_moving };
        let size = hub.center.norm()
            + radius
            + self.still.center().norm()
            + self.still.bounding_radius()
            + self.still_in_moving.translation.norm();
        let taken = radius
            + self.still.radius()
            + self.slack
            + 2.0 * defect(&self.still_in_moving.rotation) * size
            + 16.0 * ROUNDOFF * size;
        let above = (margin.max(2.0 * still.crack()) + taken) * (1.0 + 4.0 * ROUNDOFF);
        let search = TrailSearch {
            course: &Course::REST,
            still_in_moving: &still_in_moving,
            near: None,
            centers: [Vec3::ZERO, self.still.center()],
            sides: [moving, still],
            above,
            scratch,
        };
        match dispatch_kernel(search) {
            Parting::Apart(least) if least - taken > margin => Some(least - taken),
            Parting::Apart(_) | Parting::Open | Parting::Meets => None,
        }
    }
}

struct TrailSearch<'s, 'a> {
    course: &'s Course,
    still_in_moving: &'s Transform,
    near: Option<Vec3>,
    /// Points near the middles of the shapes, each in its own frame; the moving shape first.
    centers: [Vec3; 2],
    sides: [Side<'a>; 2],
    /// What the distance of any two parts must exceed (metres).
    above: f64,
    scratch: &'s mut TrailScratch,
}

impl Kernel for TrailSearch<'_, '_> {
    type Output = Parting;
    #[inline(always)]
    fn run<L: Lanes>(mut self, l: L) -> Parting {
        let [moving, still] = self.sides.map(|side| side.root());
        self.scratch.stack.clear();
        if !self.passes_near(l, moving) {
            return Parting::Meets;
        }
        self.scratch.stack.push(Parts { moving, still, along: [0.0; 3] });
        let (mut least, mut looked) = (f64::INFINITY, 0);
        while looked < TRAIL_PARTS {
            let Some(parts) = self.scratch.stack.pop() else { return Parting::Apart(least) };
            let blocks = self.sides[0].block_count(parts.moving) + self.sides[1].block_count(parts.still);
            looked += 1 + blocks / TRAIL_BLOCKS;
            self.scratch.parts += blocks;
            let apart = match self.part(l, parts) {
                TrailSight::Apart(lower) => Some(lower),
                TrailSight::Open(along) => self.expand(l, parts, along),
            };
            let Some(lower) = apart else { return Parting::Open };
            least = least.min(lower);
        }
        Parting::Open
    }
}

/// What is known of two parts.
enum TrailSight {
    /// At least so far apart, which suffices (metres).
    Apart(f64),
    /// Not proved apart; the direction along which they are farthest apart, as far as is known.
    Open([f32; 3]),
}

impl TrailSearch<'_, '_> {
    /// Two parts, the moving one with its course, in the moving shape's frame.
    #[inline(always)]
    fn cores<'p>(&self, [moving, still]: [Part<'p>; 2]) -> Cores<Trail<'p>, Part<'p>> {
        let trail = Trail::new(moving, self.course);
        Cores::new(trail, still, self.still_in_moving, self.centers[0], self.centers[1])
    }

    /// What a bound of two parts that is found with rounding must exceed to be above what is wanted after it.
    #[inline(always)]
    fn goal(&self, cores: &Cores<Trail, Part>) -> f64 {
        self.above + cores.a.rounding() + 2.0 * CERTIFY_ROUNDING * ROUNDOFF * cores.scale
    }

    /// Whether the trail of a whole convex core passes the point that is known to be near it. If it does not,
    /// nothing can be proved.
    #[inline(always)]
    fn passes_near<L: Lanes>(&mut self, l: L, moving: TrailNode) -> bool {
        let (Some(near), None) = (self.near, moving.child) else { return true };
        let (point, mut room) = ([Block::new([near; 4])], hulls::EMPTY);
        let moving = self.sides[0].part(moving, &mut room);
        let point = Part::Points { blocks: &point, extent: near.norm(), defect: 0.0 };
        let trail = Trail::new(moving, self.course);
        let cores = Cores::new(trail, point, &Transform::IDENTITY, self.centers[0], near);
        let above = self.goal(&cores);
        hulls::apart(l, &cores, above, [0.0; 3], &mut self.scratch.found)
            .is_some_and(|apart| apart.lower > self.above)
    }

    /// Looks at two parts.
    #[inline(always)]
    fn part<L: Lanes>(&mut self, l: L, parts: Parts) -> TrailSight {
        let Parts { moving, still, along } = parts;
        let (mut room_a, mut room_b) = (hulls::EMPTY, hulls::EMPTY);
        let [a, b] = [self.sides[0].part(moving, &mut room_a), self.sides[1].part(still, &mut room_b)];
        let cores = self.cores([a, b]);
        if !Side::has_parts(moving) && !Side::has_parts(still) {
            // A flat wall is its own plane, to the last digit.
            let own = self.sides[0].triangle(moving).copied();
            let other = self.sides[1].triangle(still).map(|t| t.map(|p| self.still_in_moving.point(p)));
            for t in [other, own].into_iter().flatten() {
                let lower = along_face(l, &cores, &t);
                if lower > self.above {
                    return TrailSight::Apart(lower);
                }
            }
        }
        match hulls::apart(l, &cores, self.goal(&cores), along, &mut self.scratch.found) {
            Some(apart) if apart.lower > self.above => TrailSight::Apart(apart.lower),
            Some(apart) => TrailSight::Open(apart.along),
            None => TrailSight::Open(along),
        }
    }

    /// Puts the parts of the larger of two parts on the stack, those that seem nearest on top. Returns the
    /// least distance of those that need not be put there (metres); `None` if there are no parts.
    #[inline(always)]
    fn expand<L: Lanes>(&mut self, l: L, parts: Parts, along: [f32; 3]) -> Option<f64> {
        let Parts { moving, still, .. } = parts;
        let opens_moving = match (Side::has_parts(moving), Side::has_parts(still)) {
            (false, false) => return None,
            (true, true) => moving.size > still.size,
            (opens, _) => opens,
        };
        let v = Vec3 { x: along[0].into(), y: along[1].into(), z: along[2].into() };
        let first = self.scratch.stack.len();
        let mut least = f64::INFINITY;
        // The least gap comes last.
        let mut gaps = [0.0; WIDTH];
        let [side, other] = if opens_moving { self.sides } else { [self.sides[1], self.sides[0]] };
        let (opened, kept) = if opens_moving { (moving, still) } else { (still, moving) };
        let (mut room_a, mut room_b) = (hulls::EMPTY, hulls::EMPTY);
        let kept_part = other.part(kept, &mut room_b);
        for child in side.children(opened) {
            let own = side.part(child, &mut room_a);
            let cores = self.cores(if opens_moving { [own, kept_part] } else { [kept_part, own] });
            let gap = certify::plane(l, &cores, &Farthest::new(l, &cores, v));
            if gap > self.above {
                least = least.min(gap);
                continue;
            }
            let next =
                if opens_moving { Parts { moving: child, ..parts } } else { Parts { still: child, ..parts } };
            let mut at = self.scratch.stack.len();
            self.scratch.stack.push(Parts { along, ..next });
            while at > first && gaps[at - 1 - first] < gap {
                self.scratch.stack.swap(at, at - 1);
                gaps[at - first] = gaps[at - 1 - first];
                at -= 1;
            }
            gaps[at - first] = gap;
        }
        Some(least)
    }
}

/// The gap of two parts along the plane of a triangle (in the moving shape's frame).
#[inline(always)]
fn along_face<L: Lanes>(l: L, cores: &Cores<Trail, Part>, t: &Triangle) -> f64 {
    let Some(n) = (t[1] - t[0]).cross(t[2] - t[0]).normalized() else { return f64::NEG_INFINITY };
    // From the still part to the moving one.
    let n = if n.dot(cores.between) < 0.0 { -n } else { n };
    certify::plane(l, cores, &Farthest::new(l, cores, n))
}
