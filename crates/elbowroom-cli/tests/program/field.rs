//! Fields of pairs: `elbowroom field`, its picture, its table and its file.

use crate::support::schema::Schema;
use crate::support::{folder, lines, run, text};
use elbowroom::World;
use elbowroom::motion::FieldState;
use elbowroom_files::field::read_field;

const POST: &str = "<img src=x onerror=alert(1)>";

#[test]
fn a_field_is_drawn_listed_and_read_again() {
    let folder = folder("field");
    let ask = |more: &[&str]| {
        let out = run(&folder, &[&["field", "cell.toml", "--pair", "arm", POST], more].concat());
        // The rod hits the post at some values.
        assert_eq!(out.status.code(), Some(1), "{}", text(&out.stderr));
        out
    };
    let out = ask(&["--svg", "a.svg", "--csv", "a.csv", "--out", "a.field", "--cells", "1000"]);
    let said = text(&out.stdout);
    assert!(said.contains("rod/turn: -114.59 deg to 114.59 deg, 1024 cells"), "{said}");
    assert!(said.contains("free by more than 50.00 mm"), "{said}");
    // Steps of a degree over 229 degrees.
    assert!(said.contains("all 1 joint values, by degrees and millimetres: 2.29e2 poses"), "{said}");

    let mut schema = Schema::read("field");
    let told = lines(&ask(&["--json", "-"]).stdout);
    schema.check(&told[0]);
    assert!(told[0]["line"].is_null() && !said.contains("a straight line"), "one joint has no line: {said}");
    let [free, overlap, open] = ["free", "overlap", "open"].map(|word| told[0][word].as_f64().unwrap());
    assert!(free > 0.5 && overlap > 0.1 && open < 0.1 && (free + overlap + open - 1.0).abs() < 1e-12);

    // The file has what the table says, and so the picture: names in it are no markup.
    let loaded = elbowroom_files::load(folder.join("cell.toml")).unwrap();
    let world = World::compile(&loaded.value).unwrap();
    let bytes = std::fs::read(folder.join("a.field")).unwrap();
    let field = read_field("a.field".as_ref(), &bytes, &world).unwrap();
    let table = std::fs::read_to_string(folder.join("a.csv")).unwrap();
    let mut rows = table.lines();
    assert_eq!(rows.next(), Some("rod/turn from,rod/turn to,state"));
    let mut last = -2.1;
    for row in rows {
        let cells: Vec<&str> = row.split(',').collect();
        let [from, to] = [0, 1].map(|k| cells[k].parse::<f64>().unwrap());
        let word = match field.state_at(&[0.5 * (from + to)]) {
            FieldState::Free => "free",
            FieldState::Overlap => "overlap",
            FieldState::Open => "open",
        };
        assert!(cells[2] == word && from < to && from >= last, "{row}");
        last = to;
    }
    let svg = std::fs::read_to_string(folder.join("a.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("&lt;img") && !svg.contains("<img"), "{svg}");

    // What is spoilt, cut off or of another world is refused.
    for (spoil, word) in
        [(0, "cut off or spoilt"), (1, "cut off or spoilt"), (2, "this is no file of a field")]
    {
        let mut bytes = bytes.clone();
        match spoil {
            0 => *bytes.last_mut().unwrap() ^= 1,
            1 => bytes.truncate(bytes.len() - 8),
            _ => bytes[0] = b'[',
        }
        let refused = read_field("a.field".as_ref(), &bytes, &world).unwrap_err();
        assert!(refused.0[0].what.contains(word), "{refused}");
    }
    let mut other = loaded.value.clone();
    other.obstacles[0].pose.translation.x += 1e-9;
    let other = World::compile(&other).unwrap();
    let refused = read_field("a.field".as_ref(), &bytes, &other).unwrap_err();
    assert!(refused.0[0].what.contains("it was proved for the world"), "{refused}");
}

#[test]
fn a_pair_without_a_field_is_refused_by_name() {
    let folder = folder("field_refused");
    for (more, words) in [
        (&["--pair", "arm", "base"][..], "two different bodies with shapes have a field"),
        (&["--pair", "arm", "arn"], "--pair arn: there is no such body; did you mean"),
        (
            &["--pair", "arm", POST, "--joints", "trun"],
            "--joints trun: what lies between the two bodies is rod/turn",
        ),
        (&["--pair", "arm", POST, "--joints", "turn,turn"], "--joints turn: it is there twice"),
        (&["--pair", "arm", POST, "--svg", "no/such/a.svg"], "no/such/a.svg cannot be written"),
        (&["--pair", "arm", POST, "--csv", "a", "--out", "a"], "--csv"),
        (&["--pair", "arm", POST, "--cells", "7"], "7 is not in 8..="),
    ] {
        let out = run(&folder, &[&["field", "cell.toml"], more].concat());
        assert_eq!(out.status.code(), Some(2), "{more:?}");
        assert!(text(&out.stderr).contains(words), "{}", text(&out.stderr));
    }
}
