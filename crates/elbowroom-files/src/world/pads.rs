//! `[[pad]]`: a soft part of a link's surface.

use super::reader::{WorldReader, entry_label};
use crate::tree::node::Node;
use elbowroom::describe::limits::{LEAST_PAD_DEPTH, MAX_PAD_DEPTH};
use elbowroom::describe::{PadDescription, ShapeDescription};
use elbowroom::fault::Numeral;

impl WorldReader<'_, '_> {
    pub(super) fn read_pad(&mut self, node: &Node, k: usize) {
        let label = entry_label(node, "pad", k);
        if !self.tree_reader().check_keys(node, &label, &["name", "link", "depth", "region"]) {
            return;
        }
        let before = self.session.log.fault_count();
        let name = self.tree_reader().read_text(node, &label, "name", false).unwrap_or("").to_string();
        let link = self.tree_reader().read_text(node, &label, "link", false).unwrap_or("").to_string();
        let depth = self.tree_reader().read_number(node, &label, "depth", None);
        if let Some(wrong) = depth.filter(|depth| !(LEAST_PAD_DEPTH..=MAX_PAD_DEPTH).contains(depth)) {
            let help = format!("give it in metres, from {LEAST_PAD_DEPTH:e} to {MAX_PAD_DEPTH}");
            let place = node.get("depth").unwrap_or(node);
            self.tree_reader().add_fault(place, &label, format!("depth is {}", Numeral(wrong)), help);
        }
        let region = match node.get("region") {
            Some(region) => self.shape_reader().read_shape(region, &format!("{label}, region")),
            None => {
                let help =
                    "give a box in the link's frame: region = { type = \"box\", size = [...], xyz = [...] }";
                self.tree_reader().add_fault(node, &label, "region is missing", help);
                None
            }
        };
        let region = region.and_then(|placed| match placed.shape {
            ShapeDescription::Box { size } if placed.padding == 0.0 => Some((placed.shape_in_body, size)),
            _ => {
                let place = node.get("region").unwrap_or(node);
                let what = "region is not a box, or has a padding";
                self.tree_reader().add_fault(place, &label, what, "give a box that holds the soft part");
                None
            }
        });
        if let (Some((region_in_link, size)), Some(depth), true) =
            (region, depth, self.session.log.fault_count() == before)
        {
            self.world.pads.push(PadDescription { name, link, depth, region_in_link, size });
        }
    }
}
