//! `[[spare]]`: a place for a shape that comes later. `[[cloud]]`: one for points that a sensor sees.

use super::reader::{Reader, label};
use crate::tree::node::Node;
use elbowroom::describe::limits::{MAX_CLOUD, MAX_SPARE_CORNERS};
use elbowroom::describe::{CloudDescription, SpareDescription};
use elbowroom::fault::Numeral;
use std::collections::BTreeMap;

impl Reader<'_, '_> {
    pub(super) fn cloud(&mut self, node: &Node, k: usize, names: &mut BTreeMap<String, usize>) {
        let label = label(node, "cloud", k);
        if !self.r().keys(node, &label, &["name", "radius", "points"]) {
            return;
        }
        let before = self.session.log.count();
        let name = self.r().text(node, &label, "name", false).unwrap_or("").to_string();
        let radius = self.r().size(node, &label, "radius", None);
        let points = self.r().number(node, &label, "points", None);
        let whole = |points: &f64| (1.0..=MAX_CLOUD as f64).contains(points) && points.fract() == 0.0;
        if let Some(wrong) = points.filter(|points| !whole(points)) {
            let help = format!("give the most points that are seen at once: from 1 to {MAX_CLOUD}");
            let place = node.get("points").unwrap_or(node);
            self.r().fault(place, &label, format!("points is {}", Numeral(wrong)), help);
        }
        if radius.is_some_and(|radius| radius <= 0.0) {
            let place = node.get("radius").unwrap_or(node);
            self.r().fault(place, &label, "radius is zero", "give the size of a point in metres");
        }
        self.new_name(node, ("cloud's", &label), &name, names);
        if let (Some(radius), Some(points), true) = (radius, points, self.session.log.count() == before) {
            self.world.clouds.push(CloudDescription { name, radius, capacity: points as usize });
        }
    }

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
