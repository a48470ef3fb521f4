//! Which side of a closed shell is material.
//!
//! Every wound shell is turned so that its volume is positive. One that the file winds the other way than
//! most is a hole if it lies in the material of the others; that is asked for with the shells that are no
//! holes for certain.

use super::data::Mesh;
use super::surface::{Found, PARITY, Seams, Surface};
use super::{inside, tree};
use crate::numeric::math::Vec3;
use crate::shape::tolerance::{CAVITY_LIMIT, CAVITY_TRIANGLES};
use crate::shape::triangle::Triangle;
use alloc::boxed::Box;
use alloc::vec;
use alloc::vec::Vec;

/// Turns every wound shell so that its volume is positive.
pub(super) fn outward(found: Found<'_>, parts: Vec<u32>) -> Surface {
    let Found { triangles, mut turns, shell_of, wound, shells, seams, mut seam_of, width, .. } = found;
    let origin = triangles[0][0];
    let mut volume = vec![0.0_f64; turns.len()];
    let mut add = |t: &Triangle, s: u32, turn: i8| {
        let [a, b, c] = t.map(|p| p - origin);
        volume[s as usize] += a.dot(b.cross(c)) * f64::from(turn);
    };
    triangles.iter().enumerate().for_each(|(t, corners)| add(corners, shell_of[t], turns[t]));
    seams.iter().zip(&seam_of).for_each(|(t, &(s, turn))| add(t, s, turn));
    let total: f64 = volume.iter().zip(&wound).filter(|(_, w)| **w).map(|(v, _)| v).sum();
    let mut inverted = Vec::new();
    for t in (0..turns.len()).filter(|&t| wound[t]) {
        // A file that winds everything inwards means the same as one that winds it outwards.
        if if total < 0.0 { volume[t] > 0.0 } else { volume[t] < 0.0 } {
            inverted.push((t as u32, t as u32));
        }
    }
    let settle = |s: u32, turn: &mut i8| {
        if turn.abs() == 1 && volume[s as usize] < 0.0 {
            *turn = -*turn;
        }
    };
    turns.iter_mut().zip(&shell_of).for_each(|(turn, &s)| settle(s, turn));
    seam_of.iter_mut().for_each(|(s, turn)| settle(*s, turn));
    let seams = (!seams.is_empty()).then(|| {
        let built = tree::build(&seams);
        let order = |i: &u32| *i as usize;
        Box::new(Seams {
            triangles: built.order.iter().map(|i| seams[order(i)]).collect(),
            turns: built.order.iter().map(|i| seam_of[order(i)].1).collect(),
            shells: built.order.iter().map(|i| seam_of[order(i)].0).collect(),
            nodes: built.nodes,
            origin: built.origin,
            width,
        })
    });
    Surface { turns, parts, shells, shell_of, inverted, seams, doubtful: false, sheets: Vec::new() }
}

/// Makes the inverted shells that lie in the material of the others into holes. All shells arrive turned
/// outwards.
pub(super) fn settle_cavities(mesh: &mut Mesh, inverted: &[(u32, u32)], shell_of: &[u32]) {
    if inverted.is_empty() {
        return;
    }
    let mut sign = vec![1_i8; shell_of.len()];
    inverted.iter().for_each(|&(s, _)| sign[s as usize] = 0);
    let outward = mesh.turns.clone();
    let seams_outward = mesh.seams.as_ref().map_or(Vec::new(), |s| s.turns.clone());
    let signed = |turn: i8, sign: i8| if turn >= PARITY { turn } else { turn * sign };
    let apply = |mesh: &mut Mesh, sign: &[i8]| {
        for (leaf, &source) in mesh.sources.iter().enumerate() {
            mesh.turns[leaf] = signed(outward[leaf], sign[shell_of[source as usize] as usize]);
        }
        for seams in mesh.seams.iter_mut() {
            for (i, &s) in seams.shells.iter().enumerate() {
                seams.turns[i] = signed(seams_outward[i], sign[s as usize]);
            }
        }
    };
    apply(mesh, &sign);
    let mut place = vec![0_u32; mesh.sources.len()];
    mesh.sources.iter().enumerate().for_each(|(leaf, &s)| place[s as usize] = leaf as u32);
    let mut asked = 0;
    let found: Vec<(u32, bool)> = inverted
        .iter()
        .map(|&(s, t)| {
            let p: Vec3 = mesh.triangles[place[t as usize] as usize][0];
            if inverted.len() > CAVITY_LIMIT || inside::contains(mesh, p) != Some(true) {
                return (s, false);
            }
            // One that crosses another shell has corners on either side.
            let own: Vec<u32> = (0..shell_of.len() as u32).filter(|&t| shell_of[t as usize] == s).collect();
            asked += own.len();
            let within = |&t: &u32| {
                let corners = mesh.triangles[place[t as usize] as usize];
                corners.iter().all(|&p| inside::contains(mesh, p) == Some(true))
            };
            (s, asked <= CAVITY_TRIANGLES && own.iter().all(within))
        })
        .collect();
    for (s, hole) in found {
        sign[s as usize] = if hole { -1 } else { 1 };
    }
    apply(mesh, &sign);
}
