//! What is raced: meshes from files, as they are and changed, and convex bodies.

use crate::pairs::{Convex, Other};
use crate::support::engine::compile_shape;
use crate::support::rng::Rng;
use crate::surface::Surface;
use elbowroom::describe::ShapeDescription;
use elbowroom::math::{Vec3, vec3};
use elbowroom::pair::Shape;
use elbowroom_files::Options;
use elbowroom_files::mesh::{MeshData, load_mesh};
use elbowroom_reference::math;
use elbowroom_reference::solid::Core;
use std::path::{Path, PathBuf};

/// A mesh or a convex body, ready for the engine and for the reference.
#[derive(Clone, Debug)]
pub struct Body {
    /// File, what was done to it, and padding: with the seed this is enough to find it again.
    pub name: String,
    pub shape: Shape,
    pub slow: Other,
    /// Around its middle.
    pub center: Vec3,
    pub size: f64,
}

/// What is done to a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Change {
    None,
    /// The winding of all triangles is turned round.
    Flipped,
    /// A few triangles are lost.
    Open,
    /// Joined with a copy of itself, moved by a part of its size: it crosses itself.
    Joined,
}

pub const CHANGES: [Change; 4] = [Change::None, Change::Flipped, Change::Open, Change::Joined];

/// All files below the two folders that may be meshes, in a steady order that mixes them.
pub fn files(data: &Path) -> Vec<PathBuf> {
    let (mut out, mut open) = (Vec::new(), vec![data.join("robots"), data.join("scenes")]);
    while let Some(dir) = open.pop() {
        for path in std::fs::read_dir(dir).into_iter().flatten().flatten().map(|e| e.path()) {
            let ending = path.extension().map(|e| e.to_string_lossy().to_lowercase()).unwrap_or_default();
            if path.is_dir() {
                open.push(path);
            } else if ["stl", "stla", "stlb", "dae", "obj", "ply", "vtk", "glb"].contains(&&*ending) {
                out.push(path);
            }
        }
    }
    out.sort();
    Rng::new(1).shuffle(&mut out);
    out
}

/// A mesh of a file; `None` where the reader refuses it.
pub fn read(path: &Path) -> Option<MeshData> {
    load_mesh(path, &Options::default()).ok().map(|m| m.value).filter(|m| !m.triangles.is_empty())
}

fn bounds(vertices: &[[f64; 3]]) -> (Vec3, f64) {
    let (mut low, mut high) = (Vec3::from(vertices[0]), Vec3::from(vertices[0]));
    for v in vertices {
        (low, high) = (low.min((*v).into()), high.max((*v).into()));
    }
    let center = low * 0.5 + high * 0.5;
    (center, vertices.iter().fold(0.0, |r: f64, v| r.max((Vec3::from(*v) - center).norm())))
}

/// A changed mesh, `scale` times as large. `None` where it has no area.
pub fn mesh(
    name: &str,
    data: &MeshData,
    change: Change,
    scale: f64,
    padding: f64,
    rng: &mut Rng,
) -> Option<Body> {
    let mut data = data.scaled_by([scale; 3]);
    let (_, size) = bounds(&data.vertices);
    match change {
        Change::None => {}
        Change::Flipped => data.triangles.iter_mut().for_each(|t| t.swap(1, 2)),
        Change::Open => {
            for _ in 0..1 + rng.below(4) {
                if data.triangles.len() > 2 {
                    let lost = rng.below(data.triangles.len());
                    data.triangles.remove(lost);
                }
            }
        }
        Change::Joined => {
            let (n, by) = (data.vertices.len() as u32, rng.direction() * (size * rng.range(0.1, 0.9)));
            let copy: Vec<[f64; 3]> =
                data.vertices.iter().map(|v| (Vec3::from(*v) + by).to_array()).collect();
            data.vertices.extend(copy);
            let copy: Vec<[u32; 3]> = data.triangles.iter().map(|t| t.map(|i| i + n)).collect();
            data.triangles.extend(copy);
        }
    }
    let name = format!("{name} {change:?}, scale {scale:e}, padding {padding:e}");
    let used: Vec<[f64; 3]> = data.triangles.iter().flatten().map(|i| data.vertices[*i as usize]).collect();
    let (center, size) = bounds(&used);
    let surface = Surface::new(&data.vertices, &data.triangles);
    let description = ShapeDescription::Mesh { vertices: data.vertices, triangles: data.triangles };
    let shape = compile_shape(&description, padding * size).ok()?;
    let slow = if shape.mesh().is_some() {
        Other::Surface(surface)
    } else {
        // A convex closed mesh is its hull.
        convex_of(&ShapeDescription::Convex { vertices: used })
    };
    Some(Body { name, shape, slow, center, size })
}

pub fn convex_of(description: &ShapeDescription) -> Other {
    let solid = crate::support::slow::prepare(description, 0.0).unwrap();
    let (half, center, round) = match *description {
        ShapeDescription::Box { size: [x, y, z] } => (vec3(x, y, z) * 0.5, Vec3::ZERO, None),
        ShapeDescription::Capsule { length, .. } => (vec3(0.0, 0.0, 0.5 * length), Vec3::ZERO, None),
        ShapeDescription::Cylinder { radius, length } => {
            (vec3(radius, radius, 0.5 * length), Vec3::ZERO, Some(radius))
        }
        ShapeDescription::Convex { ref vertices } => {
            let (mut low, mut high) = (Vec3::from(vertices[0]), Vec3::from(vertices[0]));
            for v in vertices {
                (low, high) = (low.min((*v).into()), high.max((*v).into()));
            }
            ((high - low) * 0.5 * (1.0 + 1e-12), low * 0.5 + high * 0.5, None)
        }
        _ => (Vec3::ZERO, Vec3::ZERO, None),
    };
    let v = |v: Vec3| math::vec3(v.x, v.y, v.z);
    let inside = match &solid.core {
        Core::Points(p) => p.iter().fold(math::Vec3::ZERO, |s, p| s + *p) * (1.0 / p.len() as f64),
        _ => math::Vec3::ZERO,
    };
    Other::Convex(Convex { solid, half: v(half), center: v(center), inside, round })
}

/// A convex body of about this size.
pub fn convex(size: f64, padding: f64, rng: &mut Rng) -> Body {
    let mut side = || size * rng.decades(-1.0, 0.0);
    let sides = [side(), side(), side()];
    let [radius, length, _] = sides;
    let (what, description) = match rng.below(5) {
        0 => ("sphere", ShapeDescription::Sphere { radius }),
        1 => ("box", ShapeDescription::Box { size: sides }),
        2 => ("capsule", ShapeDescription::Capsule { radius, length }),
        3 => ("cylinder", ShapeDescription::Cylinder { radius, length }),
        _ => {
            let n = 4 + rng.below(20);
            let vertices = (0..n).map(|_| (rng.direction() * size).scaled(sides.into()).to_array());
            let vertices = vertices.map(|v| v.map(|x| x / size)).collect();
            ("hull", ShapeDescription::Convex { vertices })
        }
    };
    let shape = compile_shape(&description, padding * size).unwrap();
    let (center, size) = (shape.center(), shape.bounding_radius());
    let name = format!("{what}, sides {sides:?}, padding {padding:e}");
    Body { name, shape, slow: convex_of(&description), center, size }
}
