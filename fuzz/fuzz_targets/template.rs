//! Any bytes as templates: what is read has boxes that hold something, and parts inside of their bodies.

#![no_main]

use elbowroom_monitor::template::{Anchor, INCH, Units, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|data: &[u8]| {
    for anchor in [Anchor::LeastCorner, Anchor::FootCentre] {
        match read(data, &Units { metres: INCH, anchor }) {
            Ok(read) => {
                for body in &read.bodies {
                    for extent in body.parts.iter().map(|part| &part.extent).chain([&body.extent]) {
                        let mut ends = extent.least.iter().zip(&extent.most);
                        assert!(ends.all(|(least, most)| least < most && most.is_finite()));
                    }
                }
            }
            Err(faults) => assert!(!faults.0.is_empty()),
        }
    }
});
