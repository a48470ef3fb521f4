//! A whole robot with the engine of this project: joint values in, so kinematics are in every time. All it
//! answers is proved: a distance by its interval, "free" by a lower bound above zero or, for a motion, by its
//! certificate. Whatever is not proved free counts as collision.

use crate::{
    limits::PROOF_BOXES,
    pose::pose,
    work::{Ask, Work},
};
use anyhow::{Result, anyhow, ensure};
use elbowroom::{
    Batch, Checker, Question, Verdict, World,
    describe::{
        DisabledPair, JointDescription, JointKind, JointLimits, LinkDescription, ObstacleDescription,
        PlacedRobot, PlacedShape, RobotDescription, ShapeDescription, WorldDescription,
    },
    math::{Transform, Vec3, vec3},
    motion::{Edge, EdgeChecker, EdgeOptions},
    pair,
};

/// Who asks a compiled world. The world itself stays as long as the program runs.
pub struct Whole {
    checker: Checker<'static>,
    batch: Batch<'static>,
    verdicts: Vec<Verdict>,
    edges: EdgeChecker<'static>,
    distance: bool,
}

impl Whole {
    /// Compiles, and checks that the pairs are those of the item.
    pub fn new(work: &Work, description: &WorldDescription) -> Result<Whole> {
        let mut world = World::compile(description).map_err(|faults| {
            anyhow!("{}", faults.iter().map(|fault| fault.to_string()).collect::<Vec<_>>().join("; "))
        })?;
        let moving = work.mounts.iter().filter(|mount| mount.number > 0).count();
        let expected = work.pairs.len() + moving * work.obstacles.len();
        let pairs = world.pairs().len();
        ensure!(pairs == expected, "check the same pairs: {pairs} instead of {expected}");
        // As a planner does once for its robot; excluded from the time, as building is for everyone.
        if matches!(work.ask, Ask::SelfTest | Ask::SelfTestBatch) {
            world.prove_apart(PROOF_BOXES);
        }
        let world: &'static World = Box::leak(Box::new(world));
        let (checker, batch, edges) = (Checker::new(world), Batch::new(world), EdgeChecker::new(world));
        Ok(Whole { checker, batch, verdicts: Vec::new(), edges, distance: work.wants_distance() })
    }

    /// Whether poses collide, many in one call: 0 for collision and -1 for free; NaN if one is refused.
    pub fn ask_all(&mut self, work: &Work, from: usize, answers: &mut [f64]) {
        self.verdicts.resize(answers.len(), Verdict::Unknown);
        let rows = work.rows(from, answers.len());
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
            let motion = [work.row(2 * number), work.row(2 * number + 1)];
            let edge = self.edges.check(motion, &EdgeOptions::default());
            return match edge {
                Ok(Edge::Free) => -1.0,
                Ok(_) => 0.0,
                Err(_) => f64::NAN,
            };
        }
        if self.checker.set(work.row(number)).is_err() {
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

/// The robot and its obstacles as a description: a link for each joint with the first of its shapes, and one
/// fixed to that for each other shape, so that pairs are pairs of shapes.
pub fn described(work: &Work) -> WorldDescription {
    let joint = |name: String, kind, parent, child, at, axis: [f64; 3], limits| JointDescription {
        name,
        kind,
        parent,
        child,
        joint_in_parent: at,
        axis: vec3(axis[0], axis[1], axis[2]),
        limits,
        mimic: None,
    };
    let mut robot = RobotDescription { name: "robot".into(), ..RobotDescription::default() };
    for number in 0..=work.joints.len() {
        robot.links.push(LinkDescription { name: link(number), shapes: Vec::new() });
    }
    for (k, from) in work.joints.iter().enumerate() {
        let kind = if from.slides { JointKind::Prismatic } else { JointKind::Revolute };
        let [lower, upper] = from.limits;
        robot.joints.push(joint(
            format!("joint{k}"),
            kind,
            link(from.parent),
            link(k + 1),
            pose(&from.in_parent),
            from.axis,
            Some(JointLimits { lower, upper }),
        ));
    }
    let mut bodies = Vec::new();
    for (number, (shape, mount)) in work.shapes.iter().zip(&work.mounts).enumerate() {
        let shape = convex(shape.vertices.clone(), pose(&mount.pose));
        if robot.links[mount.number].shapes.is_empty() {
            robot.links[mount.number].shapes.push(shape);
            bodies.push(link(mount.number));
            continue;
        }
        let name = format!("shape{number}");
        robot.joints.push(joint(
            format!("mount{number}"),
            JointKind::Fixed,
            link(mount.number),
            name.clone(),
            Transform::IDENTITY,
            Vec3::X.to_array(),
            None,
        ));
        robot.links.push(LinkDescription { name: name.clone(), shapes: vec![shape] });
        bodies.push(name);
    }
    for a in 0..bodies.len() {
        for b in a + 1..bodies.len() {
            if !work.pairs.contains(&[a as u32, b as u32]) {
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
    };
    WorldDescription {
        robots: vec![PlacedRobot { name: "robot".into(), base_in_world: Transform::IDENTITY, robot }],
        obstacles: work.obstacles.iter().enumerate().map(obstacle).collect(),
        ..WorldDescription::default()
    }
}

fn convex(vertices: Vec<[f64; 3]>, shape_in_body: Transform) -> PlacedShape {
    let shape = ShapeDescription::Convex { vertices };
    PlacedShape { name: String::new(), shape_in_body, shape, padding: 0.0 }
}
