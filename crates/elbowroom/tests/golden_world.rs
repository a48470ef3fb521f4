//! Same input, same bits, for whole worlds: a hash over all answers to a fixed set of poses, in debug and
//! release, on one thread and two, cold and warm. `ELBOWROOM_BLESS=1` writes `golden_world.txt` anew.
use elbowroom_testkit as support;

use elbowroom::describe::WorldDescription;
use elbowroom::pair::{Ask, Witness};
use elbowroom::{Answer, Checker, Geometry, Question, World};
use support::describe::{obstacle, one_of_each, placed, row_of_balls};

const POSES: usize = 120;
const BLOCK: usize = 20;
const START: u64 = 0xcbf2_9ce4_8422_2325;

/// Two arms with one shape of each kind on their links, among obstacles with one shape of each kind.
fn cell() -> World {
    let arm = |name: &str| {
        let mut robot = row_of_balls(name, 4, 0.4, 0.05);
        robot.links.iter_mut().skip(1).for_each(|link| link.shapes.extend(one_of_each()));
        robot
    };
    let mut world =
        WorldDescription { robots: vec![placed(arm("l")), placed(arm("r"))], ..Default::default() };
    world.robots[1].base_in_world.translation.y = 0.9;
    world.obstacles = vec![
        obstacle("near", [0.9, -0.5, 0.05], one_of_each()),
        obstacle("far", [-1.5, 0.3, 0.1], one_of_each()),
    ];
    world.margin = 0.02;
    World::compile(&world).expect("no faults")
}

/// FNV-1a.
fn fold(hash: u64, words: &[f64]) -> u64 {
    let bytes = words.iter().flat_map(|x| x.to_bits().to_le_bytes());
    bytes.fold(hash, |h, byte| (h ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

fn points(hash: u64, witness: Option<Witness>) -> u64 {
    let Some(w) = witness else { return fold(hash, &[0.5]) };
    [w.a, w.b, w.normal].iter().fold(hash, |h, v| fold(h, &v.to_array()))
}

fn of_answer(hash: u64, r: &Answer) -> u64 {
    let c = r.counts;
    let counts = [c.pruned, c.proved, c.unknown, c.skipped, c.shape_queries].map(|n| n as f64);
    let pair = r.pair.map_or(-1.0, |p| p.index() as f64);
    points(fold(fold(hash, &counts), &[r.interval.lower, r.interval.upper, r.distance, pair]), r.witness)
}

fn values(world: &World, row: usize) -> Vec<f64> {
    let mut state = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    world
        .neutral_values()
        .iter()
        .map(|_| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            ((state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5) * 5.0
        })
        .collect()
}

/// Hash of all answers at a pose: cold, and once more with what the first left behind.
fn answers(checker: &mut Checker, row: usize) -> u64 {
    checker.set(&values(checker.world(), row)).expect("within limits");
    checker.forget_history();
    let mut hash = START;
    for _ in 0..2 {
        for geometry in [Geometry::Hull, Geometry::Mesh] {
            for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
                let question = Question::from_ask(ask).geometry(geometry);
                hash = of_answer(hash, &checker.ask(&question));
            }
            let question = Question::distance().geometry(geometry);
            let mut each = START;
            let all = checker.all_pairs(&question, |r| {
                each = points(fold(each, &[r.interval.lower, r.interval.upper, r.distance]), r.witness);
            });
            hash = of_answer(hash ^ each, &all);
        }
    }
    hash
}

#[test]
fn same_bits_for_worlds() {
    let world = cell();
    let mut checker = Checker::new(&world);
    let one: Vec<u64> = (0..POSES).map(|row| answers(&mut checker, row)).collect();
    // Two threads where there are two, each with a pose of its own, one from the front and one from the back.
    let half = |rows: Vec<usize>| {
        let mut checker = Checker::new(&world);
        rows.into_iter().map(|row| (row, answers(&mut checker, row))).collect::<Vec<_>>()
    };
    let halves = support::threads::run_each(2, |k| match k {
        0 => half((0..POSES).step_by(2).collect()),
        _ => half((0..POSES).rev().filter(|i| i % 2 == 1).collect()),
    });
    let mut many = halves.concat();
    many.sort_unstable();
    assert!(many.iter().map(|(_, hash)| *hash).eq(one.iter().copied()), "one thread and two differ");
    let verdicts = |row| {
        let mut checker = Checker::new(&world);
        checker.set(&values(&world, row)).expect("within limits");
        checker.ask(&Question::distance()).verdict
    };
    let mut seen: Vec<_> = (0..POSES).map(verdicts).collect();
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() >= 2, "all poses are {seen:?}");

    let mut text = String::new();
    for (i, block) in one.chunks(BLOCK).enumerate() {
        let hash =
            block.iter().fold(START, |h, x| (h ^ x).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(29));
        text += &format!("{} {hash:016x}\n", i * BLOCK);
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/golden_world.txt");
    if std::env::var_os("ELBOWROOM_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(
        committed, text,
        "answers have other bits; if meant, ELBOWROOM_BLESS=1 writes golden_world.txt anew"
    );
}
