//! A bar that shows how far work has come, to people on a terminal.

use crate::out::{is_dumb_terminal, is_quiet};
use indicatif::{ProgressBar, ProgressStyle};

/// A bar of so many steps; `words` stand behind it. Nothing is drawn where there is no terminal, or where one
/// cannot move its cursor. Words of some fifty letters fit beside it in eighty columns.
pub fn progress_bar(steps: u64, words: &str) -> ProgressBar {
    if is_quiet() || is_dumb_terminal() {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(&format!("{{bar:24}} {words}"));
    // Letters that every console has.
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar()).progress_chars("#>-");
    ProgressBar::new(steps).with_style(style)
}
