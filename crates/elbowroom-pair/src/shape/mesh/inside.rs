//! Whether a point lies in the solid that a mesh bounds.
//!
//! A segment leads from the point to a point outside the mesh's box. The triangles that it crosses add to the
//! winding number and to the parity (`super::closed`). The signs of five determinants decide whether it
//! crosses a triangle; they are computed exactly (Shewchuk 1997, crate `robust`). Where one is zero the
//! segment passes through an edge or a vertex, and another direction is tried. Boxes are skipped only where
//! the segment misses them by more than any rounding.

use super::data::Mesh;
use super::surface::PARITY;
use super::tree::Node;
use crate::numeric::wide::LEAF;
use crate::shape::tolerance::{INSIDE_SKIP, LEAST_WAYS_OUT, OFF_AXES, WAYS_OUT};
use crate::shape::triangle::Triangle;
use elbowroom_describe::math::{Vec3, vec3};
use robust::{Coord3D, orient3d};

/// Directions of rays, in the order in which they are tried. No coordinate is small, and no plane that a
/// person draws contains them.
pub(super) const DIRECTIONS: [Vec3; 8] = [
    vec3(0.5773, 0.3251, 0.7493),
    vec3(-0.4127, 0.8011, 0.4331),
    vec3(0.3617, -0.5309, -0.7663),
    vec3(-0.7019, -0.2953, 0.6481),
    vec3(0.2711, 0.9101, -0.3119),
    vec3(-0.6323, 0.2417, -0.7351),
    vec3(0.8237, -0.4643, 0.3253),
    vec3(-0.3457, -0.6173, -0.7069),
];

/// Nodes on the stack of a search: more than any tree of 2^28 triangles needs.
const STACK: usize = 512;

/// Replaces the inverse of zero.
const LARGE: f64 = 1e300;

fn orientation_sign(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> i8 {
    let p = |v: Vec3| Coord3D { x: v.x, y: v.y, z: v.z };
    let o = orient3d(p(a), p(b), p(c), p(d));
    i8::from(o > 0.0) - i8::from(o < 0.0)
}

/// Whether the segment from `p` to `q` crosses a triangle: 0 if not, else ±1, the side on which `p` is;
/// `None` where it touches an edge, a vertex or the plane.
fn crossing_side(t: &Triangle, p: Vec3, q: Vec3) -> Option<i8> {
    let (from, to) = (orientation_sign(t[0], t[1], t[2], p), orientation_sign(t[0], t[1], t[2], q));
    if from * to > 0 {
        return Some(0);
    }
    let sides = [
        orientation_sign(p, q, t[0], t[1]),
        orientation_sign(p, q, t[1], t[2]),
        orientation_sign(p, q, t[2], t[0]),
    ];
    if sides.contains(&1) && sides.contains(&-1) {
        return Some(0);
    }
    if from == 0 || to == 0 || sides.contains(&0) { None } else { Some(from) }
}

/// Whether `p` (the mesh's frame) lies in the solid; `None` where that cannot be decided, in particular on
/// the surface. A mesh without closed shells contains nothing.
pub fn contains(mesh: &Mesh, p: Vec3) -> Option<bool> {
    contains_within(mesh, p, &mut { u64::MAX })
}

/// [`contains`] with a limit to the work: visited nodes are taken off `budget`, and when it is used up the
/// result is `None`.
pub(crate) fn contains_within(mesh: &Mesh, p: Vec3, budget: &mut u64) -> Option<bool> {
    if !p.is_finite() {
        return None;
    }
    if !mesh.encloses_volume() || !mesh.box_contains(p, 0.0) {
        return Some(false);
    }
    let is_inside = DIRECTIONS.iter().find_map(|&d| contains_by_ray(mesh, p, d, budget));
    if is_inside == Some(false)
        && mesh.doubtful
        && !DIRECTIONS.iter().any(|&d| is_ray_free(mesh, p, d, budget) || is_ray_free(mesh, p, -d, budget))
    {
        return None;
    }
    is_inside
}

/// Whether an open surface shuts `p` (the mesh's frame) in: fewer than [`LEAST_WAYS_OUT`] of many rays from
/// it leave the mesh's box without meeting a triangle. Points in broken solids and nearly closed housings are
/// shut in. Points in bins and forks and between walls without a ceiling are not, even in their corners,
/// unless they are deeper than wide. Also true when `budget` is used up; visited nodes are taken off it.
pub(crate) fn shut_in(mesh: &Mesh, p: Vec3, budget: &mut u64) -> bool {
    if mesh.shells.open == 0 || !mesh.box_contains(p, 0.0) {
        return false;
    }
    let side = 2 * WAYS_OUT + 1;
    let unit = |i: u32| f64::from(i % side) - f64::from(WAYS_OUT);
    let all = (0..side.pow(3)).map(|k| vec3(unit(k), unit(k / side), unit(k / (side * side))));
    let ways = all.filter(|d| d.max_abs() == f64::from(WAYS_OUT)).map(|d| d + Vec3::from(OFF_AXES));
    ways.filter(|d| is_ray_free(mesh, p, *d, budget)).take(LEAST_WAYS_OUT).count() < LEAST_WAYS_OUT
}

/// Whether the ray from `p` along `d` meets no triangle and no seam.
fn is_ray_free(mesh: &Mesh, p: Vec3, d: Vec3, budget: &mut u64) -> bool {
    let q = p + d * (4.0 * mesh.radius);
    let (step, slack) = (q - p, INSIDE_SKIP * mesh.radius);
    let misses = |t: &Triangle| (crossing_side(t, p, q) == Some(0)).then_some(());
    let seams = mesh.seams.as_deref();
    visit_segment(&mesh.nodes, p - mesh.origin, step, slack, budget, |i| misses(&mesh.triangles[i])).is_some()
        && seams.is_none_or(|s| {
            visit_segment(&s.nodes, p - s.origin, step, slack, budget, |i| misses(&s.triangles[i])).is_some()
        })
}

/// [`contains`] by the ray along `d`; `None` where a crossing cannot be decided.
fn contains_by_ray(mesh: &Mesh, p: Vec3, d: Vec3, budget: &mut u64) -> Option<bool> {
    // Outside the box: `p` is in it, and its diagonal is at most two radii.
    let q = p + d * (4.0 * mesh.radius);
    // Not `d` itself: `q` was rounded.
    let step = q - p;
    let slack = INSIDE_SKIP * mesh.radius;
    let (mut total, mut odd) = (0_i64, 0_u64);
    let mut cross = |triangle: &Triangle, winding: i8| {
        if winding == 0 {
            return Some(());
        }
        match crossing_side(triangle, p, q)? {
            0 => {}
            side if winding < PARITY => total += i64::from(side * winding),
            _ => odd ^= 1 << (winding - PARITY),
        }
        Some(())
    };
    visit_segment(&mesh.nodes, p - mesh.origin, step, slack, budget, |leaf| {
        cross(&mesh.triangles[leaf], mesh.winding[leaf])
    })?;
    if let Some(seams) = &mesh.seams {
        visit_segment(&seams.nodes, p - seams.origin, step, slack, budget, |leaf| {
            cross(&seams.triangles[leaf], seams.winding[leaf])
        })?;
    }
    Some(total != 0 || odd != 0)
}

/// Visits the triangles of a tree in whose boxes, grown by `slack`, the segment from `from` (relative to the
/// tree's origin) to `from + step` has a point. `None` if `visit` returns it, or if `budget` is used up;
/// visited nodes are taken off it.
pub(super) fn visit_segment(
    nodes: &[Node],
    from: Vec3,
    step: Vec3,
    slack: f64,
    budget: &mut u64,
    mut visit: impl FnMut(usize) -> Option<()>,
) -> Option<()> {
    // Infinity times zero is NaN.
    let inverse = [0, 1, 2].map(|k| if step[k].abs() > 1.0 / LARGE { 1.0 / step[k] } else { LARGE });
    let mut stack = [0_u32; STACK];
    let mut top = 1;
    while top > 0 {
        top -= 1;
        *budget = budget.checked_sub(1)?;
        let node = nodes.get(stack[top] as usize)?;
        for lane in 0..node.count as usize {
            let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
            for k in 0..3 {
                let c = f64::from(node.boxes.center[k][lane]) - from[k];
                let h = f64::from(node.boxes.half[k][lane]) + slack;
                let (a, b) = ((c - h) * inverse[k], (c + h) * inverse[k]);
                enter = enter.max(a.min(b));
                leave = leave.min(a.max(b));
            }
            if enter > leave {
                continue;
            }
            let child = node.child[lane];
            if child & LEAF == 0 {
                *stack.get_mut(top)? = child;
                top += 1;
            } else {
                visit((child & !LEAF) as usize)?;
            }
        }
    }
    Some(())
}
