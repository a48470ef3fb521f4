//! Polygons into triangles.
//!
//! A convex polygon is cut into a fan. Any other loses ears, seen along its Newell normal: a corner is an ear
//! if it turns the way the polygon turns and no reflex corner lies in its triangle. Each ear costs a scan
//! over the rest, so the work is at most cubic in the corners, and quadratic on anything but mazes. A polygon
//! without an ear crosses itself and is cut as a fan.

use super::builder::Builder;
use crate::limits;
use elbowroom::math::Vec3;

/// Adds the triangles of a polygon of at least three corners.
pub(super) fn cut_polygon(builder: &mut Builder, corners: &[u32]) {
    if let &[a, b, c] = corners {
        return builder.add_triangle([a, b, c]);
    }
    // Repeated neighbours carry nothing and would look like reflex corners.
    let mut ring: Vec<u32> = Vec::with_capacity(corners.len());
    for &c in corners {
        if ring.last() != Some(&c) {
            ring.push(c);
        }
    }
    while ring.len() > 1 && ring.first() == ring.last() {
        ring.pop();
    }
    if ring.len() < 3 {
        if let (Some(&a), Some(&b)) = (ring.first(), ring.last()) {
            builder.add_triangle([a, a, b]);
        }
        return;
    }
    let at = |i: u32, b: &Builder| Vec3::from(b.mesh.vertices[i as usize]);
    let origin = at(ring[0], builder);
    let mut normal = Vec3::ZERO;
    for k in 0..ring.len() {
        let (a, b) = (at(ring[k], builder) - origin, at(ring[(k + 1) % ring.len()], builder) - origin);
        normal += a.cross(b);
    }
    let turn = |a: u32, b: u32, c: u32, builder: &Builder| {
        let (p, q, r) = (at(a, builder), at(b, builder), at(c, builder));
        (q - p).cross(r - p).dot(normal)
    };
    let n = ring.len();
    let convex = (0..n).all(|k| turn(ring[k], ring[(k + 1) % n], ring[(k + 2) % n], builder) >= 0.0);
    let mut from = 0;
    while !convex && ring.len() > 3 {
        let n = ring.len();
        if builder.polygon_work > limits::POLYGON_WORK {
            return;
        }
        let mut work = n;
        let reflex: Vec<u32> = (0..n)
            .filter(|&k| turn(ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n], builder) <= 0.0)
            .map(|k| ring[k])
            .collect();
        let ear = (0..n).map(|k| (k + from) % n).find(|&k| {
            let (a, b, c) = (ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n]);
            work += reflex.len();
            turn(a, b, c, builder) > 0.0
                && reflex.iter().filter(|&&p| p != a && p != b && p != c).all(|&p| {
                    turn(a, b, p, builder) < 0.0
                        || turn(b, c, p, builder) < 0.0
                        || turn(c, a, p, builder) < 0.0
                })
        });
        builder.polygon_work += work;
        let Some(k) = ear else { break };
        builder.add_triangle([ring[(k + n - 1) % n], ring[k], ring[(k + 1) % n]]);
        ring.remove(k);
        // Going on from the next corner keeps the triangles fat.
        from = k;
    }
    for k in 1..ring.len() - 1 {
        builder.add_triangle([ring[0], ring[k], ring[k + 1]]);
    }
}
