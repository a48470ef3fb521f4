//! A folder that is there with all of its files, or not at all.

use anyhow::{Context, Result, bail};
use std::fs;
use std::path::{Path, PathBuf};

/// A folder that is being written, under another name. Dropped before its end, it is removed.
#[derive(Debug)]
pub struct NewFolder {
    /// Where it is written; `None` once it has its name.
    written: Option<PathBuf>,
    named: PathBuf,
}

impl NewFolder {
    /// An empty folder beside the place where it will be; nothing may be at either.
    pub fn create_beside(named: &Path) -> Result<NewFolder> {
        let Some(last) = named.file_name() else { bail!("--out {}: name a new folder", named.display()) };
        let mut last = last.to_os_string();
        last.push(".incomplete");
        let written = named.with_file_name(last);
        for place in [named, written.as_path()] {
            if place.symlink_metadata().is_ok() {
                bail!("--out {}: it exists; remove it or name another folder", place.display());
            }
        }
        fs::create_dir(&written).with_context(|| format!("--out {}", written.display()))?;
        Ok(NewFolder { written: Some(written), named: named.into() })
    }

    /// Where its files are now.
    pub fn path(&self) -> &Path {
        self.written.as_deref().unwrap_or(&self.named)
    }

    /// Writes a file, in a folder within where its name says so.
    pub fn write_file(&self, name: &str, text: &str) -> Result<()> {
        let path = self.path().join(name);
        if let Some(within) = path.parent() {
            fs::create_dir_all(within).with_context(|| within.display().to_string())?;
        }
        fs::write(&path, text).with_context(|| path.display().to_string())
    }

    /// Gives it its name.
    pub fn finish(mut self) -> Result<()> {
        fs::rename(self.path(), &self.named).with_context(|| format!("--out {}", self.named.display()))?;
        self.written = None;
        Ok(())
    }
}

impl Drop for NewFolder {
    fn drop(&mut self) {
        if let Some(written) = &self.written {
            // What cannot be removed has a name that says what it is.
            let _ = fs::remove_dir_all(written);
        }
    }
}
