//! A check of a mesh's tree, for tests.

use crate::numeric::wide::LEAF;
use crate::shape::mesh::data::Mesh;
use alloc::vec;
use alloc::vec::Vec;

/// Whether every box contains its triangles and every triangle has one leaf.
pub fn has_valid_tree(mesh: &Mesh) -> bool {
    let mut seen = vec![false; mesh.triangles.len()];
    // Each node with its level and the boxes above it, which its triangles must all lie in.
    type Chain = Vec<(usize, usize)>;
    let mut work: Vec<(usize, usize, Chain)> = vec![(0, 1, Vec::new())];
    while let Some((n, level, above)) = work.pop() {
        let Some(node) = mesh.nodes.get(n) else { return false };
        if level > mesh.depth + 1 {
            return false;
        }
        for lane in 0..node.count as usize {
            let mut chain = above.clone();
            chain.push((n, lane));
            let child = node.child[lane];
            if child & LEAF == 0 {
                work.push((child as usize, level + 1, chain));
                continue;
            }
            let leaf = (child & !LEAF) as usize;
            if leaf >= seen.len() || seen[leaf] {
                return false;
            }
            seen[leaf] = true;
            for (m, l) in chain {
                let b = &mesh.nodes[m].boxes;
                for p in mesh.triangles[leaf] {
                    for k in 0..3 {
                        let d = (p[k] - mesh.origin[k]) - f64::from(b.center[k][l]);
                        if d.abs() > f64::from(b.half[k][l]) {
                            return false;
                        }
                    }
                }
            }
        }
    }
    seen.into_iter().all(|s| s)
}
