//! What the program says of itself, and what it takes beside files.

use crate::support::{folder, lines, run, text};
use std::io::Write;
use std::process::{Command, Output, Stdio};

fn said(arguments: &[&str]) -> String {
    let out = run(&folder("manual"), arguments);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    text(&out.stdout)
}

#[test]
fn shells_and_man_know_every_command() {
    for shell in ["bash", "zsh", "fish"] {
        let script = said(&["completions", shell]);
        for word in ["check", "fit-brake", "report"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let page = said(&["man"]);
    assert!(page.contains(".TH elbowroom 1") && page.contains("twin"), "{page}");
    assert!(said(&["man", "check"]).contains("all\\-pairs"));
}

#[test]
fn help_comes_in_groups_with_an_example() {
    let help = said(&["check", "--help"]);
    let places: Vec<usize> = ["World:", "Poses:", "What is asked:", "Output:", "Examples:"]
        .iter()
        .map(|heading| help.find(&format!("\n{heading}\n")).unwrap_or_else(|| panic!("{heading} {help}")))
        .collect();
    assert_eq!(places.iter().max(), places.last(), "{help}");
    let report = help.find("--report <FILE.html>").unwrap();
    assert!(help.find("\nOutput:").unwrap() < report, "{help}");
}

fn with_input(input: &str, arguments: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_elbowroom"))
        .current_dir(folder("standard_input"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

#[test]
fn a_motion_may_come_from_standard_input() {
    let ask = |input: &str| with_input(input, &["check", "cell.toml", "--motion", "-", "--json", "-"]);
    for input in ["t,turn\n0,0\n1,0.5\n", "{\"t\":0,\"q\":[0]}\n{\"t\":1,\"q\":[0.5]}\n"] {
        let out = ask(input);
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        let answers = lines(&out.stdout);
        assert_eq!((answers.len(), answers[1]["t"].as_f64()), (2, Some(1.0)), "{input}");
    }
    let out = ask("turn\nfast\n");
    assert!(out.status.code() == Some(2) && text(&out.stderr).contains("standard input: "));
}

#[test]
fn messages_of_moveit_are_motions_and_scenes_are_not() {
    let folder = folder("messages");
    let request = "workspace_parameters:\n  header: {frame_id: base}\nstart_state:\n  joint_state:\n\
        \x20   name: [turn]\n    position: [0.0]\ngoal_constraints:\n  - joint_constraints:\n\
        \x20     - joint_name: turn\n        position: 1.0\n";
    let trajectory = "{\"joint_trajectory\": {\"joint_names\": [\"turn\"], \"points\": [\
        {\"positions\": [0], \"time_from_start\": 0}, {\"positions\": [1], \"time_from_start\": 2}]}}\n";
    for (file, content, times) in
        [("request.yaml", request, [None, None]), ("trajectory.json", trajectory, [Some(0.0), Some(2.0)])]
    {
        std::fs::write(folder.join(file), content).unwrap();
        let out = run(&folder, &["check", "cell.toml", "--motion", file, "--json", "-"]);
        let told = lines(&out.stdout);
        let said: Vec<_> = told.iter().filter(|line| line.get("sample").is_some()).collect();
        assert_eq!(said.len(), 2, "{file}: {}", text(&out.stderr));
        assert_eq!([0, 1].map(|k| said[k]["t"].as_f64()), times, "{file}");
    }
    for (file, content, words) in [
        ("one_line.json", "{\"group_name\": \"arm\", \"goal_constraints\": []}", "without start_state"),
        (
            "kitchen.scene",
            "kitchen\n* box\n1\nbox\n1 1 1\n",
            "is a scene of MoveIt, and no list of poses; name it in a world file: [[scene]] file =",
        ),
        (
            "other.toml",
            "[[robot]]\nurdf = \"rod.urdf\"\n",
            "is a world file, and no list of poses; give it in",
        ),
        (
            "other.urdf",
            "<robot name=\"r\"/>",
            "is XML, as robots are, and no list of poses; give a URDF in the",
        ),
    ] {
        std::fs::write(folder.join(file), content).unwrap();
        let out = run(&folder, &["check", "cell.toml", "--motion", file]);
        assert!(out.status.code() == Some(2) && text(&out.stderr).contains(words), "{}", text(&out.stderr));
    }
}

#[test]
fn pairs_of_one_body_are_listed_alone() {
    let folder = folder("of_body");
    let ask =
        |more: &[&str]| lines(&run(&folder, &[&["pairs", "cell.toml", "--json", "-"], more].concat()).stdout);
    let all = ask(&[]);
    let arm =
        |line: &serde_json::Value| line["pair"].as_array().unwrap().iter().any(|name| name == "rod/arm");
    let wanted = all.iter().filter(|line| arm(line)).count();
    for name in ["arm", "rod/arm"] {
        let some = ask(&["--body", name]);
        assert!(some.len() == wanted && some.iter().all(arm) && wanted < all.len(), "{some:?}");
    }
}
