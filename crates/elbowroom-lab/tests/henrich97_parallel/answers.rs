//! The parallel search beside the sequential one: answers, counts, faults.

use elbowroom::Checker;
use elbowroom_lab::henrich97::parallel::message::Message;
use elbowroom_lab::henrich97::parallel::network::{PAPER_NETWORK, PAPER_WORK, search_on_network};
use elbowroom_lab::henrich97::parallel::threads::search_on_threads;
use elbowroom_lab::henrich97::parallel::transport::{Envelope, Lost, Transport};
use elbowroom_lab::henrich97::parallel::worker::Waits;
use elbowroom_lab::henrich97::parallel::{
    HandOut, PAPER_WBK1000_US, Policy, Resume, SearchTask, Team, Worker, experiment_cells,
};
use elbowroom_lab::henrich97::{Answer, DetectionCounts, SearchNode, Stop, System, industrial_cell};
use elbowroom_lab::limits::{CELL_SEED, ROOM_OF_OBJECT};
use elbowroom_lab::puma::Puma;
use elbowroom_testkit::robots::robots_folder;
use std::sync::OnceLock;

struct Scene {
    puma: Puma,
    systems: Vec<System>,
}

/// BOTTLENECK, a hundred objects, and the hundred twice, with r-cylinders; BOTTLENECK without.
fn scene() -> &'static Scene {
    static SCENE: OnceLock<Scene> = OnceLock::new();
    SCENE.get_or_init(|| {
        let puma = Puma::load_bottleneck(Some(&robots_folder())).unwrap();
        let tree = puma.best_hierarchy().unwrap();
        let hundred = industrial_cell(1000, 1000, ROOM_OF_OBJECT, 97)[..100].to_vec();
        let twice: Vec<_> = hundred.iter().cycle().take(200).cloned().collect();
        let cells = [(&puma.bottleneck, true), (&hundred, true), (&twice, true), (&puma.bottleneck, false)];
        let systems = cells
            .map(|(objects, capsules)| System::new(objects, &puma.parts, &tree, capsules).unwrap())
            .to_vec();
        Scene { puma, systems }
    })
}

/// What one processor finds on the path.
fn sequential(system: &System, stop: Stop) -> (Vec<Answer>, DetectionCounts) {
    let puma = &scene().puma;
    let (mut system, mut checker) = (system.clone(), Checker::new(&puma.world));
    let mut counts = DetectionCounts::default();
    let answers = puma.path.iter().map(|q| {
        checker.set(q).unwrap();
        let answer = system.detect_collision(&checker, stop);
        counts += &system.counts;
        answer
    });
    (answers.collect(), counts)
}

/// Policies at both ends of every number.
fn policies() -> Vec<Policy> {
    let paper = Policy::from_paper();
    vec![
        paper,
        Policy::with_shared_bounds(),
        Policy { master_weight: 1.0, reply_nodes: 1, ..paper },
        Policy { master_weight: 1e6, reply_nodes: 100, hand_out: HandOut::EverySecond, ..paper },
        Policy { share_bounds: true, pause_us: 1.0, ..paper },
        Policy { resume: Resume::NextToken, ..paper },
        Policy { resume: Resume::NextToken, keep_token: true, asks_before_token: 8, ..paper },
    ]
}

/// Whether the parallel answers are what the sequential ones promise.
fn check_answers(found: &[Answer], stop: Stop, sequential: &[Answer], exact: &[Answer]) {
    assert_eq!(found.len(), sequential.len());
    for (k, ((found, sequential), exact)) in found.iter().zip(sequential).zip(exact).enumerate() {
        assert_eq!(found.collides, sequential.collides, "{stop:?} {k}");
        match stop {
            Stop::Distance => assert_eq!(found, sequential, "{k}"),
            // A bound: it may be another one, and holds.
            Stop::Test | Stop::Weak => {
                assert!(found.distance <= exact.distance, "{stop:?} {k}: {found:?} {exact:?}");
                assert!(found.collides || found.distance > 0.0, "{stop:?} {k}: {found:?}");
            }
        }
    }
}

#[test]
fn answers_are_those_of_one_processor() {
    let Scene { puma, systems } = scene();
    let (mut hits, mut free, mut handed) = (0, 0, 0);
    for (k, system) in systems.iter().enumerate() {
        let exact = sequential(system, Stop::Distance).0;
        for stop in Stop::ALL {
            let alone = sequential(system, stop).0;
            hits += alone.iter().filter(|answer| answer.collides).count();
            free += alone.iter().filter(|answer| !answer.collides).count();
            let task = SearchTask { world: &puma.world, system, path: &puma.path, stop };
            for (p, policy) in policies().into_iter().enumerate() {
                for count in [1, 2, 3, 8] {
                    let team = Team { count, policy, seed: (k + 10 * p) as u64 };
                    let run = search_on_network(&task, &team, (PAPER_WORK, PAPER_NETWORK)).unwrap();
                    check_answers(&run.answers, stop, &alone, &exact);
                    handed += run.messages.iter().map(|messages| messages.nodes).sum::<usize>();
                }
            }
            for count in [1, 2, 4] {
                let team = Team { count, policy: policies()[count % 2], seed: 7 };
                let run = search_on_threads(&task, &team, 2).unwrap();
                check_answers(&run.answers, stop, &alone, &exact);
            }
        }
    }
    assert!(hits > 500 && free > 500 && handed > 10_000, "{hits} {free} {handed}");
}

/// The paper's costs: 26.95 times 853 us.
#[test]
fn the_heavy_cell_costs_what_the_papers_largest_does_and_answers_are_those_of_one_processor() {
    let puma = &scene().puma;
    let tree = puma.best_hierarchy().unwrap();
    let [.., (name, heavy)] = experiment_cells(puma, &tree, CELL_SEED).unwrap();
    assert_eq!((name, heavy.len(), heavy[..100] == heavy[900..]), ("heavy", 1000, true));
    let system = System::new(&heavy, &puma.parts, &tree, true).unwrap();
    let (alone, counts) = sequential(&system, Stop::Distance);
    let poses = puma.path.len() as f64;
    let cost = PAPER_WORK.serial + (PAPER_WORK.sequential_time(&counts) - PAPER_WORK.serial) / poses;
    assert!((PAPER_WBK1000_US - 22_999.0).abs() < 1.0, "{PAPER_WBK1000_US}");
    assert!((cost - PAPER_WBK1000_US).abs() < 0.02 * PAPER_WBK1000_US, "{cost}");
    // The path is free of it, so no search ends early.
    assert!(alone.iter().all(|answer| !answer.collides && answer.distance > 0.2));
    let task = SearchTask { world: &puma.world, system: &system, path: &puma.path, stop: Stop::Distance };
    for policy in [Policy::from_paper(), Policy::with_shared_bounds()] {
        for count in [2, 8] {
            let team = Team { count, policy, seed: 3 };
            let run = search_on_network(&task, &team, (PAPER_WORK, PAPER_NETWORK)).unwrap();
            check_answers(&run.answers, Stop::Distance, &alone, &alone);
        }
    }
}

/// Virtual time alone has no chance in it.
#[test]
fn a_run_in_virtual_time_is_the_same_again() {
    let Scene { puma, systems } = scene();
    let system = &systems[1];
    let task = SearchTask { world: &puma.world, system, path: &puma.path, stop: Stop::Distance };
    let run = |seed, count| {
        let team = Team { count, policy: Policy::from_paper(), seed };
        search_on_network(&task, &team, (PAPER_WORK, PAPER_NETWORK)).unwrap()
    };
    let [a, b, other, one] = [run(1, 4), run(1, 4), run(2, 4), run(1, 1)];
    assert_eq!((a.time_us, &a.tasks, &a.counts), (b.time_us, &b.tasks, &b.counts));
    assert_ne!(a.time_us, other.time_us, "who is asked depends on the seed");
    // One processor costs what the sequential search costs.
    let (_, counts) = sequential(&systems[1], Stop::Distance);
    let expected = PAPER_WORK.serial * (puma.path.len() - 1) as f64 + PAPER_WORK.sequential_time(&counts);
    assert!((one.time_us - expected).abs() < 1e-6 * expected, "{} {expected}", one.time_us);
    // Every processor's tasks fill the time of all detections.
    for tasks in &a.tasks {
        let all = tasks.busy_time() + tasks.waiting;
        assert!((all - a.time_us).abs() < 1e-6 * all, "{all} {}", a.time_us);
    }
}

/// A processor that never hears anything.
struct Deaf;

impl Transport for Deaf {
    fn send_message(&mut self, _: usize, _: u32, _: Message<SearchNode>) -> Result<(), Lost> {
        Ok(())
    }
    fn try_receive(&mut self) -> Result<Option<Envelope>, Lost> {
        Ok(None)
    }
    fn now_us(&self) -> f64 {
        0.0
    }
}

impl Waits for Deaf {
    fn wait_until(&mut self, _: f64) -> Result<(), Lost> {
        Err(Lost::Silence(1))
    }
}

#[test]
fn a_search_without_words_from_others_is_given_up() {
    let Scene { puma, systems } = scene();
    let (mut system, mut checker) = (systems[0].clone(), Checker::new(&puma.world));
    checker.set(&puma.path[0]).unwrap();
    for rank in [0, 1] {
        let mut worker = Worker::new(rank, 2, Policy::from_paper(), 1);
        worker.begin_search(&mut system, &checker);
        let found = worker.search_to_end(&mut system, Stop::Weak, &mut Deaf);
        // Alone, a master may find a collision; it can never know that there is none.
        assert!(found.is_err() || found.is_ok_and(|answer| answer.collides), "{rank}");
    }
}

#[test]
fn a_pose_that_is_none_ends_all_threads() {
    let Scene { puma, systems } = scene();
    let mut path = puma.path.clone();
    path[60][2] = f64::NAN;
    let task = SearchTask { world: &puma.world, system: &systems[0], path: &path, stop: Stop::Distance };
    let team = Team { count: 3, policy: Policy::with_shared_bounds(), seed: 1 };
    let found = search_on_threads(&task, &team, 1);
    assert!(found.is_err());
}
