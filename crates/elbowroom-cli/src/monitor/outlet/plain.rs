//! Sending to clients where nothing can be waited for with an end: a socket's own time to write says how long
//! it may take.

use std::io::{self, Write};
use std::net::{SocketAddr, UdpSocket};
use std::time::Instant;

/// Sends whole lines to a client.
pub fn send_lines<S>(to: &S, lines: &[u8], _: Option<Instant>) -> io::Result<()>
where
    for<'s> &'s S: Write,
{
    let mut to = to;
    to.write_all(lines)
}

/// Sends a datagram for each line to a client.
pub fn send_datagrams(from: &UdpSocket, to: SocketAddr, lines: &[u8], _: Option<Instant>) -> io::Result<()> {
    let mut each = lines.split_inclusive(|byte| *byte == b'\n');
    each.try_for_each(|line| from.send_to(line, to).map(|_| ()))
}
