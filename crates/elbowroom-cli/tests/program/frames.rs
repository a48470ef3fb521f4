//! Where bodies are: `info --at`, and parts that are attached far from what carries them.

use crate::support::{checked, folder, lines, run, text};

#[test]
fn the_frame_of_each_link_is_told_at_a_pose() {
    let folder = folder("frames");
    let rod = std::fs::read_to_string(folder.join("rod.urdf")).unwrap();
    let rod = rod.replace("<axis xyz=\"0 0 1\"/>", "<origin xyz=\"0.5 0 0.25\"/><axis xyz=\"0 0 1\"/>");
    std::fs::write(folder.join("rod.urdf"), rod).unwrap();
    let quarter = std::f64::consts::FRAC_PI_2;
    let at = format!("turn={quarter}");
    let out = run(&folder, &["info", "cell.toml", "--at", &at, "--json", "-"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let told = lines(&out.stdout).remove(0);
    assert_eq!(told["at"], serde_json::json!([quarter]));
    let frame = |body: usize, key: &str| -> Vec<f64> {
        told["bodies"][body]["frame"][key].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
    };
    assert_eq!((frame(0, "xyz"), frame(0, "quat_wxyz")), (vec![0.0; 3], vec![1.0, 0.0, 0.0, 0.0]));
    assert_eq!(frame(1, "xyz"), [0.5, 0.0, 0.25]);
    let half = std::f64::consts::FRAC_1_SQRT_2;
    let turned = frame(1, "quat_wxyz");
    assert!(turned.iter().zip([half, 0.0, 0.0, half]).all(|(a, b)| (a - b).abs() < 1e-12), "{turned:?}");
    assert_eq!(frame(2, "xyz"), [0.0, 1.0, 0.0], "an obstacle has one too");
    let table = text(&run(&folder, &["info", "cell.toml", "--at", &at]).stdout);
    let row = table.lines().rfind(|line| line.trim_start().starts_with("arm ")).unwrap();
    let numbers: Vec<&str> = row.split_whitespace().skip(1).collect();
    assert_eq!(numbers[..4], ["0.500000", "0.000000", "0.250000", "0.707107"], "{table}");
    assert_eq!(numbers[7..], ["0.000000", "0.000000", "1.570796"], "{table}");
    assert!((frame(1, "rpy")[2] - std::f64::consts::FRAC_PI_2).abs() < 1e-12);
    // One frame alone; for an unknown name the nearest known one is suggested.
    let one = text(&run(&folder, &["info", "cell.toml", "--at", &at, "--frame", "arm"]).stdout);
    assert_eq!(one.lines().count(), 3, "{one}");
    assert!(one.lines().nth(2).is_some_and(|line| line.trim_start().starts_with("arm ")), "{one}");
    let wrong = run(&folder, &["info", "cell.toml", "--at", &at, "--frame", "amr"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(text(&wrong.stderr).contains("did you mean"), "{}", text(&wrong.stderr));
    // What is no pose is refused in the words of `check`; without a pose there are no frames.
    let refused = run(&folder, &["info", "cell.toml", "--at", "turn=9"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("outside the joint limits"), "{}", text(&refused.stderr));
    let plain = lines(&run(&folder, &["info", "cell.toml", "--json", "-"]).stdout).remove(0);
    assert!(plain["at"].is_null() && plain["bodies"][1]["frame"].is_null());
}

#[test]
fn info_tells_of_one_body_alone() {
    let folder = folder("one_body");
    let told = text(&run(&folder, &["info", "cell.toml", "--body", "arm", "--at", "0.5"]).stdout);
    assert!(told.contains("rod/turn") && told.contains("sphere") && told.contains("At 0.5"), "{told}");
    assert!(!told.contains("img") && !told.contains("SRDF"), "{told}");
    let both = run(&folder, &["info", "cell.toml", "--body", "arm", "--body", "base", "--json", "-"]);
    let both = lines(&both.stdout).remove(0);
    let names: Vec<_> = both["bodies"].as_array().unwrap().iter().map(|body| body["name"].clone()).collect();
    assert_eq!(names, ["rod/base", "rod/arm"]);
    assert_eq!(both["joints"].as_array().unwrap().len(), 1);
    let wrong = run(&folder, &["info", "cell.toml", "--body", "amr"]);
    assert_eq!(wrong.status.code(), Some(2));
    let said = text(&wrong.stderr);
    assert!(said.contains("--body amr: no link") && said.contains("did you mean"), "{said}");
}

#[test]
fn a_part_that_is_attached_far_from_its_carrier_is_noted() {
    let folder = folder("carried");
    // The arm's ball of 10 cm is 1 m out on the arm; the part is given in the world instead of in the arm.
    for (x, far) in [(1.85, Some("650.00 mm")), (1.15, None)] {
        let cell = format!(
            "[[robot]]\nurdf = \"rod.urdf\"\n[[obstacle]]\nname = \"part\"\nattached_to = \"rod/arm\"\n\
             xyz = [{x}, 0, 0]\nshape = {{ type = \"sphere\", radius = 0.1 }}\n\
             [[obstacle]]\nname = \"wall\"\nxyz = [0, 5, 0]\nshape = {{ type = \"sphere\", radius = 0.1 }}\n"
        );
        std::fs::write(folder.join("held.toml"), cell).unwrap();
        let said = text(&run(&folder, &["info", "held.toml"]).stderr);
        let words = "note: world/part is attached to rod/arm and";
        assert_eq!(said.contains(words), far.is_some(), "{said}");
        assert!(
            far.is_none_or(|far| said.contains(&format!("{words} {far} away from all that it may touch"))),
            "{said}"
        );
    }
    // So is one that is attached where it lies.
    let cell = "[[robot]]\nurdf = \"rod.urdf\"\n[[obstacle]]\nname = \"part\"\nmovable = true\n\
        xyz = [1.85, 0, 0]\nshape = { type = \"sphere\", radius = 0.1 }\n";
    std::fs::write(folder.join("lies.toml"), cell).unwrap();
    let (_, _, said) = checked(&folder, "lies.toml", &["--attach", "part=rod/arm"]);
    assert!(
        said.contains("world/part is attached to rod/arm and 650.00 mm away from all that it may"),
        "{said}"
    );
    let (_, _, said) = checked(&folder, "lies.toml", &[]);
    assert!(!said.contains("away from all"), "{said}");
}
