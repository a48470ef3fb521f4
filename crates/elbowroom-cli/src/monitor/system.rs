//! What a guard needs of its system, and what serves where that is missing.

use anyhow::{Result, bail};

/// What serves where there are no Unix sockets.
#[cfg(not(unix))]
pub const NO_UNIX_SOCKETS: &str = if cfg!(target_family = "wasm") {
    NO_SOCKETS
} else {
    "this system has no Unix sockets: give tcp:127.0.0.1:PORT, or - for standard input"
};

/// What serves where there are no sockets.
const NO_SOCKETS: &str = "this system has no sockets: give - for standard input, or a file";

/// Whether an input or a monitor is named by a socket.
pub fn is_socket(name: &str) -> bool {
    ["unix:", "tcp:", "udp:"].iter().any(|kind| name.starts_with(kind))
}

/// Refuses sockets, and a clock that is watched beside the input, where the system has none.
pub fn refuse_missing_parts<'n>(mut names: impl Iterator<Item = &'n str>, live: bool) -> Result<()> {
    #[cfg(not(unix))]
    if names.by_ref().any(|name| name.starts_with("unix:")) {
        bail!(NO_UNIX_SOCKETS);
    }
    if cfg!(target_family = "wasm") {
        if names.any(is_socket) {
            bail!(NO_SOCKETS);
        }
        if live {
            bail!(
                "this system has no threads to watch the clock beside the input: leave --live out, and let \
                 whoever reads the answers watch that they come"
            );
        }
    }
    Ok(())
}

/// Refuses snapshots where there are no threads that write them beside the answers.
pub fn refuse_snapshots() -> Result<()> {
    if cfg!(target_family = "wasm") {
        bail!(
            "this system has no threads to write snapshots beside the answers: leave --snapshot out; a \
             record (--record) says what was answered"
        );
    }
    Ok(())
}
