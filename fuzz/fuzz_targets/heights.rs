//! Any bytes as a height field, NPY or PNG.

#![no_main]
mod common;

use elbowroom_files::Options;
use elbowroom_files::heights::{Raster, load_heights_from};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|data: &[u8]| {
    let files = common::files(&[("/h", data)]);
    let raster = Raster { cell: 0.5, scale: 1e-3, unknown: Some(0) };
    if let Ok(loaded) = load_heights_from(&files, Path::new("/h"), &raster, &Options::default()) {
        let field = loaded.value;
        assert!(field.rows > 0 && field.heights.len() == field.rows * field.columns);
        assert!(field.heights.iter().all(|height| !height.is_infinite()));
        assert!(field.heights.iter().any(|height| height.is_finite()));
    }
});
