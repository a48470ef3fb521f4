//! The tree of an OctoMap: its nodes, parents before children, the children of each in turn.
//!
//! In a `.bt` only nodes with children are written. Each is two bytes, two bits for each child: 00 is a child
//! that was never seen, 01 is free, 10 is occupied, and 11 has children itself and follows. In an `.ot` each
//! node is written as its log-odds and a byte with one bit for each child that follows. The three lowest bits
//! of a child's number `k` tell where it lies in its node: in the upper half along x if bit 0 is set, along y
//! if bit 1 is set, along z if bit 2 is set.
//!
//! The walk keeps the nodes that it still has to read on a stack, at most eight for each of sixteen levels.
//! It ends when the tree or the file ends, or at the first node that is impossible: how the bytes behind such
//! a node are meant is unknown.

use super::header::{MapHeader, Nodes};
use super::map::{Cell, OctoMap};
use crate::fault::{Log, counted_things};
use crate::limits;
use crate::lines::Head;
use std::path::Path;

/// Levels below the root. OctoMap writes no others.
const LEVELS: u32 = 16;

/// What to do about a tree that is not whole.
const AGAIN: &str = "copy or write the file again";

/// A cube of the tree: its least corner in smallest cells from the root's, and its level.
#[derive(Clone, Copy)]
struct OctreeNode {
    corner: [u32; 3],
    level: u32,
}

impl OctreeNode {
    const ROOT: OctreeNode = OctreeNode { corner: [0; 3], level: 0 };

    /// Child `k` of a node that is not on the last level.
    fn child_node(self, k: u32) -> OctreeNode {
        let half = 1 << (LEVELS - self.level - 1);
        let [x, y, z] = self.corner;
        let corner = [x + (k & 1) * half, y + (k >> 1 & 1) * half, z + (k >> 2 & 1) * half];
        OctreeNode { corner, level: self.level + 1 }
    }

    fn to_cell(self, resolution: f64) -> Cell {
        let cells = f64::from(1_u32 << (LEVELS - self.level));
        let middle = f64::from(1_u32 << (LEVELS - 1));
        // Whole and half numbers are exact: each coordinate is rounded once.
        let centre = self.corner.map(|corner| (f64::from(corner) + 0.5 * cells - middle) * resolution);
        Cell { centre, edge: cells * resolution }
    }
}

/// A map in the making.
struct GrowingMap {
    map: OctoMap,
    /// Nodes so far.
    nodes: u64,
}

impl GrowingMap {
    fn add(&mut self, node: OctreeNode, is_occupied: bool) {
        let cell = node.to_cell(self.map.resolution);
        if is_occupied { self.map.occupied.push(cell) } else { self.map.free.push(cell) }
    }

    /// Why no more cells may be added; `None` while there is room.
    fn excess_reason(&self) -> Option<String> {
        let cells = self.map.occupied.len() + self.map.free.len();
        (cells > limits::MAP_CELLS).then(|| format!("holds more than {} cells", limits::MAP_CELLS))
    }
}

/// The cells of a tree; `None` after a fault.
pub(super) fn read(path: &Path, head: &Head<'_>, header: &MapHeader, log: &mut Log) -> Option<OctoMap> {
    let map = OctoMap { resolution: header.resolution, ..OctoMap::default() };
    let mut growing = GrowingMap { map, nodes: 0 };
    let before = log.fault_count();
    let bytes = head.rest_bytes();
    let walked = match header.nodes {
        Nodes::Bits => walk_bits(bytes, &mut growing),
        Nodes::LogOdds { more } => walk_log_odds(path, head, more, &mut growing, log),
    };
    let used = match walked {
        Ok(used) => used,
        Err((at, what)) => {
            let help = if growing.excess_reason().is_some() { "use a coarser map" } else { AGAIN };
            log.add_fault(path, format!("byte {}", head.at + at), what, help);
            return None;
        }
    };
    if growing.nodes != header.size {
        let what = format!(
            "its header counts {}, and its tree has {}",
            counted_nodes(header.size),
            counted_nodes(growing.nodes)
        );
        log.add_fault(path, "", what, AGAIN);
    }
    let behind = bytes.len() - used;
    if behind > 0 {
        let what = format!("{} behind the tree are ignored", counted_things(behind, "byte"));
        log.add_warning(path, format!("byte {}", head.at + used), what, "");
    }
    (log.fault_count() == before).then_some(growing.map)
}

fn counted_nodes(nodes: u64) -> String {
    format!("{nodes} node{}", if nodes == 1 { "" } else { "s" })
}

/// Where the walk was when it could not go on, and why.
type Stuck = (usize, String);

/// Walks a tree of bits. Returns how many bytes it takes.
fn walk_bits(bytes: &[u8], growing: &mut GrowingMap) -> Result<usize, Stuck> {
    let (mut at, mut open) = (0, vec![OctreeNode::ROOT]);
    growing.nodes = 1;
    while let Some(node) = open.pop() {
        let Some(&[low, high]) = bytes.get(at..at + 2) else { return Err((at, cut_message(growing.nodes))) };
        let kinds = u16::from_le_bytes([low, high]);
        if kinds == 0 {
            return Err((at, empty_message(node)));
        }
        // The last child is put on the stack first, so that the first child is read next.
        for k in (0..8).rev() {
            let child = node.child_node(k);
            match kinds >> (2 * k) & 3 {
                0 => continue,
                1 | 2 => {}
                _ if child.level == LEVELS => return Err((at, too_deep_message())),
                _ => open.push(child),
            }
            growing.nodes += 1;
        }
        for k in 0..8 {
            if let kind @ (1 | 2) = kinds >> (2 * k) & 3 {
                growing.add(node.child_node(k), kind == 2);
            }
        }
        if let Some(what) = growing.excess_reason() {
            return Err((at, what));
        }
        at += 2;
    }
    Ok(at)
}

/// Walks a tree of log-odds, with `more` bytes behind each. Returns how many bytes it takes.
fn walk_log_odds(
    path: &Path,
    head: &Head<'_>,
    more: usize,
    growing: &mut GrowingMap,
    log: &mut Log,
) -> Result<usize, Stuck> {
    let (bytes, before) = (head.rest_bytes(), log.fault_count());
    let (mut at, mut open) = (0, vec![OctreeNode::ROOT]);
    while let Some(node) = open.pop() {
        let size = 4 + more + 1;
        let Some([a, b, c, d, .., children]) = bytes.get(at..at + size) else {
            return Err((at, cut_message(growing.nodes)));
        };
        growing.nodes += 1;
        if *children != 0 && node.level == LEVELS {
            return Err((at, too_deep_message()));
        }
        for k in (0..8).rev().filter(|k| children >> k & 1 == 1) {
            open.push(node.child_node(k));
        }
        if *children == 0 {
            let value = f32::from_le_bytes([*a, *b, *c, *d]);
            if value.is_nan() {
                let what = "the log-odds of a cell are not a number";
                log.add_fault(path, format!("byte {}", head.at + at), what, AGAIN);
                if log.fault_count() - before >= limits::SENSOR_FAULTS {
                    return Err((at, "holds more such cells, which are not listed".into()));
                }
            }
            growing.add(node, value >= 0.0);
        }
        if let Some(what) = growing.excess_reason() {
            return Err((at, what));
        }
        at += size;
    }
    Ok(at)
}

fn cut_message(nodes: u64) -> String {
    format!("is cut off in its tree, after {}", counted_nodes(nodes))
}

fn too_deep_message() -> String {
    format!("a node lies deeper than {LEVELS} levels")
}

fn empty_message(node: OctreeNode) -> String {
    if node.level == 0 {
        // Such a file does not say whether the root is occupied.
        return "the tree is nothing but its root, of which a .bt says nothing".into();
    }
    "a node has no children, though its parent says that it has".into()
}
