//! Motions as CSV and NPY: what they mean, and what is wrong with them.

use crate::support::refused;
use elbowroom::world::Follows;
use elbowroom_files::Loaded;
use elbowroom_files::motion::{Joints, Motion, load_motion_from};
use elbowroom_files::source::InMemory;
use elbowroom_files::{Faults, Options};
use elbowroom_testkit::numpy::save_values as npy;
use std::path::{Path, PathBuf};

fn motion_bytes(bytes: &[u8], ignore: bool) -> Result<Motion, Faults> {
    loaded(bytes, ignore).map(|loaded| loaded.value)
}

fn loaded(bytes: &[u8], ignore: bool) -> Result<Loaded<Motion>, Faults> {
    let names = ["l/a", "l/b", "r/b", "r/base/x"].map(String::from);
    let files = InMemory([(PathBuf::from("/m"), bytes.to_vec())].into());
    let options = Options { ignore_unknown_columns: ignore, ..Options::default() };
    let mimics = [
        ("l/twin".to_string(), Follows { value: 1, scale: 1.0, offset: 0.0 }),
        ("l/back".to_string(), Follows { value: 0, scale: -2.0, offset: 0.5 }),
    ];
    let joints = Joints { names: &names, mimics: &mimics, ..Joints::default() };
    load_motion_from(&files, Path::new("/m"), joints, &options)
}

fn motion(text: &str) -> Result<Motion, Faults> {
    motion_bytes(text.as_bytes(), false)
}

#[test]
fn motions_of_every_kind() {
    let rows = vec![vec![1.0, 2.0, 3.0, 4.0], vec![5.0, 6.0, 7.0, 8.5]];
    for text in [
        "t,a,l/b,r/b,base/x\n0,1,2,3,4\n0.1,5,6,7,8.5\n",
        "\u{feff}r/b , l/b, l/a,t,r/base/x\r\n3,2,1,0,4\r\n7, 6 ,5,1e-1,8.5\r\n,,,,\r\n",
        "t;l/a;l/b;r/b;r/base/x\r0;1;2;3;4\r0.1;5;6;7;8.5",
        "t\tl/a\tl/b\tr/b\tr/base/x\n# note\n0\t1\t2\t3\t4\n\n0.1\t5\t6\t7\t8.5",
        "# t,l/a,l/b,r/b,r/base/x\n0,1,2,3,4\n0.1,5,6,7,8.5\n",
        "\"t\",\"a\",\"l/b\",\"r/b\",\"base/x\"\n0,1,2,3,4\n0.1,5,6,7,8.5\n",
    ] {
        let read = motion(text).unwrap();
        assert_eq!((read.rows, read.t), (rows.clone(), Some(vec![0.0, 0.1])), "{text:?}");
    }
    let extra = "a,l/b,r/b,base/x,note\n1,2,3,4,hello\n";
    assert_eq!(motion_bytes(extra.as_bytes(), true).unwrap().rows, [[1.0, 2.0, 3.0, 4.0]]);
    let faults = motion(extra).unwrap_err().to_string();
    assert!(faults.contains("column 5: \"note\" is not a joint of this model"), "{faults}");
    for (text, words) in [
        ("", "no column for l/a, l/b, r/b, r/base/x"),
        ("a,l/b\n1,2\n", "no column for r/b, r/base/x"),
        ("a,l/a,l/b,r/b,base/x\n1,1,1,1,1\n", "column 2: \"l/a\" gives \"l/a\" a second time"),
        ("a,b,r/b,base/x\n1,1,1,1\n", "\"b\" is a joint of several robots; write robot/joint"),
        ("t,t,a,l/b,r/b,base/x\n", "time is given a second time"),
        ("a,l/b,r/b,base/x\n", "has no row below its header"),
        ("a,l/b,r/b,base/x\n1,2,3\n", "line 2, sample 0: has 3 fields, the header has 4"),
        (
            "a,l/b,r/b,base/x\n1,2,3,4\n1,2,nan,4\n",
            "line 3, sample 1: column \"r/b\": \"nan\" is not a finite number",
        ),
        ("a,l/b,r/b,base/x\n1,2,,4\n", "\"\" is not a finite number"),
        ("A,l/b,r/b,base/x\n1,2,3,4\n", "did you mean \"a\"?"),
    ] {
        refused(text, motion(text), &[words]);
    }
}

#[test]
fn mimic_joints_must_follow() {
    // The second column of the rule's own value is a little off, as six decimals are.
    let text =
        "a,back,l/b,r/b,base/x,l/twin\n1,-1.5,2,3,4,2\n# between\r\n\n0.1234564,0.253088,2,3,4,2.0000009\n";
    let read = motion(text).unwrap();
    assert_eq!(read.rows, [[1.0, 2.0, 3.0, 4.0], [0.1234564, 2.0, 3.0, 4.0]]);
    assert_eq!(read.lines, [2, 5]);
    let text = "l/a,twin,l/b,r/b,base/x,back\n1,2,2,3,4,-1.5\n1,2.00001,2,3,4,1.5\n1,x,2,3,4,1.5\n";
    let faults = motion(text).unwrap_err();
    assert_eq!(faults.0.len(), 3, "{faults}");
    refused(
        text,
        Err::<(), _>(faults),
        &[
            "line 3, sample 1: mimic joint \"l/twin\" is 2.00001, but 1 * 2 (\"l/b\") + 0 gives 2",
            "line 3, sample 1: mimic joint \"l/back\" is 1.5, but -2 * 1 (\"l/a\") + 0.5 gives -1.5",
            "line 4, sample 2: column \"twin\"",
        ],
    );
    // A mimic joint gives no value of its own, and comes once.
    refused("mimics alone", motion("a,twin,r/b,base/x\n1,2,3,4\n"), &["no column for l/b"]);
    refused(
        "twice",
        motion("a,twin,l/twin,l/b,r/b,base/x\n"),
        &["\"l/twin\" gives \"l/twin\" a second time"],
    );
}

#[test]
fn time_has_a_name_and_a_direction() {
    refused("time", motion("Time,a,l/b,r/b,base/x\n0,1,2,3,4\n"), &["call it t", "--ignore-unknown-columns"]);
    let back = loaded(b"t,a,l/b,r/b,base/x\n1,1,2,3,4\n1,1,2,3,4\n0.5,1,2,3,4\n0,1,2,3,4\n", false).unwrap();
    assert_eq!((back.value.rows.len(), back.warnings.len()), (4, 1));
    let said = back.warnings[0].to_string();
    assert!(
        said.contains("line 4, sample 2: time runs backwards at 2 samples: here from 1 to 0.5 s"),
        "{said}"
    );
    assert!(loaded(b"t,a,l/b,r/b,base/x\n1,1,2,3,4\n1,1,2,3,4\n", false).unwrap().warnings.is_empty());
}

#[test]
fn npy_of_every_kind() {
    let values: [f64; 8] = [1., 2., 3., 4., 5., 6., 7., 8.5];
    let rows = vec![values[..4].to_vec(), values[4..].to_vec()];
    let columns: [f64; 8] = [1., 5., 2., 6., 3., 7., 4., 8.5];
    let little = |v: &[f64]| v.iter().flat_map(|x| x.to_le_bytes()).collect::<Vec<u8>>();
    let single: Vec<u8> = values.iter().flat_map(|x| (*x as f32).to_le_bytes()).collect();
    let big: Vec<u8> = values.iter().flat_map(|x| x.to_be_bytes()).collect();
    for bytes in [
        npy("<f8", "False", "(2, 4)", &little(&values)),
        npy("<f8", "True", "(2, 4)", &little(&columns)),
        npy("<f4", "False", "(2, 4)", &single),
        npy(">f8", "False", "(2,4)", &big),
    ] {
        let expected = Motion { rows: rows.clone(), ..Motion::default() };
        assert_eq!(motion_bytes(&bytes, false).unwrap(), expected);
        for cut in 0..bytes.len() {
            assert!(motion_bytes(&bytes[..cut], false).is_err(), "cut at {cut}");
        }
    }
    assert_eq!(
        motion_bytes(&npy("<f8", "False", "(4,)", &little(&values[..4])), false).unwrap().rows.len(),
        1
    );
    // What lies behind the array would be a motion that is never looked at.
    let whole = npy("<f8", "False", "(2, 4)", &little(&values));
    for (behind, words) in [
        (whole.clone(), "holds a second array behind the first"),
        (vec![0], "holds 1 byte more than its array of 2 by 4 takes"),
        (little(&values), "holds 64 bytes more than its array of 2 by 4 takes"),
    ] {
        refused("NPY with more", motion_bytes(&[&whole[..], &behind].concat(), false), &[words]);
    }
    let mut nan = values;
    nan[6] = f64::NAN;
    for (bytes, words) in [
        (
            npy("<f8", "False", "(2, 4)", &little(&nan)),
            "sample 1, column 3 (r/b): NaN is not a finite number",
        ),
        (
            npy("<f2", "False", "(2, 4)", &little(&values)),
            "holds values of type \"<f2\"; float32 and float64 are supported",
        ),
        (npy("<i8", "False", "(2, 4)", &little(&values)), "holds values of type \"<i8\""),
        (npy("<f8", "False", "(4, 2)", &little(&values)), "has 2 values a pose, the model has 4"),
        (npy("<f8", "False", "(2, 2, 2)", &little(&values)), "is not an array of poses"),
        (npy("<f8", "False", "(99999999999999999999, 4)", &[]), "is not an array of poses"),
        (npy("<f8", "False", "(4611686018427387904, 4)", &[]), "claims too many values"),
        (npy("<f8", "False", "(1000000, 4)", &little(&values)), "is cut off"),
        (npy("<f8", "False", "(0, 4)", &[]), "holds no pose"),
        (npy("<f8", "Maybe", "(2, 4)", &little(&values)), "does not say its order"),
    ] {
        refused("NPY", motion_bytes(&bytes, false), &[words]);
    }
}

#[test]
fn columns_of_another_robot_are_counted_after_the_first() {
    let titles = |count: usize| (0..count).map(|k| format!(",x{k}_note")).collect::<String>();
    let told = |count: usize| motion(&format!("a,l/b,r/b,base/x{}\n", titles(count))).unwrap_err().0;
    assert_eq!(told(10).len(), 10);
    for (count, words) in [
        (11, "line 1: 1 more column that no joint of this model is called after; remove them, or pass"),
        (150, "line 1: 140 more columns that no joint of this model is called after"),
    ] {
        let told = told(count);
        assert_eq!(told.len(), 11, "{told:?}");
        assert!(told.last().unwrap().to_string().contains(words), "{told:?}");
    }
}
