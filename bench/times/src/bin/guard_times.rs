//! `cargo run --release -p elbowroom-times --bin guard_times -- [STEPS] [SCRIPT]`: how long a step of the
//! guard takes, on the two arms of robots/rrc_cell while they play a script (`pick` unless told) at 1 kHz,
//! again and again, there and back. Microseconds: median, 99 %, 99.9 %, worst; the worst place of the script
//! if of each place the least time of all rounds counts, without what else the machine did; how many commands
//! of each kind; and the most pairs that a step asked. Allocations are counted: there must be none.

use anyhow::{Context, Result, ensure};
use elbowroom::World;
use elbowroom_monitor::guard::{
    Action, ArmDescription, Event, Guard, GuardDescription, JointDescription, Limit, ObjectDescription, State,
};
use elbowroom_monitor::stopping::{Brake, Profile, Range, Stopping};
use elbowroom_monitor::{Intent, Role, roles::Arm};
use elbowroom_testkit::counting;
use elbowroom_times::script::read_states;
use std::path::Path;
use std::time::Instant;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

fn main() -> Result<()> {
    let mut arguments = std::env::args().skip(1);
    let steps: usize = arguments.next().map_or(Ok(100_000), |n| n.parse())?;
    let script = arguments.next().unwrap_or("pick".into());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../robots/rrc_cell");
    let loaded = elbowroom_files::world::load_world(&folder.join("cell.toml"), &Default::default())?.value;
    let world = World::compile(&loaded)?;
    let mut guard =
        Guard::new(&world, &describe_guard(&world)?).map_err(|faults| anyhow::anyhow!("{faults}"))?;
    let motion = read_states(&folder.join(format!("{script}.jsonl")))?;
    let box_1 = world.body_by_name("world/oru_1").context("oru_1")?;
    let intent = Intent::Pick { object: guard.object_of(box_1), from: None, arm: Some(Arm(0)) };
    guard.event(0.0, &Event::Intent { arm: Some(Arm(0)), intent: Some(intent), until: f64::INFINITY })?;

    let mut times = Vec::with_capacity(steps);
    let (mut kinds, mut most, mut allocated) = ([0; 3], 0, 0);
    let (mut work_of, mut by_action) = ([[0.0; 3]; 3], [const { Vec::new() }; 3]);
    by_action.iter_mut().for_each(|times| times.reserve(steps));
    let mut least = vec![f64::INFINITY; 20 * (motion.len() - 1)];
    for k in 0..steps {
        // There and back, a tenth of a sample at a time.
        let length = 10 * (motion.len() - 1);
        let (round, at) = (k / length, k % length);
        let at = if round % 2 == 0 { at } else { length - at };
        let forward = if round % 2 == 0 { 1.0 } else { -1.0 };
        let (sample, part) = (at / 10, (at % 10) as f64 / 10.0);
        let (one, next) = (&motion[sample], &motion[(sample + 1).min(motion.len() - 1)]);
        let mix = |a: &[f64], b: &[f64], f: f64| -> Vec<f64> {
            a.iter().zip(b).map(|(a, b)| f * (a + (b - a) * part)).collect()
        };
        let (q, v) = (mix(&one.0, &next.0, 1.0), mix(&one.1, &next.1, forward));
        let state = State { velocities: Some(&v), ..State::new(k as f64 * 0.001, &q) };
        let before = counting::allocation_count();
        let start = Instant::now();
        let command = guard.step(&state);
        times.push(start.elapsed().as_nanos() as f64 / 1000.0);
        allocated += counting::allocation_count() - before;
        kinds[command.action as usize] += 1;
        most = most.max(command.work.pairs);
        let work = command.work;
        for (sum, n) in
            work_of[command.action as usize].iter_mut().zip([work.ranges, work.pairs, work.shapes])
        {
            *sum += f64::from(n);
        }
        by_action[command.action as usize].push(times[k]);
        let place = k % least.len();
        least[place] = least[place].min(times[k]);
        if command.action == Action::Stop && kinds[2] == 1 {
            println!("first stop at {:.3} s: {:?}", state.t, command.reasons().next());
            for pair in command.reasons().filter_map(|reason| reason.pair) {
                println!("  {:?}", world.body_names(pair));
            }
        }
        if guard.latched_reason().is_some() {
            guard.event(state.t, &Event::Reset)?;
        }
    }
    ensure!(allocated == 0, "{allocated} allocations");
    for ((name, work), times) in ["permit", "slow", "stop"].iter().zip(work_of).zip(&mut by_action) {
        times.sort_unstable_by(f64::total_cmp);
        let [ranges, pairs, shapes] = work.map(|sum| sum / times.len().max(1) as f64);
        let median = times.get(times.len() / 2).copied().unwrap_or(0.0);
        println!(
            "{name}: {} steps, median {median:.1} us; a step {ranges:.1} questions, {pairs:.1} pairs, \
             {shapes:.1} shape queries",
            times.len()
        );
    }
    times.sort_unstable_by(f64::total_cmp);
    let at = |part: f64| times[((times.len() - 1) as f64 * part) as usize];
    println!(
        "{steps} steps, {} bodies: median {:.1}, 99 % {:.1}, 99.9 % {:.1}, worst {:.1} us; worst place \
         {:.1} us in {} rounds; {} permitted, {} slow, {} stop; at most {most} pairs",
        world.bodies().len(),
        at(0.5),
        at(0.99),
        at(0.999),
        at(1.0),
        least.iter().copied().filter(|time| time.is_finite()).fold(0.0, f64::max),
        steps / least.len(),
        kinds[0],
        kinds[1],
        kinds[2]
    );
    Ok(())
}

/// What the cell's README says, as a guard is told it.
fn describe_guard(world: &World) -> Result<GuardDescription> {
    let profile = Profile::Ramp { acceleration: Range::exactly(1.5), speed: Range::exactly(0.6) };
    let brake = Brake::Deceleration(Range { least: 4.0, most: 8.0 });
    let stopping = Stopping::new(profile, brake, Range { least: 0.002, most: 0.008 });
    let stopping = stopping.map_err(|faults| anyhow::anyhow!("{faults}"))?;
    let joint = JointDescription {
        position: [-3.2, 3.2],
        position_error: 1e-4,
        velocity_error: 1e-2,
        velocity: Limit::stop_beyond(0.6),
        acceleration: Limit::stop_beyond(30.0),
        effort: Limit::NONE,
        current: Limit::NONE,
        stopping,
    };
    let body = |name: &str| world.body_by_name(name).with_context(|| name.to_string());
    let mut d = GuardDescription::new(world, 0.001);
    d.contact_speed = 0.12;
    d.late = 0.005;
    d.clearance = 0.001;
    for (number, robot) in world.robots().iter().enumerate() {
        let hand = ["palm", "finger_1", "finger_2"].map(|link| body(&format!("{}/{link}", robot.name)));
        d.arms.push(ArmDescription {
            robot: elbowroom::world::RobotId(number as u32),
            end_effector: hand.into_iter().collect::<Result<_>>()?,
            joints: vec![joint.clone(); robot.values.len()],
        });
    }
    for name in ["table_top", "stand_1_top", "stand_2_top"] {
        d.objects
            .push(ObjectDescription { parts: vec![(body(&format!("world/{name}"))?, Role::Supporting)] });
    }
    for parts in
        [&["oru_1", "oru_1_handle"][..], &["oru_2", "oru_2_handle"], &["oru_3"], &["mug", "mug_handle"]]
    {
        let parts = parts.iter().map(|name| Ok((body(&format!("world/{name}"))?, Role::Manipulating)));
        d.objects.push(ObjectDescription { parts: parts.collect::<Result<_>>()? });
    }
    Ok(d)
}
