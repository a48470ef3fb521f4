//! The experiment in small.

use elbowroom_lab::error::LabError;
use elbowroom_lab::haase10::{Haase10Options, run};
use elbowroom_testkit::data::data;
use elbowroom_testkit::robots::robots_folder;

#[test]
fn the_report_is_whole() {
    let machine = data().map(|data| data.join("robots/schunk_sdh2/schunk_sdh.urdf"));
    let options = Haase10Options {
        data: Some(robots_folder()),
        machine: machine.clone(),
        poses: 400,
        rounds: 1,
        ..Haase10Options::default()
    };
    let report = run(&options).unwrap();
    let text = report.to_text();
    println!("{text}");
    assert_eq!((report.table.len(), report.levels.len()), (6, 10));
    assert!(report.table.iter().all(|c| (c.formula - c.measured).abs() < 0.003), "{:?}", report.table);
    for row in &report.levels {
        assert_eq!(row.ended.iter().sum::<usize>(), 400, "{}", row.name);
        assert!(row.counts.first_pairs >= 400 && row.counts.passes >= row.counts.first_pairs, "{}", row.name);
        // Only the printed steps miss anything.
        assert!(row.missed == 0 || row.name.starts_with("as printed"), "{}: {}", row.name, row.missed);
    }
    // Finer tips call no more poses colliding.
    let hits: Vec<usize> = report.levels[..6].iter().map(|row| row.ended[3]).collect();
    assert!(hits.windows(2).all(|w| w[1] <= w[0]) && hits[5] >= report.overlapping, "{hits:?}");
    // A kept axis saves tries, and changes nothing else.
    let [kept, fresh] = &report.levels[8..] else { panic!("two rows of small steps") };
    assert_eq!((kept.ended, kept.counts.passes), (fresh.ended, fresh.counts.passes));
    assert!(kept.counts.axes < fresh.counts.axes);
    assert!(report.times.iter().all(|row| row.asked > 0 && row.median_ns > 0.0), "{:?}", report.times);
    assert_eq!(report.base.len(), 1 + usize::from(machine.is_some()));
    for words in ["3.0611e15 poses", "356.4e3 GiB", "as printed", "Table II", "Fig. 12: the way to rest"] {
        assert!(text.contains(words), "{words}");
    }
    let files = report.output_files().unwrap();
    for (name, text) in &files {
        assert!(text.len() > 200 && !text.contains("NaN"), "{name}");
    }
    let figures = [6, 8, 9, 10, 11, 12, 13].map(|number| format!("haase10_fig{number}.svg"));
    let tables = ["haase10.txt", "haase10.csv", "haase10_levels.csv", "haase10_table1.csv", "haase10.svg"];
    for file in tables.map(String::from).iter().chain(&figures) {
        assert!(files.iter().any(|(name, _)| name == file), "{file}");
    }
    // Every cell of a field is in Fig. 6, and every stop in its table.
    let lines = |file: &str| files.iter().find(|(name, _)| name == file).unwrap().1.lines().count();
    assert!(lines("haase10_fig6.csv") > 256 * report.base.len());
    assert_eq!(lines("haase10_stops.csv"), 1 + 3 * report.late.emergency.len());
    assert_eq!(lines("haase10_table2.csv"), 5 + 2 * usize::from(machine.is_some()));
}

#[test]
fn missing_data_says_how_to_get_it() {
    let options = Haase10Options { data: Some("/no/such/folder".into()), ..Haase10Options::default() };
    let error = run(&options).unwrap_err();
    assert!(matches!(error, LabError::NoHand(_)));
    assert!(error.to_string().contains("--data DIR"), "{error}");
}
