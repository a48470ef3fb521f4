//! Parts that are attached far from what carries them: their pose is likely in another frame than it is taken
//! for.

use crate::lengths::length_text;
use crate::limits::CARRIED_FAR;
use crate::note::Note;
use crate::placed::shapes_in_world;
use elbowroom::describe::{ObstacleDescription, WorldDescription};
use elbowroom::pair::{Ask, Query, Scratch, Warm, posed};
use elbowroom::world::BodyId;
use elbowroom::{Checker, World};

/// A note for each obstacle that is far from all that it may touch where it is attached, at the zero pose.
pub fn far_notes(world: &World, description: &WorldDescription) -> Vec<Note> {
    let checker = Checker::new(world);
    description.obstacles.iter().filter_map(|obstacle| far_note(world, &checker, obstacle)).collect()
}

fn far_note(world: &World, checker: &Checker, obstacle: &ObstacleDescription) -> Option<Note> {
    let held = obstacle.attached_to.as_ref()?;
    let name = format!("world/{}", obstacle.name);
    let (part, carrier) = (world.body_by_name(&name)?, world.body_by_name(&held.body)?);
    let touch: Vec<BodyId> = held.touch.iter().filter_map(|name| world.body_by_name(name)).collect();
    let words = far_words(checker, part, carrier, &touch)?;
    Some(Note::new_standing(words, "Its pose is in the frame of what carries it"))
}

/// That a part is proved to be far from all that it may touch where a checker has it: from what carries it,
/// and what else it may touch there, where these have shapes; else from all links of the robot that carries
/// it.
pub fn far_words(checker: &Checker, part: BodyId, carrier: BodyId, touch: &[BodyId]) -> Option<String> {
    let world = checker.world();
    let has_shapes = |id: &BodyId| !world.bodies()[id.index()].shapes.is_empty();
    let mut near: Vec<BodyId> =
        std::iter::once(carrier).chain(touch.iter().copied()).filter(has_shapes).collect();
    if near.is_empty() {
        let robot = world.bodies()[carrier.index()].robot?;
        near = world.robots()[robot.index()].links.clone().map(BodyId).filter(has_shapes).collect();
    }
    let gap = near.iter().map(|other| gap_lower_bound(checker, [part, *other])).reduce(f64::min)?;
    let [part, carrier] = [part, carrier].map(|id| &world.bodies()[id.index()].name);
    (gap > CARRIED_FAR && gap.is_finite()).then(|| {
        format!(
            "{part} is attached to {carrier} and {} away from all that it may touch there",
            length_text(gap)
        )
    })
}

/// A lower bound on the distance of two bodies (metres).
fn gap_lower_bound(checker: &Checker, pair: [BodyId; 2]) -> f64 {
    let query = Query { ask: Ask::LowerBound, ..Query::default() };
    let (mut warm, mut scratch) = (Warm::default(), Scratch::default());
    let mut least = f64::INFINITY;
    for (a, at) in shapes_in_world(checker, pair[0]) {
        for (b, to) in shapes_in_world(checker, pair[1]) {
            let found = posed::clearance([a, b], [&at, &to], &query, &mut warm, &mut scratch);
            least = least.min(found.map_or(f64::NEG_INFINITY, |found| found.interval.lower));
        }
    }
    least
}
