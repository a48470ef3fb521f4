//! Where lines come from and where answers go: files and pipes, or the client of a socket.

#[cfg(unix)]
use super::ending;
use super::lines::CHUNK;
#[cfg(unix)]
use super::outlet::Stream;
use super::outlet::{send_datagrams, send_lines};
use super::voice::Voice;
use super::words;
#[cfg(unix)]
use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::net::{Shutdown, SocketAddr, TcpStream, UdpSocket};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// What a wait has brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Got {
    /// So many bytes.
    Bytes(usize),
    /// Nothing in time.
    Silence,
    /// There is no more.
    End,
}

/// A file or a pipe, which is waited for as sockets are.
#[cfg(unix)]
pub type Plain = File;
/// A file or a pipe.
#[cfg(not(unix))]
pub type Plain = Box<dyn Read + Send>;

/// Standard input, read as it comes.
#[cfg(unix)]
pub fn open_stdin() -> io::Result<Plain> {
    use std::os::fd::AsFd;
    Ok(File::from(io::stdin().as_fd().try_clone_to_owned()?))
}

/// Standard input.
#[cfg(not(unix))]
pub fn open_stdin() -> io::Result<Plain> {
    Ok(Box::new(io::stdin()))
}

/// A file, read as it is.
#[cfg(unix)]
pub fn plain_from_file(file: File) -> Plain {
    file
}

/// A file, read as it is.
#[cfg(not(unix))]
pub fn plain_from_file(file: std::fs::File) -> Plain {
    Box::new(file)
}

/// Where lines come from.
pub enum LineSource {
    /// A file or a pipe that is waited for.
    Plain(Plain),
    /// One that is read on a thread of its own, so that the clock can be watched beside it.
    Live(Receiver<io::Result<Vec<u8>>>),
    /// The client of a socket.
    Tcp(TcpStream),
    /// The client of a socket.
    #[cfg(unix)]
    Unix(UnixStream),
    /// Datagrams, of one sender.
    Udp(UdpSocket, SocketAddr),
}

/// How long a thread is waited for that a signal does not wake: nothing else depends on it.
pub const LOOK: Duration = Duration::from_millis(50);

/// The shortest wait that sockets take by themselves.
const SHORTEST: Duration = Duration::from_micros(100);

/// Waits until there is something to read, or so long, or until a signal has come. A socket's own time to
/// wait ends on a tick of the system, up to eight milliseconds late; this ends on time.
#[cfg(unix)]
fn wait_until_ready(from: &impl std::os::fd::AsFd, wait: Option<Duration>) -> io::Result<bool> {
    use rustix::event::{PollFd, PollFlags, poll};
    let wait = wait.map(TryInto::try_into).transpose();
    let wait = wait.map_err(|_| io::Error::from(ErrorKind::InvalidInput))?;
    let input = PollFd::new(from, PollFlags::IN);
    // Without a signal's end its place is taken by the input once more.
    let wake = ending::wake_stream().map_or(input.clone(), |wake| PollFd::new(wake, PollFlags::IN));
    let mut both = [input, wake];
    match poll(&mut both, wait.as_ref()) {
        Ok(_) => Ok(both.first().is_some_and(|input| !input.revents().is_empty())),
        Err(rustix::io::Errno::INTR) => Ok(false),
        Err(e) => Err(e.into()),
    }
}

#[cfg(not(unix))]
fn wait_until_ready<T>(_: &T, _: Option<Duration>) -> io::Result<bool> {
    Ok(true)
}

/// What is read at once on a thread of its own (bytes).
const PART: usize = 1 << 12;

/// No datagram has more bytes.
const DATAGRAM: usize = 1 << 16;

/// What a second client is told.
pub const OCCUPIED: &str = "another client is being answered";

/// What one who is refused is told.
pub fn refusal_line(what: &str) -> String {
    format!("{}\n", words::stop_line(None, ["refused", what], false))
}

impl LineSource {
    /// Reads on a thread of its own. At most one part waits.
    pub fn spawn_live(mut from: Plain) -> LineSource {
        let (give, take) = sync_channel(0);
        std::thread::spawn(move || {
            loop {
                let mut part = vec![0; PART];
                let read = from.read(&mut part).map(|count| {
                    part.truncate(count);
                    part
                });
                let end = read.as_ref().map_or(true, Vec::is_empty);
                if give.send(read).is_err() || end {
                    return;
                }
            }
        });
        LineSource::Live(take)
    }

    /// How many bytes to read at once. A datagram is read whole: the system drops what is left of it.
    pub fn chunk_size(&self) -> usize {
        if matches!(self, LineSource::Udp(..)) { DATAGRAM } else { CHUNK }
    }

    /// Whether a socket has more to read already.
    pub fn has_more(&self) -> io::Result<bool> {
        let is_socket = !matches!(self, LineSource::Plain(_) | LineSource::Live(_));
        Ok(is_socket && self.is_ready(Some(Duration::ZERO))?)
    }

    /// Waits until there is something to read from a socket, or so long.
    fn is_ready(&self, wait: Option<Duration>) -> io::Result<bool> {
        match self {
            LineSource::Plain(from) => wait_until_ready(from, wait),
            LineSource::Live(_) => Ok(true),
            LineSource::Tcp(stream) => wait_until_ready(stream, wait),
            #[cfg(unix)]
            LineSource::Unix(stream) => wait_until_ready(stream, wait),
            LineSource::Udp(socket, _) => wait_until_ready(socket, wait),
        }
    }

    /// Waits for bytes, at most for so long.
    pub fn read(&mut self, room: &mut [u8], wait: Option<Duration>) -> io::Result<Got> {
        if !self.is_ready(wait)? {
            return Ok(Got::Silence);
        }
        let read = match self {
            LineSource::Plain(from) => from.read(room),
            LineSource::Live(take) => match take.recv_timeout(wait.map_or(LOOK, |wait| wait.min(LOOK))) {
                Err(RecvTimeoutError::Timeout) => return Ok(Got::Silence),
                Err(RecvTimeoutError::Disconnected) => Ok(0),
                Ok(part) => part.map(|part| {
                    let count = part.len().min(room.len());
                    room.iter_mut().zip(&part).for_each(|(slot, byte)| *slot = *byte);
                    count
                }),
            },
            LineSource::Tcp(stream) => {
                #[cfg(not(unix))]
                stream.set_read_timeout(wait.map(|wait| wait.max(SHORTEST)))?;
                stream.read(room)
            }
            #[cfg(unix)]
            LineSource::Unix(stream) => stream.read(room),
            LineSource::Udp(socket, client) => {
                // What was ready may be gone: a datagram that was spoilt.
                socket.set_read_timeout(wait.map(|wait| wait.max(SHORTEST)))?;
                match socket.recv_from(room) {
                    Ok((count, from)) if from == *client => Ok(count),
                    Ok((_, other)) => {
                        let _ = socket.send_to(refusal_line(OCCUPIED).as_bytes(), other);
                        return Ok(Got::Silence);
                    }
                    Err(e) => Err(e),
                }
            }
        };
        match read {
            // An empty datagram is no end.
            Ok(0) if matches!(self, LineSource::Udp(..)) => Ok(Got::Silence),
            Ok(0) => Ok(Got::End),
            Ok(count) => Ok(Got::Bytes(count)),
            Err(e) => match e.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted => Ok(Got::Silence),
                ErrorKind::ConnectionReset | ErrorKind::BrokenPipe => Ok(Got::End),
                _ => Err(e),
            },
        }
    }

    /// Whether the clock is watched beside it.
    pub fn is_live(&self) -> bool {
        !matches!(self, LineSource::Plain(_))
    }

    /// A way to the client for a second thread.
    pub fn open_voice(&self) -> io::Result<Voice> {
        Ok(match self {
            #[cfg(unix)]
            LineSource::Plain(_) | LineSource::Live(_) => Voice::Stream(Stream::open_stdout()?),
            #[cfg(not(unix))]
            LineSource::Plain(_) | LineSource::Live(_) => Voice::Stdout,
            LineSource::Tcp(stream) => Voice::Tcp(stream.try_clone()?),
            #[cfg(unix)]
            LineSource::Unix(stream) => Voice::Unix(stream.try_clone()?),
            LineSource::Udp(socket, client) => Voice::Udp(socket.try_clone()?, *client),
        })
    }

    /// Cuts the client off: it can neither read nor say more.
    pub fn cut_off(&self) {
        let _ = match self {
            LineSource::Plain(_) | LineSource::Live(_) | LineSource::Udp(..) => Ok(()),
            LineSource::Tcp(stream) => stream.shutdown(Shutdown::Both),
            #[cfg(unix)]
            LineSource::Unix(stream) => stream.shutdown(Shutdown::Both),
        };
    }

    /// Answers the client until that is due; for files and pipes answers go elsewhere. A client that has not
    /// taken all of it is to be left.
    pub fn answer_client(&mut self, text: &[u8], due: Option<Instant>) -> Option<io::Result<()>> {
        match self {
            LineSource::Plain(_) | LineSource::Live(_) => None,
            LineSource::Tcp(stream) => Some(send_lines(stream, text, due)),
            #[cfg(unix)]
            LineSource::Unix(stream) => Some(send_lines(stream, text, due)),
            LineSource::Udp(socket, client) => Some(send_datagrams(socket, *client, text, due)),
        }
    }
}
