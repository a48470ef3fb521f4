//! One processor: its system, its part of the protocol, and its turns.
//!
//! In a turn a processor takes all messages that have arrived and then expands one node, so a message waits
//! for one distance of polytopes at most. A processor without work asks for nodes. A slave pauses after an
//! empty reply, twice as long each time: an unanswered request makes the token black, so slaves that ask
//! without pauses would keep the search from ending. The master asks a few times between two tokens, without
//! a pause. If its pauses doubled too, they could stay in step with those of the slaves, and each token would
//! come back black.

use super::message::Message;
use super::policy::{HandOut, Policy};
use super::protocol::{Ended, MASTER, Protocol, Rules, Work};
use super::transport::{Envelope, Lost, Transport};
use crate::henrich97::system::{Answer, SearchNode, Stop, System};
use elbowroom::Checker;
use elbowroom::math::Random;
use std::collections::VecDeque;
use std::ops::AddAssign;

/// A processor.
#[derive(Clone, Debug)]
pub struct Worker {
    rank: usize,
    count: usize,
    policy: Policy,
    draw: Random,
    /// The number of the search.
    search: u32,
    protocol: Protocol,
    /// Messages of later searches: their senders are ahead.
    early: VecDeque<Envelope>,
    /// When it may ask again, and how long the next pause is (us).
    ask_at_us: f64,
    pause_us: f64,
    /// Counts of its messages, over all searches.
    pub messages: Messages,
}

/// Counts of the messages of a processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Messages {
    /// Requests that it sent.
    pub requests: usize,
    /// Empty replies that it got.
    pub empty_replies: usize,
    /// Nodes that it got.
    pub nodes: usize,
    /// Messages of any kind that it sent.
    pub sent: usize,
}

impl AddAssign<&Messages> for Messages {
    fn add_assign(&mut self, more: &Messages) {
        self.requests += more.requests;
        self.empty_replies += more.empty_replies;
        self.nodes += more.nodes;
        self.sent += more.sent;
    }
}

/// A transport whose processors can sleep.
pub trait Waits: Transport {
    /// Waits for a message, or until this time (us); with infinity, for a message alone.
    ///
    /// # Errors
    /// A processor has failed, or no message has come for
    /// [`LONGEST_SILENCE`](crate::limits::LONGEST_SILENCE).
    fn wait_until(&mut self, until_us: f64) -> Result<(), Lost>;
}

/// What a processor did in a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Turn {
    /// It expanded a node.
    Worked,
    /// It has nothing to do before a message comes, or before this time (us); with infinity, before a message
    /// comes.
    Idle(f64),
    /// The search is over.
    Ended(Answer),
}

/// The search of one pose, as the protocol sees it.
struct PoseSearch<'s> {
    system: &'s mut System,
    stop: Stop,
    policy: Policy,
}

fn policy_rules(policy: &Policy) -> Rules {
    let Policy { park_requests, resume, asks_before_token, keep_token, .. } = *policy;
    Rules { park_requests, resume, asks_before_token, keep_token, ..Rules::default() }
}

impl Work for PoseSearch<'_> {
    type Node = SearchNode;

    fn is_done(&self) -> bool {
        self.system.is_finished(self.stop)
    }

    fn give_nodes(&mut self) -> Vec<SearchNode> {
        let (mut given, mut kept) = (Vec::new(), Vec::new());
        let keeps_first = self.policy.hand_out == HandOut::EverySecond;
        // A processor keeps its last node for itself.
        let mut keep = keeps_first;
        while given.len() < self.policy.reply_nodes {
            let Some(node) = self.system.pop_open(self.stop) else { break };
            if keep { &mut kept } else { &mut given }.push(node);
            keep = keeps_first && !keep;
        }
        if kept.is_empty() && self.system.is_finished(self.stop) {
            kept.extend(given.pop());
        }
        self.system.take_nodes(kept);
        given
    }

    fn take_nodes(&mut self, nodes: Vec<SearchNode>) {
        self.system.take_nodes(nodes);
    }

    fn known_distance(&self) -> f64 {
        self.system.known_distance()
    }

    fn lower_best(&mut self, distance: f64) {
        self.system.lower_best(distance);
    }
}

impl Worker {
    /// Processor `rank` of `count`; `seed` decides whom it asks.
    pub fn new(rank: usize, count: usize, policy: Policy, seed: u64) -> Worker {
        let draw = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(rank as u64 + 1));
        Worker {
            rank,
            count,
            policy,
            draw,
            search: 0,
            protocol: Protocol::new(rank, count, policy_rules(&policy)),
            early: VecDeque::new(),
            ask_at_us: 0.0,
            pause_us: policy.pause_us,
            messages: Messages::default(),
        }
    }

    /// Begins the next search: brings the system to the checker's pose, and gives the master the root.
    pub fn begin_search(&mut self, system: &mut System, checker: &Checker) {
        system.update_position(checker);
        system.update_hierarchy();
        self.search += 1;
        self.protocol = Protocol::new(self.rank, self.count, policy_rules(&self.policy));
        (self.ask_at_us, self.pause_us) = (0.0, self.policy.pause_us);
        system.begin();
        if self.rank == MASTER {
            system.insert_root(&mut System::compute_distance);
        }
    }

    /// Takes the messages that have arrived, and expands a node.
    ///
    /// # Errors
    /// The search cannot go on.
    pub fn take_turn(
        &mut self,
        system: &mut System,
        stop: Stop,
        transport: &mut impl Transport,
    ) -> Result<Turn, Lost> {
        let mut work = PoseSearch { system, stop, policy: self.policy };
        let mut out = Vec::new();
        while self.protocol.found_end().is_none() {
            let Some(envelope) = self.next_message(transport)? else { break };
            self.take_message(envelope, &mut work, transport.now_us(), &mut out);
            self.send_all(&mut out, transport)?;
        }
        let has_work = self.protocol.found_end().is_none() && !work.is_done();
        let mut next = self.ask_if_due(&work, transport, &mut out);
        self.send_all(&mut out, transport)?;
        if has_work {
            let (best, counts) = (work.system.best_distance(), work.system.counts);
            let collides = work.system.expand_best(&mut System::compute_distance);
            transport.spend_time(&work.system.counts.since(&counts));
            let found = work.system.best_distance();
            if collides {
                self.protocol.tell_collision(&mut out);
            } else if self.policy.share_bounds && found < best {
                self.protocol.tell_all(&mut out, || Message::Bound(found));
            }
            self.protocol.answer_requests(&mut work, &mut out);
            self.send_all(&mut out, transport)?;
            if self.protocol.found_end().is_none() {
                return Ok(Turn::Worked);
            }
        } else if self.protocol.may_send_token(&work) {
            self.protocol.send_token(&work, &mut out);
            next = f64::INFINITY;
        }
        self.send_all(&mut out, transport)?;
        Ok(match self.protocol.found_end() {
            None => Turn::Idle(next),
            Some(Ended::Collision) => Turn::Ended(Answer { collides: true, distance: 0.0 }),
            Some(Ended::Apart(distance)) => Turn::Ended(Answer { collides: false, distance }),
        })
    }

    /// Takes turns until the search is over, and waits for messages in between.
    ///
    /// # Errors
    /// The search cannot go on.
    pub fn search_to_end(
        &mut self,
        system: &mut System,
        stop: Stop,
        transport: &mut impl Waits,
    ) -> Result<Answer, Lost> {
        loop {
            match self.take_turn(system, stop, transport)? {
                Turn::Worked => {}
                Turn::Idle(until_us) => transport.wait_until(until_us)?,
                Turn::Ended(answer) => return Ok(answer),
            }
        }
    }

    /// Asks for nodes if the rules allow it and the pause is over. Returns when the pause will be over (us).
    fn ask_if_due(
        &mut self,
        work: &PoseSearch,
        transport: &impl Transport,
        out: &mut Vec<(usize, Message<SearchNode>)>,
    ) -> f64 {
        if self.protocol.may_send_token(work) || !self.protocol.may_ask(work) {
            return f64::INFINITY;
        }
        if self.rank != MASTER && transport.now_us() < self.ask_at_us {
            return self.ask_at_us;
        }
        self.messages.requests += 1;
        let donor = self.draw_donor();
        self.protocol.ask_donor(donor, out);
        f64::INFINITY
    }

    fn take_message(
        &mut self,
        Envelope { from, message, .. }: Envelope,
        work: &mut PoseSearch,
        now_us: f64,
        out: &mut Vec<(usize, Message<SearchNode>)>,
    ) {
        if let Message::Reply(nodes) = &message {
            self.messages.nodes += nodes.len();
            self.pause_us = if nodes.is_empty() { self.pause_us } else { self.policy.pause_us };
        }
        if self.protocol.receive_message(from, message, work, out) {
            self.messages.empty_replies += 1;
            self.ask_at_us = now_us + self.pause_us;
            self.pause_us *= 2.0;
        }
    }

    /// The next message of this search. Messages of earlier searches are dropped: those are over.
    fn next_message(&mut self, transport: &mut impl Transport) -> Result<Option<Envelope>, Lost> {
        if let Some(place) = self.early.iter().position(|envelope| envelope.search == self.search) {
            return Ok(self.early.remove(place));
        }
        while let Some(envelope) = transport.try_receive()? {
            if envelope.search == self.search {
                return Ok(Some(envelope));
            }
            if envelope.search > self.search {
                self.early.push_back(envelope);
            }
        }
        Ok(None)
    }

    fn send_all(
        &mut self,
        out: &mut Vec<(usize, Message<SearchNode>)>,
        transport: &mut impl Transport,
    ) -> Result<(), Lost> {
        self.messages.sent += out.len();
        out.drain(..).try_for_each(|(to, message)| transport.send_message(to, self.search, message))
    }

    /// Draws a processor to ask; the master is weighted.
    fn draw_donor(&mut self) -> usize {
        let heavy = self.policy.master_weight;
        let weight = |rank: usize| if rank == MASTER { heavy } else { 1.0 };
        let others: Vec<usize> = (0..self.count).filter(|rank| *rank != self.rank).collect();
        let all: f64 = others.iter().map(|rank| weight(*rank)).sum();
        let mut place = self.draw.unit() * all;
        for &rank in &others {
            place -= weight(rank);
            if place < 0.0 {
                return rank;
            }
        }
        others.last().copied().unwrap_or(MASTER)
    }
}
