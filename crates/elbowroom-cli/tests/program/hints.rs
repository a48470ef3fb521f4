//! What is said of slips that newcomers make: a CSV without names, names without the robot's, states of
//! another machine.

use crate::support::{folder, gripper, run, text};

#[test]
fn a_csv_without_joint_names_is_one_fault() {
    let folder = folder("hints_header");
    std::fs::write(folder.join("bare.csv"), "0.1\n0.2\n").unwrap();
    let out = run(&folder, &["check", "cell.toml", "--motion", "bare.csv"]);
    let said = text(&out.stderr);
    let words =
        "bare.csv: line 1: holds numbers, and no joint names; write the joint names above it: rod/turn";
    assert!(out.status.code() == Some(2) && said.contains(words) && said.contains("1 fault\n"), "{said}");
}

#[test]
fn a_slip_in_a_name_without_its_robot_is_suggested_in_full() {
    let folder = folder("hints_names");
    std::fs::write(
        folder.join("part.toml"),
        "[[robot]]\nurdf = \"rod.urdf\"\nname = \"ur\"\n[[obstacle]]\nname = \"part\"\nmovable = true\n\
         xyz = [0, 2, 0]\nshape = { type = \"sphere\", radius = 0.1 }\n",
    )
    .unwrap();
    let motion = "{\"q\": [0]}\n{\"attach\": {\"name\": \"part\", \"attached_to\": \"amr\"}}\n{\"q\": [1]}\n";
    std::fs::write(folder.join("slip.jsonl"), motion).unwrap();
    let out = run(&folder, &["check", "part.toml", "--motion", "slip.jsonl"]);
    let said = text(&out.stderr);
    assert!(said.contains("no body is called `amr`; did you mean \"ur/arm\"?"), "{said}");
    for frame in ["amr", "ur/amr"] {
        let out = run(&folder, &["info", "part.toml", "--at", "0", "--frame", frame]);
        let said = text(&out.stderr);
        assert!(out.status.code() == Some(2) && said.contains("did you mean \""), "{frame}: {said}");
    }
}

#[test]
fn a_state_that_sets_no_joint_is_one_line() {
    let folder = folder("hints_state");
    gripper(&folder);
    let srdf = std::fs::read_to_string(folder.join("gripper.srdf")).unwrap();
    let urdf = std::fs::read_to_string(folder.join("gripper.urdf")).unwrap();
    std::fs::write(folder.join("gripper.urdf"), urdf.replace("type=\"prismatic\"", "type=\"fixed\""))
        .unwrap();
    std::fs::write(folder.join("gripper.srdf"), srdf).unwrap();
    let out = run(&folder, &["check", "gripper.toml", "--at", "open"]);
    let said = text(&out.stderr);
    let words = "state `open` sets no joint of this world, because the 2 joints that it names are fixed: it \
                 changes nothing";
    assert!(said.contains(words), "{said}");
    assert_eq!(said.matches("--at: sample 0").count(), 1, "{said}");
    // A message of another machine likewise.
    std::fs::write(folder.join("other.yaml"), "name: [j1, j2]\nposition: [0.1, 0.2]\n").unwrap();
    let out = run(&folder, &["check", "cell.toml", "--motion", "other.yaml"]);
    let said = text(&out.stderr);
    assert!(
        said.contains("none of its joints is a joint of this model: j1, j2; its joints are rod/turn"),
        "{said}"
    );
    assert!(said.contains("1 fault\n"), "{said}");
}
