//! What a terminal shows that a pipe does not: colours, a progress bar, and verdicts once.

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

/// A slider among slabs that it touches all the way, and a motion of few ways.
fn write_slow_ways(folder: &Path, slabs: usize) {
    let urdf = "<robot name=\"r\"><link name=\"base\"/><link name=\"block\"><collision><geometry>\
        <box size=\"0.25 0.25 0.25\"/></geometry></collision></link><joint name=\"slide\" type=\"prismatic\">\
        <parent link=\"base\"/><child link=\"block\"/><axis xyz=\"1 0 0\"/>\
        <limit lower=\"-2\" upper=\"2\" effort=\"1\" velocity=\"1\"/></joint></robot>";
    std::fs::write(folder.join("block.urdf"), urdf).unwrap();
    let mut world = String::from("margin = 0.0\n[[robot]]\nurdf = \"block.urdf\"\n");
    for slab in 0..slabs {
        let shape = "shape = { type = \"box\", size = [4, 4, 0.25] }";
        world.push_str(&format!("[[obstacle]]\nname = \"slab{slab}\"\nxyz = [0, 0, -0.25]\n{shape}\n"));
    }
    std::fs::write(folder.join("slabs.toml"), world).unwrap();
    std::fs::write(folder.join("slide.csv"), "slide\n-1\n0\n1\n").unwrap();
}

#[test]
fn a_bar_counts_samples_and_tells_of_a_way_that_takes_long() {
    let folder = folder("bar");
    let arguments = "check slabs.toml --motion slide.csv --continuous --threads 1";
    // A faster machine needs more.
    for slabs in [500, 2000, 8000, 32_000] {
        write_slow_ways(&folder, slabs);
        let Some(said) = on_terminal(&folder, arguments, &[]) else { return };
        let rests: Vec<&str> = said.split("/3 samples, ").skip(1).collect();
        assert!(!rests.is_empty() && rests.iter().all(|rest| rest.contains("s left")), "{said}");
        if !said.contains(" left; way to sample ") {
            continue;
        }
        let told = said.split(" left; way to sample ").nth(1).unwrap();
        assert!(["1: ", "2: "].contains(&&told[..3]), "{said}");
        let quiet = on_terminal(&folder, &format!("{arguments} --quiet"), &[]).unwrap();
        assert!(!quiet.contains(" samples, ") && !quiet.contains("way to sample"), "{quiet}");
        return;
    }
    panic!("no way took long");
}
