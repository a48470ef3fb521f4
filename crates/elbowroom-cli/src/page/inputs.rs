//! What a page was made from, so that it can be made again: the files with their hashes, the command,
//! the day.

use super::html::escaped;
use crate::arguments::check::CheckArguments;
use crate::limits;
use crate::load::LoadedWorld;
use crate::motion::motion_inputs;
use crate::shell::shell;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// The moment that a page says it was made at. Reproducible builds set it from outside
/// (<https://reproducible-builds.org/specs/source-date-epoch/>).
fn made_at() -> SystemTime {
    let told = std::env::var("SOURCE_DATE_EPOCH").ok().and_then(|text| text.parse::<u64>().ok());
    told.map_or_else(SystemTime::now, |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
}

/// Day and time in UTC, to the minute.
pub fn date() -> String {
    let text = humantime::format_rfc3339_seconds(made_at()).to_string();
    format!("{} UTC", text.get(..16).unwrap_or(&text).replace('T', " "))
}

/// The command of this process as a shell takes it.
fn command() -> String {
    let words = std::env::args_os().skip(1).map(|word| shell(Path::new(&word)));
    ["elbowroom".to_string()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

/// The SHA-256 of a file, as `sha256sum` prints it; `None` where it cannot be read again.
fn hash(path: &Path) -> Option<String> {
    let mut hasher = Sha256::new();
    let mut file = File::open(path).ok().filter(|file| file.metadata().is_ok_and(|m| m.is_file()))?;
    io::copy(&mut file, &mut hasher).ok()?;
    Some(hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect())
}

/// The files that were read, each once.
fn files(arguments: &CheckArguments, loaded: &LoadedWorld) -> BTreeSet<PathBuf> {
    let seen = arguments.seen.inputs().into_iter().filter_map(|(_, path)| path).map(Path::to_path_buf);
    let world = std::iter::once(arguments.world.world.clone());
    let motions = motion_inputs(&arguments.motion).into_iter().filter_map(|(_, path)| path);
    let motions = motions.filter(|path| path.is_file()).map(Path::to_path_buf);
    world.chain(loaded.files.iter().cloned()).chain(motions).chain(seen).collect()
}

/// A file for those who have other folders: whole where it was named from where the program ran, else its
/// name with the folders next above it.
fn short_path(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let path = path.strip_prefix(&here).unwrap_or(path);
    if path.is_relative() {
        return path.display().to_string();
    }
    let names: Vec<_> = path.components().rev().take(FOLDERS_SHOWN + 1).collect();
    let tail: PathBuf = names.into_iter().rev().collect();
    if tail.is_absolute() { tail.display().to_string() } else { format!(".../{}", tail.display()) }
}

/// Folders above a file that are shown where it lies elsewhere.
const FOLDERS_SHOWN: usize = 3;

/// Adds them.
pub fn inputs(s: &mut String, arguments: &CheckArguments, loaded: &LoadedWorld) {
    let files = files(arguments, loaded);
    // Writing to a string cannot fail, here and below.
    let _ = write!(
        s,
        "<h2>To make this page again</h2><div class=\"card\"><dl><dt>program<dd>elbowroom {}\
         <dt>command<dd><code>{}</code></dl><details><summary>\
         The files that were read, {} in all, with their SHA-256</summary>\
         <table class=\"hashes\"><tr><th>file<th>SHA-256</tr>",
        env!("CARGO_PKG_VERSION"),
        escaped(&command()),
        files.len()
    );
    for path in files.iter().take(limits::PAGE_PAIRS) {
        let hash = hash(path).unwrap_or_else(|| "cannot be read again".into());
        let _ = write!(s, "<tr><td>{}<td><code>{hash}</code></tr>", escaped(&short_path(path)));
    }
    s.push_str("</table></details>");
    // Warnings are for who makes it again: they name options.
    for line in loaded.warnings.iter().take(limits::WARNINGS) {
        let _ = write!(s, "<p class=\"note\">warning: {}</p>", escaped(line));
    }
    if loaded.warnings.len() > limits::WARNINGS {
        let more =
            elbowroom_files::fault::counted_things(loaded.warnings.len() - limits::WARNINGS, "more warning");
        let _ = write!(s, "<p class=\"note\">warning: {more}</p>");
    }
    s.push_str("</div>");
}
