//! Whether a point lies in the solid that a mesh bounds.
//!
//! A segment from the point to one outside the mesh's box is cut with the surface, and what the crossed
//! triangles add to the winding number and to the parity is summed (`super::closed`). Which triangles it
//! crosses is decided by the signs of five determinants, computed exactly (Shewchuk 1997, crate `robust`);
//! where one is zero the segment passes through an edge or a vertex, and another direction is tried. The tree
//! only skips boxes that the segment misses by more than any rounding.

use super::data::Mesh;
use super::surface::PARITY;
use super::tree::Node;
use crate::numeric::math::{Vec3, vec3};
use crate::numeric::wide::LEAF;
use crate::shape::tolerance::{INSIDE_SKIP, LEAST_WAYS_OUT, OFF_AXES, WAYS_OUT};
use crate::shape::triangle::Triangle;
use robust::{Coord3D, orient3d};

/// Directions, tried in turn. No coordinate is small, and no two meshes made by hand share them.
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

/// Levels a tree can have at most: 28 bits of triangles halved, after the levels that are not.
const STACK: usize = 512;

/// Stands for the inverse of nothing.
const LARGE: f64 = 1e300;

fn sign(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> i8 {
    let p = |v: Vec3| Coord3D { x: v.x, y: v.y, z: v.z };
    let o = orient3d(p(a), p(b), p(c), p(d));
    i8::from(o > 0.0) - i8::from(o < 0.0)
}

/// How a segment passes a triangle: not at all (0), through it (±1, the side `p` is on), or `None` if too
/// close to call.
fn passes(t: &Triangle, p: Vec3, q: Vec3) -> Option<i8> {
    let (from, to) = (sign(t[0], t[1], t[2], p), sign(t[0], t[1], t[2], q));
    if from * to > 0 {
        return Some(0);
    }
    let sides = [sign(p, q, t[0], t[1]), sign(p, q, t[1], t[2]), sign(p, q, t[2], t[0])];
    if sides.contains(&1) && sides.contains(&-1) {
        return Some(0);
    }
    if from == 0 || to == 0 || sides.contains(&0) { None } else { Some(from) }
}

/// Whether `p` (the mesh's frame) lies in the solid; `None` where that could not be decided, in particular
/// where `p` lies on the surface. A mesh without closed shells contains nothing.
pub fn contains(mesh: &Mesh, p: Vec3) -> Option<bool> {
    contains_within(mesh, p, &mut { u64::MAX })
}

/// [`contains`], as long as there are no more nodes to open than `budget`, which is used up; `None` if there
/// are.
pub(super) fn contains_within(mesh: &Mesh, p: Vec3, budget: &mut u64) -> Option<bool> {
    if !p.is_finite() {
        return None;
    }
    if !mesh.encloses() || !mesh.box_contains(p, 0.0) {
        return Some(false);
    }
    let found = DIRECTIONS.iter().find_map(|&d| along(mesh, p, d, budget));
    if found == Some(false)
        && mesh.doubtful
        && !DIRECTIONS.iter().any(|&d| free(mesh, p, d, budget) || free(mesh, p, -d, budget))
    {
        return None;
    }
    found
}

/// Whether an open surface shuts `p` (the mesh's frame) in: of many rays from it fewer than
/// [`LEAST_WAYS_OUT`] leave the mesh's box without meeting a triangle. Broken solids and nearly closed
/// housings do that to what is within; bins, forks and rooms without a ceiling do not, down to their corners,
/// unless they are deeper than wide. So it is too once there are more nodes to open than `budget`, which is
/// used up.
pub(crate) fn shut_in(mesh: &Mesh, p: Vec3, budget: &mut u64) -> bool {
    if mesh.shells.open == 0 || !mesh.box_contains(p, 0.0) {
        return false;
    }
    let side = 2 * WAYS_OUT + 1;
    let unit = |i: u32| f64::from(i % side) - f64::from(WAYS_OUT);
    let all = (0..side.pow(3)).map(|k| vec3(unit(k), unit(k / side), unit(k / (side * side))));
    let ways = all.filter(|d| d.max_abs() == f64::from(WAYS_OUT)).map(|d| d + Vec3::from(OFF_AXES));
    ways.filter(|d| free(mesh, p, *d, budget)).take(LEAST_WAYS_OUT).count() < LEAST_WAYS_OUT
}

/// Whether the ray from `p` along `d` meets nothing, seams included.
fn free(mesh: &Mesh, p: Vec3, d: Vec3, budget: &mut u64) -> bool {
    let q = p + d * (4.0 * mesh.reach);
    let (step, give) = (q - p, INSIDE_SKIP * mesh.reach);
    let misses = |t: &Triangle| (passes(t, p, q) == Some(0)).then_some(());
    let seams = mesh.seams.as_deref();
    segment(&mesh.nodes, p - mesh.origin, step, give, budget, |i| misses(&mesh.triangles[i])).is_some()
        && seams.is_none_or(|s| {
            segment(&s.nodes, p - s.origin, step, give, budget, |i| misses(&s.triangles[i])).is_some()
        })
}

/// One direction of [`contains`].
fn along(mesh: &Mesh, p: Vec3, d: Vec3, budget: &mut u64) -> Option<bool> {
    // Leaves the box for certain: `p` is in it, and the box is at most two reaches across.
    let q = p + d * (4.0 * mesh.reach);
    // As rounded: far from the frame's origin the two differ.
    let step = q - p;
    let give = INSIDE_SKIP * mesh.reach;
    let (mut winding, mut odd) = (0_i64, 0_u64);
    let mut cross = |triangle: &Triangle, turn: i8| {
        if turn == 0 {
            return Some(());
        }
        match passes(triangle, p, q)? {
            0 => {}
            side if turn < PARITY => winding += i64::from(side * turn),
            _ => odd ^= 1 << (turn - PARITY),
        }
        Some(())
    };
    segment(&mesh.nodes, p - mesh.origin, step, give, budget, |leaf| {
        cross(&mesh.triangles[leaf], mesh.turns[leaf])
    })?;
    if let Some(seams) = &mesh.seams {
        segment(&seams.nodes, p - seams.origin, step, give, budget, |leaf| {
            cross(&seams.triangles[leaf], seams.turns[leaf])
        })?;
    }
    Some(winding != 0 || odd != 0)
}

/// Visits the triangles of a tree whose boxes the segment from `from` (relative to the tree's origin) to
/// `from + step` meets or misses by no more than `give`. `None` if `visit` says so, or if there are more
/// nodes to open than `budget`, which is used up.
pub(super) fn segment(
    nodes: &[Node],
    from: Vec3,
    step: Vec3,
    give: f64,
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
                let h = f64::from(node.boxes.half[k][lane]) + give;
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
