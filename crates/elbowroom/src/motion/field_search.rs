//! Proves a field: the search over the cells of a grid.
//!
//! The whole grid is a box of joint values. A box is asked as in [`super::prove`]: at its centre, and with a
//! bound on how far the bodies can move from there anywhere in the box. What is proved of a box holds in all
//! its cells. Any other box is halved between two cells, across the joint that adds most to the approach,
//! down to single cells; those that are still not proved stay open. It also stops when the work ends. The
//! boxes that still wait are then open; the large ones were asked before, so these are small.

use super::field::{Field, FieldFault, FieldJoint, FieldState};
use super::proof::ProveOptions;
use super::prove::{ProofSearch, Prover, Seen};
use crate::model::id::BodyPair;
use crate::motion::tolerance::{FIELD_BOXES, FIELD_CELLS, FIELD_CLIMBS, FIELD_ROUNDING};
use crate::query::policy::Policy;
use alloc::vec;
use alloc::vec::Vec;
use elbowroom_pair::Geometry;

/// How fine a field is, what it means, and how much work it may take.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldOptions {
    /// Free means farther apart than its margin.
    pub policy: Policy,
    /// Cells along each joint: the next power of two counts, at least [`Field::LEAST_CELLS`]. `None` means
    /// 256 for one or two joints and 64 for three.
    pub cells: Option<u32>,
    /// Most boxes of joint values that are asked.
    pub boxes: u64,
    /// Whether the limits of mimics count: [`ProveOptions::mimic_limits`].
    pub mimic_limits: bool,
}

impl FieldOptions {
    /// These options with a margin (metres) instead of the world's: that of the [`Policy`].
    pub const fn margin(self, metres: f64) -> FieldOptions {
        FieldOptions { policy: self.policy.margin(metres), ..self }
    }

    /// These options with meshes as themselves or as their hulls.
    pub const fn geometry(self, geometry: Geometry) -> FieldOptions {
        FieldOptions { policy: self.policy.geometry(geometry), ..self }
    }
}

impl Default for FieldOptions {
    fn default() -> FieldOptions {
        FieldOptions { policy: Policy::default(), cells: None, boxes: FIELD_BOXES, mimic_limits: true }
    }
}

/// Cells of the grid that form a block: the first and the one behind the last along each joint.
#[derive(Clone, Copy, Debug)]
struct CellRange {
    first: [u32; Field::MOST_JOINTS],
    end: [u32; Field::MOST_JOINTS],
}

impl Prover<'_> {
    /// Proves what it can of a pair in each cell of a grid over the joints between the two bodies, whether
    /// the pair is checked or not. Other joints do not matter. A movable body has
    /// no field.
    ///
    /// ```
    /// use elbowroom::describe::examples::rod_and_post;
    /// use elbowroom::motion::{FieldOptions, FieldState, Prover};
    /// use elbowroom::{PairId, World};
    ///
    /// // The rod of the crate's first example, and the post at (0, 1, 0), which it hits at 1.27.
    /// let world = World::compile(&rod_and_post())?;
    /// let pair = world.pairs().get(PairId(0)).expect("the rod and the post");
    /// let field = Prover::new(&world).field(pair, &FieldOptions::default())?;
    /// assert_eq!(field.state_at(&[0.5]), FieldState::Free);
    /// assert_eq!(field.state_at(&[1.5]), FieldState::Overlap);
    /// assert_eq!(field.state_at(&[9.0]), FieldState::Open, "beyond the limits");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Why the pair has no field.
    pub fn field(&mut self, pair: BodyPair, options: &FieldOptions) -> Result<Field, FieldFault> {
        let FieldOptions { policy, cells, boxes, mimic_limits } = *options;
        let prove = ProveOptions { boxes, geometry: policy.geometry, mimic_limits };
        let mut search = self.search_between(pair, &prove)?;
        if [pair.a, pair.b].iter().any(|body| search.world().is_movable(*body) == Some(true)) {
            return Err(FieldFault::Movable);
        }
        let margin = policy.margin_in(search.world());
        if margin.is_nan() {
            return Err(FieldFault::NoMargin);
        }
        let count = search.joints.len();
        if count == 0 {
            return Err(FieldFault::NoJoint);
        }
        let Some(usual) = FIELD_CELLS.get(count - 1) else {
            let names = &search.world().kinematics.dof_names;
            return Err(FieldFault::TooManyJoints(search.joints.iter().map(|j| names[*j].clone()).collect()));
        };
        let cells = cells.unwrap_or(*usual).max(Field::LEAST_CELLS);
        let cells = cells.checked_next_power_of_two().ok_or(FieldFault::TooManyCells)?;
        if u64::from(cells).checked_pow(count as u32).is_none_or(|all| all > Field::MOST_CELLS) {
            return Err(FieldFault::TooManyCells);
        }
        let joint = |value: &usize| {
            let range = search.range(*value);
            (range[0] < range[1]).then_some(FieldJoint { value: *value, range, cells })
        };
        let joints: Option<Vec<FieldJoint>> = search.joints.iter().map(joint).collect();
        let joints = joints.ok_or(FieldFault::Unbounded)?;
        search.margin = margin;
        search.climbs = FIELD_CLIMBS;
        let mut field = Field::without_proof(search.world(), pair, (margin, policy.geometry), joints);
        fill_field(&mut search, &mut field, boxes);
        Ok(field)
    }
}

/// Asks boxes level by level, the large ones first.
fn fill_field(search: &mut ProofSearch, field: &mut Field, boxes: u64) {
    let joints: Vec<FieldJoint> = field.joints().to_vec();
    let mut all = CellRange { first: [0; 3], end: [1; 3] };
    for (end, joint) in all.end.iter_mut().zip(&joints) {
        *end = joint.cells;
    }
    let (mut level, mut next, mut asked) = (vec![all], Vec::new(), 0);
    let mut region = Vec::with_capacity(2 * joints.len());
    while !level.is_empty() {
        for cells in level.drain(..) {
            if asked >= boxes {
                return;
            }
            asked += 1;
            region.clear();
            for (k, joint) in joints.iter().enumerate() {
                let [low, high] = joint.range_of_cells(cells.first[k], cells.end[k]);
                // A value that a lookup finds in the cell by rounding is in the box.
                let loose = FIELD_ROUNDING * (joint.range[0].abs() + joint.range[1].abs());
                region.extend([low - loose, high + loose]);
            }
            let seen = search.look_at_box(&region, Seen::default());
            if seen.proved {
                let state = if seen.overlap { FieldState::Overlap } else { FieldState::Free };
                field.mark_cells(&cells.first, &cells.end, state);
            } else if let Some(k) = longest_cut(search, &joints, &cells) {
                let middle = cells.first[k].midpoint(cells.end[k]);
                let (mut low, mut high) = (cells, cells);
                (low.end[k], high.first[k]) = (middle, middle);
                next.extend([low, high]);
            }
        }
        core::mem::swap(&mut level, &mut next);
    }
}

/// The joint across which a box is halved: the one that adds most of those with two cells or more, and of
/// equals the one with the most cells. `None` for a single cell.
fn longest_cut(search: &ProofSearch, joints: &[FieldJoint], cells: &CellRange) -> Option<usize> {
    let wide = (0..joints.len()).filter(|k| cells.end[*k] - cells.first[*k] > 1);
    let adds = |k: &usize| search.adds[joints[*k].value];
    let size = |k: &usize| cells.end[*k] - cells.first[*k];
    wide.max_by(|i, j| adds(i).total_cmp(&adds(j)).then(size(i).cmp(&size(j))).then(j.cmp(i)))
}
