//! What the solids say where the surfaces are apart or touch: does one lie inside the other?

use super::gap::{MeshGap, Relation};
use super::queue::MeshScratch;
use super::shared::{Shared, ball_in_both};
use crate::numeric::math::{Transform, Vec3};
use crate::numeric::tolerance::TRANSFORM_ROUNDING;
use crate::pair::mesh::point::ball_inside;
use crate::pair::tolerance::{BENEATH, CONTACT_SHARES, PART_LIMIT, WORK_LIMIT};
use crate::shape::mesh::{Mesh, inside};
use crate::shape::triangle::Triangle;

/// Surfaces that touch to within rounding may still belong to solids that overlap, where edge meets edge
/// exactly. Points of the two triangles around the place of contact are tested for being inside the other
/// solid; one that lies `d` from its surface proves a depth of `d`, for no shorter translation brings it out.
#[cold]
#[inline(never)]
pub(super) fn settle_contact(
    a: &Mesh,
    b: &Mesh,
    b_in_a: &Transform,
    found: &mut MeshGap,
    slack: f64,
    scratch: &mut MeshScratch,
) {
    let Some((ia, ib)) = found.triangles else { return };
    let (Some(ta), Some(tb)) = (a.triangle(ia), b.triangle(ib)) else { return };
    let a_in_b = b_in_a.inverse();
    let error = slack + TRANSFORM_ROUNDING * 4.0 * (a.extent + b.extent + b_in_a.translation.norm());
    let (pa, pb) = (found.point_a, a_in_b.point(found.point_b));
    let mut deepest = 0.0;
    for (solid, pose, triangle, p, of_a) in [(b, &a_in_b, ta, pa, true), (a, b_in_a, tb, pb, false)] {
        for (v, share) in triangle.iter().flat_map(|v| CONTACT_SHARES.map(|s| (*v, s))) {
            let q = p + (v - p) * share;
            // `q` lies on its triangle to within the rounding of one product and one sum.
            let Some(ball) = ball_inside(solid, pose.point(q), deepest + error, &mut scratch.nearest) else {
                continue;
            };
            deepest = ball - error;
            found.upper = -deepest;
            let at = if of_a { q } else { b_in_a.point(q) };
            (found.point_a, found.point_b) = (at, at);
            found.relation = Relation::Inside;
        }
    }
    if found.relation == Relation::Inside {
        return;
    }
    // Surfaces that lie on each other: a point beneath them that is in both. Balls around it in both solids
    // are parted by no less than the sum of their radii.
    let beneath = |t: &Triangle| (t[1] - t[0]).cross(t[2] - t[0]).normalized();
    let place = |t: &Triangle| (t[0] + t[1] + t[2]) * (1.0 / 3.0);
    for (t, pose) in [(ta, &Transform::IDENTITY), (tb, b_in_a)] {
        let Some(n) = beneath(t) else { continue };
        for down in BENEATH.into_iter().flat_map(|d| [d, -d]) {
            let x = pose.point(place(t) + n * (down * a.radius.min(b.radius)));
            let in_a = ball_inside(a, x, error, &mut scratch.nearest);
            let in_b = in_a.and_then(|_| ball_inside(b, a_in_b.point(x), error, &mut scratch.nearest));
            if let (Some(r), Some(s)) = (in_a, in_b) {
                found.upper = 2.0 * error - r - s;
                (found.point_a, found.point_b) = (x, x);
                found.relation = Relation::Inside;
                return;
            }
        }
    }
    if let Some(Shared { at, radii: [r, s] }) = ball_in_both(a, b, b_in_a, error, scratch) {
        found.upper = 2.0 * error - r - s;
        (found.point_a, found.point_b) = (at, at);
        found.relation = Relation::Inside;
    }
}

/// Where the parts of each mesh are with regard to the solid that the other bounds.
pub(super) enum Held {
    /// None is inside.
    Nowhere,
    /// None is proved to be inside, and one is shut in by an open surface.
    ShutIn,
    /// One is inside a solid whose seams are no farther than `crack` (metres) from its surface.
    Within { crack: f64 },
}

/// Whether a part of one mesh lies in the solid of the other, or is shut in by its open surface, their
/// surfaces being at least `lower` apart; `None` if that could not be decided.
pub(super) fn contained(a: &Mesh, b: &Mesh, b_in_a: &Transform, lower: f64, slack: f64) -> Option<Held> {
    let a_in_b = b_in_a.inverse();
    // Carried over, a vertex is off by no more than this; as long as that is less than the gap it stays on
    // its side.
    let error = slack + TRANSFORM_ROUNDING * 4.0 * (a.extent + b.extent + b_in_a.translation.norm());
    let (mut all, mut tested, mut budget) = (Some(Held::Nowhere), 0, u64::from(WORK_LIMIT));
    let mut look = |solid: &Mesh, pose: &Transform, parts: &Mesh| {
        for part in &parts.pieces {
            let p = pose.point(part.vertex);
            if !solid.box_contains(p, error) {
                continue;
            }
            tested += 1;
            // Farther from the surface than the seams are, so that the part does not cross those either.
            let clear = lower > error + solid.crack() && tested <= PART_LIMIT;
            let inside = match solid.encloses() {
                true if clear => inside::contains(solid, p),
                true => None,
                false => Some(false),
            };
            match inside {
                Some(true) => return Some(Held::Within { crack: solid.crack() }),
                Some(false)
                    if matches!(all, Some(Held::Nowhere))
                        && inside::shut_in(solid, p, &mut budget)
                        && !leads_out(solid, pose, parts) =>
                {
                    all = Some(Held::ShutIn);
                }
                Some(false) => {}
                None => all = None,
            }
        }
        None
    };
    look(a, b_in_a, b).or_else(|| look(b, &a_in_b, a)).or(all)
}

/// Whether a mesh that hangs together has a corner outside the box of another: then it leads out of that, and
/// is not shut in.
fn leads_out(other: &Mesh, pose: &Transform, mesh: &Mesh) -> bool {
    let out = |p: &Vec3| !other.box_contains(pose.point(*p), 0.0);
    mesh.pieces.len() == 1 && mesh.triangles.iter().flatten().any(out)
}
