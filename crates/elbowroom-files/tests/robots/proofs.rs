//! What is proved of pairs over all poses, against random poses.
//!
//! `ELBOWROOM_PROVE` is the number of poses (`cargo xtask race`: ten million).

use crate::bounds::{ROBOTS, hulls};
use crate::cells::{draw_values, load_description};
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use elbowroom::motion::{Claim, ProveOptions, Prover};
use elbowroom::pair::Ask;
use elbowroom::world::{AllowedReason, BodyId, BodyPair, PairStatus};
use elbowroom::{Checker, Geometry, World};

/// A robot without its SRDF of which neighbours are checked, too: they overlap always, or nearly so.
fn with_neighbours(name: &str) -> Option<World> {
    let mut description = load_description(name, false)?;
    description.obstacles.clear();
    let world = World::compile(&description).unwrap();
    let full = |id: BodyId| world.bodies()[id.index()].name.to_string();
    let wanted = |status: &PairStatus<'_>| {
        matches!(status, PairStatus::Checked(_) | PairStatus::Allowed(AllowedReason::Adjacent))
    };
    let pairs = world.all_pairs().filter(|(_, _, status)| wanted(status));
    description.checks = pairs.map(|(a, b, _)| [full(a), full(b)]).collect();
    Some(World::compile(&description).unwrap())
}

/// The world of [`with_neighbours`] with only those pairs checked of which something is claimed.
fn claimed(name: &str, pairs: &[BodyPair], claims: &[Claim]) -> Option<World> {
    let mut description = load_description(name, false)?;
    description.obstacles.clear();
    let bodies = World::compile(&description).unwrap();
    let full = |id: BodyId| bodies.bodies()[id.index()].name.to_string();
    let told = pairs.iter().zip(claims).filter(|(_, c)| matches!(c, Claim::Never { .. } | Claim::Always));
    description.checks = told.map(|(p, _)| [full(p.a), full(p.b)]).collect();
    Some(World::compile(&description).unwrap())
}

/// Of each pair, whether it was ever proved to overlap, and ever not, at so many random poses.
fn overlaps(world: &World, poses: u64, seed: u64) -> Vec<[bool; 2]> {
    let (mut rng, mut checker) = (Rng::new(seed), Checker::new(world));
    let mut seen = vec![[false; 2]; world.pairs().len()];
    let question = hulls().with_ask(Ask::Test);
    for _ in 0..poses {
        checker.set(&draw_values(world, &mut rng)).unwrap();
        checker.all_pairs(&question, |r| {
            let overlap = r.interval.upper < 0.0;
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
        let claims: Vec<Claim> = pairs.iter().map(|p| prover.pair(*p, &options).claim).collect();
        let count = |f: fn(&Claim) -> bool| claims.iter().filter(|c| f(c)).count();
        let (never, always) =
            (count(|c| matches!(c, Claim::Never { .. })), count(|c| matches!(c, Claim::Always)));
        let sometimes = count(|c| matches!(c, Claim::Sometimes));
        eprintln!("{name}: of {} pairs {never} never, {always} always, {sometimes} sometimes", pairs.len());
        assert!(never > 5, "{name}");
        all_always += always;
        // Only what is claimed is asked, on all cores, each from its own seed.
        let Some(asked) = claimed(name, &pairs, &claims) else { return };
        let poses = number_from_environment("ELBOWROOM_PROVE", 400);
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
            let Some(id) = asked.pairs().find_pair(*pair) else { continue };
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
