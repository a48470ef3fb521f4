//! A checker that owns a share of its world answers as one that borrows it, wherever it goes.

use crate::support::describe::*;
use elbowroom::describe::*;
use elbowroom::math::Transform;
use elbowroom::pose::SetOptions;
use elbowroom::{Answer, Checker, OwnedChecker, Question, World};
use std::sync::Arc;

/// A robot before a post and a crate that is movable.
fn make_world() -> WorldDescription {
    let mut d = alone(row_of_balls("arm", 3, 0.4, 0.1));
    d.obstacles.push(obstacle("post", [0.9, 0.4, 0.0], one_of_each()));
    d.obstacles
        .push(ObstacleDescription { movable: true, ..obstacle("crate", [0.0, 2.0, 0.0], one_of_each()) });
    d
}

/// What a checker says after it was moved and its world changed.
fn ask(checker: &mut Checker, turn: f64) -> Answer {
    let moved = checker.world().body_by_name("world/crate").unwrap();
    let values = vec![turn; checker.values().len()];
    checker.set_with(&values, SetOptions { ignore_limits: true }).unwrap();
    let place = Transform::from_xyz_rpy([turn, 1.0, 0.2], [0.0, turn, 0.0]);
    checker.place(moved, &place).unwrap();
    checker.forget_history();
    checker.ask(&Question::distance())
}

#[test]
fn it_answers_as_one_that_borrows() {
    let world = Arc::new(World::compile(&make_world()).unwrap());
    let mut owned = OwnedChecker::new(world.clone());
    let mut differ = std::collections::BTreeSet::new();
    for turn in [0.0, 0.3, -0.4, 1.2] {
        let mut borrowed = Checker::new(&world);
        let answer = owned.lend_mut(|checker| ask(checker, turn));
        assert_eq!(answer, ask(&mut borrowed, turn));
        differ.insert(answer.distance.to_bits());
    }
    assert_eq!(differ.len(), 4, "no pose or change was without effect");
}

#[test]
fn threads_share_one_world_and_a_copy_goes_on_where_the_first_was() {
    let world = Arc::new(World::compile(&make_world()).unwrap());
    let mut owned = OwnedChecker::new(world.clone());
    let first = owned.lend_mut(|checker| ask(checker, 0.3));
    let copy = owned.clone();
    owned.lend_mut(|checker| ask(checker, -0.4));
    drop(owned);
    drop(world);
    let there = std::thread::spawn(move || {
        let mut copy = copy;
        copy.lend_mut(|checker| {
            checker.forget_history();
            checker.ask(&Question::distance())
        })
    });
    assert_eq!(there.join().unwrap(), first);
}

#[test]
fn it_goes_over_to_an_edited_world_and_to_no_other() {
    let mut d = make_world();
    let world = Arc::new(World::compile(&d).unwrap());
    let mut owned = OwnedChecker::new(world.clone());
    let before = owned.lend_mut(|checker| ask(checker, 0.3));
    let mut edit = world.edit();
    edit.remove("world/post");
    let next = Arc::new(edit.finish().unwrap());
    let mut there = owned.migrate_to(next.clone()).unwrap();
    assert!(Arc::ptr_eq(there.world(), &next) && Arc::ptr_eq(owned.world(), &world));
    let [here, gone] = [&mut owned, &mut there].map(|checker| {
        checker.lend_mut(|checker| {
            assert_eq!(checker.values()[0], 0.3);
            checker.forget_history();
            checker.ask(&Question::distance())
        })
    });
    assert!(here == before && gone.distance >= here.distance);
    d.margin = 0.5;
    assert!(owned.migrate_to(Arc::new(World::compile(&d).unwrap())).is_none());
}
