//! A whole robot with the engine of this project: joint values in, so kinematics are in every time. All it
//! answers is proved: a distance by its interval, "free" by a lower bound above zero or, for a motion, by its
//! certificate. Whatever is not proved free counts as collision.

use crate::{
    limits::PROOF_BOXES,
    pose::pose,
    work::{Ask, ShapeData, Work},
};
use anyhow::{Context, Result, anyhow, ensure};
use elbowroom::{
    Batch, Checker, Question, Verdict, World,
    describe::{
        DisabledPair, JointDescription, JointKind, JointLimits, LinkDescription, Mimic, ObstacleDescription,
        PlacedRobot, PlacedShape, RobotDescription, ShapeDescription, WorldDescription,
    },
    math::{Transform, Vec3, vec3},
    motion::{Edge, EdgeChecker, EdgeOptions},
    pair,
};
use std::collections::BTreeSet;

/// Who asks a compiled world. The world itself stays as long as the program runs.
pub struct Whole {
    checker: Checker<'static>,
    batch: Batch<'static>,
    verdicts: Vec<Verdict>,
    edges: EdgeChecker<'static>,
    distance: bool,
    /// The work's rows without joints that follow others; empty where there are none.
    values: Vec<f64>,
    width: usize,
    /// Of each pair of the world, by its number, the number in the work.
    slots: Vec<usize>,
}

impl Whole {
    /// Compiles, and checks that the pairs are those of the item.
    pub fn new(work: &Work, description: &WorldDescription) -> Result<Whole> {
        let mut world = World::compile(description).map_err(|faults| {
            anyhow!("{}", faults.iter().map(|fault| fault.to_string()).collect::<Vec<_>>().join("; "))
        })?;
        let moving = work.mounts.iter().filter(|mount| mount.number > 0).count();
        let body_pairs = work.body_pairs();
        let expected = body_pairs.len() + moving * work.obstacles.len();
        let pairs = world.pairs().len();
        ensure!(pairs == expected, "check the same pairs: {pairs} instead of {expected}");
        // As a planner does once for its robot; excluded from the time, as building is for everyone.
        if matches!(work.ask, Ask::SelfTest | Ask::SelfTestBatch) {
            world.prove_apart(PROOF_BOXES);
        }
        let world: &'static World = Box::leak(Box::new(world));
        let (checker, batch, edges) = (Checker::new(world), Batch::new(world), EdgeChecker::new(world));
        let own: Vec<usize> = (0..work.joints.len()).filter(|&k| work.joints[k].follows.is_none()).collect();
        let rows = work.values.chunks_exact(work.joints.len().max(1));
        let values = rows.flat_map(|row| own.iter().map(|&k| row[k])).collect();
        let mut slots = Vec::new();
        if work.ask == Ask::SelfAllDistances {
            let names = bodies_of(work);
            for pair in world.pairs().iter() {
                let number = world.pairs().find(pair).context("a pair without a number")?.index();
                let asked = world.body_names(pair).unwrap_or_default();
                let same = |name: &str| {
                    names.iter().position(|body| name.strip_prefix("robot/") == Some(body.as_str()))
                };
                let [a, b] = asked.map(same);
                let slot = body_pairs.iter().position(|(bodies, _)| {
                    [bodies[0], bodies[1]].map(Some) == [a, b] || [bodies[1], bodies[0]].map(Some) == [a, b]
                });
                slots.resize(slots.len().max(number + 1), 0);
                slots[number] = slot.context("a pair that is not in the work")?;
            }
        }
        Ok(Whole {
            checker,
            batch,
            verdicts: Vec::new(),
            edges,
            distance: work.wants_distance(),
            values,
            width: own.len(),
            slots,
        })
    }

    /// The distance of each pair, cold; `lower`: the lower ends of their intervals.
    pub fn ask_pairs(&mut self, number: usize, lower: bool, answers: &mut [f64]) {
        let row = &self.values[number * self.width..][..self.width];
        if self.checker.set(row).is_err() {
            return;
        }
        self.checker.forget();
        self.checker.all_pairs(&Question::distance(), |told| {
            let end = if lower { told.interval.lower } else { told.interval.upper };
            answers[self.slots[told.pair.index()]] = end;
        });
    }

    /// Whether poses collide, many in one call: 0 for collision and -1 for free; NaN if one is refused.
    pub fn ask_all(&mut self, from: usize, answers: &mut [f64]) {
        self.verdicts.resize(answers.len(), Verdict::Unknown);
        let rows = &self.values[from * self.width..][..answers.len() * self.width];
        let told = self.batch.tests(rows, &Question::test(), &mut self.verdicts);
        for (answer, verdict) in answers.iter_mut().zip(&self.verdicts) {
            *answer = match (&told, verdict) {
                (Err(_), _) => f64::NAN,
                (Ok(_), Verdict::Clear) => -1.0,
                (Ok(_), _) => 0.0,
            };
        }
    }

    /// Whether its answers are distances.
    pub fn tells_distance(&self) -> bool {
        self.distance
    }

    /// Forgets earlier poses.
    pub fn forget(&mut self) {
        self.checker.forget();
        self.edges.forget();
    }

    /// The smallest distance (`lower`: the lower end of its interval), or 0 for collision and -1 for free;
    /// NaN if refused.
    #[inline]
    pub fn ask(&mut self, work: &Work, number: usize, lower: bool) -> f64 {
        if work.ask == Ask::Edge {
            let motion =
                [2 * number, 2 * number + 1].map(|row| &self.values[row * self.width..][..self.width]);
            let edge = self.edges.check(motion, &EdgeOptions::default());
            return match edge {
                Ok(Edge::Free) => -1.0,
                Ok(_) => 0.0,
                Err(_) => f64::NAN,
            };
        }
        let row = &self.values[number * self.width..][..self.width];
        if self.checker.set(row).is_err() {
            return f64::NAN;
        }
        if work.ask == Ask::SelfDistance {
            self.checker.forget();
        }
        let ask = if self.distance { pair::Ask::Distance } else { pair::Ask::Test };
        let answer = self.checker.nearest(&Question::of(ask));
        match (self.distance, lower) {
            (true, true) => answer.interval.lower,
            (true, false) => answer.interval.upper,
            (false, _) if answer.interval.lower > 0.0 => -1.0,
            (false, _) => 0.0,
        }
    }
}

fn link(number: usize) -> String {
    format!("link{number}")
}

/// The name of the link that carries each body: that of its joint for the first body there, and one of its
/// own, fixed to that, for every other one.
fn bodies_of(work: &Work) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for (mount, &body) in work.mounts.iter().zip(&work.bodies) {
        if body < names.len() {
            continue;
        }
        let first = !names.contains(&link(mount.number));
        names.push(if first { link(mount.number) } else { format!("body{body}") });
    }
    names
}

/// The robot and its obstacles as a description: its joints, and its bodies on them with all their shapes.
pub fn described(work: &Work) -> WorldDescription {
    let joint = |name: String, kind, parent, child, at| JointDescription {
        name,
        kind,
        parent,
        child,
        joint_in_parent: at,
        axis: Vec3::X,
        limits: None,
        mimic: None,
    };
    let mut robot = RobotDescription { name: "robot".into(), ..RobotDescription::default() };
    for number in 0..=work.joints.len() {
        robot.links.push(LinkDescription { name: link(number), shapes: Vec::new() });
    }
    for (k, from) in work.joints.iter().enumerate() {
        let kind = if from.slides { JointKind::Prismatic } else { JointKind::Revolute };
        let [lower, upper] = from.limits;
        robot.joints.push(JointDescription {
            axis: vec3(from.axis[0], from.axis[1], from.axis[2]),
            limits: Some(JointLimits { lower, upper }),
            mimic: from.follows.as_ref().map(|followed| Mimic {
                joint: format!("joint{}", followed.joint),
                multiplier: followed.scale,
                offset: followed.offset,
            }),
            ..joint(format!("joint{k}"), kind, link(from.parent), link(k + 1), pose(&from.in_parent))
        });
    }
    let bodies = bodies_of(work);
    for ((shape, mount), &body) in work.shapes.iter().zip(&work.mounts).zip(&work.bodies) {
        let name = &bodies[body];
        if !robot.links.iter().any(|link| link.name == *name) {
            let (kind, on) = (JointKind::Fixed, link(mount.number));
            robot.joints.push(joint(format!("mount{body}"), kind, on, name.clone(), Transform::IDENTITY));
            robot.links.push(LinkDescription { name: name.clone(), shapes: Vec::new() });
        }
        let shape = solid(work, shape, pose(&mount.pose));
        robot
            .links
            .iter_mut()
            .filter(|link| link.name == *name)
            .for_each(|link| link.shapes.push(shape.clone()));
    }
    let checked: BTreeSet<[usize; 2]> = work.body_pairs().into_iter().map(|(pair, _)| pair).collect();
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            if !checked.contains(&[a, b]) {
                robot.disabled_pairs.push(DisabledPair {
                    link_a: bodies[a].clone(),
                    link_b: bodies[b].clone(),
                    reason: "not in the item".into(),
                });
            }
        }
    }
    let obstacle = |(number, mount): (usize, &crate::work::Mount)| ObstacleDescription {
        name: format!("o{number}"),
        pose: pose(&mount.pose),
        shapes: vec![convex(work.obstacle_shapes[mount.number].vertices.clone(), Transform::IDENTITY)],
        attached_to: None,
        movable: false,
    };
    WorldDescription {
        robots: vec![PlacedRobot { name: "robot".into(), base_in_world: Transform::IDENTITY, robot }],
        obstacles: work.obstacles.iter().enumerate().map(obstacle).collect(),
        ..WorldDescription::default()
    }
}

/// A shape as its triangles or as its hull, whichever the work asks about.
fn solid(work: &Work, from: &ShapeData, shape_in_body: Transform) -> PlacedShape {
    if !work.triangles {
        return convex(from.vertices.clone(), shape_in_body);
    }
    let (vertices, triangles) = (from.vertices.clone(), from.triangles.clone());
    let shape = ShapeDescription::Mesh { vertices, triangles };
    PlacedShape { name: String::new(), shape_in_body, shape, padding: 0.0 }
}

fn convex(vertices: Vec<[f64; 3]>, shape_in_body: Transform) -> PlacedShape {
    let shape = ShapeDescription::Convex { vertices };
    PlacedShape { name: String::new(), shape_in_body, shape, padding: 0.0 }
}
