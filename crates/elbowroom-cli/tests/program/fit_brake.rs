//! `fit-brake`: recorded stops in, a brake out.

use crate::support::schema::Schema;
use crate::support::{folder, lines, run, text};

#[test]
fn stops_are_fitted() {
    let folder = folder("fit_brake");
    std::fs::write(folder.join("stops.csv"), "load,speed,way\n1,0.5,0.06\n2,1,0.10\n1, 1.5, 0.16\n").unwrap();
    let out = run(&folder, &["fit-brake", "stops.csv", "--beyond", "0.01", "--out", "stops.svg"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
    let told = text(&out.stdout);
    // The means are 1 and 0.32 / 3; the slope is (0.16 - 0.06) / (1.5 - 0.5).
    assert!(told.contains("way = 0.006667 + 0.100000 speed"), "{told}");
    let brake = told.lines().find(|line| line.starts_with("brake = ")).unwrap();
    assert!(std::fs::read_to_string(folder.join("stops.svg")).unwrap().contains("</svg>"));

    let out = run(&folder, &["fit-brake", "stops.csv", "--beyond", "0.01", "--json", "-"]);
    let answers = lines(&out.stdout);
    let [answer] = &answers[..] else { panic!("{}", text(&out.stdout)) };
    let mut schema = Schema::read("fit-brake");
    // What it has beside that comes of records: see the monitor's tests.
    schema.check(answer);
    assert_eq!(answer["brake"], brake);
    let envelope = |speed: f64| {
        let of = |key: &str| answer["envelope"][key].as_f64().unwrap();
        of("offset") + of("slope") * speed
    };
    assert!(envelope(0.5) >= 0.06 - 1e-15 && envelope(1.5) >= 0.16 - 1e-15, "{answer}");

    // What is printed can be pasted: the guard of the cell takes it.
    let robots = concat!(env!("CARGO_MANIFEST_DIR"), "/../../robots/rrc_cell");
    for file in ["cell.toml", "rrc_k1207i.urdf"] {
        std::fs::copy(format!("{robots}/{file}"), folder.join(file)).unwrap();
    }
    let cell = std::fs::read_to_string(folder.join("cell.toml")).unwrap();
    let old = cell.lines().find(|line| line.starts_with("brake = ")).unwrap();
    std::fs::write(folder.join("cell.toml"), cell.replace(old, brake)).unwrap();
    std::fs::write(folder.join("none.jsonl"), "").unwrap();
    let out = run(&folder, &["monitor", "cell.toml", "--input", "none.jsonl"]);
    assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
}

#[test]
fn degrees_are_doubted() {
    let folder = folder("fit_brake_degrees");
    let warned = |log: &str| {
        std::fs::write(folder.join("stops.csv"), log).unwrap();
        let out = run(&folder, &["fit-brake", "stops.csv"]);
        assert_eq!(out.status.code(), Some(0), "{log}: {}", text(&out.stderr));
        text(&out.stderr)
    };
    let told = warned("speed,way\n30,2\n60,4\n90,7\n");
    let words = "warning: stops.csv: the fastest stop is from 90 rad/s (or m/s), which no joint does: if \
                 speeds and ways are degrees, divide both by 57.29578";
    assert!(told.contains(words), "{told}");
    let told = warned("speed,way\n10,1\n20,3\n40,8\n");
    assert!(told.contains("the longest stop takes 8 rad (or m), which no joint does"), "{told}");
    // The fastest joint of a small arm, and a gantry.
    assert_eq!(warned("speed,way\n15,0.6\n30,1.6\n45,3.1\n"), "");
    assert_eq!(warned("speed,way\n1,0.2\n3,0.9\n5,2\n"), "");
}

#[test]
fn faults_are_told_at_once() {
    let folder = folder("fit_brake_faults");
    let ask = |log: &str, more: &[&str]| {
        std::fs::write(folder.join("stops.csv"), log).unwrap();
        let out = run(&folder, &[&["fit-brake", "stops.csv"], more].concat());
        assert_eq!((out.status.code(), text(&out.stdout)), (Some(2), String::new()), "{log}");
        text(&out.stderr)
    };
    let told = ask("speed,way\n0.5,x\n1,0.1\n-1,NaN\n2\n", &[]);
    for fault in ["line 2: way is \"x\"", "line 4: speed is \"-1\"", "line 4: way is \"NaN\"", "line: 5"] {
        assert!(told.contains(fault), "{fault}: {told}");
    }
    assert!(ask("v,way\n1,2\n", &[]).contains("no columns speed and way"));
    assert!(ask("speed,way\n1,0.1\n1,0.1\n1,0.1\n", &[]).contains("all stops were at one speed"));
    assert!(ask("speed,way\n1,0.1\n", &[]).contains("record three or more"));
    assert!(ask("", &[]).contains("no columns"));
    assert!(ask("speed,way\n1,0.1\n2,0.2\n3,0.3\n", &["--beyond", "NaN"]).contains("--beyond"));
}
