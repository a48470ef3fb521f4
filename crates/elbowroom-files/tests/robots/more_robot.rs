//! More robot is never farther off, and what is asked beside the distance does not change it: every robot of
//! the real data that loads, as its triangles and as its hulls, at random poses. Padding by `p` takes `2 p`
//! off every pair of a robot's own bodies; the margin is what verdicts are told by, and nothing else; hulls
//! contain their meshes.

use crate::support::data::data;
use crate::support::rng::Rng;
use crate::support::threads::run_each;
use elbowroom::describe::WorldDescription;
use elbowroom::motion::ranges;
use elbowroom::pair::Ask;
use elbowroom::{Answer, Checker, Geometry, Question, Verdict, World};
use elbowroom_files::Options as FileOptions;
use elbowroom_files::world::load_world;
use std::path::{Path, PathBuf};

const PADDINGS: [f64; 2] = [0.0, 0.005];
const MARGINS: [f64; 3] = [0.0, 1e-5, 0.05];
const POSES: usize = 14;
/// Two proved intervals of one number meet but for what adding the padding rounds (metres).
const ROUNDED: f64 = 1e-12;
/// Verdicts may differ where a threshold is this near (metres).
const BORDER: f64 = 1e-9;

/// What meshes count as: where nothing is said, and as hulls.
fn geometries() -> [Geometry; 2] {
    [Geometry::default(), Geometry::Hull]
}

/// What was met.
#[derive(Clone, Copy, Debug, Default)]
struct Tally {
    robots: usize,
    poses: usize,
    pairs: usize,
    verdicts: [usize; 5],
    /// Poses at which the hulls are nearer than the bodies, by more than any interval's width, and still
    /// apart.
    hulls_nearer: usize,
    /// Poses of `hulls_nearer` at which the hulls are within the widest margin.
    within_margin: usize,
}

/// The robots, but for those that are made to break loaders.
fn urdfs(folder: &Path, out: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()) {
        if entry.is_dir() {
            if entry.file_name().is_some_and(|n| n != "nasty_files") {
                urdfs(&entry, out);
            }
        } else if entry.extension().is_some_and(|e| e == "urdf") {
            out.push(entry);
        }
    }
}

fn worlds(description: &mut WorldDescription) -> Option<[World; 2]> {
    let mut padded = |padding| {
        description.padding = padding;
        World::compile(description).ok()
    };
    let worlds = [padded(PADDINGS[0])?, padded(PADDINGS[1])?];
    (!worlds[0].pairs().is_empty()).then_some(worlds)
}

/// Joint values that are a pose of the world.
fn draw(checker: &mut Checker, rng: &mut Rng) -> Vec<f64> {
    const TRIES: usize = 1000;
    for _ in 0..TRIES {
        let of = |[low, high]: &[f64; 2]| rng.range(low.max(-3.0) + 1e-8, high.min(3.0) - 1e-8);
        let values: Vec<f64> = ranges(checker.world()).iter().map(of).collect();
        if checker.set(&values).is_ok() {
            return values;
        }
    }
    panic!("no pose in {TRIES} tries");
}

/// Whether a threshold is so near to one of the answers that either verdict is right.
fn at_border(margin: f64, answers: [&Answer; 2]) -> bool {
    let ends = answers.into_iter().flat_map(|r| [r.interval.lower, r.interval.upper]);
    ends.into_iter().any(|x| x.abs() <= BORDER || (x - margin).abs() <= BORDER)
}

fn nearly_meet(a: &Answer, b: &Answer) -> bool {
    a.interval.lower <= b.interval.upper + ROUNDED && b.interval.lower <= a.interval.upper + ROUNDED
}

/// All questions at a pose, each cold; the distances of the bodies and of their hulls.
fn questions(place: &str, checker: &mut Checker) -> [Answer; 2] {
    let mut asked = |question: Question| {
        checker.forget_history();
        checker.ask(&question)
    };
    let mut distances = Vec::new();
    for geometry in geometries() {
        let exact = asked(Question::distance().margin(0.0).geometry(geometry));
        assert!(exact.interval.lower <= exact.interval.upper, "{place}: {exact:?}");
        for margin in MARGINS {
            let question = Question::distance().geometry(geometry).margin(margin);
            let say = |r: &Answer| format!("{place}, {question:?}: {r:?}, without a margin {exact:?}");
            let distance = asked(question);
            // To the bit: the margin has no part in it.
            let bits =
                |r: &Answer| (r.interval.lower.to_bits(), r.interval.upper.to_bits(), r.pair, r.witness);
            assert_eq!(bits(&distance), bits(&exact), "{}", say(&distance));
            for ask in [Ask::Test, Ask::LowerBound] {
                let told = asked(question.with_ask(ask));
                assert!(
                    told.interval.lower <= told.interval.upper && nearly_meet(&told, &exact),
                    "{ask:?}: {}",
                    say(&told)
                );
                let decided = ask == Ask::Test || matches!(told.verdict, Verdict::Clear | Verdict::Collision);
                assert!(
                    !decided || told.verdict == distance.verdict || at_border(margin, [&told, &exact]),
                    "{ask:?}: {}",
                    say(&told)
                );
            }
        }
        distances.push(exact);
    }
    let [bodies, hulls] = [distances[0], distances[1]];
    assert!(
        hulls.interval.lower <= bodies.interval.upper + ROUNDED,
        "{place}: hulls {hulls:?}, bodies {bodies:?}"
    );
    [bodies, hulls]
}

fn robot(urdf: &Path, tally: &mut Tally) {
    let Ok(loaded) = load_world(urdf, &FileOptions::default()) else { return };
    let mut description = loaded.value;
    let Some(worlds) = worlds(&mut description) else { return };
    let mut checkers = [Checker::new(&worlds[0]), Checker::new(&worlds[1])];
    let mut rng = Rng::new(12);
    tally.robots += 1;
    for k in 0..POSES {
        let values = draw(&mut checkers[0], &mut rng);
        let place = format!("{}, {values:?}", urdf.display());
        let mut distances = Vec::new();
        for (checker, padding) in checkers.iter_mut().zip(PADDINGS) {
            checker.set(&values).unwrap();
            distances.push(questions(&format!("{place}, padding {padding}"), checker));
        }
        let [bodies, hulls] = distances[0];
        tally.poses += 1;
        tally.verdicts[bodies.verdict as usize] += 1;
        let nearer = hulls.interval.lower > 0.0 && hulls.interval.upper < bodies.interval.lower;
        tally.hulls_nearer += usize::from(nearer);
        tally.within_margin += usize::from(nearer && hulls.interval.lower <= MARGINS[2]);
        let by = 2.0 * (PADDINGS[1] - PADDINGS[0]);
        for (i, geometry) in geometries().into_iter().enumerate() {
            let (a, b) = (distances[0][i], distances[1][i]);
            assert!(
                b.interval.lower <= a.interval.upper - by + ROUNDED,
                "{place}, {geometry:?}: {a:?}, by {by} more: {b:?}"
            );
            // Of every pair, now and then.
            if k % 4 > 0 {
                continue;
            }
            let (question, mut less) = (Question::distance().geometry(geometry), Vec::new());
            checkers[0].all_pairs(&question, |p| less.push(p.interval.upper));
            checkers[1].all_pairs(&question, |p| {
                let most = less[p.pair.index()] - by;
                assert!(p.interval.lower <= most + ROUNDED, "{place}, {geometry:?}: at most {most}: {p:?}");
            });
            tally.pairs += less.len();
        }
    }
}

#[test]
fn padding_and_margin_never_make_a_clearance_larger() {
    let Some(data) = data() else { return };
    let mut found = Vec::new();
    urdfs(&data.join("robots"), &mut found);
    found.sort();
    let tallies = run_each(found.len(), |i| {
        let (mut tally, start) = (Tally::default(), std::time::Instant::now());
        robot(&found[i], &mut tally);
        println!("{}: {:.1} s", found[i].display(), start.elapsed().as_secs_f64());
        tally
    });
    let mut all = Tally::default();
    for t in tallies {
        all.robots += t.robots;
        all.poses += t.poses;
        all.pairs += t.pairs;
        all.hulls_nearer += t.hulls_nearer;
        all.within_margin += t.within_margin;
        (0..5).for_each(|i| all.verdicts[i] += t.verdicts[i]);
    }
    println!("{all:?}");
    // What the test is for was met.
    let of = |v: Verdict| all.verdicts[v as usize];
    assert!(all.robots >= 20 && all.pairs > 5_000, "{all:?}");
    assert!(of(Verdict::Clear) * 5 > all.poses && of(Verdict::Collision) * 20 > all.poses, "{all:?}");
    assert!(all.hulls_nearer > 15 && all.within_margin > 10, "{all:?}");
}
