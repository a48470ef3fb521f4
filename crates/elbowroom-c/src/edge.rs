//! Motions between two poses: proved free at every instant, or in contact.

use crate::border::{CallFault, enter_call};
use crate::checker::{CheckerState, ElbowroomChecker, use_checker};
use crate::pointers::{borrow_array, borrow_if_given, borrow_place};
use crate::status::ElbowroomStatus;
use crate::world::{ELBOWROOM_NONE, body_numbers};
use elbowroom::Geometry;
use elbowroom::motion::{Doubt, Edge, EdgeAsk, EdgeOptions};

/// Settings of a question about a motion. All zero is the default; a null pointer stands for the default too.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ElbowroomEdgeOptions {
    /// Ask only whether it is free. Any contact ends the search, and need not be the first. Most motions that
    /// are not free then cost a tenth.
    pub only_whether_free: bool,
    /// Whether meshes count as their convex hulls.
    pub use_hulls: bool,
    /// Take ends outside of limits.
    pub ignore_limits: bool,
    /// Free means farther apart than this, contact means nearer (metres); null for the world's margin.
    pub margin: *const f64,
    /// A part of the motion within which an undecided pair moves less than this is not halved again (metres);
    /// null for a micrometre.
    pub resolution: *const f64,
    /// How much work is done at most; 0 for the default, which takes a second or some.
    pub work: u64,
}

/// What a motion is.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElbowroomEdgeResult {
    /// Proved free at every instant. Only this allows the motion.
    Free = 0,
    /// A pair is proved nearer than the margin, or in contact.
    Contact = 1,
    /// Neither is proved: stop.
    Unknown = 2,
}

/// Why nothing could be proved of a part of a motion.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElbowroomDoubt {
    /// There is no doubt.
    None = 0,
    /// The pair touches at an end of the part.
    Touching = 1,
    /// The distance of the pair comes too near to the margin to be decided.
    Close = 2,
    /// The allowed work was done.
    Work = 3,
    /// A pose is refused, a cloud was not seen, no pair is checked, or a robot has no shape.
    NothingKnown = 4,
}

/// The answer for a motion. Fractions are numbers from 0, its start, to 1, its end.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElbowroomEdge {
    /// What the motion is.
    pub result: ElbowroomEdgeResult,
    /// Why nothing is proved, where `result` is unknown.
    pub doubt: ElbowroomDoubt,
    /// Two fractions of the motion. Contact: the pair is proved free before the first, and in contact at the
    /// second. Unknown: between them nothing is proved. Free: 1 and 1.
    pub at: [f64; 2],
    /// Before this fraction every pair is proved free.
    pub free_until: f64,
    /// The pair; ELBOWROOM_NONE for none.
    pub body_a: u32,
    /// Its second body.
    pub body_b: u32,
    /// How many parts the proof has.
    pub piece_count: usize,
}

/// Reads options, and the numbers that they point to.
///
/// # Safety
/// The pointer is null or points to options. The pointers in them are null or point to numbers.
unsafe fn read_edge_options(said: *const ElbowroomEdgeOptions) -> Result<EdgeOptions, CallFault> {
    let mut options = EdgeOptions::default();
    // SAFETY: the caller of this function guarantees it, here and below.
    let Some(said) = (unsafe { borrow_if_given(said, "options")? }) else { return Ok(options) };
    // SAFETY: as above.
    let (margin, resolution) =
        unsafe { (borrow_if_given(said.margin, "margin")?, borrow_if_given(said.resolution, "resolution")?) };
    options.policy.margin = margin.copied();
    options.resolution = resolution.copied().unwrap_or(options.resolution);
    options.set.ignore_limits = said.ignore_limits;
    if said.only_whether_free {
        options.ask = EdgeAsk::IsFree;
    }
    if said.use_hulls {
        options.policy.geometry = Geometry::Hull;
    }
    if said.work > 0 {
        options.work = said.work;
    }
    Ok(options)
}

/// Nothing is proved: written before a motion is asked, for the case that the call fails.
const UNPROVED_EDGE: ElbowroomEdge = ElbowroomEdge {
    result: ElbowroomEdgeResult::Unknown,
    doubt: ElbowroomDoubt::NothingKnown,
    at: [0.0, 1.0],
    free_until: 0.0,
    body_a: ELBOWROOM_NONE,
    body_b: ELBOWROOM_NONE,
    piece_count: 0,
};

fn edge_for_c(edge: &Edge, piece_count: usize) -> ElbowroomEdge {
    let none = [ELBOWROOM_NONE; 2];
    let (result, doubt, at, free_until, [body_a, body_b]) = match *edge {
        Edge::Free => (ElbowroomEdgeResult::Free, ElbowroomDoubt::None, [1.0; 2], 1.0, none),
        Edge::Contact { first, pair, free_until, .. } => {
            let bodies = body_numbers(Some(pair));
            (ElbowroomEdgeResult::Contact, ElbowroomDoubt::None, first, free_until, bodies)
        }
        Edge::Unknown { at, pair, why } => {
            let doubt = match why {
                Doubt::Touching => ElbowroomDoubt::Touching,
                Doubt::Close => ElbowroomDoubt::Close,
                Doubt::Work => ElbowroomDoubt::Work,
                Doubt::NothingKnown => ElbowroomDoubt::NothingKnown,
            };
            (ElbowroomEdgeResult::Unknown, doubt, at, at[0], body_numbers(pair))
        }
    };
    ElbowroomEdge { result, doubt, at, free_until, body_a, body_b, piece_count }
}

/// Whether the straight motion of all joint values between two poses is free at every instant, with the cell
/// as this checker has it. Each pose is an array of `count` values. The checker's own pose does not matter,
/// and stays. `options` may be null.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_edge(
    checker: *mut ElbowroomChecker,
    from: *const f64,
    to: *const f64,
    count: usize,
    options: *const ElbowroomEdgeOptions,
    edge: *mut ElbowroomEdge,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the checker was not
        // freed, the arrays have `count` values, `options` is what `read_edge_options` requires, `edge` has
        // room for one value.
        unsafe {
            let place = borrow_place(edge, "edge")?;
            place.write(UNPROVED_EDGE);
            let ends = [borrow_array(from, count, "from")?, borrow_array(to, count, "to")?];
            let options = read_edge_options(options)?;
            use_checker(checker, |state| {
                let CheckerState { checker, edges, .. } = state;
                let (found, pieces) = edges.lend_motion(checker, |motion| {
                    let found = motion.check_edge(ends, &options);
                    (found, motion.pieces().len())
                });
                place.write(edge_for_c(&found?, pieces));
                Ok(())
            })
        }
    })
}

/// Checks the proof of this checker's last motion from the numbers of the proof alone, for the same ends and
/// options. The motion must have been free.
///
/// Thread: one at a time for each checker.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_checker_verify_edge(
    checker: *mut ElbowroomChecker,
    from: *const f64,
    to: *const f64,
    count: usize,
    options: *const ElbowroomEdgeOptions,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, the checker was not
        // freed, the arrays have `count` values, `options` is what `read_edge_options` requires.
        unsafe {
            let ends = [borrow_array(from, count, "from")?, borrow_array(to, count, "to")?];
            let options = read_edge_options(options)?;
            use_checker(checker, |state| {
                let CheckerState { checker, edges, .. } = state;
                let checked = edges.lend_motion(checker, |motion| motion.verify(ends, &options));
                checked.map_err(|fault| CallFault::new(ElbowroomStatus::NotProved, fault))
            })
        }
    })
}
