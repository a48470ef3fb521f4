//! Where poses come from: arrays of every kind, and grids of several joints.

use super::arm::arm_folder;
use super::{sweep, swept};
use crate::support::text;
use elbowroom_testkit::numpy::{save_rows, save_values};

/// Poses of (turn, lift) within limits, which f32 holds exactly.
fn exact_poses(count: u32) -> Vec<Vec<f64>> {
    let pose = |k| vec![f64::from(k * 37 % 257) / 64.0 - 2.0, f64::from(k * 11 % 97) / 64.0 - 0.5];
    (0..count).map(pose).collect()
}

#[test]
fn arrays_of_every_kind_hold_the_poses_of_a_table() {
    let folder = arm_folder("sweep-arrays");
    let poses = exact_poses(5000);
    // Columns are found by name: here in the other order.
    let rows: String = poses.iter().map(|pose| format!("{},{}\n", pose[1], pose[0])).collect();
    std::fs::write(folder.join("poses.csv"), format!("lift,turn\n{rows}")).unwrap();
    let ask = |poses: &str, threads: &str| {
        let options = ["--poses", poses, "--ask", "distance", "--more", "q", "--threads", threads];
        text(&swept(&folder, "a.csv", &options))
    };
    let table = ask("poses.csv", "1");
    let fields: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(fields.len(), 5000);
    for (pose, fields) in poses.iter().zip(&fields) {
        assert_eq!(fields[5..], [pose[0].to_string(), pose[1].to_string()]);
    }
    assert!(["clear", "near", "collision"].iter().all(|word| fields.iter().any(|row| row[1] == *word)));
    for kind in ["<f8", ">f8", "<f4", ">f4"] {
        for columns_first in [false, true] {
            std::fs::write(folder.join("poses.npy"), save_rows(&poses, kind, columns_first)).unwrap();
            assert!(ask("poses.npy", "3") == table, "{kind}, columns first: {columns_first}");
        }
    }
}

#[test]
fn an_array_that_holds_no_poses_is_refused_by_name() {
    let folder = arm_folder("sweep-no-arrays");
    let zeros = [0; 64];
    for (bytes, word) in [
        (Vec::new(), "poses.npy: is not an NPY file"),
        (save_values("<f8", "False", "(0, 2)", &[]), "poses.npy: holds no pose"),
        (
            save_values("<f8", "False", "(2, 3)", &zeros[..48]),
            "poses.npy: has 3 values a pose, the model has 2; the order is arm/turn, arm/lift",
        ),
        (
            save_values("<f8", "False", "(4,)", &zeros[..32]),
            "poses.npy: is not an array of poses by joint values",
        ),
        (save_values("<i8", "False", "(2, 2)", &zeros[..32]), "poses.npy: holds values of type \"<i8\""),
        (save_values("<f8", "False", "(3, 2)", &zeros[..47]), "has 175 bytes, and its header claims 176"),
        (save_values("<f8", "False", "(2, 2)", &zeros[..33]), "has 161 bytes, and its header claims 160"),
    ] {
        std::fs::write(folder.join("poses.npy"), bytes).unwrap();
        let done = sweep(&folder, &["--poses", "poses.npy", "--out", "none.csv"]);
        let said = text(&done.stderr);
        assert!(done.status.code() == Some(2) && said.contains(word), "{word}: {said}");
        assert!(!folder.join("none.csv").exists() && !folder.join("none.csv.incomplete").exists());
    }
}

#[test]
fn rows_of_an_array_that_are_no_poses_are_faults() {
    let folder = arm_folder("sweep-nan-rows");
    let mut poses = exact_poses(8);
    (poses[3][1], poses[5][0], poses[6][1]) = (1.5, f64::NAN, f64::INFINITY);
    std::fs::write(folder.join("poses.npy"), save_rows(&poses, "<f8", false)).unwrap();
    for ask in ["test", "lower-bound", "distance"] {
        let done = sweep(&folder, &["--poses", "poses.npy", "--ask", ask, "--out", "a.csv"]);
        let said = text(&done.stderr);
        assert_eq!(done.status.code(), Some(2), "{said}");
        for word in ["row 3: `arm/lift` is 1.5", "row 5: `arm/turn` is NaN", "row 6: `arm/lift` is inf"] {
            assert!(said.contains(word), "{word}: {said}");
        }
        assert!(said.contains("3 rows are no poses; all others are answered"), "{said}");
        let rows = std::fs::read_to_string(folder.join("a.csv")).unwrap();
        let faults: Vec<bool> = rows.lines().skip(1).map(|line| line.contains(",fault,")).collect();
        assert_eq!(faults, [false, false, false, true, false, true, true, false], "{rows}");
    }
}

#[test]
fn the_last_joint_of_a_grid_changes_fastest_and_others_stay_at_zero() {
    let folder = arm_folder("sweep-grids");
    let poses = |grid: &str| -> Vec<[String; 2]> {
        let rows = text(&swept(&folder, "a.csv", &["--grid", grid, "--more", "q"]));
        let fields = rows.lines().map(|line| line.split(',').map(String::from).collect::<Vec<_>>());
        let mut fields = fields.map(|row| [row[5].clone(), row[6].clone()]);
        assert_eq!(fields.next().unwrap(), ["arm/turn", "arm/lift"]);
        fields.collect()
    };
    let turn_then_lift = poses("turn=-1:1:3,lift=0:0.5:2");
    assert_eq!(
        turn_then_lift,
        [["-1", "0"], ["-1", "0.5"], ["0", "0"], ["0", "0.5"], ["1", "0"], ["1", "0.5"]]
    );
    let lift_then_turn = poses("lift=0:0.5:2,arm/turn=-1:1:3");
    assert_eq!(
        lift_then_turn,
        [["-1", "0"], ["0", "0"], ["1", "0"], ["-1", "0.5"], ["0", "0.5"], ["1", "0.5"]]
    );
    assert_eq!(poses("lift=0.25:-0.25:3"), [["0", "0.25"], ["0", "0"], ["0", "-0.25"]]);
    // One value is where it begins; and the last is what was asked for, however it is rounded.
    assert_eq!(poses("lift=0.25:1:1,turn=0.2:0.9:4").last().unwrap(), &["0.9", "0.25"]);
}
