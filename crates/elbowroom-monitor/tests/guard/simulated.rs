//! Arms that move at random, and would collide, under a guard: they rest before they touch, as late and as
//! badly as they react; what the task means is not refused; and what stays clear is not stopped.

use crate::cell::Facts;
use crate::cells::Cells;
use crate::course::{Course, Free, Obeyed, Watched};
use crate::lie::Lie;
use crate::number;
use crate::rng::Rng;
use crate::truth::Truth;
use elbowroom::{Checker, Question, World};
use elbowroom_monitor::guard::ReasonKind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

/// Seeds that are tried before it is asked again how many motions are enough: the same ones are tried however
/// many threads there are.
pub const BLOCK: u64 = 64;
/// How near the hand may come to a part that it is to take in a motion that counts as clear (m).
const FAR: f64 = 0.1;
/// Of so many motions in which nothing comes near, the arms obey in one: what is held against the guard there
/// is held against it in all others.
const IDLE: u64 = 4;

/// What all cores make of the seeds from `from` on, in their order. The first panic ends them.
pub fn of_block<T: Send>(from: u64, work: impl Fn(u64) -> Option<T> + Sync) -> Vec<T> {
    let next = AtomicU64::new(0);
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let some = || {
        let seeds = std::iter::repeat_with(|| next.fetch_add(1, Ordering::Relaxed));
        let seeds = seeds.take_while(|number| *number < BLOCK).map(|number| from + number);
        seeds.filter_map(|seed| Some((seed, work(seed)?))).collect::<Vec<_>>()
    };
    let mut found: Vec<(u64, T)> = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(some)).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    found.sort_by_key(|(seed, _)| *seed);
    found.into_iter().map(|(_, found)| found).collect()
}

/// A configuration in which all is well apart.
pub fn start(world: &World, rng: &mut Rng) -> Option<Vec<f64>> {
    let mut checker = Checker::new(world);
    (0..50).find_map(|_| {
        let values: Vec<f64> =
            (0..6).map(|k| rng.range(-1.0, 1.0) - if k % 3 == 1 { 0.8 } else { 0.0 }).collect();
        checker.set(&values).ok()?;
        (checker.ask(&Question::distance()).interval.lower > 0.05).then_some(values)
    })
}

/// What became of a motion that was drawn at random.
struct Run {
    free: Free,
    /// Of motions that may count as clear, while such are wanted.
    watched: Option<Watched>,
    /// Of all but most of those in which the guard has nothing to do.
    obeyed: Option<Obeyed>,
}

/// Draws a motion, and holds the arms that obey the guard against what they must not do.
fn run(cells: &Cells, seed: u64, wants_clear: bool) -> Option<Run> {
    let mut rng = Rng::new(31_000 + seed);
    let world = &cells.draw(rng.below(7), &mut rng);
    let facts = Facts::draw(&mut rng);
    let from = start(world, &mut rng)?;
    let picks = rng.chance(0.5);
    let course = Course {
        cells,
        world,
        facts,
        from,
        seconds: 2.5,
        picks,
        asked: None,
        lie: Lie::None,
        seed: rng.bits(),
    };
    let (free, lossy) = (course.free(), course.is_lossy());
    let may_be_clear = !lossy && !free.touched && free.least_meant > FAR;
    let watched = (wants_clear && may_be_clear).then(|| course.watched());
    // Where nothing is in the way the guard is seldom needed.
    let needs_none = if wants_clear { watched.is_some_and(|watched| !watched.near) } else { !free.touched };
    let is_clear = watched.is_some_and(|watched| !watched.near);
    let obeyed = (is_clear || !needs_none || seed.is_multiple_of(IDLE)).then(|| course.obeyed());
    if let Some(obeyed) = &obeyed {
        let words = || format!("seed {seed}: {facts:?}\n{free:?}\n{obeyed:?}");
        assert!(!obeyed.touched, "it touched what it must not: {}", words());
        // What is expected to touch does so slowly.
        let late = facts.latency[1] + 2.0 * facts.period;
        let fastest = 0.05 + 0.8 * facts.acceleration * late;
        assert!(obeyed.contact_speed <= fastest, "too fast: {}", words());
        let faults = [
            ReasonKind::Implausible,
            ReasonKind::BeyondModel,
            ReasonKind::Velocity,
            ReasonKind::Acceleration,
            ReasonKind::Unproved,
        ];
        let faulty = obeyed.stops.iter().any(|kind| faults.contains(kind));
        assert!(!faulty || lossy, "{}", words());
    }
    Some(Run { free, watched, obeyed })
}

/// At least `ELBOWROOM_MOTIONS` motions that would collide, twenty unless told, and as many that stay clear,
/// with seeds from `ELBOWROOM_SEED`.
#[test]
fn arms_rest_before_they_touch() {
    let wanted = number("ELBOWROOM_MOTIONS", 20);
    let mut seed = number("ELBOWROOM_SEED", 0);
    let cells = Cells::new();
    let (mut done, mut would, mut obey, mut stopped, mut slowed) = (0, 0, 0, 0, 0);
    let (mut clear, mut needless, mut of_clear) = (0, 0, 0);
    while would < wanted || clear < wanted {
        for Run { free, watched, obeyed } in of_block(seed, |seed| run(&cells, seed, clear < wanted)) {
            done += 1;
            would += u64::from(free.touched);
            let is_clear = watched.is_some_and(|watched| !watched.near);
            if let Some(obeyed) = obeyed {
                // The end of a joint's range stops motions that stay clear, too.
                let is_needless = obeyed.stops.iter().any(|kind| *kind != ReasonKind::Range);
                of_clear += u64::from(is_clear && is_needless);
                obey += 1;
                stopped += u64::from(!obeyed.stops.is_empty());
                slowed += obeyed.slowed;
            }
            if let Some(watched) = watched.filter(|watched| !watched.near) {
                clear += 1;
                needless += u64::from(watched.needless > 0);
            }
        }
        seed += BLOCK;
    }
    println!(
        "{done} motions: {would} would have collided; of {obey} under the guard {stopped} were stopped, in \
         {slowed} slow steps; of {clear} that stayed clear {of_clear} were stopped, and {needless} where the \
         arms did not obey"
    );
    assert!(would * 8 > done && stopped * 8 > would && slowed > done && obey > would);
    // One in fifty; of arms that obey one in two hundred.
    assert!(needless * 50 <= clear.max(50), "{needless} of {clear}");
    assert!(of_clear * 200 <= clear.max(200), "{of_clear} of {clear}");
}

/// The hand goes straight to the part: with an intent it touches, slowly; without one it does not.
fn go_to_part(cells: &Cells, seed: u64) -> Option<()> {
    let mut rng = Rng::new(52_000 + seed);
    let world = &cells.bare;
    // What a contact of 5 cm/s takes: velocities are told, and well.
    let facts = Facts { velocity_error: 1e-3, ..Facts::draw(&mut rng) };
    let facts = Facts { period: facts.period.min(0.01), ..facts };
    // Where the hand is in the part, and nothing else overlaps.
    let mut truth = Truth::new(world, cells, true);
    let end = (0..4000).find_map(|_| {
        let mut q = [0.0, 0.0, 0.0, 1.5, -1.2, 0.3];
        q[..3].iter_mut().for_each(|q| *q = rng.range(-1.5, 1.5));
        let inside = truth.meant_at(&q) < -0.003;
        (inside && !truth.is_near(&q, 0.015)).then_some(q)
    })?;
    // From above.
    let mut from = end.to_vec();
    from[1] -= 0.35;
    if truth.is_near(&from, 0.05) || truth.meant_at(&from) < 0.05 {
        return None;
    }
    let asked = Some([0.0, 0.9 * facts.speed, 0.0, 0.0, 0.0, 0.0]);
    for picks in [true, false] {
        let from = from.clone();
        let course = Course {
            cells,
            world,
            facts,
            from,
            seconds: 8.0,
            picks,
            asked,
            lie: Lie::None,
            seed: rng.bits(),
        };
        let obeyed = course.obeyed();
        // What the controller may add while the state and the command are on their way.
        let late = facts.latency[1] + 2.0 * facts.period;
        let fastest = 0.05 + 0.8 * facts.acceleration * late;
        let words = || format!("seed {seed}, intent {picks}: {facts:?}\n{obeyed:?}");
        assert!(!obeyed.touched, "it touched: {}", words());
        if picks {
            assert!(obeyed.least_meant <= 0.0, "the contact was refused: {}", words());
            assert!(obeyed.contact_speed > 0.0 && obeyed.contact_speed <= fastest, "{}", words());
        }
    }
    Some(())
}

/// One for each twelve of `ELBOWROOM_MOTIONS`.
#[test]
fn expected_contacts_happen_and_others_do_not() {
    let wanted = number("ELBOWROOM_MOTIONS", 20).div_ceil(12) as usize;
    let cells = Cells::new();
    let (mut touched, mut seed) = (0, 0);
    while touched < wanted {
        touched += of_block(seed, |seed| go_to_part(&cells, seed)).len();
        seed += BLOCK;
    }
    println!("{touched} expected contacts");
}
