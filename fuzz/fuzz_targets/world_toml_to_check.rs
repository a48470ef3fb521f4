//! From a world file, a robot and joint values of any bytes to answers: read, compiled, posed and checked.
//!
//! The input is cut at byte 0xFF: the world's TOML, its `a.urdf`, joint values as 16-bit thousandths.
//! Whatever compiles must give intervals, and the questions must not contradict each other.

#![no_main]
mod common;

use elbowroom::pair::Ask;
use elbowroom::pose::SetOptions;
use elbowroom::{Checker, Geometry, Interval, Question, World};
use elbowroom_files::world::load_world_from;
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let mut parts = data.split(|b| *b == 0xff);
    let (toml, urdf) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let values = parts.next().unwrap_or_default();
    let urdf = if urdf.is_empty() { common::URDF } else { urdf };
    let scene: &[u8] =
        b"world: {collision_objects: [{id: o, primitives: [{type: box, dimensions: [1, 1, 1]}]}]}";
    let files = common::files(&[("/w.toml", toml), ("/a.urdf", urdf), ("/s.yaml", scene)]);
    let Ok(loaded) = load_world_from(&files, Path::new("/w.toml"), &Default::default()) else { return };
    let Ok(world) = World::compile(&loaded.value) else { return };
    if world.pairs().len() > 2_000 {
        return;
    }
    let mut checker = Checker::new(&world);
    let number = |i: usize| {
        let pair = values.get(2 * i..2 * i + 2).map_or([0, 0], |b| [b[0], b[1]]);
        f64::from(i16::from_le_bytes(pair)) * 1e-3
    };
    let wanted: Vec<f64> = checker.values().iter().enumerate().map(|(i, v)| v + number(i)).collect();
    for ignore_limits in [false, true] {
        let _ = checker.set_with(&wanted, SetOptions { ignore_limits });
        for geometry in [Geometry::Hull, Geometry::Mesh] {
            let mut tight = Interval::nothing(geometry);
            for ask in [Ask::Test, Ask::LowerBound, Ask::Distance] {
                let question = Question::from_ask(ask).geometry(geometry);
                let one = checker.ask(&question);
                let all = checker.all_pairs(&question, |pair| {
                    assert!(pair.interval.lower <= pair.interval.upper, "{pair:?}");
                });
                let c = one.counts;
                assert_eq!(c.pruned + c.proved + c.unknown + c.skipped, c.pairs);
                for answer in [one, all] {
                    let Interval { lower, upper, .. } = answer.interval;
                    assert!(lower <= upper, "{ask:?} {geometry:?}: {answer:?}");
                    tight = Interval::new(tight.lower.max(lower), tight.upper.min(upper), geometry);
                }
            }
            assert!(tight.lower <= tight.upper, "{geometry:?}: the questions disagree: {tight:?}");
        }
    }
});
