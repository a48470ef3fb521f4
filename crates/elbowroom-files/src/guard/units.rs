//! Times that are likely milliseconds: they would be taken for seconds, and no fault would be found.

use super::Settings;
use crate::limits;
use crate::tree::node::Node;
use elbowroom::fault::Numeral;

impl Settings<'_, '_> {
    /// Warns of each time of `[guard]` that no machine has in seconds.
    pub(super) fn doubt_units(&mut self, guard: &Node) {
        for key in ["period", "late", "look_ahead"] {
            self.doubt(guard, "guard", key);
        }
        if let Some(all) = guard.get("joints") {
            self.doubt(all, "guard.joints", "latency");
        }
        for (name, own) in guard.get("joint").and_then(Node::map).unwrap_or(&[]) {
            self.doubt(own, &format!("guard.joint {:?}", crate::xml::shortened(name)), "latency");
        }
    }

    fn doubt(&mut self, table: &Node, label: &str, key: &str) {
        let Some(found) = table.get(key) else { return };
        let ends = found.numbers::<2>().or_else(|| found.number().map(|number| [number; 2]));
        let most = if ["late", "look_ahead"].contains(&key) { limits::WAITS } else { limits::CYCLE };
        let Some([least, value]) = ends.filter(|[_, value]| *value >= most) else { return };
        let written = |by: f64| match (least == value, Numeral(least / by), Numeral(value / by)) {
            (true, _, value) => value.to_string(),
            (false, least, value) => format!("[{least}, {value}]"),
        };
        let what = format!("{key} is {} s: seconds are meant, and no arm takes so long", written(1.0));
        let help = format!("if these are milliseconds, write {key} = {}", written(1e3));
        self.r().warn(found, label, what, help);
    }
}
