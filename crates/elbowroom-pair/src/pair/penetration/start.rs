//! The first four corners of a depth search.

use crate::numeric::simd::Plain;
use crate::pair::cores::Cores;
use crate::pair::farthest::Farthest;
use crate::pair::simplex::{Corner, Simplex};
use crate::pair::tolerance::{CORNER_NOISE, FLAT};
use crate::shape::plainly::Plainly;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// Whether the simplex is a tetrahedron with more volume than rounding of the volume and of the corners can
/// cause.
#[inline(always)]
pub(super) fn solid(s: &Simplex, scale: f64) -> bool {
    let [a, b, c, d] = [0, 1, 2, 3].map(|i| s.corner(i).w);
    let (e, f, g) = (b - a, c - a, d - a);
    let n = e.cross(f);
    let volume = n.dot(g).abs();
    let area = e.norm_squared().max(f.norm_squared()).max(g.norm_squared());
    s.len == 4 && volume > FLAT * n.norm() * g.norm() && volume > CORNER_NOISE * scale * area
}

/// Four corners with volume, from a simplex without volume; or the direction in which A - B is flat.
#[cold]
#[inline(never)]
pub(super) fn tetrahedron(
    cores: &Cores<Plainly, Plainly>,
    s: &Simplex,
    out: &mut Vec<Corner>,
) -> Result<(), Vec3> {
    // A flat simplex gives only its first three corners.
    out.extend(s.corners().take(3));
    let size = cores.scale;
    let corner = |d: Vec3| Farthest::new(Plain, cores, -d).corner(cores);
    if out.len() == 3 && (out[1].w - out[0].w).cross(out[2].w - out[0].w).norm() <= FLAT * size * size {
        out.truncate(2);
    }
    if out.len() == 2 && (out[1].w - out[0].w).norm() <= FLAT * size {
        out.truncate(1);
    }
    if out.is_empty() {
        out.push(corner(Vec3::X));
    }
    if out.len() == 1 {
        // The farthest of six directions.
        let mut best = (FLAT * size, out[0]);
        for d in [Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z] {
            let c = corner(d);
            let far = (c.w - out[0].w).norm();
            if far > best.0 {
                best = (far, c);
            }
        }
        if best.0 <= FLAT * size {
            return Err(Vec3::X);
        }
        out.push(best.1);
    }
    if out.len() == 2 {
        // The corner farthest from the line, of six directions around it.
        let e = out[1].w - out[0].w;
        let (p, axis) = (e.any_perpendicular(), e.normalized().unwrap_or(Vec3::X));
        let q = axis.cross(p);
        let mut best = (FLAT * size, out[0]);
        for d in [p, q, -p, -q, p + q, p - q, q - p, -p - q] {
            let c = corner(d);
            let far = axis.cross(c.w - out[0].w).norm();
            if far > best.0 {
                best = (far, c);
            }
        }
        if best.0 <= FLAT * size {
            return Err(p);
        }
        out.push(best.1);
    }
    let n = (out[1].w - out[0].w).cross(out[2].w - out[0].w).normalized().unwrap_or(Vec3::Z);
    let (up, down) = (corner(n), corner(-n));
    let (h, k) = (n.dot(up.w - out[0].w), n.dot(out[0].w - down.w));
    // The normal of a thin triangle has an error of the rounding of its corners over its height, multiplied
    // by the distance of far corners.
    let (e, f) = (out[1].w - out[0].w, out[2].w - out[0].w);
    let far = e.norm_squared().max(f.norm_squared()).max((up.w - out[0].w).norm_squared());
    let tilt = CORNER_NOISE * size * far / e.cross(f).norm();
    if h.max(k) <= FLAT * size + tilt {
        return Err(n);
    }
    out.push(if h >= k { up } else { down });
    Ok(())
}
