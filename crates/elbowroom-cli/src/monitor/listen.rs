//! The door: a file, standard input, or a socket that lets in one client at a time.
//!
//! Only this machine can reach a socket, unless the user says otherwise; then clients must know a token.

use super::arguments::Input;
use super::ending;
use super::place::ClientPlace;
use super::source::{self, LOOK, LineSource, OCCUPIED, refusal_line};
use crate::out::say_line;
use anyhow::{Context, Result, bail};
use elbowroom_files::text::decode_text;
use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs, UdpSocket};
#[cfg(unix)]
use std::os::unix::net::{UnixDatagram, UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long a client who is refused may take to read that.
const ANSWER_TIME: Duration = Duration::from_secs(1);

/// How long a client may take to say its token.
const TOKEN_TIME: Duration = Duration::from_secs(5);

/// Clients that may say their tokens at once: more than are ever let in one after the other in that time.
const TOKENS: usize = 8;

/// Longest token (bytes).
const TOKEN_BYTES: u64 = 4096;

/// A client that has come.
trait Client: Read + Write {
    fn set_times(&self, read: Option<Duration>) -> io::Result<()>;
    /// A function that cuts it off.
    fn cut_function(&self) -> Option<Box<dyn FnOnce() + Send>>;
    fn into_source(self) -> LineSource;
}

impl Client for TcpStream {
    fn set_times(&self, read: Option<Duration>) -> io::Result<()> {
        self.set_nonblocking(false)?;
        self.set_nodelay(true)?;
        self.set_read_timeout(read)?;
        self.set_write_timeout(Some(ANSWER_TIME))
    }

    fn cut_function(&self) -> Option<Box<dyn FnOnce() + Send>> {
        let client = self.try_clone().ok()?;
        Some(Box::new(move || drop(client.shutdown(Shutdown::Both))))
    }

    fn into_source(self) -> LineSource {
        LineSource::Tcp(self)
    }
}

#[cfg(unix)]
impl Client for UnixStream {
    fn set_times(&self, read: Option<Duration>) -> io::Result<()> {
        self.set_nonblocking(false)?;
        self.set_read_timeout(read)?;
        self.set_write_timeout(Some(ANSWER_TIME))
    }

    fn cut_function(&self) -> Option<Box<dyn FnOnce() + Send>> {
        let client = self.try_clone().ok()?;
        Some(Box::new(move || drop(client.shutdown(Shutdown::Both))))
    }

    fn into_source(self) -> LineSource {
        LineSource::Unix(self)
    }
}

/// Where inputs come from, one after the other.
pub struct Door {
    inputs: Receiver<(LineSource, Instant)>,
    place: Arc<ClientPlace>,
    /// The file of a Unix socket, to be removed.
    socket: Option<PathBuf>,
}

impl Drop for Door {
    fn drop(&mut self) {
        if let Some(socket) = &self.socket {
            let _ = std::fs::remove_file(socket);
        }
    }
}

impl Door {
    /// Opens the input, or says what is wrong with it. Where it is `live` the clock is watched beside it.
    pub fn open(arguments: &Input, live: bool) -> Result<Door> {
        let token = arguments.token_file.as_deref().map(read_token).transpose()?;
        let input = &arguments.input;
        let (give, inputs) = sync_channel(1);
        let place = Arc::new(ClientPlace::default());
        let mut door = Door { inputs, place: place.clone(), socket: None };
        let (taking, saying) = (Mutex::default(), AtomicUsize::new(0));
        let hall =
            |give, token| Hall { place: place.clone(), serves: arguments.serve, token, give, taking, saying };
        if let Some(path) = input.strip_prefix("unix:") {
            door.socket = Some(PathBuf::from(path));
            #[cfg(not(unix))]
            bail!(super::system::NO_UNIX_SOCKETS);
            #[cfg(unix)]
            {
                let hall = hall(give, token);
                let listener = bind_socket(Path::new(path)).inspect_err(|_| door.socket = None)?;
                ending::keep_socket(PathBuf::from(path));
                std::thread::spawn(move || hall.admit_clients(&listener.incoming_clients()));
            }
        } else if let Some(address) = input.strip_prefix("tcp:") {
            let address = listen_address(address, arguments)?;
            let listener =
                TcpListener::bind(address).with_context(|| format!("{input} cannot be listened on"))?;
            say_line(&format!("listening on tcp:{}", listener.local_addr()?));
            let hall = hall(give, token);
            let accept = move || listener.accept().map(|(client, _)| client);
            std::thread::spawn(move || hall.admit_clients(&accept));
        } else if let Some(address) = input.strip_prefix("udp:") {
            let address = listen_address(address, arguments)?;
            let socket =
                UdpSocket::bind(address).with_context(|| format!("{input} cannot be listened on"))?;
            say_line(&format!("listening on udp:{}", socket.local_addr()?));
            std::thread::spawn(move || wait_for_datagrams(&socket, &place, token, &give));
        } else {
            let from = match input.as_str() {
                "-" => source::open_stdin().context("standard input cannot be read")?,
                path => source::plain_from_file(
                    File::open(path).with_context(|| format!("{path} cannot be read"))?,
                ),
            };
            let source = if live { LineSource::spawn_live(from) } else { LineSource::Plain(from) };
            let _ = give.send((source, Instant::now()));
        }
        Ok(door)
    }

    /// The next input, and when it came; `None` when there will be none, or a signal has come.
    pub fn next(&self) -> Option<(LineSource, Instant)> {
        loop {
            if ending::pending_signal().is_some() {
                return None;
            }
            match self.inputs.recv_timeout(LOOK) {
                Ok(next) => return Some(next),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// The client has left: another may come.
    pub fn note_client_left(&self) {
        self.place.leave_place();
    }

    /// Says whether the client has been silent for so long that another may have its place.
    pub fn set_silent(&self, silent: bool) {
        self.place.set_silent(silent);
    }
}

/// The text of a token's file.
pub fn read_token(path: &Path) -> Result<String> {
    let mut bytes = Vec::new();
    let cannot = || format!("the token {} cannot be read", path.display());
    File::open(path).and_then(|file| file.take(TOKEN_BYTES).read_to_end(&mut bytes)).with_context(cannot)?;
    let text = match decode_text(&bytes) {
        Ok(text) => text.trim().to_string(),
        Err(refused) => bail!("the token {} {}", path.display(), refused.what),
    };
    if text.len() < 16 {
        bail!("the token in {} has {} bytes: take 16 random ones or more", path.display(), text.len());
    }
    Ok(text)
}

/// An address that may be listened on.
fn listen_address(address: &str, arguments: &Input) -> Result<SocketAddr> {
    let found = address.to_socket_addrs().with_context(|| format!("{address} is no HOST:PORT"))?.next();
    let Some(found) = found else { bail!("{address} names no address") };
    if !found.ip().is_loopback() && !arguments.listen_anywhere {
        bail!(
            "{address} can be reached by other machines: use 127.0.0.1, or give --listen-anywhere and a \
             --token-file that clients must know"
        );
    }
    Ok(found)
}

#[cfg(unix)]
fn bind_socket(path: &Path) -> Result<UnixListener> {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt};
    if let Ok(there) = std::fs::symlink_metadata(path) {
        if !there.file_type().is_socket() {
            bail!("{} is there and is no socket: name another path", path.display());
        }
        // A program that ended may have left its socket, on which nobody listens. A datagram socket finds
        // that out, and a listener never sees it as a client.
        let asked = UnixDatagram::unbound().and_then(|socket| socket.connect(path));
        if !asked.is_err_and(|e| e.kind() == io::ErrorKind::ConnectionRefused) {
            bail!("another program listens on unix:{}: end it, or name another path", path.display());
        }
        std::fs::remove_file(path).with_context(|| format!("{} cannot be replaced", path.display()))?;
    }
    let listener =
        UnixListener::bind(path).with_context(|| format!("unix:{} cannot be listened on", path.display()))?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
    Ok(listener)
}

#[cfg(unix)]
trait Incoming {
    fn incoming_clients(self) -> impl Fn() -> io::Result<UnixStream>;
}

#[cfg(unix)]
impl Incoming for UnixListener {
    fn incoming_clients(self) -> impl Fn() -> io::Result<UnixStream> {
        move || self.accept().map(|(client, _)| client)
    }
}

/// Lets clients in, one at a time; whoever comes while there is one is told so. Of a program that `serves`
/// one after the other, a client that has long been silent is cut off for the next. Tokens are read beside
/// that, so that who says none keeps nobody out.
struct Hall {
    place: Arc<ClientPlace>,
    serves: bool,
    token: Option<String>,
    give: SyncSender<(LineSource, Instant)>,
    /// Held while a client takes the place.
    taking: Mutex<()>,
    /// How many are saying their tokens.
    saying: AtomicUsize,
}

impl Hall {
    /// Lets in whoever comes, until nobody waits for clients any more.
    fn admit_clients<C: Client + Send + 'static>(self, accept: &impl Fn() -> io::Result<C>) {
        let hall = Arc::new(self);
        loop {
            let Ok(mut client) = accept() else {
                // No more files, for example: it may pass.
                std::thread::sleep(Duration::from_millis(10));
                continue;
            };
            if client.set_times(Some(TOKEN_TIME)).is_err() {
                continue;
            }
            let is_free = if hall.serves { hall.place.can_be_had() } else { hall.place.is_free() };
            if !is_free {
                let _ = client.write_all(refusal_line(OCCUPIED).as_bytes());
                continue;
            }
            if hall.token.is_none() {
                if hall.give_place(client).is_none() {
                    return;
                }
            } else if hall.saying.fetch_add(1, Ordering::AcqRel) < TOKENS {
                let its = hall.clone();
                std::thread::spawn(move || {
                    its.admit_with_token(client);
                    its.saying.fetch_sub(1, Ordering::AcqRel);
                });
            } else {
                hall.saying.fetch_sub(1, Ordering::AcqRel);
                let _ =
                    client.write_all(refusal_line("too many clients have not said their tokens").as_bytes());
            }
        }
    }

    /// Lets a client in that knows the token.
    fn admit_with_token(&self, mut client: impl Client) {
        if self.token.as_ref().is_some_and(|token| knows_token(&mut client, token)) {
            self.give_place(client);
        } else {
            let _ = client.write_all(refusal_line("the first line must be the token").as_bytes());
        }
    }

    /// Gives a client the place if it can have it; `None` if nobody waits for clients any more.
    fn give_place(&self, mut client: impl Client) -> Option<()> {
        let _taking = self.taking.lock().unwrap_or_else(PoisonError::into_inner);
        // Who was silent may have spoken meanwhile.
        if !self.place.clear_if_silent() {
            let _ = client.write_all(refusal_line(OCCUPIED).as_bytes());
            return Some(());
        }
        self.place.take_place(client.cut_function());
        self.give.send((client.into_source(), Instant::now())).ok()
    }
}

/// Whether a client's first line is the token. Not a byte behind it is read.
fn knows_token(client: &mut impl Client, token: &str) -> bool {
    let (mut line, mut byte, begun) = (Vec::new(), [0], Instant::now());
    while line.len() < 2 * TOKEN_BYTES as usize && begun.elapsed() < TOKEN_TIME {
        match client.read(&mut byte) {
            Ok(1) if byte == *b"\n" => return is_token(&line, token),
            Ok(1) => line.extend(byte),
            _ => return false,
        }
    }
    false
}

fn is_token(line: &[u8], token: &str) -> bool {
    let Ok(value) = serde_json::from_slice::<serde_json::Value>(line) else { return false };
    let said = value.get("token").and_then(serde_json::Value::as_str).unwrap_or("").as_bytes();
    // As long for a wrong one as for the right one.
    let differ = said.iter().zip(token.as_bytes()).fold(0, |differ, (a, b)| differ | (a ^ b));
    said.len() == token.len() && differ == 0
}

/// Waits for the first datagram of a client, which may be its token; what it says next is read by the source.
fn wait_for_datagrams(
    socket: &UdpSocket,
    place: &ClientPlace,
    token: Option<String>,
    give: &SyncSender<(LineSource, Instant)>,
) {
    let mut room = [0; 1];
    loop {
        if !place.is_free() {
            std::thread::sleep(Duration::from_millis(1));
            continue;
        }
        let mut first = vec![0; 2 * TOKEN_BYTES as usize];
        let from = match &token {
            // Looked at, and left for the source to read.
            None => socket.peek_from(&mut room).map(|(_, from)| from),
            Some(token) => match socket.recv_from(&mut first) {
                Ok((count, from)) if is_token(first.get(..count).unwrap_or_default(), token) => Ok(from),
                Ok((_, from)) => {
                    let _ = socket.send_to(refusal_line("the first line must be the token").as_bytes(), from);
                    continue;
                }
                Err(e) => Err(e),
            },
        };
        let (Ok(from), Ok(own)) = (from, socket.try_clone()) else { continue };
        place.take_place(None);
        if give.send((LineSource::Udp(own, from), Instant::now())).is_err() {
            return;
        }
    }
}
