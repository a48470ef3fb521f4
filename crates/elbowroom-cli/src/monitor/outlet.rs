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

#[cfg(not(unix))]
mod plain;
#[cfg(unix)]
mod stream;

use super::unwritten::Unwritten;
use crate::out::Sink;
use anyhow::Result;
use std::path::Path;
use std::time::Instant;

#[cfg(not(unix))]
pub use plain::{send_datagrams, send_lines};
#[cfg(unix)]
pub use stream::{Stream, send_datagrams, send_lines};

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
        // A file is written without a deadline; where there is no `Stream`, everything is.
        let _ = due;
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

    /// Another handle of this output, for another thread, where nobody waits for it; else `None`.
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
            Outlet::Stream(stream) => Ok(stream.is_closed()),
        }
    }
}
