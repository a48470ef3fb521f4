//! The tree, and how its points are replaced.

use super::blocks::{Boxes, PointBlock, Record};
use super::fault::PointFault;
use super::order::order_records;
use crate::bounds::tolerance::ORIGIN_SAMPLES;
use crate::numeric::work_list::WorkList;
use elbowroom_describe::limits::MAX_COORDINATE;
use elbowroom_describe::math::{Vec3, vec3};
use elbowroom_pair::numeric::wide::WIDTH;

/// Largest capacity: numbers of points leave room for the mark of a leaf.
const MOST: usize = 1 << 30;

/// A tree over up to a fixed number of points, in one frame.
///
/// Node `i` has the children `8 i + 1` to `8 i + 8`. All blocks of points are on one level, and follow the
/// last node that may lie above it.
#[derive(Clone, Debug)]
pub struct PointTree {
    /// The points as given.
    points: WorkList<Vec3>,
    /// The points relative to the origin, in the order of the tree.
    records: WorkList<Record>,
    pub(super) blocks: WorkList<PointBlock>,
    pub(super) nodes: WorkList<Boxes>,
    /// The number of the first block among all nodes.
    pub(super) first_block: usize,
    pub(super) origin: Vec3,
    capacity: usize,
}

impl PointTree {
    /// An empty tree with room for a number of points; `None` for more than 2^30. About 60 bytes a point are
    /// allocated here, and nothing later.
    pub fn new(capacity: usize) -> Option<PointTree> {
        if capacity > MOST {
            return None;
        }
        let blocks = capacity.div_ceil(WIDTH);
        Some(PointTree {
            points: WorkList::with_capacity(capacity),
            records: WorkList::with_capacity(capacity),
            blocks: WorkList::with_capacity(blocks),
            nodes: WorkList::with_capacity(count_levels(blocks).nodes),
            first_block: 0,
            origin: Vec3::ZERO,
            capacity,
        })
    }

    /// Takes the points of another; allocates nothing where there is room for them.
    pub fn copy_from(&mut self, other: &PointTree) {
        self.points.clone_from(&other.points);
        self.records.clone_from(&other.records);
        self.blocks.clone_from(&other.blocks);
        self.nodes.clone_from(&other.nodes);
        (self.first_block, self.origin) = (other.first_block, other.origin);
        self.capacity = self.capacity.max(other.capacity);
    }

    /// Replaces all points (metres, in the frame of the queries). Takes `n log n` time and allocates nothing.
    ///
    /// # Errors
    /// More points than there is room for, or any that is not finite or beyond 1e9 m. The tree then has the
    /// points that it had.
    pub fn replace_points(&mut self, points: &[[f64; 3]]) -> Result<(), PointFault> {
        self.replace_from(points, Vec3::ZERO)
    }

    /// Replaces all points (metres). Their axes are those of the queries' frame. Their origin lies at
    /// `-origin` in that frame. Takes `n log n` time and allocates nothing.
    ///
    /// # Errors
    /// Those of [`PointTree::replace_points`].
    pub(crate) fn replace_from(&mut self, points: &[[f64; 3]], origin: Vec3) -> Result<(), PointFault> {
        if points.len() > self.capacity {
            return Err(PointFault::TooMany { given: points.len(), capacity: self.capacity });
        }
        check_points(points)?;
        self.points.clear();
        self.points.extend(points.iter().map(|&[x, y, z]| Vec3 { x, y, z } - origin));
        let origin = middle_of(&self.points);
        self.origin = origin;
        self.records.clear();
        for (point, number) in self.points.iter().zip(0..) {
            let at = (*point - origin).to_array().map(|x| x as f32);
            self.records.push(Record { at, point: number });
        }
        let blocks = points.len().div_ceil(WIDTH);
        order_records(&mut self.records, WIDTH * blocks.next_power_of_two());
        self.blocks.clear();
        self.blocks.extend(self.records.chunks(WIDTH).map(PointBlock::from_records));
        self.enclose_blocks();
        Ok(())
    }

    /// The boxes of all nodes, from the blocks upwards.
    fn enclose_blocks(&mut self) {
        let levels = count_levels(self.blocks.len());
        self.first_block = levels.first_block;
        self.nodes.clear();
        self.nodes.resize(levels.nodes, Boxes::EMPTY);
        for (number, records) in self.records.chunks(WIDTH).enumerate() {
            // One block alone is the root.
            let Some(above) = (self.first_block + number).checked_sub(1) else { return };
            self.nodes[above / WIDTH].put_points(above % WIDTH, records);
        }
        for number in (1..self.nodes.len()).rev() {
            let (parents, below) = self.nodes.split_at_mut(number);
            parents[(number - 1) / WIDTH].put_around((number - 1) % WIDTH, &below[0]);
        }
    }

    /// Number of points.
    pub fn len(&self) -> usize {
        self.points.len()
    }
    /// Whether there is no point.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
    /// How many points there is room for.
    pub fn capacity(&self) -> usize {
        self.capacity
    }
    /// The points as they were given; a number that a query tells is an index into them.
    #[inline(always)]
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }
    /// Levels of nodes of a full tree, blocks included.
    pub(super) fn most_levels(&self) -> usize {
        count_levels(self.capacity.div_ceil(WIDTH)).count
    }
}

/// How many nodes stand above some blocks.
struct BlockLevels {
    /// Up to the last that is not empty.
    nodes: usize,
    /// All that there is room for above the blocks.
    first_block: usize,
    /// Levels, with that of the blocks.
    count: usize,
}

fn count_levels(blocks: usize) -> BlockLevels {
    let (mut above, mut first_block, mut width, mut count) = (0, 0, 1, 1);
    while width < blocks {
        (above, first_block, width, count) = (first_block, first_block + width, width * WIDTH, count + 1);
    }
    let nodes = if count > 1 { above + blocks.div_ceil(WIDTH) } else { 0 };
    BlockLevels { nodes, first_block, count }
}

/// Whether every point can be used.
fn check_points(points: &[[f64; 3]]) -> Result<(), PointFault> {
    // The comparisons are false for NaN.
    let usable = |p: &[f64; 3]| {
        (p[0].abs() <= MAX_COORDINATE) & (p[1].abs() <= MAX_COORDINATE) & (p[2].abs() <= MAX_COORDINATE)
    };
    let count = points.iter().map(|p| usize::from(!usable(p))).sum();
    match points.iter().position(|p| count > 0 && !usable(p)) {
        Some(first) => Err(PointFault::Coordinates { count, first, point: points[first] }),
        None => Ok(()),
    }
}

/// The median of some of the points, coordinate by coordinate. Unlike the mean it is not moved by a few that
/// are far away; rounding grows with the distance from it.
fn middle_of(points: &[Vec3]) -> Vec3 {
    let step = points.len().div_ceil(ORIGIN_SAMPLES).max(1);
    let mut middle = [0.0; 3];
    for (k, at) in middle.iter_mut().enumerate() {
        let mut some = [0.0; ORIGIN_SAMPLES];
        let mut count = 0;
        for (slot, point) in some.iter_mut().zip(points.iter().step_by(step)) {
            *slot = point[k];
            count += 1;
        }
        if count > 0 {
            *at = *some[..count].select_nth_unstable_by(count / 2, f64::total_cmp).1;
        }
    }
    vec3(middle[0], middle[1], middle[2])
}
