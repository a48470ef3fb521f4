//! Collision objects: primitives and meshes, each with a pose.

use super::poses::read_vector;
use super::reader::SceneReader;
use crate::mesh::builder::{Builder, NO_SURFACE};
use crate::mesh::data::{MeshData, UnitRule};
use crate::shape::{Zero, size_problem, size_range, whole_indices};
use crate::tree::node::Node;
use crate::urdf::shapes::read_mesh_shape;
use crate::xml::short_text;
use elbowroom::describe::{ObstacleDescription, PlacedShape, ShapeDescription};
use elbowroom::math::Transform;

impl SceneReader<'_, '_> {
    /// An object whose frame lies at `frame_in_scene`; its own pose, if it has one, becomes the obstacle's.
    pub(super) fn read_object(
        &mut self,
        node: &Node,
        frame_in_scene: Transform,
    ) -> Option<ObstacleDescription> {
        let name = self.tree_reader().read_text(node, "collision_objects", "id", false)?.to_string();
        let label = &format!("object {:?}", short_text(&name));
        let own = node.get("pose").map_or(Some(Transform::IDENTITY), |p| self.read_pose(p, label));
        for (key, what) in [("planes", "a plane"), ("plane_poses", "a plane")] {
            if let Some(found) = node.get(key).filter(|p| p.as_list().is_none_or(|l| !l.is_empty())) {
                self.tree_reader().add_fault(
                    found,
                    label,
                    format!("holds {what}, which is infinite and is not supported"),
                    "use a large box",
                );
                break;
            }
        }
        let mut shapes = Vec::new();
        let mut whole = true;
        for (items, poses) in [("primitives", "primitive_poses"), ("meshes", "mesh_poses")] {
            let (all, poses_given) = (
                self.tree_reader().read_list(node, label, items),
                self.tree_reader().read_list(node, label, poses),
            );
            if poses_given.len() > all.len() {
                let what = format!("has {} {poses} for {} {items}", poses_given.len(), all.len());
                self.tree_reader().add_fault(node, label, what, "give one pose for each");
                whole = false;
            }
            for (k, item) in all.iter().enumerate() {
                let shape = if items == "primitives" {
                    self.read_primitive(item, label)
                } else {
                    self.read_mesh(item, label)
                };
                let pose = poses_given.get(k).map_or(Some(Transform::IDENTITY), |p| self.read_pose(p, label));
                match (shape, pose) {
                    (Some(shape), Some(shape_in_body)) => {
                        let name = format!("{items}[{k}]");
                        shapes.push(PlacedShape { name, shape_in_body, shape, padding: 0.0 });
                    }
                    _ => whole = false,
                }
            }
        }
        if shapes.is_empty() && whole {
            self.tree_reader().add_fault(node, label, "has no shape", "give primitives or meshes");
            return None;
        }
        let pose = frame_in_scene * own?;
        whole.then_some(ObstacleDescription { name, pose, shapes, attached_to: None, movable: false })
    }

    fn read_primitive(&mut self, node: &Node, label: &str) -> Option<ShapeDescription> {
        let kind = node.get("type").map(|t| (t.as_number(), t.as_text().map(str::to_ascii_lowercase)));
        let kind = match &kind {
            Some((Some(1.0), _)) => "box",
            Some((Some(2.0), _)) => "sphere",
            Some((Some(3.0), _)) => "cylinder",
            Some((Some(4.0), _)) => "cone",
            Some((_, Some(word))) => word.as_str(),
            _ => "",
        };
        let needed = match kind {
            "box" => 3,
            "sphere" => 1,
            "cylinder" | "cone" => 2,
            other => {
                let what = format!("the primitive type {:?} is unknown", short_text(other));
                self.tree_reader().add_fault(node, label, what, "use box, sphere, cylinder or cone");
                return None;
            }
        };
        let values: Option<Vec<f64>> = self
            .tree_reader()
            .read_list(node, label, "dimensions")
            .iter()
            .map(|d| d.as_number().filter(|v| size_problem(*v, Zero::Refused).is_none()))
            .collect();
        let Some(d) = values.filter(|d| d.len() == needed) else {
            let what = format!("the dimensions of a {kind} are not {needed} finite numbers {}", size_range());
            self.tree_reader().add_fault(node, label, what, "correct the dimensions (metres)");
            return None;
        };
        // shape_msgs/SolidPrimitive: the height of cylinders and cones comes before their radius.
        Some(match kind {
            "box" => ShapeDescription::Box { size: [d[0], d[1], d[2]] },
            "sphere" => ShapeDescription::Sphere { radius: d[0] },
            "cylinder" => ShapeDescription::Cylinder { radius: d[1], length: d[0] },
            _ => ShapeDescription::Cone { radius: d[1], length: d[0] },
        })
    }

    fn read_mesh(&mut self, node: &Node, label: &str) -> Option<ShapeDescription> {
        if node.get("resource").is_some() {
            let resource = self.tree_reader().read_text(node, label, "resource", false)?.to_string();
            let scale = self.tree_reader().read_numbers::<3>(node, label, "dimensions", Some([1.0; 3]))?;
            let path = match self.session.resolve_reference(&resource, self.file) {
                Ok(path) => path,
                Err((what, help)) => {
                    self.tree_reader().add_fault(node, label, what, help);
                    return None;
                }
            };
            let place = format!("line {}, {label}", node.line);
            return read_mesh_shape(self.session, self.file, &place, &path, scale, false, UnitRule::Ignore);
        }
        let mut points = Vec::new();
        for (k, item) in self.tree_reader().read_list(node, label, "vertices").iter().enumerate() {
            match read_vector(item, ["x", "y", "z"]) {
                Some(p) => points.push(p),
                None => {
                    self.tree_reader().add_fault(
                        item,
                        label,
                        format!("vertex {k} is not three finite numbers"),
                        "correct it",
                    );
                    return None;
                }
            }
        }
        let mut builder = Builder::default();
        let welded: Vec<u32> = points.iter().map(|p| builder.add_vertex(*p)).collect();
        for (k, item) in self.tree_reader().read_list(node, label, "triangles").iter().enumerate() {
            let corners = item.get("vertex_indices").unwrap_or(item).as_numbers::<3>();
            match corners.and_then(|t| whole_indices(t, points.len())) {
                Some(t) => builder.add_triangle(t.map(|i| welded[i as usize])),
                None => {
                    let what = format!("triangle {k} is not three indices of its {} vertices", points.len());
                    self.tree_reader().add_fault(item, label, what, "indices count from 0");
                    return None;
                }
            }
        }
        match builder.finish() {
            Ok(MeshData { vertices, triangles }) => Some(ShapeDescription::Mesh { vertices, triangles }),
            Err(what) => {
                self.tree_reader().add_fault(node, label, format!("the mesh holds {what}"), NO_SURFACE);
                None
            }
        }
    }
}

/// moveit_msgs/CollisionObject operation: 0 add, 1 remove, 2 append, 3 move.
pub(super) fn operation_code(object: &Node) -> Option<u8> {
    let Some(node) = object.get("operation") else { return Some(0) };
    match (node.as_number(), node.as_text().map(str::to_ascii_lowercase).as_deref()) {
        (Some(0.0), _) | (_, Some("add" | "")) => Some(0),
        (Some(1.0), _) | (_, Some("remove")) => Some(1),
        (Some(2.0), _) | (_, Some("append")) => Some(2),
        (Some(3.0), _) | (_, Some("move")) => Some(3),
        // Message dumps may hold the byte as text.
        (_, Some("\0")) => Some(0),
        _ => None,
    }
}
