//! Bounds between poses, and what rests on them, on real robots: never exceeded by what random poses and
//! samples show.

#[path = "../../elbowroom/tests/support/rng.rs"]
mod rng;
mod support;

use elbowroom::CheckWork;
use elbowroom::check::{Options, all_pairs, smallest};
use elbowroom::compile::compile;
use elbowroom::id::{BodyId, PairId};
use elbowroom::math::Vec3;
use elbowroom::motion::approach_at;
use elbowroom::motion::edge::{CertificateFault, Edge, EdgeOptions, EdgeWork, check_edge, verify};
use elbowroom::motion::prove::{Claim, ProveOptions, Prover};
use elbowroom::motion::ranges::ranges;
use elbowroom::motion::reach::Reach;
use elbowroom::motion::swept::{Swept, virtual_link};
use elbowroom::motion::update::{Keep, Update};
use elbowroom::narrow::{Ask, Geometry, Scratch};
use elbowroom::pairs::{AllowedReason, BodyPair, PairStatus};
use elbowroom::shape::Core;
use elbowroom::verdict::Verdict;
use elbowroom::world::World;
use elbowroom_files::Options as FileOptions;
use elbowroom_files::world::load_world;
use rng::Rng;
use std::path::{Path, PathBuf};

/// A clearance that poses of the Puma's cell have and have not (metres).
const CLOSE: f64 = 0.002;

const ROBOTS: [&str; 4] = [
    "kuka_lbr_iiwa_7_r800_pr117/lbr_iiwa_7_r800.urdf",
    "dual_panda_moveit/panda.urdf",
    "ur5_robotiq_vamp/ur5.urdf",
    "puma260/bottleneck.toml",
];

fn path(name: &str) -> Option<PathBuf> {
    if name.starts_with("puma260/") {
        return Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots").join(name));
    }
    Some(support::data()?.join("robots").join(name))
}

fn world(name: &str, srdf: bool) -> Option<World> {
    let options = FileOptions { no_srdf: !srdf, ..FileOptions::default() };
    let path = path(name)?;
    let loaded = load_world(&path, &options).unwrap_or_else(|f| panic!("{}: {f}", path.display()));
    Some(compile(&loaded.value).unwrap_or_else(|f| panic!("{}: {f:?}", path.display())))
}

fn random(world: &World, rng: &mut Rng) -> Vec<f64> {
    ranges(world).iter().map(|[low, high]| rng.range(low + 1e-8, high - 1e-8)).collect()
}

/// A step from `from` of about `size`, within limits.
fn near(world: &World, rng: &mut Rng, from: &[f64], size: f64) -> Vec<f64> {
    let step =
        |([low, high], q): (&[f64; 2], &f64)| (q + rng.range(-size, size)).clamp(low + 1e-8, high - 1e-8);
    ranges(world).iter().zip(from).map(step).collect()
}

fn hulls(world: &World) -> Options {
    Options { geometry: Geometry::Hull, ..Options::of(world) }
}

/// Points of a body in its own frame.
fn points(world: &World, body: BodyId) -> Vec<Vec3> {
    let mut points = Vec::new();
    for shape in world.bodies()[body.index()].shapes.clone().map(|i| &world.shapes()[i as usize]) {
        match &shape.shape.core {
            Core::Hull(hull) | Core::Mesh { hull, .. } => {
                let some = hull.vertices().step_by(hull.vertex_count().div_ceil(40));
                points.extend(some.map(|v| shape.shape_in_body().point(v)));
            }
            _ => points.push(shape.shape_in_body().point(shape.shape.center)),
        }
    }
    points
}

#[test]
fn no_point_moves_farther_than_its_bound() {
    let mut worst: f64 = 0.0;
    for name in ROBOTS {
        let Some(world) = world(name, true) else { return };
        let (reach, mut rng) = (Reach::new(&world), Rng::new(11));
        let (mut p, mut q) = (CheckWork::new(&world), CheckWork::new(&world));
        let (mut sum, mut count) = (0.0, 0.0);
        for k in 0..60 {
            let from = random(&world, &mut rng);
            let size = if k % 2 == 0 { 3.0 } else { 0.01 };
            let mut to = near(&world, &mut rng, &from, size);
            if k % 3 == 0 {
                // One joint alone: there the bound may be sharp.
                let only = rng.below(to.len());
                (0..to.len()).filter(|i| *i != only).for_each(|i| to[i] = from[i]);
            }
            let change: Vec<f64> = from.iter().zip(&to).map(|(a, b)| (a - b).abs()).collect();
            p.set(&world, &from).unwrap();
            q.set(&world, &to).unwrap();
            for body in (0..world.bodies().len() as u32).map(BodyId) {
                let bound = reach.moved(body, &change);
                let (a, b) = (p.body_in_world(&world, body).unwrap(), q.body_in_world(&world, body).unwrap());
                let moved = points(&world, body).into_iter().map(|x| (a.point(x) - b.point(x)).norm());
                let moved = moved.fold(0.0, f64::max);
                assert!(
                    moved <= bound + 1e-12,
                    "{name}: {} moves {moved}, bound {bound}",
                    world.bodies()[body.index()].name
                );
                if moved > 1e-6 {
                    worst = worst.max(moved / bound);
                    sum += moved / bound;
                    count += 1.0;
                }
            }
        }
        eprintln!("{name}: points move {:.2} of their bound on average", sum / count);
        assert!(sum / count > 0.1, "{name}: the bounds say nothing");
    }
    assert!(worst > 0.8, "no bound came near: {worst}");
}

#[test]
fn no_pair_comes_nearer_than_its_bound() {
    for name in ROBOTS {
        let Some(world) = world(name, true) else { return };
        let (reach, mut rng) = (Reach::new(&world), Rng::new(12));
        let mut pose = CheckWork::new(&world);
        let options = Options { cutoff: f64::INFINITY, ..hulls(&world) };
        let (mut sum, mut count, mut tight) = (0.0, 0, 0.0_f64);
        for k in 0..40 {
            let from = random(&world, &mut rng);
            let size = [0.5, 0.02][k % 2];
            let to = near(&world, &mut rng, &from, size);
            let change: Vec<f64> = from.iter().zip(&to).map(|(a, b)| (a - b).abs()).collect();
            pose.set(&world, &from).unwrap();
            let bounds: Vec<[f64; 2]> = world
                .pairs()
                .iter()
                .map(|p| {
                    [
                        approach_at(&world, &reach, &pose, [p.a, p.b], &change),
                        reach.approach(p.a, p.b, &change),
                    ]
                })
                .collect();
            let mut before = Vec::new();
            all_pairs(&world, &mut pose, &options, |r| before.push([r.lower, r.upper]));
            pose.set(&world, &to).unwrap();
            let mut after = Vec::new();
            all_pairs(&world, &mut pose, &options, |r| after.push([r.lower, r.upper]));
            for (i, [at, any]) in bounds.into_iter().enumerate() {
                // Depths of convex shapes change no faster than distances.
                let nearer = before[i][0] - after[i][1];
                assert!(
                    nearer <= at && nearer <= any,
                    "{name} {:?}: {nearer} of {at}, {any}",
                    world.pairs().get(PairId(i as u32))
                );
                assert!(nearer <= reach.approach_of_any(&change), "{name}");
                if nearer > 1e-6 {
                    sum += nearer / at;
                    count += 1;
                    tight = tight.max(nearer / at);
                }
            }
        }
        assert!(count > 50, "{name}");
        eprintln!(
            "{name}: pairs approach {:.2} of their bound on average, {tight:.2} at most",
            sum / f64::from(count)
        );
        assert!(tight > 0.3, "{name}: the bounds say nothing");
    }
}

#[test]
fn updates_say_what_a_cold_query_says() {
    for name in ROBOTS {
        let Some(world) = world(name, true) else { return };
        let mut rng = Rng::new(13);
        let (mut pose, mut cold) = (CheckWork::new(&world), CheckWork::new(&world));
        let options = hulls(&world);
        for (keep, above) in [(Keep::Global, 0.02), (Keep::Local, 0.02), (Keep::Local, f64::INFINITY)] {
            let mut update = Update::new(&world, keep, above);
            let mut values = random(&world, &mut rng);
            let (mut kept, mut queries, mut cold_queries) = (0, 0, 0);
            for step in 0..250 {
                values = if step % 70 == 69 {
                    random(&world, &mut rng)
                } else {
                    near(&world, &mut rng, &values, 2e-3)
                };
                let still = update.still(&values);
                let report = update.smallest(&world, &mut pose, &values, &options).unwrap();
                cold.set(&world, &values).unwrap();
                cold.forget();
                let truth = smallest(&world, &mut cold, &options);
                let place = format!("{name} {keep:?} {above} step {step}");
                assert!(still <= truth.upper, "{place}: still {still}, true {truth:?}");
                assert!(
                    report.lower <= truth.upper && truth.lower <= report.upper,
                    "{place}: {report:?} {truth:?}"
                );
                if above == f64::INFINITY {
                    assert_eq!(report.verdict, truth.verdict, "{place}");
                    assert!((report.lower - truth.lower).abs() < 1e-6, "{place}: {report:?} {truth:?}");
                } else if truth.lower > above {
                    assert!(report.lower > options.margin, "{place}: {report:?} {truth:?}");
                }
                kept += usize::from(report.counts.shape_queries == 0);
                queries += report.counts.shape_queries;
                cold_queries += truth.counts.shape_queries;
            }
            eprintln!("{name} {keep:?} {above}: {kept} of 250 kept, {queries} queries for {cold_queries}");
        }
    }
}

/// The first of `n` samples of a motion that is proved to overlap, and its place.
fn first_hit(
    world: &World,
    [from, to]: [&[f64]; 2],
    n: usize,
    pose: &mut CheckWork,
    options: &Options,
) -> Option<f64> {
    (0..=n).map(|i| i as f64 / n as f64).find(|t| {
        let values: Vec<f64> = from.iter().zip(to).map(|(a, b)| a + (b - a) * t).collect();
        pose.set(world, &values).unwrap();
        smallest(world, pose, &Options { ask: Ask::Test, ..*options }).verdict == Verdict::Collision
    })
}

#[test]
fn edges_tell_what_samples_show() {
    for name in ROBOTS {
        let Some(world) = world(name, true) else { return };
        let mut rng = Rng::new(14);
        let mut pose = CheckWork::new(&world);
        let mut work = EdgeWork::new(&world);
        let options = EdgeOptions { geometry: Geometry::Hull, ..EdgeOptions::default() };
        let (mut free, mut contacts, mut unknown, mut queries, mut poses) = (0, 0, 0, 0, 0);
        for k in 0..60 {
            let from = random(&world, &mut rng);
            let to = near(&world, &mut rng, &from, [0.5, 0.1, 2.0][k % 3]);
            let ends = [&from[..], &to[..]];
            let answer = check_edge(&world, &mut pose, &mut work, ends, &options).unwrap();
            queries += work.counts().shape_queries;
            poses += work.counts().poses;
            // Ten thousand for one that is called free, a hundred for the others.
            let n = if free == 0 && answer == Edge::Free { 10_000 } else { 100 };
            let hit = first_hit(&world, ends, n, &mut pose, &hulls(&world));
            match answer {
                Edge::Free => {
                    free += 1;
                    assert_eq!(hit, None, "{name} {k}: called free");
                    let pieces = work.pieces().to_vec();
                    if k < 12 {
                        verify(&world, &mut pose, ends, &pieces, &options).unwrap();
                        let some = pieces.len() / 2;
                        let fault = verify(&world, &mut pose, ends, &pieces[..some], &options);
                        assert!(matches!(fault, Err(CertificateFault::Gap { .. })), "{name} {k}");
                    }
                }
                Edge::Contact { first: [a, b], pair, free_until, .. } => {
                    contacts += 1;
                    assert!(
                        free_until <= a && a <= b && hit.is_none_or(|t| t >= free_until - 1e-12),
                        "{name} {k}: {answer:?} {hit:?}"
                    );
                    assert!(b - a < 1e-3, "{name} {k}: {answer:?}");
                    let values: Vec<f64> = from.iter().zip(&to).map(|(p, q)| p + (q - p) * b).collect();
                    pose.set(&world, &values).unwrap();
                    let mut told = false;
                    all_pairs(&world, &mut pose, &hulls(&world), |r| {
                        told |= world.pairs().get(r.pair) == Some(pair) && r.verdict == Verdict::Collision;
                    });
                    assert!(told, "{name} {k}: {answer:?}");
                }
                Edge::Unknown { at: [a, _], .. } => {
                    unknown += 1;
                    assert!(hit.is_none_or(|t| t >= a), "{name} {k}: {answer:?} {hit:?}");
                }
            }
        }
        let (queries, poses) = (queries / 60, poses / 60);
        eprintln!(
            "{name}: {free} free, {contacts} contacts, {unknown} unknown; {poses} poses, {queries} queries \
             each"
        );
        assert!(free > 3 && contacts > 3 && unknown <= 1, "{name}: {free} {contacts} {unknown}");
    }
}

#[test]
fn edges_of_triangles_and_with_clearance() {
    let Some(world) = world(ROBOTS[3], true) else { return };
    let mut rng = Rng::new(15);
    let (mut pose, mut work) = (CheckWork::new(&world), EdgeWork::new(&world));
    let (mut free, mut contacts) = (0, 0);
    for _ in 0..40 {
        let from = random(&world, &mut rng);
        let to = near(&world, &mut rng, &from, 0.2);
        let options = EdgeOptions { clearance: CLOSE, ..EdgeOptions::default() };
        match check_edge(&world, &mut pose, &mut work, [&from, &to], &options).unwrap() {
            Edge::Free => {
                free += 1;
                for t in [0.0, 0.3, 0.7, 1.0] {
                    let values: Vec<f64> = from.iter().zip(&to).map(|(p, q)| p + (q - p) * t).collect();
                    pose.set(&world, &values).unwrap();
                    let report = smallest(&world, &mut pose, &Options::of(&world));
                    assert!(report.upper >= CLOSE, "{report:?}");
                }
            }
            Edge::Contact { first, .. } => {
                contacts += 1;
                let values: Vec<f64> = from.iter().zip(&to).map(|(p, q)| p + (q - p) * first[1]).collect();
                pose.set(&world, &values).unwrap();
                assert!(smallest(&world, &mut pose, &Options::of(&world)).lower <= CLOSE);
            }
            Edge::Unknown { .. } => {}
        }
    }
    assert!(free > 3 && contacts > 3, "{free} {contacts}");
    // Standing still, and what is no configuration.
    let home = world.neutral_values();
    let still = check_edge(&world, &mut pose, &mut work, [&home, &home], &EdgeOptions::default()).unwrap();
    assert!(matches!(still, Edge::Free), "{still:?}");
    let pieces = work.pieces().to_vec();
    verify(&world, &mut pose, [&home, &home], &pieces, &EdgeOptions::default()).unwrap();
    assert!(check_edge(&world, &mut pose, &mut work, [&home, &home[1..]], &EdgeOptions::default()).is_err());
    let mut far = home.clone();
    far[0] = f64::NAN;
    assert!(check_edge(&world, &mut pose, &mut work, [&home, &far], &EdgeOptions::default()).is_err());
}

#[test]
fn nothing_leaves_what_it_can_sweep() {
    for name in ROBOTS {
        let Some(world) = world(name, true) else { return };
        let (swept, mut rng, mut pose) = (Swept::new(&world), Rng::new(16), CheckWork::new(&world));
        let links: Vec<Option<elbowroom::bounds::Ball>> =
            (0..world.bodies().len()).map(|i| virtual_link(&world, BodyId(i as u32))).collect();
        let (mut fill, mut inside) = (0.0_f64, 0);
        for _ in 0..200 {
            let values = random(&world, &mut rng);
            pose.set(&world, &values).unwrap();
            for body in swept.bodies() {
                let ball = swept.ball_in_world(&world, body).unwrap();
                let at = pose.body_in_world(&world, body).unwrap();
                for p in points(&world, body) {
                    let out = (at.point(p) - ball.center).norm();
                    assert!(out <= ball.radius + 1e-12, "{name}: {}", world.bodies()[body.index()].name);
                    fill = fill.max(out / ball.radius);
                    // Whatever hangs on the first moving link is in that one's virtual link.
                    for (i, link) in links.iter().enumerate() {
                        let first = BodyId(i as u32);
                        let Some(link) = link.filter(|_| i + 1 == body.index()) else { continue };
                        let behind = world.joints().iter().any(|j| j.parent == first && j.child == body);
                        if behind {
                            let frame = pose.body_in_world(&world, first).unwrap();
                            let p = frame.inverse().point(at.point(p));
                            assert!((p - link.center).norm() <= link.radius + 1e-9, "{name}");
                            inside += 1;
                        }
                    }
                }
            }
        }
        eprintln!("{name}: swept balls are filled to {fill:.2}");
        assert!(fill > 0.5 && inside > 100, "{name}: {fill} {inside}");
    }
}

#[test]
fn obstacles_out_of_reach_are_never_nearer() {
    let Some(world) = world(ROBOTS[3], true) else { return };
    let (swept, mut rng, mut pose) = (Swept::new(&world), Rng::new(17), CheckWork::new(&world));
    let mut scratch = Scratch::default();
    let mut out = 0;
    let mut gaps = Vec::new();
    for (i, pair) in world.pairs().iter().enumerate() {
        if world.bodies()[pair.b.index()].robot.is_none() {
            let gap = swept.gap(&world, pair.a, pair.b, &mut scratch);
            out += usize::from(gap > 0.0);
            gaps.push((i, gap));
        }
    }
    let names: Vec<_> =
        gaps.iter().filter(|g| g.1 > 0.0).map(|g| world.pair_names(PairId(g.0 as u32))).collect();
    eprintln!("out of reach: {out} of {}: {names:?}", gaps.len());
    assert!(!gaps.is_empty());
    for _ in 0..300 {
        let values = random(&world, &mut rng);
        pose.set(&world, &values).unwrap();
        let mut at = Vec::new();
        all_pairs(&world, &mut pose, &hulls(&world), |r| at.push(r.upper));
        for (i, gap) in &gaps {
            assert!(at[*i] >= *gap, "{:?}: {} < {gap}", world.pairs().get(PairId(*i as u32)), at[*i]);
        }
    }
}

/// A robot without its SRDF of which neighbours are checked, too: they overlap always, or nearly so.
fn with_neighbours(name: &str) -> Option<World> {
    let options = FileOptions { no_srdf: true, ..FileOptions::default() };
    let mut description = load_world(&path(name)?, &options).unwrap_or_else(|f| panic!("{name}: {f}")).value;
    description.obstacles.clear();
    let world = compile(&description).unwrap();
    let full = |id: BodyId| world.bodies()[id.index()].name.to_string();
    let wanted = |status: &PairStatus<'_>| {
        matches!(status, PairStatus::Checked(_) | PairStatus::Allowed(AllowedReason::Adjacent))
    };
    let pairs = world.all_pairs().filter(|(_, _, status)| wanted(status));
    description.checks = pairs.map(|(a, b, _)| [full(a), full(b)]).collect();
    Some(compile(&description).unwrap())
}

/// The world of [`with_neighbours`] with only those pairs checked of which something is claimed.
fn claimed(name: &str, pairs: &[BodyPair], claims: &[Claim]) -> Option<World> {
    let options = FileOptions { no_srdf: true, ..FileOptions::default() };
    let mut description = load_world(&path(name)?, &options).unwrap_or_else(|f| panic!("{name}: {f}")).value;
    description.obstacles.clear();
    let bodies = compile(&description).unwrap();
    let full = |id: BodyId| bodies.bodies()[id.index()].name.to_string();
    let told = pairs.iter().zip(claims).filter(|(_, c)| matches!(c, Claim::Never { .. } | Claim::Always));
    description.checks = told.map(|(p, _)| [full(p.a), full(p.b)]).collect();
    Some(compile(&description).unwrap())
}

/// Of each pair, whether it was ever proved to overlap, and ever not, at so many random poses.
fn overlaps(world: &World, poses: u64, seed: u64) -> Vec<[bool; 2]> {
    let (mut rng, mut pose) = (Rng::new(seed), CheckWork::new(world));
    let mut seen = vec![[false; 2]; world.pairs().len()];
    let options = Options { ask: Ask::Test, ..hulls(world) };
    for _ in 0..poses {
        pose.set(world, &random(world, &mut rng)).unwrap();
        all_pairs(world, &mut pose, &options, |r| {
            let overlap = r.upper < 0.0;
            seen[r.pair.index()][usize::from(!overlap)] = true;
        });
    }
    seen
}

#[test]
fn proved_pairs_keep_their_word() {
    // In the long run, by `cargo xtask race`, ten for each pair of that.
    let mut all_always = 0;
    for name in ROBOTS {
        let Some(world) = with_neighbours(name) else { return };
        let mut prover = Prover::new(&world);
        let options = ProveOptions { boxes: 3000, geometry: Geometry::Hull, ..ProveOptions::default() };
        let pairs: Vec<BodyPair> = world.pairs().iter().collect();
        let claims: Vec<Claim> = pairs.iter().map(|p| prover.pair(&world, *p, &options).claim).collect();
        let count = |f: fn(&Claim) -> bool| claims.iter().filter(|c| f(c)).count();
        let (never, always) =
            (count(|c| matches!(c, Claim::Never { .. })), count(|c| matches!(c, Claim::Always)));
        let sometimes = count(|c| matches!(c, Claim::Sometimes));
        eprintln!("{name}: of {} pairs {never} never, {always} always, {sometimes} sometimes", pairs.len());
        assert!(never > 5, "{name}");
        all_always += always;
        // Only what is claimed is asked, on all cores, each from its own seed.
        let Some(asked) = claimed(name, &pairs, &claims) else { return };
        let poses: u64 = std::env::var("ELBOWROOM_PROVE").ok().and_then(|n| n.parse().ok()).unwrap_or(400);
        let threads = std::thread::available_parallelism().map_or(1, |n| n.get()) as u64;
        let start = std::time::Instant::now();
        let seen: Vec<Vec<[bool; 2]>> = std::thread::scope(|s| {
            let handles: Vec<_> = (0..threads)
                .map(|k| {
                    s.spawn({
                        let asked = &asked;
                        move || overlaps(asked, poses.div_ceil(threads), 18 + k)
                    })
                })
                .collect();
            handles.into_iter().map(|h| h.join().unwrap()).collect()
        });
        let mut checked = 0;
        for (pair, claim) in pairs.iter().zip(&claims) {
            let Some(id) = asked.pairs().find(*pair) else { continue };
            let [hit, not] = [0, 1].map(|k| seen.iter().any(|s| s[id.index()][k]));
            checked += 1;
            match claim {
                Claim::Never { least } => assert!(!hit && *least > 0.0, "{name} {:?}", asked.pair_names(id)),
                Claim::Always => assert!(!not, "{name} {:?} does not always overlap", asked.pair_names(id)),
                Claim::Sometimes | Claim::Open => panic!("{name}: {claim:?} was not to be asked"),
            }
        }
        assert_eq!(checked, never + always, "{name}");
        eprintln!("{name}: {checked} pairs at {poses} poses in {:.1} s", start.elapsed().as_secs_f64());
    }
    assert!(all_always > 5, "{all_always}");
}
