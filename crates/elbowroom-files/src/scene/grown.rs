//! `link_padding` and `link_scale`: how much larger a planning scene takes links than they are.
//!
//! As in MoveIt a shape is multiplied about its own centre, a mesh about the mean of its vertices, and then
//! grown on all sides.

use super::reader::SceneReader;
use crate::shape::size_range;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::describe::limits::{MAX_COORDINATE, MIN_EXTENT};
use elbowroom::describe::{PlacedShape, ShapeDescription};
use std::collections::BTreeMap;

/// A link that a planning scene takes larger than it is.
#[derive(Clone, Debug, PartialEq)]
pub struct GrownLink {
    /// The link, without a robot.
    pub link: String,
    /// What its shapes are multiplied by, each about its own centre.
    pub scale: f64,
    /// How far its shapes then grow on all sides (metres).
    pub padding: f64,
}

impl GrownLink {
    /// Makes a shape of the link as large as the scene takes it.
    pub(crate) fn grow_shape(&self, placed: &mut PlacedShape) {
        if self.scale != 1.0 {
            multiply_shape(&mut placed.shape, self.scale);
        }
        placed.padding += self.padding;
    }
}

/// Multiplies a shape about its centre.
fn multiply_shape(shape: &mut ShapeDescription, by: f64) {
    match shape {
        ShapeDescription::Sphere { radius } => *radius *= by,
        ShapeDescription::Box { size: sizes } | ShapeDescription::Ellipsoid { radii: sizes } => {
            sizes.iter_mut().for_each(|size| *size *= by);
        }
        ShapeDescription::Capsule { radius, length }
        | ShapeDescription::Cylinder { radius, length }
        | ShapeDescription::Cone { radius, length } => {
            *radius *= by;
            *length *= by;
        }
        ShapeDescription::Convex { vertices } | ShapeDescription::Mesh { vertices, .. } => {
            let count = vertices.len().max(1) as f64;
            let sum = vertices.iter().fold([0.0; 3], |sum, v| [sum[0] + v[0], sum[1] + v[1], sum[2] + v[2]]);
            let mean = sum.map(|s| s / count);
            for vertex in vertices {
                for (x, m) in vertex.iter_mut().zip(mean) {
                    *x = m + (*x - m) * by;
                }
            }
        }
    }
}

impl SceneReader<'_, '_> {
    /// The links that are not taken as they are, by their names.
    pub(super) fn grown_links(&mut self, root: &Node) -> Vec<GrownLink> {
        let scales = self
            .read_link_numbers(root, "link_scale", "scale", |v| (MIN_EXTENT..=MAX_COORDINATE).contains(&v));
        let paddings =
            self.read_link_numbers(root, "link_padding", "padding", |v| (0.0..=MAX_COORDINATE).contains(&v));
        let mut grown: BTreeMap<String, GrownLink> = BTreeMap::new();
        for (link, scale) in scales.into_iter().filter(|(_, scale)| *scale != 1.0) {
            grown.insert(link.clone(), GrownLink { link, scale, padding: 0.0 });
        }
        for (link, padding) in paddings.into_iter().filter(|(_, padding)| *padding != 0.0) {
            let new = GrownLink { link: link.clone(), scale: 1.0, padding };
            grown.entry(link).and_modify(|known| known.padding = padding).or_insert(new);
        }
        grown.into_values().collect()
    }

    /// The number that each entry of a list gives for a link.
    fn read_link_numbers(
        &mut self,
        root: &Node,
        list: &str,
        key: &str,
        fits: fn(f64) -> bool,
    ) -> Vec<(String, f64)> {
        let mut out = Vec::new();
        for item in self.tree_reader().read_list(root, "", list) {
            let link = self.tree_reader().read_text(item, list, "link_name", false).map(str::to_string);
            let value = self.tree_reader().read_number(item, list, key, None);
            let (Some(link), Some(value)) = (link, value) else { continue };
            if fits(value) {
                out.push((link, value));
                continue;
            }
            let what = format!("the {key} of {:?} is {value:e}", short_text(&link));
            let help = match key {
                "scale" => format!("give a factor {}", size_range()),
                _ => "give metres, zero or more: no link is made smaller than it is".to_string(),
            };
            self.tree_reader().add_fault(item, list, what, help);
        }
        let names: Vec<String> = out.iter().map(|(link, _)| link.clone()).collect();
        self.refuse_twins(root.get(list).unwrap_or(root), list, "link_name", &names);
        out
    }
}
