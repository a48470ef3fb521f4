//! How far splines swing out beyond both of their samples: a sign that velocities contradict positions.

use crate::limits::SWING_LEAST;
use crate::note::Note;
use crate::out::clean_text;
use crate::units::is_angle;
use elbowroom::World;
use elbowroom::fault::Numeral;
use elbowroom_files::fault::counted_things;
use elbowroom_files::motion::Motion;

/// A note that names the joint value which swings out farthest, if one does by more than [`SWING_LEAST`].
/// Ways that are no splines are refused elsewhere.
pub fn find_swings(world: &World, motion: &Motion) -> Option<Note> {
    let mut ways = 0;
    let mut worst: Option<(f64, usize, usize)> = None;
    for row in (1..motion.rows.len()).filter(|row| !motion.is_straight_to(*row)) {
        let Ok(piece) = motion.spline_to(world, row) else { continue };
        let mut swings = false;
        for value in 0..world.dof_names().len() {
            let Some(peak) = piece.find_swing(value, SWING_LEAST) else { continue };
            if peak.reached <= SWING_LEAST {
                continue;
            }
            swings = true;
            if worst.is_none_or(|(most, ..)| peak.reached > most) {
                worst = Some((peak.reached, row, value));
            }
        }
        ways += usize::from(swings);
    }
    let (most, row, value) = worst?;
    let (name, unit) =
        (clean_text(world.dof_names().get(value)?), if is_angle(world, value) { "rad" } else { "m" });
    let most = Numeral((most * 1e3).round() / 1e3);
    let count =
        if ways == 1 { String::new() } else { format!("; {} swing out", counted_things(ways, "way")) };
    let fact = format!(
        "between samples {} and {row} {name} swings {most} {unit} beyond both (its velocities contradict its \
         positions?){count}",
        row - 1
    );
    Some(Note::new_asked(fact, ""))
}
