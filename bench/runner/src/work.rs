//! Work files: shapes, pairs, poses and the question, as `bench/peers/prepare.py` writes them.

use crate::{
    bytes::{read_floats, read_number, read_numbers, take_bytes},
    changes::Changes,
    seen::Seen,
};
use anyhow::{Context, Result, bail, ensure};

/// The question of an item, in the order of the file format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// Separation of a pair, cold.
    Distance,
    /// Separation along a motion; the previous query may help.
    Coherent,
    /// Signed distance of an overlapping pair.
    Depth,
    /// Separation of every pair of a robot.
    AllDistances,
    /// Number of the first colliding pair of a robot, or -1.
    FirstCollision,
    /// Smallest distance between the triangles of a robot's pairs.
    SmallestTriangleDistance,
    /// Whether a robot collides with itself: 0 yes, -1 no. Likewise below where yes or no is asked.
    SelfTest,
    /// A robot's smallest distance to itself, cold.
    SelfDistance,
    /// A robot's smallest distance to itself along a motion in small steps; the pose before may help.
    SelfDistanceCoherent,
    /// The smallest distance of a robot to obstacles, along a path.
    SceneDistance,
    /// Whether a robot touches an obstacle.
    SceneTest,
    /// Whether the straight motion between two configurations meets anything.
    Edge,
    /// [`Ask::SelfTest`] of many poses in one call, by an engine that has such a call.
    SelfTestBatch,
    /// The distance of every pair of a robot's bodies, cold.
    SelfAllDistances,
    /// The smallest distance of a robot to movable obstacles, after those of the step are placed elsewhere.
    ChangeDistance,
    /// [`Ask::SceneDistance`] with its gradient; the distance is told.
    Gradient,
    /// Whether a robot touches a cloud of points, which replaces the one before.
    CloudReplace,
    /// The smallest distance of a robot to a cloud of points.
    CloudDistance,
    /// Whether a robot touches a cloud of points.
    CloudTest,
    /// The smallest distance of a robot to the occupied cells of a map.
    CellsDistance,
}

/// All questions, by their numbers in the file format.
const ASKS: [Ask; 20] = [
    Ask::Distance,
    Ask::Coherent,
    Ask::Depth,
    Ask::AllDistances,
    Ask::FirstCollision,
    Ask::SmallestTriangleDistance,
    Ask::SelfTest,
    Ask::SelfDistance,
    Ask::SelfDistanceCoherent,
    Ask::SceneDistance,
    Ask::SceneTest,
    Ask::Edge,
    Ask::SelfTestBatch,
    Ask::SelfAllDistances,
    Ask::ChangeDistance,
    Ask::Gradient,
    Ask::CloudReplace,
    Ask::CloudDistance,
    Ask::CloudTest,
    Ask::CellsDistance,
];

/// Vertices (metres) and triangles, counter-clockwise from outside.
pub struct ShapeData {
    /// Points.
    pub vertices: Vec<[f64; 3]>,
    /// Indices of corners.
    pub triangles: Vec<[u32; 3]>,
}

/// A joint of one value.
pub struct JointData {
    /// Slides instead of turning.
    pub slides: bool,
    /// 0 the base, k joint k - 1.
    pub parent: usize,
    /// Joint frame in the parent's, at value zero.
    pub in_parent: [f64; 12],
    /// Unit vector, joint frame.
    pub axis: [f64; 3],
    /// Smallest and largest value (radians or metres).
    pub limits: [f64; 2],
    /// Which joint it follows, with what factor and offset, if it follows one.
    pub follows: Option<Follows>,
}

/// `value = scale * value(joint) + offset`.
pub struct Follows {
    /// An earlier joint, from 0.
    pub joint: usize,
    /// Factor.
    pub scale: f64,
    /// Offset (radians or metres).
    pub offset: f64,
}

/// A shape on a joint, or an obstacle in the world.
pub struct Mount {
    /// For a shape the number of its joint (0 the base, k joint k - 1), for an obstacle that of its shape.
    pub number: usize,
    /// Its pose there.
    pub pose: [f64; 12],
}

/// One item's input.
pub struct Work {
    /// The question.
    pub ask: Ask,
    /// Shapes are their triangles; else their hulls.
    pub triangles: bool,
    /// All shapes.
    pub shapes: Vec<ShapeData>,
    /// Shape numbers: one pair a step, or all pairs of every step of a robot item. Of a whole robot those of
    /// the same two bodies follow one another.
    pub pairs: Vec<[u32; 2]>,
    /// Queries of a pair item, poses of a robot item.
    pub steps: usize,
    /// Two for a pair item, one for each shape of a robot.
    pub poses_a_step: usize,
    /// World from shape: rotation row-major, translation (metres).
    pub poses: Vec<[f64; 12]>,
    /// The joints of a whole robot, parents first; empty where only shapes are asked.
    pub joints: Vec<JointData>,
    /// The joint and the pose of each shape.
    pub mounts: Vec<Mount>,
    /// The body of each of them.
    pub bodies: Vec<usize>,
    /// A row of joint values a step; of an edge two, start and end.
    pub values: Vec<f64>,
    /// Shapes of obstacles, own frames.
    pub obstacle_shapes: Vec<ShapeData>,
    /// The obstacles.
    pub obstacles: Vec<Mount>,
    /// The obstacles that are placed elsewhere, and when.
    pub changes: Changes,
    /// What sensors saw.
    pub seen: Seen,
}

impl Work {
    /// Whether each step asks about all pairs.
    pub fn is_robot(&self) -> bool {
        !matches!(self.ask, Ask::Distance | Ask::Coherent | Ask::Depth)
    }

    /// Whether the question is about a whole robot, with its joints.
    pub fn is_whole(&self) -> bool {
        self.is_robot()
            && !matches!(self.ask, Ask::AllDistances | Ask::FirstCollision | Ask::SmallestTriangleDistance)
    }

    /// Whether the answer about a whole robot is a distance; else it is yes or no.
    pub fn wants_distance(&self) -> bool {
        self.is_whole()
            && !matches!(
                self.ask,
                Ask::SelfTest
                    | Ask::SelfTestBatch
                    | Ask::SceneTest
                    | Ask::CloudReplace
                    | Ask::CloudTest
                    | Ask::Edge
            )
    }

    /// The pairs of a whole robot's bodies: both bodies, and which of [`Work::pairs`] are theirs.
    pub fn body_pairs(&self) -> Vec<([usize; 2], std::ops::Range<usize>)> {
        let bodies = |pair: &[u32; 2]| pair.map(|shape| self.bodies[shape as usize]);
        let mut start = 0;
        let runs = self.pairs.chunk_by(|one, other| bodies(one) == bodies(other));
        runs.map(|run| {
            let range = start..start + run.len();
            start = range.end;
            (bodies(&run[0]), range)
        })
        .collect()
    }

    /// The poses of all obstacles in a step, world from obstacle.
    pub fn obstacles_at(&self, step: usize) -> Vec<[f64; 12]> {
        let mut places: Vec<_> = self.obstacles.iter().map(|obstacle| obstacle.pose).collect();
        for row in &self.changes.rows[..self.changes.step_rows(step).end] {
            places[row.obstacle] = row.pose;
        }
        places
    }

    /// A row of joint values.
    pub fn value_row(&self, number: usize) -> &[f64] {
        &self.values[number * self.joints.len()..][..self.joints.len()]
    }

    /// Numbers an engine answers with in one step.
    pub fn answers_a_step(&self) -> usize {
        match self.ask {
            Ask::AllDistances => self.pairs.len(),
            Ask::SelfAllDistances => self.body_pairs().len(),
            _ => 1,
        }
    }

    /// Reads a work file and checks that every index in it exists.
    pub fn read(path: &str) -> Result<Work> {
        let bytes = std::fs::read(path).with_context(|| format!("cannot open {path}"))?;
        let mut rest = &bytes[..];
        ensure!(take_bytes(&mut rest, 8)? == b"EBWORK04", "{path} is not a work file");
        let ask = read_number(&mut rest)?;
        let Some(&ask) = ASKS.get(ask as usize) else {
            bail!("{path}: no question has the number {ask}");
        };
        let triangles = read_number(&mut rest)? == 1;
        let shapes = shapes_of(&mut rest)?;
        let pairs: Vec<[u32; 2]> =
            (0..read_number(&mut rest)?).map(|_| read_numbers(&mut rest)).collect::<Result<_>>()?;
        let (steps, poses_a_step) = (read_number(&mut rest)? as usize, read_number(&mut rest)? as usize);
        let poses = (0..steps * poses_a_step).map(|_| read_floats(&mut rest)).collect::<Result<_>>()?;
        let joints = (0..read_number(&mut rest)?)
            .map(|_| {
                let slides = read_number(&mut rest)? == 1;
                let (parent, followed) = (read_number(&mut rest)? as usize, read_number(&mut rest)? as usize);
                let (in_parent, axis, limits) =
                    (read_floats(&mut rest)?, read_floats(&mut rest)?, read_floats(&mut rest)?);
                let [scale, offset] = read_floats(&mut rest)?;
                let follows = (followed > 0).then(|| Follows { joint: followed - 1, scale, offset });
                Ok(JointData { slides, parent, in_parent, axis, limits, follows })
            })
            .collect::<Result<Vec<_>>>()?;
        let mounts = mounts_of(&mut rest)?;
        let bodies = (0..read_number(&mut rest)?)
            .map(|_| read_number(&mut rest).map(|body| body as usize))
            .collect::<Result<Vec<_>>>()?;
        let values = (0..read_number(&mut rest)?)
            .map(|_| read_floats::<1>(&mut rest).map(|[value]| value))
            .collect::<Result<Vec<_>>>()?;
        let obstacle_shapes = shapes_of(&mut rest)?;
        let obstacles = mounts_of(&mut rest)?;
        // The robot's name, for an engine that has robots of its own.
        let name = read_number(&mut rest)? as usize;
        take_bytes(&mut rest, name)?;
        let changes = Changes::read(&mut rest, steps)?;
        let seen = Seen::read(&mut rest)?;
        ensure!(rest.is_empty(), "{path} is longer than it says");
        ensure!(
            pairs.iter().flatten().all(|&shape| (shape as usize) < shapes.len()),
            "{path}: a pair names a shape that is not there"
        );
        let chained = |(k, joint): (usize, &JointData)| {
            joint.parent <= k && joint.follows.as_ref().is_none_or(|followed| followed.joint < k)
        };
        ensure!(
            joints.iter().enumerate().all(chained)
                && mounts.iter().all(|mount| mount.number <= joints.len())
                && obstacles.iter().all(|obstacle| obstacle.number < obstacle_shapes.len()),
            "{path}: a joint or a shape is named that is not there"
        );
        changes
            .check_names([shapes.len(), joints.len(), obstacles.len()])
            .with_context(|| path.to_owned())?;
        let work = Work {
            ask,
            triangles,
            shapes,
            pairs,
            steps,
            poses_a_step,
            poses,
            joints,
            mounts,
            bodies,
            values,
            obstacle_shapes,
            obstacles,
            changes,
            seen,
        };
        let rows = work.steps * if ask == Ask::Edge { 2 } else { 1 };
        ensure!(
            !work.is_whole()
                || (work.mounts.len() == work.shapes.len()
                    && work.bodies.len() == work.shapes.len()
                    && work.values.len() == rows * work.joints.len()),
            "{path}: not one mount a shape and one row of values a step"
        );
        let expected = if work.is_robot() { work.shapes.len() } else { 2 };
        ensure!(poses_a_step == expected, "{path}: {poses_a_step} poses a step, {expected} expected");
        ensure!(work.is_robot() || work.pairs.len() == steps, "{path}: not one pair a step");
        Ok(work)
    }
}

fn shapes_of(rest: &mut &[u8]) -> Result<Vec<ShapeData>> {
    (0..read_number(rest)?)
        .map(|_| {
            let (vertices, triangles) = (read_number(rest)?, read_number(rest)?);
            Ok(ShapeData {
                vertices: (0..vertices).map(|_| read_floats(rest)).collect::<Result<_>>()?,
                triangles: (0..triangles).map(|_| read_numbers(rest)).collect::<Result<_>>()?,
            })
        })
        .collect()
}

fn mounts_of(rest: &mut &[u8]) -> Result<Vec<Mount>> {
    (0..read_number(rest)?)
        .map(|_| Ok(Mount { number: read_number(rest)? as usize, pose: read_floats(rest)? }))
        .collect()
}
