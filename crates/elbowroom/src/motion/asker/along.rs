//! How far apart pairs stay around a pose, by the gaps along the normals that they have there.

use super::super::plane::gap_along;
use super::{Around, Asker, find_cloud, has_mesh, motion_along, shapes};
use crate::pose::frames::Pose;
use crate::query::bodies::{Measured, ask_shape_pair, each_shape_pair};
use crate::query::resolved::Resolved;
use elbowroom_pair::Geometry;
use elbowroom_pair::{Ask, Effort};

impl Asker<'_> {
    /// A lower bound on the signed distance of a pair at every pose around one (metres), from the gaps along
    /// the normals that its shapes have at that pose. Bodies that slide along each other or move apart keep
    /// it, and overlapping ones have it too. Meshes stand for their hulls; minus infinity for clouds.
    pub fn least_along(&mut self, pose: &Pose, index: usize, around: Around) -> f64 {
        let Around { bounds, change, .. } = around;
        let (pair, start) = (self.pairs[index], self.start(index));
        if find_cloud(pose.world, pair).is_some() {
            return f64::NEG_INFINITY;
        }
        let cutoff = f64::INFINITY;
        let asked = Resolved {
            ask: Ask::Distance,
            geometry: Geometry::Hull,
            margin: 0.0,
            cutoff,
            depth: Effort::Rough,
        };
        let ranges = shapes(pose, pair);
        let mut least = if ranges.iter().any(|range| range.is_empty()) { f64::NEG_INFINITY } else { cutoff };
        let work = &mut self.work;
        each_shape_pair(pose, ranges, |candidate| {
            let placed = pose.shape_pair(candidate.shapes);
            let mut measured = Measured::nothing_measured(&asked);
            let normal = ask_shape_pair(&placed, &candidate, &asked, cutoff, start, work, &mut measured);
            let [shape_a, shape_b] = placed.shapes;
            let gap = gap_along(shape_a, shape_b, &placed.b_in_a, normal, placed.slack);
            let along = motion_along(bounds, pose, pair, (&candidate, &placed), normal, change, |_, _| {});
            least = least.min(gap - along);
        });
        if least.is_nan() { f64::NEG_INFINITY } else { least }
    }

    /// Writes that gap into `gaps` for each pair of shapes, by its number, and returns how many there are.
    /// `None` for clouds, for more pairs of shapes than `gaps` has room for, and where a mesh is farther away
    /// at the pose than its hull by more than `faithful` (metres).
    pub fn gaps_along(
        &mut self,
        pose: &Pose,
        index: usize,
        around: Around,
        faithful: Option<f64>,
        gaps: &mut [f64],
    ) -> Option<usize> {
        let Around { bounds, change, .. } = around;
        let (pair, start) = (self.pairs[index], self.start(index));
        let ranges = shapes(pose, pair);
        let count = ranges[0].len() * ranges[1].len();
        if find_cloud(pose.world, pair).is_some() || count == 0 || count > gaps.len() {
            return None;
        }
        let cutoff = f64::INFINITY;
        let asked =
            |geometry| Resolved { ask: Ask::Distance, geometry, margin: 0.0, cutoff, depth: Effort::Rough };
        let work = &mut self.work;
        let mut known = true;
        each_shape_pair(pose, ranges, |candidate| {
            let placed = pose.shape_pair(candidate.shapes);
            let hulls = asked(Geometry::Hull);
            let mut measured = Measured::nothing_measured(&hulls);
            let normal = ask_shape_pair(&placed, &candidate, &hulls, cutoff, start, work, &mut measured);
            let [shape_a, shape_b] = placed.shapes;
            let gap = gap_along(shape_a, shape_b, &placed.b_in_a, normal, placed.slack);
            if let (Some(most), true) = (faithful, has_mesh(pose, candidate.shapes)) {
                let meshes = asked(Geometry::Mesh);
                let mut measured = Measured::nothing_measured(&meshes);
                ask_shape_pair(&placed, &candidate, &meshes, cutoff, start, work, &mut measured);
                known &= measured.interval.upper - gap <= most;
            }
            let along = motion_along(bounds, pose, pair, (&candidate, &placed), normal, change, |_, _| {});
            gaps[candidate.number] = gap - along;
            known &= !gaps[candidate.number].is_nan();
        });
        known.then_some(count)
    }
}
