//! Any line as a distance case.

#![no_main]

use libfuzzer_sys::fuzz_target;

fuzz_target!(|line: &str| {
    if let Ok(case) = elbowroom_files::cases::parse_case(line) {
        assert!(case.pose_a.is_finite() && case.pose_b.is_finite());
    }
});
