//! Every node's hull holds its triangles, without any rounding.

use super::*;
use crate::numeric::simd::{Kernel, Lanes, Plain, dispatch_kernel};
use crate::numeric::wide::LEAF;
use crate::shape::extreme::Support;
use crate::shape::hull::Hull;
use crate::shape::mesh::node_hulls::NodeHull;
use elbowroom_describe::math::sin_cos;

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
            mesh.node_hulls().of_node(at as u32).iter().flat_map(|b| (0..4).map(|i| b.point(i))).collect();
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
            // Points as read from a file of f32, and then turned: flat faces are no longer flat.
            let turn = elbowroom_describe::math::Mat3::from_rpy(0.3, rng.range(0.0, 3.0), -1.1);
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
    let root = mesh.node_hulls().of_node(0);
    assert!(tiny.iter().all(|p| root.iter().any(|b| (0..4).any(|i| b.point(i) == *p))));
}

/// The farthest points of a node along directions, by its sectors and among all.
struct BothWays<'a>(NodeHull<'a>, &'a [Vec3]);

impl Kernel for BothWays<'_> {
    type Output = Vec<([f64; 2], [f64; 2])>;
    #[inline(always)]
    fn run<L: Lanes>(self, l: L) -> Self::Output {
        let all = NodeHull { sectors: None, ..self.0 };
        let both = |d: &Vec3| {
            let high = |core: NodeHull| {
                let farthest = core.support_point(l, *d, 0);
                assert_eq!(farthest.point, core.vertex(farthest.index));
                farthest.point.dot(*d)
            };
            ([high(self.0), high(all)], [self.0.reach_bound(l, *d), all.reach_bound(l, *d)])
        };
        self.1.iter().map(both).collect()
    }
}

#[test]
fn sectors_hold_the_farthest_points() {
    let mut rng = Rng::new(15);
    let (mut sides, mut scanned, mut whole) = (Vec::new(), 0, 0);
    for case in 0..16 {
        let corners = [130, 500, 2000][case % 3];
        // Balls of triangles, all of whose corners are extreme; the last ones flat, and prisms.
        let mut v: Vec<Vec3> = (0..corners).map(|_| rng.direction()).collect();
        match case {
            10..13 => v.iter_mut().for_each(|p| p.z = 0.0),
            13.. => {
                let ring = |i: usize| {
                    let (sin, cos) = sin_cos((i / 2) as f64 * 12.0 / corners as f64);
                    vec3(0.1 * cos, 0.1 * sin, (i % 2) as f64)
                };
                v = (0..corners).map(ring).collect();
            }
            _ => {}
        }
        let t: Vec<[u32; 3]> = (0..corners as u32 - 2).map(|i| [i, i + 1, i + 2]).collect();
        let mesh = Mesh::new(&v, &t).unwrap();
        for node in 0..mesh.nodes.len() as u32 {
            let core = mesh.node_hulls().node_core(node, mesh.extent);
            let Some(sectors) = core.sectors else { continue };
            let side = sectors.side() as f64;
            sides.push(side as u32);
            let points: Vec<Vec3> = core.points.iter().map(|b| b.point(0)).collect();
            let grid = |rng: &mut Rng| (2 * rng.below(side as usize + 1)) as f64 / side - 1.0;
            let mut directions: Vec<Vec3> = (0..300)
                .map(|i| match i % 4 {
                    0 => rng.direction(),
                    // On the edges of cells and of faces, and next to them.
                    1 => {
                        let edge = [grid(&mut rng), grid(&mut rng), 1.0];
                        let at = rng.below(3);
                        let d: [f64; 3] = core::array::from_fn(|k| edge[(k + at) % 3]);
                        Vec3::from(d) * if i % 8 == 1 { 1.0 } else { -3.0 }
                    }
                    2 => vec3(grid(&mut rng), rng.range(-1.0, 1.0), 1.0 + 1e-9 * rng.range(-1.0, 1.0)),
                    // Across a line between two points: both are as high.
                    _ => {
                        let [p, q] = [0; 2].map(|_| points[rng.below(points.len())]);
                        (q - p).cross(rng.direction())
                    }
                })
                .collect();
            directions.retain(|d| *d != Vec3::ZERO);
            directions.extend([Vec3::X, Vec3::Y, Vec3::Z, -Vec3::X, -Vec3::Y, -Vec3::Z]);
            for found in
                [dispatch_kernel(BothWays(core, &directions)), BothWays(core, &directions).run(Plain)]
            {
                for (d, ([high, of_all], [reach, reach_of_all])) in directions.iter().zip(found) {
                    assert_eq!(high, of_all, "node {node} of case {case}, {d:?}");
                    assert_eq!(reach, reach_of_all, "node {node} of case {case}, {d:?}");
                }
            }
            scanned += sectors.blocks_of(Vec3::X + Vec3::Y * 0.3);
            whole += core.points.len();
        }
    }
    assert!([2, 4, 8].iter().all(|side| sides.contains(side)), "{sides:?}");
    assert!(3 * scanned < whole, "{scanned} blocks of {whole}");
}
