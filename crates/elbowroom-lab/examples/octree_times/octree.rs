//! The octree.

use crate::index::Index;
use crate::scene::Scene;
use elbowroom::bounds::AlignedBox;
use elbowroom::math::{Vec3, vec3};
use elbowroom_lab::tran91::{BodyExtent, Octree, Rule, Work};

/// The octree.
pub struct OfOctree {
    octree: Octree,
    work: Work,
}

impl OfOctree {
    /// By a rule; what does not move is compatible.
    pub fn new(scene: &Scene, rule: Rule) -> Option<OfOctree> {
        let edge = scene.edge;
        let mut octree = Octree::new(&AlignedBox { low: Vec3::ZERO, high: vec3(edge, edge, edge) }, rule)?;
        let mut class = vec![0; scene.boxes.len()];
        scene.moving.iter().for_each(|body| class[*body as usize] = 1);
        for (extent, class) in scene.boxes.iter().zip(class) {
            octree.insert(&BodyExtent::Box(*extent), class)?;
        }
        Some(OfOctree { octree, work: Work::default() })
    }
}

impl Index for OfOctree {
    fn update(&mut self, scene: &Scene) {
        for &body in &scene.moving {
            self.octree.move_to(body, &BodyExtent::Box(scene.boxes[body as usize]));
        }
    }
    fn near(&mut self, _: &Scene, body: u32) -> u64 {
        let mut count = 0;
        self.octree.visit_neighbours(body, 0.0, &mut self.work, |_| count += 1);
        count
    }
    fn nearest(&mut self, scene: &Scene, body: u32) -> f64 {
        let of = &scene.boxes[body as usize];
        let found = self.octree.find_nearest(of, f64::INFINITY, &mut self.work, |other| other != body);
        found.map_or(f64::INFINITY, |found| found.lower)
    }
    fn pairs(&mut self, _: &Scene) -> u64 {
        let mut count = 0;
        self.octree.each_pair(&mut self.work, |_, _| count += 1);
        count
    }
}
