//! One of two monitors, at the other end of a socket.

use super::settings::Settings;
use crate::monitor::lines::{LineBuffer, TakenLine};
use crate::monitor::source::{Got, LineSource};
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

/// How long a monitor may take until it lets somebody in and tells its settings. Nobody waits for that but a
/// thread of its own: it ends the try, so that the next reset begins another.
pub const REACH_TIME: Duration = Duration::from_secs(5);

/// A monitor.
pub struct Side {
    name: String,
    token: Option<String>,
    link: Option<Link>,
    /// A thread that tries to reach it: a monitor that does not let anybody in may keep it for ever.
    coming: Option<Receiver<Result<(Link, Settings)>>>,
    lost: Option<String>,
}

struct Link {
    source: LineSource,
    lines: LineBuffer,
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
    pub fn new(name: &str, token: Option<String>) -> Side {
        Side { name: name.into(), token, link: None, coming: None, lost: None }
    }

    /// Its address.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Why it was left, if it was.
    pub fn lost(&self) -> Option<&str> {
        self.lost.as_deref()
    }

    /// Reaches it until `due`, unless it is reached already. What it tells of its settings then must be
    /// `wanted`, where that is known.
    pub fn reach(&mut self, due: Instant, wanted: Option<&Settings>) -> Result<Option<Settings>> {
        if self.link.is_some() {
            return Ok(None);
        }
        let coming = match self.coming.take() {
            Some(coming) => coming,
            None => {
                let (give, take) = sync_channel(1);
                let (name, token) = (self.name.clone(), self.token.clone());
                std::thread::Builder::new().name("reach".into()).spawn(move || {
                    let _ = give.send(Link::reach(&name, token.as_deref()));
                })?;
                take
            }
        };
        match coming.recv_timeout(due.saturating_duration_since(Instant::now())) {
            Ok(reached) => {
                let (link, settings) = reached?;
                if let Some(wanted) = wanted.filter(|wanted| **wanted != settings) {
                    let why = format!("has other settings now: {settings}, and not {wanted}");
                    self.lose(why.clone());
                    bail!(why);
                }
                self.link = Some(link);
                self.lost = None;
                Ok(Some(settings))
            }
            Err(RecvTimeoutError::Timeout) => {
                self.coming = Some(coming);
                bail!("it lets nobody in");
            }
            Err(RecvTimeoutError::Disconnected) => bail!("it cannot be tried"),
        }
    }

    /// Hands it a line, until `due`.
    pub fn send(&mut self, line: &[u8], due: Instant) {
        let Some(link) = &mut self.link else { return };
        if link.send(line, due).is_err() {
            self.lose("does not read".into());
        }
    }

    /// Its answer to what it was asked at a time, if it comes until `due`; then it is left. What it says by
    /// itself before goes to `own`.
    pub fn receive(&mut self, [asked, due]: [Instant; 2], own: &mut Vec<Vec<u8>>) -> Option<Vec<u8>> {
        loop {
            match self.next(due.saturating_duration_since(Instant::now())) {
                Said::Answer(line) => return Some(line),
                Said::Own(line) => self.keep(line, own),
                Said::Nothing if self.link.is_none() => return None,
                Said::Nothing if Instant::now() < due => {}
                Said::Nothing => {
                    let within = due.saturating_duration_since(asked).as_secs_f64();
                    self.lose(format!("has not answered within {:.1} ms", within * 1e3));
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
        link.next(wait).unwrap_or_else(|why| {
            self.lose(why);
            Said::Nothing
        })
    }

    /// Leaves it until the next reset. What it says later would be taken for the answer to another line.
    fn lose(&mut self, why: String) {
        self.link = None;
        self.lost = Some(why);
    }
}

impl Link {
    /// Reaches a monitor, says the token, and asks for its settings.
    fn reach(name: &str, token: Option<&str>) -> Result<(Link, Settings)> {
        let due = Instant::now() + REACH_TIME;
        let mut link = Link { source: connect(name)?, lines: LineBuffer::default() };
        if let Some(token) = token {
            link.send(serde_json::json!({ "token": token }).to_string().as_bytes(), due)?;
        }
        link.send(br#"{"settings": {}}"#, due)?;
        while Instant::now() < due {
            match link.next(due.saturating_duration_since(Instant::now())) {
                // Before it is asked anything it says that nothing has come yet.
                Ok(Said::Own(_) | Said::Nothing) => {}
                Ok(Said::Answer(line)) => {
                    let settings = Settings::read(&line).map_err(|why| anyhow!(why))?;
                    return Ok((link, settings));
                }
                Err(why) => bail!("it {why}"),
            }
        }
        bail!("it does not tell its settings");
    }

    /// Hands over a line, until `due`.
    fn send(&mut self, line: &[u8], due: Instant) -> io::Result<()> {
        let whole = [line, b"\n"].concat();
        self.source.answer_client(&whole, Some(due)).unwrap_or(Ok(()))
    }

    /// What is said, at most after such a wait; or why the monitor must be left.
    fn next(&mut self, wait: Duration) -> Result<Said, String> {
        loop {
            match self.lines.next() {
                Some(TakenLine::Line(line)) if !is_own(line) => return Ok(Said::Answer(line.into())),
                Some(TakenLine::Line(line)) if is_stop(line) => return Ok(Said::Own(line.into())),
                Some(TakenLine::Line(_)) => return Err("has said by itself what is no stop".into()),
                Some(TakenLine::TooLong) => return Err("has said a line that is too long".into()),
                None => {}
            }
            let mut got = Got::Silence;
            let read = self.lines.read(self.source.chunk_size(), |room| {
                got = self.source.read(room, Some(wait))?;
                Ok::<_, io::Error>(if let Got::Bytes(count) = got { count } else { 0 })
            });
            match (read, got) {
                (Err(e), _) => return Err(format!("cannot be read: {e}")),
                (Ok(_), Got::End) => return Err("has left".into()),
                (Ok(_), Got::Bytes(_)) => {}
                (Ok(_), Got::Silence) => return Ok(Said::Nothing),
            }
        }
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

/// A connection.
fn connect(name: &str) -> io::Result<LineSource> {
    let wrong = |what: &str| io::Error::new(io::ErrorKind::InvalidInput, what);
    if let Some(path) = name.strip_prefix("unix:") {
        #[cfg(unix)]
        return Ok(LineSource::Unix(UnixStream::connect(path)?));
        #[cfg(not(unix))]
        return Err(wrong(&format!("{path}: {}", crate::monitor::system::NO_UNIX_SOCKETS)));
    }
    let Some(address) = name.strip_prefix("tcp:") else {
        return Err(wrong("give unix:PATH or tcp:HOST:PORT"));
    };
    let address = address.to_socket_addrs()?.next().ok_or_else(|| wrong("it names no address"))?;
    let stream = TcpStream::connect_timeout(&address, REACH_TIME)?;
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(REACH_TIME))?;
    Ok(LineSource::Tcp(stream))
}
