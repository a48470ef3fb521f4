//! A mesh in the making: points are welded, and what adds no surface is left out at the end.

use super::data::MeshData;
use crate::fault::counted_things;
use crate::limits;
use elbowroom::math::Vec3;
use elbowroom::pair::mesh::area::have_area;
use std::collections::{BTreeMap, HashMap};

/// A mesh in the making.
#[derive(Default)]
pub(crate) struct Builder {
    pub mesh: MeshData,
    /// Triangles of which two corners are the same point.
    pub degenerate: Vec<[u32; 3]>,
    /// Corner tests spent on cutting polygons, against [`limits::POLYGON_WORK`].
    pub polygon_work: usize,
    index: HashMap<[u64; 3], u32>,
}

impl Builder {
    /// Index of a point, which is the old one where the same point came before. The caller has checked it is
    /// finite.
    pub fn add_vertex(&mut self, p: [f64; 3]) -> u32 {
        // Adding zero makes the two zeros one.
        let p = p.map(|x| x + 0.0);
        let next = self.mesh.vertices.len() as u32;
        let index = *self.index.entry(p.map(f64::to_bits)).or_insert(next);
        if index == next {
            self.mesh.vertices.push(p);
        }
        index
    }

    pub fn add_triangle(&mut self, [a, b, c]: [u32; 3]) {
        if a == b || b == c || c == a {
            self.degenerate.push([a, b, c]);
        } else {
            self.mesh.triangles.push([a, b, c]);
        }
    }

    /// The mesh, or what there is instead of one. Degenerate triangles on an edge (or corner) of another are
    /// left out; they add nothing.
    pub fn finish(mut self) -> Result<MeshData, String> {
        let at = |i: u32| Vec3::from(self.mesh.vertices[i as usize]);
        if !have_area(self.mesh.triangles.iter().map(|t| t.map(at))) {
            let count = self.mesh.triangles.len() + self.degenerate.len();
            return Err(match count {
                0 => "no triangle".into(),
                _ => format!("{}, nothing else", counted_things(count, "degenerate triangle")),
            });
        }
        let segment = |a: u32, b: u32| (a.min(b), a.max(b));
        let ends = |t: &[u32; 3]| {
            let [a, b, c] = *t;
            if a == b { segment(a, c) } else { segment(a, b) }
        };
        let mut stray: BTreeMap<(u32, u32), [u32; 3]> =
            self.degenerate.iter().map(|t| (ends(t), *t)).collect();
        for [a, b, c] in &self.mesh.triangles {
            if stray.is_empty() {
                break;
            }
            for (a, b) in [(*a, *b), (*b, *c), (*c, *a)] {
                stray.remove(&segment(a, b));
                stray.remove(&(a, a));
            }
        }
        self.mesh.triangles.extend(stray.into_values());
        Ok(self.mesh)
    }

    /// Why no more may be added, once that is so.
    pub fn excess_reason(&self) -> Option<String> {
        if self.mesh.triangles.len() + self.degenerate.len() > limits::MESH_TRIANGLES {
            return Some(too_many_triangles());
        }
        (self.polygon_work > limits::POLYGON_WORK)
            .then(|| "its polygons are too complex to split into triangles".into())
    }
}

/// What to do about a mesh without a surface.
pub(crate) const NO_SURFACE: &str =
    "export the mesh again, or use another shape: box, cylinder, sphere, capsule or the hull of points";

/// The message for a mesh that grew beyond the limit.
pub(crate) fn too_many_triangles() -> String {
    format!("holds more than {} triangles", limits::MESH_TRIANGLES)
}
