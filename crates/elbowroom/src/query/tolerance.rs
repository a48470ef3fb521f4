//! Every number that decides something in a search.

use crate::bounds::tolerance::POINT_PLANES;
use elbowroom_pair::numeric::tolerance::ROUNDOFF;

/// Most pairs of a moving body and a fixed or movable one that wait to be asked; about twenty are usual.
pub const LEAVES_WAITING: usize = 128;
/// Most pairs of movable bodies that are counted as asked in one search; some tens are asked.
pub const PAIRS_COUNTED: usize = 128;
/// Support planes of a shape that are kept for clouds: as many as a query among points keeps.
pub const CLOUD_PLANES: usize = POINT_PLANES;
/// Slots for warm starts of a crowd: a moving body is near a few fixed shapes at a time.
pub const CROWD_SLOTS: usize = 8;
/// A pair that was the nearest so many times in a row is asked first. With three, random poses of an FR3 take
/// 4 % longer, because it often is not the nearest then; small steps are as fast.
pub const SAME_NEAREST: u32 = 8;
/// Most overlapping pairs that wait until it is known whether their depths are measured more closely. Of more
/// than that, those with the highest lower ends keep rough depths.
pub const ROUGH_PAIRS: usize = 32;
/// Most overlapping pairs of shapes of two bodies that wait until it is known whether their depths are
/// measured more closely. Of more than that, those with the highest lower ends keep rough depths.
pub const ROUGH_SHAPES: usize = 8;
/// Balls of a body's shapes that are kept while they are paired with those of another body. Links have hardly
/// more shapes than that; what is beyond is computed again for each pair.
pub const KEPT_BALLS: usize = 16;
/// Gaps between the balls of two bodies that are kept while their shapes are paired; what is beyond is
/// computed again.
pub const KEPT_GAPS: usize = 64;
/// Kept bounds are used while no body's way is longer than this (metres).
pub const KEPT_WAY: f64 = 64.0;
/// Distances beyond this are kept as this (metres).
pub const KEPT_DISTANCE: f64 = 1024.0;
/// Rounding of a kept bound (metres; and the share of a way). A sum of a distance and two ways is below 2^11
/// m, and three operations round it by 2^-43 m in all, 1.2e-13. A way has less than fifty roundings of a part
/// in 2^53.
pub const KEPT_ROUNDING: f64 = 1e-12;
/// Where more than this share of the pairs had to be bounded anew, nothing is kept for some questions: to
/// follow the bodies takes longer then than it saves.
pub const KEPT_SHARE: f64 = 0.5;
/// For how many questions.
pub const KEPT_PAUSE: u32 = 32;
/// Fewer pairs than this are bounded anew each time: robots of sixty pairs take a tenth longer with kept
/// bounds along steps of 0.01 rad, two arms of seven hundred pairs a fifth less along steps of 0.001 rad.
pub const KEPT_PAIRS: usize = 128;
/// Most pairs whose capsules are bounded at a time where kept bounds are not enough.
pub const KEPT_BATCH: usize = 16;
/// Most pairs whose depths are measured more closely for one ordinary answer: each costs as much as the
/// search itself. One or two are usual. For a tight one all that wait may be.
pub const CLOSER_PAIRS: usize = 8;
/// A depth is rough if its interval is wider than this share of it; those of convex shapes are far narrower.
pub const ROUGH_WIDTH: f64 = 1e-3;
/// Two bodies may touch if they have points that are nearer than this share of how deep they may overlap: far
/// above the rounding of poses, and far below what an open mesh leaves unknown.
pub const CONTACT_SHARE: f64 = 1e-6;
/// How many times as much the lanes of a batch round as f64: 2^29, because f32 has 29 bits less, and twice
/// that, because frames that never change are rounded to f32 once, and sines are within 3.5 units instead of
/// 2.
pub const BATCH_UNIT: f64 = (1_u64 << 30) as f64;
/// Entries of a rotation that never changes count as zero below this: they are rounding of right angles. The
/// error of a slide along such an axis stays within what `SHIFT_PER_TRAVEL` allows in lanes.
pub const BATCH_SNAP: f64 = 1e-9;
/// The error of a rotation by that (Frobenius norm): nine entries, `3 * BATCH_SNAP`, rounded up.
pub const BATCH_SNAP_TURN: f64 = 1e-8;
/// Half extents of boxes are larger by this fraction in lanes, because they are rounded to f32.
pub const BATCH_BOX: f64 = 1e-6;
/// How far the length of an axis that lanes computed may be from 1. Where it may be farther, behind a hundred
/// joints or more, lanes are not used.
pub const BATCH_AXIS: f32 = 1e-3;
/// Squared distances between axes below this (square metres) give no direction in f32.
pub const BATCH_NEAR: f32 = 1e-30;
/// `sin²` between two axes below this is rounding in f32: the axes count as parallel.
pub const BATCH_PARALLEL: f32 = 1e-12;
/// Rounding of a pair's bound in f32 where one body is taken into the other's frame, per metre of what lies
/// between them: how far both bodies reach from their frames, and these from the cell's origin. With u of
/// f32: boxes round 20u in the vector between their middles, 6u along an axis, 20u in how far they reach.
/// Planes round 6u in the vector between the frames, 4u in the length of the direction, 6u in turning it, and
/// 32u in each table. Points round 30u in their images in both bodies, and 64u in each gauge (a point inside
/// is at most two reaches from the middle). That is below 128u, the double of 64u because `BATCH_UNIT` has
/// 2u.
pub const BATCH_ROOM: f64 = 64.0 * ROUNDOFF;
/// Rounding of a box around a body in f32 in the frame of a tree, per metre of what it is made of: how far
/// the body's frame can be from the cell's origin, its capsule and its box in the sums of their coordinates,
/// and the tree's origin. With u of f32: the middle rounds 8u (a product and three sums of a rounded point),
/// the reach 8u likewise, both ends u, the origin 2u, the shift to it 2u. That is below 32u, the double of
/// 16u because `BATCH_UNIT` has 2u.
pub const BATCH_AROUND: f64 = 16.0 * ROUNDOFF;
/// Pairs of moving bodies and fixed shapes that a batch looks for at a time in one pose, the deepest of which
/// is asked first. With 40 a Panda before a thousand boxes takes two fifths more, before a hundred the same.
pub const BATCH_LEAVES: usize = 16;
/// Gains, changes and margins are larger by this fraction in lanes that sum up how much nearer a pair comes:
/// a sum of up to [`BATCH_LINKS`] products in f32 rounds less than `2 * 1024 * 2^-24` of itself, 1.3e-4.
pub const BATCH_APPROACH: f64 = 1e-3;
/// Added to such a sum (metres): products below the normal numbers of f32 may be lost, 1.2e-38 each.
pub const BATCH_APPROACH_LEAST: f64 = 1e-30;
/// Poses that go through lanes together. Then those that stay open among them are asked one by one. With 256,
/// many eights of a pair are not full; 1024 gain 3 % over 512, and keep twice as much.
pub const BATCH_CHUNK: usize = 512;
/// Directions that are tried as normals of planes before points inside both bodies are looked for; the others
/// are tried afterwards. They part most bodies that are apart, and cost most where bodies overlap.
pub const BATCH_LOOKS: usize = 2;
/// Most pairs and most moving frames of a world whose batches use lanes. A chunk keeps 64 bytes of a pair and
/// 24 kB of a frame: 4 MB and 25 MB.
pub const BATCH_PAIRS: usize = 1 << 16;
/// See [`BATCH_PAIRS`].
pub const BATCH_LINKS: usize = 1 << 10;
/// Pairs that stay open and wait to be asked, a pose on average. Of most robots it is less than one; the
/// poses of those that find no place are asked whole.
pub const BATCH_LEFT: usize = 4;
/// Refused poses that a batch names; it counts the others.
pub const BATCH_FAULTS: usize = 32;
