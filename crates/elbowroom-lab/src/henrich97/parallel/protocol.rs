//! Who may ask for nodes, and how all find out that the search is over.
//!
//! A processor is *quiet* if its open list needs no further look (condition (1) of the paper's section 3) and
//! no request of its own is unanswered (condition (2)). Quiet processors stay so unless they ask.
//!
//! * The master, once quiet, sends a white token to the next in the ring.
//! * Who gets the token passes it on at once: as it came if quiet, black if not.
//! * Who has passed a white token on asks for no nodes until it is told to go on. It still answers requests.
//! * Back at the master, a white token means that all were quiet when it passed, and stayed so: the search is
//!   over, and all are told. After a black one all are told to go on.
//! * A collision is told to all at once and ends the search.
//!
//! The paper does not say when one may ask again. Here the master tells all (*go on*), and tells with it
//! which token came back black: a word to go on may be overtaken by the next token, which runs another way,
//! and would then free who has passed on that one. The model in `tests/henrich97_parallel` finds searches
//! that end too early without the rule of the third point, and without these numbers.
//!
//! A quiet master asks once between two tokens, so that it takes part in the work that is left.
//!
//! A request may wait at a donor that works and has nothing to spare yet ([`Rules::park_requests`]): it is
//! answered when there is something, and at the latest when the donor is done. Until then its sender is not
//! quiet, so nothing above changes.

use super::message::Message;

/// The work that is shared out.
pub trait Work {
    /// A piece of it.
    type Node;

    /// Whether there is nothing left to do here: condition (1).
    fn is_done(&self) -> bool;

    /// Gives some of what is left to do here to another; nothing if there is none to spare.
    fn give_nodes(&mut self) -> Vec<Self::Node>;

    /// Takes what another gave.
    fn take_nodes(&mut self, nodes: Vec<Self::Node>);

    /// The smallest distance that is known here (metres).
    fn known_distance(&self) -> f64;

    /// Takes over a distance that another found (metres).
    fn lower_best(&mut self, distance: f64);
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ended {
    /// Two polytopes collide.
    Collision,
    /// None do: the smallest distance that any processor knows (metres).
    Apart(f64),
}

/// Which of the rules are kept: all, unless a model wants to see what they are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// Who has passed a white token on asks for nothing.
    pub hold_after_white: bool,
    /// A word to go on counts for the token that it names.
    pub number_rounds: bool,
    /// Who works and has nothing to spare lets a request wait: a choice, and no rule of the paper.
    pub park_requests: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules { hold_after_white: true, number_rounds: true, park_requests: false }
    }
}

/// What a processor knows of the search, besides its work.
#[derive(Clone, Debug)]
pub struct Protocol {
    rank: usize,
    count: usize,
    rules: Rules,
    /// A request is unanswered.
    waits: bool,
    /// Whose requests wait here.
    parked: Vec<usize>,
    /// The round whose white token was passed on, until one is told to go on.
    held: Option<u32>,
    /// Of the master: the number of its next token, whether one is under way, and whether it has asked since
    /// the last came back.
    round: u32,
    token_out: bool,
    has_asked: bool,
    ended: Option<Ended>,
}

/// The number of the master.
pub const MASTER: usize = 0;

impl Protocol {
    /// Of processor `rank` of `count`, at the beginning of a search.
    pub fn new(rank: usize, count: usize, rules: Rules) -> Protocol {
        Protocol {
            rank,
            count,
            rules,
            waits: false,
            parked: Vec::new(),
            held: None,
            round: 0,
            token_out: false,
            has_asked: true,
            ended: None,
        }
    }

    /// How the search ended; `None` while it goes on.
    pub fn ended(&self) -> Option<Ended> {
        self.ended
    }

    fn is_quiet(&self, work: &impl Work) -> bool {
        work.is_done() && !self.waits
    }

    /// Whether this processor may ask for nodes now, and has a use for them.
    pub fn may_ask(&self, work: &impl Work) -> bool {
        self.ended.is_none() && self.count > 1 && self.is_quiet(work) && self.held.is_none()
    }

    /// Whether the master may send its token now.
    pub fn may_send_token(&self, work: &impl Work) -> bool {
        let free = self.ended.is_none() && self.rank == MASTER && !self.token_out && self.has_asked;
        free && self.is_quiet(work)
    }

    /// Asks a processor for nodes; what to send goes to `out`, with its receiver.
    pub fn ask<N>(&mut self, donor: usize, out: &mut Vec<(usize, Message<N>)>) {
        (self.waits, self.has_asked) = (true, true);
        out.push((donor, Message::Request));
    }

    /// Sends the master's token; alone, it is back at once.
    pub fn send_token<W: Work>(&mut self, work: &W, out: &mut Vec<(usize, Message<W::Node>)>) {
        let distance = work.known_distance();
        if self.count == 1 {
            self.ended = Some(Ended::Apart(distance));
            return;
        }
        self.token_out = true;
        self.hold();
        out.push((1, Message::Token { white: true, round: self.round, distance }));
    }

    fn hold(&mut self) {
        if self.rules.hold_after_white {
            self.held = Some(self.round);
        }
    }

    /// Tells all that polytopes collide, and ends.
    pub fn tell_collision<N>(&mut self, out: &mut Vec<(usize, Message<N>)>) {
        self.ended = Some(Ended::Collision);
        self.tell_all(out, || Message::Collision);
    }

    /// Sends a message to all others.
    pub fn tell_all<N>(&self, out: &mut Vec<(usize, Message<N>)>, message: impl Fn() -> Message<N>) {
        out.extend((0..self.count).filter(|to| *to != self.rank).map(|to| (to, message())));
    }

    /// Takes a message; what to send goes to `out`. True if it was an empty reply.
    pub fn receive<W: Work>(
        &mut self,
        from: usize,
        message: Message<W::Node>,
        work: &mut W,
        out: &mut Vec<(usize, Message<W::Node>)>,
    ) -> bool {
        match message {
            Message::Request => {
                self.parked.push(from);
                self.answer_requests(work, out);
            }
            Message::Reply(nodes) => {
                self.waits = false;
                let is_empty = nodes.is_empty();
                work.take_nodes(nodes);
                return is_empty;
            }
            Message::Token { white, distance, .. } if self.rank == MASTER => {
                self.take_token_back(white, distance.min(work.known_distance()), out);
            }
            Message::Token { white, round, distance } => {
                let white = white && self.is_quiet(work);
                self.round = round;
                if white {
                    self.hold();
                }
                let distance = distance.min(work.known_distance());
                let next = (self.rank + 1) % self.count;
                out.push((next, Message::Token { white, round, distance }));
            }
            Message::GoOn { round } => {
                if !self.rules.number_rounds || self.held.is_some_and(|held| held <= round) {
                    self.held = None;
                }
            }
            Message::Bound(distance) => work.lower_best(distance),
            Message::Collision => self.ended = Some(Ended::Collision),
            Message::End { distance } => self.ended = Some(Ended::Apart(distance)),
        }
        false
    }

    /// Answers the requests that wait, as far as there is something to spare; with nothing, once no work is
    /// left here. Due after every piece of work.
    pub fn answer_requests<W: Work>(&mut self, work: &mut W, out: &mut Vec<(usize, Message<W::Node>)>) {
        while let Some(&from) = self.parked.first() {
            let nodes = work.give_nodes();
            if nodes.is_empty() && self.rules.park_requests && !work.is_done() {
                break;
            }
            self.parked.remove(0);
            out.push((from, Message::Reply(nodes)));
        }
    }

    fn take_token_back<N>(&mut self, white: bool, distance: f64, out: &mut Vec<(usize, Message<N>)>) {
        self.token_out = false;
        if white {
            self.ended = Some(Ended::Apart(distance));
            self.tell_all(out, || Message::End { distance });
        } else {
            let round = self.round;
            self.tell_all(out, || Message::GoOn { round });
            (self.held, self.has_asked, self.round) = (None, false, round + 1);
        }
    }
}
