//! How wide lines are: no line that a person writes is over 110 columns.
//!
//! Measured are Rust, TOML, Python, the scripts of `.ci`, C and C++, and Markdown. Free are
//! - tables of Markdown, and lines that only a link makes long: neither can be broken;
//! - pictures, style sheets, data (JSON, CSV, meshes, robots) and licences, which are not read line by line;
//! - `bench/record`, which a program writes, and `fuzz/seeds`, which are data of tests.

mod wrap;

use anyhow::{Context, Result, bail};
use std::process::Command;
use wrap::{Marks, wrap_text};

/// Columns.
const WIDTH: usize = 110;

/// The files that are measured, as patterns of git: a star goes through folders too.
const MEASURED: &[&str] = &[
    "*.rs",
    "*.toml",
    "*.md",
    ".ci/*",
    "*.c",
    "*.h",
    "*.cpp",
    "*.hpp",
    "*.py",
    "*.pyi",
    ":!bench/record",
    ":!fuzz/seeds",
];

/// The chore. With `--fix` running text is wrapped first.
pub fn run(arguments: &[String]) -> Result<()> {
    match arguments {
        [] => check_width(),
        [option] if option == "--fix" => wrap_files().and_then(|()| check_width()),
        _ => bail!("cargo xtask width takes only --fix"),
    }
}

/// Wraps running text that is wider.
fn wrap_files() -> Result<()> {
    let root = crate::repository_root()?;
    for file in measured_files()? {
        let (Some(marks), Ok(text)) = (Marks::of_file(&file), std::fs::read_to_string(root.join(&file)))
        else {
            continue;
        };
        let free = free_lines(&file);
        if wide_lines(&text, free).is_empty() {
            continue;
        }
        let wrapped = wrap_text(&text, marks, WIDTH);
        if wrapped != text {
            std::fs::write(root.join(&file), wrapped).with_context(|| file.clone())?;
            println!("wrapped {file}");
        }
    }
    Ok(())
}

/// The files that are measured.
fn measured_files() -> Result<Vec<String>> {
    let root = crate::repository_root()?;
    let listed = Command::new("git").current_dir(&root).args(["ls-files", "--"]).args(MEASURED).output();
    let listed = listed.context("git could not be started")?;
    if !listed.status.success() {
        bail!("git ls-files: {}", String::from_utf8_lossy(&listed.stderr));
    }
    Ok(String::from_utf8(listed.stdout)?.lines().map(String::from).collect())
}

/// Which lines of a file may be of any width.
fn free_lines(file: &str) -> fn(&str) -> bool {
    if file.ends_with(".md") { is_free } else { |_| false }
}

/// Names all lines of the repository that are wider.
pub fn check_width() -> Result<()> {
    let root = crate::repository_root()?;
    let mut found = Vec::new();
    for file in measured_files()? {
        // The file is deleted, and that is not yet committed.
        let Ok(text) = std::fs::read_to_string(root.join(&file)) else { continue };
        let free = free_lines(&file);
        found.extend(wide_lines(&text, free).into_iter().map(|line| format!("{file}:{line}")));
    }
    if !found.is_empty() {
        bail!("lines end at {WIDTH} columns; these do not:\n{}", found.join("\n"));
    }
    Ok(())
}

/// Numbers of the lines that are too wide and not free.
fn wide_lines(text: &str, free: fn(&str) -> bool) -> Vec<usize> {
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
        assert_eq!(wide_lines(&text, |_| false), [2, 3]);
    }

    #[test]
    fn tables_and_links_of_markdown_are_free() {
        let long = "é".repeat(WIDTH);
        let text = format!(
            "{long}x\n| {long} |\n```\n{long}x\n```\n    {long}x\n![a]({long})\n- see [a]({long}),\n\
             - https://{long}\n- {long} [a](b)"
        );
        assert_eq!(wide_lines(&text, is_free), [1, 4, 6, 10]);
    }
}
