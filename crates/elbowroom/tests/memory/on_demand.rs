//! A world that makes what a question needs when it is asked, held against one that made all before.

use crate::counting::{allocation_count, held_bytes};
use crate::kept::on_one_thread;
use crate::support::describe::*;
use crate::support::turned::{peg_mesh, polygon, ring_mesh};
use elbowroom::describe::{ShapeDescription, WorldDescription};
use elbowroom::math::Transform;
use elbowroom::{Checker, World};

/// Two links, each a ring of many triangles that no hull tells from its neighbour, and a peg far away.
fn rings() -> WorldDescription {
    let mut d = alone(row_of_balls("arm", 2, 0.3, 0.1));
    let ring = ring_mesh(&polygon(40, 0.1), &polygon(40, 0.2), [0.0, 0.1]);
    for link in &mut d.robots[0].robot.links {
        link.shapes = vec![shape_at(ring.clone(), Transform::IDENTITY)];
    }
    let ring = vec![shape_at(ring, Transform::IDENTITY)];
    d.obstacles.push(obstacle("ring", [0.25, 0.0, 0.12], ring));
    let peg = vec![shape_at(peg_mesh(&polygon(40, 0.1), [0.0, 1.0]), Transform::IDENTITY)];
    d.obstacles.push(obstacle("far", [0.0, 0.0, 50.0], peg));
    d
}

/// What a world of two links keeps and what is allocated for it: one has a ring of many triangles, the other
/// this shape.
fn count_beside_a_ring(shape: &ShapeDescription) -> [usize; 2] {
    let mut d = alone(row_of_balls("arm", 2, 0.3, 0.1));
    let links = &mut d.robots[0].robot.links;
    links[1].shapes = vec![shape_at(fine_ring(1.0), Transform::IDENTITY)];
    links[2].shapes = vec![shape_at(shape.clone(), Transform::IDENTITY)];
    let (held, calls) = (held_bytes(), allocation_count());
    let world = World::compile(&d).unwrap();
    let counted = [(held_bytes() - held) as usize, allocation_count() - calls];
    drop(world);
    counted
}

fn fine_ring(size: f64) -> ShapeDescription {
    ring_mesh(&polygon(400, 0.1 * size), &polygon(400, 0.2 * size), [0.0, 0.1])
}

#[test]
fn links_with_equal_meshes_keep_one() {
    on_one_thread(|| {
        let shapes = [ShapeDescription::Sphere { radius: 0.2 }, fine_ring(1.0), fine_ring(1.01)];
        let [without, equal, other] = shapes.each_ref().map(count_beside_a_ring);
        for (what, k) in [("bytes", 0), ("allocations", 1)] {
            let [more, whole] = [equal, other].map(|counted| counted[k] - without[k].min(counted[k]));
            assert!(10 * more < whole, "{what}: {more} for an equal mesh, {whole} for another");
        }
    });
}

#[test]
fn what_is_made_on_demand_is_made_once_and_changes_no_answer() {
    let d = rings();
    let (whole, lazy) = (World::compile(&d).unwrap(), World::compile_on_demand(&d).unwrap());
    assert_eq!(whole.fingerprint(), lazy.fingerprint());
    let (mut whole, mut on_demand) = (Checker::new(&whole), Checker::new(&lazy));
    let mut made = Vec::new();
    for angle in [0.3, 0.3, 0.4] {
        let before = allocation_count();
        on_demand.set(&[angle; 2]).unwrap();
        let answer = on_demand.distance();
        made.push(allocation_count() - before);
        whole.set(&[angle; 2]).unwrap();
        let same = whole.distance();
        assert_eq!((answer.interval, answer.pair, answer.witness), (same.interval, same.pair, same.witness));
    }
    assert!(made[0] > 0 && made[1..] == [0, 0], "{made:?}");

    let ready = World::compile_on_demand(&d).unwrap();
    ready.prepare_all();
    let mut checker = Checker::new(&ready);
    let before = allocation_count();
    checker.set(&[0.3; 2]).unwrap();
    assert!(checker.distance().counts.shape_queries > 0);
    assert_eq!(allocation_count() - before, 0);
}
