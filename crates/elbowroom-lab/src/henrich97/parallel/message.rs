//! The messages between processors, and their bytes.
//!
//! Each message carries the number of its search, so that a late message is not mistaken for one of the next
//! search.

use crate::henrich97::system::SearchNode;

/// A message; `N` is a node of the search.
#[derive(Clone, Debug, PartialEq)]
pub enum Message<N> {
    /// Asks for nodes.
    Request,
    /// Nodes; none if the donor has none to spare.
    Reply(Vec<N>),
    /// The token of the ring.
    Token {
        /// Whether all processors that it passed were quiet.
        white: bool,
        /// How many tokens the master has sent before.
        round: u32,
        /// The smallest distance known to the processors that it passed (metres).
        distance: f64,
    },
    /// The token of this round came back black: all processors may ask again.
    GoOn {
        /// The round.
        round: u32,
    },
    /// A distance of polytopes (metres).
    Bound(f64),
    /// Two polytopes collide: the search is over.
    Collision,
    /// The token came back white: the search is over.
    End {
        /// The distance (metres).
        distance: f64,
    },
}

/// Bytes of a node.
pub const NODE_BYTES: usize = 17;
/// Bytes before what a message holds: the number of the search, and its kind.
pub const HEAD_BYTES: usize = 5;

impl Message<SearchNode> {
    /// The message and the number of its search, little-endian.
    pub fn to_bytes(&self, search: u32) -> Vec<u8> {
        let mut bytes = search.to_le_bytes().to_vec();
        match self {
            Message::Request => bytes.push(0),
            Message::Reply(nodes) => {
                bytes.push(1);
                for SearchNode { key, still, moving, by_capsules } in nodes {
                    bytes.extend(key.to_le_bytes());
                    bytes.extend(still.to_le_bytes());
                    bytes.extend(moving.to_le_bytes());
                    bytes.push(u8::from(*by_capsules));
                }
            }
            Message::Token { white, round, distance } => {
                bytes.extend([2, u8::from(*white)]);
                bytes.extend(round.to_le_bytes());
                bytes.extend(distance.to_le_bytes());
            }
            Message::GoOn { round } => {
                bytes.push(3);
                bytes.extend(round.to_le_bytes());
            }
            Message::Bound(distance) => {
                bytes.push(4);
                bytes.extend(distance.to_le_bytes());
            }
            Message::Collision => bytes.push(5),
            Message::End { distance } => {
                bytes.push(6);
                bytes.extend(distance.to_le_bytes());
            }
        }
        bytes
    }

    /// Reads the bytes of [`Message::to_bytes`]: the number of the search, and the message. `None` for any
    /// other bytes.
    pub fn from_bytes(bytes: &[u8]) -> Option<(u32, Message<SearchNode>)> {
        let mut rest = bytes;
        let search = u32::from_le_bytes(take_bytes(&mut rest)?);
        let [kind] = take_bytes(&mut rest)?;
        let number = |rest: &mut &[u8]| take_bytes(rest).map(f64::from_le_bytes);
        let whole = |rest: &mut &[u8]| take_bytes(rest).map(u32::from_le_bytes);
        let flag = |rest: &mut &[u8]| match take_bytes(rest)? {
            [0] => Some(false),
            [1] => Some(true),
            _ => None,
        };
        let message = match kind {
            0 => Message::Request,
            1 => {
                let mut nodes = Vec::with_capacity(rest.len() / NODE_BYTES);
                while !rest.is_empty() {
                    let key = number(&mut rest)?;
                    let [still, moving] = [whole(&mut rest)?, whole(&mut rest)?];
                    nodes.push(SearchNode { key, still, moving, by_capsules: flag(&mut rest)? });
                }
                Message::Reply(nodes)
            }
            2 => Message::Token {
                white: flag(&mut rest)?,
                round: whole(&mut rest)?,
                distance: number(&mut rest)?,
            },
            3 => Message::GoOn { round: whole(&mut rest)? },
            4 => Message::Bound(number(&mut rest)?),
            5 => Message::Collision,
            6 => Message::End { distance: number(&mut rest)? },
            _ => return None,
        };
        rest.is_empty().then_some((search, message))
    }
}

/// Takes the first bytes off a slice.
fn take_bytes<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (first, behind) = rest.split_first_chunk::<N>()?;
    *rest = behind;
    Some(*first)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back_from_their_bytes() {
        let node = SearchNode { key: 0.25, still: 7, moving: u32::MAX, by_capsules: true };
        let other = SearchNode { key: f64::INFINITY, still: 0, moving: 1, by_capsules: false };
        let all = [
            Message::Request,
            Message::Reply(Vec::new()),
            Message::Reply(vec![node, other]),
            Message::Token { white: true, round: 3, distance: 0.125 },
            Message::GoOn { round: 9 },
            Message::Bound(-0.0),
            Message::Collision,
            Message::End { distance: f64::INFINITY },
        ];
        for message in all {
            let bytes = message.to_bytes(0x0102_0304);
            assert!(bytes.len() <= HEAD_BYTES + 2 * NODE_BYTES && bytes[..4] == [4, 3, 2, 1]);
            assert_eq!(Message::from_bytes(&bytes), Some((0x0102_0304, message)));
            // Bytes that are cut off or too many are refused.
            for end in 0..bytes.len() {
                let cut = Message::from_bytes(&bytes[..end]);
                assert!(cut.is_none() || (end - HEAD_BYTES).is_multiple_of(NODE_BYTES), "{bytes:?} {end}");
            }
            assert_eq!(Message::from_bytes(&[&bytes[..], &[9]].concat()), None);
        }
        assert_eq!(Message::from_bytes(&[0, 0, 0, 0, 7]), None);
    }
}
