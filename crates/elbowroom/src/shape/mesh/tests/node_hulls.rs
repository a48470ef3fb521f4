//! Every node's hull holds its triangles, without any rounding.

use super::*;
use crate::numeric::wide::LEAF;
use crate::shape::hull::Hull;

/// Checks every node of a mesh: its points are corners of its triangles, and the hull of its points is the
/// hull of all those corners, vertex by vertex.
fn check(mesh: &Mesh) -> usize {
    let mut corners: Vec<Vec<Vec3>> = vec![Vec::new(); mesh.nodes.len()];
    for (at, node) in mesh.nodes.iter().enumerate().rev() {
        for &child in &node.child[..node.count as usize] {
            let held = if child & LEAF != 0 {
                mesh.triangles[(child & !LEAF) as usize].to_vec()
            } else {
                corners[child as usize].clone()
            };
            corners[at].extend(held);
        }
        let all = &corners[at];
        let points: Vec<Vec3> =
            mesh.hulls.of_node(at as u32).iter().flat_map(|b| (0..4).map(|i| b.point(i))).collect();
        assert!(points.iter().all(|p| all.contains(p)), "a point that is no corner");
        let hull = |of: &[Vec3]| {
            let mut vertices: Vec<[f64; 3]> =
                Hull::from_points(of).unwrap().vertices().map(|v| v.to_array()).collect();
            vertices.sort_by(|p, q| p.partial_cmp(q).unwrap());
            vertices
        };
        assert_eq!(hull(&points), hull(all), "node {at}");
    }
    mesh.nodes.len()
}

#[test]
fn hulls_of_nodes_hold_their_triangles() {
    let mut rng = Rng::new(14);
    let mut nodes = 0;
    for case in 0..40 {
        let (mut v, t) = match case % 4 {
            0 => ring(0.3, 0.1, 8 + case, 12),
            1 => block(vec3(-0.1, -0.2, -0.3), vec3(0.2, 0.3, 0.1), 1 + case as usize / 4),
            2 => {
                // Triangles that have nothing to do with each other.
                let v: Vec<Vec3> = (0..90).map(|_| rng.direction() * rng.range(0.1, 2.0)).collect();
                (v, (0..30).map(|i| [3 * i, 3 * i + 1, 3 * i + 2]).collect())
            }
            _ => ring(0.2, 0.02, 24, 6),
        };
        if case % 3 == 0 {
            // As read from a file of f32, turned: flat faces are no longer flat.
            let turn = crate::numeric::math::Mat3::from_rpy(0.3, rng.range(0.0, 3.0), -1.1);
            v.iter_mut().for_each(|p| {
                let q: Vec3 = turn * *p;
                *p = vec3(f64::from(q.x as f32), f64::from(q.y as f32), f64::from(q.z as f32));
            });
        }
        nodes += check(&Mesh::new(&v, &t).unwrap());
    }
    assert!(nodes > 1000, "{nodes} nodes");
    // Coordinates beyond the range of the exact predicates.
    let tiny = [Vec3::ZERO, vec3(1e-100, 0.0, 0.0), vec3(0.0, 1e-100, 1.0), vec3(1.0, 0.0, 1e-90)];
    let t: Vec<[u32; 3]> = (0..40).map(|i| [i % 4, (i + 1) % 4, (i + 2) % 4]).collect();
    let mesh = Mesh::new(&tiny, &t).unwrap();
    let root = mesh.hulls.of_node(0);
    assert!(tiny.iter().all(|p| root.iter().any(|b| (0..4).any(|i| b.point(i) == *p))));
}
