//! What a terminal shows that a pipe does not: colours, and verdicts once.

use crate::support::{folder, run, text};
use std::path::Path;
use std::process::Command;

/// What a terminal shows of a command, with these variables besides; `None`, and a loud word, where there is
/// no program that makes a terminal.
fn on_terminal(folder: &Path, arguments: &str, variables: &[(&str, &str)]) -> Option<String> {
    let command = format!("{} {arguments}", env!("CARGO_BIN_EXE_elbowroom"));
    let out = Command::new("script")
        .args(["--quiet", "--return", "--command", &command, "/dev/null"])
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .envs(variables.iter().copied())
        .output();
    if out.is_err() {
        eprintln!("THE TERMINAL IS NOT TESTED: there is no program `script` of util-linux");
    }
    out.ok().map(|out| text(&out.stdout))
}

#[test]
fn a_terminal_reads_the_verdicts_once() {
    let folder = folder("terminal");
    let ask = |more: &str| on_terminal(&folder, &format!("check cell.toml {more}"), &[]);
    let Some(said) = ask("--motion path.csv") else { return };
    assert_eq!((said.matches("200 samples: ").count(), said.matches("overlap").count()), (1, 1), "{said}");
    assert!(said.trim_end().lines().last().unwrap().starts_with("summary: "), "{said}");
    assert!(said.trim_end().ends_with(" threads") || said.trim_end().ends_with(" thread"), "{said}");
    // Few samples are not timed, so there is no more to say.
    let said = ask("--at 0").unwrap();
    assert!(said.contains("1 sample: ") && !said.contains("summary"), "{said}");
    // Whose answers go elsewhere reads all of it.
    let said = text(&run(&folder, &["check", "cell.toml", "--motion", "path.csv"]).stderr);
    assert!(said.contains("summary: 200 samples: ") && said.contains("overlap"), "{said}");
}

#[test]
fn errors_are_red_and_warnings_yellow_on_a_terminal_alone() {
    let folder = folder("colours");
    let odd = std::fs::read_to_string(folder.join("rod.urdf")).unwrap().replace("\"0.1\"", "\"0\"");
    std::fs::write(folder.join("odd.urdf"), odd).unwrap();
    for (arguments, word, shade) in [("check none.toml", "error:", 31), ("info odd.urdf", "warning:", 33)] {
        let coloured = format!("\x1b[1;{shade}m{word}\x1b[0m ");
        let Some(said) = on_terminal(&folder, arguments, &[]) else { return };
        assert!(said.contains(&coloured), "{said:?}");
        let plain = on_terminal(&folder, arguments, &[("NO_COLOR", "1")]).unwrap();
        let piped = text(&run(&folder, &arguments.split(' ').collect::<Vec<_>>()).stderr);
        for said in [plain, piped] {
            assert!(said.contains(word) && !said.contains("\x1b[1;"), "{said:?}");
        }
    }
}
