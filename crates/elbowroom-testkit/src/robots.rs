//! Where the robots of this repository lie.

use std::path::{Path, PathBuf};

/// The folder `robots`.
pub fn robots_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots")
}
