//! Points to a hull, checked.

use super::graph::link_vertices;
use super::scratch::HullScratch;
use super::{check, flat, points};
use crate::numeric::tolerance::ROUNDOFF;
use crate::shape::hull::block::Block;
use crate::shape::hull::graph::{
    Graph, Links, climb_slack, direction_table, facet_bends, triangulate_facets,
};
use crate::shape::hull::outline::{Cycles, Facets, Outline};
use crate::shape::hull::points::{Set, scaled_number, scaled_vec};
use crate::shape::hull::polytope::Hull;
use crate::shape::hull::rank::Rank;
use crate::shape::hull::store::{Filling, Store};
use crate::shape::tolerance::{CLIMB_FROM, HULL_CLIMB_ERROR, HULL_TABLE_VERTICES};
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::fault::HullFault;
use elbowroom_describe::math::{Vec3, sqrt};

/// Which hulls get a graph.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Graphs {
    /// All hulls.
    Always,
    /// Hulls of at least [`CLIMB_FROM`] vertices, which are climbed.
    IfClimbed,
    /// Only hulls whose vertices a table renumbers.
    IfNumbered,
}

impl Hull {
    /// The checked hull of `points` (metres, any frame; duplicates and points inside are allowed). Takes
    /// about n log n time, and 70 bytes a point beside the result.
    ///
    /// # Errors
    /// No points, a coordinate that is not finite or beyond 1e100 m, or more than 2^32 - 2 points.
    pub fn from_points(points: &[Vec3]) -> Result<Hull, HullFault> {
        Ok(Hull::with_budget(points, None)?.hull)
    }

    /// The vertices and faces of [`Hull::from_points`] in less time, for who proves nothing with them: not
    /// checked, without a graph.
    ///
    /// # Errors
    /// As [`Hull::from_points`].
    pub fn build_unchecked(points: &[Vec3]) -> Result<Hull, HullFault> {
        let set = points::Set::new(points)?;
        let outline = flat::hull_outline(&set, None, &mut HullScratch::new())?;
        Ok(build_draft(set, outline, Graphs::IfNumbered)?.finish_hull(Vec3::ZERO).hull)
    }

    /// The hull of `points` (metres, any frame) for queries only, in a ball: see [`Draft::for_queries`].
    ///
    /// # Errors
    /// Those of [`Hull::from_points`].
    pub(crate) fn for_queries(points: &[Vec3]) -> Result<InBall, HullFault> {
        let mut scratch = HullScratch::new();
        let draft = Draft::for_queries(points, &mut scratch)?;
        let center = scratch.ball_center(&draft.local);
        Ok(draft.finish_hull(center))
    }

    /// The checked hull of `points` (metres, any frame), with a ball around it.
    ///
    /// # Errors
    /// Those of [`Hull::from_points`].
    pub fn with_ball(points: &[Vec3]) -> Result<InBall, HullFault> {
        Hull::with_budget(points, None)
    }

    pub(super) fn with_budget(points: &[Vec3], budget: Option<u64>) -> Result<InBall, HullFault> {
        let mut scratch = HullScratch::new();
        let set = points::Set::new(points)?;
        let outline = flat::hull_outline(&set, budget, &mut scratch)?;
        let draft = build_draft(set, outline, Graphs::Always)?;
        let center = scratch.ball_center(&draft.local);
        Ok(draft.finish_hull(center))
    }
}

/// A hull in a ball (metres, the hull's frame).
#[derive(Clone, Debug)]
pub struct InBall {
    /// The hull.
    pub hull: Hull,
    /// The centre of the ball.
    pub center: Vec3,
    /// Its radius, rounded up; within a few percent of the smallest.
    pub radius: f64,
}

/// A checked hull without its ball.
pub(crate) struct Draft {
    rank: Rank,
    /// [`Set::exponent`] and [`Set::defect`].
    exponent: i32,
    defect: f64,
    /// The vertices, scaled.
    local: Vec<Vec3>,
    faces: Vec<[u32; 3]>,
    /// For hulls with a graph.
    linked: Option<Linked>,
}

/// What a graph is made of.
struct Linked {
    cycles: Cycles,
    links: Links,
    table: Vec<u32>,
}

impl Draft {
    /// Makes a hull of points for queries only. It takes less time and memory than [`Hull::from_points`]: a
    /// hull of fewer than [`crate::shape::tolerance::CLIMB_FROM`] vertices, which are scanned, has no graph.
    pub fn for_queries(points: &[Vec3], scratch: &mut HullScratch) -> Result<Draft, HullFault> {
        let set = points::Set::new(points)?;
        let outline = flat::hull_outline(&set, None, scratch)?;
        build_draft(set, outline, Graphs::IfClimbed)
    }

    /// Its vertices, around which a ball is to be found.
    pub fn points(&self) -> &[Vec3] {
        &self.local
    }
}

/// Those of `points` whose hull holds all of them: the extreme points, checked as a hull is, or all where the
/// predicates are not exact.
pub(crate) fn extreme_points(points: Vec<Vec3>, scratch: &mut HullScratch) -> Vec<Vec3> {
    let extreme = |set: &Set, scratch: &mut HullScratch| {
        let Outline { rank, corners, facets } = flat::hull_outline(set, None, scratch)?;
        let corners: Vec<Vec3> = corners.iter().map(|&i| set.points[i as usize]).collect();
        if rank == Rank::Solid {
            let faces = match facets {
                Facets::Triangles(faces) => faces,
                Facets::Cycles(cycles) => triangulate_facets(&cycles),
            };
            check::check_convex(&corners, &faces)?;
        }
        Ok::<_, HullFault>(corners)
    };
    match points::Set::new(&points) {
        Ok(set) if set.defect == 0.0 && set.exponent == 0 => extreme(&set, scratch).unwrap_or(points),
        _ => points,
    }
}

/// The hull with these corners and facets, checked.
fn build_draft(set: Set, outline: Outline, graphs: Graphs) -> Result<Draft, HullFault> {
    let Outline { rank, corners, facets } = outline;
    // At most 6 F entries are counted in 32 bits below.
    if corners.len() > (u32::MAX / 16) as usize {
        return Err(HullFault::TooMany { count: corners.len() });
    }
    let count = corners.len();
    let Set { points, in_order, exponent, defect, .. } = set;
    let all = in_order && count == points.len();
    let mut local = if all { points } else { corners.iter().map(|&i| points[i as usize]).collect() };
    let mut faces = match &facets {
        Facets::Triangles(_) => Vec::new(),
        Facets::Cycles(cycles) => triangulate_facets(cycles),
    };
    let with_graph = match graphs {
        Graphs::Always => true,
        Graphs::IfClimbed => count >= CLIMB_FROM,
        Graphs::IfNumbered => count > HULL_TABLE_VERTICES,
    };
    let mut cycles = match facets {
        Facets::Cycles(cycles) => cycles,
        Facets::Triangles(triangles) => {
            let corners = if with_graph { triangles.concat() } else { Vec::new() };
            let starts =
                if with_graph { (0..=corners.len() as u32).step_by(3).collect() } else { Vec::new() };
            faces = triangles;
            Cycles { corners, starts }
        }
    };
    if rank == Rank::Solid && graphs != Graphs::IfNumbered {
        check::check_convex(&local, &faces)?;
    }
    let mut links = with_graph.then(|| link_vertices(rank, count, &cycles));
    let mut table = links.as_ref().map_or(Vec::new(), |links| direction_table(&local, &links.neighbours));
    if count > HULL_TABLE_VERTICES && !table.is_empty() {
        // The table's vertices come first, so that 16 bits number them.
        let mut first = table.clone();
        first.sort_unstable();
        first.dedup();
        let mut rest = first.len() as u32;
        let number: Vec<u32> = (0..count as u32)
            .map(|v| {
                first.binary_search(&v).map_or_else(
                    |_| {
                        rest += 1;
                        rest - 1
                    },
                    |k| k as u32,
                )
            })
            .collect();
        let old = local.clone();
        for (v, &k) in number.iter().enumerate() {
            local[k as usize] = old[v];
        }
        cycles.corners.iter_mut().chain(table.iter_mut()).for_each(|v| *v = number[*v as usize]);
        links = Some(link_vertices(rank, count, &cycles));
        faces = triangulate_facets(&cycles);
    }

    let linked = links.map(|links| Linked { cycles, links, table });
    Ok(Draft { rank, exponent, defect, local, faces, linked })
}

impl Draft {
    /// Whether it can lie in a store with others.
    fn can_share_store(&self) -> bool {
        self.linked.is_none() && self.defect == 0.0
    }
    /// An empty store with room for those drafts that can share one.
    pub fn room_for<'a>(drafts: impl Iterator<Item = &'a Draft>) -> Filling {
        Filling::with_room(drafts.filter(|d| d.can_share_store()).map(|d| (d.rank, d.local.len())))
    }
    /// The hull in a ball about `center`, in a store of its own.
    pub fn finish_hull(self, center: Vec3) -> InBall {
        let mut filling = Draft::room_for(core::iter::once(&self));
        let laid = self.lay_in_store(center, &mut filling);
        laid.in_store(&filling.into_shared())
    }
    /// The hull in a ball about a centre, [`HullScratch::ball_center`] of its points, in a store with others;
    /// in a store of its own if it can share none.
    pub fn lay_in_store(self, center: Vec3, others: &mut Filling) -> Laid {
        let shares = self.can_share_store();
        let Draft { rank, exponent: e, defect, local, faces, linked } = self;
        let count = local.len();
        // The ball and the norms, in the scaled range, where squares do not underflow.
        let center = scaled_vec(center, e);
        let inner = scaled_vec(center, -e);
        let up = |square: f64| sqrt(square) * (1.0 + 16.0 * ROUNDOFF);
        let largest = |from: Vec3| local.iter().map(|&p| (p - from).norm_squared()).fold(0.0, f64::max);
        // Differences and squares below 2^-500 may underflow; 2^-500 metres cover them.
        let out = |r: f64| if r > 0.0 || count > 1 { scaled_number(r + 1e-150, e).next_up() } else { 0.0 };
        let radius = up(largest(inner));
        let (bounding_radius, max_abs) = (out(radius), out(up(largest(Vec3::ZERO))));
        let blocks = local
            .chunks(4)
            .map(|chunk| Block::new(core::array::from_fn(|i| scaled_vec(chunk[i.min(chunk.len() - 1)], e))));
        let laid = |own, start| Laid {
            own,
            start,
            count: count as u32,
            rank,
            max_abs,
            center,
            radius: bounding_radius,
        };
        if shares {
            return laid(None, others.add(blocks, &faces, count));
        }
        let mut own = Filling::with_room(core::iter::once((rank, count)));
        let start = own.add(blocks, &faces, count);
        let blocks = own.blocks();
        let graph = linked.map(|Linked { cycles, links, table }| {
            let bends = facet_bends(&local, &cycles);
            let ball = (inner, radius + 1e-150);
            let allowed = scaled_number(HULL_CLIMB_ERROR * max_abs, -e);
            let slack = (0..count)
                .map(|v| climb_slack(&local, links.edges.row_items(v), v, ball, bends[v], allowed))
                .collect();
            let mut link_starts = vec![0u32];
            let (mut link_blocks, mut link_ids) = (Vec::new(), Vec::new());
            for v in 0..count {
                for chunk in links.neighbours.row_items(v).chunks(4) {
                    let ids: [u32; 4] = core::array::from_fn(|i| chunk[i.min(chunk.len() - 1)]);
                    link_blocks.push(Block::new(ids.map(|i| blocks[i as usize / 4].point(i as usize % 4))));
                    link_ids.push(ids);
                }
                link_starts.push(link_ids.len() as u32);
            }
            Box::new(Graph {
                neighbour_starts: links.neighbours.starts.into(),
                neighbours: links.neighbours.items.into(),
                link_starts: link_starts.into(),
                link_blocks: link_blocks.into(),
                link_ids: link_ids.into(),
                table: table.iter().map(|&v| v as u16).collect(),
                slack,
            })
        });
        laid(Some(Arc::new(own.into_store(graph, defect))), start)
    }
}

/// A hull in a ball, whose vertices and faces are laid in a store.
pub(crate) struct Laid {
    /// Its own store, if it shares none.
    own: Option<Arc<Store>>,
    start: [u32; 2],
    count: u32,
    rank: Rank,
    max_abs: f64,
    center: Vec3,
    radius: f64,
}

impl Laid {
    /// The finished hull, once the shared store is filled.
    pub fn in_store(self, shared: &Arc<Store>) -> InBall {
        let Laid { own, start, count, rank, max_abs, center, radius } = self;
        let store = own.unwrap_or_else(|| shared.clone());
        InBall { hull: Hull { store, max_abs, start, count, rank }, center, radius }
    }
}
