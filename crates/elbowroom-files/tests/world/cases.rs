//! `distance` cases: what they mean, and what is wrong with them.

use elbowroom::describe::ShapeDescription;
use elbowroom_files::cases::parse_case;

#[test]
fn cases_are_read_or_answered_with_their_id() {
    let text = [
        r#"{"id":[1,"x"],"note":{},"a":{"type":"sphere","radius":1,"padding":0.5},"colour":"red","#,
        r#""b":{"type":"convex","vertices":[[0,0,0]]},"pose_a":{"xyz":[1,2,3],"quat_wxyz":[0,0,0,2]}}"#,
    ];
    let case = parse_case(&text.concat()).unwrap();
    assert_eq!(case.id, r#"[1,"x"]"#);
    assert_eq!(case.a, (ShapeDescription::Sphere { radius: 1.0 }, 0.5));
    assert_eq!(case.pose_a.rotation.cols[0].x, -1.0);
    assert_eq!(case.pose_b, elbowroom::math::Transform::IDENTITY);
    let sphere = r#"{"type":"sphere","radius":1}"#;
    for (a, words) in [
        ("1", "a: is not a shape"),
        ("{}", "a: type is missing"),
        (r#"{"type":"ball"}"#, "\"ball\" is unknown"),
        (r#"{"type":"sphere"}"#, "a: radius is missing"),
        (r#"{"type":"sphere","radius":"1"}"#, "radius is not a finite number"),
        (r#"{"type":"sphere","radius":-1}"#, "radius is -1, below zero; give metres from 1e-12 to 1e9"),
        (
            r#"{"type":"cone","radius":0,"length":0}"#,
            "radius is 0, too small; give metres from 1e-12 to 1e9 | a: length is 0",
        ),
        (r#"{"type":"capsule","radius":0,"length":0}"#, "radius is 0, too small"),
        (r#"{"type":"sphere","radius":1,"padding":-1}"#, "padding is -1"),
        (r#"{"type":"box","size":[1,2]}"#, "size is not 3 finite numbers"),
        (r#"{"type":"convex","vertices":[]}"#, "vertices are missing"),
        (r#"{"type":"convex","vertices":[[1,2]]}"#, "vertex 0 is not three"),
        (
            r#"{"type":"sphere","radius":1,"paddding":0.5}"#,
            "the key \"paddding\" is unknown here; did you mean \"padding\"? known keys: type, padding, \
             radius",
        ),
        (r#"{"type":"box","size":[1,2,3],"radius":1}"#, "known keys: type, padding, size"),
        (r#"{"type":"mesh","vertices":[[1,2,3]],"triangles":[[0,0,1]]}"#, "triangle 0 is not three indices"),
        (
            r#"{"type":"mesh","vertices":[[1,2,3]],"triangles":[[0,0,0.5]]}"#,
            "triangle 0 is not three indices",
        ),
        (
            r#"{"type":"mesh","vertices":[[1,2,3]],"triangles":[[0,0,0]]}"#,
            "a: the mesh holds 1 degenerate triangle, nothing else",
        ),
    ] {
        let (id, text) = parse_case(&format!("{{\"id\":7,\"a\":{a},\"b\":{sphere}}}")).unwrap_err();
        assert_eq!(id, "7");
        assert!(text.contains(words), "{a}: {text}");
    }
    let (_, text) =
        parse_case(&format!("{{\"a\":{sphere},\"b\":{sphere},\"pose_b\":{{\"quat_wxyz\":[0,0,0,0]}}}}"))
            .unwrap_err();
    assert!(text.contains("pose_b: quat_wxyz is zero"), "{text}");
    let (_, text) =
        parse_case(&format!("{{\"a\":{sphere},\"b\":{sphere},\"pose_b\":{{\"quat\":[1,0,0,0]}}}}"))
            .unwrap_err();
    assert!(text.contains("\"quat\"") && text.contains("known keys: xyz, quat_wxyz"), "{text}");
    for line in ["", "[", "{} {}", "{\"a\":NaN}"] {
        assert!(parse_case(line).unwrap_err().1.contains("is not JSON: "), "{line}");
    }
    // What came before the fault is known.
    let (id, text) = parse_case("{\"id\":\"x\",\"a\":[1,}").unwrap_err();
    assert!(id == "\"x\"" && text.contains("is not JSON: ") && text.contains("column 18"), "{id}: {text}");
    for (line, kind) in [("7", "a number"), ("null", "a single word"), ("[{}]", "a list"), ("\"a\"", "text")]
    {
        let (_, text) = parse_case(line).unwrap_err();
        assert!(text.contains(&format!("is {kind}, not a JSON object")), "{text}");
    }
}

#[test]
fn keys_of_cases_are_ignored_only_where_that_changes_nothing() {
    let sphere = r#"{"type":"sphere","radius":1}"#;
    let read = |more: &str| parse_case(&format!("{{\"id\":7,\"a\":{sphere},\"b\":{sphere},{more}}}"));
    for (more, words) in [
        (r#""pose_B":{"xyz":[9,0,0]}"#, "the key \"pose_B\" is unknown; did you mean \"pose_b\"?"),
        (r#""pose_c":{}"#, "did you mean \"pose_a\"?"),
        (r#""pose b":null"#, "did you mean \"pose_b\"?"),
        (r#""posea":1"#, "did you mean \"pose_a\"?"),
        (r#""A":1"#, "did you mean \"a\"?"),
        (r#""Id":1"#, "did you mean \"id\"?"),
        (r#""a":{"type":"sphere","radius":2}"#, "the key \"a\" comes twice"),
        (r#""pose_b":{},"pose_b":{}"#, "the key \"pose_b\" comes twice"),
        (r#""\u0069d":8"#, "the key \"id\" comes twice"),
        (r#""note":1,"note":2"#, "the key \"note\" comes twice"),
        (r#""pose_b":{"xyz":[0,0,0],"xyz":[9,0,0]}"#, "pose_b: the key \"xyz\" comes twice"),
        (r#""pose_b":{"xyz":[1e999,0,0]}"#, "pose_b: a number is out of range (the largest is 1.79"),
    ] {
        let (id, text) = read(more).unwrap_err();
        assert_eq!(id, "7", "{more}");
        assert!(text.contains(words), "{more}: {text}");
    }
    let twice = r#"{"a":{"type":"sphere","radius":1,"radius":2},"b":1,"pose_a":2,"poze_a":3}"#;
    let (_, text) = parse_case(twice).unwrap_err();
    for words in ["a: the key \"radius\" comes twice", "b: is not a shape", "pose_a: is not a pose", "poze_a"]
    {
        assert!(text.contains(words), "{words}: {text}");
    }
    // Remarks may hold anything, and be called anything else.
    let deep = format!("\"deep\":{}{}", "[".repeat(1000), "]".repeat(1000));
    for more in ["\"note\":1e999", "\"c\":0,\"po\":0", "\"expected\":{\"a\":1,\"a\":2}", &deep, "\"\":0"] {
        assert_eq!(read(more).unwrap().id, "7", "{more}");
    }
    let (id, text) = parse_case(&format!("{{\"id\":1e999,\"a\":{sphere},\"b\":{sphere}}}")).unwrap_err();
    assert!(id == "null" && text.contains("id: a number is out of range"), "{id}: {text}");
}

#[test]
fn an_id_is_kept_to_the_letter() {
    let sphere = r#"{"type":"sphere","radius":1}"#;
    let read = |id: &str| parse_case(&format!("{{{id}\"a\":{sphere},\"b\":{sphere}}}")).unwrap().id;
    for id in [
        "18446744073709551617",
        "-9223372036854775809",
        "1.0000000000000000000001",
        "1e2",
        r#""a\"},\\""#,
        r#"{"id": [1, {"id":2}]}"#,
        "null",
    ] {
        assert_eq!(read(&format!("\"id\" : {id} ,")), id);
        assert_eq!(read(&format!("\"x\":{{\"id\":1}},\"y\":[\"id\",3],\"\\u0069d\":{id},")), id);
    }
    assert_eq!(read(""), "null");
    assert_eq!(read("\"x\":\"id\","), "null");
}

#[test]
fn other_names_for_the_keys_of_a_case_are_refused() {
    let sphere = r#"{"type":"sphere","radius":1}"#;
    let read = |more: &str| parse_case(&format!("{{\"id\":7,\"a\":{sphere},\"b\":{sphere},{more}}}"));
    for (key, meant) in [
        ("b_pose", "pose_b"),
        ("B_pose", "pose_b"),
        ("a_pose", "pose_a"),
        ("b_in_a", "pose_b"),
        ("transform_a", "pose_a"),
        ("transform_b", "pose_b"),
        ("pose", "pose_a or pose_b"),
        ("padding", "padding in a or b"),
    ] {
        let (id, text) = read(&format!("\"{key}\":{{\"xyz\":[9,0,0]}}")).unwrap_err();
        let words = format!("the key {key:?} is unknown; did you mean {meant:?}?");
        assert!(id == "7" && text.contains(&words), "{text}");
    }
    assert!(read("\"note\":\"pose\",\"distance\":1,\"source\":{\"b_pose\":1}").is_ok());
    // Numbers in an id keep their digits, and lie in a float's range like all others.
    let id = |digits: usize| {
        parse_case(&format!("{{\"id\":{},\"a\":{sphere},\"b\":{sphere}}}", "9".repeat(digits)))
    };
    assert_eq!(id(300).unwrap().id, "9".repeat(300));
    assert!(id(5000).unwrap_err().1.contains("id: a number is out of range"));
    let text = format!("{{\"id\":\"{0}\",\"a\":{sphere},\"b\":{sphere}}}", "9".repeat(5000));
    assert_eq!(parse_case(&text).unwrap().id.len(), 5002);
}
