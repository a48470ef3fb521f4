//! On which side of a closed shell the material is.
//!
//! Every wound shell is flipped, where needed, so that its volume is positive. A shell that the file winds
//! opposite to most others is inverted. It bounds a void if it lies in the material of the shells that are
//! not inverted.

use super::data::Mesh;
use super::surface::{Analysis, MeshSurface, PARITY, Seams};
use super::{inside, tree};
use crate::shape::tolerance::{VOID_LIMIT, VOID_TRIANGLES};
use crate::shape::triangle::Triangle;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_describe::math::Vec3;

/// Flips wound shells so that their volumes are positive.
pub(super) fn orient_outward(analysis: Analysis<'_>, pieces: Vec<u32>) -> MeshSurface {
    let Analysis { triangles, mut winding, shell_of, wound, shells, seams, mut seam_of, width, .. } =
        analysis;
    let origin = triangles[0][0];
    let mut volume = vec![0.0_f64; winding.len()];
    let mut add = |t: &Triangle, s: u32, sign: i8| {
        let [a, b, c] = t.map(|p| p - origin);
        volume[s as usize] += a.dot(b.cross(c)) * f64::from(sign);
    };
    triangles.iter().enumerate().for_each(|(t, corners)| add(corners, shell_of[t], winding[t]));
    seams.iter().zip(&seam_of).for_each(|(t, &(s, sign))| add(t, s, sign));
    let total: f64 = volume.iter().zip(&wound).filter(|(_, w)| **w).map(|(v, _)| v).sum();
    let mut inverted = Vec::new();
    for t in (0..winding.len()).filter(|&t| wound[t]) {
        // A file may also wind all shells inwards.
        if if total < 0.0 { volume[t] > 0.0 } else { volume[t] < 0.0 } {
            inverted.push((t as u32, t as u32));
        }
    }
    let settle = |s: u32, sign: &mut i8| {
        if sign.abs() == 1 && volume[s as usize] < 0.0 {
            *sign = -*sign;
        }
    };
    winding.iter_mut().zip(&shell_of).for_each(|(sign, &s)| settle(s, sign));
    seam_of.iter_mut().for_each(|(s, sign)| settle(*s, sign));
    let seams = (!seams.is_empty()).then(|| {
        let extent = tree::Extent::around_triangles(&seams);
        let built = tree::build(&seams, &extent);
        let order = |i: &u32| *i as usize;
        Box::new(Seams {
            triangles: built.order.iter().map(|i| seams[order(i)]).collect(),
            winding: built.order.iter().map(|i| seam_of[order(i)].1).collect(),
            shells: built.order.iter().map(|i| seam_of[order(i)].0).collect(),
            nodes: built.nodes,
            origin: extent.origin,
            width,
        })
    });
    MeshSurface { winding, pieces, shells, shell_of, inverted, seams, doubtful: false, sheets: Vec::new() }
}

/// Makes the inverted shells that lie in the material of the others into voids. On entry all shells are wound
/// outwards.
pub(super) fn settle_voids(mesh: &mut Mesh, inverted: &[(u32, u32)], shell_of: &[u32]) {
    if inverted.is_empty() {
        return;
    }
    let mut sign = vec![1_i8; shell_of.len()];
    inverted.iter().for_each(|&(s, _)| sign[s as usize] = 0);
    let outward = mesh.winding.clone();
    let seams_outward = mesh.seams.as_ref().map_or(Vec::new(), |s| s.winding.clone());
    let signed = |winding: i8, sign: i8| if winding >= PARITY { winding } else { winding * sign };
    let apply = |mesh: &mut Mesh, sign: &[i8]| {
        for (leaf, &source) in mesh.sources.iter().enumerate() {
            mesh.winding[leaf] = signed(outward[leaf], sign[shell_of[source as usize] as usize]);
        }
        for seams in mesh.seams.iter_mut() {
            for (i, &s) in seams.shells.iter().enumerate() {
                seams.winding[i] = signed(seams_outward[i], sign[s as usize]);
            }
        }
    };
    apply(mesh, &sign);
    let mut leaf_of = vec![0_u32; mesh.sources.len()];
    mesh.sources.iter().enumerate().for_each(|(leaf, &s)| leaf_of[s as usize] = leaf as u32);
    let mut tested = 0;
    let is_void: Vec<(u32, bool)> = inverted
        .iter()
        .map(|&(s, t)| {
            let p: Vec3 = mesh.triangles[leaf_of[t as usize] as usize][0];
            if inverted.len() > VOID_LIMIT || inside::contains(mesh, p) != Some(true) {
                return (s, false);
            }
            // A shell that crosses another has corners on both sides.
            let own: Vec<u32> = (0..shell_of.len() as u32).filter(|&t| shell_of[t as usize] == s).collect();
            tested += own.len();
            let within = |&t: &u32| {
                let corners = mesh.triangles[leaf_of[t as usize] as usize];
                corners.iter().all(|&p| inside::contains(mesh, p) == Some(true))
            };
            (s, tested <= VOID_TRIANGLES && own.iter().all(within))
        })
        .collect();
    for (s, void) in is_void {
        sign[s as usize] = if void { -1 } else { 1 };
    }
    apply(mesh, &sign);
}
