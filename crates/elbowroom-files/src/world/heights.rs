//! `heights`: a height field as the ground that an obstacle is.

use super::reader::WorldReader;
use crate::heights::{FirstRow, Ground, Raster, Unknown, parse_heights};
use crate::limits;
use crate::tree::POSE;
use crate::tree::node::Node;
use crate::xml::short_text;
use elbowroom::describe::PlacedShape;

/// The keys beside those of a pose.
const KEYS: [&str; 8] =
    ["file", "cell", "scale", "unknown_value", "unknown", "bottom", "first_row", "padding"];

impl WorldReader<'_, '_> {
    /// The boxes of a height field; none after a fault.
    pub(super) fn read_heights(&mut self, node: &Node, label: &str) -> Vec<PlacedShape> {
        let before = self.session.log.fault_count();
        let shapes = self.read_ground(node, label).unwrap_or_default();
        if self.session.log.fault_count() > before { Vec::new() } else { shapes }
    }

    fn read_ground(&mut self, node: &Node, label: &str) -> Option<Vec<PlacedShape>> {
        if !self.tree_reader().check_keys(node, label, &[&KEYS[..], &POSE[..]].concat()) {
            return None;
        }
        let pose = self.tree_reader().read_pose(node, label);
        let padding = self.tree_reader().read_size(node, label, "padding", Some(0.0));
        let cell = self.tree_reader().read_number(node, label, "cell", None);
        // A unit that is not said would be a guess.
        let scale = self.tree_reader().read_number(node, label, "scale", None);
        let unknown = self.read_choice(
            node,
            label,
            "unknown",
            [("occupied", Unknown::Occupied), ("free", Unknown::Free)],
        );
        let first_row = self.read_choice(
            node,
            label,
            "first_row",
            [("top", FirstRow::Top), ("bottom", FirstRow::Bottom)],
        );
        let bottom = node.get("bottom").map(|_| self.tree_reader().read_number(node, label, "bottom", None));
        let value = node.get("unknown_value").map(|found| (found, found.as_number().and_then(to_pixel)));
        if let Some((found, None)) = value {
            self.tree_reader().add_fault(
                found,
                label,
                "unknown_value is not a pixel's",
                "give a whole number to 65535",
            );
        }
        let path = self.find_file(node, label, "file");
        let raster = Raster { cell: cell?, scale: scale?, unknown: value.and_then(|(_, value)| value) };
        let path = path?;
        let bytes = self.session.read(&path, self.session.options.max_file_bytes)?;
        let counts = match unknown? {
            Unknown::Occupied => "they count as high as the highest; unknown = \"free\" leaves them out",
            Unknown::Free => "they count as free, as unknown = \"free\" asks",
        };
        let field = parse_heights(&path, &bytes, &raster, counts, &mut self.session.log)?;
        let ground = Ground { bottom: bottom.flatten(), unknown: unknown?, first_row: first_row? };
        let (pose, padding) = (pose?, padding?);
        match field.ground_boxes(&ground, limits::HEIGHT_BOXES) {
            Err(what) => {
                let help = "take larger cells or a smaller part of the field, or correct bottom";
                self.tree_reader().add_fault(node, label, what, help);
                None
            }
            Ok(mut boxes) => {
                for shape in &mut boxes {
                    shape.shape_in_body = pose * shape.shape_in_body;
                    shape.padding = padding;
                }
                Some(boxes)
            }
        }
    }

    /// One of two words under a key; the first where it is missing.
    fn read_choice<T: Copy>(
        &mut self,
        node: &Node,
        label: &str,
        key: &str,
        words: [(&str, T); 2],
    ) -> Option<T> {
        let Some(found) = node.get(key) else { return Some(words[0].1) };
        let text = found.as_text().unwrap_or("");
        let choice = words.iter().find(|(word, _)| *word == text).map(|(_, choice)| *choice);
        if choice.is_none() {
            let [(a, _), (b, _)] = words;
            let what = format!("{key} is {:?}", short_text(text));
            self.tree_reader().add_fault(found, label, what, format!("write \"{a}\" or \"{b}\""));
        }
        choice
    }
}

/// A whole number of 16 bits.
fn to_pixel(value: f64) -> Option<u16> {
    (value.fract() == 0.0 && (0.0..=f64::from(u16::MAX)).contains(&value)).then_some(value as u16)
}
