//! What is written until it is due, and no longer: pipes, terminals, devices and sockets.

use crate::monitor::unwritten::Unwritten;
use crate::out::is_reader_gone;
use anyhow::{Context, Error, Result};
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::net::{SocketAddr, UdpSocket};
use std::path::Path;
use std::time::{Duration, Instant};

/// What a pipe takes whole once it has room (bytes): POSIX's `PIPE_BUF` on Linux, a page. Elsewhere it is
/// less, and a pipe says that it has room only when so much fits.
#[cfg(target_os = "linux")]
const PART: usize = 4096;
#[cfg(not(target_os = "linux"))]
const PART: usize = 512;

/// How long a pipe with a name may wait for its reader before the program begins. Nothing is permitted yet;
/// a script starts the reader behind the program in less.
const READER_TIME: Duration = Duration::from_secs(2);

/// A pipe, a terminal, a socket or a device. A write waits for its reader until a given time, and no longer.
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

    /// Another handle of this stream, for another thread.
    pub fn try_clone(&self) -> io::Result<Stream> {
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
            Err(e) if is_reader_gone(&e) => {
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
pub fn send_lines(to: &impl std::os::fd::AsFd, lines: &[u8], due: Option<Instant>) -> io::Result<()> {
    send_part(to, lines, due).1
}

/// Sends a datagram for each line to a client until they are due.
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
