//! One of two monitors, at the other end of a socket.

use crate::monitor::lines::{Lines, Taken};
use crate::monitor::source::{Got, Source};
use anyhow::{Result, anyhow, bail};
use serde_json::Value;
use std::io;
use std::net::{TcpStream, ToSocketAddrs};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

/// Most lines that are kept of what one says by itself until it answers: silence is told a hundred times.
const OWN: usize = 256;

/// A monitor.
pub struct Side {
    name: String,
    token: Option<String>,
    within: Duration,
    link: Option<Link>,
    /// A thread that tries to reach it: a monitor that does not let anybody in may keep it for ever.
    coming: Option<Receiver<io::Result<Source>>>,
    lost: Option<String>,
}

struct Link {
    source: Source,
    lines: Lines,
}

/// What a monitor has said.
enum Said {
    /// The answer to what it was asked.
    Answer(Vec<u8>),
    /// A stop that nobody asked for.
    Own(Vec<u8>),
    /// Nothing in time.
    Nothing,
}

impl Side {
    /// A monitor by its address, which is not reached yet.
    pub fn new(name: &str, token: Option<String>, within: Duration) -> Side {
        Side { name: name.into(), token, within, link: None, coming: None, lost: None }
    }

    /// Its address.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why it was left, if it was.
    pub fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    /// Reaches it, unless it is reached already.
    pub fn reach(&mut self) -> Result<()> {
        if self.link.is_some() {
            return Ok(());
        }
        let coming = match self.coming.take() {
            Some(coming) => coming,
            None => {
                let (give, take) = sync_channel(1);
                let (name, within) = (self.name.clone(), self.within);
                std::thread::Builder::new().name("reach".into()).spawn(move || {
                    let _ = give.send(connect(&name, within));
                })?;
                take
            }
        };
        match coming.recv_timeout(self.within) {
            Ok(source) => {
                self.link = Some(Link { source: source?, lines: Lines::default() });
                self.lost = None;
            }
            Err(RecvTimeoutError::Timeout) => {
                self.coming = Some(coming);
                bail!("it lets nobody in");
            }
            Err(RecvTimeoutError::Disconnected) => bail!("it cannot be tried"),
        }
        if let Some(token) = &self.token {
            let line = serde_json::json!({ "token": token }).to_string();
            self.send(line.as_bytes());
        }
        self.lost.as_ref().map_or(Ok(()), |lost| Err(anyhow!(lost.clone())))
    }

    /// Hands it a line.
    pub fn send(&mut self, line: &[u8]) {
        let Some(link) = &mut self.link else { return };
        let whole = [line, b"\n"].concat();
        if !matches!(link.source.answer(&whole, Instant::now().checked_add(self.within)), Some(Ok(()))) {
            self.lose("does not read".into());
        }
    }

    /// Its answer, if it comes until `due`; then it is left. What it says by itself before goes to `own`.
    pub fn receive(&mut self, due: Instant, own: &mut Vec<Vec<u8>>) -> Option<Vec<u8>> {
        loop {
            match self.next(due.saturating_duration_since(Instant::now())) {
                Said::Answer(line) => return Some(line),
                Said::Own(line) => self.keep(line, own),
                Said::Nothing if self.link.is_none() => return None,
                Said::Nothing if Instant::now() < due => {}
                Said::Nothing => {
                    self.lose(format!("has not answered within {:.1} ms", self.within.as_secs_f64() * 1e3));
                    return None;
                }
            }
        }
    }

    /// What it says by itself, without waiting.
    pub fn listen(&mut self, own: &mut Vec<Vec<u8>>) {
        loop {
            match self.next(Duration::ZERO) {
                Said::Own(line) => self.keep(line, own),
                Said::Answer(_) => self.lose("has said what it was not asked".into()),
                Said::Nothing => return,
            }
        }
    }

    /// Keeps what it says by itself. A monitor says one thing a period.
    fn keep(&mut self, line: Vec<u8>, own: &mut Vec<Vec<u8>>) {
        if own.len() < OWN {
            own.push(line);
        } else {
            self.lose("says too much by itself".into());
        }
    }

    fn next(&mut self, wait: Duration) -> Said {
        let Some(link) = &mut self.link else { return Said::Nothing };
        match link.lines.next() {
            Some(Taken::Line(line)) => {
                if !is_own(line) {
                    return Said::Answer(line.into());
                }
                if is_stop(line) {
                    return Said::Own(line.into());
                }
                self.lose("has said by itself what is no stop".into());
                return Said::Nothing;
            }
            Some(Taken::TooLong) => {
                self.lose("has said a line that is too long".into());
                return Said::Nothing;
            }
            None => {}
        }
        let mut got = Got::Silence;
        let read = link.lines.read(link.source.chunk(), |room| {
            got = link.source.read(room, Some(wait))?;
            Ok::<_, io::Error>(if let Got::Bytes(count) = got { count } else { 0 })
        });
        match (read, got) {
            (Err(e), _) => self.lose(format!("cannot be read: {e}")),
            (Ok(_), Got::End) => self.lose("has left".into()),
            (Ok(_), Got::Bytes(_)) => return self.next(Duration::ZERO),
            (Ok(_), Got::Silence) => {}
        }
        Said::Nothing
    }

    /// Leaves it until the next reset. What it says later would be taken for the answer to another line.
    fn lose(&mut self, why: String) {
        self.link = None;
        self.lost = Some(why);
    }
}

/// Whether nobody asked for a line. In a text its quotes would be escaped.
fn is_own(line: &[u8]) -> bool {
    let mark = b",\"silence\":true";
    line.windows(mark.len()).any(|part| part == mark)
}

/// Whether a line that nobody asked for is a stop. Anything else must be said by both monitors.
fn is_stop(line: &[u8]) -> bool {
    let said: Option<Value> = serde_json::from_slice(line).ok();
    said.is_some_and(|said| said["silence"] == true && said["command"] == "stop" && said["speed"] == 0.0)
}

/// A connection that is not waited for longer than it may take.
fn connect(name: &str, within: Duration) -> io::Result<Source> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what);
    if let Some(path) = name.strip_prefix("unix:") {
        #[cfg(unix)]
        {
            let stream = UnixStream::connect(path)?;
            stream.set_write_timeout(Some(within))?;
            return Ok(Source::Unix(stream));
        }
        #[cfg(not(unix))]
        return Err(wrong(&format!("this system has no Unix sockets: {path}")));
    }
    let Some(address) = name.strip_prefix("tcp:") else {
        return Err(wrong("give unix:PATH or tcp:HOST:PORT"));
    };
    let address = address.to_socket_addrs()?.next().ok_or_else(|| wrong("it names no address"))?;
    let stream = TcpStream::connect_timeout(&address, within)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(within))?;
    Ok(Source::Tcp(stream))
}
