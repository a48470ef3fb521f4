//! Any bytes as a line of a monitor's input: what is read holds finite numbers and a state or an event.

#![no_main]

use elbowroom_files::motion::event::Change;
use elbowroom_files::states::{Happening, read_line};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    match read_line(data) {
        Ok(line) => {
            assert!(line.state.is_some() || !line.events.is_empty());
            assert!(line.t.is_none_or(f64::is_finite));
            if let Some(state) = &line.state {
                assert!(line.t.is_some());
                let more = [&state.qd, &state.effort, &state.current].map(|list| list.as_ref());
                let lists = [[Some(&state.q)].as_slice(), &more].concat();
                assert!(lists.into_iter().flatten().flatten().all(|v| v.is_finite()));
            }
            for event in &line.events {
                if let Happening::Change { change: Change::Place { pose, .. }, .. } = event {
                    assert!(pose.is_finite());
                }
            }
        }
        Err(faults) => assert!(!faults.0.is_empty()),
    }
});
