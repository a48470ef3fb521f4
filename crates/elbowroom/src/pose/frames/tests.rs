//! Boxes around the shapes of bodies that have several, against the slow reference.

use super::Pose;
use crate::model::id::ShapeId;
use crate::model::world::World;
use crate::rng::Rng;
use crate::slow::{prepare, truth_of};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use elbowroom_describe::math::Transform;
use elbowroom_describe::*;

fn random_shape(rng: &mut Rng, size: f64) -> ShapeDescription {
    let [x, y, z] = [0; 3].map(|_| rng.range(0.05, 1.0) * size);
    match rng.below(6) {
        0 => ShapeDescription::Box { size: [x, y, z] },
        1 => ShapeDescription::Sphere { radius: x },
        2 => ShapeDescription::Capsule { radius: x * 0.3, length: y },
        3 => ShapeDescription::Cylinder { radius: x * 0.3, length: y },
        4 => ShapeDescription::Cone { radius: x * 0.3, length: y },
        _ => ShapeDescription::Ellipsoid { radii: [x, y, z] },
    }
}

#[test]
fn boxes_around_shapes_never_claim_more_than_there_is() {
    let rng = &mut Rng::new(31);
    let (mut asked, mut apart, mut told, mut tight) = (0, 0, 0, 0);
    for round in 0..300 {
        let size = rng.decades(-3.0, 3.0);
        let far = size * rng.pick(&[0.5, 1.0, 2.0, 1e6]);
        let obstacles = (0..2)
            .map(|number| {
                let shapes = (0..2 + rng.below(3)).map(|_| PlacedShape {
                    shape_in_body: if rng.chance(0.3) { Transform::IDENTITY } else { rng.pose(size) },
                    shape: random_shape(rng, size),
                    padding: if rng.chance(0.3) { 0.1 * size } else { 0.0 },
                    name: String::new(),
                });
                let shapes = shapes.collect();
                let pose =
                    if rng.chance(0.3) { Transform::from_translation(rng.point(far)) } else { rng.pose(far) };
                ObstacleDescription {
                    name: format!("o{number}"),
                    pose,
                    shapes,
                    attached_to: None,
                    movable: true,
                }
            })
            .collect();
        let description = WorldDescription { obstacles, ..WorldDescription::default() };
        let world = World::compile(&description).unwrap();
        let pose = Pose::new(&world);
        let all: Vec<_> = description.obstacles.iter().map(|o| &o.shapes).collect();
        let numbers = |of: usize| (0..all[of].len()).map(move |k| (k, of));
        for (i, a) in numbers(0) {
            for (j, b) in numbers(1) {
                let ids = [ShapeId(i as u32), ShapeId((all[0].len() + j) as u32)];
                let at = ids.map(|id| pose.shape_in_cell(id).0);
                let [a, b] = [&all[a][i], &all[b][j]].map(|s| prepare(&s.shape, s.padding).unwrap());
                let truth = truth_of(&a, &b, &at[0].relative(&at[1]));
                let bound = pose.shape_box_bound(ids, f64::NEG_INFINITY, f64::INFINITY);
                assert!(bound > f64::NEG_INFINITY, "shapes of several have boxes");
                assert!(bound <= truth.upper, "round {round}: {bound:e} above {:e}", truth.upper);
                let soon = pose.shape_box_bound(ids, f64::NEG_INFINITY, 0.0);
                assert!(soon <= bound && (soon > 0.0) == (bound > 0.0), "{soon} {bound}");
                asked += 1;
                apart += usize::from(truth.lower > 0.0);
                told += usize::from(bound > 0.0);
                tight += usize::from(bound > 0.8 * truth.lower && truth.lower > 0.0);
            }
        }
    }
    assert!(
        asked > 2000 && 2 * told > apart && tight > 100 && apart < asked,
        "{asked} {apart} {told} {tight}"
    );
}
