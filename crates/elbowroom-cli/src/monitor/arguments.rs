//! The options of `elbowroom monitor`.

use super::system;
use crate::arguments::WorldArguments;
use clap::Args;
use std::path::PathBuf;

/// Watch arms while they move: a state or an event a line in, a command a line out
#[derive(Args, Debug)]
#[command(
    after_help = "A line in: {\"t\": s, \"robot\": NAME, \"q\": [...], \"qd\": [...]}, or an event such as \
    {\"t\": s, \"attach\": {...}}. A line out: {\"t\", \"command\": \"permit|slow|stop\", \"speed\", \
    \"reasons\", ...}. \
    The world file's table [guard] says how the arms stop and what may touch what: see docs/monitor.md."
)]
pub struct MonitorArguments {
    #[command(flatten)]
    pub world: WorldArguments,
    #[command(flatten)]
    pub from: Input,
    /// Keep every line and its answer, for `elbowroom replay`
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Keep what a restart needs in this folder, which must be there: on each event, on each stop, and once a
    /// period
    #[arg(long, value_name = "DIR")]
    pub snapshot: Option<PathBuf>,
    /// The period of snapshots (s): no more than this is lost, however the program ends
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0, requires = "snapshot")]
    pub snapshot_every: f64,
    /// Start from the newest snapshot of the folder. Without this it must hold none
    #[arg(long, requires = "snapshot")]
    pub restore: bool,
    /// How old a snapshot may be that is started from (s)
    #[arg(long, value_name = "SECONDS", default_value_t = 600.0, requires = "restore")]
    pub most_age: f64,
    /// How long an answer may take where the clock is watched (s); then there is a stop that nobody asked
    /// for. Usually what is left of the settings' `late` when a period has passed
    #[arg(long, value_name = "SECONDS")]
    pub answer_within: Option<f64>,
    /// Also write the answers to a file
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Judge one state and end, with exit code 1 if it leads to a stop
    #[arg(long)]
    pub once: bool,
    /// Watch the clock: without a state in time there is an answer that nobody asked for. With sockets it is
    /// always watched
    #[arg(long)]
    pub live: bool,
}

impl MonitorArguments {
    /// Whether the clock is watched.
    pub fn is_live(&self) -> bool {
        self.live || self.from.is_socket()
    }
}

/// Where lines come from.
#[derive(Args, Debug)]
pub struct Input {
    /// Where states come from: - (standard input), FILE, unix:PATH, tcp:HOST:PORT or udp:HOST:PORT. A socket
    /// answers where it was asked
    #[arg(long, value_name = "INPUT", default_value = "-")]
    pub input: String,
    /// When a client of a socket has left, wait for the next
    #[arg(long)]
    pub serve: bool,
    /// Listen on an address that other machines can reach; needs --token-file
    #[arg(long, requires = "token_file")]
    pub listen_anywhere: bool,
    /// What clients must know: their first line is {"token": "..."}, the text of this file
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,
}

impl Input {
    /// Whether lines come over a socket, which answers where it was asked.
    pub fn is_socket(&self) -> bool {
        system::is_socket(&self.input)
    }
}
