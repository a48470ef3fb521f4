//! How wide lines are: no line that a person writes is over 110 columns.
//!
//! Measured are Rust, TOML, the scripts of `.ci`, the C, C++ and Python of `bench/peers` and `examples`, and
//! Markdown. Free are
//! - tables of Markdown, and lines that only a link makes long: neither can be broken;
//! - pictures, style sheets, data (JSON, CSV, meshes, robots) and licences, which are not read line by line;
//! - `bench/record`, which a program writes, and `fuzz/seeds`, which are data of tests.

use anyhow::{Context, Result, bail, ensure};
use std::process::Command;

/// Columns.
const WIDTH: usize = 110;

/// The files that are measured, as patterns of git: a star goes through folders too.
const MEASURED: &[&str] = &[
    "*.rs",
    "*.toml",
    "*.md",
    ".ci/*",
    "bench/peers/*.cpp",
    "bench/peers/*.hpp",
    "bench/peers/*.py",
    "examples/*.c",
    "examples/*.py",
    ":!bench/record",
    ":!fuzz/seeds",
];

/// The chore.
pub fn run(arguments: &[String]) -> Result<()> {
    ensure!(arguments.is_empty(), "cargo xtask width takes no arguments");
    check()
}

/// Names all lines of the repository that are wider.
pub fn check() -> Result<()> {
    let root = crate::root()?;
    let listed = Command::new("git").current_dir(&root).args(["ls-files", "--"]).args(MEASURED).output();
    let listed = listed.context("git could not be started")?;
    if !listed.status.success() {
        bail!("git ls-files: {}", String::from_utf8_lossy(&listed.stderr));
    }
    let mut found = Vec::new();
    let files = String::from_utf8(listed.stdout)?;
    for file in files.lines() {
        // The file is deleted, and that is not yet committed.
        let Ok(text) = std::fs::read_to_string(root.join(file)) else { continue };
        let free = if file.ends_with(".md") { is_free } else { |_: &str| false };
        found.extend(wide(&text, free).into_iter().map(|line| format!("{file}:{line}")));
    }
    if !found.is_empty() {
        bail!("lines end at {WIDTH} columns; these do not:\n{}", found.join("\n"));
    }
    Ok(())
}

/// Numbers of the lines that are too wide and not free.
fn wide(text: &str, free: fn(&str) -> bool) -> Vec<usize> {
    let over = |line: &str| line.chars().count() > WIDTH && !free(line);
    (1..).zip(text.lines()).filter(|(_, line)| over(line)).map(|(number, _)| number).collect()
}

/// Whether a line of Markdown may be of any width: it is in a table, or fits without its links.
fn is_free(line: &str) -> bool {
    let words = line.split(' ').filter(|word| !word.contains("](") && !word.contains("://"));
    line.trim_start().starts_with('|') || words.map(|word| word.chars().count() + 1).sum::<usize>() <= WIDTH
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_measured_and_characters_are_counted() {
        let long = "é".repeat(WIDTH);
        let text = format!("{long}\n// {long}\nlet x = \"{long}\";\n// {}", &long[..200]);
        assert_eq!(wide(&text, |_| false), [2, 3]);
    }

    #[test]
    fn tables_and_links_of_markdown_are_free() {
        let long = "é".repeat(WIDTH);
        let text = format!(
            "{long}x\n| {long} |\n```\n{long}x\n```\n    {long}x\n![a]({long})\n- see [a]({long}),\n\
             - https://{long}\n- {long} [a](b)"
        );
        assert_eq!(wide(&text, is_free), [1, 4, 6, 10]);
    }
}
