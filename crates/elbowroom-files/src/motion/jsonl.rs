//! Motions as JSON lines: a sample or an event a line.
//!
//! ```json
//! {"t": 0.0, "q": [0.1, 0.5]}
//! {"attach": {"name": "part", "attached_to": "arm/tool0", "touch": ["arm/finger"]}}
//! {"t": 0.1, "q": {"elbow": 0.6, "shoulder": 0.1}}
//! {"t": 0.1, "detach": {"name": "part"}}
//! ```
//!
//! A sample may have velocities, `v`, and accelerations, `a`, in the forms of `q`.

use super::changes::Changes;
use super::data::{Joints, Motion};
use super::event::Event;
use super::time_order::{complete_times, refuse_still_time};
use super::values::{UnknownJoint, ValuesReader, line_error_words};
use super::ways::{MotionWays, RowRates};
use crate::fault::counted_things;
use crate::limits;
use crate::session::Session;
use crate::source::Options;
use crate::tree::TreeReader;
use crate::tree::node::Node;
use elbowroom::fault::Numeral;
use std::path::Path;

/// The words of events.
const EVENTS: [&str; 11] =
    ["attach", "detach", "place", "open", "close", "hide", "show", "fill", "empty", "allow", "forbid"];

/// What a line may hold, for messages.
const LINES: &str =
    "write {\"q\": [...]} or an event, such as {\"attach\": {\"name\": ..., \"attached_to\": ...}}";

/// Whether a line is one of these: JSON with a pose or an event.
pub(super) fn is_own_line(line: &str) -> bool {
    let node = serde_json::from_str::<Node>(line).ok();
    node.is_some_and(|node| node.get("q").is_some() || EVENTS.iter().any(|event| node.get(event).is_some()))
}

/// Reads into an empty motion; `None` after at least one fault.
pub(super) fn read_jsonl_motion(
    path: &Path,
    bytes: &[u8],
    joints: Joints<'_>,
    options: &Options,
    motion: &mut Motion,
    session: &mut Session<'_>,
) -> Option<()> {
    let before = session.log.fault_count();
    let unknown = if options.ignore_unknown_columns {
        UnknownJoint::Ignored
    } else {
        UnknownJoint::Refused("remove it, or pass --ignore-unknown-columns")
    };
    let mut lines = Lines {
        values: ValuesReader::new(joints, unknown),
        motion,
        times: Vec::new(),
        rates: Vec::new(),
        last: None,
        earlier: None,
        is_other: false,
        file: path,
        session,
    };
    let mut held = 0_usize;
    for (text, line) in bytes.split(|byte| *byte == b'\n').zip(1..) {
        let text = text.trim_ascii();
        if text.is_empty() {
            continue;
        }
        if text.len() > limits::TREE_BYTES {
            let what = format!("is longer than {} bytes", limits::TREE_BYTES);
            lines.session.log.add_fault(path, format!("line {line}"), what, LINES);
            continue;
        }
        match serde_json::from_slice::<Node>(text) {
            Ok(node) => lines.read_line(&node, line),
            Err(e) => {
                let what = format!("is not JSON: {}", line_error_words(&e));
                lines.session.log.add_fault(path, format!("line {line}"), what, LINES);
            }
        }
        if lines.is_other {
            return None;
        }
        held = held.saturating_add(joints.names.len().max(1));
        let too_many = held > limits::MOTION_VALUES || lines.motion.events.len() > limits::MOTION_EVENTS;
        if too_many || lines.session.log.is_full() {
            let what = "holds too many values, events or faults";
            lines.session.log.add_fault(path, format!("line {line}"), what, "split the file");
            return None;
        }
    }
    lines.finish();
    (session.log.fault_count() == before).then_some(())
}

/// A motion in the making.
struct Lines<'a, 'f> {
    values: ValuesReader<'a>,
    motion: &'a mut Motion,
    /// The time of each sample.
    times: Vec<Option<f64>>,
    /// How fast its values change.
    rates: Vec<RowRates>,
    /// The last time that a line gave (seconds).
    last: Option<f64>,
    /// The first line whose time is earlier than that of a line before it, with both times, and the number of
    /// such lines.
    earlier: Option<(String, [f64; 2], usize)>,
    /// Whether the first sample is that of another robot. So are the others, and the fault says it once.
    is_other: bool,
    file: &'a Path,
    session: &'a mut Session<'f>,
}

impl Lines<'_, '_> {
    fn tree_reader(&mut self) -> TreeReader<'_> {
        TreeReader { file: self.file, log: &mut self.session.log }
    }

    fn read_line(&mut self, node: &Node, line: u64) {
        let sample = self.motion.rows.len();
        if node.as_map().is_none() {
            return self.tree_reader().add_fault(
                node,
                &format!("line {line}"),
                "is not a JSON object",
                LINES,
            );
        }
        let given: Vec<&str> = EVENTS.into_iter().filter(|event| node.get(event).is_some()).collect();
        let is_sample = node.get("q").is_some();
        let label = if is_sample { format!("line {line}, sample {sample}") } else { format!("line {line}") };
        self.tree_reader().check_keys(node, &label, &[&["t", "q", "v", "a"], &EVENTS[..]].concat());
        let time = self.read_time(node, &label);
        match (is_sample, &given[..]) {
            (true, []) => self.add_sample(node, &label, line, time),
            (false, [event]) => {
                let mut changes = Changes { session: &mut *self.session, file: self.file, teleports: false };
                let change = changes.read_change(node, event, &format!("{label}, {event}"));
                self.motion.events.extend(change.map(|change| Event { change, line, sample }));
            }
            (false, []) => {
                self.tree_reader().add_fault(node, &label, "holds neither a pose, q, nor an event", LINES)
            }
            (true, [event, ..]) => {
                let what = format!("holds a pose and an event, {event}");
                self.tree_reader().add_fault(
                    node,
                    &label,
                    what,
                    "give each a line of its own, in their order",
                );
                self.add_sample(node, &label, line, time);
            }
            (false, several) => {
                let what =
                    format!("holds {}: {}", counted_things(several.len(), "event"), several.join(", "));
                self.tree_reader().add_fault(
                    node,
                    &label,
                    what,
                    "give each a line of its own, in their order",
                );
            }
        }
    }

    /// The time that a line gives.
    fn read_time(&mut self, node: &Node, label: &str) -> Option<f64> {
        node.get("t")?;
        let t = self.tree_reader().read_number(node, label, "t", None)?;
        if let Some(last) = self.last.filter(|last| t < *last) {
            self.earlier.get_or_insert((label.to_string(), [last, t], 0)).2 += 1;
        }
        self.last = Some(t);
        Some(t)
    }

    /// Adds a sample; values that could not be read are NaN.
    fn add_sample(&mut self, node: &Node, label: &str, line: u64, time: Option<f64>) {
        let mut row = vec![f64::NAN; self.values.joints.names.len()];
        if let Some(q) = node.get("q") {
            self.values.read_values(("q", q), label, &mut row, self.file, &mut self.session.log);
        }
        if self.motion.rows.is_empty() {
            let named = node.get("q").and_then(Node::as_map).unwrap_or(&[]);
            let names = named.iter().map(|(name, _)| name.as_str());
            self.is_other = self.values.tell_other_robot(names).is_some();
        }
        let rates = self.read_rates(node, label);
        self.times.push(time);
        self.rates.push(rates);
        self.motion.lines.push(line);
        self.motion.rows.push(row);
    }

    /// How fast the values of a sample change, if it says so.
    fn read_rates(&mut self, node: &Node, label: &str) -> RowRates {
        let mut read = |key: &str| {
            let Some(found) = node.get(key) else { return Vec::new() };
            let mut rates = vec![f64::NAN; self.values.joints.names.len()];
            let log = &mut self.session.log;
            self.values.read_values((key, found), label, &mut rates, self.file, log);
            rates
        };
        let rates = RowRates { velocities: read("v"), accelerations: read("a") };
        if rates.velocities.is_empty() && !rates.accelerations.is_empty() {
            self.tree_reader().add_fault(
                node,
                label,
                "has accelerations, a, and no velocities, v",
                "give v too",
            );
        }
        rates
    }

    /// Tells the faults that only the whole motion shows.
    fn finish(self) {
        let Lines { motion, times, rates, earlier, file, session, .. } = self;
        let log = &mut session.log;
        if motion.rows.is_empty() {
            log.add_fault(file, "", "has no sample", "give at least one pose: {\"q\": [...]}");
        }
        motion.t = complete_times(file, "t", times, &motion.lines, log);
        if rates.iter().any(|own| !own.velocities.is_empty()) {
            match &motion.t {
                Some(t) => refuse_still_time(file, t, &motion.lines, log),
                None => log.add_fault(file, "", "has velocities and no times", "give t, the time in seconds"),
            }
            motion.ways = MotionWays::Rates(rates);
            return;
        }
        if let Some((place, [from, to], count)) = earlier {
            let [from, to] = [from, to].map(Numeral);
            let count = counted_things(count, "line");
            let what = format!("time runs backwards at {count}: here from {from} to {to} s");
            log.add_warning(file, place, what, "samples and events are taken in the order of the file");
        }
    }
}
