//! Wavefront OBJ: vertices and faces of all objects and groups as one mesh.
//!
//! Materials, normals and texture coordinates are passed over, so that a missing material file is no fault.
//! Surfaces that are not polygons are, and so is every statement that is not known: leaving them out might
//! leave a hole nobody asked for. No name of an object, a group or a material is looked up, so it does not
//! matter which of them are the same.

use super::builder::Builder;
use super::polygon;
use crate::fault::{Log, counted_things};
use crate::limits;
use crate::lines::numbered_lines;
use crate::xml::{parse_number, short_text};
use std::path::Path;

/// Statements that make curves and curved surfaces, those of older versions of the format too.
const FREE_FORM: [&str; 17] = [
    "curv", "curv2", "surf", "cstype", "sp", "parm", "trim", "hole", "scrv", "end", "con", "bsp", "bzp",
    "cdc", "cdp", "res", "fo",
];

/// Statements without which the triangles are the same.
const NO_GEOMETRY: [&str; 22] = [
    "vn",
    "vt",
    "vp",
    "o",
    "g",
    "s",
    "mg",
    "mtllib",
    "usemtl",
    "usemap",
    "maplib",
    "lod",
    "bevel",
    "c_interp",
    "d_interp",
    "shadow_obj",
    "trace_obj",
    "deg",
    "bmat",
    "step",
    "ctech",
    "stech",
];

/// True if a line begins with a statement written in capitals.
fn known_but_for_case(statement: &str) -> bool {
    let word = statement.split_ascii_whitespace().next().unwrap_or("").to_ascii_lowercase();
    matches!(&*word, "v" | "f" | "l" | "p") || NO_GEOMETRY.contains(&&*word) || FREE_FORM.contains(&&*word)
}

/// True if one of the first lines that is no comment is an OBJ statement.
pub(super) fn looks_like_obj(text: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&text[..text.len().min(4096)]).into_owned();
    let mut words =
        head.lines().filter_map(|l| l.split_ascii_whitespace().next()).filter(|w| !w.starts_with('#'));
    matches!(words.next(), Some("v" | "vn" | "vt" | "o" | "g" | "s" | "mtllib" | "usemtl"))
}

pub(super) fn read(path: &Path, bytes: &[u8], log: &mut Log) -> Builder {
    let mut builder = Builder::default();
    let mut points: Vec<[f64; 3]> = Vec::new();
    // Index in the mesh of each point, once a face has used it.
    let mut used: Vec<Option<u32>> = Vec::new();
    let mut corners: Vec<usize> = Vec::new();
    let (mut wires, mut first) = (0_usize, true);
    let mut joined = String::new();
    let before = log.fault_count();
    let mut all = numbered_lines(bytes).peekable();
    while let Some((line, raw)) = all.next() {
        if log.fault_count() - before >= limits::MESH_FAULTS {
            return builder;
        }
        let place = || format!("line {line}");
        let text = String::from_utf8_lossy(raw);
        // A backslash joins a line to the next, if there is one.
        let mut raw = text.split('#').next().unwrap_or("").trim();
        if let Some(part) = raw.strip_suffix('\\') {
            if all.peek().is_some() {
                joined.push_str(part);
                joined.push(' ');
                continue;
            }
            raw = part;
        }
        let whole;
        let statement = if joined.is_empty() {
            raw
        } else {
            joined.push_str(raw);
            whole = std::mem::take(&mut joined);
            whole.as_str()
        };
        let mut words = statement.split_ascii_whitespace();
        let keyword = words.next();
        let opening = first && keyword.is_some();
        first &= keyword.is_none();
        match keyword {
            None => {}
            Some("v") => {
                let mut p = [0.0; 3];
                for slot in &mut p {
                    let word = words.next().unwrap_or("");
                    match parse_number(word) {
                        Some(v) => *slot = v,
                        None => {
                            let what = match word {
                                "" => "a vertex has fewer than three numbers".to_string(),
                                w => format!(
                                    "vertex {}: {:?} is not a finite number",
                                    points.len() + 1,
                                    short_text(w)
                                ),
                            };
                            log.add_fault(path, place(), what, "export the mesh again");
                            break;
                        }
                    }
                }
                points.push(p);
                used.push(None);
            }
            Some("f") => {
                corners.clear();
                let mut bad = false;
                for word in words {
                    match corner_index(word, points.len()) {
                        Some(i) => corners.push(i),
                        None => {
                            let what = format!(
                                "face corner {:?} is not one of the {} vertices so far",
                                short_text(word),
                                points.len()
                            );
                            log.add_fault(path, place(), what, "export the mesh again");
                            bad = true;
                            break;
                        }
                    }
                }
                if bad {
                    continue;
                }
                if corners.len() < 3 {
                    log.add_fault(
                        path,
                        place(),
                        "a face has fewer than three corners",
                        "export the mesh again",
                    );
                    continue;
                }
                if corners.len() > limits::POLYGON_CORNERS {
                    let what = format!("a face has more than {} corners", limits::POLYGON_CORNERS);
                    log.add_fault(path, place(), what, "export the mesh as triangles");
                    continue;
                }
                let indices: Vec<u32> = corners
                    .iter()
                    .map(|&i| *used[i].get_or_insert_with(|| builder.add_vertex(points[i])))
                    .collect();
                polygon::cut_polygon(&mut builder, &indices);
                if let Some(what) = builder.excess_reason() {
                    log.add_fault(path, place(), what, "use a coarser mesh for collision");
                    return builder;
                }
            }
            Some("l" | "p") => wires += 1,
            Some(word) if FREE_FORM.contains(&word) => {
                let what = format!("{word:?}: free-form curves and surfaces are not supported");
                log.add_fault(path, place(), what, "export the mesh as triangles");
                return builder;
            }
            Some(word @ ("call" | "csh")) => {
                let what =
                    format!("{word:?} takes in what another file or program writes, which is not supported");
                log.add_fault(path, place(), what, "export the mesh as one file");
            }
            Some(word) if NO_GEOMETRY.contains(&word) => {}
            // Some files begin with their counts of points and faces.
            Some(word) if opening && statement.split_ascii_whitespace().all(|w| w.parse::<u32>().is_ok()) => {
                let what = format!("{:?} is not an OBJ statement and is ignored", short_text(word));
                log.add_warning(path, place(), what, "");
            }
            Some(_) if opening && !known_but_for_case(statement) => {
                let what = "this does not look like an OBJ file";
                log.add_fault(path, place(), what, "give a mesh in STL, OBJ, DAE or PLY");
                return builder;
            }
            // It may stand for a face.
            Some(word) => {
                let what = format!("{:?} is not an OBJ statement", short_text(word));
                let help = if known_but_for_case(word) {
                    format!("write {:?}", word.to_ascii_lowercase())
                } else {
                    "export the mesh again, or remove the line if it says nothing of the mesh".into()
                };
                log.add_fault(path, place(), what, help);
            }
        }
    }
    if wires > 0 {
        log.add_warning(
            path,
            "",
            format!("ignored: {} without area (lines, points)", counted_things(wires, "element")),
            "",
        );
    }
    let loose = used.iter().filter(|u| u.is_none()).count();
    if loose > 0 {
        log.add_warning(
            path,
            "",
            format!("{loose} of {} vertices belong to no face and are ignored", used.len()),
            "",
        );
    }
    builder
}

/// The index a face corner such as `7`, `7/1`, `7//3` or `-1` means.
fn corner_index(word: &str, count: usize) -> Option<usize> {
    let i: i64 = word.split('/').next()?.parse().ok()?;
    let count = i64::try_from(count).ok()?;
    let index = if i > 0 {
        i - 1
    } else if i < 0 {
        count.checked_add(i)?
    } else {
        return None;
    };
    (0..count).contains(&index).then_some(index as usize)
}
