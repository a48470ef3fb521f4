//! Whether a straight motion is free. Where it first touches is not asked.
//!
//! The intervals are those of [`super::edge_search`], asked in the same way. But all intervals of one length
//! come before shorter ones, and the first contact that is found is the answer. A motion that overlaps for a
//! tenth of its length shows that at one of its first poses. A search in the order of time would first prove
//! free all that lies before, down to the resolution. A free motion takes the same poses in either order.
//!
//! If a pair touches all along the motion, each length has twice as many open intervals as the one before. If
//! there are more than [`EDGE_LEVEL`] of one length, they are searched in the order of time instead. Then
//! that pair is soon given up, and a contact of another pair is still found.
//!
//! It ends at a contact, when no pair is open any more, or when the allowed work is done.

use super::edge_answer::{Doubt, Edge};
use super::edge_options::EdgeAsk;
use super::edge_search::{EdgeNode, EdgeSearch, EdgeSpace};
use super::tolerance::EDGE_LEVEL;

impl EdgeSearch<'_, '_> {
    /// The answer for the interval that is on the stack.
    pub(super) fn is_free(&mut self) -> Edge {
        let mut level = core::mem::take(&mut self.space.level);
        let answer = loop {
            level.clear();
            level.append(&mut self.space.stack);
            if level.len() > EDGE_LEVEL || level.is_empty() {
                self.stack_in_order(&level);
                break self.in_order();
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
    fn ask_level(&mut self, level: &[EdgeNode]) -> Option<Edge> {
        for node in level {
            let [start, end] = node.t;
            let middle = 0.5 * (start + end);
            if !self.may_go_on(0.0) {
                return Some(self.ended_early(node, Doubt::Work));
            }
            if !self.set_at(middle) {
                return Some(self.ended_early(node, Doubt::NothingKnown));
            }
            let first = self.space.lists.len();
            self.ask_interval(node, middle);
            if self.progress.contact.is_none() {
                self.resolve(node.t);
            }
            if let Some(any) = self.any_contact() {
                return Some(any);
            }
            let to = self.space.lists.len();
            if to > first {
                self.space.stack.push(EdgeNode { t: [start, middle], from: first, to });
                self.space.stack.push(EdgeNode { t: [middle, end], from: first, to });
            }
        }
        None
    }

    /// Drops the lists of pairs of a level that was asked. They come before those of the next level.
    fn keep_next(&mut self, asked: &[EdgeNode]) {
        let done = asked.iter().map(|node| node.to).max().unwrap_or(0);
        self.space.lists.drain(..done);
        for node in &mut self.space.stack {
            (node.from, node.to) = (node.from - done, node.to - done);
        }
    }

    /// Puts intervals on the stack, the latest one first, and copies their lists of pairs in that order.
    fn stack_in_order(&mut self, level: &[EdgeNode]) {
        let EdgeSpace { stack, lists, .. } = &mut *self.space;
        let before = lists.len();
        for node in level.iter().rev() {
            let from = lists.len() - before;
            lists.extend_from_within(node.from..node.to);
            stack.push(EdgeNode { t: node.t, from, to: lists.len() - before });
        }
        lists.drain(..before);
    }

    /// The answer, if a contact was found and any contact will do.
    pub(super) fn any_contact(&self) -> Option<Edge> {
        let (t, index) = self.progress.contact.filter(|_| self.options.ask == EdgeAsk::IsFree)?;
        Some(Edge::Contact { first: [0.0, t], pair: self.pair(index), free_until: 0.0, open: None })
    }

    /// The answer if the work ended before an interval, or its pose is refused. Shorter intervals may be open
    /// anywhere before it.
    pub(super) fn ended_early(&self, node: &EdgeNode, why: Doubt) -> Edge {
        let pair = self.space.lists.get(node.from).map(|index| self.pair(*index));
        Edge::Unknown { at: [0.0, 1.0], pair, why }
    }
}
