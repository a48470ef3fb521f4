//! The convex hulls of a tree's nodes, as points to be scanned.
//!
//! The box around a node is a poor bound where surfaces are far apart or lie askew to the axes; its hull is
//! as good as a convex bound can be (Ehmann and Lin 2001). Where the surface is convex, the hull of a part of
//! it *is* that part, as seen from outside. So two nodes are bounded by the search for the distance of two
//! convex cores, and few are left to expand.
//!
//! Hulls are made from the leaves to the root: the points of a node are those of its children that are
//! extreme, by exact predicates, with the check that every hull gets. They are copies of corners, so a hull
//! contains its triangles without any rounding. A node of triangles alone keeps all their corners: there are
//! few, and most are extreme. The points of a node's children lie next to each other in memory, because they
//! are scanned together.

use super::sectors::{NodeSectors, SectorCut, SectorPlace, Sectors};
use super::tree::Node;
use crate::numeric::parallel;
use crate::numeric::simd::Lanes;
use crate::numeric::wide::LEAF;
use crate::shape::extreme::{Extreme, Support, dot_error, find_farthest, max_height};
use crate::shape::hull::{Block, HullScratch, extreme_points};
use crate::shape::tolerance::NODE_POINTS;
use crate::shape::triangle::Triangle;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// Nodes of a level whose hulls are found by one task: some tens of microseconds.
const RUN: usize = 16;

/// The points of a node, and how they are cut into sectors.
type HullPoints = (Vec<Vec3>, Option<SectorCut>);

/// Makes the hulls of a run of nodes of one level.
type MakeRun<'a> = dyn Fn(&&[u32]) -> Vec<HullPoints> + Sync + 'a;

/// The points of all nodes of a tree.
#[derive(Clone, Debug, Default)]
pub struct NodeHulls {
    blocks: Vec<Block>,
    /// By node, its blocks, and where its sectors are.
    spans: Vec<([u32; 2], SectorPlace)>,
    sectors: Sectors,
}

impl NodeHulls {
    /// The hulls of the nodes of a tree over `triangles`, which are in the order of its leaves.
    pub(super) fn from_triangles(nodes: &[Node], triangles: &[Triangle]) -> NodeHulls {
        NodeHulls::from_levels(nodes, triangles, |runs, hulls_of_run| parallel::map(runs, hulls_of_run))
    }

    /// The hulls of the nodes of a tree over `triangles`, which are in the order of its leaves, made on this
    /// thread alone.
    #[cfg(feature = "std")]
    pub(super) fn from_triangles_on_one_thread(nodes: &[Node], triangles: &[Triangle]) -> NodeHulls {
        NodeHulls::from_levels(nodes, triangles, |runs, hulls_of_run| runs.iter().map(hulls_of_run).collect())
    }

    /// The hulls by levels, from the leaves to the root. `map` applies a function to each run of nodes.
    fn from_levels(
        nodes: &[Node],
        triangles: &[Triangle],
        map: impl Fn(&[&[u32]], &MakeRun<'_>) -> Vec<Vec<HullPoints>>,
    ) -> NodeHulls {
        let mut points: Vec<Vec<Vec3>> = vec![Vec::new(); nodes.len()];
        let mut cuts: Vec<Option<SectorCut>> = nodes.iter().map(|_| None).collect();
        let levels = node_levels(nodes);
        for level in levels.iter().rev() {
            let hulls_of_run = |run: &&[u32]| {
                let mut scratch = HullScratch::new();
                let hull = |node: &u32| {
                    let own = points_of(&nodes[*node as usize], triangles, &points, &mut scratch);
                    let cut = SectorCut::from_points(&own);
                    (own, cut)
                };
                run.iter().map(hull).collect()
            };
            let found = map(&parallel::split_runs(level, RUN, |_| 1), &hulls_of_run);
            for (node, (own, cut)) in level.iter().zip(found.into_iter().flatten()) {
                (points[*node as usize], cuts[*node as usize]) = (own, cut);
            }
        }
        let spans = vec![([0; 2], SectorPlace::default()); nodes.len()];
        // The root is there, and each other node once, as a child.
        let blocks = points.iter().map(|own| own.len().div_ceil(4)).sum();
        let mut hulls = NodeHulls { blocks: Vec::with_capacity(blocks), spans, sectors: Sectors::default() };
        if let Some(root) = points.first() {
            hulls.spans[0].0 = hulls.store_points(root);
        }
        for node in nodes {
            for &child in node.child[..node.count as usize].iter().filter(|child| *child & LEAF == 0) {
                hulls.spans[child as usize].0 = hulls.store_points(&points[child as usize]);
            }
        }
        // Large hulls gain most from sectors. So these are made from the root downwards, and only while all
        // sectors together take no more space than all hulls. Their room is reserved at once: to grow would
        // hold them twice.
        let mut left = hulls.blocks.len();
        let mut chosen: Vec<(u32, SectorCut)> = Vec::new();
        for &node in levels.iter().flatten() {
            if let Some(cut) = cuts[node as usize].take()
                && cut.block_count() <= left
            {
                left -= cut.block_count();
                chosen.push((node, cut));
            }
        }
        hulls.sectors = Sectors::with_room(chosen.iter().map(|(_, cut)| cut));
        for (node, cut) in chosen {
            hulls.spans[node as usize].1 = hulls.sectors.store_cells(&points[node as usize], &cut);
        }
        hulls
    }

    /// Adds points, and returns their blocks. The last block repeats the last point.
    fn store_points(&mut self, points: &[Vec3]) -> [u32; 2] {
        let first = self.blocks.len() as u32;
        let last = points.len().saturating_sub(1);
        self.blocks.extend(
            (0..points.len())
                .step_by(4)
                .map(|i| Block::new([i, i + 1, i + 2, i + 3].map(|i| points[i.min(last)]))),
        );
        [first, self.blocks.len() as u32]
    }

    /// The points of a node.
    #[inline(always)]
    pub fn of_node(&self, node: u32) -> &[Block] {
        let ([first, end], _) = self.spans[node as usize];
        &self.blocks[first as usize..end as usize]
    }

    /// A node as a convex core; `extent` bounds the distance of its points from the frame's origin (metres).
    #[inline(always)]
    pub(crate) fn node_core(&self, node: u32, extent: f64) -> NodeHull<'_> {
        let (_, place) = self.spans[node as usize];
        NodeHull { points: self.of_node(node), sectors: self.sectors.of_node(place), extent }
    }
}

/// The nodes of each level, the root first.
fn node_levels(nodes: &[Node]) -> Vec<Vec<u32>> {
    let mut levels = vec![vec![0]];
    loop {
        let inner = |node: &u32| {
            let node = &nodes[*node as usize];
            node.child[..node.count as usize].iter().copied().filter(|child| child & LEAF == 0)
        };
        let next: Vec<u32> = levels[levels.len() - 1].iter().flat_map(inner).collect();
        if next.is_empty() {
            return levels;
        }
        levels.push(next);
    }
}

/// The points of a node, from those of its children.
fn points_of(
    node: &Node,
    triangles: &[Triangle],
    points: &[Vec<Vec3>],
    scratch: &mut HullScratch,
) -> Vec<Vec3> {
    let children = &node.child[..node.count as usize];
    let size = |child: &u32| if child & LEAF != 0 { 3 } else { points[*child as usize].len() };
    let mut all = Vec::with_capacity(children.iter().map(size).sum());
    let mut leaves_alone = true;
    for &child in children {
        if child & LEAF != 0 {
            all.extend_from_slice(&triangles[(child & !LEAF) as usize]);
        } else {
            all.extend_from_slice(&points[child as usize]);
            leaves_alone = false;
        }
    }
    if leaves_alone || all.len() <= NODE_POINTS { without_repeats(all) } else { extreme_points(all, scratch) }
}

/// The points, each once, in the order of their first occurrence.
fn without_repeats(points: Vec<Vec3>) -> Vec<Vec3> {
    let mut kept: Vec<Vec3> = Vec::with_capacity(points.len());
    for p in points {
        if !kept.contains(&p) {
            kept.push(p);
        }
    }
    kept
}

/// A triangle as the points of a leaf.
#[inline(always)]
pub fn of_triangle(t: &Triangle) -> [Block; 1] {
    [Block::new([t[0], t[1], t[2], t[2]])]
}

/// A node or a triangle of a mesh as a convex core: the hull of points.
#[derive(Clone, Copy)]
pub(crate) struct NodeHull<'a> {
    /// At least one block.
    pub points: &'a [Block],
    /// The points by sectors, where there are many.
    pub sectors: Option<NodeSectors<'a>>,
    /// At least the distance of every point from the frame's origin (metres).
    pub extent: f64,
}

impl NodeHull<'_> {
    /// A proved bound on `d.x` for all its points.
    #[inline(always)]
    pub(crate) fn reach_bound<L: Lanes>(self, l: L, d: Vec3) -> f64 {
        let height = match self.sectors {
            Some(sectors) => sectors.max_height(l, d),
            None => max_height(l, self.points, d),
        };
        height + dot_error(d, self.extent)
    }
}

impl Support for NodeHull<'_> {
    #[inline(always)]
    fn has_numbers(self) -> bool {
        true
    }
    #[inline(always)]
    fn is_glance_inexact(self) -> bool {
        false
    }
    #[inline(always)]
    fn support_point<L: Lanes>(self, l: L, d: Vec3, _hint: u32) -> Extreme {
        let index = match self.sectors {
            Some(sectors) => sectors.farthest_number(l, d),
            None => find_farthest(l, self.points, d),
        };
        Extreme { index, point: self.vertex(index) }
    }
    #[inline(always)]
    fn has_vertex_number(self, index: u32) -> bool {
        (index as usize) < 4 * self.points.len()
    }
    #[inline(always)]
    fn vertex(self, index: u32) -> Vec3 {
        self.points[index as usize / 4].point(index as usize % 4)
    }
    #[inline(always)]
    fn height_bound<L: Lanes>(self, _l: L, d: Vec3, e: Extreme) -> f64 {
        e.point.dot(d) + dot_error(d, self.extent)
    }
    #[inline(always)]
    fn extent_from_origin(self) -> f64 {
        self.extent
    }
}
