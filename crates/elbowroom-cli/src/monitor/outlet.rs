//! Outputs that are written beside a clock: none of them may hold the guard up.
//!
//! A pipe that is open and not read fills, and then the system keeps whoever writes to it until somebody
//! reads. A guard that is kept so is silent, and the arms go on. So where the clock is watched nothing is
//! written that the system could keep the program for:
//!
//! - to a pipe or a terminal at most as many bytes at once as it takes whole ([`PART`]), and only once it
//!   says that it has room;
//! - to a socket without waiting, and then once it says that it has room.
//!
//! What has no room when the answer is due is not written, and the caller says a stop wherever it still can.
//! Files of a disk are written as everywhere else in the program. All that costs a call of the system a line,
//! and no other thread.

use crate::out::Sink;
use anyhow::{Context, Error, Result};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
#[cfg(unix)]
use std::time::Duration;
use std::time::Instant;

/// What a pipe takes whole once it has room (bytes): POSIX's `PIPE_BUF` on Linux, a page. Elsewhere it is
/// less, and a pipe says that it has room only when so much fits.
#[cfg(target_os = "linux")]
const PART: usize = 4096;
#[cfg(not(target_os = "linux"))]
const PART: usize = 512;

/// How long a pipe with a name may wait for its reader before the program begins. Nothing is permitted yet;
/// a script starts the reader behind the program in less.
#[cfg(unix)]
const READER_TIME: Duration = Duration::from_secs(2);

/// Why something was not written.
#[derive(Debug)]
pub enum Unwritten {
    /// Nobody reads it: it has had no room until the answer was due.
    Blocked(String),
    /// Anything else, as a full disk.
    Broken(Error),
}

impl Unwritten {
    /// The kind of reason for the stop that it is.
    pub fn reason_kind(&self) -> &'static str {
        match self {
            Unwritten::Blocked(_) => "overrun",
            Unwritten::Broken(_) => "record",
        }
    }

    /// The same for people.
    pub fn fault_in_words(&self) -> String {
        match self {
            Unwritten::Blocked(name) => format!("{name} is open and not read: there was no room in time"),
            Unwritten::Broken(error) => format!("{error:#}"),
        }
    }
}

/// An output.
pub enum Outlet {
    /// It waits for its reader, or for the disk, for as long as that takes.
    Sink(Sink),
    /// It waits until an answer is due, and no longer.
    #[cfg(unix)]
    Stream(Stream),
}

impl Outlet {
    /// Standard output. Where the clock is watched (`live`) nobody waits for its reader.
    pub fn open_stdout(live: bool) -> Outlet {
        #[cfg(unix)]
        if let (true, Ok(stream)) = (live, Stream::open_stdout()) {
            return Outlet::Stream(stream);
        }
        let _ = live;
        Outlet::Sink(Sink::open_stdout())
    }

    /// A new file, or what is there and is none; standard output for `-`.
    pub fn open(path: &Path, live: bool) -> Result<Outlet> {
        if path == Path::new("-") {
            return Ok(Outlet::open_stdout(live));
        }
        #[cfg(unix)]
        if live && std::fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir()) {
            return Ok(Outlet::Stream(Stream::open(path)?));
        }
        Ok(Outlet::Sink(Sink::open(path)?))
    }

    /// Writes whole lines, until `due` where nobody may wait.
    pub fn put_lines(&mut self, lines: &str, due: Option<Instant>) -> Result<(), Unwritten> {
        match self {
            Outlet::Sink(sink) => sink.put_text(lines).map_err(Unwritten::Broken),
            #[cfg(unix)]
            Outlet::Stream(stream) => stream.put_lines(lines.as_bytes(), due),
        }
    }

    /// Hands everything written so far on.
    pub fn flush(&mut self) -> Result<()> {
        match self {
            Outlet::Sink(sink) => sink.flush(),
            #[cfg(unix)]
            Outlet::Stream(_) => Ok(()),
        }
    }

    /// Whether the reader has left.
    pub fn is_closed(&self) -> bool {
        match self {
            Outlet::Sink(sink) => sink.closed,
            #[cfg(unix)]
            Outlet::Stream(stream) => stream.is_closed(),
        }
    }

    /// The same for another thread, where nobody waits for it.
    #[cfg(unix)]
    pub fn clone_stream(&self) -> Option<Stream> {
        match self {
            Outlet::Sink(_) => None,
            Outlet::Stream(stream) => stream.try_clone().ok(),
        }
    }

    /// Ends the output: a file takes its place. Returns whether the reader has left.
    pub fn finish(self) -> Result<bool> {
        match self {
            Outlet::Sink(sink) => sink.finish(),
            #[cfg(unix)]
            Outlet::Stream(stream) => Ok(stream.closed),
        }
    }
}

/// A pipe, a terminal, a socket or a device. A write waits for its reader until a given time, and no longer.
#[cfg(unix)]
#[derive(Debug)]
pub struct Stream {
    to: File,
    name: String,
    is_socket: bool,
    /// The reader has left.
    closed: bool,
    /// It has taken a part of a line and no more: whatever came behind it would be no line.
    torn: bool,
}

#[cfg(unix)]
impl Stream {
    /// Standard output.
    pub fn open_stdout() -> io::Result<Stream> {
        use std::os::fd::AsFd;
        Stream::from_file(File::from(io::stdout().as_fd().try_clone_to_owned()?), "standard output".into())
    }

    /// An open file that waits for nobody.
    fn from_file(to: File, name: String) -> io::Result<Stream> {
        use std::os::unix::fs::FileTypeExt;
        let is_socket = to.metadata()?.file_type().is_socket();
        Ok(Stream { to, name, is_socket, closed: false, torn: false })
    }

    /// What is there and is no file of a disk. A pipe with a name may wait for its reader, but not for ever.
    pub fn open(path: &Path) -> Result<Stream> {
        use rustix::fs::OFlags;
        use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
        let name = path.display().to_string();
        let is_pipe = std::fs::metadata(path).is_ok_and(|there| there.file_type().is_fifo());
        let mut options = File::options();
        options.write(true);
        if is_pipe {
            options.custom_flags(OFlags::NONBLOCK.bits() as i32);
        }
        let begun = Instant::now();
        loop {
            let opened = options.open(path);
            let lacks_reader = opened
                .as_ref()
                .is_err_and(|e| is_pipe && e.raw_os_error() == Some(rustix::io::Errno::NXIO.raw_os_error()));
            if !lacks_reader {
                let stream = opened.and_then(|to| Stream::from_file(to, name.clone()));
                return stream.with_context(|| format!("{name} cannot be written"));
            }
            if begun.elapsed() > READER_TIME {
                anyhow::bail!("{name} is a pipe that nobody reads: start its reader first");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Whether the reader has left.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// The same for another thread.
    fn try_clone(&self) -> io::Result<Stream> {
        Stream::from_file(self.to.try_clone()?, self.name.clone())
    }

    /// Writes whole lines until they are due.
    pub fn put_lines(&mut self, lines: &[u8], due: Option<Instant>) -> Result<(), Unwritten> {
        if self.closed {
            return Ok(());
        }
        if self.torn {
            return Err(Unwritten::Blocked(self.name.clone()));
        }
        let (written, done) = if self.is_socket {
            send_part(&self.to, lines, due)
        } else {
            write_part(&mut self.to, lines, due)
        };
        self.torn = written > 0 && done.is_err();
        match done {
            Ok(()) => Ok(()),
            Err(e) if e.kind() == ErrorKind::BrokenPipe => {
                self.closed = true;
                Ok(())
            }
            Err(e) if e.kind() == ErrorKind::TimedOut => Err(Unwritten::Blocked(self.name.clone())),
            Err(e) => {
                Err(Unwritten::Broken(Error::new(e).context(format!("{} cannot be written", self.name))))
            }
        }
    }
}

/// Waits until there is room; an error of the kind [`ErrorKind::TimedOut`] once that is due. What is due
/// already is tried all the same.
#[cfg(unix)]
fn wait_for_room(to: &impl std::os::fd::AsFd, due: Option<Instant>) -> io::Result<()> {
    use rustix::event::{PollFd, PollFlags, poll};
    loop {
        let left = due.map(|due| due.saturating_duration_since(Instant::now()));
        let wait = left.map(TryInto::try_into).transpose();
        let wait = wait.map_err(|_| io::Error::from(ErrorKind::InvalidInput))?;
        match poll(&mut [PollFd::new(to, PollFlags::OUT)], wait.as_ref()) {
            Ok(0) => return Err(ErrorKind::TimedOut.into()),
            Err(rustix::io::Errno::INTR) => {}
            // What is wrong with it, as a reader that has left, the write says.
            Ok(_) => return Ok(()),
            Err(e) => return Err(e.into()),
        }
    }
}

/// Writes to what is no socket until it is due. Returns how many bytes were written, and whether all were.
#[cfg(unix)]
fn write_part(to: &mut File, bytes: &[u8], due: Option<Instant>) -> (usize, io::Result<()>) {
    let mut rest = bytes;
    while !rest.is_empty() {
        let part = rest.get(..PART).unwrap_or(rest);
        let done = wait_for_room(to, due).and_then(|()| to.write(part));
        match done {
            Ok(0) => return (bytes.len() - rest.len(), Err(ErrorKind::WriteZero.into())),
            Ok(count) => rest = rest.get(count..).unwrap_or_default(),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(e) => return (bytes.len() - rest.len(), Err(e)),
        }
    }
    (bytes.len(), Ok(()))
}

/// Sends to a socket until it is due. Returns how many bytes were sent, and whether all were.
#[cfg(unix)]
fn send_part(to: &impl std::os::fd::AsFd, bytes: &[u8], due: Option<Instant>) -> (usize, io::Result<()>) {
    use rustix::io::Errno;
    use rustix::net::{SendFlags, send};
    let (mut rest, mut is_last) = (bytes, false);
    while !rest.is_empty() {
        match send(to, rest, SendFlags::DONTWAIT) {
            Ok(count) => rest = rest.get(count..).unwrap_or_default(),
            Err(Errno::INTR) => {}
            // It is tried once more when it is due, and not again.
            Err(Errno::AGAIN) if is_last => {
                return (bytes.len() - rest.len(), Err(ErrorKind::TimedOut.into()));
            }
            Err(Errno::AGAIN) => {
                if let Err(e) = wait_for_room(to, due) {
                    return (bytes.len() - rest.len(), Err(e));
                }
                is_last = due.is_some_and(|due| due <= Instant::now());
            }
            Err(e) => return (bytes.len() - rest.len(), Err(e.into())),
        }
    }
    (bytes.len(), Ok(()))
}

/// Sends whole lines to a client until they are due. The caller leaves a client that has not taken them all:
/// it may have half a line.
#[cfg(unix)]
pub fn send_lines(to: &impl std::os::fd::AsFd, lines: &[u8], due: Option<Instant>) -> io::Result<()> {
    send_part(to, lines, due).1
}

/// Sends whole lines to a client. Here the socket's own time to write says how long that may take.
#[cfg(not(unix))]
pub fn send_lines<S>(to: &S, lines: &[u8], _: Option<Instant>) -> io::Result<()>
where
    for<'s> &'s S: Write,
{
    let mut to = to;
    to.write_all(lines)
}

/// Sends a datagram for each line to a client until they are due.
#[cfg(unix)]
pub fn send_datagrams(
    from: &UdpSocket,
    to: SocketAddr,
    lines: &[u8],
    due: Option<Instant>,
) -> io::Result<()> {
    use rustix::io::Errno;
    use rustix::net::{SendFlags, sendto};
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        match sendto(from, line, SendFlags::DONTWAIT, &to) {
            Ok(_) => {}
            Err(Errno::AGAIN | Errno::INTR) => {
                wait_for_room(from, due)?;
                sendto(from, line, SendFlags::DONTWAIT, &to)?;
            }
            Err(e) => return Err(e.into()),
        }
    }
    Ok(())
}

/// Sends a datagram for each line to a client.
#[cfg(not(unix))]
pub fn send_datagrams(from: &UdpSocket, to: SocketAddr, lines: &[u8], _: Option<Instant>) -> io::Result<()> {
    let mut each = lines.split_inclusive(|byte| *byte == b'\n');
    each.try_for_each(|line| from.send_to(line, to).map(|_| ()))
}
