//! What the paper leaves open about its search, as numbers with a default.

use super::protocol::Resume;

/// Which nodes a donor hands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandOut {
    /// Its best ones.
    Best,
    /// Every second one, beginning with the second best, so that both processors have good nodes.
    EverySecond,
}

/// How processors share their work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    /// How many times as likely the master is asked as a slave.
    pub master_weight: f64,
    /// Most nodes of a reply.
    pub reply_nodes: usize,
    /// Which nodes of the donor's open list a reply holds.
    pub hand_out: HandOut,
    /// The pause between an empty reply and the next request (us). Each further empty reply doubles it.
    pub pause_us: f64,
    /// When asking resumes after a token came back black.
    pub resume: Resume,
    /// How many replies in a row must be empty before the master sends its next token. The first token waits
    /// for one less, and so does one after nodes came.
    pub asks_before_token: u32,
    /// Whether a processor that waits for a reply keeps the token until the reply comes.
    pub keep_token: bool,
    /// Whether a request waits at a donor that has work but no node to spare yet.
    pub park_requests: bool,
    /// Whether a processor tells all others each smaller distance of polytopes that it finds.
    pub share_bounds: bool,
}

impl Policy {
    /// The paper's policy: each processor keeps its bounds to itself, the master is asked more often, and a
    /// reply holds some of the best nodes. The paper gives no numbers; these are among those of the sweep
    /// that `henrich97 --processors` prints.
    pub fn from_paper() -> Policy {
        Policy {
            master_weight: 2.0,
            reply_nodes: 8,
            hand_out: HandOut::Best,
            pause_us: 50.0,
            resume: Resume::GoOn,
            asks_before_token: 1,
            keep_token: false,
            park_requests: false,
            share_bounds: false,
        }
    }

    /// A policy for less extra work, which the paper names as its next step: processors share their bounds,
    /// donor and receiver both get good nodes, and requests wait where there is work. Tokens are rarer and
    /// seldom in vain, because a processor that has passed one on may not help.
    pub fn with_shared_bounds() -> Policy {
        Policy {
            master_weight: 2.0,
            reply_nodes: 8,
            hand_out: HandOut::EverySecond,
            pause_us: 20.0,
            resume: Resume::GoOn,
            asks_before_token: 3,
            keep_token: true,
            park_requests: true,
            share_bounds: true,
        }
    }
}
