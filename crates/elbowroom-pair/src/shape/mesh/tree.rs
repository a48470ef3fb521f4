//! A tree of boxes over triangles, eight children a node.
//!
//! Built by `numeric::wide`. A leaf is one triangle; triangles are stored in the order of the tree,
//! and the number of a leaf is the index of its triangle.
//!
//! Boxes are f32 and rounded outwards, so they contain the f64 triangles. They are stored as centre and half
//! extents relative to the mesh's origin, because meshes are searched in rotated frames, which need these. A
//! node of eight fills four cache lines, and eight boxes are bounded at once.

use crate::numeric::tolerance::ROUNDOFF;
pub use crate::numeric::wide::WIDTH;
use crate::numeric::wide::{self, Box32, BuildPlan, Eight, Root, Second};
use crate::shape::triangle::Triangle;
use alloc::vec::Vec;
use elbowroom_describe::math::{Vec3, round_down, round_up};

/// Largest number of triangles of a mesh: corners and edges have numbers of 32 bits.
pub(crate) const TRIANGLE_LIMIT: usize = 1 << 28;
/// Levels on which runs are split at planes; below they are halved by number.
const PLANES: usize = 24;

/// Eight boxes by their centres and half extents.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Centers {
    pub(crate) center: [[f32; WIDTH]; 3],
    /// Half extents along x, y and z (metres).
    pub half: [[f32; WIDTH]; 3],
}

pub(crate) type Node = wide::WideNode<Centers>;

impl Eight for Centers {
    const EMPTY: Centers = Centers { center: [[0.0; WIDTH]; 3], half: [[0.0; WIDTH]; 3] };

    /// The half extents are rounded up.
    fn set_box(&mut self, lane: usize, b: &Box32) {
        for k in 0..3 {
            let (low, high) = (f64::from(b.low[k]), f64::from(b.high[k]));
            let c = b.middle_along(k);
            let half = (high - f64::from(c)).max(f64::from(c) - low);
            self.center[k][lane] = c;
            self.half[k][lane] = round_up(half * (1.0 + 4.0 * ROUNDOFF));
        }
    }
}

/// Where a set of triangles is, and how large (metres).
#[derive(Clone, Copy)]
pub(crate) struct Extent {
    /// Centre of the box around them.
    pub(crate) origin: Vec3,
    /// Half extents of that box, rounded up.
    pub(crate) half: Vec3,
    /// Largest distance of a corner from `origin`, rounded up.
    pub(crate) radius: f64,
    /// Largest distance of a corner from the frame's origin, rounded up.
    pub(crate) reach: f64,
    /// Rounding of a difference to `origin`.
    slack: f64,
}

impl Extent {
    /// That of checked triangles (at least one).
    pub(crate) fn around_triangles(triangles: &[Triangle]) -> Extent {
        let (mut low, mut high) = corners_of(&triangles[0]);
        for t in triangles {
            let (a, b) = corners_of(t);
            (low, high) = (low.min(a), high.max(b));
        }
        let origin = low * 0.5 + high * 0.5;
        let (mut radius, mut reach) = (0.0_f64, 0.0_f64);
        for p in triangles.iter().flatten() {
            radius = radius.max((*p - origin).norm());
            reach = reach.max(p.norm());
        }
        let (radius, reach) = (radius * (1.0 + 8.0 * ROUNDOFF), reach * (1.0 + 8.0 * ROUNDOFF));
        // The difference to the origin is rounded by at most u of itself; this is a little more.
        let slack = 4.0 * ROUNDOFF * radius;
        let half = Vec3::max(high - origin, origin - low) + Vec3 { x: slack, y: slack, z: slack };
        Extent { origin, half, radius, reach, slack }
    }
}

/// What [`build`] returns.
pub(crate) struct MeshTreeBuild {
    pub(crate) nodes: Vec<Node>,
    pub(crate) order: Vec<u32>,
    pub(crate) depth: usize,
}

/// Smallest and largest corner of a triangle.
fn corners_of(t: &Triangle) -> (Vec3, Vec3) {
    (t[0].min(t[1]).min(t[2]), t[0].max(t[1]).max(t[2]))
}

/// Builds the tree over checked triangles (at least one), relative to the origin of their extent.
pub(crate) fn build(triangles: &[Triangle], extent: &Extent) -> MeshTreeBuild {
    let Extent { origin, slack, .. } = *extent;
    let boxes: Vec<Box32> = triangles
        .iter()
        .map(|t| {
            let (a, b) = corners_of(t);
            let (a, b) = (a - origin, b - origin);
            let mut r = Box32 { low: [0.0; 4], high: [0.0; 4] };
            for k in 0..3 {
                r.low[k] = round_down(a[k] - slack);
                r.high[k] = round_up(b[k] + slack);
            }
            r
        })
        .collect();
    let plan =
        BuildPlan { full: 1, grown: 0.0, plane_levels: PLANES, second: Second::Beside, root: Root::Around };
    let wide::WideBuild { nodes, order, levels } = wide::build(boxes, plan);
    MeshTreeBuild { nodes, order, depth: levels }
}
