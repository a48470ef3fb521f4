//! Lines of a monitor's input: the state of an arm, or an event, a line.
//!
//! ```json
//! {"t": 0.01, "robot": "left", "q": [0.1, 0.5], "qd": [0, 0.2]}
//! {"t": 0.01, "intent": {"pick": "world/box", "from": "world/table", "arm": "left"}}
//! {"t": 0.50, "attach": {"name": "box", "attached_to": "left/palm"}}
//! ```
//!
//! ```
//! use elbowroom_files::states::{Happening, read_line};
//!
//! let line = read_line(br#"{"t": 0.01, "robot": "left", "q": [0.1, 0.5]}"#)?;
//! let state = line.state.expect("it has q");
//! assert_eq!((line.t, state.robot.as_deref(), &state.q[..]), (Some(0.01), Some("left"), &[0.1, 0.5][..]));
//!
//! let line = read_line(br#"{"t": 2, "reset": {}}"#)?;
//! assert_eq!(line.events[0], Happening::Reset);
//! assert!(read_line(br#"{"t": 2, "q": [1e999]}"#).is_err());
//! # Ok::<(), elbowroom_files::Faults>(())
//! ```

use crate::fault::Faults;
use crate::motion::changes::Changes;
use crate::motion::event::Change;
use crate::session::Session;
use crate::source::{InMemory, Options};
use crate::text::strip_mark_of;
use crate::tree::TreeReader;
use crate::tree::node::Node;
use serde::{Deserialize, Deserializer};
use std::path::Path;

/// Longest line (bytes): a state of a hundred joints takes ten thousand.
pub const LINE_BYTES: usize = 1 << 20;

/// Most numbers in a list of a state: more than any machine has joints.
pub const VALUES: usize = 10_000;

/// The words of events, in the order in which a line's are taken.
pub const EVENTS: [&str; 14] = [
    "intent", "answer", "attach", "detach", "place", "open", "close", "hide", "show", "fill", "empty", "see",
    "reset", "settings",
];

/// A line.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Line {
    /// Its time (s).
    pub t: Option<f64>,
    /// What the joints report.
    pub state: Option<StateLine>,
    /// What happens, in the order of [`EVENTS`].
    pub events: Vec<Happening>,
}

/// What the joints of one robot, or of all, report.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StateLine {
    /// The robot; `None` for all.
    pub robot: Option<String>,
    /// Positions (rad, m).
    pub q: Vec<f64>,
    /// Velocities (rad/s, m/s).
    pub qd: Option<Vec<f64>>,
    /// Velocities with which the controller would go on if nothing slowed it (rad/s, m/s).
    pub asked: Option<Vec<f64>>,
    /// Efforts (N m, N); NaN where one is null, and so not measured.
    pub effort: Option<Vec<f64>>,
    /// Currents (A); NaN likewise.
    pub current: Option<Vec<f64>>,
    /// Forces on the hands (N): of each robot that the state is of; NaN likewise.
    pub force: Option<Vec<f64>>,
}

/// Something that happens. Bodies are named as they were written.
#[derive(Clone, Debug, PartialEq)]
pub enum Happening {
    /// What an arm, or all of them, does from now on.
    Intent(Intent),
    /// The operator has answered.
    Answer {
        /// Whether the contact is meant.
        allow: bool,
    },
    /// A movable body changes.
    Change {
        /// How.
        change: Change,
        /// Whether a body that is placed may be anywhere.
        teleport: bool,
    },
    /// A sensor sees points now, and no others.
    See {
        /// The cloud.
        cloud: String,
        /// Its points (m, in the world).
        points: Vec<[f64; 3]>,
    },
    /// A person has seen to a fault.
    Reset,
    /// Somebody asks for the times that states must keep. Nothing changes.
    Settings,
}

/// An intent as it was written.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Intent {
    /// The robot; `None` for all.
    pub arm: Option<String>,
    /// What it does; `None` for nothing.
    pub task: Option<Task>,
    /// Until when (s); `None` for no end.
    pub until: Option<f64>,
}

/// What an arm does.
#[derive(Clone, Debug, PartialEq)]
pub enum Task {
    /// It takes an object.
    Pick {
        /// The object.
        object: String,
        /// What it stands on.
        from: Option<String>,
    },
    /// It puts an object down.
    Place {
        /// The object.
        object: String,
        /// On what.
        on: String,
    },
}

impl Happening {
    /// Its word.
    pub fn event_word(&self) -> &'static str {
        match self {
            Happening::Intent(_) => "intent",
            Happening::Answer { .. } => "answer",
            Happening::See { .. } => "see",
            Happening::Reset => "reset",
            Happening::Settings => "settings",
            Happening::Change { change, .. } => match change {
                Change::Place { .. } => "place",
                Change::Attach { .. } => "attach",
                Change::Open { .. } => "open",
                Change::Close { .. } => "close",
                Change::Detach { .. } => "detach",
                Change::Hide { .. } => "hide",
                Change::Show { .. } => "show",
                Change::Fill { .. } => "fill",
                Change::Empty { .. } => "empty",
                Change::Allow { .. } => "allow",
                Change::Forbid { .. } => "forbid",
            },
        }
    }
}

/// Reads a line, without its end. No file is read for it: shapes that fill a place hold all their numbers.
///
/// # Errors
/// All faults: what is no JSON, unknown keys, numbers that are not finite, and missing words.
pub fn read_line(text: &[u8]) -> Result<Line, Faults> {
    plain_state(text).map_or_else(|| read_any(text), Ok)
}

/// A state as controllers send it a thousand times a second, read without a tree. Whatever is unusual, or
/// wrong, is left to [`read_any`]: it finds the same in what is right, and all faults in what is not.
fn plain_state(text: &[u8]) -> Option<Line> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Plain {
        t: f64,
        #[serde(default, deserialize_with = "given")]
        robot: Option<String>,
        q: Vec<f64>,
        #[serde(default, deserialize_with = "given")]
        qd: Option<Vec<f64>>,
        #[serde(default, deserialize_with = "given")]
        asked: Option<Vec<f64>>,
        effort: Option<Vec<Option<f64>>>,
        current: Option<Vec<Option<f64>>>,
    }
    /// What is there must not be null.
    fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(from: D) -> Result<Option<T>, D::Error> {
        T::deserialize(from).map(Some)
    }
    // A list of the same values would be taken for a struct too.
    if text.len() > LINE_BYTES || text.first() != Some(&b'{') {
        return None;
    }
    let Plain { t, robot, q, qd, asked, effort, current } = serde_json::from_slice(text).ok()?;
    let lists = [Some(&q), qd.as_ref(), asked.as_ref()];
    let good = |list: &Vec<f64>| list.len() <= VALUES && list.iter().all(|v| v.is_finite());
    let loads = [effort.as_ref(), current.as_ref()];
    let fits = |list: &Vec<Option<f64>>| list.len() <= VALUES && list.iter().flatten().all(|v| v.is_finite());
    if !t.is_finite() || !lists.into_iter().flatten().all(good) || !loads.into_iter().flatten().all(fits) {
        return None;
    }
    let measured = |list: Option<Vec<Option<f64>>>| {
        list.map(|list| list.iter().map(|v| v.unwrap_or(f64::NAN)).collect())
    };
    let [effort, current] = [effort, current].map(measured);
    let state = Some(StateLine { robot, q, qd, asked, effort, current, force: None });
    Some(Line { t: Some(t), state, events: Vec::new() })
}

/// Reads a line of any kind.
fn read_any(text: &[u8]) -> Result<Line, Faults> {
    let nothing = InMemory::default();
    let mut session = Session::new(&nothing, &Options::default());
    let path = Path::new("");
    let line = if text.len() > LINE_BYTES {
        session.log.add_fault(path, "", format!("is longer than {LINE_BYTES} bytes"), "send shorter lines");
        None
    } else {
        let text = strip_mark_of(path, text, &mut session.log);
        text.and_then(|text| match serde_json::from_slice::<Node>(text) {
            Ok(node) => LineReader { session: &mut session, file: path }.read_parsed_line(&node),
            Err(e) => {
                let what = format!("is not JSON: {e}");
                session.log.add_fault(path, "", what, "send one object a line: {\"t\": ..., \"q\": [...]}");
                None
            }
        })
    };
    let line = line.filter(|_| session.log.fault_count() == 0);
    session.finish(line).map(|loaded| loaded.value)
}

struct LineReader<'s, 'f> {
    session: &'s mut Session<'f>,
    file: &'s Path,
}

impl LineReader<'_, '_> {
    fn tree_reader(&mut self) -> TreeReader<'_> {
        TreeReader { file: self.file, log: &mut self.session.log }
    }

    fn read_parsed_line(&mut self, node: &Node) -> Option<Line> {
        let known = [&["t", "robot", "q", "qd", "asked", "effort", "current", "force"], &EVENTS[..]].concat();
        let count = |word: &str| node.as_map().unwrap_or(&[]).iter().filter(|(key, _)| key == word).count();
        if let Some(word) = EVENTS.into_iter().find(|word| count(word) > 1) {
            let what = format!("{word} comes {} times in one line", count(word));
            self.tree_reader().add_fault(
                node,
                word,
                what,
                "send a line for each: a line has one event of a kind",
            );
            return None;
        }
        if !self.tree_reader().check_keys(node, "", &known) {
            return None;
        }
        let t = node.get("t").and_then(|_| self.tree_reader().read_number(node, "", "t", None));
        let state = node.get("q").and_then(|_| self.read_state(node));
        let of_states = ["robot", "qd", "asked", "effort", "current", "force"];
        if state.is_none() && of_states.iter().any(|key| node.get(key).is_some()) {
            self.tree_reader().add_fault(
                node,
                "",
                "has no q",
                "a state has the positions of its joints, \"q\": [...]",
            );
        }
        if state.is_some() && node.get("t").is_none() {
            self.tree_reader().add_fault(node, "", "has no t", "a state has its time in seconds, \"t\": ...");
        }
        let given = EVENTS.iter().filter_map(|word| Some((*word, node.get(word)?)));
        let events: Vec<Happening> =
            given.filter_map(|(word, found)| self.read_event(node, word, found)).collect();
        // An obstacle has its name with and without `world/`.
        let name = |word: &str| {
            let name = node.get(word).and_then(|event| event.get("name")).and_then(Node::as_text);
            name.map(|name| name.strip_prefix("world/").unwrap_or(name))
        };
        if let Some(hidden) = name("hide") {
            for word in
                ["place", "see", "show", "fill", "attach"].into_iter().filter(|w| name(w) == Some(hidden))
            {
                let what = format!("hides {hidden}, and says {word} of it");
                self.tree_reader().add_fault(node, "hide", what, "say one of the two, or send two lines");
            }
        }
        if state.is_none() && events.is_empty() && self.session.log.fault_count() == 0 {
            let help = "send {\"t\": ..., \"q\": [...]}, or an event such as {\"reset\": {}}";
            self.tree_reader().add_fault(node, "", "holds neither a state, q, nor an event", help);
        }
        Some(Line { t, state, events })
    }

    fn read_state(&mut self, node: &Node) -> Option<StateLine> {
        let robot = self.tree_reader().read_text(node, "", "robot", true).map(str::to_string);
        let q = self.read_numbers(node, "q");
        let mut list = |key| node.get(key).and_then(|_| self.read_numbers(node, key));
        let [qd, asked] = ["qd", "asked"].map(&mut list);
        let mut loads = |key| node.get(key).and_then(|_| self.read_loads(node, key));
        let [effort, current] = ["effort", "current"].map(&mut loads);
        // One robot has one force: a number alone is a list of one.
        let force = node.get("force").and_then(|force| match force.as_number() {
            Some(one) => Some(vec![one]),
            None => self.read_loads(node, "force"),
        });
        Some(StateLine { robot, q: q?, qd, asked, effort, current, force })
    }

    fn read_numbers(&mut self, node: &Node, key: &str) -> Option<Vec<f64>> {
        self.read_items(node, key, Node::as_number)
    }

    /// Numbers, and NaN for null: what was not measured.
    fn read_loads(&mut self, node: &Node, key: &str) -> Option<Vec<f64>> {
        self.read_items(node, key, |item| if item.is_null() { Some(f64::NAN) } else { item.as_number() })
    }

    fn read_items(&mut self, node: &Node, key: &str, read: fn(&Node) -> Option<f64>) -> Option<Vec<f64>> {
        let items = self.tree_reader().read_list(node, "", key);
        if items.len() > VALUES {
            let what = format!("{key} has {} numbers", items.len());
            self.tree_reader().add_fault(node, "", what, format!("send at most {VALUES}"));
            return None;
        }
        let numbers: Option<Vec<f64>> = items.iter().map(read).collect();
        if numbers.is_none() {
            self.tree_reader().add_fault(
                node,
                "",
                format!("{key} holds what is no finite number"),
                "send numbers",
            );
        }
        numbers
    }

    fn read_event(&mut self, line: &Node, word: &str, node: &Node) -> Option<Happening> {
        match word {
            "intent" => self.read_intent(node).map(Happening::Intent),
            "see" => self.read_seen_points(node),
            "reset" => self.tree_reader().check_keys(node, word, &[]).then_some(Happening::Reset),
            "settings" => self.tree_reader().check_keys(node, word, &[]).then_some(Happening::Settings),
            "answer" => {
                if !self.tree_reader().check_keys(node, word, &["allow"]) {
                    return None;
                }
                let allow = self.tree_reader().read_flag(node, word, "allow", false)?;
                Some(Happening::Answer { allow })
            }
            _ => {
                let teleport = word == "place" && node.get("teleport").is_some();
                let teleport = teleport && self.tree_reader().read_flag(node, word, "teleport", false)?;
                let mut changes = Changes { session: &mut *self.session, file: self.file, teleports: true };
                changes.read_change(line, word, word).map(|change| Happening::Change { change, teleport })
            }
        }
    }

    fn read_seen_points(&mut self, node: &Node) -> Option<Happening> {
        let label = "see";
        if !self.tree_reader().check_keys(node, label, &["name", "points"]) {
            return None;
        }
        let cloud = self.tree_reader().read_text(node, label, "name", false).map(str::to_string);
        if node.get("points").is_none() {
            let help = "send [[x, y, z], ...]; where nothing is, send {\"hide\": {\"name\": ...}} instead";
            self.tree_reader().add_fault(node, label, "points is missing", help);
            return None;
        }
        let points: Option<Vec<[f64; 3]>> =
            self.tree_reader().read_list(node, label, "points").iter().map(Node::as_numbers::<3>).collect();
        if points.is_none() {
            let help = "send [[x, y, z], ...] in metres, in the world";
            self.tree_reader().add_fault(node, label, "points holds what is no point", help);
        }
        Some(Happening::See { cloud: cloud?, points: points? })
    }

    fn read_intent(&mut self, node: &Node) -> Option<Intent> {
        let label = "intent";
        if !self.tree_reader().check_keys(node, label, &["pick", "from", "place", "on", "arm", "until"]) {
            return None;
        }
        let mut text = |key: &str| self.tree_reader().read_text(node, label, key, true).map(str::to_string);
        let [pick, from, place, on, arm] = ["pick", "from", "place", "on", "arm"].map(&mut text);
        let until =
            node.get("until").and_then(|_| self.tree_reader().read_number(node, label, "until", None));
        let task = match (pick, from, place, on) {
            (None, None, None, None) => None,
            (Some(object), from, None, None) => Some(Task::Pick { object, from }),
            (None, None, Some(object), Some(on)) => Some(Task::Place { object, on }),
            _ => {
                let help = "send {\"pick\": NAME, \"from\": NAME}, or {\"place\": NAME, \"on\": NAME}";
                self.tree_reader().add_fault(node, label, "is neither to pick nor to place", help);
                return None;
            }
        };
        Some(Intent { arm, task, until })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_does_not_hide_what_it_places() {
        for word in
            [r#""place": {"name": "a", "xyz": [1, 0, 0]}"#, r#""see": {"name": "a", "points": [[0, 0, 0]]}"#]
        {
            let line =
                |hidden: &str| format!(r#"{{"t": 0, "q": [0], {word}, "hide": {{"name": "{hidden}"}}}}"#);
            for hidden in ["a", "world/a"] {
                let told = read_any(line(hidden).as_bytes()).unwrap_err().to_string();
                assert!(told.contains("hides a, and says"), "{told}");
            }
            assert!(read_any(line("b").as_bytes()).is_ok());
        }
    }

    /// Whichever came last would win, unseen.
    #[test]
    fn a_line_has_one_event_of_a_kind() {
        for [one, other] in [["a", "a"], ["a", "world/a"], ["a", "b"]] {
            let line = format!(r#"{{"hide": {{"name": "{one}"}}, "hide": {{"name": "{other}"}}}}"#);
            let faults = read_line(line.as_bytes()).unwrap_err();
            let told = faults.to_string();
            assert!(faults.0.len() == 1 && told.contains("hide comes 2 times in one line"), "{told}");
            assert!(told.contains("send a line for each"), "{told}");
        }
    }

    #[test]
    fn the_short_way_reads_what_the_long_one_reads() {
        let plain = [
            r#"{"t": 0.01, "q": [0.2], "asked": [-0.3]}"#,
            r#"{"t":1e-3,"robot":"left","q":[-0.0,3,12345678901234567890,1.7976931348623157e308],"qd":[]}"#,
            r#"{"q": [0.30000000000000004], "effort": [-1], "t": -5, "current": [2], "robot": "a\u00e4\"b"}"#,
            r#"{ "t" : 18446744073709551616, "q" : [ ] , "qd" : [ 5e-324 ] }"#,
            r#"{"t": 0, "q": [1], "effort": [null, 2], "current": null}"#,
        ];
        let (mut short, mut both) = (0, 0);
        for line in plain {
            assert!(plain_state(line.as_bytes()).is_some(), "{line}");
            // Any byte in any place, and any end.
            for at in 0..line.len() {
                let mut changed = vec![line.as_bytes()[..at].to_vec()];
                for byte in b"0-.eE\"[]{}, nxt:q\\\xff\n" {
                    let mut other = line.as_bytes().to_vec();
                    other[at] = *byte;
                    changed.push(other);
                }
                for text in changed {
                    let long = read_any(&text).ok();
                    both += usize::from(long.is_some());
                    if let Some(line) = plain_state(&text) {
                        // In words: NaN is not itself.
                        let words = [format!("{:?}", Some(line)), format!("{long:?}")];
                        assert_eq!(words[0], words[1], "{}", String::from_utf8_lossy(&text));
                        short += 1;
                    }
                }
            }
        }
        assert!(short > 500 && both >= short, "{short} {both}");
        // Not those: they have words of their own, or faults.
        let others = [
            r#"{"t": 0, "q": [1], "force": 3}"#,
            r#"{"t": 0, "q": [1], "reset": {}}"#,
            r#"{"t": 0, "q": [1], "qd": null}"#,
            r#"{"t": 0, "t": 0, "q": [1]}"#,
            r#"[0, "left", [1], [1], [1], [1]]"#,
            r#"{"q": [1]}"#,
        ];
        assert!(others.iter().all(|line| plain_state(line.as_bytes()).is_none()));
    }
}
