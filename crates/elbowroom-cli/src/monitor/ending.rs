//! The end that a signal brings: in order, or at once where the program hangs.
//!
//! A guard that ends says a stop, on each output that still takes it: nobody else tells the arms that nobody
//! watches them any more. A signal only asks for that. It wakes the wait for input ([`wake`]), and the thread
//! that answers ends as it does when there is no more input: the last word, the last snapshot, the files, the
//! socket.
//!
//! That thread may hang, in a write to a pipe that is not read, say. So the thread that has taken the signal
//! looks again after [`ORDER_TIME`]. If the last word was not said by then it says it itself, through voices
//! of its own, removes the socket's file and ends the program. If it was said, the disk has [`DISK_TIME`].
//! Windows cannot wake the wait for input, so there this is the only end.

// Where there are no signals nothing ends by one.
#![cfg_attr(not(any(unix, windows)), allow(dead_code))]

use super::voice::Voice;
use super::words;
use anyhow::Result;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicI32, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How long the end may take until its last word is said. An answer takes a few milliseconds, and a guard
/// whose answers take as long as this has said a stop before (`overrun`).
const ORDER_TIME: Duration = Duration::from_millis(200);

/// How long the last word waits for room. Who has none does not read, and knows by the end that this is one.
pub const LAST_TIME: Duration = Duration::from_millis(20);

/// How long the last snapshot may take behind the last word: as long as any.
const DISK_TIME: Duration = Duration::from_secs(10);

/// The signal that has come; 0 before.
static CAME: AtomicI32 = AtomicI32::new(0);

/// Whether the last word was said.
static SAID: AtomicBool = AtomicBool::new(false);

/// What is used if the program hangs.
static LAST: Mutex<Last> = Mutex::new(Last { outputs: Vec::new(), client: None, socket: None });

struct Last {
    outputs: Vec<Voice>,
    client: Option<Voice>,
    socket: Option<PathBuf>,
}

/// The last word: a stop that nobody asked for.
pub fn last_word(why: &str) -> String {
    words::stop_line(Some(0), ["ended", why], true)
}

/// The signal that has come.
pub fn pending_signal() -> Option<Signal> {
    let number = CAME.load(Ordering::Acquire);
    (number != 0).then_some(Signal(number))
}

/// A signal that ends the program.
#[derive(Clone, Copy, Debug)]
pub struct Signal(i32);

impl Signal {
    /// The exit code, as shells have it.
    pub fn exit_code(self) -> u8 {
        u8::try_from(128 + self.0).unwrap_or(u8::MAX)
    }

    /// Why the program ends.
    pub fn ending_in_words(self) -> String {
        let known = signals::ENDING.iter().find(|(number, _)| *number == self.0);
        format!("the program was ended by {}", known.map_or("a signal", |(_, name)| name))
    }
}

/// The last word was said: the rest may take its time.
pub fn mark_last_word_said() {
    SAID.store(true, Ordering::Release);
}

/// Where the last word is said if the program hangs, beside a client.
#[cfg(unix)]
pub fn keep_output(voice: Voice) {
    lock_last().outputs.push(voice);
}

/// The client that is answered now.
pub fn keep_client(voice: Option<Voice>) {
    lock_last().client = voice;
}

/// A socket's file, which is removed.
#[cfg(unix)]
pub fn keep_socket(path: PathBuf) {
    lock_last().socket = Some(path);
}

fn lock_last() -> std::sync::MutexGuard<'static, Last> {
    LAST.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sees to an end in order if a signal comes from now on.
pub fn watch_signals() -> Result<()> {
    signals::take_signals()
}

/// The thread that has taken a signal: ends the program unless that is done in time.
fn end_program(signal: Signal) -> ! {
    std::thread::sleep(ORDER_TIME);
    if SAID.load(Ordering::Acquire) {
        std::thread::sleep(DISK_TIME);
    } else {
        let line = format!("{}\n", last_word(&signal.ending_in_words()));
        let Last { outputs, client, .. } = &mut *lock_last();
        for voice in client.iter_mut().chain(outputs) {
            let _ = voice.say_to_client(line.as_bytes(), Instant::now().checked_add(LAST_TIME));
        }
    }
    if let Some(socket) = &lock_last().socket {
        let _ = std::fs::remove_file(socket);
    }
    std::process::exit(i32::from(signal.exit_code()));
}

#[cfg(unix)]
mod signals {
    use super::{CAME, Signal, end_program};
    use anyhow::{Context, Result};
    use signal_hook::consts::*;
    use signal_hook::iterator::Signals;
    use std::io::Write;
    use std::os::unix::net::UnixStream;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::sync::{Arc, OnceLock};

    /// Signals that end a program that has not gone wrong, and their names.
    pub const ENDING: [(i32, &str); 8] = [
        (SIGHUP, "SIGHUP"),
        (SIGINT, "SIGINT"),
        (SIGTERM, "SIGTERM"),
        (SIGQUIT, "SIGQUIT"),
        (SIGUSR1, "SIGUSR1"),
        (SIGUSR2, "SIGUSR2"),
        (SIGALRM, "SIGALRM"),
        (SIGXCPU, "SIGXCPU"),
    ];

    /// It can be read once a signal has come.
    static WAKE: OnceLock<UnixStream> = OnceLock::new();

    /// What can be read once a signal has come: each wait looks at it too.
    pub fn wake_stream() -> Option<&'static UnixStream> {
        WAKE.get()
    }

    /// Takes the signals on a thread of its own. Those that are ignored, as SIGHUP behind `nohup`, stay so.
    pub fn take_signals() -> Result<()> {
        // A file that may not grow is a fault of the write, as a full disk is, and no end.
        signal_hook::flag::register(SIGXFSZ, Arc::new(AtomicBool::new(false)))
            .context("signals cannot be taken")?;
        let (wake, mut waker) = UnixStream::pair().context("signals cannot be waited for")?;
        let _ = WAKE.set(wake);
        let ignored = ignored_signals();
        let numbers = ENDING.iter().map(|(number, _)| *number);
        let watched = numbers.filter(|number| ignored >> (number - 1) & 1 == 0);
        let mut signals = Signals::new(watched).context("signals cannot be taken")?;
        std::thread::Builder::new().name("signals".into()).spawn(move || {
            if let Some(number) = signals.forever().next() {
                CAME.store(number, Ordering::Release);
                let _ = waker.write_all(&[0]);
                end_program(Signal(number));
            }
        })?;
        Ok(())
    }

    /// The signals that the program was started without, as bits. Only Linux tells; elsewhere none is.
    fn ignored_signals() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
    }
}

/// Windows has Ctrl-C, Ctrl-Break and the end of the console, which come on a thread of their own. They wake
/// no wait for input, so the last word is always said from there.
#[cfg(windows)]
mod signals {
    use super::{CAME, Signal, end_program};
    use anyhow::{Context, Result};
    use std::sync::atomic::Ordering;

    /// The number that shells give to an interrupt.
    const INTERRUPT: i32 = 2;

    pub const ENDING: [(i32, &str); 1] = [(INTERRUPT, "Ctrl-C or the end of its console")];

    pub fn take_signals() -> Result<()> {
        let taken = ctrlc::set_handler(|| {
            CAME.store(INTERRUPT, Ordering::Release);
            end_program(Signal(INTERRUPT));
        });
        taken.context("Ctrl-C cannot be taken")
    }
}

/// Elsewhere there are no signals.
#[cfg(not(any(unix, windows)))]
mod signals {
    pub const ENDING: [(i32, &str); 0] = [];

    pub fn take_signals() -> anyhow::Result<()> {
        Ok(())
    }
}

#[cfg(unix)]
pub use signals::wake_stream;
