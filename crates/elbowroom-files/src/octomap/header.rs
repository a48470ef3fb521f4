//! The lines of text that an OctoMap begins with.

use crate::fault::Log;
use crate::limits;
use crate::lines::Head;
use crate::xml::{parse_number, short_text};
use std::path::Path;

/// The bytes of each node of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Nodes {
    /// Two bits in its parent.
    Bits,
    /// Log-odds in f32, and behind them `more` bytes that say nothing of occupancy.
    LogOdds { more: usize },
}

/// What the lines say.
#[derive(Debug)]
pub(super) struct MapHeader {
    pub nodes: Nodes,
    /// How many nodes the tree has; at least one.
    pub size: u64,
    /// Edge of the smallest cells (metres), within [`limits::MAP_RESOLUTION`].
    pub resolution: f64,
}

/// First lines, and whether they begin a tree of bits.
const FIRST: [(&[u8], bool); 2] =
    [(b"# Octomap OcTree binary file", true), (b"# Octomap OcTree file", false)];

/// What to do about a file that is no map.
const GIVE: &str = "give an OctoMap (.bt or .ot)";

/// Reads up to the line data and tells all faults. `None` after any.
pub(super) fn read(path: &Path, head: &mut Head<'_>, log: &mut Log) -> Option<MapHeader> {
    let before = log.fault_count();
    let first = head.next().unwrap_or(b"");
    let Some((_, bits)) = FIRST.into_iter().find(|(line, _)| first.starts_with(line)) else {
        let (what, help) = match first {
            [] if head.line == 0 => ("this file is empty", GIVE),
            // Before there were headers, files began with the number of the kind of tree, in four bytes.
            [3, 0, 0, 0, ..] => {
                ("is written in an outdated format", "convert it with OctoMap's convert_octree")
            }
            first if first.starts_with(b"version https://git-lfs") => {
                ("this is a Git LFS pointer, not the map itself", "run `git lfs pull`")
            }
            _ => ("does not begin with \"# Octomap OcTree\"", GIVE),
        };
        log.add_fault(path, "line 1", what, help);
        return None;
    };
    let (mut id, mut size, mut resolution, mut ended) = (None, None, None, false);
    while let Some(raw) = head.next() {
        let (raw, place) = (raw.trim_ascii(), format!("line {}", head.line));
        if raw.is_empty() || raw.starts_with(b"#") {
            continue;
        }
        if raw == b"data" {
            ended = true;
            break;
        }
        if log.fault_count() - before >= limits::SENSOR_FAULTS {
            return None;
        }
        let text = String::from_utf8_lossy(&raw[..raw.len().min(limits::HEADER_LINE)]).into_owned();
        let (key, value) = text.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((&text, ""));
        let slot = match key {
            "id" => &mut id,
            "size" => &mut size,
            "res" => &mut resolution,
            _ => {
                let what = format!("{:?} does not belong in the header of an OctoMap", short_text(&text));
                log.add_fault(path, place, what, "the header has the lines id, size, res and data");
                return None;
            }
        };
        if slot.replace((place.clone(), value.trim().to_string())).is_some() {
            log.add_fault(path, place, format!("{key} comes a second time"), "keep one");
        }
    }
    if !ended {
        let what = "its header ends without a line data";
        log.add_fault(path, format!("line {}", head.line), what, "copy or write the file again");
        return None;
    }
    let mut asked = |key: &str, slot: Option<(String, String)>| {
        if slot.is_none() {
            log.add_fault(path, "", format!("its header has no line {key}"), "copy or write the file again");
        }
        slot
    };
    let (id, size, resolution) = (asked("id", id), asked("size", size), asked("res", resolution));
    let nodes = id.and_then(|(place, id)| {
        // Colours are three bytes a node. OctoMap leaves its stamps of time out of files, and once wrote 1
        // for OcTree.
        let more = match &*id {
            "OcTree" | "OcTreeStamped" | "1" => 0,
            "ColorOcTree" => 3,
            _ => {
                let what = format!("a tree of the kind {:?} is not supported", short_text(&id));
                log.add_fault(path, place, what, "save it as OcTree");
                return None;
            }
        };
        Some(if bits { Nodes::Bits } else { Nodes::LogOdds { more } })
    });
    let size = size.and_then(|(place, word)| match word.parse() {
        Ok(0) => {
            log.add_fault(path, place, "the map is empty: all of it is unknown", "give a map with cells");
            None
        }
        Ok(size) => Some(size),
        Err(_) => {
            let what = format!("{:?} is not a number of nodes", short_text(&word));
            log.add_fault(path, place, what, "copy or write the file again");
            None
        }
    });
    let resolution = resolution.and_then(|(place, word)| {
        let resolution = parse_number(&word).filter(|resolution| limits::MAP_RESOLUTION.contains(resolution));
        if resolution.is_none() {
            let (least, most) = limits::MAP_RESOLUTION.into_inner();
            let what = format!("{:?} is not a resolution from {least:e} to {most:e} m", short_text(&word));
            log.add_fault(path, place, what, "write the edge of the smallest cells in metres");
        }
        resolution
    });
    let header = MapHeader { nodes: nodes?, size: size?, resolution: resolution? };
    (log.fault_count() == before).then_some(header)
}
