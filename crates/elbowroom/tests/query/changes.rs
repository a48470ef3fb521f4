//! Changes while a world is asked, compared with a world that is freshly compiled in the changed state.

use crate::scenes::{convex, scene};
use crate::support::ask::{assert_answers_agree, every_pair, intervals_meet, smaller_distance};
use crate::support::describe::*;
use crate::support::number_from_environment;
use crate::support::rng::Rng;
use elbowroom::describe::*;
use elbowroom::math::{Transform, Vec3};
use elbowroom::pose::{ChangeFault, SetOptions, SpareShape};
use elbowroom::world::{AllowedReason, BodyId, PairStatus};
use elbowroom::{Answer, Checker, Interval, Question, Verdict, World};
use std::collections::{BTreeMap, BTreeSet};

/// Changes between two freshly compiled worlds, and those of a long run.
const BETWEEN: [usize; 2] = [3, 40];

/// What was changed, by names, as a person would note it.
#[derive(Default)]
pub struct Notes {
    pub carried: BTreeMap<BodyId, (BodyId, Vec<BodyId>)>,
    hidden: BTreeSet<BodyId>,
    pub filled: BTreeMap<BodyId, PlacedShape>,
    allowed: BTreeSet<(BodyId, BodyId)>,
}

impl Notes {
    /// What the description says.
    pub fn of(world: &World, d: &WorldDescription) -> Notes {
        let named = |name: &String| world.body_by_name(name).unwrap();
        let carried = d.obstacles.iter().filter_map(|o| {
            let attached = o.attached_to.as_ref()?;
            let touch = attached.touch.iter().map(named).collect();
            Some((named(&format!("world/{}", o.name)), (named(&attached.body), touch)))
        });
        Notes { carried: carried.collect(), ..Notes::default() }
    }

    /// The link that carries a body in the end.
    pub fn link(&self, world: &World, body: BodyId) -> Option<BodyId> {
        let mut at = self.carried.get(&body)?.0;
        while let Some((above, _)) = self.carried.get(&at) {
            at = *above;
        }
        world.bodies()[at.index()].robot.map(|_| at)
    }

    /// A description of what is there now, in which nothing is movable.
    pub fn describe(&self, d: &WorldDescription, checker: &Checker) -> WorldDescription {
        let (world, mut now) = (checker.world(), d.clone());
        let name = |body: BodyId| world.bodies()[body.index()].name.to_string();
        let allow = |a: BodyId, b: BodyId| AllowedPair { a: name(a), b: name(b), reason: "now".into() };
        now.obstacles.extend(now.spares.drain(..).map(|spare| {
            let body = world.body_by_name(&format!("world/{}", spare.name)).unwrap();
            let shapes = self.filled.get(&body).cloned().into_iter().collect();
            ObstacleDescription { movable: true, ..obstacle(&spare.name, [0.0; 3], shapes) }
        }));
        for obstacle in now.obstacles.iter_mut().filter(|o| o.movable) {
            let body = world.body_by_name(&format!("world/{}", obstacle.name)).unwrap();
            let at = checker.body_in_world(body).unwrap();
            (obstacle.movable, obstacle.pose, obstacle.attached_to) = (false, at, None);
            if let Some(link) = self.link(world, body) {
                obstacle.pose = checker.body_in_world(link).unwrap().relative(&at);
                obstacle.attached_to = Some(Attachment { body: name(link), touch: vec![] });
            }
            if let Some((carrier, touch)) = self.carried.get(&body) {
                // Its carrier is in the same cluster, so the pair needs no rule.
                assert_eq!(checker.carrier(body), Some(*carrier));
                now.allowed
                    .extend(touch.iter().filter(|other| **other != body).map(|other| allow(body, *other)));
            }
            if self.hidden.contains(&body) {
                obstacle.shapes.clear();
            }
        }
        now.allowed.extend(self.allowed.iter().map(|(a, b)| allow(*a, *b)));
        now
    }
}

/// How often each case was reached.
#[derive(Debug, Default)]
pub struct Seen {
    placed: u64,
    attached: u64,
    to_movable: u64,
    detached: u64,
    hidden: u64,
    shown: u64,
    allowed: u64,
    forbidden: u64,
    filled: u64,
    filled_anew: u64,
    emptied: u64,
    too_large: u64,
    refused: u64,
    compared: u64,
    clear: u64,
    colliding: u64,
    of_movable: u64,
    of_spare: u64,
    of_held_spare: u64,
    sloped: u64,
}

/// One random change, and its note.
pub fn change(checker: &mut Checker, notes: &mut Notes, movable: &[BodyId], rng: &mut Rng, seen: &mut Seen) {
    let count = checker.world().bodies().len();
    let is_spare = |body: &BodyId| checker.world().spare_room(*body).is_some();
    let spares: Vec<BodyId> = movable.iter().copied().filter(is_spare).collect();
    // Of many movable bodies few are spare places.
    let body = if spares.is_empty() || rng.chance(0.6) { rng.pick(movable) } else { rng.pick(&spares) };
    let tool = checker.world().body_by_name("r/tool").filter(|_| is_spare(&body) && rng.chance(0.5));
    let other = tool.unwrap_or(BodyId(rng.below(count) as u32));
    let state = |c: &Checker| {
        let filled = c.inserted_obstacle(body).map(SpareShape::corner_count);
        (c.body_in_world(body), c.carrier(body), c.checked_pair_count(), filled)
    };
    let before = state(checker);
    // Spare places are filled before anything else: most changes would tell nothing of an empty one.
    let fill = is_spare(&body) && rng.chance(0.4);
    let done = match rng.below(8) {
        _ if fill && rng.chance(0.7) => {
            let (placed, compiled) = convex(rng);
            let full = checker.inserted_obstacle(body).is_some();
            let result = checker.insert_obstacle(body, &compiled);
            seen.too_large += u64::from(matches!(result, Err(ChangeFault::TooManyCorners { .. })));
            result.map(|()| {
                notes.filled.insert(body, placed);
                seen.filled += 1;
                seen.filled_anew += u64::from(full);
            })
        }
        _ if fill => checker.remove_obstacle(body).map(|()| {
            notes.filled.remove(&body).unwrap();
            seen.emptied += 1;
        }),
        0..=2 => {
            checker.place(body, &rng.pose(if is_spare(&body) { 0.6 } else { 1.5 })).map(|()| seen.placed += 1)
        }
        3 | 4 if notes.carried.contains_key(&body) => checker.detach(body).map(|()| {
            notes.carried.remove(&body);
            seen.detached += 1;
        }),
        3 | 4 => {
            let touch: Vec<BodyId> = (0..rng.below(3)).map(|_| BodyId(rng.below(count) as u32)).collect();
            checker.attach(body, other, &touch).map(|()| {
                seen.attached += 1;
                seen.to_movable += u64::from(movable.contains(&other));
                notes.carried.insert(body, (other, touch));
            })
        }
        5 if notes.hidden.contains(&body) => checker.show(body).map(|()| {
            notes.hidden.remove(&body);
            seen.shown += 1;
        }),
        5 => checker.hide(body).map(|()| {
            notes.hidden.insert(body);
            seen.hidden += 1;
        }),
        6 => checker.allow_contact(body.min(other), body.max(other)).map(|()| {
            notes.allowed.insert((body.min(other), body.max(other)));
            seen.allowed += 1;
        }),
        _ => match notes.allowed.iter().next().copied() {
            Some((a, b)) => checker.check_again(a, b).map(|()| {
                notes.allowed.remove(&(a, b));
                seen.forbidden += 1;
            }),
            None => checker.check_again(body, other),
        },
    };
    if done.is_err() {
        seen.refused += 1;
        assert_eq!(before, state(checker));
    }
}

/// Whether two answers have the same points, and then the same gradients.
fn same_slopes(now: &Answer, checker: &mut Checker, then: &Answer, other: &mut Checker, place: &str) -> bool {
    let (Some(p), Some(q)) = (now.witness, then.witness) else { return false };
    let apart = [p.a - q.a, p.b - q.b, p.normal - q.normal].map(|v| v.norm());
    if apart.iter().any(|x| *x > 1e-9) {
        return false;
    }
    let slopes = now.gradient(checker).unwrap().to_vec();
    for (mine, fresh) in slopes.iter().zip(then.gradient(other).unwrap()) {
        assert!((mine - fresh).abs() < 1e-6 * (1.0 + fresh.abs()), "{place}: {slopes:?}");
    }
    slopes.iter().any(|slope| slope.abs() > 1e-3)
}

/// Compares a checker with a freshly compiled world.
fn compare(checker: &mut Checker, notes: &Notes, d: &WorldDescription, place: &str, seen: &mut Seen) {
    let described = notes.describe(d, checker);
    let fresh = World::compile(&described).unwrap_or_else(|f| panic!("{place}: {f}"));
    let mut other = Checker::new(&fresh);
    other.set_with(checker.values(), SetOptions { ignore_limits: true }).unwrap();
    let world = checker.world();
    let numbered = |world: &World, a: &str, b: &str| {
        let [a, b] = [a, b].map(|name| world.body_by_name(name).unwrap());
        if a < b { [a, b] } else { [b, a] }
    };
    for question in [Question::distance(), Question::test(), Question::lower_bound()] {
        let (now, then) = (checker.ask(&question), other.ask(&question));
        assert_answers_agree([&now, &then], &question, world.margin(), place);
        seen.sloped += u64::from(same_slopes(&now, checker, &then, &mut other, place));
        if let Some(pair) = now.pair.filter(|_| question == Question::distance()) {
            let [a, b] = world.pair_names(pair).unwrap();
            let of_movable = [a, b].iter().any(|n| n.starts_with("world/part"));
            seen.of_movable += u64::from(of_movable);
            let bodies = world.pairs().get(pair).unwrap();
            for body in [bodies.a, bodies.b].into_iter().filter(|body| world.spare_room(*body).is_some()) {
                seen.of_spare += 1;
                seen.of_held_spare += u64::from(notes.link(world, body).is_some());
            }
            match now.verdict {
                Verdict::Clear => seen.clear += 1,
                Verdict::Collision => seen.colliding += 1,
                _ => {}
            }
        }
    }
    // Every pair by itself, and which pairs there are.
    let (all, _) = every_pair(checker, &Question::distance());
    let (every, _) = every_pair(&mut other, &Question::distance());
    assert_eq!((all.len(), checker.checked_pair_count()), (every.len(), every.len()), "{place}");
    let own: BTreeMap<[BodyId; 2], _> = all
        .iter()
        .map(|pair| {
            let [a, b] = world.pair_names(pair.pair).unwrap();
            (numbered(&fresh, a, b), pair)
        })
        .collect();
    for pair in &every {
        let [a, b] = fresh.pair_names(pair.pair).unwrap();
        let mine = own.get(&numbered(&fresh, a, b)).unwrap_or_else(|| panic!("{place}: {a} {b} is missing"));
        assert!(intervals_meet(&mine.interval, &pair.interval), "{place}: {a} {b} {mine:?} {pair:?}");
    }
    let mut kept = Vec::new();
    checker.nearest_k(3, &Question::distance(), &mut kept);
    let nearest = other.ask(&Question::distance()).interval;
    assert_eq!(kept.len(), every.len().min(3), "{place}");
    assert!(
        kept.first().is_none_or(|pair| intervals_meet(&pair.interval, &nearest)),
        "{place}: {kept:?} {nearest:?}"
    );
    for (a, b, status) in fresh.all_pairs() {
        let [first, second] = [a, b].map(|id| world.body_by_name(&fresh.bodies()[id.index()].name).unwrap());
        let mine = checker.status(first, second).unwrap();
        let checked = |status| matches!(status, PairStatus::Checked(_));
        assert_eq!(checked(mine), checked(status), "{place}: {first:?} {second:?} {mine:?} {status:?}");
    }
    // Each pair lies between two groups, so the pairs of all groups together must be all pairs. Where the
    // description lists its checks, the groups are those that the list names.
    if d.checks.is_empty() {
        let (mut pairs, mut least) = (0, Interval::new(f64::INFINITY, f64::INFINITY, nearest.geometry));
        for groups in world.index_set() {
            let between = checker.between(groups, &Question::distance()).unwrap();
            if between.counts.pairs > 0 {
                (pairs, least) = (pairs + between.counts.pairs, smaller_distance(&least, &between.interval));
            }
        }
        assert_eq!(pairs, every.len(), "{place}");
        assert!(every.is_empty() || intervals_meet(&least, &nearest), "{place}: {least:?} {nearest:?}");
    }
    seen.compared += 1;
}

/// `ELBOWROOM_CHANGES` changes and as many questions, 1,500 unless told.
#[test]
fn a_changed_world_answers_as_one_that_is_compiled_anew() {
    let (changes, from) = (
        number_from_environment("ELBOWROOM_CHANGES", 1500),
        number_from_environment("ELBOWROOM_CHANGES_FROM", 0),
    );
    let (mut seen, mut done, mut seed) = (Seen::default(), 0, from);
    let between = BETWEEN[usize::from(changes > 100_000)];
    while done < changes {
        seed += 1;
        let mut rng = Rng::new(seed);
        let d = scene(&mut rng);
        let world = World::compile(&d).unwrap_or_else(|f| panic!("{seed}: {f}"));
        let bodies = || (0..world.bodies().len() as u32).map(BodyId);
        let is_movable = |id: &BodyId| world.bodies()[id.index()].name.starts_with("world/part");
        let movable: Vec<BodyId> = bodies().filter(is_movable).collect();
        let (mut checker, mut notes) = (Checker::new(&world), Notes::of(&world, &d));
        compare(&mut checker, &notes, &d, &format!("seed {seed}, at first"), &mut seen);
        for round in 0..20 {
            for _ in 0..between {
                change(&mut checker, &mut notes, &movable, &mut rng, &mut seen);
                if rng.chance(0.5) {
                    let values: Vec<f64> = checker.values().iter().map(|_| rng.range(-4.5, 4.5)).collect();
                    checker.set_with(&values, SetOptions { ignore_limits: true }).unwrap();
                }
                // Questions in between leave warm starts that the next change makes stale.
                checker.ask(&rng.pick(&[Question::distance(), Question::test()]));
                done += 1;
            }
            compare(&mut checker, &notes, &d, &format!("seed {seed}, round {round}"), &mut seen);
        }
    }
    println!("{seen:?}");
    let Seen { placed, attached, to_movable, detached, hidden, shown, allowed, forbidden, .. } = seen;
    let least = [placed, attached, to_movable, detached, hidden, shown, allowed, forbidden, seen.refused];
    assert!(least.iter().all(|n| *n * 200 > done), "{seen:?}");
    assert!(seen.sloped * 20 > seen.compared, "{seen:?}");
    assert!(seen.clear * 20 > seen.compared && seen.colliding * 20 > seen.compared, "{seen:?}");
    assert!(seen.of_movable * 5 > seen.compared, "{seen:?}");
    let of_spares = [seen.filled, seen.filled_anew, seen.emptied, seen.too_large];
    assert!(of_spares.iter().all(|n| *n * 100 > done), "{seen:?}");
    assert!(seen.of_spare * 16 > seen.compared && seen.of_held_spare * 100 > seen.compared, "{seen:?}");
}

#[test]
fn a_door_is_where_its_joint_puts_it() {
    let mut d = alone(row_of_balls("arm", 2, 0.5, 0.1));
    let part = |name: &str, pose: Transform| ObstacleDescription {
        pose,
        movable: true,
        ..obstacle(name, [0.0; 3], vec![ball(0.1, 0.0, 0.0, 0.1)])
    };
    let mut rng = Rng::new(3);
    let (at, hinge) = (rng.pose(2.0), rng.pose(0.3));
    d.obstacles.extend([part("box", at), part("door", hinge), part("drawer", hinge)]);
    for (obstacle, kind) in [(1, JointKind::Revolute), (2, JointKind::Prismatic)] {
        d.obstacles[obstacle].attached_to = Some(Attachment { body: "world/box".into(), touch: vec![] });
        let (body, limits) =
            (format!("world/{}", d.obstacles[obstacle].name), JointLimits { lower: 0.1, upper: 1.5 });
        d.doors.push(DoorDescription { body, kind, axis: Vec3::Z * 3.0, limits });
    }
    let world = World::compile(&d).unwrap();
    let [base, door, drawer] =
        ["box", "door", "drawer"].map(|n| world.body_by_name(&format!("world/{n}")).unwrap());
    let mut checker = Checker::new(&world);
    for k in 0..100 {
        let (at, value) = (rng.pose(2.0), if k == 0 { 0.1 } else { rng.range(0.1, 1.5) });
        checker.place(base, &at).unwrap();
        // At first each joint is at the limit nearest to zero.
        if k > 0 {
            checker.set_door(door, value).unwrap();
            checker.set_door(drawer, value).unwrap();
        }
        let turn = Transform::from_xyz_rpy([0.0; 3], [0.0, 0.0, value]);
        let slide = Transform::from_translation(Vec3::Z * value);
        for (body, motion) in [(door, turn), (drawer, slide)] {
            let (found, wanted) = (checker.body_in_world(body).unwrap(), at * hinge * motion);
            let apart = (found.translation - wanted.translation).norm()
                + (0..3).map(|c| (found.rotation.cols[c] - wanted.rotation.cols[c]).norm()).sum::<f64>();
            assert!(apart < 1e-14, "{k}: {apart}");
        }
    }
    for bad in [0.0, 1.6, f64::NAN] {
        assert!(matches!(checker.set_door(door, bad), Err(ChangeFault::BadOpening { .. })), "{bad}");
    }
    assert!(matches!(checker.set_door(base, 0.2), Err(ChangeFault::NoDoor { .. })));
    // Once it is let go it has no joint, and it gets none when it is taken again.
    checker.detach(door).unwrap();
    checker.attach(door, base, &[]).unwrap();
    assert!(matches!(checker.set_door(door, 0.2), Err(ChangeFault::NoDoor { .. })));
    for (body, kind, axis, limits) in [
        ("world/box", JointKind::Revolute, Vec3::Z, [0.0, 1.0]),
        ("world/nothing", JointKind::Revolute, Vec3::Z, [0.0, 1.0]),
        ("world/door", JointKind::Fixed, Vec3::Z, [0.0, 1.0]),
        ("world/door", JointKind::Revolute, Vec3::ZERO, [0.0, 1.0]),
        ("world/door", JointKind::Revolute, Vec3::Z, [1.0, 0.0]),
        ("world/door", JointKind::Revolute, Vec3::Z, [f64::NAN, 0.0]),
    ] {
        let (mut d, limits) = (d.clone(), JointLimits { lower: limits[0], upper: limits[1] });
        d.doors = vec![DoorDescription { body: body.into(), kind, axis, limits }];
        assert!(World::compile(&d).unwrap_err().to_string().contains(body), "{body}");
    }
}

#[test]
fn changes_that_make_no_sense_are_refused() {
    let mut d = alone(row_of_balls("arm", 2, 0.5, 0.1));
    d.obstacles.push(obstacle("post", [2.0, 0.0, 0.0], one_of_each()));
    for name in ["box", "camera"] {
        let part = obstacle(name, [0.0, 2.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1)]);
        d.obstacles.push(ObstacleDescription { movable: true, ..part });
    }
    let world = World::compile(&d).unwrap();
    let [arm, post, part, camera] =
        ["arm/2", "world/post", "world/box", "world/camera"].map(|name| world.body_by_name(name).unwrap());
    let mut checker = Checker::new(&world);
    let refused = |result: Result<(), ChangeFault>, words: &str| {
        let told = result.expect_err(words).to_string();
        assert!(told.contains(words), "{told}");
    };
    let here = Transform::IDENTITY;
    refused(checker.place(BodyId(99), &here), "no body number 99");
    refused(checker.place(post, &here), "`world/post` is not movable");
    refused(checker.place(arm, &here), "`arm/2` is not movable");
    let mut bad = here;
    bad.translation.x = f64::NAN;
    refused(checker.place(part, &bad), "not finite");
    bad = here;
    bad.rotation.cols[0].x = 1.1;
    refused(checker.place(part, &bad), "differs from a rotation");
    refused(checker.detach(part), "`world/box` is not carried");
    refused(checker.attach(part, part, &[]), "it would carry itself");
    checker.attach(camera, part, &[]).unwrap();
    refused(checker.attach(part, camera, &[]), "it would carry itself");
    refused(checker.attach(camera, arm, &[]), "is carried by `world/box`");
    refused(checker.place(camera, &here), "is carried by `world/box`");
    refused(checker.attach(part, arm, &[BodyId(99)]), "no body number 99");
    refused(checker.show(part), "is not hidden");
    checker.hide(part).unwrap();
    refused(checker.hide(part), "is hidden already");
    refused(checker.check_again(part, arm), "were not allowed");
    refused(checker.allow_contact(part, part), "never checked");
    checker.show(part).unwrap();
    // A camera in a box moves with the box, and with the arm that takes the box.
    let there = checker.body_in_world(camera).unwrap();
    checker.place(part, &Transform::from_translation([0.0, 3.0, 0.0].into())).unwrap();
    assert_eq!(checker.body_in_world(camera).unwrap().translation.y, there.translation.y + 1.0);
    assert!(matches!(checker.status(part, post), Some(PairStatus::Allowed(AllowedReason::BothFixed))));
    checker.attach(part, arm, &[]).unwrap();
    assert!(matches!(checker.status(part, post), Some(PairStatus::Checked(_))));
    assert!(matches!(checker.status(camera, post), Some(PairStatus::Checked(_))));
    assert!(matches!(checker.status(camera, arm), Some(PairStatus::Allowed(AllowedReason::RigidlyJoined))));
    // What the arm holds is in its group, and meets the post; the box that rests is not.
    let [of_arm, cell] = ["arm", "world"].map(|name| world.group_by_name(name).unwrap());
    let question = elbowroom::Question::distance();
    let all = checker.ask(&question).interval;
    assert!(intervals_meet(&checker.between([of_arm, cell], &question).unwrap().interval, &all));
    assert_eq!(checker.between([cell, cell], &question).unwrap().counts.pairs, 0);
    // A copy answers as what it was made from, and keeps as many pairs.
    let (mut copy, mut own, mut kept) = (checker.clone(), Vec::new(), Vec::new());
    assert_eq!(checker.ask(&question).counts.proved, copy.ask(&question).counts.proved);
    checker.nearest_k(usize::MAX, &question, &mut own);
    copy.nearest_k(usize::MAX, &question, &mut kept);
    let pairs: BTreeSet<_> = kept.iter().map(|pair| pair.pair).collect();
    assert!(
        own.len() == kept.len() && pairs.len() == kept.len() && kept.len() == checker.checked_pair_count()
    );
    // Too many touches leave all as it was.
    checker.detach(camera).unwrap();
    let pairs = checker.checked_pair_count();
    refused(checker.attach(camera, arm, &vec![post; 5000]), "allow fewer");
    assert_eq!((checker.checked_pair_count(), checker.carrier(camera)), (pairs, None));
}

#[test]
fn what_is_attached_at_a_pose_is_there_and_a_refusal_changes_nothing() {
    let mut d = alone(row_of_balls("arm", 2, 0.5, 0.1));
    for name in ["part", "lid"] {
        let mut part = obstacle(name, [2.0, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.05)]);
        part.movable = true;
        d.obstacles.push(part);
    }
    let world = World::compile(&d).unwrap();
    let mut checker = Checker::new(&world);
    let [part, lid] = ["world/part", "world/lid"].map(|name| world.body_by_name(name).unwrap());
    let hand = world.joints()[1].child;
    let held = Transform::from_xyz_rpy([0.5, 0.1, 0.0], [0.1, 0.2, 0.3]);
    checker.set(&[0.4, -0.3]).unwrap();
    checker.attach_at(part, hand, &held, &[]).unwrap();
    let at = |checker: &Checker, body| checker.body_in_world(body).unwrap();
    for values in [[0.4, -0.3], [1.0, 0.5]] {
        checker.set(&values).unwrap();
        let off = (at(&checker, hand) * held).inverse() * at(&checker, part);
        assert!(off.translation.norm() < 1e-14, "it moves with the hand: {off:?}");
        let turned = off.rotation * Vec3::X - Vec3::X;
        assert!(turned.norm() < 1e-14, "{off:?}");
    }

    // It is carried already; the lid would be carried by itself; a pose with NaN.
    let before = at(&checker, part);
    assert!(checker.attach_at(part, hand, &Transform::IDENTITY, &[]).is_err());
    assert_eq!(at(&checker, part), before);
    checker.attach_at(lid, part, &held, &[]).unwrap();
    checker.detach(part).unwrap();
    let before = at(&checker, part);
    assert!(checker.attach_at(part, lid, &held, &[]).is_err(), "in a ring");
    assert_eq!(at(&checker, part), before);
    checker.detach(lid).unwrap();
    let here = at(&checker, lid);
    assert!(checker.attach_at(lid, lid, &held, &[]).is_err());
    let odd = Transform::from_xyz_rpy([f64::NAN, 0.0, 0.0], [0.0; 3]);
    assert!(checker.attach_at(lid, hand, &odd, &[]).is_err());
    assert_eq!(at(&checker, lid), here);
}
