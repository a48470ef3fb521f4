//! Height fields: a height for each cell of a grid, from NPY or from 16-bit grey PNG.
//!
//! Neither format says how large a cell is, and a PNG does not say what its values stand for: the caller
//! does, with a [`Raster`]. [`HeightField::ground_boxes`] makes ground of a field, solid below its heights.
//!
//! ```
//! use elbowroom_files::heights::{Raster, load_heights_from};
//! use elbowroom_files::{Options, source::InMemory};
//!
//! // numpy.array([[0.5, 0.25, numpy.nan]]), as numpy.save writes it.
//! let mut bytes = b"\x93NUMPY\x01\x00\x3e\x00".to_vec();
//! bytes.extend(b"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 3), }  \n");
//! bytes.extend([0.5, 0.25, f64::NAN].iter().flat_map(|height: &f64| height.to_le_bytes()));
//! let mut files = InMemory::default();
//! files.0.insert("ground.npy".into(), bytes);
//!
//! let raster = Raster { cell: 0.1, scale: 1.0, unknown: None };
//! let ground = load_heights_from(&files, "ground.npy".as_ref(), &raster, &Options::default())?;
//! assert_eq!((ground.value.rows, ground.value.columns, ground.value.cell), (1, 3, 0.1));
//! assert_eq!(ground.value.heights[..2], [0.5, 0.25]);
//! // The third height is unknown. A warning says so.
//! assert!(ground.value.heights[2].is_nan() && ground.warnings.len() == 1);
//! # Ok::<(), elbowroom_files::Faults>(())
//! ```

mod field;
mod ground;
mod picture;

pub use field::{HeightField, Raster};
pub use ground::{FirstRow, Ground, Unknown};

use crate::fault::{Faults, Loaded, Log};
use crate::limits;
use crate::npy;
use crate::session::Session;
use crate::source::{Disk, Files, Options};
use elbowroom::fault::Numeral;
use field::GrowingField;
use std::path::Path;

/// Reads a height field from the disk: an array of two dimensions, float32 or float64, or a PNG of 16-bit
/// grey without interlacing.
///
/// Cells whose height is unknown are a warning.
///
/// # Errors
/// All faults of the file and of the raster, or that the file is too large. A field without a known height is
/// refused.
pub fn load_heights(path: &Path, raster: &Raster, options: &Options) -> Result<Loaded<HeightField>, Faults> {
    load_heights_from(&Disk, path, raster, options)
}

/// Reads a height field from any [`Files`].
///
/// # Errors
/// See [`load_heights`].
pub fn load_heights_from(
    files: &dyn Files,
    path: &Path,
    raster: &Raster,
    options: &Options,
) -> Result<Loaded<HeightField>, Faults> {
    Session::load_alone(files, path, options, |bytes, log| parse_heights(path, bytes, raster, "", log))
}

/// The field of a file's bytes. `help` says what to do about unknown heights.
pub(crate) fn parse_heights(
    path: &Path,
    bytes: &[u8],
    raster: &Raster,
    help: &str,
    log: &mut Log,
) -> Option<HeightField> {
    let before = log.fault_count();
    for (name, value) in [("edge of a cell", raster.cell), ("scale", raster.scale.abs())] {
        if !limits::HEIGHT_SCALE.contains(&value) {
            let (least, most) = limits::HEIGHT_SCALE.into_inner();
            let what = format!("the {name} is {} m, not from {least:e} to {most:e}", Numeral(value));
            log.add_fault(path, "", what, "give it in metres");
        }
    }
    let growing = if bytes.starts_with(npy::MAGIC) {
        read_height_array(path, bytes, raster, log)
    } else if bytes.starts_with(picture::MAGIC) {
        picture::read(path, bytes, raster, log)
    } else {
        let what = match bytes {
            [] => "this file is empty",
            bytes if bytes.starts_with(b"version https://git-lfs") => {
                "this is a Git LFS pointer, not the field itself; run `git lfs pull`"
            }
            bytes if bytes.starts_with(b"II*\0") || bytes.starts_with(b"MM\0*") => {
                "this is a TIFF file, which is not supported"
            }
            _ => "is neither NPY nor PNG",
        };
        log.add_fault(path, "", what, "give heights as NPY, or as PNG with 16 bits of grey");
        None
    };
    growing.filter(|_| log.fault_count() == before)?.finish(path, help, log)
}

/// An array of rows by columns.
fn read_height_array<'a>(
    path: &Path,
    bytes: &[u8],
    raster: &'a Raster,
    log: &mut Log,
) -> Option<GrowingField<'a>> {
    let array = npy::read_array(path, bytes, log)?;
    let [rows, columns] = *array.shape else {
        let what = format!("is an array of {} dimensions, not of rows by columns", array.shape.len());
        log.add_fault(path, "", what, "save a two-dimensional array");
        return None;
    };
    if rows == 0 || columns == 0 {
        log.add_fault(path, "", "holds no height", "give a field with heights");
        return None;
    }
    let table = array.as_table((rows, columns), limits::HEIGHT_CELLS, path, log)?;
    let mut growing = GrowingField::new(raster, columns);
    for row in 0..rows {
        for column in 0..columns {
            growing.add(path, table.value_at(row, column), log);
        }
        if growing.is_hopeless() {
            break;
        }
    }
    Some(growing)
}
