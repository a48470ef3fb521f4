//! A collision class: polytopes that are checked against those of another class, not among themselves.

use crate::cost::Cost;
use crate::error::LabError;
use crate::parts::{Part, box_of, part_in_world, robot_error};
use crate::primitives::{Fitted, Kind, Primitive};
use crate::strategy::Available;
use crate::structures::{Choice, KeepStructures, Structures};
use elbowroom::Checker;
use elbowroom::bounds::AlignedBox;
use elbowroom::bounds::fit::{BallSet, FitEffort};
use elbowroom::bounds::hierarchy::Tree;
use elbowroom::math::{Transform, Vec3};

/// The class with all that any of the approaches keeps of it.
#[derive(Debug)]
pub struct Class {
    parts: Vec<Part>,
    places: Vec<Transform>,
    /// Corners of each polytope in the world (metres).
    pub corners: Vec<Vec<Vec3>>,
    /// Corners of each polytope in the world, at the step before (metres).
    before: Vec<Vec<Vec3>>,
    /// How far any corner of each polytope has come in all steps that were counted (metres).
    pub travelled: Vec<f64>,
    fitted: Vec<Fitted>,
    /// Primitives of each polytope in the world, in the order of [`Kind::ALL`].
    pub primitives: Vec<[Primitive; 4]>,
    structures: Structures,
    choice: Choice,
    leaves: Vec<AlignedBox>,
    /// Boxes of the hierarchy chosen last, by node.
    pub boxes: Vec<AlignedBox>,
    chosen: usize,
    moves: bool,
}

impl Class {
    /// A class that moves, with its structures; or without any one that does not.
    ///
    /// # Errors
    /// A part has no corners.
    pub fn new(
        checker: &Checker,
        parts: Vec<Part>,
        structures: Option<Structures>,
    ) -> Result<Class, LabError> {
        let moves = structures.is_some();
        let places: Vec<Transform> = parts.iter().map(|p| part_in_world(checker, p)).collect();
        let moved = |(p, at): (&Part, &Transform)| p.corners.iter().map(|c| at.point(*c)).collect();
        let corners: Vec<Vec<Vec3>> = parts.iter().zip(&places).map(moved).collect();
        let around = |p: &Part| Fitted::fit_around(&BallSet::of_points(&p.corners, 0.0), FitEffort::Thorough);
        let fitted: Option<Vec<Fitted>> = parts.iter().map(around).collect();
        let fitted = fitted.ok_or_else(|| robot_error("a part without corners"))?;
        let leaves: Vec<AlignedBox> = corners.iter().map(|c| box_of(c)).collect();
        let only = |k: u64, boxes: &mut [AlignedBox]| {
            boxes.copy_from_slice(&leaves);
            k == 0
        };
        let structures = match structures {
            Some(s) => s,
            None => {
                Structures::sample_structures(parts.len(), Cost::Diameter, KeepStructures::default(), only)
                    .ok_or_else(|| robot_error("too many parts"))?
            }
        };
        let mut class = Class {
            primitives: fitted.iter().map(|f| Kind::ALL.map(|k| *f.primitive(k))).collect(),
            before: corners.clone(),
            travelled: vec![0.0; parts.len()],
            boxes: vec![AlignedBox::EMPTY; structures.trees()[0].len()],
            choice: structures.new_choice(),
            structures,
            parts,
            places,
            corners,
            fitted,
            leaves,
            chosen: 0,
            moves: true,
        };
        class.move_primitives(&Kind::ALL);
        class.update_hierarchy();
        class.moves = moves;
        Ok(class)
    }

    /// Moves all corners to where the pose has them.
    pub fn move_corners(&mut self, checker: &Checker) {
        if !self.moves {
            return;
        }
        std::mem::swap(&mut self.corners, &mut self.before);
        for (i, part) in self.parts.iter().enumerate() {
            self.places[i] = part_in_world(checker, part);
            for (to, from) in self.corners[i].iter_mut().zip(&part.corners) {
                *to = self.places[i].point(*from);
            }
        }
    }

    /// The longest way that a corner has moved since the last step (metres).
    pub fn covered_distance(&self) -> f64 {
        (0..self.corners.len()).map(|part| self.longest_move(part)).fold(0.0, f64::max)
    }

    /// The longest way that a corner of one part has moved since the last step (metres).
    fn longest_move(&self, part: usize) -> f64 {
        if !self.moves {
            return 0.0;
        }
        let pairs = self.corners[part].iter().zip(&self.before[part]);
        pairs.map(|(p, q)| (*p - *q).norm_squared()).fold(0.0, f64::max).sqrt()
    }

    /// How many corners move.
    pub fn moving_corners(&self) -> usize {
        if self.moves { self.corners.iter().map(Vec::len).sum() } else { 0 }
    }

    /// Adds to each part's way how far it has come since the step before; how many corners were looked at.
    pub fn add_travelled(&mut self) -> usize {
        for part in 0..self.travelled.len() {
            self.travelled[part] += self.longest_move(part);
        }
        self.moving_corners()
    }

    /// Moves the primitives of some kinds to where the pose has them. The box parallel to the axes is that of
    /// the corners, as in the paper.
    pub fn move_primitives(&mut self, kinds: &[Kind]) {
        if !self.moves {
            return;
        }
        for (i, fitted) in self.fitted.iter().enumerate() {
            for &kind in kinds {
                self.primitives[i][kind as usize] = match kind {
                    Kind::Aligned => Primitive::Aligned(box_of(&self.corners[i])),
                    _ => fitted.primitive(kind).transformed_by(&self.places[i], 0.0),
                };
            }
        }
    }

    /// The primitives of a part, simple ones first, with their errors.
    pub fn available_primitives(&self, part: usize) -> [Available; 4] {
        Kind::ALL.map(|kind| Available { kind, excess: self.fitted[part].excess_volume(kind) })
    }

    /// Chooses the structure that is best for the corners as they are, and computes its boxes.
    pub fn update_hierarchy(&mut self) {
        if !self.moves {
            return;
        }
        for (to, corners) in self.leaves.iter_mut().zip(&self.corners) {
            *to = box_of(corners);
        }
        self.chosen = self.structures.refit(&self.leaves, &mut self.choice, &mut self.boxes);
    }

    /// The structure chosen last.
    pub fn chosen_tree(&self) -> &Tree {
        &self.structures.trees()[self.chosen]
    }
    /// Its number: 0 is the commonest.
    pub fn chosen_index(&self) -> usize {
        self.chosen
    }
}
