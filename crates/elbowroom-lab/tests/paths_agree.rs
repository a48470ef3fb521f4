//! Every path to an answer has the same answer: the search among listed pairs and through the tree of what is
//! fixed, group by group, each stop rule, each cutoff, warm and cold, with and without answers that are kept,
//! hulls and triangles, hierarchies and their descents, one thread and two; on real robots among obstacles of
//! all kinds, smoothly and in jumps.
//!
//! What they are held against is every pair asked by itself, cold. Intervals must meet: two proved intervals
//! of one number have a number in common. Verdicts must be the same, but where a threshold is no farther than
//! rounding.
//!
//! `ELBOWROOM_PATHS` is the number of poses (`cargo xtask race`: 100,000); `ELBOWROOM_SCENES` a folder of
//! more cells.

#[path = "../../elbowroom-files/tests/cells/mod.rs"]
mod cells;

use cells::{Cell, Motion, Rng, number, panda_cells, random, robot_named, robots, twins};
use elbowroom::CheckWork;
use elbowroom::batch::Batch;
use elbowroom::bounds::AlignedBox;
use elbowroom::bounds::fit::aligned;
use elbowroom::check::{Options, all_pairs, collision_vector, smallest};
use elbowroom::hierarchy::{Tree, agglomerate};
use elbowroom::id::{BodyId, PairId};
use elbowroom::motion::update::{Keep, Update};
use elbowroom::narrow::{Ask, Geometry};
use elbowroom::pairs::BodyPair;
use elbowroom::report::Report;
use elbowroom::verdict::Verdict;
use elbowroom::world::World;
use elbowroom_lab::cost::Cost;
use elbowroom_lab::descend::{Descent, descend};
use elbowroom_lab::primitives::box_moved;
use elbowroom_lab::structures::{KeepStructures, Structures};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Verdicts may differ where a threshold is this near to both answers (metres).
const BORDER: f64 = 1e-9;
/// Intervals of bodies that are apart are no wider (metres).
const WIDE: f64 = 1e-7;

/// Poses of the default test set, over all cells.
const POSES: u64 = 3000;

/// What was met.
#[derive(Clone, Debug, Default)]
struct Tally {
    poses: u64,
    answers: u64,
    verdicts: [u64; 5],
    border: u64,
    /// Answers that left a tree's pairs unasked, and kept ones.
    nodes: u64,
    /// Poses that lanes of a batch decided.
    by_lanes: u64,
    kept: u64,
    descents: u64,
    pruned: u64,
    hulls_nearer: u64,
    faults: Vec<String>,
}

/// An interval that is proved by another path, and its verdict.
#[derive(Clone, Copy, Debug)]
struct Truth {
    lower: f64,
    upper: f64,
    verdict: Verdict,
    margin: f64,
}

impl Truth {
    fn of(report: &Report, margin: f64) -> Truth {
        Truth { lower: report.lower, upper: report.upper, verdict: report.verdict, margin }
    }
    /// Whether a threshold is so near that either verdict is right.
    fn at_border(&self, found: &Report) -> bool {
        let near = |x: f64, t: f64| (x - t).abs() <= BORDER;
        [0.0, self.margin].iter().any(|t| {
            [self.lower, self.upper].iter().any(|x| near(*x, *t))
                || [found.lower, found.upper].iter().any(|x| near(*x, *t))
        })
    }
}

/// How much an answer tells.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Tells {
    /// The interval.
    All,
    /// The interval as far as the cutoff.
    To(f64),
    /// The verdict.
    Verdict,
    /// A lower bound.
    Bound,
    /// The verdict; an interval that may be wide (kept from another pose).
    Kept,
}

impl Tally {
    fn fault(&mut self, what: String) {
        if self.faults.len() < 20 {
            println!("{what}");
        }
        self.faults.push(what);
    }

    /// Holds an answer against the truth.
    fn hold(&mut self, place: &str, path: &str, truth: &Truth, found: &Report, tells: Tells) {
        self.answers += 1;
        self.nodes += u64::from(found.counts.nodes > 0);
        let mut faults = Vec::new();
        if !(found.lower <= found.upper && found.lower <= truth.upper && truth.lower <= found.upper) {
            faults.push("the intervals do not meet");
        }
        let border = found.verdict != truth.verdict && truth.at_border(found);
        self.border += u64::from(border);
        let same = match tells {
            // Good enough beyond the margin, and of the right sign.
            Tells::Bound => match found.verdict {
                Verdict::Clear | Verdict::Collision => found.verdict == truth.verdict,
                _ => true,
            },
            _ => found.verdict == truth.verdict,
        };
        if !same && !border {
            faults.push("the verdicts differ");
        }
        let apart = truth.lower > 0.0;
        let narrow = found.upper - found.lower <= WIDE;
        match tells {
            Tells::All if apart && !narrow => faults.push("the interval is wide"),
            Tells::To(cutoff) if apart && truth.upper <= cutoff && !narrow => {
                faults.push("the interval is wide below the cutoff");
            }
            Tells::To(cutoff) if truth.lower > cutoff.max(truth.margin) && !(found.lower > cutoff) => {
                faults.push("the cutoff is not proved");
            }
            Tells::Bound if truth.lower > BORDER && !(found.lower > 0.0) => {
                faults.push("the lower bound tells nothing");
            }
            _ => {}
        }
        for fault in faults {
            self.fault(format!("{place}: {path}: {fault}: {found:?}, truth {truth:?}"));
        }
    }
}

/// All that is asked of one cell.
struct Paths<'w> {
    worlds: &'w [World; 2],
    poses: [CheckWork; 2],
    cold: CheckWork,
    batches: [Batch; 2],
    updates: Vec<(String, usize, CheckWork, Update)>,
    /// What meshes stood for in the last step.
    geometry: Option<Geometry>,
    boxes: Boxes,
}

impl<'w> Paths<'w> {
    fn new(worlds: &'w [World; 2]) -> Paths<'w> {
        let mut updates = Vec::new();
        for (w, of) in [(0, "tree"), (1, "list")] {
            for keep in [Keep::Global, Keep::Local] {
                for above in [0.03, f64::INFINITY] {
                    let update = Update::new(&worlds[w], keep, above);
                    updates.push((
                        format!("{of}, kept {keep:?} above {above}"),
                        w,
                        CheckWork::new(&worlds[w]),
                        update,
                    ));
                }
            }
        }
        Paths {
            worlds,
            poses: [CheckWork::new(&worlds[0]), CheckWork::new(&worlds[1])],
            cold: CheckWork::new(&worlds[1]),
            batches: [Batch::new(&worlds[0]), Batch::new(&worlds[1])],
            updates,
            geometry: None,
            boxes: Boxes::new(&worlds[1]),
        }
    }

    fn step(&mut self, place: &str, k: u64, values: &[f64], tally: &mut Tally) {
        let [tree, listed] = self.worlds;
        let geometry = [Geometry::Hull, Geometry::Mesh][(k / 53 % 2) as usize];
        let options = Options { geometry, ..Options::of(listed) };
        for (pose, world) in self.poses.iter_mut().zip(self.worlds) {
            pose.set(world, values).unwrap();
        }
        self.cold.set(listed, values).unwrap();

        // Every pair by itself: as far as the answer goes, and now and then all the way.
        let first = smallest(listed, &mut self.poses[1], &options);
        let whole = k.is_multiple_of(16);
        let cutoff = if whole { f64::INFINITY } else { first.upper.max(0.0) + 0.02 };
        self.cold.forget();
        let mut pairs: BTreeMap<BodyPair, [f64; 2]> = BTreeMap::new();
        let all = all_pairs(listed, &mut self.cold, &Options { cutoff, ..options }, |p| {
            pairs.insert(listed.pairs().get(p.pair).unwrap(), [p.lower, p.upper]);
        });
        let truth = Truth::of(&all, options.margin);
        tally.poses += 1;
        tally.verdicts[truth.verdict as usize] += 1;
        tally.hold(place, "list, warm", &truth, &first, Tells::All);
        let named = first.pair.and_then(|p| listed.pairs().get(p)).map(|p| pairs[&p]);
        if named.is_none_or(|[lower, _]| lower > first.upper) {
            tally.fault(format!("{place}: a pair is named that is farther off: {first:?}"));
        }

        for (w, of) in [(0, "tree"), (1, "list")] {
            let (world, pose) = (&self.worlds[w], &mut self.poses[w]);
            let report = smallest(world, pose, &options);
            tally.hold(place, &format!("{of}, warm"), &truth, &report, Tells::All);
            for ask in [Ask::Test, Ask::LowerBound] {
                let report = smallest(world, pose, &Options { ask, ..options });
                let tells = if ask == Ask::Test { Tells::Verdict } else { Tells::Bound };
                tally.hold(place, &format!("{of}, warm, {ask:?}"), &truth, &report, tells);
            }
            for cutoff in [0.0, 0.05] {
                let report = smallest(world, pose, &Options { cutoff, ..options });
                tally.hold(place, &format!("{of}, cutoff {cutoff}"), &truth, &report, Tells::To(cutoff));
            }
            // Group by group, each stop rule.
            for ask in [Ask::Distance, Ask::Test, Ask::LowerBound] {
                let mut together: Option<Report> = None;
                for index in world.index_set() {
                    let v = collision_vector(world, pose, index, &Options { ask, ..options }).unwrap();
                    let t = together.get_or_insert(v);
                    (t.lower, t.upper) = (t.lower.min(v.lower), t.upper.min(v.upper));
                }
                let Some(mut report) = together else { continue };
                report.verdict = Verdict::of(report.lower, report.upper, options.margin);
                let tells = match ask {
                    Ask::Distance => Tells::All,
                    Ask::Test => Tells::Verdict,
                    Ask::LowerBound => Tells::Bound,
                };
                tally.hold(place, &format!("{of}, groups, {ask:?}"), &truth, &report, tells);
            }
            // Cold, and of a pose that is new.
            pose.forget();
            let report = smallest(world, pose, &options);
            tally.hold(place, &format!("{of}, cold"), &truth, &report, Tells::All);
            if k.is_multiple_of(32) {
                let mut fresh = CheckWork::new(world);
                fresh.set(world, values).unwrap();
                let new = smallest(world, &mut fresh, &options);
                if (new.lower, new.upper, new.pair) != (report.lower, report.upper, report.pair) {
                    tally
                        .fault(format!("{place}: {of}: a new pose says {new:?}, one that forgot {report:?}"));
                }
            }
            pose.forget();
            let report = smallest(world, pose, &Options { ask: Ask::Test, ..options });
            tally.hold(place, &format!("{of}, cold test"), &truth, &report, Tells::Verdict);
            // A batch says what the pose by itself says, to the word.
            let mut verdict = [Verdict::Unknown];
            let counts = self.batches[w].tests(world, values, &options, &mut verdict).unwrap();
            tally.by_lanes += counts.by_lanes as u64;
            if verdict != [report.verdict] {
                tally.fault(format!("{place}: {of}: a batch says {verdict:?}, one pose {report:?}"));
            }
        }
        // The same pairs one by one in the other world.
        if whole {
            all_pairs(tree, &mut self.poses[0], &options, |p| {
                let bodies = tree.pairs().get(p.pair).unwrap();
                let [lower, upper] = pairs[&bodies];
                if !(p.lower <= upper && lower <= p.upper) {
                    tally.fault(format!("{place}: {bodies:?}: {p:?}, but [{lower}, {upper}]"));
                }
            });
            self.boxes.descend(place, listed, &self.cold, &pairs, &truth, tally);
        }

        // What meshes stand for.
        let of = |geometry: Geometry, pose: &mut CheckWork| {
            smallest(listed, pose, &Options { geometry, ..options })
        };
        let [hull, mesh] = [Geometry::Hull, Geometry::Mesh].map(|g| of(g, &mut self.poses[1]));
        tally.hulls_nearer += u64::from(hull.upper < mesh.lower);
        for (what, ok) in [
            ("hulls are farther off than their triangles", hull.lower <= mesh.upper),
            (
                "hulls are clear, triangles are not",
                hull.verdict != Verdict::Clear || mesh.verdict == Verdict::Clear,
            ),
        ] {
            if !ok {
                tally.fault(format!("{place}: {what}: {hull:?} {mesh:?}"));
            }
        }

        // Answers that are kept.
        for (path, w, pose, update) in &mut self.updates {
            // What is kept is of what meshes stood for then.
            let still = update.still(values);
            if self.geometry == Some(geometry) && still > truth.upper {
                tally.fault(format!("{place}: {path}: {still} still, truth {truth:?}"));
            }
            // The question differs now and then, what is kept does not.
            let ask = if k % 16 == 5 { Ask::Test } else { Ask::Distance };
            let world = &self.worlds[*w];
            let report = update.smallest(world, pose, values, &Options { ask, ..options }).unwrap();
            let exact = update.above == f64::INFINITY && ask == Ask::Distance;
            let tells = if exact { Tells::All } else { Tells::Kept };
            tally.hold(place, path, &truth, &report, tells);
            tally.kept += u64::from(report.counts.shape_queries == 0);
        }
        self.geometry = Some(geometry);
    }
}

/// Hierarchies over the bodies of a cell, for the two ways to descend.
struct Boxes {
    moving: Vec<BodyId>,
    all: Vec<BodyId>,
    around: Vec<AlignedBox>,
    structures: Structures,
    costs: Tree,
}

impl Boxes {
    fn new(world: &World) -> Boxes {
        let has = |b: &BodyId| !world.bodies()[b.index()].shapes.is_empty();
        let all: Vec<BodyId> = (0..world.bodies().len() as u32).map(BodyId).filter(has).collect();
        let around: Vec<AlignedBox> = all.iter().map(|b| aligned(&world.cloud_of(*b)).unwrap()).collect();
        let moving: Vec<BodyId> =
            all.iter().copied().filter(|b| world.bodies()[b.index()].robot.is_some()).collect();
        let (mut pose, mut rng) = (CheckWork::new(world), Rng::new(3));
        let structures =
            Structures::sample(moving.len(), Cost::Diameter, KeepStructures::default(), |k, boxes| {
                pose.set(world, &random(world, &mut rng)).unwrap();
                for (b, out) in moving.iter().zip(boxes) {
                    let i = all.binary_search(b).unwrap();
                    *out = box_moved(&around[i], &pose.body_in_world(world, *b).unwrap(), 1e-9);
                }
                k < 100
            });
        let neutral = CheckWork::new(world);
        let leaves: Vec<AlignedBox> = all
            .iter()
            .zip(&around)
            .map(|(b, a)| box_moved(a, &neutral.body_in_world(world, *b).unwrap(), 1e-9))
            .collect();
        let costs = agglomerate(&leaves, |b| Cost::Surface.of(b)).unwrap();
        Boxes { moving, all, around, structures: structures.unwrap(), costs }
    }

    /// The least distance by both descents: both sides at once, and the larger first. Leaves are pairs that
    /// were asked by themselves.
    fn descend(
        &self,
        place: &str,
        world: &World,
        pose: &CheckWork,
        pairs: &BTreeMap<BodyPair, [f64; 2]>,
        truth: &Truth,
        tally: &mut Tally,
    ) {
        let at = |b: &BodyId| {
            let i = self.all.binary_search(b).unwrap();
            box_moved(&self.around[i], &pose.body_in_world(world, *b).unwrap(), 1e-9)
        };
        let leaves = [self.moving.iter().map(at).collect::<Vec<_>>(), self.all.iter().map(at).collect()];
        let mut choice = self.structures.choice();
        let mut boxes = [
            vec![AlignedBox::EMPTY; 2 * leaves[0].len() - 1],
            vec![AlignedBox::EMPTY; 2 * leaves[1].len() - 1],
        ];
        let chosen = self.structures.refit(&leaves[0], &mut choice, &mut boxes[0]);
        self.costs.refit(&leaves[1], &mut boxes[1]);
        let trees = [&self.structures.trees()[chosen], &self.costs];
        let mut work = Vec::new();
        for descent in Descent::ALL {
            let (mut best, mut asked) = ([f64::INFINITY; 2], 0);
            descend(trees, [&boxes[0], &boxes[1]], descent, f64::INFINITY, &mut work, |i, j, gap| {
                let [x, y] = [self.moving[i as usize], self.all[j as usize]];
                if let Some([lower, upper]) = pairs.get(&BodyPair { a: x.min(y), b: x.max(y) }) {
                    asked += 1;
                    best = [best[0].min(*lower), best[1].min(*upper)];
                    if gap > *upper {
                        tally.fault(format!("{place}: boxes of {x:?} {y:?} are farther apart than {upper}"));
                    }
                }
                best[1]
            });
            tally.descents += 1;
            tally.pruned += u64::from(asked < pairs.len());
            // Nothing of what is nearest was cut off. What is not, may be.
            if !(best[1] == truth.upper && best[0] <= truth.upper && truth.lower <= best[0]) {
                tally.fault(format!("{place}: descent {descent:?}: {best:?}, truth {truth:?}"));
            }
        }
    }
}

/// A cell along its motion.
fn run(cell: &Cell, poses: u64, seed: u64) -> Tally {
    let mut tally = Tally::default();
    let mut worlds = twins(&cell.description);
    // One of the two knows more of what never touches.
    worlds[1].prove_apart(300);
    assert_eq!(worlds[0].pairs().len(), worlds[1].pairs().len(), "{}", cell.name);
    let mut paths = Paths::new(&worlds);
    let mut motion = Motion::new(&worlds[1], seed, 40);
    for k in 0..poses {
        // One in four stretches is nothing but jumps.
        motion.jumps = if k % 160 < 40 { 1 } else { 40 };
        motion.advance();
        let place = format!("{}, pose {k} of seed {seed}, {:?}", cell.name, motion.values);
        paths.step(&place, k, &motion.values, &mut tally);
    }
    tally
}

#[test]
fn all_paths_have_the_same_answer() {
    let long = number("ELBOWROOM_PATHS", 0) > 0;
    let Some(mut cells) = robots(long) else { return };
    cells.extend(panda_cells(if long { 1000 } else { 3 }));
    let poses = number("ELBOWROOM_PATHS", POSES).div_ceil(cells.len() as u64);
    let next = AtomicUsize::new(0);
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get());
    let seed = number("ELBOWROOM_RACE_FROM", 1);
    let tallies: Vec<Tally> = std::thread::scope(|s| {
        let work = || {
            let mut mine = Vec::new();
            loop {
                let Some(cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) else {
                    return mine;
                };
                let start = std::time::Instant::now();
                let tally = run(cell, poses, seed);
                println!(
                    "{}: {} poses, {} answers, {:?}, {:.1} s",
                    cell.name,
                    tally.poses,
                    tally.answers,
                    tally.verdicts,
                    start.elapsed().as_secs_f64()
                );
                mine.push(tally);
            }
        };
        let handles: Vec<_> = (0..threads).map(|_| s.spawn(work)).collect();
        handles.into_iter().flat_map(|h| h.join().unwrap()).collect()
    });
    let mut all = Tally::default();
    for t in tallies {
        all.poses += t.poses;
        all.answers += t.answers;
        (0..5).for_each(|i| all.verdicts[i] += t.verdicts[i]);
        all.border += t.border;
        all.nodes += t.nodes;
        all.by_lanes += t.by_lanes;
        all.kept += t.kept;
        all.descents += t.descents;
        all.pruned += t.pruned;
        all.hulls_nearer += t.hulls_nearer;
        all.faults.extend(t.faults);
    }
    let faults = std::mem::take(&mut all.faults);
    println!("{all:?}");
    assert!(faults.is_empty(), "{} faults, the first: {}", faults.len(), faults[0]);
    // What the test is for was met.
    let of = |v: Verdict| all.verdicts[v as usize] * 20;
    assert!(
        of(Verdict::Clear) > all.poses
            && of(Verdict::Near) * 5 > all.poses
            && of(Verdict::Collision) > all.poses
    );
    assert!(all.border * 1000 <= all.answers && of(Verdict::Unknown) * 5 <= all.poses, "{all:?}");
    assert!(all.by_lanes * 20 > all.poses, "{all:?}");
    assert!(all.nodes * 4 > all.answers && all.kept * 25 > all.poses, "{all:?}");
    assert!(all.pruned * 2 > all.descents && all.hulls_nearer * 50 > all.poses, "{all:?}");
}

/// The bits of a report that a thread might change.
fn bits(r: &Report) -> (u64, u64, Verdict, [Option<PairId>; 3]) {
    (r.lower.to_bits(), r.upper.to_bits(), r.verdict, [r.pair, r.lower_pair, r.upper_pair])
}

/// Stretches of a motion, each warm within itself, on so many threads.
fn on_threads(
    world: &World,
    stretches: &[Vec<Vec<f64>>],
    threads: usize,
) -> Vec<(u64, u64, Verdict, [Option<PairId>; 3])> {
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut pose, mut mine) = (CheckWork::new(world), Vec::new());
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(stretch) = stretches.get(i) else { return mine };
            pose.forget();
            for values in stretch {
                pose.set(world, values).unwrap();
                for ask in [Ask::Distance, Ask::Test, Ask::LowerBound] {
                    mine.push((i, bits(&smallest(world, &mut pose, &Options { ask, ..Options::of(world) }))));
                }
            }
        }
    };
    let mut all: Vec<_> = std::thread::scope(|s| {
        let handles: Vec<_> = (0..threads).map(|_| s.spawn(work)).collect();
        handles.into_iter().flat_map(|h| h.join().unwrap()).collect()
    });
    // Steady: what a stretch gave stays in its order.
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, report)| report).collect()
}

#[test]
fn one_thread_and_many_have_the_same_bits() {
    for name in ["meca500", "two pandas of one robot"] {
        let Some(cell) = robot_named(name) else { return };
        for world in &twins(&cell.description) {
            let mut motion = Motion::new(world, 5, 25);
            let mut stretch = |_| {
                (0..10)
                    .map(|_| {
                        motion.advance();
                        motion.values.clone()
                    })
                    .collect()
            };
            let stretches: Vec<Vec<Vec<f64>>> = (0..16).map(&mut stretch).collect();
            let one = on_threads(world, &stretches, 1);
            assert_eq!(one.len(), 16 * 10 * 3);
            for threads in [2, 5] {
                assert_eq!(on_threads(world, &stretches, threads), one, "{}, {threads} threads", cell.name);
            }
        }
    }
}
