//! Whether a straight motion is free, where its first contact is of no interest.
//!
//! The intervals are those of [`super::edge_search`], asked in the same way. But all intervals of one length
//! come before shorter ones, and the first contact that is found is the answer. A motion that overlaps for a
//! tenth of its length shows that at one of its first poses. A search in the order of time would first prove
//! free all that lies before, down to the resolution. A free motion takes the same poses in either order.
//!
//! It ends at a contact, when no pair is open any more, or when the allowed work is done.

use super::edge_answer::Edge;
use super::edge_search::{Node, Search};

impl Search<'_, '_> {
    /// The answer for the interval that is on the stack.
    pub(super) fn is_free(&mut self) -> Edge {
        let mut level = core::mem::take(&mut self.space.level);
        let answer = loop {
            level.clear();
            level.append(&mut self.space.stack);
            if level.is_empty() {
                break self.without_contact();
            }
            if let Some(answer) = self.ask_level(&level) {
                break answer;
            }
            self.keep_next(&level);
        };
        self.space.level = level;
        answer
    }

    /// Asks intervals of one length, in the order of their times. The halves of those that stay open go to
    /// the stack.
    fn ask_level(&mut self, level: &[Node]) -> Option<Edge> {
        for node in level {
            let [start, end] = node.t;
            let middle = 0.5 * (start + end);
            if self.space.counts.asked >= self.options.work || !self.set_at(middle) {
                return Some(self.ended_early(node));
            }
            let first = self.space.lists.len();
            self.ask_interval(node, middle);
            if self.progress.contact.is_none() {
                self.resolve(node.t);
            }
            if let Some((t, index)) = self.progress.contact {
                let pair = self.pair(index);
                return Some(Edge::Contact { first: [0.0, t], pair, free_until: 0.0, open: None });
            }
            let to = self.space.lists.len();
            if to > first {
                self.space.stack.push(Node { t: [start, middle], from: first, to });
                self.space.stack.push(Node { t: [middle, end], from: first, to });
            }
        }
        None
    }

    /// Drops the lists of a level that was asked, which come before those of the next one.
    fn keep_next(&mut self, asked: &[Node]) {
        let done = asked.iter().map(|node| node.to).max().unwrap_or(0);
        self.space.lists.drain(..done);
        for node in &mut self.space.stack {
            (node.from, node.to) = (node.from - done, node.to - done);
        }
    }

    /// The answer when no interval is left to be asked.
    fn without_contact(&self) -> Edge {
        match self.progress.open {
            None => Edge::Free,
            // A pair that was given up was left out before and after.
            Some((_, pair)) if self.progress.gave_up => {
                Edge::Unknown { at: [0.0, 1.0], pair: Some(self.pair(pair)) }
            }
            Some((at, pair)) => Edge::Unknown { at, pair: Some(self.pair(pair)) },
        }
    }

    /// The answer if the work ended before an interval, or its pose is refused. Shorter intervals may be open
    /// anywhere before it.
    fn ended_early(&self, node: &Node) -> Edge {
        let pair = self.space.lists.get(node.from).map(|index| self.pair(*index));
        Edge::Unknown { at: [0.0, 1.0], pair }
    }
}
