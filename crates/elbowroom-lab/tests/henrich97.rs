//! The experiment in small.

use elbowroom::Checker;
use elbowroom_lab::error::LabError;
use elbowroom_lab::henrich97::{Options, Stop, System, agrees, industrial, run};
use elbowroom_lab::puma::Puma;
use elbowroom_lab::truth::Truth;
use std::path::{Path, PathBuf};

fn robots() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots")
}

#[test]
fn the_system_agrees_with_what_is_proved() {
    let puma = Puma::load(Some(&robots())).unwrap();
    assert_eq!((puma.parts.len(), puma.bottleneck.len(), puma.path.len()), (10, 7, 119));
    let tree = puma.hierarchy().unwrap();
    let cell = industrial(60, 1000, 97);
    let (mut hits, mut misses, mut weak) = (0, 0, 0);
    for objects in [&puma.bottleneck, &cell] {
        let world = puma.among(objects).unwrap();
        let truth = Truth::new(&world);
        let (mut checker, mut bare) = (Checker::new(&world), Checker::new(&puma.world));
        for capsules in [true, false] {
            let mut system = System::new(objects, &puma.parts, &tree, capsules).unwrap();
            for q in &puma.path {
                checker.set(q).unwrap();
                bare.set(q).unwrap();
                let proved = truth.interval(&mut checker);
                *(if proved.overlaps() { &mut hits } else { &mut misses }) += 1;
                let mut exact = 0.0;
                for stop in Stop::ALL {
                    let answer = system.detect(&bare, stop);
                    assert!(agrees(&answer, stop, &proved), "{stop:?} {capsules}: {answer:?}, {proved:?}");
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

#[test]
fn the_report_is_whole() {
    let options = Options { data: Some(robots()), rounds: 1, ..Options::default() };
    let report = run(&options).unwrap();
    println!("{}", report.text());
    assert_eq!(report.scenes.len(), 8);
    for scene in &report.scenes {
        assert_eq!((scene.methods.len(), scene.unknown), (10, 0), "{}", scene.name);
        for m in &scene.methods {
            assert_eq!(m.disagreements, 0, "{}: {}", scene.name, m.name);
            assert!(m.median() > 0.0);
        }
        let polytopes = |k: usize| scene.methods[k].counts.polytopes;
        assert!(polytopes(1) <= polytopes(0) && polytopes(2) <= polytopes(0));
    }
    let bottleneck = &report.scenes[0];
    assert!((50..70).contains(&bottleneck.colliding), "{}", bottleneck.colliding);
    assert_eq!(report.breakdown.detections, 119);
    let files = report.files().unwrap();
    for file in ["henrich97.csv", "henrich97.txt", "henrich97_table1.csv", "henrich97.svg"] {
        assert!(files.iter().any(|(name, text)| name == file && text.len() > 200), "{file}");
    }
}

#[test]
fn missing_data_says_how_to_get_it() {
    let options = Options { data: Some("/no/such/folder".into()), ..Options::default() };
    let error = run(&options).unwrap_err();
    assert!(matches!(error, LabError::NoPuma(_)));
    assert!(error.to_string().contains("--data DIR"), "{error}");
}
