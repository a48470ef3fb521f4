//! A field: what is proved of a pair of bodies in each cell of a grid over the joints between them.
//!
//! Where the relative pose of two bodies depends on one, two or three joint values, all that can ever be
//! asked about them fits into a table. haase10 draws it for one finger against the base of its hand (section
//! III-D, Fig. 6) and puts a straight line in its place; a table of samples of all seven joints would not fit
//! anywhere (section I-A). Here each cell holds a proof for all values in it, not a sample: the two are
//! apart, or they overlap, or neither is proved. A lookup takes some nanoseconds and asks no geometry.
//!
//! Most cells lie in large regions that are alike. So eight cells along each joint make a brick; a brick that
//! is alike throughout is one number, and any other has two bits for each of its cells.

use crate::model::id::BodyPair;
use crate::model::world::World;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use elbowroom_pair::Geometry;

/// Cells of a brick along each joint, as a power of two.
const BRICK: u32 = 3;
/// Bits of a cell.
const CELL_BITS: u32 = 2;
/// Entries from here on are numbers of bricks, plus this.
const FIRST_BRICK: u32 = 4;

/// What is proved of a pair at every configuration in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FieldState {
    /// Neither is proved; or the values are outside of the field, or no numbers.
    Open = 0,
    /// The two are farther apart than the field's margin.
    Free = 1,
    /// The two overlap.
    Overlap = 2,
}

impl FieldState {
    /// The state with a number of two bits; 3 means nothing.
    fn from_bits(bits: u32) -> FieldState {
        match bits {
            1 => FieldState::Free,
            2 => FieldState::Overlap,
            _ => FieldState::Open,
        }
    }
}

/// Why a pair has no field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FieldFault {
    /// A body is not one of this world or has no shapes, or the two are the same.
    NoPair,
    /// One of the two is movable: it is not always where it is now.
    Movable,
    /// No joint lies between the two: one question answers for all configurations.
    NoJoint,
    /// More joints lie between the two than a field can have: their names.
    TooManyJoints(Vec<String>),
    /// A joint between the two turns a body freely, or has no limits.
    Unbounded,
    /// There is no configuration within limits.
    NoConfiguration,
    /// The margin is no number.
    NoMargin,
    /// More cells are asked for than [`Field::MOST_CELLS`].
    TooManyCells,
}

impl fmt::Display for FieldFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FieldFault::NoPair => write!(f, "two different bodies with shapes have a field"),
            FieldFault::Movable => write!(f, "a movable body has no field: it is not always where it is now"),
            FieldFault::NoJoint => write!(f, "no joint lies between the two bodies: ask them at any pose"),
            FieldFault::TooManyJoints(names) => write!(
                f,
                "{} joints lie between the two bodies ({}), and a field has at most {}",
                names.len(),
                names.join(", "),
                Field::MOST_JOINTS
            ),
            FieldFault::Unbounded => write!(f, "a joint between the two bodies has no limits"),
            FieldFault::NoConfiguration => write!(f, "there is no configuration within limits"),
            FieldFault::NoMargin => write!(f, "the margin is no number"),
            FieldFault::TooManyCells => write!(f, "a field has at most {} cells", Field::MOST_CELLS),
        }
    }
}

impl core::error::Error for FieldFault {}

/// A joint of a field.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldJoint {
    /// The number of its value in the configurations of the world.
    pub value: usize,
    /// The lowest and the highest value (radians, metres): the limits, with their tolerance.
    pub range: [f64; 2],
    /// How many cells it has, all of the same width: a power of two, at least [`Field::LEAST_CELLS`].
    pub cells: u32,
}

impl FieldJoint {
    /// The lowest and the highest value of cells from `first` to before `end`.
    pub fn range_of_cells(&self, first: u32, end: u32) -> [f64; 2] {
        let [low, high] = self.range;
        let at = |i: u32| low + (high - low) * (f64::from(i) / f64::from(self.cells));
        [at(first), if end == self.cells { high } else { at(end) }]
    }
}

/// A joint as a lookup needs it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct LookupAxis {
    value: usize,
    low: f64,
    /// Cells for each unit of the value.
    scale: f64,
    cells: f64,
    last_cell: u32,
    bricks: usize,
}

impl LookupAxis {
    fn new(joint: &FieldJoint) -> LookupAxis {
        LookupAxis {
            value: joint.value,
            low: joint.range[0],
            scale: f64::from(joint.cells) / (joint.range[1] - joint.range[0]),
            cells: f64::from(joint.cells),
            last_cell: joint.cells - 1,
            bricks: (joint.cells >> BRICK) as usize,
        }
    }
}

/// What is proved of a pair of bodies over all values of the joints between them: [`Prover::field`].
///
/// [`Prover::field`]: super::Prover::field
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pair: BodyPair,
    fingerprint: u64,
    margin: f64,
    geometry: Geometry,
    joints: Vec<FieldJoint>,
    /// The joints as lookups need them; those that the field does not have have one brick.
    axes: [LookupAxis; Field::MOST_JOINTS],
    /// A state, or the number of a brick and [`FIRST_BRICK`]; the last joint varies slowest.
    bricks: Vec<u32>,
    /// The cells of the bricks that are not alike throughout.
    cells: Vec<u64>,
}

impl Field {
    /// Most joints.
    pub const MOST_JOINTS: usize = 3;
    /// Fewest cells of a joint.
    pub const LEAST_CELLS: u32 = 1 << BRICK;
    /// Most cells of a field.
    pub const MOST_CELLS: u64 = 1 << 27;

    /// A field of which nothing is proved. The joints must be as [`FieldJoint`] and the limits above say.
    pub(super) fn without_proof(
        world: &World,
        pair: BodyPair,
        (margin, geometry): (f64, Geometry),
        joints: Vec<FieldJoint>,
    ) -> Field {
        let bricks = joints.iter().map(|joint| (joint.cells >> BRICK) as usize).product();
        let mut axes = [LookupAxis { bricks: 1, ..LookupAxis::default() }; Field::MOST_JOINTS];
        for (axis, joint) in axes.iter_mut().zip(&joints) {
            *axis = LookupAxis::new(joint);
        }
        Field {
            pair,
            fingerprint: world.fingerprint(),
            margin,
            geometry,
            joints,
            axes,
            bricks: vec![FieldState::Open as u32; bricks],
            cells: Vec::new(),
        }
    }

    /// The pair.
    pub fn pair(&self) -> BodyPair {
        self.pair
    }
    /// The [`World::fingerprint`] of the world that it was proved for.
    pub fn fingerprint(&self) -> u64 {
        self.fingerprint
    }
    /// Free means farther apart than this (metres).
    pub fn margin(&self) -> f64 {
        self.margin
    }
    /// What meshes stand for: where it is their hulls, an overlap is one of hulls.
    pub fn geometry(&self) -> Geometry {
        self.geometry
    }
    /// The joints, in the order of their values.
    pub fn joints(&self) -> &[FieldJoint] {
        &self.joints
    }
    /// A field from its parts, as [`Field::bricks`] and [`Field::brick_cells`] give them; `None` where they
    /// do not fit together. Margin (metres) and geometry are those of the proof. It must have been proved for
    /// this world: who keeps it compares fingerprints.
    pub fn from_parts(
        world: &World,
        pair: BodyPair,
        (margin, geometry): (f64, Geometry),
        joints: Vec<FieldJoint>,
        bricks: Vec<u32>,
        cells: Vec<u64>,
    ) -> Option<Field> {
        let known = |body| world.has_body(body);
        let is_joint = |joint: &FieldJoint| {
            let [low, high] = joint.range;
            let width = high - low;
            let counted = joint.cells.is_power_of_two() && joint.cells >= Field::LEAST_CELLS;
            joint.value < world.dof_names().len() && counted && width > 0.0 && width.is_finite()
        };
        let all = joints.iter().try_fold(1_u64, |all, joint| all.checked_mul(u64::from(joint.cells)));
        let fits = known(pair.a)
            && known(pair.b)
            && margin >= 0.0
            && (1..=Field::MOST_JOINTS).contains(&joints.len())
            && joints.iter().all(is_joint)
            && all.is_some_and(|all| all <= Field::MOST_CELLS);
        if !fits {
            return None;
        }
        let mut field = Field::without_proof(world, pair, (margin, geometry), joints);
        let words = field.brick_words();
        let end = FIRST_BRICK as usize + cells.len() / words;
        let is_brick = |brick: &u32| *brick < 3 || (FIRST_BRICK as usize..end).contains(&(*brick as usize));
        let whole = cells.len().is_multiple_of(words) && bricks.len() == field.bricks.len();
        if !whole || !bricks.iter().all(is_brick) {
            return None;
        }
        (field.bricks, field.cells) = (bricks, cells);
        Some(field)
    }

    /// For each brick of eight cells along each joint, the last joint varying slowest: 0 open, 1 free, 2
    /// overlap, or from 4 on the place of its cells.
    pub fn bricks(&self) -> &[u32] {
        &self.bricks
    }
    /// The cells of bricks that are not alike throughout: two bits each, as many words a brick as they need.
    pub fn brick_cells(&self) -> &[u64] {
        &self.cells
    }
    /// Its bytes, without those of the lists of joints.
    pub fn byte_count(&self) -> usize {
        size_of_val(&*self.bricks) + size_of_val(&*self.cells)
    }

    /// What is proved at a configuration of the world (order of [`World::dof_names`]).
    #[inline]
    pub fn state_at(&self, values: &[f64]) -> FieldState {
        let found = match self.joints.len() {
            1 => self.find_cell::<1>(values),
            2 => self.find_cell::<2>(values),
            _ => self.find_cell::<3>(values),
        };
        found.map_or(FieldState::Open, |[brick, within]| self.read_cell(brick, within))
    }

    /// The brick in which the values lie, and the cell in it; `None` outside of the field. The count of
    /// joints is a constant, so that their loop is unrolled and no list of cells goes through memory.
    #[inline]
    fn find_cell<const JOINTS: usize>(&self, values: &[f64]) -> Option<[usize; 2]> {
        let [mut brick, mut within] = [0, 0];
        for axis in self.axes[..JOINTS].iter().rev() {
            let place = (values.get(axis.value)? - axis.low) * axis.scale;
            // False for NaN. The highest value is in the last cell.
            if !(place >= 0.0 && place <= axis.cells) {
                return None;
            }
            let cell = (place as u32).min(axis.last_cell);
            brick = brick * axis.bricks + (cell >> BRICK) as usize;
            within = within << BRICK | (cell & ((1 << BRICK) - 1)) as usize;
        }
        Some([brick, within])
    }

    /// What is proved of a cell, by its number along each joint; zero for joints that the field does not
    /// have.
    #[inline]
    pub fn cell_state(&self, cell: [u32; Field::MOST_JOINTS]) -> FieldState {
        let [x, y, z] = cell;
        let brick = self.brick_index(cell.map(|at| at >> BRICK));
        let low = |at: u32| (at & ((1 << BRICK) - 1)) as usize;
        self.read_cell(brick, (low(z) << BRICK | low(y)) << BRICK | low(x))
    }

    /// What is proved of a cell of a brick.
    #[inline]
    fn read_cell(&self, brick: usize, within: usize) -> FieldState {
        match self.bricks.get(brick) {
            Some(&number @ FIRST_BRICK..) => {
                let bit = within * CELL_BITS as usize;
                let word = (number - FIRST_BRICK) as usize * self.brick_words() + bit / 64;
                let bits = self.cells.get(word).map_or(0, |word| word >> (bit % 64)) & 3;
                FieldState::from_bits(bits as u32)
            }
            alike => FieldState::from_bits(alike.copied().unwrap_or(0)),
        }
    }

    /// How many cells are free, overlap and are open.
    pub fn count_cells(&self) -> [u64; 3] {
        let mut counts = [0; 3];
        let mut count = |state: FieldState, cells: u64| match state {
            FieldState::Free => counts[0] += cells,
            FieldState::Overlap => counts[1] += cells,
            FieldState::Open => counts[2] += cells,
        };
        let cells = 1 << (BRICK * self.joints.len() as u32);
        for &brick in &self.bricks {
            if brick < FIRST_BRICK {
                count(FieldState::from_bits(brick), cells);
                continue;
            }
            let words = self.brick_words();
            for word in &self.cells[(brick - FIRST_BRICK) as usize * words..][..words] {
                for k in 0..64.min(cells as u32 * CELL_BITS) / CELL_BITS {
                    count(FieldState::from_bits((word >> (k * CELL_BITS)) as u32 & 3), 1);
                }
            }
        }
        counts
    }

    /// Says what is proved of the cells from `first` to before `end` along each joint.
    pub(super) fn mark_cells(&mut self, first: &[u32], end: &[u32], state: FieldState) {
        let span = |k: usize| match self.joints.get(k) {
            Some(_) => (first[k], end[k]),
            None => (0, 1),
        };
        let [x, y, z] = [span(0), span(1), span(2)];
        let size = 1 << BRICK;
        for bz in z.0 / size..z.1.div_ceil(size) {
            for by in y.0 / size..y.1.div_ceil(size) {
                for bx in x.0 / size..x.1.div_ceil(size) {
                    let at = [bx, by, bz];
                    let inside = |k: usize, (from, to): (u32, u32)| {
                        [from.max(at[k] * size), to.min((at[k] + 1) * size)]
                    };
                    self.mark_in_brick(at, [inside(0, x), inside(1, y), inside(2, z)], state);
                }
            }
        }
    }

    /// Marks cells of one brick: from the first to before the last number along each joint.
    fn mark_in_brick(&mut self, brick: [u32; 3], ends: [[u32; 2]; 3], state: FieldState) {
        let index = self.brick_index(brick);
        let cells = 1_u32 << (BRICK * self.joints.len() as u32);
        let marked: u32 = ends.iter().map(|[from, to]| to - from).product();
        if marked == cells {
            self.bricks[index] = state as u32;
            return;
        }
        if self.bricks[index] < FIRST_BRICK {
            // A brick of its own, with the state that it had throughout.
            let alike = u64::from(self.bricks[index]) * 0x5555_5555_5555_5555;
            let words = self.brick_words();
            self.bricks[index] = (self.cells.len() / words) as u32 + FIRST_BRICK;
            self.cells.resize(self.cells.len() + words, alike);
        }
        let first = (self.bricks[index] - FIRST_BRICK) as usize * self.brick_words();
        let low = |at: u32| (at & ((1 << BRICK) - 1)) as usize;
        for z in ends[2][0]..ends[2][1] {
            for y in ends[1][0]..ends[1][1] {
                for x in ends[0][0]..ends[0][1] {
                    let within = (low(z) << BRICK | low(y)) << BRICK | low(x);
                    let bit = within * CELL_BITS as usize;
                    let word = &mut self.cells[first + bit / 64];
                    *word = *word & !(3 << (bit % 64)) | (state as u64) << (bit % 64);
                }
            }
        }
    }

    /// The place of a brick by its number along each joint.
    #[inline]
    fn brick_index(&self, [x, y, z]: [u32; Field::MOST_JOINTS]) -> usize {
        (z as usize * self.axes[1].bricks + y as usize) * self.axes[0].bricks + x as usize
    }

    /// Words of a brick's cells.
    #[inline]
    fn brick_words(&self) -> usize {
        ((CELL_BITS << (BRICK * self.joints.len() as u32)) as usize).div_ceil(64)
    }
}
