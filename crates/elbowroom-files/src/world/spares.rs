//! `[[spare]]`: a place for a shape that comes later. `[[cloud]]`: one for points that a sensor sees.

use super::reader::{WorldReader, entry_label};
use crate::tree::node::Node;
use elbowroom::describe::limits::{MAX_CLOUD, MAX_SPARE_CORNERS};
use elbowroom::describe::{CloudDescription, SpareDescription};
use elbowroom::fault::Numeral;
use std::collections::BTreeMap;

impl WorldReader<'_, '_> {
    pub(super) fn read_cloud(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
        let label = entry_label(node, "cloud", k);
        if !self.tree_reader().check_keys(node, &label, &["name", "radius", "points"]) {
            return;
        }
        let before = self.session.log.fault_count();
        let name = self.tree_reader().read_text(node, &label, "name", false).unwrap_or("").to_string();
        let radius = self.tree_reader().read_size(node, &label, "radius", None);
        let points = self.tree_reader().read_number(node, &label, "points", None);
        let whole = |points: &f64| (1.0..=MAX_CLOUD as f64).contains(points) && points.fract() == 0.0;
        if let Some(wrong) = points.filter(|points| !whole(points)) {
            let help = format!("give the most points that are seen at once: from 1 to {MAX_CLOUD}");
            let place = node.get("points").unwrap_or(node);
            self.tree_reader().add_fault(place, &label, format!("points is {}", Numeral(wrong)), help);
        }
        if radius.is_some_and(|radius| radius <= 0.0) {
            let place = node.get("radius").unwrap_or(node);
            self.tree_reader().add_fault(
                place,
                &label,
                "radius is zero",
                "give the size of a point in metres",
            );
        }
        self.claim_name(node, ("cloud's", &label), &name, names);
        if let (Some(radius), Some(points), true) = (radius, points, self.session.log.fault_count() == before)
        {
            self.world.clouds.push(CloudDescription { name, radius, capacity: points as usize });
        }
    }

    pub(super) fn read_spare(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
        let label = entry_label(node, "spare", k);
        if !self.tree_reader().check_keys(node, &label, &["name", "corners", "touch"]) {
            return;
        }
        let before = self.session.log.fault_count();
        let name = self.tree_reader().read_text(node, &label, "name", false).unwrap_or("").to_string();
        let touch = self.tree_reader().read_texts(node, &label, "touch");
        let corners = self.tree_reader().read_number(node, &label, "corners", None);
        let whole =
            |corners: &f64| (0.0..=MAX_SPARE_CORNERS as f64).contains(corners) && corners.fract() == 0.0;
        if let Some(wrong) = corners.filter(|corners| !whole(corners)) {
            let help = format!("give a whole number from 0, for what is round, to {MAX_SPARE_CORNERS}");
            let place = node.get("corners").unwrap_or(node);
            self.tree_reader().add_fault(place, &label, format!("corners is {}", Numeral(wrong)), help);
        }
        self.claim_name(node, ("spare place's", &label), &name, names);
        if let (Some(corners), true) = (corners, self.session.log.fault_count() == before) {
            if !touch.is_empty() {
                self.session.touch.insert(format!("world/{name}"), touch);
            }
            self.world.spares.push(SpareDescription { name, corners: corners as usize });
        }
    }
}
