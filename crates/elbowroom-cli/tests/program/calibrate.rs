//! `elbowroom calibrate`: offsets from contacts, what is wrong with them, and what is refused.

use crate::support::schema::Schema;
use crate::support::{PROBE, folder, lines, run, text};
use std::path::{Path, PathBuf};

/// A ball of 3 cm that slides towards a wall, which it meets at 0.47 m.
const WALL: &str = "[[robot]]\nname = \"arm\"\nurdf = \"probe.urdf\"\n[[obstacle]]\nname = \"wall\"\n\
    xyz = [0.6, 0, 1]\nshape = { type = \"box\", size = [0.2, 1, 1] }\n";

fn probe_folder(test: &str) -> PathBuf {
    let folder = folder(test);
    std::fs::write(folder.join("probe.urdf"), PROBE).unwrap();
    std::fs::write(folder.join("wall.toml"), WALL).unwrap();
    folder
}

fn write_contacts(folder: &Path, readings: &[f64]) {
    let line = |(k, q): (usize, &f64)| {
        format!("{{\"name\": \"touch {}\", \"a\": \"probe\", \"b\": \"world/wall\", \"q\": [{q}]}}\n", k + 1)
    };
    let lines: String = readings.iter().enumerate().map(line).collect();
    std::fs::write(folder.join("contacts.jsonl"), lines).unwrap();
}

#[test]
fn a_slide_is_calibrated_and_a_wrong_contact_is_named() {
    let folder = probe_folder("calibrate_slide");
    let ask = |more: &[&str]| {
        run(&folder, &[&["calibrate", "wall.toml", "--contacts", "contacts.jsonl"], more].concat())
    };
    // The readings are 2 mm short.
    write_contacts(&folder, &[0.468, 0.46803, 0.46797]);
    let out = ask(&[]);
    let said = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{said}{}", text(&out.stderr));
    assert!(said.contains("arm/slide") && said.contains("2.000 mm"), "{said}");
    assert!(said.contains("3 of 3 contacts count, for 1 joint"), "{said}");
    assert!(said.contains("next: arm/probe - world/wall near 0."), "{said}");

    // Surfaces touch, not their padding, unless it is asked for.
    let padded = ask(&["--padding", "0.001", "--next", "0"]);
    assert!(text(&padded.stdout).contains("1.000 mm"), "{}", text(&padded.stdout));

    write_contacts(&folder, &[0.468, 0.46803, 0.46797, 0.463]);
    let out = ask(&["--next", "0"]);
    let said = text(&out.stdout);
    assert_eq!(out.status.code(), Some(1), "{said}");
    assert!(said.contains("touch 4 (line 4, arm/probe - world/wall) is wrong: its bodies are 5.0"), "{said}");

    write_contacts(&folder, &[0.468, 0.464]);
    let said = text(&ask(&["--next", "0"]).stdout);
    assert!(
        said.contains("touch 1 (line 1, arm/probe - world/wall) contradicts touch 2: no other"),
        "{said}"
    );
    assert!(said.contains("1 joint is not determined: no contact counts"), "{said}");
    assert!(said.contains("no contact says how far arm/slide is off"), "{said}");

    write_contacts(&folder, &[0.46, 0.46001]);
    let said = text(&ask(&["--next", "0"]).stdout);
    assert!(said.contains("5.000 mm") && said.contains("at its bound"), "{said}");
    let out = ask(&["--next", "0", "--offset", "slide=0.008", "--bound", "slide=0.004"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stdout));
}

#[test]
fn the_object_is_as_its_schema_says() {
    let folder = probe_folder("calibrate_json");
    let mut schema = Schema::read("calibrate");
    for readings in [&[0.468, 0.46803, 0.46797, 0.463][..], &[0.468, 0.464]] {
        write_contacts(&folder, readings);
        let out = run(&folder, &["calibrate", "wall.toml", "--contacts", "contacts.jsonl", "--json", "-"]);
        let told = lines(&out.stdout);
        assert_eq!((told.len(), out.status.code()), (1, Some(1)), "{}", text(&out.stderr));
        schema.check(&told[0]);
    }
    schema.all_seen();
    let mut contact = Schema::read("contact");
    let line = r#"{"name": "x", "a": "probe", "b": "wall", "q": {"slide": 0.1}, "within": 0.001}"#;
    contact.check(&serde_json::from_str(line).unwrap());
    contact.all_seen();
}

#[test]
fn all_faults_of_contacts_come_at_once() {
    let folder = probe_folder("calibrate_refused");
    let wrong = [
        r#"{"a": "prob", "b": "wall", "q": [0.1]}"#,
        r#"{"a": "probe", "b": "base", "q": [0.1]}"#,
        r#"{"a": "probe", "b": "wall", "q": {"slid": 0.1}}"#,
        r#"{"a": "probe", "b": "wall", "q": [90]}"#,
        r#"{"a": "probe", "b": "wall"}"#,
        r#"{"name": "n", "a": "probe", "b": "wall", "q": [0.1], "within": -1, "withn": 1}"#,
        r#"{"name": "n", "a": "probe", "b": "wall", "q": [0.1]}"#,
        r#"{"name": "n", "a": "probe", "b": "wall", "q": [0.2]}"#,
        "[1]",
        "nonsense",
    ];
    std::fs::write(folder.join("contacts.jsonl"), wrong.join("\n")).unwrap();
    let out = run(&folder, &["calibrate", "wall.toml", "--contacts", "contacts.jsonl"]);
    let said = text(&out.stderr);
    assert_eq!((out.status.code(), out.stdout.len()), (Some(2), 0), "{said}");
    for words in [
        "contacts.jsonl: line 1: a: there is no body \"prob\"; did you mean \"arm/probe\"?",
        "line 2: arm/probe and arm/base are not checked against each other",
        "line 3: \"slid\" is not a joint of this model; did you mean \"arm/slide\"?",
        "line 4: \"arm/slide\" reads 90, and its limits are -9 to 9",
        "line 5: q is missing",
        "line 6: within is -1, below zero",
        "line 6: the key \"withn\" is unknown here; did you mean \"within\"?",
        "line 8: the name \"n\" is that of line 7",
        "line 9: is not a JSON object",
        "line 10: is not JSON",
        "the contacts are refused",
    ] {
        assert!(said.contains(words), "{words}\n{said}");
    }
}

#[test]
fn options_that_make_no_sense_are_refused() {
    let folder = probe_folder("calibrate_options");
    write_contacts(&folder, &[0.468]);
    for (more, words) in [
        (&["--fixed", "slid"][..], "--fixed slid: there is no such joint value; did you mean \"arm/slide\"?"),
        (&["--fixed", "slide"], "no joint is left"),
        (&["--noise", "slide=-1"], "--noise -1: give zero or more"),
        (&["--noise", "slide=x"], "`x` is not a finite number"),
        (&["--offset", "0.1"], "say of which joint"),
        (&["--bound", "slide=0"], "that of arm/slide is zero"),
        (&["--bound", "slide=1,slide=2"], "stands there twice"),
        (&["--json", "contacts.jsonl"], "--json would write over the contacts"),
        (&["--next", "101"], "101 is not in 0..=100"),
    ] {
        let ask = ["calibrate", "wall.toml", "--contacts", "contacts.jsonl"];
        let out = run(&folder, &[&ask[..], more].concat());
        assert_eq!(out.status.code(), Some(2), "{more:?}");
        assert!(text(&out.stderr).contains(words), "{}", text(&out.stderr));
    }
}

#[test]
fn the_offsets_that_were_found_are_what_a_world_adds() {
    let folder = probe_folder("calibrate_out");
    let ask = |world: &str, more: &[&str]| {
        let all = ["calibrate", world, "--contacts", "contacts.jsonl", "--next", "0"];
        run(&folder, &[&all[..], more].concat())
    };
    let kept = |name: &str| std::fs::read_to_string(folder.join(name)).ok();
    let _ = std::fs::remove_file(folder.join("offsets.toml"));
    // The readings are 2 mm short.
    write_contacts(&folder, &[0.468, 0.46803, 0.46797]);
    let out = ask("wall.toml", &["--out", "offsets.toml"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    assert!(text(&out.stdout).contains("2.000 mm"));
    let table = kept("offsets.toml").unwrap();
    let offset = |table: &str| {
        let line = table.lines().find_map(|line| line.strip_prefix("\"arm/slide\" = "));
        line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap()
    };
    assert!((offset(&table) - 0.002).abs() < 1e-6, "{table}");
    assert!(table.contains("from 3 of 3 contacts") && table.contains(" m\n"), "{table}");

    // With it the ball touches the wall where it was read to touch it, and nothing is left to find.
    let at = |world: &str| {
        let (_, lines, said) = crate::support::checked(&folder, world, &["--at", "0.468"]);
        lines.first().and_then(|line| line["distance"].as_f64()).unwrap_or_else(|| panic!("{said}"))
    };
    std::fs::write(folder.join("mended.toml"), format!("offsets = \"offsets.toml\"\n{WALL}")).unwrap();
    assert!(
        (at("wall.toml") - 0.002).abs() < 1e-9 && at("mended.toml").abs() < 2e-5,
        "{}",
        at("mended.toml")
    );
    let out = ask("mended.toml", &["--out", "-"]);
    let again = text(&out.stdout);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    // What the world has already is in it, and nothing else goes to standard output.
    assert!(again.starts_with("# What is added") && (offset(&again) - 0.002).abs() < 1e-6, "{again}");
    let out = ask("mended.toml", &[]);
    assert!(text(&out.stdout).contains("0.000 mm"), "{}", text(&out.stdout));

    // A joint that is not determined keeps what is known of it, and says so.
    write_contacts(&folder, &[0.468, 0.464]);
    let out = ask("mended.toml", &["--out", "open.toml"]);
    assert_eq!(out.status.code(), Some(1));
    let table = kept("open.toml").unwrap();
    assert!((offset(&table) - 0.002).abs() < 1e-6, "{table}");
    assert!(table.contains("  # not determined by these contacts"), "{table}");
    // Four against four: none is called wrong, all are named, and of many others only the first.
    write_contacts(&folder, &[0.468, 0.46801, 0.46799, 0.46802, 0.464, 0.46401, 0.46399, 0.46402]);
    let out = ask("wall.toml", &[]);
    let said = text(&out.stdout);
    assert_eq!(
        (out.status.code(), said.matches(" and 2 more: no other contact").count()),
        (Some(1), 8),
        "{said}"
    );
    assert!(said.contains("0 of 8 contacts count") && said.contains("no contact counts"), "{said}");
    assert!(!said.contains("all others say zero"), "{said}");
    let out = ask("wall.toml", &["--out", "wall.toml"]);
    assert_eq!(out.status.code(), Some(2));
    assert!(text(&out.stderr).contains("--out would write over the world"), "{}", text(&out.stderr));
}
