//! `[[spare]]`: a place for a shape that comes later.

use super::reader::{Reader, label};
use crate::tree::node::Node;
use elbowroom::describe::SpareDescription;
use elbowroom::fault::Numeral;
use elbowroom::tolerance::MAX_SPARE_CORNERS;
use std::collections::BTreeMap;

impl Reader<'_, '_> {
    pub(super) fn spare(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
        let label = label(node, "spare", k);
        if !self.r().keys(node, &label, &["name", "corners", "touch"]) {
            return;
        }
        let before = self.session.log.count();
        let name = self.r().text(node, &label, "name", false).unwrap_or("").to_string();
        let touch = self.r().texts(node, &label, "touch");
        let corners = self.r().number(node, &label, "corners", None);
        let whole =
            |corners: &f64| (0.0..=MAX_SPARE_CORNERS as f64).contains(corners) && corners.fract() == 0.0;
        if let Some(wrong) = corners.filter(|corners| !whole(corners)) {
            let help = format!("give a whole number from 0, for what is round, to {MAX_SPARE_CORNERS}");
            let place = node.get("corners").unwrap_or(node);
            self.r().fault(place, &label, format!("corners is {}", Numeral(wrong)), help);
        }
        self.new_name(node, ("spare place's", &label), &name, names);
        if let (Some(corners), true) = (corners, self.session.log.count() == before) {
            if !touch.is_empty() {
                self.session.touch.insert(format!("world/{name}"), touch);
            }
            self.world.spares.push(SpareDescription { name, corners: corners as usize });
        }
    }
}
