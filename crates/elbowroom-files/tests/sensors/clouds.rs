//! Point clouds in every format: what is read, and what is refused.

use crate::rng::Rng;
use crate::support::{below, data, refused};
use crate::write::{npy, pcd, ply};
use elbowroom_files::cloud::{PointCloud, load_cloud, load_cloud_from};
use elbowroom_files::source::InMemory;
use elbowroom_files::{Faults, Loaded, Options};
use std::path::{Path, PathBuf};

fn load(name: &str, bytes: &[u8]) -> Result<Loaded<PointCloud>, Faults> {
    let files = InMemory([(PathBuf::from(name), bytes.to_vec())].into());
    load_cloud_from(&files, Path::new(name), &Options::default())
}

/// Points whose coordinates f32 holds, now and then one that is not finite.
fn drawn(rng: &mut Rng, count: usize) -> Vec<[f64; 3]> {
    let value = |rng: &mut Rng| match rng.range(0.0, 30.0) {
        x if x < 1.0 => f64::NAN,
        x if x < 2.0 => f64::NEG_INFINITY,
        // Repeated values are needed for the compressed data to have copies in it.
        x if x < 10.0 => 0.5,
        _ => f64::from(rng.range(-10.0, 10.0) as f32),
    };
    (0..count).map(|_| [value(rng), value(rng), value(rng)]).collect()
}

/// Every way to write points that is read.
fn written(points: &[[f64; 3]]) -> Vec<(String, Vec<u8>)> {
    let mut out = Vec::new();
    for data in ["ascii", "binary", "binary_compressed"] {
        out.push((format!("{data}.pcd"), pcd(points, data)));
    }
    for format in ["ascii", "binary_little_endian", "binary_big_endian"] {
        out.push((format!("{format}.ply"), ply(points, format)));
    }
    let rows: Vec<Vec<f64>> = points.iter().map(|[x, y, z]| vec![*x, *y, *z, 4.0]).collect();
    for kind in ["<f8", ">f8", "<f4", ">f4"] {
        for columns_first in [false, true] {
            out.push((format!("{kind} {columns_first}.npy"), npy(&rows, kind, columns_first)));
        }
    }
    for (name, between) in [("a.xyz", " "), ("b.txt", "\t"), ("c.csv", ", "), ("d", ";")] {
        let mut text = String::new();
        for [x, y, z] in points {
            text += &[format!("{x:e}"), y.to_string(), z.to_string(), "name".into()].join(between);
            text += "\n";
        }
        out.push((name.to_string(), text.into_bytes()));
    }
    out
}

#[test]
fn what_is_written_is_read() {
    let mut rng = Rng::new(11);
    for count in [1, 2, 3, 7, 100, 1000] {
        let points = drawn(&mut rng, count);
        let finite: Vec<[f64; 3]> =
            points.iter().filter(|p| p.iter().all(|v| v.is_finite())).copied().collect();
        if finite.is_empty() {
            continue;
        }
        for (name, bytes) in written(&points) {
            let loaded = load(&name, &bytes).unwrap_or_else(|faults| panic!("{name}: {faults}"));
            assert_eq!(loaded.value.points, finite, "{name}");
            assert_eq!(loaded.value.not_finite, count - finite.len(), "{name}");
            assert_eq!(loaded.warnings.len(), usize::from(finite.len() < count), "{name}");
            // The bytes tell the format, whatever the file is called.
            assert_eq!(load("cloud", &bytes).unwrap().value, loaded.value, "{name}");
        }
    }
    let warned = load("a.xyz", b"0 0 0\nnan 0 0\n").unwrap().warnings;
    assert_eq!(warned[0].to_string(), "a.xyz: 1 of 2 points is not finite and left out; it is line 2");
    let holes = [[f64::NAN, 0.0, 0.0], [0.0; 3], [0.0, 0.0, f64::INFINITY]];
    for (name, bytes) in written(&[[0.0; 3], holes[0], holes[1], holes[2]]) {
        let counted = ["pcd", "ply", "npy"].iter().any(|end| name.ends_with(end));
        let place = if counted { "point 1 (from 0)" } else { "line 2" };
        let said = load(&name, &bytes).unwrap().warnings[0].to_string();
        assert!(said.contains("2 of 4 points are not finite and left out; the first is "), "{said}");
        assert!(said.contains(place), "{name}: {said}");
    }
}

#[test]
fn points_beyond_every_world_are_refused_with_their_places() {
    let far: Vec<[f64; 3]> = (0..30).map(|k| [1e9, if k % 3 == 0 { 1e12 } else { 0.0 }, 0.0]).collect();
    let mut all = 0;
    for (name, bytes) in written(&far) {
        let faults = load(&name, &bytes).unwrap_err();
        all += 1;
        let said = faults.to_string();
        assert!(faults.0.iter().all(|f| f.what.contains("is farther than 1e9 m")), "{said}");
        // Lines that say the same are one fault.
        match &faults.0[..] {
            [one] => assert!(one.place.ends_with(", and 9 more times"), "{name}: {said}"),
            all => assert!(all.len() == 10 && all[1].place == "point 3 (from 0)", "{name}: {said}"),
        }
    }
    assert!(all > 5);
    let many = vec![[0.0, 0.0, 2e9]; 1000];
    for (name, bytes) in written(&many) {
        let faults = load(&name, &bytes).unwrap_err();
        let [all @ .., more] = &faults.0[..] else { panic!("{name}: {faults}") };
        assert!(
            more.what == "980 more points are as far" && [1, 20].contains(&all.len()),
            "{name}: {faults}"
        );
    }
}

/// A file that is cut anywhere, or has a wrong byte, is refused or read; it never does harm.
#[test]
fn cut_and_mangled_clouds_do_no_harm() {
    let points = [[1.0, 2.0, 3.0], [0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [-1.0, 1e-3, 4.0]];
    let mut rng = Rng::new(12);
    let (mut read, mut refused) = (0, 0);
    for (name, bytes) in written(&points) {
        // Of text, the end of the last number may be missing; of PCL's zeros, any may be.
        let binary = name.contains("binary") || name.ends_with(".npy");
        let whole = bytes.len() - if name == "binary.pcd" { 100 } else { 0 };
        for end in 0..bytes.len() {
            let result = load(&name, &bytes[..end]);
            assert!(result.is_err() || !binary || end >= whole, "{name} cut to {end} bytes is read");
        }
        for at in 0..bytes.len() {
            for change in [0, 1, b' ', b'-', b'9', b'\n', 0x7f, 0xff, rng.bits() as u8] {
                let mut bytes = bytes.clone();
                bytes[at] = change;
                match load(&name, &bytes) {
                    Ok(loaded) => {
                        read += 1;
                        assert!(loaded.value.points.iter().flatten().all(|v| v.is_finite()));
                    }
                    Err(faults) => {
                        refused += 1;
                        assert!(faults.0.iter().all(|f| !f.help.is_empty()), "{name}: {faults}");
                        assert!(faults.0.len() <= 21, "{name}: {}", faults.0.len());
                    }
                }
            }
        }
    }
    assert!(read > 5000 && refused > 5000, "{read} read, {refused} refused");
}

/// A PCD of text with some lines of the header replaced, or left out.
fn header(changes: &[(&str, &str)]) -> String {
    let lines = [
        ("VERSION", "0.7"),
        ("FIELDS", "x y z"),
        ("SIZE", "4 4 4"),
        ("TYPE", "F F F"),
        ("COUNT", "1 1 1"),
        ("WIDTH", "2"),
        ("HEIGHT", "1"),
        ("VIEWPOINT", "0 0 0 1 0 0 0"),
        ("POINTS", "2"),
        ("DATA", "ascii"),
    ];
    let mut out = String::new();
    for (key, value) in lines {
        let value = changes.iter().find(|(changed, _)| *changed == key).map_or(value, |(_, value)| value);
        if !value.is_empty() {
            out += &format!("{key} {value}\n");
        }
    }
    out
}

#[test]
fn pcd_headers_are_held_together() {
    let points = "1 2 3\n4 5 6\n";
    // All that may be missing or written otherwise.
    for changes in [
        &[("VERSION", ".7")][..],
        &[("VERSION", "")],
        &[("COUNT", "")],
        &[("HEIGHT", "")],
        &[("WIDTH", ""), ("HEIGHT", "")],
        &[("POINTS", "")],
        &[("WIDTH", "1"), ("HEIGHT", "2")],
        &[("VIEWPOINT", "")],
        &[("DATA", "ASCII")],
        &[("TYPE", "I I U"), ("SIZE", "1 2 8")],
    ] {
        let text = header(changes) + points;
        let read = load("a.pcd", text.as_bytes()).unwrap();
        assert_eq!(read.value.points, [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], "{changes:?}");
        assert!(read.warnings.is_empty());
        let other = text.replace('\n', "\r\n").replace("FIELDS", "# note\r\n\r\nCOLUMNS");
        assert_eq!(load("a", other.as_bytes()).unwrap().value, read.value, "{changes:?}");
    }
    for (changes, words) in [
        (&[("VERSION", "0.8")][..], "line 1, VERSION: the version \"0.8\" is unknown"),
        (&[("FIELDS", "")], "its header has no line FIELDS"),
        (&[("SIZE", "")], "its header has no line SIZE"),
        (&[("TYPE", "")], "its header has no line TYPE"),
        (&[("DATA", "")], "\"1\" does not begin a line of a PCD's header"),
        (&[("FIELDS", "x y w")], "line 2, FIELDS: has no field z; give a cloud with the fields x, y and z"),
        (&[("FIELDS", "x x z")], "has several fields x"),
        (&[("SIZE", "4 4")], "line 3, SIZE: has 2 words, and FIELDS has 3"),
        (&[("SIZE", "4 4 3")], "field \"z\": a number of \"3\" bytes; sizes are 1, 2, 4 and 8"),
        (&[("TYPE", "F F D")], "field \"z\" is of type \"D\" with 4 bytes"),
        (&[("SIZE", "4 2 4")], "field \"y\" is of type \"F\" with 2 bytes"),
        (&[("COUNT", "1 1 2")], "field \"z\" has 2 numbers; a coordinate is one number"),
        (&[("COUNT", "1 0 1")], "field \"y\": \"0\" numbers"),
        (&[("COUNT", "1 1 1 1 1")], "has 5 words"),
        (&[("WIDTH", "-2")], "line 6, WIDTH: \"-2\" is not a number of points"),
        (&[("WIDTH", "3")], "claims 2 points, and WIDTH by HEIGHT is 3 by 1"),
        (&[("WIDTH", "0"), ("POINTS", "0")], "the cloud has no point"),
        (&[("WIDTH", ""), ("POINTS", "")], "its header has neither POINTS nor WIDTH"),
        (&[("VIEWPOINT", "0 0 0 1")], "line 8, VIEWPOINT: \"0 0 0 1\" is not a viewpoint"),
        (&[("DATA", "text")], "line 10, DATA: \"text\" is not a kind of data"),
        (&[("WIDTH", "3"), ("POINTS", "3")], "ends after 2 of 3 points"),
        (&[("WIDTH", "1"), ("POINTS", "1")], "line 12: holds more than the 1 point that its header counts"),
        (&[("WIDTH", "1000000000000"), ("POINTS", "")], "claims 1000000000000 points"),
        (
            &[("FIELDS", "x y z _"), ("SIZE", "4 4 4 8"), ("TYPE", "F F F U"), ("COUNT", "1 1 1 999999")],
            "a point has more than 1048576 bytes",
        ),
    ] {
        refused(words, load("a.pcd", (header(changes) + points).as_bytes()), &[words]);
    }
    let twice = header(&[]).replace("WIDTH 2", "WIDTH 2\nWIDTH 2") + points;
    refused("twice", load("a.pcd", twice.as_bytes()), &["line 7: WIDTH comes a second time", "line 6"]);
    // All at once.
    let many = header(&[
        ("VERSION", "1"),
        ("FIELDS", "x b"),
        ("SIZE", "4 5"),
        ("TYPE", "F F"),
        ("COUNT", ""),
        ("VIEWPOINT", "no"),
        ("DATA", "x"),
    ]) + points;
    assert_eq!(load("a.pcd", many.as_bytes()).unwrap_err().0.len(), 6);
    refused(
        "misspelt",
        load("a.pcd", header(&[]).replace("HEIGHT", "HIGHT").as_bytes()),
        &["did you mean \"HEIGHT\"?"],
    );
    refused(
        "no data",
        load("a.pcd", b"# .PCD v0.7\nVERSION 0.7\n"),
        &["line 2: its header ends without a line DATA"],
    );
}

#[test]
fn pcd_points_are_held_against_their_header() {
    for (text, words) in [
        ("1 2 3\n4 5\n", "line 12: has 2 values, and the fields of a point take 3"),
        ("1 2 3 4\n4 5 6\n", "line 11: has 4 values"),
        ("1 2 3\n4 5,5 6\n", "line 12: \"5,5\" is not a number; write decimals with a point"),
        ("1 2 3\n\n4 x 6\n", "line 13: \"x\" is not a number"),
        ("", "ends after 0 of 2 points"),
        ("nan nan nan\ninf 0 0\n", "none of its 2 points is finite"),
    ] {
        refused(words, load("a.pcd", (header(&[]) + text).as_bytes()), &[words]);
    }
    let lines: String = (0..50).map(|k| format!("a{k} b c\n")).collect();
    let text = header(&[("WIDTH", "50"), ("POINTS", "50")]) + &lines;
    let faults = load("a.pcd", text.as_bytes()).unwrap_err();
    assert!((5..=25).contains(&faults.0.len()), "{faults}");
    let points = [[1.0, 2.0, 3.0], [0.5, 0.5, 0.5]];
    let place = pcd(&points, "binary").windows(7).position(|w| w == b"binary\n").unwrap() + 7;
    let mut more = pcd(&points, "binary");
    more.truncate(place + 2 * 25);
    for (behind, words) in [
        (&[0, 7, 0][..], ""),
        (&[7; 25], "25 bytes lie behind the last point"),
        (&[0; 1 << 16], "65536 bytes lie behind"),
    ] {
        let result = load("a.pcd", &[&more, behind].concat());
        if words.is_empty() {
            assert!(result.unwrap().warnings[0].what.contains("3 bytes behind the last point are ignored"));
        } else {
            refused(words, result, &[words, &format!("byte {}", more.len())]);
        }
    }
    more.truncate(place + 2 * 25 - 1);
    let words = "its header claims 2 points of 25 bytes, and the 49 bytes behind it hold 1";
    refused("cut", load("a.pcd", &more), &[words, &format!("byte {place}")]);
    // The sizes of compressed points lie.
    let sound = pcd(&points, "binary_compressed");
    let at = sound.windows(11).position(|w| w == b"compressed\n").unwrap() + 11;
    for (offset, byte, words) in [
        (0, 255, "compressed bytes, and"),
        (0, 1, "its 1 compressed bytes do not unpack to 44"),
        (4, 45, "holds 45 bytes when unpacked, and 2 points of 22 bytes take others"),
        (8, 0xff, "do not unpack to 44"),
    ] {
        let mut bytes = sound.clone();
        bytes[at + offset] = byte;
        refused(words, load("a.pcd", &bytes), &[words, &format!("byte {at}")]);
    }
    // Padding that was packed too.
    let mut fields = [7_u16.to_le_bytes(); 1].concat();
    fields.extend(3_f32.to_le_bytes());
    fields.extend([9; 3]);
    fields.extend([1_f64, 2.0].iter().flat_map(|v| v.to_le_bytes()));
    let mut bytes = pcd(&[[0.0; 3]], "binary_compressed");
    bytes.truncate(bytes.windows(11).position(|w| w == b"compressed\n").unwrap() + 11);
    let packed = crate::write::lzf(&fields);
    bytes.extend([packed.len() as u32, 25].iter().flat_map(|v| v.to_le_bytes()));
    bytes.extend(packed);
    assert_eq!(load("a.pcd", &bytes).unwrap().value.points, [[1.0, 2.0, 3.0]]);
}

#[test]
fn viewpoints_are_told_and_not_applied() {
    let text = header(&[("VIEWPOINT", "1 2 3 0 0 0 2")]) + "1 2 3\n4 5 6\n";
    let read = load("a.pcd", text.as_bytes()).unwrap();
    let pose = read.value.viewpoint.unwrap();
    assert_eq!((pose.translation.x, pose.translation.z), (1.0, 3.0));
    // Half a turn about z.
    assert_eq!(pose.point([1.0, 0.0, 0.0].into()).x, 0.0);
    assert_eq!(read.value.points[0], [1.0, 2.0, 3.0]);
    assert!(
        read.warnings[0].to_string().contains("line 8, VIEWPOINT: the points are read as they are written")
    );
    let text = header(&[("VIEWPOINT", "0 0 0 0 0 0 0")]) + "1 2 3\n4 5 6\n";
    let read = load("a.pcd", text.as_bytes()).unwrap();
    assert!(read.value.viewpoint.is_none() && read.warnings[0].what.contains("the quaternion is zero"));
}

#[test]
fn faulty_plys_are_refused() {
    let sound = "ply\nformat ascii 1.0\nelement vertex 2\nproperty float x\nproperty float y\n\
        property float z\nelement face 1\nproperty list uchar int v\nend_header\n1 2 3\n4 5 6\n2 0 1\n";
    assert_eq!(load("a.ply", sound.as_bytes()).unwrap().value.points.len(), 2);
    assert_eq!(load("a.ply", sound.replace('\n', "\r\n").as_bytes()).unwrap().value.points.len(), 2);
    for (from, to, words) in [
        ("format ascii 1.0\n", "", "its header has no line format; add: format ascii 1.0"),
        ("ascii", "text", "line 2: the format \"text\" is unknown"),
        ("1.0", "2.0", "line 2: the version \"2.0\" is not 1.0"),
        ("1.0\n", "1.0\nformat ascii 1.0\n", "line 3: the format comes a second time"),
        ("vertex 2", "vertex -2", "line 3: \"-2\" is not a number of elements"),
        ("vertex 2", "vertex", "\"element\" must have two words behind it"),
        ("vertex 2", "vertex 0", "line 3, vertex: the cloud has no point"),
        ("vertex 2", "vertex 1000000000000", "line 3, vertex: claims 1000000000000 points"),
        ("vertex 2", "vertex 3", "ends after 0 of 1 of its element \"face\""),
        ("vertex 2", "vertex 1", "line 11, face 0: has fewer values than its properties"),
        ("vertex 2", "point 2", "has no element \"vertex\""),
        ("face 1", "vertex 1", "line 7: the element \"vertex\" comes a second time"),
        ("float x", "half x", "line 4: the type \"half\" is unknown"),
        ("float x", "list uchar float x", "line 3, vertex: has no property x that is a number"),
        ("float x", "float y", "line 5: the property \"y\" comes a second time"),
        ("float x", "float", "line 4: a property is a type and a name"),
        ("uchar int v", "float int v", "line 8: the number of a list's values has to be of a whole type"),
        ("property list uchar int v\n", "", "line 7: 1 of \"face\" have no property"),
        ("element vertex 2\n", "", "a property stands before the first element"),
        ("end_header", "end", "line 9: \"end\" does not begin a line of a PLY's header"),
        ("4 5 6", "4 x 6", "line 11, vertex 1: y is \"x\", not a number"),
        ("4 5 6", "4,0 5 6", "write decimals with a point"),
        ("4 5 6", "4 5 6 7", "line 11, vertex 1: has more values than its properties"),
        ("2 0 1", "3 0 1", "line 12, face 0: has fewer values"),
        ("2 0 1", "-1", "the list v has \"-1\" values"),
        ("2 0 1\n", "", "ends after 0 of 1 of its element \"face\""),
        ("2 0 1\n", "2 0 1\n1 2 3\n", "line 13: lies behind the last of the elements"),
        ("ply\n", "ply\r", "its lines do not end in line feeds"),
    ] {
        assert!(sound.contains(from), "{from}");
        refused(words, load("a.ply", sound.replacen(from, to, 1).as_bytes()), &[words]);
    }
    refused(
        "cut",
        load("a.ply", b"ply\nformat ascii 1.0\n"),
        &["line 2: its header ends without end_header"],
    );
    let binary = |count: &str, bytes: &[u8]| {
        let head = format!(
            "ply\nformat binary_big_endian 1.0\nelement face {count}\n\
            property list int double v\nelement vertex 1\nproperty char x\nproperty char y\n\
            property char z\nend_header\n"
        );
        load("a.ply", &[head.as_bytes(), bytes].concat())
    };
    assert_eq!(binary("1", &[0, 0, 0, 0, 1, 2, 253]).unwrap().value.points, [[1.0, 2.0, -3.0]]);
    for (count, bytes, words) in [
        ("1", &[255; 7][..], "the list v has -1 values"),
        ("1", &[127; 7], "the list v of 2139062143 values ends behind the last of 7 bytes"),
        ("1000000000000000", &[0; 7], "ends after 1 of 1000000000000000 of its element \"face\""),
        ("1", &[0, 0, 0, 0, 1, 2], "ends after 0 of 1 of its element \"vertex\""),
        ("1", &[0, 0, 0, 0, 1, 2, 3, 4, 5, 6], "3 bytes lie behind the last point"),
    ] {
        refused(words, binary(count, bytes), &[words]);
    }
}

#[test]
fn text_is_read_as_it_is_meant() {
    for (text, point) in [
        ("1 2 3", [1.0, 2.0, 3.0]),
        ("  1\t2   3 \r\n", [1.0, 2.0, 3.0]),
        ("\u{feff}# a remark\n\n1,2,3,\n", [1.0, 2.0, 3.0]),
        ("//X Y Z\n1 2 3 # the first\n", [1.0, 2.0, 3.0]),
        ("z;y;x;name\n1; 2; 3;a b\n", [3.0, 2.0, 1.0]),
        ("\"i\",\"Z\",\"X\",\"Y\"\n0,1,2,3\n", [2.0, 3.0, 1.0]),
        ("# intensity x y z\n0 1 2 3\n", [1.0, 2.0, 3.0]),
        ("# intensity x y z\n# written by a scanner\n0 1 2 3\n", [1.0, 2.0, 3.0]),
        ("# z of x and y\n1 2 3\n", [1.0, 2.0, 3.0]),
    ] {
        assert_eq!(load("a.txt", text.as_bytes()).unwrap().value.points, [point], "{text:?}");
    }
    let warned = load("a.txt", b"# columns: i x y z\n0 1 2 3\n").unwrap();
    assert!(warned.warnings[0].what.contains("the first three are read"));
    for (text, words) in [
        ("# nothing\n\n", "holds no point"),
        ("1 2\n", "line 1: has 2 numbers, and a point has three"),
        ("1000\n1 2 3\n", "put # before a count of points"),
        ("hello\n", "line 1: \"hello\" is neither a point nor the titles of x, y and z"),
        ("x,y\n1,2\n", "is neither a point nor the titles"),
        ("x,y,z,x\n1,2,3,4\n", "is neither a point nor the titles"),
        ("1 2 3\n1 2\n", "line 2: has 2 values, and the first line has 3"),
        ("1 2 3\n1 2 3 4\n", "line 2: has 4 values"),
        ("1,2,3\n1,,3\n", "line 2, column 2: \"\" is not a number"),
        ("1,5 2,5 3,5\n", "\"5 2\" is not a number"),
        ("1,5;2,5;3,5\n", "write decimals with a point"),
        ("1;2;3\n1;2,5;3\n", "line 2, column 2: \"2,5\" is not a number; write decimals with a point"),
        ("1 2 3\nA B C\n", "line 2, column 1: \"A\" is not a number"),
        ("nan nan nan\n", "none of its 1 points is finite"),
    ] {
        refused(text, load("a.xyz", text.as_bytes()), &[words]);
    }
    let many = "1 2 3\n".to_string() + &"a b c\n".repeat(1000);
    assert!((20..=23).contains(&load("a.xyz", many.as_bytes()).unwrap_err().0.len()));
    let long = "1 ".repeat(1 << 20);
    refused("long", load("a.xyz", long.as_bytes()), &["line 1: is longer than 1048576 bytes"]);
}

#[test]
fn faulty_arrays_are_refused() {
    let row = |values: &[f64]| values.to_vec();
    for (bytes, words) in [
        (npy(&[row(&[1.0, 2.0])], "<f8", false), "has 2 values a row, and a point has three"),
        (
            npy(&[vec![0.0; 20], vec![0.0; 20], vec![0.0; 20]], "<f4", true),
            "its points seem to lie in columns",
        ),
        (npy(&[], "<f8", false), "has 0 values a row"),
    ] {
        refused(words, load("a.npy", &bytes), &[words]);
    }
    let sound = npy(&[row(&[1.0, 2.0, 3.0])], "<f8", false);
    for (from, to, words) in [
        ("(1, 3)", "(3,)  ", "is an array of 1 dimensions"),
        ("(1, 3)", "(0, 3)", "holds 24 bytes more than its array"),
        ("(1, 3)", "(2, 3)", "is cut off: 24 bytes of values where 48 should be"),
        ("(1, 3), }", "(9999999,3)", "is cut off"),
        ("<f8", "<i8", "holds values of type \"<i8\""),
    ] {
        let at = sound.windows(from.len()).position(|w| w == from.as_bytes()).unwrap();
        let mut bytes = sound.clone();
        bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
        refused(words, load("a.npy", &bytes), &[words]);
    }
    refused("name", load("a.npy", b"1 2 3"), &["is not an NPY file"]);
}

#[test]
fn what_is_no_cloud_is_named() {
    for (name, bytes, words) in [
        ("a.pcd", &b""[..], "this file is empty"),
        ("a.bt", b"# Octomap OcTree binary file\n", "this is an OctoMap, not a point cloud"),
        ("a.las", b"LASF\0\0", "LAS or LAZ"),
        ("a.npz", b"PK\x03\x04", "NPZ?"),
        ("a.stl", b"solid a\n", "this is a mesh (STL)"),
        ("a.ply", b"1 2 3\n", "is not a PLY file"),
        ("a.bin", b"1 2 3\0", "is neither text nor a point cloud"),
        ("a.pcd", b"1 2 3\n", "\"1\" does not begin a line of a PCD's header"),
    ] {
        refused(name, load(name, bytes), &[words]);
    }
}

/// Headers that claim 10^12 points cost nothing.
#[test]
fn claims_cost_no_memory() {
    let start = std::time::Instant::now();
    for data in ["ascii", "binary", "binary_compressed"] {
        for points in ["60000000", "1000000000000", "18446744073709551615"] {
            let text =
                header(&[("WIDTH", points), ("POINTS", points), ("DATA", data)]) + "\u{1}\0\0\0\0\0\0\0a";
            assert!(load("a.pcd", text.as_bytes()).is_err());
        }
    }
    assert!(start.elapsed().as_secs() < 5);
}

/// Every real cloud there is, as another reader (pypcd4) reads it; the one with carriage returns by Python
/// alone.
#[test]
fn real_clouds_are_read() {
    let Some(data) = data() else { return };
    let mut seen = 0;
    for path in below(&data.join("scenes/octomap_pointclouds"), &[".pcd"]) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let loaded = load_cloud(&path, &Options::default()).unwrap_or_else(|faults| panic!("{faults}"));
        assert!(loaded.warnings.is_empty(), "{name}: {:?}", loaded.warnings);
        let cloud = loaded.value;
        let Some((_, count, expected)) = REAL.iter().find(|(file, ..)| *file == name) else {
            panic!("{name} is new")
        };
        assert_eq!((cloud.points.len(), cloud.not_finite), (*count, 0), "{name}");
        let fold = |with: fn(f64, f64) -> f64| {
            let all = cloud.points.iter().copied();
            all.reduce(|a, b| [with(a[0], b[0]), with(a[1], b[1]), with(a[2], b[2])]).unwrap()
        };
        let found = [cloud.points[0], cloud.points[count - 1], fold(f64::min), fold(f64::max)];
        // That reader rounds text to f32.
        for (found, expected) in found.iter().flatten().zip(expected.iter().flatten()) {
            assert!((found - expected).abs() <= 1e-7 * expected.abs().max(1.0), "{name}: {found} {expected}");
        }
        seen += 1;
    }
    assert_eq!(seen, REAL.len());
}

/// The vertices of meshes that Blender wrote, counted by Python.
#[test]
fn real_plys_are_read() {
    let Some(data) = data() else { return };
    let folder = data.join("scenes/tesseract_car_seat/tesseract/support/meshes");
    for (file, count, low, high) in [
        ("box_2m.ply", 24, [-1.0, -1.000001, -1.0], [1.0; 3]),
        ("box2_2m.ply", 8, [-1.0, -1.000001, -1.0], [1.0; 3]),
        ("sphere_p25m.ply", 42, [-0.237764, -0.25, -0.25], [0.237764, 0.25, 0.25]),
    ] {
        let points = load_cloud(&folder.join(file), &Options::default()).unwrap().value.points;
        let ends = |axis: usize| {
            let all = points.iter().map(|point| point[axis]);
            (all.clone().fold(f64::MAX, f64::min), all.fold(f64::MIN, f64::max))
        };
        assert_eq!(points.len(), count, "{file}");
        assert_eq!([0, 1, 2].map(|axis| ends(axis).0), low, "{file}");
        assert_eq!([0, 1, 2].map(|axis| ends(axis).1), high, "{file}");
    }
}

/// How many points, the first, the last, and the least and the largest coordinates.
const REAL: [(&str, usize, [[f64; 3]; 4]); 8] = [
    (
        "ism_train_cat.pcd",
        3400,
        [
            [-17.034177780151367, 18.97228240966797, 40.48240280151367],
            [16.274194717407227, 14.110766410827637, 46.78487777709961],
            [-17.034177780151367, -85.6296615600586, -1.2245163917541504],
            [16.27822494506836, 106.20452880859375, 95.16355895996094],
        ],
    ),
    (
        "lamppost.pcd",
        1771,
        [
            [-10.0, 0.0, 0.0],
            [-9.828125, 0.0625, -5.420997619628906],
            [-11.171875, -0.375, -5.447998046875],
            [-9.765625, 0.59375, 0.4669990539550781],
        ],
    ),
    (
        "milk.pcd",
        12575,
        [
            [0.18544159829616547, -0.0062090009450912476, -0.706432580947876],
            [0.32187381386756897, -0.04479962959885597, -0.6667013764381409],
            [0.17866219580173492, -0.21077390015125275, -0.8268151879310608],
            [0.32538360357284546, 8.603929745731875e-05, -0.6361504197120667],
        ],
    ),
    (
        "min_cut_segmentation_tutorial.pcd",
        9311,
        [[72.25, -18.179, 0.85], [66.279, -20.589, 0.59], [64.799, -22.189, -0.1], [72.799, -14.929, 1.68]],
    ),
    (
        "object_template_0.pcd",
        1397,
        [
            [-0.15264999866485596, 0.03880000114440918, 0.6909999847412109],
            [-0.06683749705553055, 0.16218750178813934, 0.7909998893737793],
            [-0.19140000641345978, 0.018266670405864716, 0.6909999847412109],
            [-0.023840000852942467, 0.18774999678134918, 0.7910000085830688],
        ],
    ),
    (
        "room_scan1.pcd",
        112586,
        [
            [0.10718189924955368, 0.0529458187520504, 1.6857659816741943],
            [0.0016759870341047645, 0.0008218492730520666, -0.10998419672250748],
            [-13.799779891967773, -6.492819786071777, -1.3517049551010132],
            [15.447110176086426, 7.979565143585205, 1.7090929746627808],
        ],
    ),
    (
        "samp41-utm.pcd",
        11231,
        [
            [513248.625, 5403656.5, 299.5199890136719],
            [513263.34375, 5403758.5, 304.510009765625],
            [513247.65625, 5403655.5, 260.3900146484375],
            [513414.84375, 5403760.0, 337.6000061035156],
        ],
    ),
    (
        "box_pcd.pcd",
        8000,
        [
            [-0.5, -0.5, -0.5],
            [0.44999998807907104, 0.44999998807907104, 0.44999998807907104],
            [-0.5, -0.5, -0.5],
            [0.44999998807907104, 0.44999998807907104, 0.44999998807907104],
        ],
    ),
];
