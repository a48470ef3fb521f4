//! A second way to whoever is answered, for a thread beside the one that answers.

#[cfg(unix)]
use super::outlet::Stream;
use super::outlet::{send_datagrams, send_lines};
use std::io;
use std::net::{Shutdown, SocketAddr, TcpStream, UdpSocket};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::time::Instant;

/// A way to the client for a second thread, which writes whole lines while the first writes none.
pub enum Voice {
    /// Standard output.
    #[cfg(unix)]
    Stream(Stream),
    /// Standard output.
    #[cfg(not(unix))]
    Stdout,
    /// The client of a socket.
    Tcp(TcpStream),
    /// The client of a socket.
    #[cfg(unix)]
    Unix(UnixStream),
    /// The sender of datagrams.
    Udp(UdpSocket, SocketAddr),
}

impl Voice {
    /// Says a line until it is due. Who takes a part of it is cut off: what came behind would be no line.
    pub fn say_to_client(&mut self, line: &[u8], due: Option<Instant>) -> io::Result<()> {
        match self {
            #[cfg(unix)]
            Voice::Stream(stream) => {
                stream.put_lines(line, due).map_err(|e| io::Error::other(e.fault_in_words()))
            }
            #[cfg(not(unix))]
            Voice::Stdout => {
                use std::io::Write;
                let mut out = io::stdout().lock();
                out.write_all(line)?;
                out.flush()
            }
            Voice::Tcp(stream) => {
                send_lines(stream, line, due).inspect_err(|_| drop(stream.shutdown(Shutdown::Both)))
            }
            #[cfg(unix)]
            Voice::Unix(stream) => {
                send_lines(stream, line, due).inspect_err(|_| drop(stream.shutdown(Shutdown::Both)))
            }
            Voice::Udp(socket, client) => send_datagrams(socket, *client, line, due),
        }
    }
}
