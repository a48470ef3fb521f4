//! The Puma 260 of henrich92 and henrich97: its parts, its cell BOTTLENECK and its path.

use crate::cost::Cost;
use crate::error::LabError;
use crate::parts::{self, Part, compile_world, describe_obstacle, robot_error};
use crate::structures::{KeepStructures, Structures};
use elbowroom::bounds::AlignedBox;
use elbowroom::bounds::hierarchy::Tree;
use elbowroom::describe::WorldDescription;
use elbowroom::math::Vec3;
use elbowroom::world::RobotId;
use elbowroom::{Checker, World};
use elbowroom_files::motion::{Joints, load_motion, mimic_rules};
use elbowroom_files::world::load_world;
use std::path::Path;

/// The robot, BOTTLENECK and the path.
#[derive(Debug)]
pub struct Puma {
    /// The cell with the robot, its meshes as hulls; checked is the robot against the cell.
    pub cell: WorldDescription,
    /// The robot alone.
    pub world: World,
    /// Its ten parts.
    pub parts: Vec<Part>,
    /// The objects of BOTTLENECK by their corners (metres).
    pub bottleneck: Vec<Vec<Vec3>>,
    /// The path (radians).
    pub path: Vec<Vec<f64>>,
}

impl Puma {
    /// Reads `puma260/bottleneck.toml` and `puma260/path.csv` in a folder.
    ///
    /// # Errors
    /// They are not there or cannot be read.
    pub fn load_bottleneck(data: Option<&Path>) -> Result<Puma, LabError> {
        let folder = data.unwrap_or(Path::new("robots")).join("puma260");
        let (toml, csv) = (folder.join("bottleneck.toml"), folder.join("path.csv"));
        if let Some(missing) = [&toml, &csv].into_iter().find(|f| !f.is_file()) {
            return Err(LabError::NoPuma(missing.clone()));
        }
        let options = elbowroom_files::Options::default();
        let mut cell = load_world(&toml, &options)?.value;
        let Some(placed) = cell.robots.first_mut() else { return Err(robot_error("the cell has no robot")) };
        parts::as_hulls(&mut placed.robot);
        cell.checks = vec![[placed.name.clone(), "world".into()]];
        let world = compile_world(&cell)?;
        let (bottleneck, parts) =
            (parts::obstacle_corners(&world)?, parts::convex_parts(&world, Some(RobotId(0)))?);
        let joints = Joints { names: world.dof_names(), mimics: &mimic_rules(&world), ..Joints::default() };
        let path = load_motion(&csv, joints, &options)?.value.rows;
        if path.is_empty() || parts.is_empty() {
            return Err(robot_error("there is no part, or no pose"));
        }
        cell.obstacles.clear();
        let world = compile_world(&WorldDescription { checks: Vec::new(), ..cell.clone() })?;
        Ok(Puma { cell, world, parts, bottleneck, path })
    }

    /// The robot in a cell of these objects, for the engine.
    ///
    /// # Errors
    /// An object is not one.
    pub fn world_with_objects(&self, objects: &[Vec<Vec3>]) -> Result<World, LabError> {
        let named = objects.iter().enumerate().map(|(i, o)| describe_obstacle(format!("o{i}"), o));
        compile_world(&WorldDescription { obstacles: named.collect(), ..self.cell.clone() })
    }

    /// The robot's hierarchy: the structure that is best most often along the path.
    ///
    /// # Errors
    /// A pose of the path is none.
    pub fn best_hierarchy(&self) -> Result<Tree, LabError> {
        let mut checker = Checker::new(&self.world);
        let mut failed = None;
        let sample = |k: u64, boxes: &mut [AlignedBox]| {
            let Some(q) = self.path.get(k as usize) else { return false };
            failed = failed.take().or(checker.set(q).err());
            for (b, part) in boxes.iter_mut().zip(&self.parts) {
                let at = parts::part_in_world(&checker, part);
                *b = parts::box_of_capsule(&part.capsule.transform_by(&at, 0.0));
            }
            true
        };
        let keep = KeepStructures { most: 1, ..KeepStructures::default() };
        let found = Structures::sample_structures(self.parts.len(), Cost::Diameter, keep, sample);
        match (found, failed) {
            (Some(structures), None) => Ok(structures.trees()[0].clone()),
            (_, Some(e)) => Err(robot_error(&e.to_string())),
            (None, None) => Err(robot_error("too many parts")),
        }
    }
}
