//! How wide lines are: comments and prose end at 110 columns. Code is rustfmt's; strings, tables, figures and
//! what is quoted as code are left alone.

use anyhow::{Context, Result, bail};
use std::process::Command;

/// Columns.
const WIDTH: usize = 110;

/// Names all comments and prose of the repository that are wider.
pub fn check() -> Result<()> {
    let root = crate::root()?;
    let listed = Command::new("git").current_dir(&root).args(["ls-files", "*.rs", "*.md"]).output();
    let listed = listed.context("git could not be started")?;
    if !listed.status.success() {
        bail!("git ls-files: {}", String::from_utf8_lossy(&listed.stderr));
    }
    let mut wide = Vec::new();
    // Records of measurements are written by a program.
    let files = String::from_utf8(listed.stdout)?;
    for file in files.lines().filter(|file| !file.starts_with("bench/record/")) {
        // Deleted, and not yet committed.
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        let lines = if file.ends_with(".rs") { comments(&text) } else { prose(&text) };
        wide.extend(lines.into_iter().map(|line| format!("{file}:{line}")));
    }
    if !wide.is_empty() {
        bail!("comments and prose end at {WIDTH} columns; these do not:\n{}", wide.join("\n"));
    }
    Ok(())
}

fn is_wide(line: &str) -> bool {
    line.chars().count() > WIDTH
}

/// Numbers of comment lines of Rust that are too wide.
fn comments(text: &str) -> Vec<usize> {
    let lines = (1..).zip(text.lines());
    lines.filter(|(_, line)| is_wide(line) && line.trim_start().starts_with("//")).map(|(n, _)| n).collect()
}

/// Numbers of lines of Markdown that are too wide, but for tables, figures and code.
fn prose(text: &str) -> Vec<usize> {
    let mut code = false;
    let mut wide = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        code ^= line.starts_with("```");
        let free = ["|", "![", "    ", "```"].iter().any(|start| line.starts_with(start));
        if is_wide(line) && !code && !free {
            wide.push(number);
        }
    }
    wide
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_prose_are_measured_and_code_is_not() {
        let long = "é".repeat(WIDTH);
        assert_eq!(
            comments(&format!("// {long}\nlet x = \"{long}\";\n    /// {long}\n// {}", &long[..200])),
            [1, 3]
        );
        let text =
            format!("{long}\n{long}x\n| {long} |\n```\n{long}x\n```\n    {long}x\n![{long}](x)\n- {long}");
        assert_eq!(prose(&text), [2, 9]);
    }
}
