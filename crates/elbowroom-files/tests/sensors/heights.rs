//! Height fields as NPY and PNG: what is read, and what is refused.

use crate::rng::Rng;
use crate::support::refused;
use crate::write::{npy, png};
use elbowroom::describe::{PlacedShape, ShapeDescription};
use elbowroom_files::heights::{FirstRow, Ground, HeightField, Raster, Unknown, load_heights_from};
use elbowroom_files::source::InMemory;
use elbowroom_files::{Faults, Loaded, Options};
use std::path::{Path, PathBuf};

const METRES: Raster = Raster { cell: 0.5, scale: 1.0, unknown: None };

fn load(bytes: &[u8], raster: Raster) -> Result<Loaded<HeightField>, Faults> {
    let files = InMemory([(PathBuf::from("a"), bytes.to_vec())].into());
    load_heights_from(&files, Path::new("a"), &raster, &Options::default())
}

/// The bits of heights: NaN is NaN.
fn bits(heights: &[f64]) -> Vec<Option<u64>> {
    heights.iter().map(|h| (!h.is_nan()).then_some(h.to_bits())).collect()
}

#[test]
fn what_is_written_is_read() {
    let mut rng = Rng::new(31);
    for (rows, columns) in [(1, 1), (1, 7), (5, 1), (3, 4), (40, 70)] {
        let scale = -0.25;
        let of = |value: f64| if rng.chance(0.1) { f64::NAN } else { value };
        let mut values: Vec<f64> = (0..rows * columns).map(f64::from).map(of).collect();
        // One is known.
        values[0] = 65535.0;
        let table: Vec<Vec<f64>> = values.chunks(columns as usize).map(<[f64]>::to_vec).collect();
        let unknown = values.iter().filter(|v| v.is_nan()).count();
        let mut all = Vec::new();
        for kind in ["<f8", ">f8", "<f4", ">f4"] {
            all.extend([false, true].map(|order| (npy(&table, kind, order), None)));
        }
        let pixels: Vec<u16> = values.iter().map(|v| if v.is_nan() { 4000 } else { *v as u16 }).collect();
        all.push((png(columns as u32, rows as u32, &pixels), Some(4000)));
        for (bytes, none) in all {
            let loaded = load(&bytes, Raster { cell: 0.1, scale, unknown: none }).unwrap();
            let field = loaded.value;
            assert_eq!((field.rows, field.columns, field.cell), (rows as usize, columns as usize, 0.1));
            let expected: Vec<f64> = values.iter().map(|v| v * scale).collect();
            assert_eq!(bits(&field.heights), bits(&expected));
            assert_eq!(loaded.warnings.len(), usize::from(unknown > 0));
        }
        // Without a value for what is unknown, all of a picture is known.
        let bytes = png(columns as u32, rows as u32, &pixels);
        assert!(load(&bytes, METRES).unwrap().value.heights.iter().all(|h| !h.is_nan()));
    }
    let warned = load(&npy(&[vec![1.0, f64::NAN]], "<f4", false), METRES).unwrap().warnings;
    assert_eq!(warned[0].to_string(), "a: 1 of 2 heights is unknown");
}

#[test]
fn faulty_fields_are_refused() {
    let sound = npy(&[vec![1.0, 2.0]], "<f8", false);
    for (cell, scale, words) in [
        (0.0, 1.0, "the edge of a cell is 0 m"),
        (-1.0, 1.0, "the edge of a cell is -1 m"),
        (f64::NAN, 1.0, "the edge of a cell is"),
        (1.0, 0.0, "the scale is 0 m"),
        (1.0, f64::INFINITY, "the scale is"),
        (1.0, 1e-300, "the scale is 1e-300 m, not from 1e-9 to 1e9; give it in metres"),
    ] {
        refused(words, load(&sound, Raster { cell, scale, unknown: None }), &[words]);
    }
    let nothing = Raster { cell: 0.0, scale: 0.0, unknown: None };
    assert_eq!(load(b"GIF", nothing).unwrap_err().0.len(), 3, "all at once");
    for (bytes, words) in [
        (
            npy(&[vec![1.0, f64::INFINITY], vec![f64::NEG_INFINITY, 0.0]], "<f4", false),
            "row 1, column 0 (from 0): -inf is not a height; correct it",
        ),
        (npy(&[vec![f64::NAN; 3]], "<f8", true), "none of its 3 heights is known"),
        (npy(&[], "<f8", true), "holds no height"),
        (vec![], "this file is empty"),
        (b"II*\0".to_vec(), "TIFF"),
        (b"hello".to_vec(), "is neither NPY nor PNG; give heights as NPY"),
    ] {
        refused(words, load(&bytes, METRES), &[words]);
    }
    let many = load(&npy(&vec![vec![f64::INFINITY; 1000]; 10], "<f8", true), METRES).unwrap_err();
    assert_eq!(many.0.len(), 20);
    let huge = npy(&[vec![1e305]], "<f8", false);
    refused(
        "overflow",
        load(&huge, Raster { cell: 1.0, scale: 1e9, unknown: None }),
        &["1e305 is not a height"],
    );
    for (from, to, words) in [
        ("(1, 2)", "(2, 2)", "is cut off: 16 bytes of values where 32 should be"),
        ("(1, 2)", "(2,)  ", "is an array of 1 dimensions, not of rows by columns"),
        ("(1, 2), ", "(99999, 9999999)", "claims too many values"),
    ] {
        let at = sound.windows(from.len()).position(|w| w == from.as_bytes()).unwrap();
        let header = [&sound[..at], to.as_bytes(), &sound[at + from.len()..]].concat();
        let longer = (to.len() - from.len()) as u8;
        let header: Vec<u8> =
            header.iter().enumerate().map(|(k, b)| if k == 8 { b + longer } else { *b }).collect();
        refused(words, load(&header, METRES), &[words]);
    }
}

/// A PNG of any kind, by what its header says.
fn header(columns: u32, rows: u32, depth: u8, kind: u8, interlaced: u8) -> Vec<u8> {
    let mut out = b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR".to_vec();
    out.extend([columns, rows].iter().flat_map(|n| n.to_be_bytes()));
    out.extend([depth, kind, 0, 0, interlaced]);
    // CRC-32, bit by bit.
    let crc = out[12..].iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| if c & 1 == 1 { c >> 1 ^ 0xedb8_8320 } else { c >> 1 })
    });
    out.extend((!crc).to_be_bytes());
    out
}

#[test]
fn pictures_of_other_kinds_are_refused() {
    for (bytes, words) in [
        (header(2, 2, 8, 0, 0), "is a picture of Grayscale with 8 bits, not of grey with 16"),
        (header(2, 2, 16, 2, 0), "is a picture of Rgb with 16 bits"),
        (header(2, 2, 16, 4, 0), "is a picture of GrayscaleAlpha with 16 bits"),
        (header(2, 2, 16, 0, 1), "is an interlaced picture; save it without interlacing"),
        (header(0, 2, 16, 0, 0), "is a broken PNG"),
        (header(2, 2, 16, 0, 0), "is a broken PNG"),
        (header(8192, 8192, 16, 0, 0), "claims 8192 by 8192 heights, more than 33 bytes can hold"),
        (header(1 << 30, 1 << 30, 16, 0, 0), "claims 1073741824 by 1073741824 heights; at most"),
        (header(1 << 26, 1, 16, 0, 0), "more than 33 bytes can hold"),
    ] {
        refused(words, load(&bytes, METRES), &[words]);
    }
}

/// A file that is cut anywhere, or has a wrong byte, is refused or read; it never does harm.
#[test]
fn cut_and_mangled_fields_do_no_harm() {
    let mut rng = Rng::new(32);
    let values: Vec<u16> = (0..20 * 30).map(|k| if k % 3 == 0 { 7 } else { rng.bits() as u16 }).collect();
    let table: Vec<Vec<f64>> = (0..5).map(|k| vec![f64::from(k); 4]).collect();
    let (mut read, mut refused) = (0, 0);
    for bytes in [png(30, 20, &values), npy(&table, "<f4", false)] {
        for end in 0..bytes.len() {
            assert!(load(&bytes[..end], METRES).is_err(), "cut to {end} of {} bytes", bytes.len());
        }
        for _ in 0..5000 {
            let (mut bytes, at) = (bytes.clone(), rng.below(bytes.len()));
            bytes[at] ^= 1 << rng.below(8);
            match load(&bytes, METRES) {
                Ok(loaded) => {
                    read += 1;
                    let field = loaded.value;
                    assert_eq!(field.heights.len(), field.rows * field.columns);
                    assert!(field.heights.iter().all(|h| !h.is_infinite()));
                }
                Err(faults) => {
                    refused += 1;
                    assert!(faults.0.len() <= 21 && faults.0.iter().all(|f| !f.help.is_empty()));
                }
            }
        }
    }
    assert!(read > 1000 && refused > 1000, "{read} read, {refused} refused");
}

/// Whether a point is inside a box that is parallel to the axes.
fn holds(shape: &PlacedShape, at: [f64; 3]) -> bool {
    let ShapeDescription::Box { size } = shape.shape else { panic!() };
    let centre = shape.shape_in_body.translation.to_array();
    (0..3).all(|k| (at[k] - centre[k]).abs() < 0.5 * size[k])
}

/// Ground is solid up to the height of each cell, and nowhere else; boxes do not overlap.
#[test]
fn ground_is_solid_below_its_heights() {
    let mut rng = Rng::new(33);
    let (mut inside, mut outside, mut merged, mut hidden) = (0, 0, 0, 0);
    for round in 0..60 {
        let (rows, columns) = (1 + rng.below(7), 1 + rng.below(7));
        // Few levels, so that neighbours are often alike.
        let level =
            |rng: &mut Rng| if rng.chance(0.15) { f64::NAN } else { 0.25 * rng.below(3) as f64 - 0.25 };
        let mut heights: Vec<f64> = (0..rows * columns).map(|_| level(&mut rng)).collect();
        heights[0] = 0.0;
        let field = HeightField { rows, columns, cell: 0.5, heights };
        let ground = Ground {
            bottom: [None, Some(-2.0)][round % 2],
            unknown: [Unknown::Occupied, Unknown::Free][round / 2 % 2],
            first_row: [FirstRow::Top, FirstRow::Bottom][round / 4 % 2],
        };
        let boxes = field.ground_boxes(&ground, 1000).unwrap();
        merged += rows * columns - boxes.len();
        let known: Vec<f64> = field.heights.iter().copied().filter(|h| !h.is_nan()).collect();
        let [lowest, highest] = [
            known.iter().copied().fold(f64::INFINITY, f64::min),
            known.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        ];
        let bottom = ground.bottom.unwrap_or(lowest - 0.5);
        for row in 0..rows {
            for column in 0..columns {
                let height = field.heights[row * columns + column];
                let top = match (height.is_nan(), ground.unknown) {
                    (false, _) => height,
                    (true, Unknown::Occupied) => highest,
                    (true, Unknown::Free) => f64::NEG_INFINITY,
                };
                hidden += usize::from(height.is_nan());
                let from_below =
                    if ground.first_row == FirstRow::Top { rows - 1 - row } else { row } as f64 + rng.unit();
                let at = |z: f64, rng: &mut Rng| {
                    [0.5 * (column as f64 + rng.unit().clamp(0.01, 0.99)), 0.5 * from_below, z]
                };
                for z in [bottom - 0.1, bottom + 0.1, top - 0.1, top + 0.1] {
                    let (at, wanted) = (at(z, &mut rng), bottom < z && z < top);
                    let found = boxes.iter().filter(|shape| holds(shape, at)).count();
                    assert_eq!(found, usize::from(wanted), "row {row}, column {column}, {z}: {ground:?}");
                    if wanted { inside += 1 } else { outside += 1 }
                }
            }
        }
    }
    assert!(
        inside > 500 && outside > 500 && merged > 100 && hidden > 50,
        "{inside} {outside} {merged} {hidden}"
    );
    let flat = HeightField { rows: 300, columns: 200, cell: 0.1, heights: vec![1.0; 60_000] };
    assert_eq!(flat.ground_boxes(&Ground::default(), 1).unwrap().len(), 1);
    let rough = HeightField { heights: (0..60_000).map(f64::from).collect(), ..flat.clone() };
    for (field, bottom, words) in [
        (&rough, None, "takes more than 59999 boxes"),
        (&flat, Some(1.0), "the bottom is at 1 m, not below the lowest height, 1 m"),
        (&flat, Some(-2e9), "reaches farther than 1e9 m"),
    ] {
        let said = field.ground_boxes(&Ground { bottom, ..Ground::default() }, 59_999).unwrap_err();
        assert!(said.contains(words), "{said}");
    }
}
