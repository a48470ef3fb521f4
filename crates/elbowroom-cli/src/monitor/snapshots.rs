//! A folder of snapshots: the newest and the one before it, each of them whole at every moment.
//!
//! A snapshot is `guard-N.snapshot`, and the greatest N is the newest. It is written as `guard-N.new`, synced
//! and renamed, and the folder is synced; then all but the one before it are removed. Two threads do that, so
//! that the disk delays no answer: one hands the text to the system, the other waits for the disk. One
//! snapshot at most waits for each: a newer one takes its place.
//!
//! What the system has survives the end of the program, whatever ends it; what the disk has survives the end
//! of the machine. So a `.new` that is whole counts when the guard starts again. One that is not was being
//! written when the program ended: nothing that it holds was answered, and it is passed over.

use anyhow::{Context, Result, bail};
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long the disk may take for a snapshot. One that takes longer is as good as full.
const DISK_TIME: Duration = Duration::from_secs(10);

/// Largest snapshot that is read (bytes): a million bodies that were moved take three hundred each.
const SNAPSHOT_BYTES: u64 = 1 << 29;

/// The file that one program has locked.
const LOCK: &str = "guard.lock";

/// A snapshot that is there.
#[derive(Debug)]
pub struct Kept {
    /// Where.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
}

/// A folder that snapshots are written to.
pub struct Snapshots {
    shared: Arc<Shared>,
    /// The number of the last one.
    last: u64,
    /// How often one is due, and when the last was handed on.
    every: Duration,
    handed: Instant,
    _lock: File,
}

/// What the threads share.
struct Shared {
    folder: PathBuf,
    now: Mutex<Now>,
    changed: Condvar,
}

#[derive(Default)]
struct Now {
    /// What waits to be written, and to be synced.
    text: Option<(u64, String)>,
    sync: Option<u64>,
    /// The last that the system has, and that the disk has.
    written: u64,
    synced: u64,
    /// Since when something waits for the disk.
    waiting: Option<Instant>,
    fault: Option<String>,
    ended: bool,
}

impl Snapshots {
    /// A folder that no other program writes snapshots to, and what there is to start from: the newest, and
    /// behind it the one before.
    pub fn open(folder: &Path, every: Duration) -> Result<(Snapshots, Vec<Kept>)> {
        let cannot = || format!("the snapshot folder {} cannot be written", folder.display());
        let is_folder = fs::metadata(folder).with_context(cannot)?.is_dir();
        if !is_folder {
            bail!("{} is no folder: --snapshot takes a folder, which must be there", folder.display());
        }
        let lock = File::create(folder.join(LOCK)).with_context(cannot)?;
        if let Err(fs::TryLockError::WouldBlock) = lock.try_lock() {
            bail!("another monitor writes its snapshots to {}: give each its own folder", folder.display());
        }
        let (kept, last) = read_kept(folder)?;
        let now = Mutex::new(Now { written: last, synced: last, ..Now::default() });
        let shared = Arc::new(Shared { folder: folder.to_path_buf(), now, changed: Condvar::new() });
        type Work = fn(&Shared);
        for (name, work) in
            [("snapshots", Shared::write_texts as Work), ("snapshots to disk", Shared::sync_to_disk)]
        {
            let its = shared.clone();
            std::thread::Builder::new().name(name.into()).spawn(move || work(&its))?;
        }
        let snapshots = Snapshots { shared, last, every, handed: Instant::now(), _lock: lock };
        Ok((snapshots, kept))
    }

    /// Whether the next one is due. Half a period is left for handing it on.
    pub fn is_due(&self) -> bool {
        self.handed.elapsed() >= self.every / 2
    }

    /// Hands one on. It waits for nothing.
    pub fn hand_over(&mut self, text: String) {
        self.last += 1;
        self.handed = Instant::now();
        let mut now = self.shared.lock_state();
        now.text = Some((self.last, text));
        now.waiting = now.waiting.or(Some(self.handed));
        self.shared.changed.notify_all();
    }

    /// Hands one on, and waits until the system has it.
    pub fn put_and_wait(&mut self, text: String) -> Result<(), String> {
        self.hand_over(text);
        self.wait_until(|now| now.written)
    }

    /// Hands one on, and waits until the disk has it.
    pub fn put_to_disk(&mut self, text: String) -> Result<(), String> {
        self.hand_over(text);
        self.wait_until(|now| now.synced)
    }

    /// What is wrong with the folder.
    pub fn check_folder(&self) -> Result<(), String> {
        let now = self.shared.lock_state();
        match &now.fault {
            Some(fault) => Err(fault.clone()),
            None if now.waiting.is_some_and(|since| since.elapsed() > DISK_TIME) => Err(slow_disk_fault()),
            None => Ok(()),
        }
    }

    fn wait_until(&self, done: impl Fn(&Now) -> u64) -> Result<(), String> {
        let begun = Instant::now();
        let mut now = self.shared.lock_state();
        loop {
            if let Some(fault) = &now.fault {
                return Err(fault.clone());
            }
            if done(&now) >= self.last {
                return Ok(());
            }
            let Some(left) = DISK_TIME.checked_sub(begun.elapsed()) else { return Err(slow_disk_fault()) };
            now = self.shared.wait_for_change(now, left);
        }
    }
}

impl Drop for Snapshots {
    fn drop(&mut self) {
        self.shared.lock_state().ended = true;
        self.shared.changed.notify_all();
    }
}

fn slow_disk_fault() -> String {
    format!("the disk has not taken it for {} s", DISK_TIME.as_secs())
}

impl Shared {
    fn lock_state(&self) -> MutexGuard<'_, Now> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for_change<'n>(&self, now: MutexGuard<'n, Now>, most: Duration) -> MutexGuard<'n, Now> {
        self.changed.wait_timeout(now, most).unwrap_or_else(PoisonError::into_inner).0
    }

    /// The first thread: hands texts to the system.
    fn write_texts(&self) {
        let mut now = self.lock_state();
        while !now.ended && now.fault.is_none() {
            let Some((number, text)) = now.text.take() else {
                now = self.wait_for_change(now, DISK_TIME);
                continue;
            };
            drop(now);
            let path = self.folder.join(new_file_name(number));
            let written = File::create(&path).and_then(|mut file| file.write_all(text.as_bytes()));
            now = self.lock_state();
            match written {
                Ok(()) => (now.written, now.sync) = (number, Some(number)),
                Err(e) => now.fault = Some(format!("{}: {e}", path.display())),
            }
            self.changed.notify_all();
        }
    }

    /// The second thread: waits for the disk.
    fn sync_to_disk(&self) {
        let mut now = self.lock_state();
        while !now.ended && now.fault.is_none() {
            let Some(number) = now.sync.take() else {
                now = self.wait_for_change(now, DISK_TIME);
                continue;
            };
            drop(now);
            let synced = to_disk(&self.folder, number);
            now = self.lock_state();
            match synced {
                Ok(()) => {
                    now.synced = number;
                    let more = now.text.is_some() || now.written > number;
                    now.waiting = more.then(Instant::now);
                }
                Err(e) => {
                    now.fault = Some(format!("{}: {e}", self.folder.join(new_file_name(number)).display()))
                }
            }
            self.changed.notify_all();
        }
    }
}

/// Syncs a snapshot that was written, and removes what is older than the one before it.
fn to_disk(folder: &Path, number: u64) -> std::io::Result<()> {
    let path = folder.join(new_file_name(number));
    File::options().append(true).open(&path)?.sync_all()?;
    fs::rename(&path, folder.join(whole_file_name(number)))?;
    // Elsewhere a folder cannot be synced.
    #[cfg(unix)]
    File::open(folder)?.sync_all()?;
    let older = || Ok::<_, std::io::Error>(list_snapshots(folder)?.into_iter().filter(|(n, _)| *n < number));
    let before = older()?.filter(|(_, is_new)| !is_new).map(|(n, _)| n).max();
    for (n, is_new) in older()? {
        if is_new || Some(n) != before {
            fs::remove_file(folder.join(if is_new { new_file_name(n) } else { whole_file_name(n) }))?;
        }
    }
    Ok(())
}

fn new_file_name(number: u64) -> String {
    format!("guard-{number}.new")
}

fn whole_file_name(number: u64) -> String {
    format!("guard-{number}.snapshot")
}

/// The snapshots of a folder: their numbers, and whether each is a `.new`.
fn list_snapshots(folder: &Path) -> std::io::Result<Vec<(u64, bool)>> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder)? {
        let name = entry?.file_name();
        let Some((stem, kind)) = name.to_str().and_then(|name| name.rsplit_once('.')) else { continue };
        let Some(number) = stem.strip_prefix("guard-").and_then(|n| n.parse().ok()) else { continue };
        match kind {
            "new" => all.push((number, true)),
            "snapshot" => all.push((number, false)),
            _ => {}
        }
    }
    Ok(all)
}

/// What there is to start from, the newest first, and the greatest number.
fn read_kept(folder: &Path) -> Result<(Vec<Kept>, u64)> {
    let cannot = || format!("the snapshot folder {} cannot be read", folder.display());
    let mut all = list_snapshots(folder).with_context(cannot)?;
    all.sort_unstable_by(|a, b| b.cmp(a));
    let last = all.first().map_or(0, |(number, _)| *number);
    let newest = all.iter().find(|(_, is_new)| !is_new).map(|(number, _)| *number);
    // A `.new` behind a snapshot that is on the disk was overtaken.
    all.retain(|(number, is_new)| !is_new || Some(*number) > newest);
    let mut kept = Vec::new();
    for (number, is_new) in all {
        let path = folder.join(if is_new { new_file_name(number) } else { whole_file_name(number) });
        let mut bytes = Vec::new();
        let read = File::open(&path).and_then(|file| file.take(SNAPSHOT_BYTES).read_to_end(&mut bytes));
        read.with_context(|| format!("the snapshot {} cannot be read", path.display()))?;
        // What is no text has another hash than it says.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        if is_new && !has_end(&text) {
            continue;
        }
        kept.push(Kept { path, text });
    }
    Ok((kept, last))
}

/// Whether a text has the end of a snapshot. What it holds is not looked at.
fn has_end(text: &str) -> bool {
    let last = text.strip_suffix('\n').and_then(|text| text.rsplit('\n').next());
    last.is_some_and(|line| line.starts_with("end ") && line.len() == END)
}

/// The length of a snapshot's last line: `end` and sixteen digits.
const END: usize = 4 + 16;
