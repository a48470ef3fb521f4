//! A robot as this project's readers see it, written down for the inputs of the bench: joints of one value,
//! bodies, their shapes as triangles, and the pairs of bodies that are checked. Every engine gets these, so
//! the pairs and the triangles are the same for all.

use anyhow::{Context, Result, anyhow, bail, ensure};
use elbowroom::{
    World,
    describe::{JointKind, PlacedRobot, RobotDescription, ShapeDescription, WorldDescription},
    math::Transform,
};
use elbowroom_files::{Options, robot::load_robot};
use serde_json::{Value, json};
use std::{collections::BTreeMap, path::Path};

/// The joint of each link (0 the base, k joint k - 1), and its pose there.
type Places = BTreeMap<String, (usize, Transform)>;

/// Reads a URDF with its meshes and its SRDF, and writes the robot as JSON.
pub fn write(urdf: &str, out: &str) -> Result<()> {
    let loaded = load_robot(Path::new(urdf), &Options::default()).map_err(|faults| anyhow!("{faults}"))?;
    let robot = loaded.value;
    let (joints, places) = joint_chain(&robot)?;
    let mut shapes = Vec::new();
    let mut bodies = Vec::new();
    for link in robot.links.iter().filter(|link| !link.shapes.is_empty()) {
        let (joint, at) = places[&link.name];
        for placed in &link.shapes {
            ensure!(placed.padding == 0.0, "{}: padding is not in the work files", link.name);
            let (vertices, triangles) = shape_triangles(&placed.shape).with_context(|| link.name.clone())?;
            let pose = pose_row(&(at * placed.shape_in_body));
            shapes.push(json!({ "body": bodies.len(), "joint": joint, "pose": pose, "vertices": vertices,
                "triangles": triangles }));
        }
        bodies.push(link.name.clone());
    }
    let pairs = checked_pairs(&robot, &bodies)?;
    let text =
        json!({ "name": robot.name, "joints": joints, "bodies": bodies, "shapes": shapes, "pairs": pairs });
    std::fs::write(out, text.to_string()).with_context(|| format!("cannot write {out}"))
}

/// The pairs of bodies that the engine checks, by their numbers.
fn checked_pairs(robot: &RobotDescription, bodies: &[String]) -> Result<Vec<[usize; 2]>> {
    let placed =
        PlacedRobot { name: "robot".into(), base_in_world: Transform::IDENTITY, robot: robot.clone() };
    let description = WorldDescription { robots: vec![placed], ..WorldDescription::default() };
    let world = World::compile(&description).map_err(|faults| {
        anyhow!("{}", faults.iter().map(|fault| fault.to_string()).collect::<Vec<_>>().join("; "))
    })?;
    let mut found = Vec::new();
    for pair in world.pairs().iter() {
        let names = world.body_names(pair).context("a pair without bodies")?;
        let number = |name: &str| {
            let link = name.strip_prefix("robot/").unwrap_or(name);
            bodies.iter().position(|body| body == link).with_context(|| format!("no shapes on {name}"))
        };
        let (a, b) = (number(names[0])?, number(names[1])?);
        found.push([a.min(b), a.max(b)]);
    }
    found.sort_unstable();
    Ok(found)
}

/// The joints that have a value or follow one, parents first, and where each link is.
fn joint_chain(robot: &RobotDescription) -> Result<(Vec<Value>, Places)> {
    let is_child = |name: &str| robot.joints.iter().any(|joint| joint.child == name);
    let root = robot.links.iter().find(|link| !is_child(&link.name)).context("a robot without a root")?;
    let mut places = Places::from([(root.name.clone(), (0, Transform::IDENTITY))]);
    let mut numbers = BTreeMap::new();
    let mut joints = Vec::new();
    let mut left: Vec<_> = robot.joints.iter().collect();
    while !left.is_empty() {
        // A joint comes after the joint that it hangs on and the one that it follows.
        let ready = left.iter().position(|joint| {
            let followed = joint.mimic.as_ref().filter(|_| joint.kind != JointKind::Fixed);
            places.contains_key(&joint.parent)
                && followed.is_none_or(|mimic| numbers.contains_key(&mimic.joint))
        });
        let joint = left.remove(ready.context("joints in a circle")?);
        let (parent, at) = places[&joint.parent];
        let in_parent = at * joint.joint_in_parent;
        let slides = match joint.kind {
            JointKind::Fixed => {
                places.insert(joint.child.clone(), (parent, in_parent));
                continue;
            }
            JointKind::Prismatic => true,
            JointKind::Revolute | JointKind::Continuous => false,
            JointKind::Planar | JointKind::Floating => bail!("{}: a joint of many values", joint.name),
        };
        let [low, high] = joint
            .limits
            .map_or([-std::f64::consts::PI, std::f64::consts::PI], |limits| [limits.lower, limits.upper]);
        let axis = joint.axis.normalized().with_context(|| format!("{}: no axis", joint.name))?;
        let (follows, scale, offset) = joint
            .mimic
            .as_ref()
            .map_or((0, 1.0, 0.0), |mimic| (numbers[&mimic.joint], mimic.multiplier, mimic.offset));
        joints.push(json!({ "slides": slides, "parent": parent, "in_parent": pose_row(&in_parent),
            "axis": axis.to_array(), "limits": [low, high], "follows": follows, "scale": scale,
            "offset": offset }));
        numbers.insert(joint.name.clone(), joints.len());
        places.insert(joint.child.clone(), (joints.len(), Transform::IDENTITY));
    }
    Ok((joints, places))
}

/// Rotation row-major, translation.
fn pose_row(pose: &Transform) -> Vec<f64> {
    // The columns of the transposed matrix are the rows.
    let rows = pose.rotation.transpose().cols.map(|row| row.to_array());
    rows.into_iter().flatten().chain(pose.translation.to_array()).collect()
}

type Triangles = (Vec<[f64; 3]>, Vec<[u32; 3]>);

/// A mesh as it is, a box as its twelve triangles; other shapes are not in the robots of the bench.
fn shape_triangles(shape: &ShapeDescription) -> Result<Triangles> {
    match shape {
        ShapeDescription::Mesh { vertices, triangles } => Ok((vertices.clone(), triangles.clone())),
        ShapeDescription::Box { size } => {
            let corner = |k: usize| [0, 1, 2].map(|axis| size[axis] * ((k >> axis & 1) as f64 - 0.5));
            let faces: [[u32; 4]; 6] =
                [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
            let halves = faces.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
            Ok(((0..8).map(corner).collect(), halves))
        }
        other => bail!("no triangles for {other:?}"),
    }
}
