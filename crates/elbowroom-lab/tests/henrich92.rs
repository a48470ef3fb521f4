//! The experiment in small.

use elbowroom::Checker;
use elbowroom_lab::henrich92::{Approach, Henrich92Options, agrees_with_proof, build_scenes, run};
use elbowroom_lab::puma::Puma;
use elbowroom_lab::truth::Truth;
use elbowroom_testkit::robots::robots_folder;

#[test]
fn all_approaches_agree_with_what_is_proved() {
    let puma = Puma::load_bottleneck(Some(&robots_folder())).unwrap();
    for mut scene in build_scenes(&puma, 97).unwrap() {
        let truth = Truth::new(&scene.world);
        let mut checker = Checker::new(&scene.world);
        // Hits, misses, and answers that were exact and those that were not although an approach has a
        // threshold.
        let (mut hits, mut misses, mut exact, mut bound) = (0, 0, 0, 0);
        for approach in Approach::ALL {
            scene.pair.forget_steps();
            for q in &scene.steps {
                checker.set(q).unwrap();
                let proved = truth.proved_interval(&mut checker);
                scene.pair.classes.iter_mut().for_each(|c| c.move_corners(&checker));
                let length = scene.pair.measure_step(approach);
                assert!(
                    agrees_with_proof(length, approach, scene.pair.threshold, &proved),
                    "{}, {approach:?}: {length}, {proved:?}",
                    scene.name
                );
                *(if length == 0.0 { &mut hits } else { &mut misses }) += 1;
                if approach.has_threshold() && length > 0.0 {
                    *(if length <= scene.pair.threshold { &mut exact } else { &mut bound }) += 1;
                }
            }
        }
        println!("{}: {hits} {misses} {exact} {bound}", scene.name);
        assert!(
            hits.min(misses).min(exact).min(bound) > 20,
            "{}: {hits} {misses} {exact} {bound}",
            scene.name
        );
    }
}

#[test]
fn the_report_is_whole() {
    let options = Henrich92Options { data: Some(robots_folder()), rounds: 1, ..Henrich92Options::default() };
    let report = run(&options).unwrap();
    println!("{}", report.to_text());
    assert_eq!(report.scenes.len(), 2);
    for scene in &report.scenes {
        assert_eq!((scene.methods.len(), scene.unknown), (14, 0), "{}", scene.name);
        assert!(scene.methods.iter().all(|m| m.disagreements == 0), "{}", scene.name);
        // What the approaches are for: each computes less than all pairs do.
        let free = |k: usize| scene.methods[k].counts[0];
        assert!(free(1).steps < free(0).steps && free(1).polytopes == free(0).polytopes);
        assert!((2..6).all(|k| free(k).polytopes < free(0).polytopes));
        assert!(free(4).primitives < free(3).primitives);
        let all = |a: Approach| {
            let [mut free, hit] = scene.methods[a.index_in_all()].counts;
            free += &hit;
            free
        };
        // What is combined with (e) saves work and costs keeping.
        let [e, starts, local, global] = [
            Approach::Hierarchies,
            Approach::HierarchiesInitialization,
            Approach::HierarchiesLocal,
            Approach::HierarchiesGlobal,
        ]
        .map(all);
        assert!(starts.polytopes == e.polytopes && starts.steps < e.steps, "{e:?} {starts:?}");
        assert!(local.polytopes <= e.polytopes && local.primitives == e.primitives, "{e:?} {local:?}");
        assert!(global.primitives < e.primitives, "{e:?} {global:?}");
        assert!(e.kept == 0 && starts.kept > 0 && local.kept > 0 && global.kept > 0);
        assert!(local.kept > 20 * e.polytopes, "the ways of all corners are more than what is saved");
        // All four strategies are raced. The last asks the fewest primitives, and no fewer polytopes.
        let [cheap, error, fixed, boxes] = Approach::STRATEGIES.map(all);
        for other in [cheap, error, fixed] {
            assert!(boxes.primitives < other.primitives && boxes.polytopes >= other.polytopes, "{boxes:?}");
        }
        // Either strategy leads to the same leaves, by other ways.
        assert!(free(5).polytopes == free(4).polytopes && free(5).primitives != free(4).primitives);
    }
    assert_eq!(report.structures.len(), 3);
    for row in &report.structures {
        assert!(
            row.walks.len() == 2 && row.walks.iter().all(|(us, counts)| us[0] > 0.0 && counts.polytopes > 0)
        );
        assert!(row.samples > 5000 && row.found > 1 && row.commonest > 0.0);
    }
    // Two structures are drawn, with every part of the arm in each.
    let [common, rare] = &report.drawn[..] else { panic!("two are drawn") };
    assert_ne!(common.in_words(), rare.in_words());
    let files = report.output_files().unwrap();
    let svg = &files.iter().find(|(name, _)| name == "henrich92_structures.svg").unwrap().1;
    for leaf in &common.leaves {
        assert!(svg.contains(leaf.as_str()) && rare.in_words().contains(leaf.as_str()), "{leaf}");
    }
    for file in ["henrich92.csv", "henrich92.txt", "henrich92_structures.csv", "henrich92.svg"] {
        assert!(files.iter().any(|(name, text)| name == file && text.len() > 100), "{file}");
    }
}
