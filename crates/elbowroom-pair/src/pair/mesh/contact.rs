//! Whether one solid lies inside the other, where their surfaces are apart or touch.

use super::gap::{MeshGap, Relation};
use super::queue::MeshScratch;
use super::shared::{Shared, ball_in_both};
use crate::numeric::tolerance::TRANSFORM_ROUNDING;
use crate::pair::mesh::point::ball_inside;
use crate::pair::tolerance::{BENEATH, CONTACT_SHARES, PIECE_LIMIT};
use crate::shape::mesh::{Mesh, inside};
use crate::shape::triangle::Triangle;
use elbowroom_describe::math::{Transform, Vec3};

/// Decides whether solids overlap whose surfaces touch to within rounding, as where edges meet exactly.
/// Points of the two triangles around the point of contact are tested for being inside the other solid. A
/// point at distance `d` from its surface proves a depth of `d`, because no shorter translation brings it
/// out.
#[cold]
#[inline(never)]
pub(super) fn settle_contact(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    gap: &mut MeshGap,
    slack: f64,
    scratch: &mut MeshScratch,
) {
    let Some((ia, ib)) = gap.triangles else { return };
    let (Some(ta), Some(tb)) = (a.triangle(ia), b.triangle(ib)) else { return };
    let a_in_b = b_in_a.inverse();
    let error = slack + TRANSFORM_ROUNDING * 4.0 * (a.extent + b.extent + b_in_a.translation.norm());
    let (pa, pb) = (gap.point_a, a_in_b.point(gap.point_b));
    let mut deepest = 0.0;
    for (solid, pose, triangle, p, of_a) in [(b, &a_in_b, ta, pa, true), (a, b_in_a, tb, pb, false)] {
        for (v, share) in triangle.iter().flat_map(|v| CONTACT_SHARES.map(|s| (*v, s))) {
            let q = p + (v - p) * share;
            // `q` lies on its triangle to within the rounding of one product and one sum.
            let Some(ball) = ball_inside(solid, pose.point(q), deepest + error, &mut scratch.nearest) else {
                continue;
            };
            deepest = ball - error;
            gap.upper = -deepest;
            let at = if of_a { q } else { b_in_a.point(q) };
            (gap.point_a, gap.point_b) = (at, at);
            gap.relation = Relation::Inside;
        }
    }
    if gap.relation == Relation::Inside {
        return;
    }
    // For surfaces that lie on each other, a point beneath them that is in both. To separate balls about it
    // in both solids, a translation must be at least the sum of their radii.
    let beneath = |t: &Triangle| (t[1] - t[0]).cross(t[2] - t[0]).normalized();
    let middle = |t: &Triangle| (t[0] + t[1] + t[2]) * (1.0 / 3.0);
    for (t, pose) in [(ta, &Transform::IDENTITY), (tb, b_in_a)] {
        let Some(n) = beneath(t) else { continue };
        for down in BENEATH.into_iter().flat_map(|d| [d, -d]) {
            let x = pose.point(middle(t) + n * (down * a.radius.min(b.radius)));
            let in_a = ball_inside(a, x, error, &mut scratch.nearest);
            let in_b = in_a.and_then(|_| ball_inside(b, a_in_b.point(x), error, &mut scratch.nearest));
            if let (Some(r), Some(s)) = (in_a, in_b) {
                gap.upper = 2.0 * error - r - s;
                (gap.point_a, gap.point_b) = (x, x);
                gap.relation = Relation::Inside;
                return;
            }
        }
    }
    if let Some(Shared { at, radii: [r, s] }) = ball_in_both(a, b, b_in_a, error, scratch) {
        gap.upper = 2.0 * error - r - s;
        (gap.point_a, gap.point_b) = (at, at);
        gap.relation = Relation::Inside;
    }
}

/// The pieces of each mesh relative to the solid that the other bounds.
pub(super) enum Containment {
    /// No piece is inside.
    Outside,
    /// No piece is proved to be inside, and an open surface shuts one in.
    ShutIn,
    /// A piece is inside a solid whose seams are no farther than `crack` (metres) from its surface.
    Within { crack: f64 },
}

/// Whether a piece of one mesh lies in the solid of the other, or its open surface shuts the piece in, where
/// their surfaces are at least `lower` apart; `None` if that could not be decided.
pub(super) fn contained(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    (lower, slack): (f64, f64),
    scratch: &mut MeshScratch,
) -> Option<Containment> {
    let a_in_b = b_in_a.inverse();
    // Error of a transformed vertex: if it is less than the gap, the vertex stays on its side.
    let error = slack + TRANSFORM_ROUNDING * 4.0 * (a.extent + b.extent + b_in_a.translation.norm());
    let (mut all, mut tested, mut budget) = (Some(Containment::Outside), 0, u64::from(scratch.work_limit));
    let mut test = |solid: &Mesh, pose: &Transform, other: &Mesh| {
        for piece in &other.pieces {
            let p = pose.point(piece.vertex);
            if !solid.box_contains(p, error) {
                continue;
            }
            tested += 1;
            // Farther from the surface than the seams, so that the piece does not cross those either.
            let clear = lower > error + solid.crack_half_width() && tested <= PIECE_LIMIT;
            let inside = match solid.encloses_volume() {
                true if clear => inside::contains(solid, p),
                true => None,
                false => Some(false),
            };
            match inside {
                Some(true) => return Some(Containment::Within { crack: solid.crack_half_width() }),
                Some(false)
                    if matches!(all, Some(Containment::Outside))
                        && inside::shut_in(solid, p, &mut budget)
                        && !leads_out(solid, pose, other) =>
                {
                    all = Some(Containment::ShutIn);
                }
                Some(false) => {}
                None => all = None,
            }
        }
        None
    };
    let found = test(a, b_in_a, b).or_else(|| test(b, &a_in_b, a));
    scratch.nearest.visits += u64::from(scratch.work_limit) - budget;
    found.or(all)
}

/// Whether a mesh in one piece has a corner outside the box of another: then it leads out of it and is not
/// shut in.
fn leads_out(other: &Mesh, pose: &Transform, mesh: &Mesh) -> bool {
    let out = |p: &Vec3| !other.box_contains(pose.point(*p), 0.0);
    mesh.pieces.len() == 1 && mesh.triangles.iter().flatten().any(out)
}
