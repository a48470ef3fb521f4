//! Edited worlds, compared with worlds that are freshly compiled from descriptions with the same changes.

use crate::scenes::scene;
use crate::support::ask::{assert_answers_agree, every_pair, intervals_meet};
use crate::support::describe::*;
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use crate::support::shapes::{self, KINDS};
use elbowroom::describe::*;
use elbowroom::fault::CompileFault;
use elbowroom::math::{Transform, Vec3};
use elbowroom::motion::bounds::Swept;
use elbowroom::motion::{Claim, Edge, EdgeOptions, MotionChecker, ProveOptions, Prover};
use elbowroom::pair::Scratch;
use elbowroom::pose::SetOptions;
use elbowroom::world::{BodyId, PairStatus};
use elbowroom::{Batch, Checker, Question, Verdict, World};
use std::collections::BTreeMap;

/// How often each case was reached.
#[derive(Debug, Default)]
struct Seen {
    added: u64,
    removed: u64,
    replaced: u64,
    padded: u64,
    allowed: u64,
    checked: u64,
    /// Edits after which the base of the world is still that of the one before.
    shared: u64,
    anew: u64,
    compared: u64,
    of_new: u64,
    colliding: u64,
    clear: u64,
    batches: u64,
    edges: u64,
    free: u64,
}

fn fixed_obstacle(name: &str, rng: &mut Rng) -> ObstacleDescription {
    let shapes = (0..if rng.chance(0.2) { rng.below(4) } else { 1 })
        .map(|_| {
            let kind = rng.pick(&KINDS);
            let padding = if rng.chance(0.2) { 0.02 } else { 0.0 };
            let shape = shapes::draw_shape(kind, rng.range(0.05, 0.3), rng);
            PlacedShape { padding, ..shape_at(shape, rng.pose(0.1)) }
        })
        .collect();
    ObstacleDescription { pose: rng.pose(1.5), ..obstacle(name, [0.0; 3], shapes) }
}

/// Makes some changes of a description, and the world with them.
fn edit(world: &World, d: &mut WorldDescription, names: &mut u32, rng: &mut Rng, seen: &mut Seen) -> World {
    let mut edit = world.edit();
    let plain = |o: &ObstacleDescription| !o.movable && o.attached_to.is_none();
    for _ in 0..1 + rng.below(3) {
        let fixed: Vec<usize> = (0..d.obstacles.len()).filter(|i| plain(&d.obstacles[*i])).collect();
        let kinds = if rng.chance(0.3) { 10 } else { 7 };
        match rng.below(kinds) {
            0..=3 => {
                *names += 1;
                let new = fixed_obstacle(&format!("new{names}"), rng);
                // Bodies in the order of their numbers: what is added comes last.
                d.obstacles.push(new.clone());
                edit.add(new);
                seen.added += 1;
            }
            4 | 5 if !fixed.is_empty() => {
                let old = d.obstacles.remove(rng.pick(&fixed));
                let full = format!("world/{}", old.name);
                edit.remove(&full);
                // What names it would be a fault.
                d.allowed.retain(|pair| pair.a != full && pair.b != full);
                d.checks.retain(|pair| !pair.contains(&full));
                for touch in d.obstacles.iter_mut().filter_map(|o| o.attached_to.as_mut()) {
                    touch.touch.retain(|name| *name != full);
                }
                seen.removed += 1;
            }
            6 if !fixed.is_empty() => {
                let old = rng.pick(&fixed);
                let new = fixed_obstacle(&d.obstacles[old].name.clone(), rng);
                d.obstacles.remove(old);
                d.obstacles.push(new.clone());
                edit.replace(new);
                seen.replaced += 1;
            }
            7 => {
                let (robot, padding) = (rng.below(d.robots.len()), rng.pick(&[0.0, 0.01, 0.05]));
                edit.pad(&d.robots[robot].name, padding);
                let links = &mut d.robots[robot].robot.links;
                links.iter_mut().flat_map(|l| &mut l.shapes).for_each(|shape| shape.padding = padding);
                seen.padded += 1;
            }
            8 => {
                let body = |o: &ObstacleDescription| format!("world/{}", o.name);
                let a = ["r", "r/1", "world"][rng.below(3)].to_string();
                let b = d.obstacles.last().map_or("r/2".into(), body);
                if a != b {
                    let pair = AllowedPair { a, b, reason: "for now".into() };
                    edit.allow(pair.clone());
                    d.allowed.push(pair);
                    seen.allowed += 1;
                }
            }
            _ => {
                if let Some(pair) = d.allowed.pop() {
                    // Each is taken back as often as it was said.
                    let same = |p: &AllowedPair| {
                        (&p.a, &p.b) == (&pair.a, &pair.b) || (&p.a, &p.b) == (&pair.b, &pair.a)
                    };
                    d.allowed.retain(|p| !same(p));
                    edit.check(&pair.a, &pair.b);
                    seen.checked += 1;
                }
            }
        }
    }
    edit.finish().unwrap_or_else(|f| panic!("{f}"))
}

/// Compares an edited world with a freshly compiled one.
fn compare(checker: &mut Checker, d: &WorldDescription, place: &str, rng: &mut Rng, seen: &mut Seen) {
    let fresh = World::compile(d).unwrap_or_else(|f| panic!("{place}: {f}"));
    let world = checker.world();
    let mut other = Checker::new(&fresh);
    other.set_with(checker.values(), SetOptions { ignore_limits: true }).unwrap();
    let there = |id: &BodyId| world.has_body(*id);
    let bodies = (0..world.bodies().len() as u32).map(BodyId).filter(there).count();
    assert_eq!(bodies, fresh.bodies().len(), "{place}");
    assert_eq!(world.allowed_count(), fresh.allowed_count(), "{place}");
    assert_eq!(world.dof_names(), fresh.dof_names(), "{place}");

    let mine = |id: BodyId| world.body_by_name(&fresh.bodies()[id.index()].name).unwrap();
    for (a, b, status) in fresh.all_pairs() {
        let own = world.status(mine(a), mine(b)).unwrap();
        match (own, status) {
            (PairStatus::Checked(pair), PairStatus::Checked(_)) => {
                let bodies = world.pairs().get(pair).unwrap();
                assert_eq!(world.pairs().find_pair(bodies), Some(pair), "{place}");
            }
            (PairStatus::Allowed(x), PairStatus::Allowed(y)) => assert_eq!(x, y, "{place}"),
            _ => panic!("{place}: {a:?} {b:?} {own:?} {status:?}"),
        }
    }
    assert_eq!(world.all_pairs().count(), fresh.all_pairs().count(), "{place}");

    for question in [Question::distance(), Question::test(), Question::lower_bound()] {
        let (now, then) = (checker.ask(&question), other.ask(&question));
        assert_answers_agree([&now, &then], &question, world.margin(), place);
        if question == Question::distance() {
            let name = now.pair.and_then(|pair| world.pair_names(pair));
            seen.of_new += u64::from(name.is_some_and(|n| n.iter().any(|n| n.starts_with("world/new"))));
            seen.colliding += u64::from(now.interval.upper < 0.0);
            seen.clear += u64::from(now.interval.lower > world.margin());
        }
    }
    let (all, _) = every_pair(checker, &Question::distance());
    let (every, _) = every_pair(&mut other, &Question::distance());
    assert_eq!((all.len(), checker.checked_pair_count()), (every.len(), every.len()), "{place}");
    let names = |world: &World, pair| {
        let mut names = world.pair_names(pair).unwrap().map(String::from);
        names.sort();
        names
    };
    let own: BTreeMap<_, _> = all.iter().map(|pair| (names(world, pair.pair), pair)).collect();
    for pair in &every {
        let mine = own.get(&names(&fresh, pair.pair)).unwrap_or_else(|| panic!("{place}: one is missing"));
        assert!(intervals_meet(&mine.interval, &pair.interval), "{place}: {mine:?} {pair:?}");
    }

    // Groups, and what is between them.
    let named = |world: &World| -> Vec<(String, usize, bool, bool)> {
        let told =
            |g: &elbowroom::world::CollisionGroup| (g.name.clone(), g.bodies.len(), g.moved, g.dynamic);
        world.groups().iter().map(told).collect()
    };
    assert_eq!(named(world), named(&fresh), "{place}");
    assert!(world.index_set().eq(fresh.index_set()), "{place}");
    for groups in world.index_set() {
        let question = Question::distance();
        let now = checker.between(groups, &question).unwrap();
        let then = other.between(groups, &question).unwrap();
        assert_answers_agree([&now, &then], &question, world.margin(), place);
    }

    // A batch says what a single test says.
    let values = checker.values().to_vec();
    let (mut batch, mut verdicts) = (Batch::new(world), [Verdict::Unknown]);
    assert!(batch.copy_state_from(checker));
    if batch.test(&values, &Question::test(), &mut verdicts).is_ok() {
        assert_eq!(verdicts[0], checker.ask(&Question::test()).verdict, "{place}");
        seen.batches += 1;
    }

    // A short way from here.
    let to: Vec<f64> = values.iter().map(|v| v + rng.range(-0.2, 0.2)).collect();
    let options =
        EdgeOptions { set: SetOptions { ignore_limits: true }, work: 3000, ..EdgeOptions::default() };
    let mut edges = MotionChecker::new(world);
    assert!(edges.copy_state_from(checker));
    let mut fresh_edges = MotionChecker::new(&fresh);
    if let (Ok(now), Ok(then)) =
        (edges.check_edge([&values, &to], &options), fresh_edges.check_edge([&values, &to], &options))
    {
        let is_free = |edge: &Edge| *edge == Edge::Free;
        let touches = |edge: &Edge| matches!(edge, Edge::Contact { .. });
        assert!(
            !(is_free(&now) && touches(&then) || touches(&now) && is_free(&then)),
            "{place}: {now:?} {then:?}"
        );
        seen.edges += 1;
        seen.free += u64::from(is_free(&now) && is_free(&then));
    }
    seen.compared += 1;
}

/// `ELBOWROOM_EDITS` edits, 300 unless told.
#[test]
fn an_edited_world_answers_as_one_that_is_compiled_anew() {
    let (edits, from) =
        (number_from_environment("ELBOWROOM_EDITS", 120), number_from_environment("ELBOWROOM_EDITS_FROM", 0));
    let (mut seen, mut done, mut seed) = (Seen::default(), 0, from);
    while done < edits {
        seed += 1;
        let rng = &mut Rng::new(seed);
        let mut d = scene(rng);
        let movable = rng.chance(0.5);
        if !movable {
            d.obstacles.retain(|o| !o.movable);
            let names: Vec<String> = d.obstacles.iter().map(|o| format!("world/{}", o.name)).collect();
            let known = |name: &String| !name.starts_with("world/") || names.contains(name);
            d.allowed.retain(|pair| known(&pair.a) && known(&pair.b));
        }
        if rng.chance(0.3) {
            d.groups.push(BodyGroup { name: "cell".into(), members: vec!["world".into()] });
            d.checks = vec![["r".into(), "cell".into()], ["r".into(), "r".into()]];
        }
        let mut names = 0;
        let mut world = World::compile(&d).unwrap_or_else(|f| panic!("{seed}: {f}"));
        let values: Vec<f64> = world.dof_names().iter().map(|_| rng.range(-1.0, 1.0)).collect();
        let mut first = Checker::new(&world);
        first.set_with(&values, SetOptions { ignore_limits: true }).unwrap();
        let mut held = first.clone().migrate_to(&world).unwrap();
        compare(&mut held, &d, &format!("seed {seed}, at first"), rng, &mut seen);
        for round in 0..12 {
            let place = format!("seed {seed}, edit {round}");
            let next = edit(&world, &mut d, &mut names, rng, &mut seen);
            let shares = next.bodies().shared_with(world.bodies());
            (seen.shared, seen.anew) = (seen.shared + u64::from(shares), seen.anew + u64::from(!shares));
            // The old world stays as it was; who asked it goes over.
            let old = Checker::new(&world).ask(&Question::distance());
            assert_eq!(Checker::new(&world).ask(&Question::distance()).interval, old.interval);
            let values: Vec<f64> = world.dof_names().iter().map(|_| rng.range(-2.0, 2.0)).collect();
            let mut before = Checker::new(&world);
            before.set_with(&values, SetOptions { ignore_limits: true }).unwrap();
            before.ask(&Question::distance());
            let mut checker = before.migrate_to(&next).unwrap();
            assert_eq!(checker.values(), &values[..]);
            compare(&mut checker, &d, &place, rng, &mut seen);
            world = next;
            done += 1;
        }
    }
    println!("{seen:?}");
    let Seen { added, removed, replaced, padded, allowed, checked, shared, anew, .. } = seen;
    assert!([added, removed, replaced].iter().all(|n| n * 20 > done), "{seen:?}");
    assert!([padded, allowed, checked].iter().all(|n| n * 100 > done), "{seen:?}");
    assert!(shared * 10 > done && anew * 10 > done, "{seen:?}");
    assert!(
        [seen.of_new, seen.clear, seen.colliding, seen.batches, seen.free].iter().all(|n| n * 30 > done),
        "{seen:?}"
    );
}

#[test]
fn after_many_edits_the_tree_is_made_anew() {
    let mut d = alone(row_of_balls("arm", 2, 0.5, 0.1));
    for i in 0..40 {
        d.obstacles.push(obstacle(&format!("o{i}"), [i as f64, 3.0, 0.0], one_of_each()));
    }
    let mut world = World::compile(&d).unwrap();
    let (mut made_anew, mut last) = (0, None);
    for i in 0..600 {
        let mut edit = world.edit();
        // One comes, and most of those that came go again.
        edit.add(obstacle(&format!("new{i}"), [0.8, 0.3 + 0.01 * i as f64, 0.0], one_of_each()));
        if let Some(last) = last.filter(|_| i % 10 != 0) {
            edit.remove(&format!("world/new{last}"));
        }
        let next = edit.finish().unwrap();
        made_anew += usize::from(!next.bodies().shared_with(world.bodies()));
        (world, last) = (next, Some(i));
    }
    assert!((2..=8).contains(&made_anew), "{made_anew}");
    let left = (0..world.bodies().len() as u32).filter(|i| world.has_body(BodyId(*i))).count();
    assert_eq!(left, 3 + 40 + 1 + 59);
    let nearest = Checker::new(&world).ask(&Question::distance());
    let [_, name] = world.pair_names(nearest.pair.unwrap()).unwrap();
    assert_eq!(name, "world/new9");
}

/// An arm among forty balls, of which three are a group.
fn three_in_a_group() -> WorldDescription {
    let mut d = alone(row_of_balls("arm", 2, 0.5, 0.1));
    for i in 0..40 {
        d.obstacles.push(obstacle(&format!("o{i}"), [i as f64, 3.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]));
    }
    let members = ["world/o0", "world/o1", "world/o2"].map(String::from).to_vec();
    d.groups.push(BodyGroup { name: "g".into(), members });
    d.checks = vec![["arm".into(), "g".into()], ["*".into(), "*".into()]];
    d
}

#[test]
fn what_is_replaced_stays_in_its_groups() {
    for count in [40, 10] {
        let mut d = three_in_a_group();
        d.obstacles.truncate(count);
        let world = World::compile(&d).unwrap();
        let near = obstacle("o0", [1.0, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.3)]);
        let next = world.edit().replace(near.clone()).finish().unwrap();
        assert_eq!(next.bodies().shared_with(world.bodies()), count == 40);
        let groups = ["arm", "g"].map(|name| next.group_by_name(name).unwrap());
        assert_eq!(next.groups()[groups[1].index()].bodies.len(), 3);
        let between = Checker::new(&next).between(groups, &Question::distance()).unwrap();
        assert!(between.interval.contains(-0.4), "{between:?}");
        // A rule about the group in the same edit means the new body too, and is found again.
        let pair = AllowedPair { a: "g".into(), b: "arm".into(), reason: String::new() };
        let mut edit = world.edit();
        edit.replace(near.clone()).allow(pair);
        let allowed = edit.finish().unwrap();
        let [o0, arm] = ["world/o0", "arm/1"].map(|name| allowed.body_by_name(name).unwrap());
        assert!(matches!(allowed.status(o0, arm), Some(PairStatus::Allowed(_))));
        let mut edit = allowed.edit();
        let again = edit.replace(near).check("arm", "g").finish().unwrap();
        let o0 = again.body_by_name("world/o0").unwrap();
        assert!(matches!(again.status(o0, arm), Some(PairStatus::Checked(_))));
        // A member without shapes that gets one, where the group had none.
        let mut d = three_in_a_group();
        d.obstacles.truncate(count);
        d.obstacles[..3].iter_mut().for_each(|o| o.shapes.clear());
        let world = World::compile(&d).unwrap();
        assert!(world.group_by_name("g").is_none());
        let next = world
            .edit()
            .replace(obstacle("o1", [1.0, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.3)]))
            .finish()
            .unwrap();
        assert_eq!(next.groups()[next.group_by_name("g").unwrap().index()].bodies.len(), 1);
    }
}

#[test]
fn what_was_allowed_does_not_pass_to_another_body() {
    let world = World::compile(&three_in_a_group()).unwrap();
    let [old, arm] = ["world/o1", "arm/2"].map(|name| world.body_by_name(name).unwrap());
    let mut checker = Checker::new(&world);
    checker.allow_contact(old, arm).unwrap();
    let without = world.edit().remove("world/o1").finish().unwrap();
    let other = obstacle("o1", [1.0, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.3)]);
    let with = without.edit().add(other).finish().unwrap();
    let there = checker.migrate_to(&with).unwrap();
    let new = with.body_by_name("world/o1").unwrap();
    assert!(matches!(there.status(new, arm), Some(PairStatus::Checked(_))));
    // What stays stays allowed.
    let more = world.edit().remove("world/o5").finish().unwrap();
    assert!(matches!(checker.migrate_to(&more).unwrap().status(old, arm), Some(PairStatus::Allowed(_))));
    // The number of what was removed means nothing any more.
    assert!(without.body_names(elbowroom::world::BodyPair { a: arm, b: old }).is_none());
    assert!(without.can_move(old).is_none() && Checker::new(&without).body_in_world(old).is_none());
    let (swept, mut prover) = (Swept::new(&without), Prover::new(&without));
    let pair = elbowroom::world::BodyPair { a: arm, b: old };
    assert_eq!(prover.pair(pair, &ProveOptions::default()).claim, Claim::Open);
    assert_eq!(swept.gap(arm, old, &mut Scratch::new(0)), f64::NEG_INFINITY);
    assert_eq!(without.all_pairs().count(), 42 * 41 / 2);
}

#[test]
fn edits_that_make_no_sense_are_refused() {
    let mut d = alone(row_of_balls("arm", 2, 0.5, 0.1));
    d.obstacles.push(obstacle("post", [2.0, 0.0, 0.0], one_of_each()));
    let part = || ObstacleDescription {
        movable: true,
        ..obstacle("part", [0.0, 2.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)])
    };
    let held = || ObstacleDescription {
        attached_to: Some(Attachment { body: "arm/2".into(), touch: vec![] }),
        ..obstacle("held", [0.0, 0.0, 0.5], vec![ball(0.0, 0.0, 0.0, 0.1)])
    };
    d.obstacles.extend([part(), held()]);
    let world = World::compile(&d).unwrap();
    let bad_shape = obstacle("bad", [0.0; 3], vec![ball(0.0, 0.0, 0.0, -1.0)]);
    let nan = ObstacleDescription {
        pose: Transform::from_translation(Vec3::X * f64::NAN),
        ..obstacle("nan", [0.0; 3], vec![])
    };
    let mut edit = world.edit();
    edit.add(obstacle("post", [1.0, 0.0, 0.0], vec![])).add(obstacle("", [0.0; 3], vec![]));
    edit.add(obstacle("twice", [0.0; 3], vec![])).add(obstacle("twice", [0.0; 3], vec![]));
    edit.remove("world/nothing").remove("arm/1").remove("world/part").remove("world/held");
    edit.add(ObstacleDescription { name: "part2".into(), ..part() });
    edit.add(ObstacleDescription { name: "held2".into(), ..held() });
    edit.add(bad_shape).add(nan).pad("crane", 0.1).pad("arm", f64::NAN).check("arm", "world/lamp");
    let faults = edit.finish().unwrap_err();
    assert_eq!(faults.len(), 14, "{faults}");
    let told = faults.to_string();
    for words in [
        "world/post",
        "world/twice",
        "world/nothing",
        "arm/1",
        "world/part",
        "world/held",
        "part2",
        "held2",
        "the radius is -1",
        "nan",
        "crane",
        "NaN",
        "world/lamp",
    ] {
        assert!(told.contains(words), "{words}: {told}");
    }
    // What nothing allows cannot be taken back.
    let refused = world.edit().check("arm/1", "world/post").finish().unwrap_err();
    assert!(matches!(&refused.0[..], [CompileFault::CannotEdit { .. }]), "{refused}");
    // What comes and goes again in one edit leaves nothing; what goes can come again.
    let mut edit = world.edit();
    edit.add(obstacle("lamp", [0.0; 3], vec![])).remove("world/lamp");
    edit.remove("world/post").add(obstacle("post", [3.0, 0.0, 0.0], one_of_each()));
    // A rule goes with what it names, and cannot name what is gone.
    edit.add(obstacle("crate", [0.0; 3], vec![]));
    let crate_and_arm = AllowedPair { a: "world/crate".into(), b: "arm/1".into(), reason: String::new() };
    edit.allow(crate_and_arm.clone()).remove("world/crate");
    assert_eq!(edit.clone().allow(crate_and_arm).finish().unwrap_err().len(), 1);
    let next = edit.finish().unwrap();
    assert!(
        next.body_by_name("world/lamp").is_none() && next.has_body(next.body_by_name("world/post").unwrap())
    );
    let old = world.body_by_name("world/post").unwrap();
    assert!(world.has_body(old) && !next.has_body(old) && next.status(old, BodyId(0)).is_none());
    // Another world is no edit.
    d.margin = 0.5;
    assert!(Checker::new(&world).migrate_to(&World::compile(&d).unwrap()).is_none());
}
