//! `cargo run --release -p elbowroom-lab --example coulombe20 -- [POSES] [OUT]`: Table I of coulombe20,
//! printed.

use elbowroom_lab::coulombe20::{Options, run};

fn main() {
    let mut arguments = std::env::args().skip(1);
    let mut options = Options::default();
    options.poses = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(options.poses);
    options.out = arguments.next().map(Into::into);
    match run(&options) {
        Ok(report) => print!("{}", report.text()),
        Err(e) => {
            eprintln!("{e}");
            std::process::exit(2);
        }
    }
}
