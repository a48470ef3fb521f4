//! Sweeps whose rows fill all lanes of the batch, the last ones in part.

use anyhow::{Context, Result, bail};
use std::path::Path;
use std::process::{Command, Stdio};

/// What is asked, and for how many rows: tests go through the lanes of the batch, and what these leave open
/// through the search; distances go through the search alone.
const ASKED: [(&str, &str); 2] = [("test", "20003"), ("distance", "2003")];

/// The rows that a program writes for random poses of README's robot, one array after the other. `program`
/// gives its command. The file is named from the root on: what an emulator sees of this computer may begin
/// there.
pub fn answer_rows(program: impl Fn() -> Option<Command>, root: &Path) -> Result<Vec<u8>> {
    let out = Path::new("target/elsewhere/rows.npy");
    let mut rows = Vec::new();
    for (ask, count) in ASKED {
        let _ = std::fs::remove_file(root.join(out));
        let mut sweep = program().context("nothing runs it")?;
        sweep.args([
            "sweep",
            "robots/puma260/bottleneck.toml",
            "--random",
            count,
            "--seed",
            "7",
            "--ask",
            ask,
        ]);
        sweep.args(["--quiet", "--out"]).arg(out).current_dir(root).stdout(Stdio::null());
        let status = sweep.status().context("the program could not be started")?;
        let written = std::fs::read(root.join(out)).unwrap_or_default();
        // Some of the rows collide.
        if status.code() != Some(1) || written.is_empty() {
            bail!("a sweep with --ask {ask} ended with {status}");
        }
        rows.extend(written);
    }
    Ok(rows)
}
