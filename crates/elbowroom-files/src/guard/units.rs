//! Numbers that are likely in other units than they are taken for: no fault would be found.

use super::Settings;
use crate::limits;
use crate::tree::node::Node;
use elbowroom::fault::Numeral;

impl Settings<'_, '_> {
    /// Warns of each number of `[guard]` that no machine has in the units that are meant.
    pub(super) fn doubt_units(&mut self, guard: &Node) {
        for key in ["period", "late", "clock_offset", "look_ahead"] {
            self.doubt_time(guard, "guard", key);
        }
        if let Some(all) = guard.get("joints") {
            self.doubt_time(all, "guard.joints", "latency");
        }
        for (name, own) in guard.get("joint").and_then(Node::as_map).unwrap_or(&[]) {
            let label = format!("guard.joint {:?}", crate::xml::short_text(name));
            self.doubt_time(own, &label, "latency");
            self.doubt_position(own, &label);
        }
        if let Some(all) = guard.get("joints") {
            self.doubt_position(all, "guard.joints");
        }
        for (k, limit) in guard.get("speed_limit").and_then(Node::as_list).unwrap_or(&[]).iter().enumerate() {
            let Some(found) = limit.get("most") else { continue };
            if let Some(most) = found.as_number().filter(|most| *most >= limits::SPEED) {
                let what = format!("most is {} m/s, and no arm is so fast", Numeral(most));
                let help = format!("if these are millimetres a second, write most = {}", Numeral(most / 1e3));
                self.tree_reader().add_warning(found, &format!("guard.speed_limit {}", k + 1), what, help);
            }
        }
    }

    /// Warns of a range of positions that is likely in degrees.
    fn doubt_position(&mut self, table: &Node, label: &str) {
        let Some(found) = table.get("position") else { return };
        let Some(ends) = found.as_numbers::<2>() else { return };
        let most = ends[0].abs().max(ends[1].abs());
        if !(limits::TURNS[0]..=limits::TURNS[1]).contains(&most) {
            return;
        }
        let [low, high] = ends.map(|end| (end.to_radians() * 1e4).round() / 1e4);
        let what = format!(
            "position is [{}, {}]: radians are meant, or metres, and few joints go so far",
            Numeral(ends[0]),
            Numeral(ends[1])
        );
        let help = format!("if these are degrees, write position = [{}, {}]", Numeral(low), Numeral(high));
        self.tree_reader().add_warning(found, label, what, help);
    }

    fn doubt_time(&mut self, table: &Node, label: &str, key: &str) {
        let Some(found) = table.get(key) else { return };
        let ends = found.as_numbers::<2>().or_else(|| found.as_number().map(|number| [number; 2]));
        let most =
            if ["late", "clock_offset", "look_ahead"].contains(&key) { limits::WAITS } else { limits::CYCLE };
        let Some([least, value]) = ends.filter(|[_, value]| *value >= most) else { return };
        let written = |by: f64| match (least == value, Numeral(least / by), Numeral(value / by)) {
            (true, _, value) => value.to_string(),
            (false, least, value) => format!("[{least}, {value}]"),
        };
        let what = format!("{key} is {} s: seconds are meant, and no arm takes so long", written(1.0));
        let help = format!("if these are milliseconds, write {key} = {}", written(1e3));
        self.tree_reader().add_warning(found, label, what, help);
    }
}
