//! STL, binary and text, as found in the wild.
//!
//! Binary files may begin with "solid" and may have a few stray bytes behind the last triangle; where the
//! count in the header disagrees with the file's length by a triangle or more, nobody knows which of them is
//! right, and the file is refused. Text files come in any case, with several solids and with any line ends.

use super::builder::{Builder, too_many_triangles};
use crate::fault::Log;
use crate::limits;
use crate::lines::numbered_lines;
use crate::text::DECIMAL_POINT;
use crate::xml::{parse_number, short_text};
use std::path::Path;

const HEADER: u64 = 84;
const FACET: u64 = 50;

fn claimed_count(bytes: &[u8]) -> Option<u64> {
    let count = bytes.get(80..84)?;
    Some(u64::from(u32::from_le_bytes([count[0], count[1], count[2], count[3]])))
}

/// True if the count in a binary header and the length of the file agree.
pub(super) fn length_fits(bytes: &[u8]) -> bool {
    claimed_count(bytes).is_some_and(|n| HEADER + FACET * n == bytes.len() as u64)
}

pub(super) fn read_binary_stl(path: &Path, bytes: &[u8], log: &mut Log) -> Builder {
    let mut builder = Builder::default();
    let Some(count) = claimed_count(bytes) else {
        let what =
            format!("is {} bytes long, shorter than the 84 bytes a binary STL begins with", bytes.len());
        log.add_fault(path, "", what, "copy or export the file again");
        return builder;
    };
    let held = (bytes.len() as u64 - HEADER) / FACET;
    if count > held {
        let what = format!(
            "its header claims {count} triangles but the file holds {held}: it is cut off or its count is \
             wrong"
        );
        log.add_fault(path, "byte 80", what, "copy or export the file again");
        return builder;
    }
    let trailing = bytes.len() as u64 - HEADER - FACET * count;
    if trailing >= FACET {
        let what = format!(
            "its header claims {count} triangles, but {trailing} bytes lie behind them, room for {} more: \
             triangles would be lost",
            trailing / FACET
        );
        log.add_fault(
            path,
            "byte 80",
            what,
            "export the file again, or correct its count, or cut off what is no triangle",
        );
        return builder;
    }
    if trailing > 0 {
        let what = format!("{trailing} bytes behind the last of {count} triangles are ignored");
        log.add_warning(path, "", what, "export the file again if triangles are missing");
    }
    if count > limits::MESH_TRIANGLES as u64 {
        log.add_fault(path, "byte 80", too_many_triangles(), "use a coarser mesh for collision");
        return builder;
    }
    let before = log.fault_count();
    for (k, facet) in bytes[HEADER as usize..].chunks_exact(FACET as usize).take(count as usize).enumerate() {
        if log.fault_count() - before >= limits::MESH_FAULTS {
            return builder;
        }
        let mut corners = [0; 3];
        for (corner, slot) in corners.iter_mut().enumerate() {
            let at = |axis: usize| {
                let i = 12 + corner * 12 + axis * 4;
                f64::from(f32::from_le_bytes([facet[i], facet[i + 1], facet[i + 2], facet[i + 3]]))
            };
            let p = [at(0), at(1), at(2)];
            if !p.iter().all(|v| v.is_finite()) {
                let what = format!("vertex {} is {p:?}, not a finite point", corner + 1);
                log.add_fault(path, format!("facet {}", k + 1), what, "export the mesh again");
                continue;
            }
            *slot = builder.add_vertex(p);
        }
        builder.add_triangle(corners);
    }
    builder
}

pub(super) fn read_ascii_stl(path: &Path, bytes: &[u8], log: &mut Log) -> Builder {
    let mut builder = Builder::default();
    let mut facet = 0_usize;
    let mut solid_open = false;
    // Corners of the facet being read; `None` outside one.
    let mut corners: Option<Vec<u32>> = None;
    let before = log.fault_count();
    for (line, raw) in numbered_lines(bytes) {
        let text = String::from_utf8_lossy(raw.trim_ascii());
        let mut words = text.split_ascii_whitespace();
        let Some(first) = words.next() else { continue };
        if log.fault_count() - before >= limits::MESH_FAULTS {
            return builder;
        }
        let place = || format!("line {line}, facet {facet}");
        let mend = "export the mesh again";
        match first.to_ascii_lowercase().as_str() {
            "solid" if corners.is_none() => solid_open = true,
            "endsolid" if corners.is_none() => solid_open = false,
            "facet" if corners.is_none() => {
                facet += 1;
                corners = Some(Vec::with_capacity(3));
                if let Some(what) = builder.excess_reason() {
                    log.add_fault(path, format!("line {line}"), what, "use a coarser mesh for collision");
                    return builder;
                }
            }
            "outer" | "endloop" if corners.is_some() => {}
            "vertex" if corners.is_some() => {
                let mut p = [0.0; 3];
                let mut bad = None;
                for slot in &mut p {
                    let word = words.next().unwrap_or("");
                    match parse_number(word) {
                        Some(v) => *slot = v,
                        None => bad = bad.or(Some(word)),
                    }
                }
                if let Some(word) = bad {
                    let what = match word {
                        "" => "a vertex has fewer than three numbers".to_string(),
                        w => format!("{:?} is not a finite number", short_text(w)),
                    };
                    let help = if word.contains(',') { DECIMAL_POINT } else { mend };
                    log.add_fault(path, place(), what, help);
                } else if words.next().is_some() {
                    log.add_fault(path, place(), "a vertex has more than three numbers", mend);
                }
                if let Some(c) = &mut corners {
                    if c.len() == 3 {
                        log.add_fault(path, place(), "a facet has more than three vertices", mend);
                        return builder;
                    }
                    c.push(if bad.is_none() { builder.add_vertex(p) } else { 0 });
                }
            }
            "endfacet" if corners.is_some() => {
                match corners.take().as_deref() {
                    Some(&[a, b, c]) => builder.add_triangle([a, b, c]),
                    _ => log.add_fault(path, place(), "a facet has fewer than three vertices", mend),
                };
            }
            _ => {
                // Reading on would be guesswork.
                log.add_fault(path, place(), format!("{:?} does not belong here", short_text(&text)), mend);
                return builder;
            }
        }
    }
    if corners.is_some() || solid_open {
        let what = format!("ends in the middle of a solid, after {facet} facets: it is cut off");
        log.add_fault(path, "", what, "copy or export the file again");
    }
    builder
}
