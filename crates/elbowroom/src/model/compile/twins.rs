//! Twins: fixed shapes that are equal at equal poses, bit for bit. What is proved of one holds for the other.
//! Cells that were joined from several exports have many, and no bound prunes a twin of the nearest shape.

use crate::bounds::Ball;
use crate::model::fixed::FixedLeaf;
use crate::model::kinematics::Kinematics;
use crate::model::solids::Solids;
use crate::model::tolerance::TWIN_KINDS;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_pair::shape::solid::{Core, Shape};

/// By leaf, the first leaf that is its twin, or the leaf itself; empty if no leaf has a twin.
pub(super) fn find_twins(solids: &Solids, kinematics: &Kinematics, fixed: &[FixedLeaf]) -> Vec<u32> {
    // Twins have the same ball: sorted by a hash of it, they are neighbours.
    let mut leaves: Vec<(u64, u32)> =
        fixed.iter().zip(0..).map(|(leaf, i)| (hash_ball(&leaf.ball), i)).collect();
    leaves.sort_unstable();
    let mut twins = Vec::new();
    for group in leaves.chunk_by(|a, b| a.0 == b.0).filter(|group| group.len() > 1) {
        // The first of each kind: of different shapes with the same hash only a few are kept.
        let mut firsts = vec![group[0].1];
        for &(_, leaf) in &group[1..] {
            let same = |first: &&u32| {
                same_shapes(solids, kinematics, [**first, leaf].map(|leaf| fixed[leaf as usize].shape))
            };
            match firsts.iter().find(same) {
                Some(&first) => {
                    if twins.is_empty() {
                        twins = (0..fixed.len() as u32).collect();
                    }
                    twins[leaf as usize] = first;
                }
                None if firsts.len() < TWIN_KINDS => firsts.push(leaf),
                None => {}
            }
        }
    }
    twins
}

/// A hash of a ball. Each step is one to one in both its arguments, so balls that differ in one number have
/// different hashes.
fn hash_ball(ball: &Ball) -> u64 {
    let numbers = [ball.center.x, ball.center.y, ball.center.z, ball.radius];
    numbers.iter().fold(0, |h: u64, x| {
        let h = (h ^ x.to_bits()).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        h ^ h >> 32
    })
}

/// Whether two shapes of the world are equal at equal poses. Meshes never count as equal: to compare them
/// takes too long.
fn same_shapes(solids: &Solids, kinematics: &Kinematics, numbers: [u32; 2]) -> bool {
    let [a, b] = numbers.map(|i| &solids.shapes[i as usize]);
    let [at_a, at_b] =
        [a, b].map(|s| (kinematics.places.fixed_pose(s.body), kinematics.places.pose_error(s.body)));
    // The place of a body that hangs on a fixed joint does not follow from its start.
    let is_given = [a, b].iter().all(|s| kinematics.places.moving_step(s.body).is_none());
    is_given && at_a == at_b && a.shape_in_body() == b.shape_in_body() && is_same_shape(&a.shape, &b.shape)
}

fn is_same_shape(a: &Shape, b: &Shape) -> bool {
    a.radius() == b.radius()
        && match (&a.core(), &b.core()) {
            (Core::Point, Core::Point) => true,
            (Core::Segment { half_length: p }, Core::Segment { half_length: q }) => p == q,
            (Core::Box { half: p }, Core::Box { half: q })
            | (Core::Ellipsoid { radii: p }, Core::Ellipsoid { radii: q }) => p == q,
            (Core::Cylinder { radius: r, half_length: p }, Core::Cylinder { radius: s, half_length: q })
            | (Core::Cone { radius: r, half_length: p }, Core::Cone { radius: s, half_length: q }) => {
                r == s && p == q
            }
            (Core::Hull(p), Core::Hull(q)) => {
                p.rank() == q.rank() && p.vertex_count() == q.vertex_count() && p.vertices().eq(q.vertices())
            }
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::World;
    use alloc::string::String;
    use elbowroom_describe::math::{Mat3, Transform, Vec3};
    use elbowroom_describe::*;

    fn obstacle(name: usize, pose: Transform, shape: ShapeDescription) -> ObstacleDescription {
        let shape =
            PlacedShape { name: String::new(), shape_in_body: Transform::IDENTITY, shape, padding: 0.0 };
        ObstacleDescription {
            name: alloc::format!("o{name}"),
            pose,
            shapes: vec![shape],
            attached_to: None,
            movable: false,
        }
    }

    #[test]
    fn only_what_is_the_same_is_a_twin() {
        let at = Transform::from_translation(Vec3::X * 0.3);
        let turned = Transform::new(Mat3::from_axis_angle(Vec3::Z, 0.5), at.translation);
        let cube = ShapeDescription::Box { size: [0.1; 3] };
        let hull = |z: f64| ShapeDescription::Convex {
            vertices: vec![[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, z]],
        };
        let ball = ShapeDescription::Sphere { radius: 0.1 };
        let kinds = [
            (at, cube.clone()),
            (at, hull(0.05)),
            (at, cube.clone()),
            (turned, cube),
            (at, ball.clone()),
            (at, hull(0.05)),
            (at, hull(0.04)),
            (Transform::IDENTITY, ball.clone()),
            (at, ball),
        ];
        let obstacles: Vec<_> =
            kinds.into_iter().enumerate().map(|(i, (pose, shape))| obstacle(i, pose, shape)).collect();
        // Enough for a tree.
        let apart = (9..30).map(|i| {
            let at = Transform::from_translation(Vec3::Y * i as f64);
            obstacle(i, at, ShapeDescription::Sphere { radius: 0.1 })
        });
        let obstacles = obstacles.into_iter().chain(apart).collect();
        let placed = PlacedShape {
            name: String::new(),
            shape_in_body: Transform::IDENTITY,
            shape: ShapeDescription::Sphere { radius: 0.1 },
            padding: 0.0,
        };
        let link = |name: &str, shapes| LinkDescription { name: name.into(), shapes };
        let robot = RobotDescription {
            links: vec![link("base", vec![]), link("arm", vec![placed])],
            joints: vec![JointDescription {
                name: "turn".into(),
                kind: JointKind::Continuous,
                parent: "base".into(),
                child: "arm".into(),
                joint_in_parent: Transform::IDENTITY,
                axis: Vec3::Z,
                limits: None,
                mimic: None,
            }],
            ..RobotDescription::default()
        };
        let robots = vec![PlacedRobot { name: "r".into(), base_in_world: Transform::IDENTITY, robot }];
        let world =
            World::compile(&WorldDescription { robots, obstacles, ..WorldDescription::default() }).unwrap();
        let leaf = |name: usize| {
            let body = world.solids.bodies.iter().position(|b| *b.name == alloc::format!("world/o{name}"));
            let body = body.unwrap_or_else(|| panic!("o{name}: {:?}", world.solids.bodies[2].name));
            let leaves = &world.bounds.fixed.leaves;
            leaves.iter().position(|l| world.solids.shapes[l.shape as usize].body.index() == body).unwrap()
        };
        for (name, first) in [0, 1, 0, 3, 4, 1, 6, 7, 4, 9].into_iter().enumerate() {
            assert_eq!(world.bounds.fixed.twins[leaf(name)] as usize, leaf(first), "{name}");
        }
    }
}
