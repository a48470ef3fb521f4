//! Motions as JSON lines: samples, events between them, and what is wrong with either.

use crate::support::refused;
use elbowroom::describe::{PlacedShape, ShapeDescription};
use elbowroom::math::{Mat3, Transform, vec3};
use elbowroom::world::Follows;
use elbowroom_files::motion::event::{Change, Event};
use elbowroom_files::motion::{Joints, Motion, load_motion_from, read_motion};
use elbowroom_files::source::InMemory;
use elbowroom_files::{Faults, Loaded, Options};
use std::path::{Path, PathBuf};

const NAMES: [&str; 3] = ["l/a", "l/b", "r/b"];

fn loaded(text: &str, ignore: bool) -> Result<Loaded<Motion>, Faults> {
    let files = InMemory([(PathBuf::from("/m.jsonl"), text.as_bytes().to_vec())].into());
    let options = Options { ignore_unknown_columns: ignore, ..Options::default() };
    let mimics = [("l/twin".to_string(), Follows { value: 0, scale: 2.0, offset: 0.0 })];
    let joints = Joints { names: &NAMES.map(String::from), mimics: &mimics, ..Joints::default() };
    load_motion_from(&files, Path::new("/m.jsonl"), joints, &options)
}

fn motion(text: &str) -> Motion {
    loaded(text, false).unwrap_or_else(|faults| panic!("{text}\n{faults}")).value
}

#[test]
fn samples_in_order_and_by_name() {
    let rows = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.5]];
    for text in [
        "{\"t\": 0, \"q\": [1, 2, 3]}\n{\"t\": 0.1, \"q\": [4, 5, 6.5]}\n",
        "\u{feff}\r\n{\"q\":{\"a\":1,\"l/b\":2,\"r/b\":3},\"t\":0}\r\n\r\n{\"t\":1e-1,\"q\":[4,5,6.5]}",
        "{\"t\":0,\"q\":{\"r/b\":3,\"l/b\":2,\"l/a\":1,\"twin\":2}}\n{\"t\":0.1,\"q\":[4,5,6.5]}",
    ] {
        let read = motion(text);
        assert_eq!((&read.rows[..], &read.t), (&rows.map(Vec::from)[..], &Some(vec![0.0, 0.1])), "{text}");
        assert!(read.events.is_empty());
    }
    let read = motion("{\"q\": [1, 2, 3]}\n\n{\"q\": [4, 5, 6.5]}\n");
    assert_eq!((read.t, read.lines), (None, vec![1, 3]));
    let extra = "{\"q\": {\"a\": 1, \"l/b\": 2, \"r/b\": 3, \"note\": 4}}";
    assert_eq!(loaded(extra, true).unwrap().value.rows, [[1.0, 2.0, 3.0]]);
    // What begins with an object is read so whatever it is called.
    let files = InMemory([(PathBuf::from("/m"), b"{\"q\": [1, 2, 3]}".to_vec())].into());
    let joints = Joints { names: &NAMES.map(String::from), mimics: &[], ..Joints::default() };
    let read = load_motion_from(&files, Path::new("/m"), joints, &Options::default());
    assert_eq!(read.unwrap().value.rows, [[1.0, 2.0, 3.0]]);
}

#[test]
fn events_keep_their_order_and_place() {
    let text = r#"{"place": {"name": "world/part", "xyz": [1, 2, 3], "rpy": [0, 0, 0]}}
{"t": 0, "q": [0, 0, 0]}
{"t": 0.5, "attach": {"name": "part", "attached_to": "l/tool", "touch": ["l/a", "r/b"]}}
{"allow": {"a": "part", "b": "r/b", "reason": "it slides"}}

{"t": 1, "q": [1, 1, 1]}
{"detach": {"name": "part"}}
{"hide": {"name": "part"}}
{"show": {"name": "part"}}
{"forbid": {"a": "part", "b": "r/b"}}
{"place": {"name": "part", "pose": [1, 2, 3, 0, 0, 0, 2]}}
{"place": {"name": "part", "quat_wxyz": [1, 0, 0, 0]}}
{"open": {"name": "lid", "value": -1.5}}
{"close": {"name": "lid"}}
{"fill": {"name": "part", "shape": {"type": "box", "size": [1, 2, 3], "xyz": [0, 0, 1], "padding": 0.5}}}
{"empty": {"name": "part"}}
"#;
    let name = || "part".to_string();
    let filled = PlacedShape {
        name: String::new(),
        shape_in_body: Transform::from_translation(vec3(0.0, 0.0, 1.0)),
        shape: ShapeDescription::Box { size: [1.0, 2.0, 3.0] },
        padding: 0.5,
    };
    let placed = |rotation, at| Change::Place { name: name(), pose: Transform::new(rotation, at) };
    let half_turn = Mat3::from_quat_wxyz([0.0, 0.0, 0.0, 1.0]).unwrap();
    let expected = [
        (
            1,
            0,
            Change::Place { name: "world/part".into(), pose: Transform::from_translation(vec3(1., 2., 3.)) },
        ),
        (
            3,
            1,
            Change::Attach {
                name: name(),
                attached_to: "l/tool".into(),
                touch: vec!["l/a".into(), "r/b".into()],
            },
        ),
        (4, 1, Change::Allow { a: name(), b: "r/b".into(), reason: Some("it slides".into()) }),
        (7, 2, Change::Detach { name: name() }),
        (8, 2, Change::Hide { name: name() }),
        (9, 2, Change::Show { name: name() }),
        (10, 2, Change::Forbid { a: name(), b: "r/b".into() }),
        (11, 2, placed(half_turn, vec3(1.0, 2.0, 3.0))),
        (12, 2, placed(Mat3::IDENTITY, vec3(0.0, 0.0, 0.0))),
        (13, 2, Change::Open { name: "lid".into(), value: -1.5 }),
        (14, 2, Change::Close { name: "lid".into() }),
        (15, 2, Change::Fill { name: name(), shape: Box::new(filled) }),
        (16, 2, Change::Empty { name: name() }),
    ]
    .map(|(line, sample, change)| Event { change, line, sample });
    let read = motion(text);
    assert_eq!(read.events, expected);
    assert_eq!((read.t, read.lines), (Some(vec![0.0, 1.0]), vec![2, 6]));
}

#[test]
fn what_is_wrong_is_told_with_its_line() {
    for (text, words) in [
        ("", &["has no sample"][..]),
        ("\n{\"hide\": {\"name\": \"part\"}}\n", &["has no sample"]),
        (
            "{\"q\": [1, 2]}",
            &["line 1, sample 0: q has 2 values, the model has 3; the order is l/a, l/b, r/b"],
        ),
        ("{\"q\": [1, 2, null]}", &["line 1, sample 0: q: the value of \"r/b\" is not a finite number"]),
        ("{\"q\": [1, 2, NaN]}", &["line 1: is not JSON: expected value at column"]),
        ("{\"q\": [1, 2, 1e999]}", &["line 1: is not JSON: a number is out of range at column"]),
        ("{\"q\": 3}", &["q is neither a list nor an object"]),
        ("[1, 2, 3]", &["line 1: is not a JSON object; write {\"q\": [...]} or an event"]),
        ("{\"q\": [1, 2, 3]", &["line 1: is not JSON: EOF"]),
        ("{\"t\": 1}", &["line 1: holds neither a pose, q, nor an event"]),
        ("{\"q\": [1, 2, 3], \"Q\": 1}", &["the key \"Q\" is unknown here; did you mean \"q\"?"]),
        ("{\"q\": [1, 2, 3], \"q\": [1, 2, 3]}", &["the key \"q\" comes twice"]),
        ("{\"t\": \"0\", \"q\": [1, 2, 3]}", &["t is not a finite number"]),
        (
            "{\"q\": {\"a\": 1, \"b\": 2, \"r/b\": 3}}",
            &["\"b\" is a joint of several robots; write robot/joint"],
        ),
        (
            "{\"q\": {\"a\": 1, \"l/a\": 2, \"r/b\": 3}}",
            &["\"l/a\" is given a second time", "no value for l/b"],
        ),
        (
            "{\"q\": {\"a\": 1, \"l/c\": 2, \"r/b\": 3}}",
            &["\"l/c\" is not a joint of this model; did you mean"],
        ),
        (
            "{\"q\": {\"a\": 1, \"l/b\": 2, \"r/b\": 3, \"twin\": 3}}",
            &["line 1, sample 0: mimic joint \"l/twin\" is 3, but 2 * 1 (\"l/a\") + 0 gives 2"],
        ),
        (
            "{\"q\": [1, 2, 3], \"hide\": {\"name\": \"part\"}}",
            &["line 1, sample 0: holds a pose and an event, hide; give each a line of its own"],
        ),
        (
            "{\"hide\": {\"name\": \"a\"}, \"show\": {\"name\": \"b\"}}",
            &["line 1: holds 2 events: hide, show; give each a line of its own"],
        ),
        ("{\"attach\": {\"name\": \"part\"}}", &["line 1, attach: attached_to is missing"]),
        ("{\"attach\": \"part\"}", &["line 1, attach: is not a table of keys and values"]),
        (
            "{\"attach\": {\"name\": \"part\", \"to\": \"l/a\", \"attached_to\": \"\", \"touch\": [1]}}",
            &[
                "the key \"to\" is unknown here",
                "attached_to is empty",
                "touch holds something that is not text",
            ],
        ),
        ("{\"detach\": {\"name\": 3}}", &["line 1, detach: name is not text"]),
        ("{\"open\": {}}", &["line 1, open: name is missing", "line 1, open: value is missing; give"]),
        ("{\"close\": {\"name\": \"a\", \"value\": 1}}", &["close: the key \"value\" is unknown here"]),
        ("{\"place\": {\"name\": \"part\"}}", &["line 1, place: has no pose; give pose: [x, y, z, qw"]),
        ("{\"place\": {\"name\": \"part\", \"pose\": [1, 2, 3]}}", &["pose is not 7 finite numbers"]),
        (
            "{\"place\": {\"name\": \"p\", \"pose\": [1, 2, 3, 0, 0, 0, 0]}}",
            &["the quaternion of pose is zero"],
        ),
        (
            "{\"place\": {\"name\": \"p\", \"pose\": [0, 0, 0, 1, 0, 0, 0], \"xyz\": [1, 2, 3]}}",
            &["pose is given beside xyz"],
        ),
        ("{\"place\": {\"xyz\": [1, 2]}}", &["place: name is missing", "place: xyz is not 3 finite numbers"]),
        ("{\"allow\": {\"a\": \"part\"}}", &["line 1, allow: b is missing"]),
        ("{\"fill\": {\"shape\": 3}}", &["line 1, fill: name is missing", "fill, shape: is not a shape"]),
        ("{\"fill\": {\"name\": \"part\"}}", &["line 1, fill: shape is missing; give shape: {\"type\""]),
        (
            "{\"fill\": {\"name\": \"part\", \"shape\": {\"type\": \"box\", \"size\": [1, 2]}}}",
            &["line 1, fill, shape: size is not 3 finite numbers"],
        ),
        (
            "{\"fill\": {\"name\": \"part\", \"shape\": {\"type\": \"mesh\", \"file\": \"no.stl\"}}}",
            &["line 1, fill, shape: the file \"no.stl\" does not exist"],
        ),
        ("{\"empty\": {}}", &["line 1, empty: name is missing"]),
        (
            "{\"forbid\": {\"a\": \"x\", \"b\": \"y\", \"reason\": \"z\"}}",
            &["the key \"reason\" is unknown here"],
        ),
        (
            "{\"t\": 0, \"q\": [1, 2, 3]}\n{\"q\": [1, 2, 3]}",
            &["line 2, sample 1: has no t, but others have; give t to all samples, or to none"],
        ),
    ] {
        refused(text, loaded(text, false), words);
    }
    // All of them at once, and no more than a bound.
    let text = "{\"q\": [1]}\n{\"hide\": {}}\nx\n{\"q\": [1, 2, 3]}\n";
    let faults = refused("several", loaded(text, false), &["line 1, sample 0", "line 2, hide", "line 3"]);
    assert_eq!(faults.0.len(), 3, "{faults}");
    let many = "{}\n".repeat(100_000);
    refused(
        "many",
        loaded(&many, false),
        &["line 1, and 99999 more times: holds neither a pose, q, nor an event"],
    );
    let many: String = (0..2000).map(|k| format!("{{\"k{k}\": 1}}\n")).collect();
    refused("many kinds", loaded(&many, false), &["not listed: "]);
}

#[test]
fn time_that_runs_backwards_is_a_warning() {
    let text = r#"{"t": 1, "q": [1, 2, 3]}
{"t": 0.5, "hide": {"name": "part"}}
{"t": 2, "q": [1, 2, 3]}"#;
    let back = loaded(text, false).unwrap();
    assert_eq!((back.value.rows.len(), back.value.events.len(), back.warnings.len()), (2, 1, 1));
    let said = back.warnings[0].to_string();
    assert!(said.contains("line 2: time runs backwards at 1 line: here from 1 to 0.5 s"), "{said}");
}

#[test]
fn what_could_be_read_of_a_faulty_motion_is_there() {
    let path = crate::support::folder("jsonl").join("m.jsonl");
    std::fs::write(&path, "{\"q\": [1, 2, 3]}\n{\"q\": [1, \"x\", 3]}\n").unwrap();
    let joints = Joints { names: &NAMES.map(String::from), mimics: &[], ..Joints::default() };
    let (_, motion) = read_motion(&path, joints, &Options::default()).unwrap_err();
    assert_eq!((motion.rows.len(), &motion.rows[0]), (2, &vec![1.0, 2.0, 3.0]));
    assert!(motion.rows[1][1].is_nan() && motion.rows[1][2] == 3.0);
}

#[test]
fn recordings_are_named_as_what_they_are() {
    let record = "{\"elbowroom_record\":2,\"world\":\"cell.toml\",\"fingerprint\":\"1f\"}\n\
                  {\"in\":\"{}\",\"out\":{}}\n";
    let input = "{\"t\": 0, \"robot\": \"left\", \"q\": [0, 1]}\n".repeat(1000);
    for (text, words) in [
        (record, "is a record of the monitor, and no list of poses; elbowroom replay FILE repeats it"),
        (
            &input,
            "is input of the monitor, and no list of poses; elbowroom monitor WORLD --input FILE answers it",
        ),
        ("{\"t\": 0, \"intent\": {\"arm\": \"left\"}}\n", "is input of the monitor"),
        ("#ROSBAG V2.0\n", "is a bag of ROS, and no list of poses; print its trajectory"),
    ] {
        let faults = refused(words, loaded(text, false), &[words]);
        assert_eq!(faults.0.len(), 1, "{faults}");
    }
}
