//! Columns that are asked for, against `check` and against differences; and the page against the rows.

use super::arm::arm_folder;
use super::{about, swept};
use crate::support::{checked, text};
use std::collections::BTreeMap;
use std::path::Path;

/// The rows of a CSV by the titles of their columns.
fn titled_rows(table: &[u8]) -> Vec<BTreeMap<String, String>> {
    let table = text(table);
    let mut lines = table.lines().map(|line| line.split(',').map(String::from));
    let titles: Vec<String> = lines.next().unwrap().collect();
    lines.map(|fields| titles.iter().cloned().zip(fields).collect()).collect()
}

fn number(row: &BTreeMap<String, String>, title: &str) -> f64 {
    row[title].parse().unwrap_or_else(|_| panic!("{title}: {:?}", row[title]))
}

#[test]
fn witnesses_and_nearest_pairs_are_those_of_check() {
    let folder = arm_folder("sweep-columns");
    let random = ["--random", "300", "--seed", "3", "--ask", "distance"];
    let more = ["--more", "q,witness", "--nearest", "2"];
    let rows = titled_rows(&swept(&folder, "a.csv", &[&random[..], &more].concat()));
    let (_, told, _) = checked(&folder, "cell.toml", &[&random[..], &["--all-pairs"]].concat());
    assert_eq!((rows.len(), told.len()), (300, 300));
    let mut nearest_seen = BTreeMap::new();
    for (row, told) in rows.iter().zip(&told) {
        let same = |title: &str, told: &serde_json::Value| {
            assert!((number(row, title) - told.as_f64().unwrap()).abs() < 1e-9, "{title}: {row:?} {told}");
        };
        for (k, joint) in ["arm/turn", "arm/lift"].into_iter().enumerate() {
            same(joint, &told["q"][k]);
        }
        for name in ["witness_a", "witness_b", "normal"] {
            for (k, axis) in ["x", "y", "z"].into_iter().enumerate() {
                same(&format!("{name}_{axis}"), &told[name][k]);
            }
        }
        let mut pairs: Vec<&serde_json::Value> = told["pairs"].as_array().unwrap().iter().collect();
        pairs.sort_by(|a, b| a["lower"].as_f64().unwrap().total_cmp(&b["lower"].as_f64().unwrap()));
        assert_eq!(pairs.len(), 3);
        for (k, pair) in (1..=2).zip(pairs) {
            let names = [0, 1].map(|side| pair["pair"][side].as_str().unwrap());
            assert_eq!(row[&format!("nearest_{k}")], names.join("|"));
            same(&format!("nearest_lower_{k}"), &pair["lower"]);
            same(&format!("nearest_upper_{k}"), &pair["upper"]);
        }
        assert_eq!((&row["nearest_1"], &row["nearest_lower_1"]), (&row["pair"], &row["lower"]));
        *nearest_seen.entry(row["nearest_2"].clone()).or_insert(0) += 1;
    }
    assert!(nearest_seen.len() == 3 && nearest_seen.values().all(|count| *count > 20), "{nearest_seen:?}");
}

#[test]
fn gradients_are_how_the_distance_changes() {
    /// Half the step between two poses (radians, metres).
    const STEP: f64 = 1e-5;
    let folder = arm_folder("sweep-gradients");
    let options = ["--random", "300", "--seed", "3", "--ask", "distance", "--more", "q,gradient"];
    let rows = titled_rows(&swept(&folder, "a.csv", &options));
    let mut beside = String::from("turn,lift\n");
    for row in &rows {
        let [turn, lift] = ["arm/turn", "arm/lift"].map(|joint| number(row, joint));
        for [a, b] in [[STEP, 0.0], [-STEP, 0.0], [0.0, STEP], [0.0, -STEP]] {
            beside += &format!("{},{}\n", turn + a, lift + b);
        }
    }
    std::fs::write(folder.join("beside.csv"), beside).unwrap();
    let options = ["--poses", "beside.csv", "--ignore-limits", "--ask", "distance"];
    let beside = titled_rows(&swept(&folder, "b.csv", &options));
    assert_eq!(beside.len(), 4 * rows.len());
    let mut compared = BTreeMap::new();
    for (row, beside) in rows.iter().zip(beside.as_chunks::<4>().0) {
        for (k, joint) in ["arm/turn", "arm/lift"].into_iter().enumerate() {
            let [above, below] = [&beside[2 * k], &beside[2 * k + 1]];
            if above["pair"] != row["pair"] || below["pair"] != row["pair"] {
                continue;
            }
            let slope = (number(above, "lower") - number(below, "lower")) / (2.0 * STEP);
            let told = number(row, &format!("gradient of {joint}"));
            assert!((told - slope).abs() < 1e-6, "{joint}: {told}, {slope}: {row:?}");
            *compared.entry((row["pair"].clone(), k)).or_insert(0) += 1;
        }
    }
    assert!(compared.len() == 6 && compared.values().all(|count| *count > 20), "{compared:?}");
}

/// What a page has between two of its words.
fn page_between<'p>(page: &'p str, from: &str, to: &str) -> &'p str {
    let (_, rest) = page.split_once(from).unwrap_or_else(|| panic!("{from:?} is not there: {page}"));
    rest.split_once(to).unwrap().0
}

fn read_page(folder: &Path) -> String {
    std::fs::read_to_string(folder.join("a.html")).unwrap()
}

#[test]
fn the_page_counts_what_the_rows_hold() {
    let folder = arm_folder("sweep-page");
    // Each of the forty bars over the range of the joint that turns has two of its values.
    let grid = ["--grid", "turn=-2:2:80,lift=-0.5:1:40", "--histogram", "a.html"];
    let options = [&grid[..], &["--ask", "distance", "--more", "q"]].concat();
    let rows = titled_rows(&swept(&folder, "a.csv", &options));
    let page = read_page(&folder);
    let count =
        |test: &dyn Fn(&BTreeMap<String, String>) -> bool| rows.iter().filter(|row| test(row)).count();

    let told = &about(&folder, "a.csv")["found"]["counts"];
    let verdicts = page_between(&page, "<table>", "</table>");
    for (k, word) in [(0, "clear"), (1, "near"), (3, "collision")] {
        let counted = count(&|row| row["verdict"] == word);
        assert!(counted > 20 && told[k] == counted, "{word}: {counted}, {told}");
        let share = 100.0 * counted as f64 / 3200.0;
        let cells = format!("<td>{word}</td><td class=\"n\">{counted}</td><td class=\"n\">{share:.2} %</td>");
        assert!(verdicts.contains(&cells), "{cells}: {verdicts}");
    }
    assert_eq!(verdicts.matches("<tr>").count(), 3, "{verdicts}");

    let lowers: Vec<f64> = rows.iter().map(|row| number(row, "lower")).collect();
    let [least, most] = [f64::min, f64::max].map(|end| lowers.iter().copied().reduce(end).unwrap());
    let mut bars = [0; 60];
    lowers.iter().for_each(|x| bars[(((x - least) / (most - least) * 60.0) as usize).min(59)] += 1);
    let clearance = page_between(&page, "<h2>How clearance is distributed</h2>", "<h2>");
    let told = format!("the highest bar has {} rows", bars.iter().max().unwrap());
    assert!(clearance.contains(&told), "{told}: {clearance}");
    assert_eq!(clearance.matches("<rect").count(), bars.iter().filter(|bar| **bar > 0).count());

    let joints = page_between(&page, "<h2>At which joint values poses collide</h2>", "<h2>");
    let turning = page_between(joints, "<figure title=\"arm/turn\">", "</figure>");
    let mut hits = [0; 40];
    for row in rows.iter().filter(|row| row["verdict"] == "collision") {
        hits[(((number(row, "arm/turn") + 2.0) * 10.0) as usize).min(39)] += 1;
    }
    let share = 100.0 * f64::from(*hits.iter().max().unwrap()) / 80.0;
    assert!(turning.contains(&format!(">{share:.1} %<")), "{share}: {turning}");
    assert_eq!(turning.matches("<rect").count(), hits.iter().filter(|bar| **bar > 0).count());

    let pairs = page_between(&page, "<h2>Which pairs collide most</h2>", "</table>");
    let mut colliding: Vec<(usize, String)> = ["arm/ball|world/left", "arm/ball|world/front"]
        .map(|pair| (count(&|row| row["verdict"] == "collision" && row["pair"] == pair), pair.into()))
        .into();
    colliding.sort();
    colliding.reverse();
    assert!(colliding[0].0 > colliding[1].0 && colliding[1].0 > 0, "{colliding:?}");
    let told: Vec<&str> = pairs.split("<tr><td>").skip(1).collect();
    assert_eq!(told.len(), 2, "{pairs}");
    for ((count, pair), told) in colliding.iter().zip(told) {
        let cells = format!("{}</td><td class=\"n\">{count}</td>", pair.replace('|', " and "));
        assert!(told.starts_with(&cells), "{cells}: {told}");
    }

    // Verdicts alone have no clearance, and name no pairs.
    swept(&folder, "a.csv", &[&grid[..], &["--ask", "test"]].concat());
    let page = read_page(&folder);
    assert!(page.contains("At which joint values") && page.contains(&verdicts[..40]), "{page}");
    assert!(!page.contains("How clearance is distributed") && !page.contains("Which pairs collide most"));
}
