//! What the paper leaves open about its search, as numbers with a default.

/// Which nodes a donor hands out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandOut {
    /// Its best ones.
    Best,
    /// Every second one, beginning with the second best: both have good ones then.
    EverySecond,
}

/// How processors share their work.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Policy {
    /// How much likelier the master is asked than a slave.
    pub master_weight: f64,
    /// Most nodes of a reply.
    pub reply_nodes: usize,
    /// Which nodes of the donor's list.
    pub hand_out: HandOut,
    /// How long one waits after an empty reply before asking again (us); doubled with each further one.
    pub pause_us: f64,
    /// Whether a donor that works, and has nothing to spare yet, lets the request wait until it has.
    pub park_requests: bool,
    /// Whether a distance of polytopes that is better than all before is told to all.
    pub share_bounds: bool,
}

impl Policy {
    /// The paper's: bounds of one's own, a weighted master, some of the best nodes. The numbers are ours, of
    /// the sweep that `henrich97 --processors` prints: the paper has none.
    pub fn paper() -> Policy {
        Policy {
            master_weight: 4.0,
            reply_nodes: 2,
            hand_out: HandOut::Best,
            pause_us: 50.0,
            park_requests: false,
            share_bounds: false,
        }
    }

    /// Less extra work, the paper's outlook: bounds are told to all, nodes are dealt out like cards, all are
    /// asked alike, and a request waits where there is work.
    pub fn shared() -> Policy {
        Policy {
            master_weight: 1.0,
            reply_nodes: 8,
            hand_out: HandOut::EverySecond,
            pause_us: 50.0,
            park_requests: true,
            share_bounds: true,
        }
    }
}
