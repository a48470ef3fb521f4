//! Trees with eight children a node, over all boxes or over those that do not move.

use crate::binary::{OfPairs, Step, along_curve};
use crate::index::Index;
use crate::scene::{Scene, meet};
use elbowroom::bounds::AlignedBox;
use elbowroom::bounds::hierarchy::{WideScratch, WideTree};
use elbowroom_lab::primitives::box_gap;

/// Eight children a node, built anew each step.
pub struct OfEights {
    tree: WideTree,
    scratch: WideScratch,
}

impl OfEights {
    /// Over these boxes.
    pub fn new(boxes: &[AlignedBox]) -> Option<OfEights> {
        let tree = WideTree::build(boxes)?;
        let scratch = WideScratch::new(&tree, 1);
        Some(OfEights { tree, scratch })
    }

    /// How many of the boxes it was built over a box meets, but this one.
    fn meetings(&mut self, of: &AlignedBox, boxes: &[AlignedBox], but: u32) -> u64 {
        let (query, mut count) = ([self.tree.prepare_query(of)], 0);
        // Its numbers are rounded: what meets has a bound of zero at most.
        self.tree.visit_nearest(&query, f64::MIN_POSITIVE, &mut self.scratch, |_, other, _| {
            count += u64::from(other != but && meet(of, &boxes[other as usize]));
            f64::MIN_POSITIVE
        });
        count
    }

    /// The least gap to one of the boxes, but this one, where it is less than what is known.
    fn least(&mut self, of: &AlignedBox, boxes: &[AlignedBox], but: u32, known: f64) -> f64 {
        let (query, mut best) = ([self.tree.prepare_query(of)], known);
        self.tree.visit_nearest(&query, known, &mut self.scratch, |_, other, _| {
            if other != but {
                best = best.min(box_gap(of, &boxes[other as usize]));
            }
            best
        });
        best
    }
}

impl Index for OfEights {
    fn update(&mut self, scene: &Scene) {
        if let Some(tree) = WideTree::build(&scene.boxes) {
            self.tree = tree;
        }
    }
    fn near(&mut self, scene: &Scene, body: u32) -> u64 {
        self.meetings(&scene.boxes[body as usize], &scene.boxes, body)
    }
    fn nearest(&mut self, scene: &Scene, body: u32) -> f64 {
        self.least(&scene.boxes[body as usize], &scene.boxes, body, f64::INFINITY)
    }
    fn pairs(&mut self, scene: &Scene) -> u64 {
        (0..scene.boxes.len() as u32).map(|body| self.near(scene, body)).sum::<u64>() / 2
    }
}

/// Two trees: a wide one over the boxes that do not move, built once, and one over those that move.
pub struct OfBoth {
    fixed: OfEights,
    fixed_boxes: Vec<AlignedBox>,
    moving: Box<dyn Index>,
    /// The boxes that move, and the number of each body among them.
    scene: Scene,
    number: Vec<u32>,
}

impl OfBoth {
    /// The scene says which boxes move. The tree over them is built anew in each step: a wide one, or a
    /// binary one.
    pub fn new(scene: &Scene, wide: bool) -> Option<OfBoth> {
        let mut number = vec![u32::MAX; scene.boxes.len()];
        for (body, k) in scene.moving.iter().zip(0..) {
            number[*body as usize] = k;
        }
        let still = scene.boxes.iter().zip(&number).filter(|(_, number)| **number == u32::MAX);
        let fixed_boxes: Vec<AlignedBox> = still.map(|(b, _)| *b).collect();
        let boxes: Vec<AlignedBox> = scene.moving.iter().map(|body| scene.boxes[*body as usize]).collect();
        let moving = (0..boxes.len() as u32).collect();
        let scene = Scene { edge: scene.edge, boxes, moving, directions: Vec::new() };
        let moving: Box<dyn Index> = if wide {
            Box::new(OfEights::new(&scene.boxes)?)
        } else {
            Box::new(OfPairs::new(&scene, along_curve(&scene)?, Step::Anew))
        };
        Some(OfBoth { fixed: OfEights::new(&fixed_boxes)?, fixed_boxes, moving, scene, number })
    }
}

impl Index for OfBoth {
    fn update(&mut self, scene: &Scene) {
        for (to, body) in self.scene.boxes.iter_mut().zip(&scene.moving) {
            *to = scene.boxes[*body as usize];
        }
        self.moving.update(&self.scene);
    }
    fn near(&mut self, scene: &Scene, body: u32) -> u64 {
        let of = &scene.boxes[body as usize];
        self.fixed.meetings(of, &self.fixed_boxes, u32::MAX)
            + self.moving.near(&self.scene, self.number[body as usize])
    }
    fn nearest(&mut self, scene: &Scene, body: u32) -> f64 {
        let among = self.moving.nearest(&self.scene, self.number[body as usize]);
        self.fixed.least(&scene.boxes[body as usize], &self.fixed_boxes, u32::MAX, among)
    }
    fn pairs(&mut self, scene: &Scene) -> u64 {
        let fixed = scene.moving.iter().map(|body| &scene.boxes[*body as usize]);
        let among = self.moving.pairs(&self.scene);
        fixed.map(|of| self.fixed.meetings(of, &self.fixed_boxes, u32::MAX)).sum::<u64>() + among
    }
}
