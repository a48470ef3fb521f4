//! Points to a checked convex hull with adjacency.
//!
//! The hull of any finite point set: of a single point, of collinear points, of coplanar points, or a solid; each is
//! told apart by exact predicates (Shewchuk's adaptive arithmetic), so a set is flat only if it is flat to the last
//! bit, and a needle or pancake of a few ulps is a solid like any other. No tolerance, no merging, no joggling: the
//! vertices are exactly the extreme points, and every input point lies in their hull.
//!
//! Way: [`points`](mod@points) brings the set into the range of the exact predicates; `flat` decides the rank and
//! does the flat ones; `quick` is quickhull and `small` the same for few points; `facet` joins coplanar triangles to facets and drops what is not a corner;
//! `check` proves the result convex from scratch; `graph` lays it out for queries; `ball` bounds it.
//!
//! The result depends only on the set: vertices are sorted by (x, y, z), facets start at their smallest vertex.

mod ball;
mod check;
mod facet;
mod flat;
mod graph;
mod parts;
mod points;
mod predicate;
mod quick;
mod small;
#[cfg(test)]
mod tests;

use crate::numeric::math::Vec3;
use crate::numeric::tolerance::{CLIMB_FROM, HULL_CLIMB_ERROR, HULL_TABLE_SIDE};
use alloc::boxed::Box;
use core::fmt;
use graph::Graph;
use parts::FaceList;
pub use parts::{Faces, Vertices};

/// How many dimensions a hull has, decided exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// All points are one.
    Point,
    /// All points lie on a line.
    Segment,
    /// All points lie in a plane.
    Polygon,
    /// The hull has a volume.
    Solid,
}

/// Why there is no hull.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HullFault {
    /// No points were given.
    Empty,
    /// A coordinate is NaN or infinite.
    NotFinite {
        /// Which point, from zero.
        index: usize,
    },
    /// A coordinate is beyond 1e100 m.
    TooLarge {
        /// Which point, from zero.
        index: usize,
    },
    /// More points than 32-bit indices can name.
    TooMany {
        /// How many were given.
        count: usize,
    },
    /// The finished hull failed its check; this is a defect of the program, and the hull is not handed out.
    Unproved {
        /// What did not hold.
        what: &'static str,
    },
}

impl fmt::Display for HullFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HullFault::Empty => write!(f, "a convex hull needs at least one point"),
            HullFault::NotFinite { index } => write!(f, "point {index} has a coordinate that is not finite"),
            HullFault::TooLarge { index } => write!(f, "point {index} has a coordinate beyond 1e100 m"),
            HullFault::TooMany { count } => write!(f, "{count} points are more than a hull can index"),
            HullFault::Unproved { what } => write!(f, "the hull could not be proved convex: {what}"),
        }
    }
}

impl core::error::Error for HullFault {}

/// Four points, coordinate by coordinate, for vector units. Metres, the hull's frame.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C, align(32))]
pub struct Block {
    /// The four first coordinates.
    pub x: [f64; 4],
    /// The four second coordinates.
    pub y: [f64; 4],
    /// The four third coordinates.
    pub z: [f64; 4],
}

/// A convex polytope of any rank. Frame: that of the points it was made from; metres.
#[derive(Clone, Debug)]
pub struct Hull {
    /// The vertices; the last block repeats the last one.
    blocks: Box<[Block]>,
    faces: FaceList,
    graph: Option<Box<Graph>>,
    defect: f64,
    center: Vec3,
    reach: f64,
    max_abs: f64,
    count: u32,
    rank: Rank,
}

/// Room for making one hull after another.
pub(crate) struct Room {
    small: Box<small::Room>,
    near: ball::Near,
}

impl Room {
    pub fn new() -> Room {
        Room { small: small::Room::new(), near: ball::Near::default() }
    }
}

impl Hull {
    /// The hull of `points` (metres, any frame; duplicates and points inside are welcome), checked. Time about
    /// n log n, memory about 70 bytes a point beside the result.
    ///
    /// # Errors
    /// No points, a coordinate that is not finite or beyond 1e100 m, or more than 2^32 - 2 points.
    pub fn from_points(points: &[Vec3]) -> Result<Hull, HullFault> {
        Hull::with_budget(points, None)
    }

    fn with_budget(points: &[Vec3], budget: Option<u64>) -> Result<Hull, HullFault> {
        let mut room = Room::new();
        let set = points::Set::new(points)?;
        let outline = flat::outline(&set, budget, &mut room)?;
        graph::finish(&set, outline, true, &mut room)
    }

    /// The same, in less time and memory: hulls whose vertices are scanned, below [`crate::numeric::tolerance::CLIMB_FROM`], are without their graph.
    pub(crate) fn to_ask(points: &[Vec3], room: &mut Room) -> Result<Hull, HullFault> {
        let set = points::Set::new(points)?;
        let outline = flat::outline(&set, None, room)?;
        graph::finish(&set, outline, false, room)
    }

    /// Lets go of the graph if the hull's vertices are scanned.
    pub(crate) fn forget_graph(&mut self) {
        if self.vertex_count() < CLIMB_FROM {
            self.graph = None;
        }
    }

    /// Bytes it holds beside itself.
    pub(crate) fn held(&self) -> usize {
        size_of_val(&*self.blocks) + self.faces.bytes() + self.graph.as_ref().map_or(0, |g| g.bytes())
    }

    /// Dimension of the hull.
    pub fn rank(&self) -> Rank {
        self.rank
    }
    /// How many vertices it has.
    #[inline(always)]
    pub fn vertex_count(&self) -> usize {
        self.count as usize
    }
    /// The extreme points, each once, sorted by x, then y, then z (hulls of more than 65536 vertices have
    /// another fixed order). Exact copies of input points, but for coordinates below 5e-88 m, which are zero.
    pub fn vertices(&self) -> Vertices<'_> {
        Vertices::new(&self.blocks, self.vertex_count())
    }
    /// Vertex `v`. Panics if there is none of its number, or returns the last one.
    #[inline(always)]
    pub fn vertex(&self, v: usize) -> Vec3 {
        self.blocks[v / 4].point(v % 4)
    }
    /// Triangles, counter-clockwise from outside; facets with more corners are cut into several. A polygon has both
    /// its sides; below, there are none.
    pub fn faces(&self) -> Faces<'_> {
        self.faces.iter()
    }
    /// Vertices that share an edge with `v`, ascending; in facets of more than eight corners also along the diagonals
    /// of its triangles. Panics if there is no vertex `v`. None in a compiled world's hulls of fewer than a hundred vertices, which
    /// keep no neighbours: there make the hull of the vertices again.
    #[inline(always)]
    pub fn neighbours(&self, v: usize) -> &[u32] {
        self.graph.as_ref().map_or(&[], |g| g.neighbours(v))
    }
    /// All vertices, four at a time, in order; the last block repeats the last vertex.
    #[inline(always)]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }
    /// The neighbours of `v`, four at a time, with their indices; the last block repeats the last neighbour. Empty
    /// for a point, and where [`Hull::neighbours`] is. Panics if there is no vertex `v`.
    #[inline(always)]
    pub fn neighbour_blocks(&self, v: usize) -> (&[Block], &[[u32; 4]]) {
        self.graph.as_ref().map_or((&[], &[]), |g| g.neighbour_blocks(v))
    }
    /// A vertex that is extreme, or nearly, in `direction` (any length): one look-up in a cube map. 0 where the hull
    /// is too small to have one, some vertex where the direction is zero or not finite.
    #[inline(always)]
    pub fn start(&self, direction: Vec3) -> u32 {
        self.graph.as_ref().map_or(0, |g| g.start(direction))
    }
    /// How far, in metres, an input point may lie outside the hull of [`Hull::vertices`]: 0 but for sets with
    /// coordinates too small for exact arithmetic (5e-88 m).
    #[inline(always)]
    pub fn defect(&self) -> f64 {
        self.defect
    }
    /// What a climb that stops at `v` proves in spite of rounding: if no neighbour n of `v` has d . (n - v) > t, in
    /// exact arithmetic, then no point x of the hull has d . (x - v) > `t * climb_slack(v)`. Holds for every
    /// t <= `climb_error() * |d|`. Infinite where no finite bound could be proved.
    #[inline(always)]
    pub fn climb_slack(&self, v: usize) -> f64 {
        self.graph.as_ref().map_or(f64::INFINITY, |g| g.slack(v))
    }
    /// The largest error of a comparison, in metres for a direction of length 1, for which [`Hull::climb_slack`]
    /// holds: 64 roundings of [`Hull::max_abs`].
    #[inline(always)]
    pub fn climb_error(&self) -> f64 {
        HULL_CLIMB_ERROR * self.max_abs
    }
    /// Centre of a ball that contains the hull.
    #[inline(always)]
    pub fn center(&self) -> Vec3 {
        self.center
    }
    /// Radius of that ball, rounded up; within a few percent of the smallest.
    #[inline(always)]
    pub fn reach(&self) -> f64 {
        self.reach
    }
    /// Largest distance of a vertex from the origin of the hull's frame, rounded up.
    #[inline(always)]
    pub fn max_abs(&self) -> f64 {
        self.max_abs
    }
    /// Walks from vertex `from` uphill along `direction` until no neighbour is higher in f64; where the hull has no neighbours, all
    /// vertices are looked at.
    pub fn climb(&self, from: u32, direction: Vec3) -> u32 {
        if let Some(graph) = &self.graph {
            return graph.climb(|v| self.vertex(v as usize), from, direction);
        }
        let mut best = (from, direction.dot(self.vertex(from as usize)));
        for (v, p) in (0..).zip(self.vertices()) {
            let height = direction.dot(p);
            if height > best.1 {
                best = (v, height);
            }
        }
        best.0
    }
}

/// Number of a direction's cell: the axis of its largest coordinate, its sign, and the two others divided by it.
/// Selects instead of branches: the axis is a coin toss no predictor can learn. Always a number below the table's
/// length, whatever the direction.
#[inline(always)]
fn cell(d: Vec3) -> usize {
    let a = d.abs();
    let y_wins = a.y > a.x;
    let largest_xy = if y_wins { a.y } else { a.x };
    let z_wins = a.z > largest_xy;
    let largest = if z_wins { a.z } else { largest_xy };
    // A hair less than half the side, so that the sum stays inside. Added to 2^32 it has twenty bits behind the point;
    // shifting them out leaves the whole number.
    const SIDE: usize = HULL_TABLE_SIDE;
    const { assert!(SIDE.is_power_of_two()) };
    const INSIDE: f64 = SIDE as f64 / 2.0 * (1.0 - 1e-6);
    const WHOLE: f64 = 4_294_967_296.0 + SIDE as f64 / 2.0;
    let s = INSIDE / largest;
    let place = |c: f64| ((c * s + WHOLE).to_bits() >> 20) as usize & (SIDE - 1);
    let (x, y, z) = (place(d.x), place(d.y), place(d.z));
    let face = |axis: usize, c: f64| (2 * axis + (c.to_bits() >> 63) as usize) * SIDE * SIDE;
    let xy = if y_wins { face(1, d.y) + z * SIDE + x } else { face(0, d.x) + y * SIDE + z };
    if z_wins { face(2, d.z) + x * SIDE + y } else { xy }
}
