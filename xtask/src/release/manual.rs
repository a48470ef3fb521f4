//! Manual pages and completions, which the program makes of its own options.

use crate::steps::read_step;
use anyhow::{Result, bail};
use std::path::Path;
use std::process::Command;

/// A shell, and how it names completions.
const SHELLS: [(&str, &str); 3] =
    [("bash", "elbowroom.bash"), ("zsh", "_elbowroom"), ("fish", "elbowroom.fish")];

/// Writes the folders `man/man1` and `completions`, asked from a program that runs here.
pub fn write_manual(program: &Path, folder: &Path) -> Result<()> {
    let ask = |words: &[&str]| read_step(Command::new(program).args(words));
    let pages = folder.join("man/man1");
    std::fs::create_dir_all(&pages)?;
    let page = ask(&["man"])?;
    let commands = list_commands(&page);
    if commands.is_empty() {
        bail!("the manual names no command");
    }
    std::fs::write(pages.join("elbowroom.1"), page)?;
    for command in commands {
        std::fs::write(pages.join(format!("elbowroom-{command}.1")), ask(&["man", &command])?)?;
    }
    let completions = folder.join("completions");
    std::fs::create_dir_all(&completions)?;
    for (shell, name) in SHELLS {
        std::fs::write(completions.join(name), ask(&["completions", shell])?)?;
    }
    Ok(())
}

/// The commands that the program's page names, as `elbowroom\-fit\-brake(1)`.
fn list_commands(page: &str) -> Vec<String> {
    let name =
        |line: &str| line.strip_prefix("elbowroom\\-")?.strip_suffix("(1)").map(|n| n.replace('\\', ""));
    page.lines().filter_map(name).filter(|name| name != "help").collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_names_its_commands() {
        let page = ".SH NAME\nelbowroom \\- Proved\n.TP\nelbowroom\\-check(1)\nHow far\n.TP\n\
                    elbowroom\\-fit\\-brake(1)\nA brake\n.TP\nelbowroom\\-help(1)\nPrint this\n";
        assert_eq!(list_commands(page), ["check", "fit-brake"]);
    }
}
