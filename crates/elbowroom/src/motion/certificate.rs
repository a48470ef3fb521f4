//! The certificate of a free motion, and its check.

use super::asker::{Around, Asker, Wanted};
use super::edge_options::EdgeOptions;
use super::motion_bounds::MotionBounds;
use super::route::Route;
use super::route_bounds::RouteBounds;
use super::spline::SplinePiece;
use super::swing::Swing;
use super::way::Way;
use crate::model::id::{BodyId, BodyPair, PairId};
use crate::motion::tolerance::AGAIN_HALVINGS;
use crate::pose::frames::Pose;
use crate::query::asked_world::AskedWorld;
use alloc::collections::BTreeMap;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

/// That one pair is free on one interval of the motion, and that this can be proved from the middle of the
/// interval: there the pair is farther apart than it can come nearer until either end.
///
/// It holds no distance: [`verify`] measures anew, and believes nothing but which intervals to look at.
/// [`MotionChecker::pieces`](crate::motion::MotionChecker::pieces) has all pieces of a motion: its
/// certificate, which [`verify`] checks. There is an example there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece {
    /// The pair. The same body twice stands for that body and every body without pieces of its own that does
    /// not move: a fixed one, or a movable one that rests.
    pub pair: BodyPair,
    /// The interval, in fractions of the motion: 0 is its start, 1 its end.
    pub t: [f64; 2],
}

/// What is wrong with a certificate.
#[derive(Clone, Copy, PartialEq)]
pub enum CertificateFault {
    /// The pieces of a checked pair leave a gap that begins here.
    Gap {
        /// The pair.
        pair: BodyPair,
        /// The fraction of the motion: 0 is its start, 1 its end.
        t: f64,
    },
    /// A piece is not proved when it is computed again.
    NotProved {
        /// The number of the piece.
        piece: usize,
    },
    /// An end of the motion is not a configuration of this world, or a spline is refused.
    BadMotion,
    /// No pair is checked, or a robot has no shape at all: nothing can be proved.
    NothingKnown,
}

impl fmt::Display for CertificateFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CertificateFault::Gap { pair: BodyPair { a, b }, t } => {
                write!(f, "from {t} of the motion on no piece proves bodies {} and {} free", a.0, b.0)
            }
            CertificateFault::NotProved { piece } => {
                write!(f, "piece {piece} is not proved when it is computed again")
            }
            CertificateFault::BadMotion => {
                f.write_str("an end of the motion is no configuration of this world, or its limits are left")
            }
            CertificateFault::NothingKnown => {
                f.write_str("no pair is checked, or a robot has no shape at all: nothing can be proved")
            }
        }
    }
}

impl fmt::Debug for CertificateFault {
    /// The words of [`Display`](fmt::Display), for a `main` that returns this error.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl core::error::Error for CertificateFault {}

/// Proves pieces again.
struct Again<'a> {
    pose: Pose<'a>,
    bounds: MotionBounds<'a>,
    way: Way,
    asker: Asker<'a>,
    margin: f64,
    options: &'a EdgeOptions,
    values: Vec<f64>,
    around: RouteBounds,
    adds: Vec<f64>,
    /// Intervals still to be proved, and how often the piece was halved for each.
    open: Vec<([f64; 2], u32)>,
    /// The interval in whose middle the pose is; NaN at first.
    at: [f64; 2],
    /// What rows of pairs of a chain share there.
    swing: Swing,
}

/// A pair, by its index, that is to be proved free on an interval, and the piece that says so.
struct PieceClaim {
    t: [f64; 2],
    index: usize,
    piece: usize,
}

impl Again<'_> {
    /// Whether a pair is proved free on an interval of the motion, from its middle or after a few halvings. A
    /// piece may need them: a cold query may find another direction, which has less to spare.
    fn is_free(&mut self, route: Route, index: usize, t: [f64; 2]) -> bool {
        let Again { pose, bounds, way, asker, margin, options, values, around, adds, open, at, swing } = self;
        open.clear();
        open.push((t, 0));
        while let Some(([start, end], halvings)) = open.pop() {
            let middle = 0.5 * (start + end);
            if *at != [start, end] {
                route.values_at(way, middle, values);
                route.bound_interval(way, [start, end], around);
                if pose.set_with(values, route.set_options(options.set)).is_err() {
                    return false;
                }
                (*at, *swing) = ([start, end], Swing::default());
            }
            let swings = swing.bound_approach(bounds, pose, asker.pairs[index], &around.change);
            if asker.gap(pose, index) > *margin + swings {
                continue;
            }
            let around = Around { bounds, change: &around.change, straight: Some(around.straight()) };
            let wanted = Wanted { margin: *margin, geometry: options.policy.geometry };
            if asker.clears(pose, index, around, wanted, adds).is_free() {
                continue;
            }
            if halvings == AGAIN_HALVINGS {
                return false;
            }
            open.extend([([middle, end], halvings + 1), ([start, middle], halvings + 1)]);
        }
        true
    }
}

/// Checks a certificate: the pieces of each checked pair must cover the motion, and each piece is proved
/// again, without warm starts. That takes about as long as to prove the motion. Allocates.
///
/// With `&world` this proves the motion in the world as it was compiled: movable bodies are where their
/// descriptions have them, and spare places are empty. Clouds have no points there, so a world with a cloud
/// is never proved free. If something was placed, carried or filled, give the `&checker` that has it so.
///
/// ```
/// use elbowroom::World;
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::motion::{CertificateFault, Edge, MotionChecker, EdgeOptions, verify};
///
/// let world = World::compile(&rod_and_post())?;
/// let (mut checker, options) = (MotionChecker::new(&world), EdgeOptions::default());
/// let ends = [&[-2.0][..], &[1.0][..]];
/// assert_eq!(checker.check_edge(ends, &options)?, Edge::Free);
/// // Each piece says which pair is free on which part of the motion.
/// for piece in checker.pieces() {
///     assert!(piece.t[0] < piece.t[1], "{piece:?}");
/// }
/// verify(&world, ends, checker.pieces(), &options)?;
///
/// // An interval that no piece covers is found.
/// let some = &checker.pieces()[1..];
/// assert!(matches!(verify(&world, ends, some, &options), Err(CertificateFault::Gap { .. })));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// With a post that is placed out of the rod's way:
/// ```
/// use elbowroom::describe::examples::rod_and_post;
/// use elbowroom::math::{Transform, vec3};
/// use elbowroom::motion::{Edge, EdgeOptions, MotionChecker, verify};
/// use elbowroom::{Checker, World};
///
/// let mut description = rod_and_post();
/// description.obstacles[0].movable = true;
/// let world = World::compile(&description)?;
/// let (mut checker, mut edges) = (Checker::new(&world), MotionChecker::new(&world));
/// let post = world.body_by_name("world/post").expect("it is there");
/// checker.place(post, &Transform::from_translation(vec3(-1.0, -1.0, 0.0)))?;
/// edges.copy_state_from(&checker);
///
/// let (way, options) = ([&[0.0][..], &[2.0][..]], EdgeOptions::default());
/// assert_eq!(edges.check_edge(way, &options)?, Edge::Free);
/// verify(&checker, way, edges.pieces(), &options)?;
/// assert!(verify(&world, way, edges.pieces(), &options).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
/// # Errors
/// What is wrong with the certificate.
pub fn verify<'a>(
    asked: impl Into<AskedWorld<'a>>,
    [from, to]: [&[f64]; 2],
    pieces: &[Piece],
    options: &EdgeOptions,
) -> Result<(), CertificateFault> {
    verify_at(asked.into().new_pose(), Route::Straight([from, to]), pieces, options)
}

/// [`verify`] for a piece of a spline with its tolerance, of which
/// [`MotionChecker::check_spline`](crate::motion::MotionChecker::check_spline) found the pieces.
///
/// # Errors
/// What is wrong with the certificate.
pub fn verify_spline<'a>(
    asked: impl Into<AskedWorld<'a>>,
    spline: &SplinePiece,
    pieces: &[Piece],
    options: &EdgeOptions,
) -> Result<(), CertificateFault> {
    verify_at(asked.into().new_pose(), Route::Spline(spline, 1.0), pieces, options)
}

/// [`verify`] for movable bodies that are placed and carried as at this pose.
pub(super) fn verify_at(
    mut pose: Pose,
    route: Route,
    pieces: &[Piece],
    options: &EdgeOptions,
) -> Result<(), CertificateFault> {
    let world = pose.world;
    let good = match route {
        Route::Straight([from, to]) => {
            pose.set_with(to, options.set).is_ok() && pose.set_with(from, options.set).is_ok()
        }
        Route::Spline(spline, _) => spline.accept_in(world, options.set).is_ok(),
    };
    if !good {
        return Err(CertificateFault::BadMotion);
    }
    if pose.checked_pair_count() == 0 || world.blind {
        return Err(CertificateFault::NothingKnown);
    }
    // In a world with crowds there may be millions.
    let now =
        |(number, pair): (u32, BodyPair)| (pose.is_checked(PairId(number)) == Some(true)).then_some(pair);
    let mut pairs: Vec<BodyPair> = (0..).zip(world.checks.pairs.iter()).filter_map(now).collect();
    pairs.retain(|pair| options.pairs.includes_pair(&pose, *pair));
    pairs.sort_unstable();
    let mut asker = Asker::new(&pose, pairs);
    let values = world.kinematics.dof_names.len();
    asker.start_cold();
    let mut again = Again {
        pose,
        margin: options.policy.margin_in(world),
        bounds: MotionBounds::new(world),
        way: Way::new(world),
        asker,
        options,
        values: vec![0.0; values],
        around: RouteBounds::new(values),
        adds: vec![0.0; values],
        open: Vec::new(),
        at: [f64::NAN; 2],
        swing: Swing::default(),
    };
    let mut order: Vec<usize> = (0..pieces.len()).collect();
    order.sort_by(|x, y| {
        let key = |i: usize| (pieces[i].pair, pieces[i].t[0]);
        let ((p, s), (q, t)) = (key(*x), key(*y));
        p.cmp(&q).then(s.total_cmp(&t))
    });
    // By body, the piece that proves all pairs of it that have none of their own.
    let is_whole = |piece: &Piece| piece.pair.a == piece.pair.b && piece.t == [0.0, 1.0];
    let of_bodies = pieces.iter().enumerate().filter(|(_, piece)| is_whole(piece));
    let whole: BTreeMap<BodyId, usize> = of_bodies.map(|(number, piece)| (piece.pair.a, number)).collect();
    let (mut next, mut claims) = (0, Vec::new());
    for index in 0..again.asker.pairs.len() {
        let pair = again.asker.pairs[index];
        while next < order.len() && pieces[order[next]].pair < pair {
            next += 1;
        }
        let mut covered = 0.0;
        // Without pieces of its own, the piece of its moving body stands for it: prove it by itself.
        let own = next < order.len() && pieces[order[next]].pair == pair;
        let whole = [pair.a, pair.b].into_iter().find_map(|body| whole.get(&body));
        if let (false, Some(&piece)) = (own, whole) {
            claims.push(PieceClaim { t: [0.0, 1.0], index, piece });
            covered = 1.0;
        }
        while next < order.len() && pieces[order[next]].pair == pair {
            let piece = &pieces[order[next]];
            let [start, end] = piece.t;
            if start > covered {
                break;
            }
            claims.push(PieceClaim { t: piece.t, index, piece: order[next] });
            covered = f64::max(covered, end);
            next += 1;
        }
        if !(covered >= 1.0) {
            return Err(CertificateFault::Gap { pair, t: covered });
        }
    }
    // Those of one interval together: a pose is set once for all of them, as when they were found.
    claims.sort_by(|x, y| x.t[0].total_cmp(&y.t[0]).then(x.t[1].total_cmp(&y.t[1])));
    for PieceClaim { t, index, piece } in claims {
        again.asker.forget_clouds();
        if !again.is_free(route, index, t) {
            return Err(CertificateFault::NotProved { piece });
        }
    }
    Ok(())
}
