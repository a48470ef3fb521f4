//! What the programs must print, asked of the library in Rust: the same questions in the same order, since
//! warm starts decide last digits.

use crate::tools::cell;
use elbowroom::describe::{PlacedShape, ShapeDescription};
use elbowroom::math::{Random, Transform};
use elbowroom::motion::{Edge, EdgeOptions, MotionChecker};
use elbowroom::pair::{Shape, distance};
use elbowroom::pose::SpareShape;
use elbowroom::world::BodyId;
use elbowroom::{Answer, Batch, Checker, PairAnswer, Question, Verdict, World};
use elbowroom_files::Options;
use elbowroom_files::guard::load_guard;
use elbowroom_monitor::{Action, Guard, State};

fn load_cell(padding: f64) -> World {
    let mut loaded = elbowroom_files::load(cell()).expect("the cell").value;
    loaded.padding = padding;
    World::compile(&loaded).expect("it compiles")
}

fn body(world: &World, name: &str) -> BodyId {
    world.body_by_name(name).unwrap_or_else(|| panic!("no {name}"))
}

fn answer_line(what: &str, answer: &Answer) -> String {
    format!("{what} {} {:?} {:?}", answer.verdict, answer.interval.lower, answer.interval.upper)
}

/// What `nearest.c` prints of the cell.
pub fn expect_nearest() -> Vec<String> {
    expect_nearest_in(&load_cell(0.0))
}

/// What `nearest.c` prints of a world.
pub fn expect_nearest_in(world: &World) -> Vec<String> {
    let (mut checker, mut values) = (Checker::new(world), world.neutral_values());
    values[0] = 1.0;
    checker.set(&values).expect("within limits");
    let answer = checker.distance();
    let ([a, b], points) = (answer.names(world).expect("a pair"), answer.witness.expect("points"));
    let numbers = |point: [f64; 3]| format!("{:?} {:?} {:?}", point[0], point[1], point[2]);
    vec![
        format!("{}: {:?} to {:?} m", answer.verdict, answer.interval.lower, answer.interval.upper),
        format!("between {a} and {b}"),
        format!("from {} to {}", numbers(points.a.to_array()), numbers(points.b.to_array())),
    ]
}

/// What `plan.c` has besides its checker.
struct Planner<'w> {
    world: &'w World,
    checker: Checker<'w>,
    motion: MotionChecker<'w>,
    lines: Vec<String>,
}

impl Planner<'_> {
    fn tell(&mut self, what: &str, question: &Question) {
        let answer = self.checker.ask(question);
        self.lines.push(answer_line(what, &answer));
    }

    fn tell_edge(&mut self, ends: [&[f64]; 2]) {
        let options = EdgeOptions::default();
        let line = match self.motion.check_edge(ends, &options).expect("two poses") {
            Edge::Free => format!("edge free in {} pieces", self.motion.pieces().len()),
            Edge::Contact { first: [before, at], pair, .. } => {
                let [a, b] = self.world.body_names(pair).expect("names");
                format!("edge contact {before:?} {at:?} {a} {b}")
            }
            Edge::Unknown { at, .. } => format!("edge unknown from {:?}: stop", at[0]),
        };
        self.lines.push(line);
    }

    fn note_change(&mut self) {
        assert!(self.motion.copy_state_from(&self.checker));
    }
}

fn batch_line(world: &World) -> String {
    let mut random = Random(7);
    let rows: Vec<f64> =
        (0..2000).flat_map(|_| world.draw_configuration(|| random.unit()).expect("a pose")).collect();
    let (mut batch, mut verdicts) = (Batch::new(world), vec![Verdict::Unknown; 2000]);
    batch.test(&rows, &Question::test(), &mut verdicts).expect("poses");
    let mut answers = vec![Answer::default(); 2000];
    Batch::new(world).ask(&rows, &Question::distance(), &mut answers).expect("poses");
    let count = |wanted| verdicts.iter().filter(|verdict| **verdict == wanted).count();
    let least = answers.iter().map(|answer| answer.interval.lower).fold(f64::INFINITY, f64::min);
    let [clear, near, collision] = [Verdict::Clear, Verdict::Near, Verdict::Collision].map(count);
    assert!(clear > 100 && near > 2 && collision > 100, "{clear} {near} {collision}");
    format!("batch {clear} clear {near} near {collision} collision, least {least:?}")
}

pub fn expect_plan() -> Vec<String> {
    let world = load_cell(0.0);
    let mut lines: Vec<String> = Vec::new();
    for (name, range) in world.dof_names().iter().zip(world.value_ranges()) {
        lines.push(format!("joint {name} {:?} {:?}", range.lower, range.upper));
    }
    lines.push(batch_line(&world));
    let (checker, motion) = (Checker::new(&world), MotionChecker::new(&world));
    let mut p = Planner { world: &world, checker, motion, lines };
    let (upright, wall, away, pose) = ([0.0, 0.0], [1.3, 0.4], [-1.3, -0.4], [0.8, 0.3]);
    p.tell_edge([&upright, &wall]);
    p.tell_edge([&upright, &away]);
    p.checker.set(&pose).expect("within limits");
    p.tell("test", &Question::test());
    p.tell("bound", &Question::lower_bound());
    let answer = p.checker.distance();
    p.lines.push(answer_line("nearest", &answer));
    let gradient = answer.gradient(&mut p.checker).expect("points");
    p.lines.push(format!("gradient {:?} {:?}", gradient[0], gradient[1]));
    let mut nearest: Vec<PairAnswer> = Vec::new();
    p.checker.nearest_k(4, &Question::distance().margin(0.3), &mut nearest);
    for pair in nearest {
        p.lines.push(format!("pair {} {:?} {:?}", pair.verdict, pair.interval.lower, pair.interval.upper));
    }
    let [place, forearm, part] = ["world/found", "arm/forearm", "world/part"].map(|name| body(&world, name));
    let at = p.checker.body_in_world(forearm).expect("a body");
    let sphere = ShapeDescription::Sphere { radius: 0.06 };
    let placed = PlacedShape {
        name: String::new(),
        shape_in_body: Transform::IDENTITY,
        shape: sphere.clone(),
        padding: 0.0,
    };
    p.checker.insert_obstacle(place, &SpareShape::new(&placed).expect("a ball")).expect("room");
    p.checker.place(place, &at).expect("a pose");
    p.note_change();
    p.tell("inserted", &Question::distance());
    p.tell_edge([&upright, &pose]);
    p.checker.remove_obstacle(place).expect("filled");
    let in_forearm = Transform::from_xyz_rpy([0.0, 0.0, 0.3], [0.0; 3]);
    p.checker.attach_at(part, forearm, &in_forearm, &[forearm]).expect("free");
    p.note_change();
    p.tell("carried", &Question::distance());
    p.tell_edge([&upright, &wall]);
    let [ball, cube] = [
        Shape::new(&sphere, 0.0).expect("a ball"),
        Shape::new(&ShapeDescription::Box { size: [0.2; 3] }, 0.01).expect("a box"),
    ];
    let apart = distance(&ball, &at, &cube, &Transform::IDENTITY).expect("poses").interval;
    p.lines.push(format!("shapes {:?} {:?}", apart.lower, apart.upper));
    let refused = p.checker.set(&[9.0, 0.0]).expect_err("beyond limits");
    p.lines.push(format!("refused pose_refused: {refused}"));
    // The examples are worth something only if they show all that can happen.
    for word in ["edge free", "edge contact", "inserted collision", "carried collision"] {
        assert!(p.lines.iter().any(|line| line.starts_with(word)), "{word}: {:#?}", p.lines);
    }
    p.lines
}

pub fn expect_guard() -> Vec<String> {
    let world = load_cell(0.0);
    let settings = load_guard(&cell(), &world, &Options::default()).expect("the settings").value;
    let mut guard = Guard::new(&world, &settings).expect("a guard");
    let (mut before, mut lines) = (Action::Permit, Vec::new());
    for step in 0..250 {
        let t = f64::from(step) * 0.01;
        let (positions, velocities) = ([0.5 * t, 0.2], [0.5, 0.0]);
        let command = guard.step(&State { velocities: Some(&velocities), ..State::new(t, &positions) });
        if command.action != before || step == 0 {
            let why = command.reasons().next().map_or("-", |reason| reason.kind.word());
            let lower = command.distance.map_or(f64::NEG_INFINITY, |[lower, _]| lower);
            let (action, speed) = (command.action as u8, command.speed);
            lines.push(format!("step {step} action {action} speed {speed:?} lower {lower:?} {why}"));
        }
        before = command.action;
    }
    assert!(before == Action::Stop && lines.len() > 1, "{lines:#?}");
    let command = guard.step_without(250.0 * 0.01 + 0.1, None);
    let last = command.reasons().last().expect("a reason").kind.word();
    let category = command.category.expect("a stop") as u8;
    lines.push(format!("silence action {} category {category} {last}", command.action as u8));
    lines
}

/// What the plugin asks of a state: all pairs, the nearest first, of the robot with the cell or with itself.
fn contact_lines(what: &str, checker: &mut Checker, of_cell: bool) -> Vec<String> {
    let world = checker.world();
    let mut pairs: Vec<PairAnswer> = Vec::new();
    checker.nearest_k(world.pairs().len(), &Question::distance().margin(0.0), &mut pairs);
    let (mut is_collision, mut least, mut contacts) = (false, f64::INFINITY, Vec::new());
    for pair in pairs {
        let [a, b] = pair.names(world).expect("names");
        if [a, b].iter().any(|name| name.starts_with("world/")) != of_cell {
            continue;
        }
        let lower = pair.interval.lower;
        is_collision |= pair.verdict >= Verdict::Collision;
        least = least.min(lower);
        if lower <= 0.0 {
            contacts.push(format!("contact {a} {b} {:?}", -lower));
        }
    }
    let word = if is_collision { "collision" } else { "free" };
    let mut lines = vec![format!("{what} {word} {least:?} {}", contacts.len())];
    lines.append(&mut contacts);
    lines
}

pub fn expect_plugin() -> Vec<String> {
    let world = load_cell(0.0);
    let mut checker = Checker::new(&world);
    checker.set(&[1.3, 0.4]).expect("within limits");
    let is_hit = checker.test().verdict == Verdict::Collision;
    assert!(is_hit, "the arm is in the wall");
    let mut lines = vec!["quick collision 0 0".to_string()];
    lines.extend(contact_lines("self", &mut checker, false));
    lines.extend(contact_lines("cell", &mut checker, true));
    lines.push("motion collision 0 0".into());
    let [tip, upper, wall] = ["arm/forearm", "arm/upper_arm", "world/wall"].map(|name| body(&world, name));
    for link in [tip, upper] {
        checker.allow_contact(link, wall).expect("it is checked");
    }
    lines.extend(contact_lines("allowed", &mut checker, true));
    lines.push("allowed-motion free 0 0".into());
    checker.check_again(tip, wall).expect("it was allowed");
    lines.extend(contact_lines("again", &mut checker, true));
    let padded = load_cell(0.02);
    let mut checker = Checker::new(&padded);
    checker.set(&[1.3, 0.4]).expect("within limits");
    lines.extend(contact_lines("padded", &mut checker, true));
    lines
}
