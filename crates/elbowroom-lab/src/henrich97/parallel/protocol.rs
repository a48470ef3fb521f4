//! When a processor may ask for nodes, and how all processors find out that the search is over.
//!
//! A processor is *quiet* if its open list needs no further look (condition (1) of the paper's section 3) and
//! none of its own requests is unanswered (condition (2)). A quiet processor stays quiet unless it asks.
//!
//! * When the master is quiet, it sends a white token to the next processor in the ring.
//! * A processor that gets the token passes it on at once: unchanged if it is quiet, otherwise black.
//! * A processor that has passed a white token on asks for no nodes until it is released. It still answers
//!   requests.
//! * If the token comes back to the master white, all processors were quiet when it passed them, and still
//!   are: the search is over, and the master tells all. If it comes back black, all are released.
//! * A processor that finds a collision tells all at once. That ends the search.
//!
//! The paper does not say when a processor may ask again; both ways here are ours ([`Resume`]). *Go on* names
//! the round of the token that came back black, because the next token takes another way and may arrive
//! before it: without the number, an old *go on* would release a processor that has already passed the next
//! token on. Or the master says nothing: the next token releases whom it passes, and turns black there, since
//! that processor may ask at once. The model in `tests/henrich97_parallel` finds searches that end too early
//! without the third rule, without the number, and with a next token that stays white where it releases.
//!
//! A quiet master asks between two tokens until some replies in a row were empty
//! ([`Rules::asks_before_token`]), so that it takes part in the work that is left. Others cannot while they
//! are held, so a master that asks more often also lets the others help longer.
//!
//! A request may wait at a donor that has work but no node to spare yet ([`Rules::park_requests`]). The donor
//! answers when it has one, at the latest when its own work is done. Until then the asking processor is not
//! quiet, so the rules above still hold.
//!
//! A processor that waits for a reply when the token comes may keep the token until then
//! ([`Rules::keep_token`]), and pass it on as the reply makes it: a reply without nodes leaves the token as
//! it was, where an unanswered request would have made it black. No donor waits for a token, so each reply
//! comes.

use super::message::Message;

/// The work of one processor.
pub trait Work {
    /// A piece of it.
    type Node;

    /// Whether the open list needs no further look: stop condition (1) of the paper.
    fn is_done(&self) -> bool;

    /// Takes nodes out of the open list for another processor; none if there are none to spare.
    fn give_nodes(&mut self) -> Vec<Self::Node>;

    /// Puts nodes of another processor into the open list.
    fn take_nodes(&mut self, nodes: Vec<Self::Node>);

    /// The smallest distance known to this processor (metres).
    fn known_distance(&self) -> f64;

    /// Uses a distance that another processor found as an upper bound (metres).
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

/// When a processor that has passed a white token on may ask again, after that token came back black.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Resume {
    /// When the master says *go on*: one message to each processor for every black token.
    GoOn,
    /// When the next token passes it, which turns black there: no message, but later.
    NextToken,
}

/// Which rules are kept. A model leaves one out to show what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rules {
    /// A processor that has passed a white token on asks for no nodes.
    pub hold_after_white: bool,
    /// *Go on* releases a processor only from the round that it names, or an earlier one.
    pub number_rounds: bool,
    /// When a held processor may ask again.
    pub resume: Resume,
    /// A token turns black where it releases a processor, with [`Resume::NextToken`].
    pub blacken_where_released: bool,
    /// How many replies in a row must be empty before the master sends its next token. The first token waits
    /// for one reply less, and so does a token after a reply with nodes. With one, the master sends the token
    /// as soon as it is quiet, as the paper says.
    pub asks_before_token: u32,
    /// A processor that waits for a reply keeps the token until the reply comes. In the paper every processor
    /// passes it on at once.
    pub keep_token: bool,
    /// A donor with work but no node to spare lets a request wait. The paper has no such rule.
    pub park_requests: bool,
}

impl Default for Rules {
    fn default() -> Rules {
        Rules {
            hold_after_white: true,
            number_rounds: true,
            resume: Resume::GoOn,
            blacken_where_released: true,
            asks_before_token: 1,
            keep_token: false,
            park_requests: false,
        }
    }
}

/// What a token tells.
#[derive(Clone, Copy, Debug)]
struct Token {
    white: bool,
    round: u32,
    distance: f64,
}

/// What a processor knows of the search, besides its work.
#[derive(Clone, Debug)]
pub struct Protocol {
    rank: usize,
    count: usize,
    rules: Rules,
    /// A request is unanswered.
    waits: bool,
    /// The processors whose requests wait here.
    parked: Vec<usize>,
    /// The round of the white token that was passed on, until the processor may ask again.
    held: Option<u32>,
    /// The token that waits for a reply.
    kept: Option<Token>,
    /// The master's: the round of its next token, whether a token is under way, and what is counted towards
    /// [`Rules::asks_before_token`].
    round: u32,
    token_out: bool,
    asked_in_vain: u32,
    ended: Option<Ended>,
}

/// The rank of the master.
pub const MASTER: usize = 0;

impl Protocol {
    /// The state of processor `rank` of `count` at the beginning of a search.
    pub fn new(rank: usize, count: usize, rules: Rules) -> Protocol {
        Protocol {
            rank,
            count,
            rules,
            waits: false,
            parked: Vec::new(),
            held: None,
            kept: None,
            round: 0,
            token_out: false,
            asked_in_vain: 1,
            ended: None,
        }
    }

    /// How the search ended; `None` while it goes on.
    pub fn found_end(&self) -> Option<Ended> {
        self.ended
    }

    fn is_quiet(&self, work: &impl Work) -> bool {
        work.is_done() && !self.waits
    }

    /// Whether this processor may ask for nodes now, and needs them.
    pub fn may_ask(&self, work: &impl Work) -> bool {
        self.ended.is_none() && self.count > 1 && self.is_quiet(work) && self.held.is_none()
    }

    /// Whether the master may send its token now.
    pub fn may_send_token(&self, work: &impl Work) -> bool {
        let free = self.ended.is_none() && self.rank == MASTER && !self.token_out;
        let has_asked = self.count == 1 || self.asked_in_vain >= self.rules.asks_before_token;
        free && has_asked && self.is_quiet(work)
    }

    /// Asks a processor for nodes. Messages go to `out`, each with its receiver.
    pub fn ask_donor<N>(&mut self, donor: usize, out: &mut Vec<(usize, Message<N>)>) {
        self.waits = true;
        out.push((donor, Message::Request));
    }

    /// Sends the master's token. If there is no other processor, the search is over.
    pub fn send_token<W: Work>(&mut self, work: &W, out: &mut Vec<(usize, Message<W::Node>)>) {
        let distance = work.known_distance();
        if self.count == 1 {
            self.ended = Some(Ended::Apart(distance));
            return;
        }
        self.token_out = true;
        self.hold_requests();
        out.push((1, Message::Token { white: true, round: self.round, distance }));
    }

    fn hold_requests(&mut self) {
        if self.rules.hold_after_white {
            self.held = Some(self.round);
        }
    }

    /// Tells all processors that polytopes collide, and ends the search.
    pub fn tell_collision<N>(&mut self, out: &mut Vec<(usize, Message<N>)>) {
        self.ended = Some(Ended::Collision);
        self.tell_all(out, || Message::Collision);
    }

    /// Sends a message to all others.
    pub fn tell_all<N>(&self, out: &mut Vec<(usize, Message<N>)>, message: impl Fn() -> Message<N>) {
        out.extend((0..self.count).filter(|to| *to != self.rank).map(|to| (to, message())));
    }

    /// Takes a message. Answers go to `out`. Returns whether the message was a reply without nodes.
    pub fn receive_message<W: Work>(
        &mut self,
        from: usize,
        message: Message<W::Node>,
        work: &mut W,
        out: &mut Vec<(usize, Message<W::Node>)>,
    ) -> bool {
        let mut is_empty_reply = false;
        match message {
            Message::Request => self.parked.push(from),
            Message::Reply(nodes) => {
                self.waits = false;
                is_empty_reply = nodes.is_empty();
                if self.rank == MASTER {
                    let more = (self.asked_in_vain + 1).min(self.rules.asks_before_token);
                    self.asked_in_vain = if is_empty_reply { more } else { 1 };
                }
                work.take_nodes(nodes);
            }
            Message::Token { white, distance, .. } if self.rank == MASTER => {
                self.take_token_back(white, distance.min(work.known_distance()), out);
            }
            Message::Token { white, round, distance } => {
                let token = Token { white, round, distance };
                if self.waits && self.rules.keep_token {
                    self.kept = Some(token);
                } else {
                    self.pass_token(token, work, out);
                }
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
        if !self.waits
            && let Some(token) = self.kept.take()
        {
            self.pass_token(token, work, out);
        }
        // The message may have ended the work here, or brought nodes to spare.
        self.answer_requests(work, out);
        is_empty_reply
    }

    fn pass_token<W: Work>(&mut self, token: Token, work: &W, out: &mut Vec<(usize, Message<W::Node>)>) {
        let Token { white, round, distance } = token;
        let releases = self.rules.resume == Resume::NextToken && self.held.take().is_some();
        let blackens = releases && self.rules.blacken_where_released;
        let white = white && self.is_quiet(work) && !blackens;
        self.round = round;
        if white && !releases {
            self.hold_requests();
        }
        let distance = distance.min(work.known_distance());
        let next = (self.rank + 1) % self.count;
        out.push((next, Message::Token { white, round, distance }));
    }

    /// Answers waiting requests while there are nodes to spare. A processor without work answers with no
    /// nodes. Call it after every piece of work.
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
            if self.rules.resume == Resume::GoOn {
                self.tell_all(out, || Message::GoOn { round });
            }
            (self.held, self.asked_in_vain, self.round) = (None, 0, round + 1);
        }
    }
}
