//! A convex shape as the slow reference has it: its vertices, the normals of its faces, its edges.

use crate::work::ShapeData;
use elbowroom::math::{Vec3, vec3};

/// A convex shape, in a frame of its own.
pub struct Hull {
    /// Its vertices (metres).
    pub vertices: Vec<Vec3>,
    /// Unit normals of its triangles, outward.
    pub normals: Vec<Vec3>,
    /// Its edges as vectors, each once.
    pub edges: Vec<Vec3>,
}

impl Hull {
    /// The hull of points, without normals and edges: depth cannot be asked of it.
    pub fn of_points(points: &[Vec3]) -> Hull {
        Hull { vertices: points.to_vec(), normals: Vec::new(), edges: Vec::new() }
    }

    /// A hull of vertices and triangles.
    pub fn new(shape: &ShapeData) -> Hull {
        let vertices: Vec<Vec3> = shape.vertices.iter().map(|&[x, y, z]| vec3(x, y, z)).collect();
        let (mut normals, mut edges) = (Vec::new(), Vec::new());
        for triangle in &shape.triangles {
            let [a, b, c] = triangle.map(|i| vertices[i as usize]);
            normals.extend((b - a).cross(c - a).normalized());
            for (from, to) in [(0, 1), (1, 2), (2, 0)] {
                // Each edge lies in two triangles, once each way.
                if triangle[from] < triangle[to] {
                    edges.push(vertices[triangle[to] as usize] - vertices[triangle[from] as usize]);
                }
            }
        }
        Hull { vertices, normals, edges }
    }

    /// The vertex farthest along a direction.
    pub fn support_vertex(&self, direction: Vec3) -> Vec3 {
        let mut best = (f64::NEG_INFINITY, Vec3::ZERO);
        for &vertex in &self.vertices {
            let along = vertex.dot(direction);
            if along > best.0 {
                best = (along, vertex);
            }
        }
        best.1
    }
}
