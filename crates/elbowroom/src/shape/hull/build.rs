//! Points to a hull, checked.

use super::graph::link;
use super::room::HullScratch;
use super::{ball, check, flat, points};
use crate::numeric::math::{Vec3, sqrt};
use crate::numeric::tolerance::ROUNDOFF;
use crate::shape::hull::block::Block;
use crate::shape::hull::fault::HullFault;
use crate::shape::hull::graph::{Graph, bends, climb_slack, direction_table, triangles};
use crate::shape::hull::outline::Outline;
use crate::shape::hull::parts::FaceList;
use crate::shape::hull::points::{Set, scaled, scaled_vec};
use crate::shape::hull::polytope::Hull;
use crate::shape::hull::rank::Rank;
use crate::shape::tolerance::{CLIMB_FROM, HULL_CLIMB_ERROR, HULL_TABLE_REACH};
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
impl Hull {
    /// The hull of `points` (metres, any frame; duplicates and points inside are welcome), checked. Time
    /// about n log n, memory about 70 bytes a point beside the result.
    ///
    /// # Errors
    /// No points, a coordinate that is not finite or beyond 1e100 m, or more than 2^32 - 2 points.
    pub fn from_points(points: &[Vec3]) -> Result<Hull, HullFault> {
        Hull::with_budget(points, None)
    }

    pub(super) fn with_budget(points: &[Vec3], budget: Option<u64>) -> Result<Hull, HullFault> {
        let mut room = HullScratch::new();
        let set = points::Set::new(points)?;
        let outline = flat::outline(&set, budget, &mut room)?;
        finish(&set, outline, true, &mut room)
    }

    /// The same, in less time and memory: hulls whose vertices are scanned, below
    /// [`crate::shape::tolerance::CLIMB_FROM`], are without their graph.
    pub(crate) fn to_ask(points: &[Vec3], room: &mut HullScratch) -> Result<Hull, HullFault> {
        let set = points::Set::new(points)?;
        let outline = flat::outline(&set, None, room)?;
        finish(&set, outline, false, room)
    }
}

/// Everything that follows from the corners and the facets; the graph of small hulls only if it is wanted.
/// Checks what it hands out.
fn finish(set: &Set, outline: Outline, with_graph: bool, room: &mut HullScratch) -> Result<Hull, HullFault> {
    let Outline { rank, corners, mut cycles, cycle_starts } = outline;
    // 6 F entries at most are counted in 32 bits below.
    if corners.len() > (u32::MAX / 16) as usize {
        return Err(HullFault::TooMany { count: corners.len() });
    }
    let mut local: Vec<Vec3> = corners.iter().map(|&i| set.points[i as usize]).collect();
    let count = local.len();
    let mut faces = triangles(&cycles, &cycle_starts);
    if rank == Rank::Solid {
        check::convex(&local, &faces)?;
    }
    let with_graph = with_graph || count >= CLIMB_FROM;
    let mut links = with_graph.then(|| link(rank, count, &cycles, &cycle_starts));
    let mut table = links.as_ref().map_or(Vec::new(), |links| direction_table(&local, &links.neighbours));
    if count > HULL_TABLE_REACH && !table.is_empty() {
        // The table's vertices go first, so that 16 bits name them.
        let mut first = table.clone();
        first.sort_unstable();
        first.dedup();
        let mut number = vec![u32::MAX; count];
        for (k, &v) in first.iter().enumerate() {
            number[v as usize] = k as u32;
        }
        for (next, k) in (first.len() as u32..).zip(number.iter_mut().filter(|k| **k == u32::MAX)) {
            *k = next;
        }
        let old = local.clone();
        for (v, &k) in number.iter().enumerate() {
            local[k as usize] = old[v];
        }
        cycles.iter_mut().chain(table.iter_mut()).for_each(|v| *v = number[*v as usize]);
        links = Some(link(rank, count, &cycles, &cycle_starts));
        faces = triangles(&cycles, &cycle_starts);
    }

    let e = set.exponent;
    // Ball and norms in the scaled range, where squares do not underflow.
    let (center, _) = ball::around(&local, &mut room.near);
    let center = scaled_vec(center, e);
    let inner = scaled_vec(center, -e);
    let up = |square: f64| sqrt(square) * (1.0 + 16.0 * ROUNDOFF);
    let largest = |from: Vec3| local.iter().map(|&p| (p - from).norm_squared()).fold(0.0, f64::max);
    // Differences and squares below 2^-500 may underflow; one part in 2^500 of a metre covers them.
    let out = |r: f64| if r > 0.0 || count > 1 { scaled(r + 1e-150, e).next_up() } else { 0.0 };
    let radius = up(largest(inner));
    let (reach, max_abs) = (out(radius), out(up(largest(Vec3::ZERO))));
    let blocks: Box<[Block]> = local
        .chunks(4)
        .map(|chunk| Block::new(core::array::from_fn(|i| scaled_vec(chunk[i.min(chunk.len() - 1)], e))))
        .collect();
    let graph = links.map(|links| {
        let bends = bends(&local, &cycles, &cycle_starts);
        let ball = (inner, radius + 1e-150);
        let allowed = scaled(HULL_CLIMB_ERROR * max_abs, -e);
        let slack =
            (0..count).map(|v| climb_slack(&local, links.edges.row(v), v, ball, bends[v], allowed)).collect();
        let mut link_starts = vec![0u32];
        let (mut link_blocks, mut link_ids) = (Vec::new(), Vec::new());
        for v in 0..count {
            for chunk in links.neighbours.row(v).chunks(4) {
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
    Ok(Hull {
        blocks,
        faces: FaceList::new(faces, count),
        graph,
        defect: set.defect,
        center,
        reach,
        max_abs,
        count: count as u32,
        rank,
    })
}
