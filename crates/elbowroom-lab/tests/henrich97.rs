//! The experiment in small.

use elbowroom::Checker;
use elbowroom_lab::error::LabError;
use elbowroom_lab::henrich97::{
    Costs, Henrich97Options, Henrich97Report, Stop, System, agrees_with_proof, amdahl_bounds,
    industrial_cell, run,
};
use elbowroom_lab::limits::ROOM_OF_OBJECT;
use elbowroom_lab::puma::Puma;
use elbowroom_lab::truth::Truth;
use elbowroom_testkit::robots::robots_folder;
use std::sync::OnceLock;

#[test]
fn the_system_agrees_with_what_is_proved() {
    let puma = Puma::load_bottleneck(Some(&robots_folder())).unwrap();
    assert_eq!((puma.parts.len(), puma.bottleneck.len(), puma.path.len()), (10, 7, 119));
    let tree = puma.best_hierarchy().unwrap();
    let cell = industrial_cell(60, 1000, ROOM_OF_OBJECT, 97);
    let (mut hits, mut misses, mut weak) = (0, 0, 0);
    for objects in [&puma.bottleneck, &cell] {
        let world = puma.world_with_objects(objects).unwrap();
        let truth = Truth::new(&world);
        let (mut checker, mut bare) = (Checker::new(&world), Checker::new(&puma.world));
        for capsules in [true, false] {
            let mut system = System::new(objects, &puma.parts, &tree, capsules).unwrap();
            for q in &puma.path {
                checker.set(q).unwrap();
                bare.set(q).unwrap();
                let proved = truth.proved_interval(&mut checker);
                *(if proved.overlaps() { &mut hits } else { &mut misses }) += 1;
                let mut exact = 0.0;
                for stop in Stop::ALL {
                    let answer = system.detect_collision(&bare, stop);
                    assert!(
                        agrees_with_proof(&answer, stop, &proved),
                        "{stop:?} {capsules}: {answer:?}, {proved:?}"
                    );
                    if stop == Stop::Distance {
                        exact = answer.distance;
                        assert!(system.counts.polytopes > 0 || !answer.collides);
                    }
                    weak += usize::from(stop == Stop::Weak && answer.distance < exact);
                }
            }
        }
    }
    // Each end was reached in earnest.
    assert!(hits > 40 && misses > 40 && weak > 40, "{hits} {misses} {weak}");
}

/// The experiment once, for all who look at it.
fn report() -> &'static Henrich97Report {
    static REPORT: OnceLock<Henrich97Report> = OnceLock::new();
    REPORT.get_or_init(|| {
        run(&Henrich97Options { data: Some(robots_folder()), rounds: 1, ..Henrich97Options::default() })
            .unwrap()
    })
}

#[test]
fn the_report_is_whole() {
    let report = report();
    println!("{}", report.to_text());
    assert_eq!(report.scenes.len(), 8);
    for scene in &report.scenes {
        assert_eq!((scene.methods.len(), scene.unknown), (10, 0), "{}", scene.name);
        for m in &scene.methods {
            assert_eq!(m.disagreements, 0, "{}: {}", scene.name, m.name);
            assert!(m.median_time() > 0.0);
        }
        let polytopes = |k: usize| scene.methods[k].counts.polytopes;
        assert!(polytopes(1) <= polytopes(0) && polytopes(2) <= polytopes(0));
    }
    let bottleneck = &report.scenes[0];
    assert!((50..70).contains(&bottleneck.colliding), "{}", bottleneck.colliding);
    let [table, hundred, thousand] = &report.breakdowns[..] else { panic!("three cells are broken down") };
    assert_eq!([&table.cell, &hundred.cell, &thousand.cell], ["BOTTLENECK", "WBK100", "WBK1000"]);
    for b in [table, hundred, thousand] {
        assert_eq!((b.detections, b.rows.len()), (119, 7), "{}", b.cell);
        // Each row is measured by itself: none is what others leave over, and they are all there is.
        assert!(b.rows.iter().all(|r| r.calls > 0 && r.seconds > 0.0), "{b:?}");
        let shares: f64 = b.rows.iter().map(|r| r.seconds / b.total_seconds()).sum();
        assert!((shares - 1.0).abs() < 1e-9, "{shares}");
        let [most, shared] = b.speedup_bounds(9.0);
        assert!(shared > 1.0 && shared < 9.0 && shared < most, "{}: {most} {shared}", b.cell);
    }
    let [most, shared] = table.paper_bounds(9.0).unwrap();
    assert!((most - 4.86).abs() < 0.01 && (shared - 3.40).abs() < 0.01, "{most} {shared}");
    assert!(hundred.paper_bounds(9.0).is_none() && thousand.paper_bounds(9.0).is_none());
    // The paper has no table for the thousand objects. Its bounds follow from the serial work in its table.
    let serial = 0.51 + 9.39 + 0.26;
    let [most, shared] = amdahl_bounds(26.95 * serial, serial, 9.0);
    assert!((most - 26.95).abs() < 0.01 && (shared - 6.94).abs() < 0.01, "{most} {shared}");
    assert!(report.to_text().contains("(the paper: 4.86 and 3.40)"));
    let files = report.output_files().unwrap();
    for file in ["henrich97.csv", "henrich97.txt", "henrich97_table1.csv", "henrich97.svg"] {
        assert!(files.iter().any(|(name, text)| name == file && text.len() > 200), "{file}");
    }
}

/// By counts and the paper's own costs, which no clock changes.
#[test]
fn why_r_cylinders_save_less_and_polytopes_are_fewer_than_in_the_paper() {
    let report = report();
    let cell = &report.scenes[0];
    let [with, without] = [0, 3].map(|k| cell.methods[k].counts);
    // They leave out most corners, and ask more for it.
    assert!(with.moved * 5 < without.moved && without.moved == 1190, "{with:?} {without:?}");
    assert!(with.polytopes > without.polytopes && with.primitives > without.primitives);
    // At the paper's costs they save their 30 % if ten parts are moved in less than the paper's 789 us.
    let paper = Costs::paper_costs(&report.breakdowns[0]).unwrap();
    let price = paper.corners_for(0.3, &with, &without, cell.poses);
    assert!((20.0..78.9).contains(&price), "{price}");
    // 13 polytopes a detection are more than there are colliding pairs of r-cylinders.
    let colliding: usize = cell.near.iter().map(|n| n.colliding).sum();
    assert!(colliding < 6 * cell.poses, "{colliding}");
    let free = &cell.near[0];
    assert!(free.both <= free.capsules && free.both <= with.polytopes, "{free:?} {with:?}");
}

#[test]
fn missing_data_says_how_to_get_it() {
    let options = Henrich97Options { data: Some("/no/such/folder".into()), ..Henrich97Options::default() };
    let error = run(&options).unwrap_err();
    assert!(matches!(error, LabError::NoPuma(_)));
    assert!(error.to_string().contains("--data DIR"), "{error}");
}
