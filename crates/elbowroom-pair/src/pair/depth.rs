//! The depth of overlapping solids that are not convex: a bracket as narrow as is asked.
//!
//! The depth is the length of the shortest translation of A that separates the two. From above it is bounded
//! by ways out, translations that are proved to separate ([`way_out`]); from below by a cover of all shorter
//! ones with translations that are proved to overlap ([`cover`]). The way out that the hulls give is where it
//! begins; a shorter one is looked for straight out through the faces that are crossed ([`climb`]). Both ends
//! work on each other: a shorter way out leaves less to cover, and a translation in no part of the cover that
//! turns out to be free is the beginning of a shorter way out.
//!
//! It ends when the bracket is narrower than a share of the depth, or when the work is spent.

mod climb;
mod cover;
mod faces;
mod part;
mod planes;
mod regions;
mod sides;
pub(crate) mod space;
mod swept;
mod thread;
mod touch;
mod way_out;

use crate::pair::clearance::{Clearance, Effort, Stop};
use crate::pair::scratch::{Scratch, Warm};
use crate::pair::tolerance::{
    COARSE_DEPTH, COARSE_WORK, LOST_DEPTH, ORDINARY_DEPTH, ORDINARY_WORK, REGIONS_KEPT, THREAD_VISITS,
    THREAD_WORK, TIGHT_DEPTH, TIGHT_WORK, TOUCH_WIDTH, WAY_OUT_HAIR,
};
use crate::shape::solid::Shape;
use elbowroom_describe::math::Transform;
use sides::Sides;
use space::DepthScratch;
use way_out::WayOut;

/// Narrows the bracket `c` of two bodies that are proved to overlap, of which one is a mesh. `b_in_a` may be
/// off by `slack` (metres). A tight search begins where an ordinary one ends, so neither of its ends is
/// worse.
#[cold]
#[inline(never)]
pub(crate) fn measure(
    [a, b]: [&Shape; 2],
    (b_in_a, slack): (&Transform, f64),
    effort: Effort,
    c: &mut Clearance,
    warm: &mut Warm,
    scratch: &mut Scratch,
) {
    if effort == Effort::Rough {
        return;
    }
    let Some(sides) = Sides::new(a, b, b_in_a, slack).filter(|_| c.interval.lower.is_finite()) else {
        return;
    };
    // The next query of the pair starts where this one did.
    let found = warm.mesh;
    // The scratch space of the queries in between is another.
    let mut space = scratch.depth.take().unwrap_or_default();
    let mut search = WayOut::new(&sides, c);
    measure_ordinary(&mut search, &mut space, warm, scratch);
    if let Effort::Within(_) = effort {
        let share = effort.share();
        narrow_bracket(&mut search, share.max(TIGHT_DEPTH), &mut space, warm, scratch);
        if share < TIGHT_DEPTH {
            // It begins where a tight one ends, so neither of its ends is worse.
            narrow_bracket(&mut search, share, &mut space, warm, scratch);
        }
    }
    search.write_bracket(c);
    scratch.depth = Some(space);
    warm.mesh = found;
}

/// Narrows the bracket `c` of two bodies that touch and are not proved to overlap or to be apart, of which
/// one is a mesh: [`touch`]. `b_in_a` may be off by `slack` (metres).
#[cold]
#[inline(never)]
pub(crate) fn bound_touch(
    [a, b]: [&Shape; 2],
    (b_in_a, slack): (&Transform, f64),
    c: &mut Clearance,
    warm: &mut Warm,
    scratch: &mut Scratch,
) {
    let Some(sides) = Sides::new(a, b, b_in_a, slack).filter(|_| c.interval.lower.is_finite()) else {
        return;
    };
    let (found, size, before) = (warm.mesh, a.bounding_radius + b.bounding_radius, c.interval.lower);
    let mut search = WayOut::new(&sides, c);
    touch::step_away(&mut search, size, warm, scratch);
    // The points are those of the contact.
    let points = [c.witness_a, c.witness_b];
    search.write_bracket(c);
    [c.witness_a, c.witness_b] = points;
    // A bracket has the normal of the hulls' way out, until a shorter one is found.
    if c.interval.lower > before {
        let narrow = c.interval.upper - c.interval.lower <= TOUCH_WIDTH * size;
        c.stop = if narrow { Stop::Converged } else { Stop::Stalled };
    }
    warm.mesh = found;
}

/// Narrows the bracket of an ordinary or a tight search to a share of the depth, where the work suffices.
fn narrow_bracket(
    search: &mut WayOut,
    share: f64,
    space: &mut DepthScratch,
    warm: &mut Warm,
    scratch: &mut Scratch,
) {
    search.allow_work(TIGHT_WORK);
    search.long = true;
    space.regions.close = true;
    // They are too coarse.
    space.regions.clear(search.out, 2.0 * search.most);
    cover::cover(search, share, space, warm, scratch);
    search.settle(warm, scratch);
}

/// Narrows a bracket to [`ORDINARY_DEPTH`], where the work suffices.
fn measure_ordinary(search: &mut WayOut, space: &mut DepthScratch, warm: &mut Warm, scratch: &mut Scratch) {
    search.allow_work(ORDINARY_WORK);
    space.regions.close = false;
    // A hair beyond the end, which touches.
    search.descend(search.out * (1.0 + WAY_OUT_HAIR), warm, scratch);
    let first = search.most;
    space.regions.clear(search.out, 2.0 * first);
    climb::climb(search, ORDINARY_DEPTH, space, warm, scratch);
    clear_coarse(search, first, space);
    cover::cover(search, ORDINARY_DEPTH, space, warm, scratch);
    if search.least < search.most * (1.0 - COARSE_DEPTH) {
        // Seldom, and then the way out may be much too long.
        let (way, first, visits) = (search.current_way(), search.most, search.visits);
        (search.work, search.visits) = (THREAD_WORK.into(), THREAD_VISITS);
        thread::find_way_between_walls(search, space, warm, scratch);
        search.visits = visits;
        if search.most > first * (1.0 - COARSE_DEPTH) {
            // Not much is gained, and the cover is for the other.
            search.go_back(way);
        }
        clear_coarse(search, first, space);
        search.work = COARSE_WORK.into();
        space.regions.close = true;
        cover::cover(search, COARSE_DEPTH, space, warm, scratch);
    }
    search.settle(warm, scratch);
    if search.least < search.most * (1.0 - LOST_DEPTH) {
        // Only the way out of the hulls is known, and all around the walls are near: a closer cover finds it.
        narrow_bracket(search, LOST_DEPTH, space, warm, scratch);
    }
}

/// Forgets regions that were made when the way out had another length, if they are too coarse for it now.
fn clear_coarse(search: &WayOut, before: f64, space: &mut DepthScratch) {
    if search.most < REGIONS_KEPT * before {
        space.regions.clear(search.out, 2.0 * search.most);
    }
}

#[cfg(test)]
mod tests {
    use crate::pair::clearance::{Effort, Query};
    use crate::pair::narrow::clearance;
    use crate::pair::scratch::{Scratch, Warm};
    use crate::pair::tolerance::{LEAST_VISITS, THREAD_VISITS, VISITS_OF_WORK};
    use crate::rng::Rng;
    use crate::shape::solid::Shape;
    use alloc::vec::Vec;
    use elbowroom_describe::ShapeDescription;
    use elbowroom_describe::math::{Transform, Vec3};

    /// Triangles that each cross the whole body, so that boxes and hulls around them tell nothing.
    fn needles(count: u32, rng: &mut Rng) -> Shape {
        let mut vertices = Vec::new();
        for _ in 0..count {
            let (from, to) = (rng.direction(), rng.direction());
            vertices.extend([from, to, from + rng.direction() * 1e-3].map(Vec3::to_array));
        }
        let triangles = (0..count).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect();
        Shape::new(&ShapeDescription::Mesh { vertices, triangles }, 0.0).unwrap()
    }

    #[test]
    fn what_trees_visit_for_a_depth_is_bounded() {
        let mut rng = Rng::new(6);
        let [a, b] = [(); 2].map(|()| needles(2000, &mut rng));
        let cylinder = ShapeDescription::Cylinder { radius: 0.3, length: 1.0 };
        let cylinder = Shape::new(&cylinder, 0.0).unwrap();
        let mut reached = [0; 2];
        for k in 0..4 {
            let pose = Transform::from_xyz_rpy([0.1 * f64::from(k), 0.2, 0.1], [0.3, 0.2, f64::from(k)]);
            for (a, b) in [(&a, &b), (&a, &cylinder), (&cylinder, &b)] {
                let [rough, ordinary, tight] =
                    [Effort::Rough, Effort::Ordinary, Effort::TIGHT].map(|depth| {
                        let mut scratch = Scratch::new(a.mesh_depth().max(b.mesh_depth()));
                        let query = Query { depth, ..Query::default() };
                        let c = clearance(a, b, &pose, &query, &mut Warm::default(), &mut scratch);
                        assert!(c.interval.upper < 0.0, "{c:?}");
                        scratch.mesh.nearest.visits
                    });
                // A pair of boxes that is visited last may count its nodes and hulls, and then its triangles.
                let allowed = LEAST_VISITS + THREAD_VISITS;
                let most = [allowed, allowed + VISITS_OF_WORK * 40_000].map(|visits| visits as u64 * 2);
                assert!(ordinary - rough < most[0] && tight - rough < most[1], "{rough} {ordinary} {tight}");
                reached[0] += u32::from(ordinary - rough > most[0] / 8);
                reached[1] += u32::from(tight - rough > most[1] / 8);
            }
        }
        assert!(reached.iter().all(|n| *n > 1), "{reached:?} were ended by it");
    }
}
