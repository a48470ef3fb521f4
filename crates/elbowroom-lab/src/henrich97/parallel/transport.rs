//! How messages get from one processor to another.

use super::message::Message;
use crate::henrich97::counts::DetectionCounts;
use crate::henrich97::system::SearchNode;

/// Why a search was given up.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Lost {
    /// Another processor is gone.
    #[error("processor {0} is gone: the search is given up, and nothing of it counts")]
    Gone(usize),
    /// No word came, though one was due.
    #[error("no word from any processor for {0} s: the search is given up, and nothing of it counts")]
    Silence(u64),
    /// What came is no message.
    #[error("processor {0} sent what is no message: all processors must run the same program")]
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
    /// What it says.
    pub message: Message<SearchNode>,
}

/// One processor's way to the others. Messages from one processor arrive in the order in which it sent them;
/// those of several in any.
pub trait Transport {
    /// Sends a message; does not wait for it to arrive.
    ///
    /// # Errors
    /// The receiver is gone.
    fn send(&mut self, to: usize, search: u32, message: Message<SearchNode>) -> Result<(), Lost>;

    /// A message that has arrived.
    ///
    /// # Errors
    /// A processor is gone, or says what is no message.
    fn try_receive(&mut self) -> Result<Option<Envelope>, Lost>;

    /// What the clock shows (us).
    fn now_us(&self) -> f64;

    /// Learns what was just computed. Where time is virtual this is what takes it.
    fn spend_time(&mut self, _computed: &DetectionCounts) {}
}
