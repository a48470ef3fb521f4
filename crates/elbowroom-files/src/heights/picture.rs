//! Heights as PNG: 16 bits of grey a cell.

use super::field::{GrowingField, Raster};
use crate::fault::Log;
use crate::limits;
use crate::xml::short_text;
use png::{BitDepth, ColorType, Decoder, Limits};
use std::io::Cursor;
use std::path::Path;

/// How a PNG begins.
pub(super) const MAGIC: &[u8] = b"\x89PNG\r\n\x1a\n";

/// What to do about a file that is not whole.
const AGAIN: &str = "copy or write the file again";

/// The heights; `None` after a fault.
pub(super) fn read<'a>(
    path: &Path,
    bytes: &[u8],
    raster: &'a Raster,
    log: &mut Log,
) -> Option<GrowingField<'a>> {
    let result = unpack_png(path, bytes, raster, log);
    result.map_err(|(what, help)| log.add_fault(path, "", what, help)).ok()
}

fn broken_png(e: png::DecodingError) -> (String, &'static str) {
    (format!("is a broken PNG: {}", short_text(&e.to_string())), AGAIN)
}

/// Unpacks row by row; or what is wrong with the picture, and what to do.
fn unpack_png<'a>(
    path: &Path,
    bytes: &[u8],
    raster: &'a Raster,
    log: &mut Log,
) -> Result<GrowingField<'a>, (String, &'static str)> {
    let most = Limits { bytes: limits::UNPACKED_BYTES };
    let mut decoder = Decoder::new_with_limits(Cursor::new(bytes), most);
    // Text and colour information in the picture is skipped.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    let info = decoder.read_header_info().map_err(broken_png)?;
    let (kind, depth) = (info.color_type, info.bit_depth);
    if (kind, depth) != (ColorType::Grayscale, BitDepth::Sixteen) {
        let what = format!("is a picture of {kind:?} with {} bits, not of grey with 16", depth as u8);
        return Err((what, "save the heights as grey with 16 bits"));
    }
    if info.interlaced {
        return Err(("is an interlaced picture".into(), "save it without interlacing"));
    }
    let [columns, rows] = [info.width, info.height].map(|n| usize::try_from(n).unwrap_or(usize::MAX));
    let cells = rows.saturating_mul(columns);
    if cells > limits::HEIGHT_CELLS {
        let what = format!("claims {rows} by {columns} heights; at most {} are read", limits::HEIGHT_CELLS);
        return Err((what, "use larger cells, or split the field"));
    }
    if 2 * cells > bytes.len().saturating_mul(limits::PNG_GROWTH) {
        let what = format!("claims {rows} by {columns} heights, more than {} bytes can hold", bytes.len());
        return Err((what, AGAIN));
    }
    let mut reader = decoder.read_info().map_err(broken_png)?;
    let mut growing = GrowingField::new(raster, columns);
    for _ in 0..rows {
        let row = reader.next_row().map_err(broken_png)?;
        let Some(row) = row.filter(|row| row.data().len() == 2 * columns) else {
            return Err(("ends before its last row".into(), AGAIN));
        };
        for pixel in row.data().chunks_exact(2) {
            let value = u16::from_be_bytes([pixel[0], pixel[1]]);
            let known = raster.unknown != Some(value);
            growing.add(path, if known { f64::from(value) } else { f64::NAN }, log);
        }
    }
    reader.finish().map_err(broken_png)?;
    Ok(growing)
}
