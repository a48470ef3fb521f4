//! A shape at its place on a body, in the words of world files and motions.

use crate::limits;
use crate::mesh::data::UnitRule;
use crate::session::Session;
use crate::shape;
use crate::tree::node::Node;
use crate::tree::{POSE, TreeReader};
use crate::urdf::shapes::{doubted_size, read_mesh_shape};
use crate::xml::short_text;
use elbowroom::describe::{PlacedShape, ShapeDescription};
use std::path::Path;

/// Reads such shapes from a file.
pub(crate) struct ShapeReader<'s, 'f> {
    pub session: &'s mut Session<'f>,
    pub file: &'s Path,
}

impl ShapeReader<'_, '_> {
    fn tree_reader(&mut self) -> TreeReader<'_> {
        TreeReader { file: self.file, log: &mut self.session.log }
    }

    /// A shape with an optional pose of its own; a mesh or convex may come from a file.
    pub fn read_shape(&mut self, node: &Node, label: &str) -> Option<PlacedShape> {
        let kind = node.get("type").and_then(Node::as_text).unwrap_or("");
        if matches!(kind, "mesh" | "convex") && node.get("file").is_some() {
            return self.read_file_shape(node, label);
        }
        let known = [&["type", "padding", "name"], shape::keys_of(kind), &POSE[..]].concat();
        // With an unknown type every other key would look wrong too.
        if !shape::keys_of(kind).is_empty() && !self.tree_reader().check_keys(node, label, &known) {
            return None;
        }
        let pose = self.tree_reader().read_pose(node, label);
        let name = self.tree_reader().read_text(node, label, "name", true).unwrap_or("").to_string();
        let (shape, padding) = shape::read(&mut self.tree_reader(), node, label)?;
        Some(PlacedShape { name, shape_in_body: pose?, shape, padding })
    }

    /// A shape of a mesh's file: its triangles, or of the type `convex` the hull of its vertices.
    pub fn read_file_shape(&mut self, node: &Node, label: &str) -> Option<PlacedShape> {
        let known = [&["file", "scale", "type", "padding", "name"][..], &POSE[..]].concat();
        if !self.tree_reader().check_keys(node, label, &known) {
            return None;
        }
        let kind = self.tree_reader().read_text(node, label, "type", true).unwrap_or("mesh").to_string();
        if !matches!(kind.as_str(), "mesh" | "convex") {
            let what = format!("the type {:?} takes no file", short_text(&kind));
            self.tree_reader().add_fault(node, label, what, "use \"mesh\", or \"convex\" for its hull");
            return None;
        }
        let pose = self.tree_reader().read_pose(node, label);
        let padding = self.tree_reader().read_size(node, label, "padding", Some(0.0));
        let name = self.tree_reader().read_text(node, label, "name", true).unwrap_or("").to_string();
        // One factor for all axes, or three.
        let scale = match node.get("scale").and_then(Node::as_number) {
            Some(s) => Some([s; 3]),
            None => self.tree_reader().read_numbers::<3>(node, label, "scale", Some([1.0; 3])),
        };
        let path = self.session.named_file(self.file, node, label, "file");
        let (scale, path) = (scale?, path?);
        let place = format!("line {}, {label}", node.line);
        let convex = kind == "convex";
        let shape: ShapeDescription =
            read_mesh_shape(self.session, self.file, &place, &path, scale, convex, UnitRule::Apply)?;
        if let Some((what, help)) = doubted_size(&shape, scale, limits::CELL_SIZES) {
            self.tree_reader().add_warning(node, label, what, help);
        }
        Some(PlacedShape { name, shape_in_body: pose?, shape, padding: padding? })
    }
}
