//! How messages get from one processor to another.

use super::message::Message;
use crate::henrich97::counts::DetectionCounts;
use crate::henrich97::system::SearchNode;

/// Why a search was given up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// Another processor has failed.
    #[error("processor {0} has failed: the search is given up, and nothing of it counts")]
    Gone(usize),
    /// No message came in time.
    #[error("no message from any processor for {0} s: the search is given up, and nothing of it counts")]
    Silence(u64),
    /// A message that cannot be read.
    #[error("processor {0} sent a message that cannot be read: all must run the same program")]
    Garbled(usize),
    /// All wait for each other.
    #[error("all processors wait for each other")]
    Stuck,
}

/// A message on its way.
#[derive(Clone, Debug)]
pub struct Envelope {
    /// Who sent it.
    pub from: usize,
    /// The number of the search that it belongs to.
    pub search: u32,
    /// Its content.
    pub message: Message<SearchNode>,
}

/// How one processor reaches the others. Messages of one sender arrive in their order; messages of several
/// senders arrive in any order.
pub trait Transport {
    /// Sends a message, without waiting until it arrives.
    ///
    /// # Errors
    /// The receiver has failed.
    fn send_message(&mut self, to: usize, search: u32, message: Message<SearchNode>) -> Result<(), Lost>;

    /// A message that has arrived.
    ///
    /// # Errors
    /// A processor has failed, or a message cannot be read.
    fn try_receive(&mut self) -> Result<Option<Envelope>, Lost>;

    /// What the clock shows (us).
    fn now_us(&self) -> f64;

    /// Called after each piece of work. A transport in virtual time moves its clock; others do nothing with
    /// it, or note that this processor was not waiting.
    fn spend_time(&mut self, _computed: &DetectionCounts) {}
}
