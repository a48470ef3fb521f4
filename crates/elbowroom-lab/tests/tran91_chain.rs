//! The paper's algorithm as a whole, on the scripts of the cell.

use elbowroom_lab::tran91::cell::{Tran91Options, run};
use elbowroom_testkit::robots::robots_folder;

#[test]
fn the_papers_chain_is_run_beside_the_guard() {
    let robots = robots_folder();
    let report = run(&Tran91Options { data: Some(robots), rounds: 1 }).unwrap();
    println!("{}", report.to_text());
    assert_eq!(report.scripts.len(), 7);
    let mut stricter = 0;
    for script in &report.scripts {
        let (name, chain) = (script.name, &script.chain);
        let [meet, moving, touch] = chain.pairs;
        assert!(meet > moving && moving >= touch && chain.asked >= moving, "{name}: {chain:?}");
        assert_eq!(chain.answer_counts().iter().sum::<u64>(), chain.samples);
        // Where something meets that should not, the chain foresees it, if not always that pair.
        assert_eq!(chain.first_stop.is_some(), script.meets.is_some(), "{name}");
        if let (Some(stop), Some(meets)) = (&chain.first_stop, &script.meets) {
            let early = meets.t - stop.t;
            // The door is opened by an event, and no velocity tells of it.
            let expected = if name == "door" { -0.1..0.0 } else { 0.0..0.25 };
            assert!(expected.contains(&early), "{name}: {early} s before");
        }
        assert!(chain.agreeing_count() > chain.samples / 2, "{name}");
        stricter += chain.beside_guard[1][0] + chain.beside_guard[2][0] + chain.beside_guard[2][1];
    }
    assert!(stricter > 0);
    // A clean task is never stopped, and is slowed where it takes the box and where it puts it down.
    let chain = &report.scripts[0].chain;
    let [_, slow, stop] = chain.answer_counts();
    assert!(slow > 5 && stop == 0, "{chain:?}");
    assert!(chain.first_slow.as_ref().unwrap().pair[1].starts_with("world/oru_1"));
    // The mug may be taken and the book not, though they lie beside each other.
    let mug = report.scripts.iter().find(|s| s.name == "mug").unwrap();
    for stop in [
        mug.chain.first_stop.as_ref().unwrap().pair.clone(),
        mug.first_stop.as_ref().unwrap().pair.clone().unwrap(),
    ] {
        assert!(stop.iter().any(|body| body == "world/book"), "{stop:?}");
    }
    assert!(mug.first_stop.as_ref().unwrap().says.contains("merely stands near"), "{mug:?}");
    let files = report.output_files().unwrap();
    let chain = files.iter().find(|(name, _)| name == "tran91_chain.csv").unwrap();
    assert_eq!(chain.1.lines().count(), 8);
}
