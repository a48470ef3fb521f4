//! The header of a PLY: which elements there are, and what each consists of.

use crate::fault::Log;
use crate::limits;
use crate::lines::Head;
use crate::scalar::{Order, Scalar};
use crate::xml::short_text;
use std::path::Path;

/// How elements are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlyFormat {
    Ascii,
    Binary(Order),
}

/// What a property is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PropertyKind {
    Scalar(Scalar),
    /// The number of values, a whole number, and then the values.
    List {
        count: Scalar,
        item: Scalar,
    },
}

/// A part of every element of one name.
#[derive(Debug)]
pub(crate) struct Property {
    pub name: String,
    pub kind: PropertyKind,
}

/// An element, of which the file has `count`. It has at least one property unless `count` is zero.
#[derive(Debug)]
pub(crate) struct Element {
    pub name: String,
    pub count: usize,
    pub properties: Vec<Property>,
    /// Which properties are x, y and z; only for vertices.
    axes: Option<[usize; 3]>,
    /// Which property is the list of a face's corners; only for faces of meshes.
    pub corners: Option<usize>,
    pub line: usize,
}

impl Element {
    /// Whether this is the element with the points.
    pub fn is_vertex(&self) -> bool {
        self.axes.is_some()
    }

    /// Whether anything of it is wanted.
    pub fn is_wanted(&self) -> bool {
        self.axes.is_some() || self.corners.is_some()
    }

    /// Which coordinate a property is.
    pub fn property_axis(&self, property: usize) -> Option<usize> {
        self.axes?.iter().position(|k| *k == property)
    }

    /// Bytes that each takes, at least one; `None` if they differ in size.
    pub fn fixed_size(&self) -> Option<usize> {
        let sizes = self.properties.iter().map(|property| match property.kind {
            PropertyKind::Scalar(scalar) => Some(scalar.byte_size()),
            PropertyKind::List { .. } => None,
        });
        Some(sizes.sum::<Option<usize>>()?.max(1))
    }
}

/// A sound header: one of its elements is the vertices.
#[derive(Debug)]
pub(crate) struct PlyHeader {
    pub format: PlyFormat,
    pub elements: Vec<Element>,
}

/// What a file is read for, in the words of its faults.
pub(crate) struct Purpose {
    /// What to do about a broken header.
    pub export: &'static str,
    /// What to do about a file without vertices.
    pub vertices: &'static str,
    /// Most faults that are listed of one file.
    pub faults: usize,
    /// Finds what else is wanted of the elements, and what is wrong with them.
    pub check: fn(&Path, &mut [Element], &mut Log),
}

/// Reads up to the line end_header and tells all faults. `None` after any.
pub(crate) fn read(path: &Path, head: &mut Head<'_>, purpose: &Purpose, log: &mut Log) -> Option<PlyHeader> {
    if head.rest_bytes().starts_with(b"ply\r") && !head.rest_bytes().starts_with(b"ply\r\n") {
        log.add_fault(path, "line 1", "its lines do not end in line feeds", "save it with line feeds");
        return None;
    }
    let before = log.fault_count();
    let (mut format, mut elements, mut ended) = (None, Vec::<Element>::new(), false);
    while let Some(raw) = head.next() {
        let place = format!("line {}", head.line);
        if raw.len() > limits::HEADER_LINE {
            log.add_fault(path, place, "is longer than any line of a PLY's header", purpose.export);
            return None;
        }
        let text = String::from_utf8_lossy(raw);
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        if log.fault_count() - before >= purpose.faults {
            return None;
        }
        let result = match &words[..] {
            ["ply"] if head.line == 1 => Ok(()),
            [] | ["comment" | "obj_info", ..] => Ok(()),
            ["end_header"] => {
                ended = true;
                break;
            }
            ["format", kind, version] => set_format(&mut format, kind, version),
            ["element", name, count] => add_element(&mut elements, name, count, head.line),
            ["property", rest @ ..] => add_property(&mut elements, rest),
            [first, ..] => {
                // The lines from here on may not be a header's, so their faults are not told.
                let what = format!("{:?} does not begin a line of a PLY's header", short_text(first));
                let what = match *first {
                    "format" | "element" => format!("{:?} must have two words behind it", *first),
                    _ => what,
                };
                log.add_fault(path, place, what, purpose.export);
                return None;
            }
        };
        if let Err(what) = result {
            log.add_fault(path, place, what, purpose.export);
        }
    }
    if !ended {
        log.add_fault(
            path,
            format!("line {}", head.line),
            "its header ends without end_header",
            purpose.export,
        );
        return None;
    }
    if format.is_none() {
        log.add_fault(path, "", "its header has no line format", "add: format ascii 1.0");
    }
    find_coordinates(path, &mut elements, purpose, log);
    (purpose.check)(path, &mut elements, log);
    let header = PlyHeader { format: format?, elements };
    (log.fault_count() == before).then_some(header)
}

fn set_format(format: &mut Option<PlyFormat>, kind: &str, version: &str) -> Result<(), String> {
    if version != "1.0" {
        return Err(format!("the version {:?} is not 1.0", short_text(version)));
    }
    let new = match kind {
        "ascii" => PlyFormat::Ascii,
        "binary_little_endian" => PlyFormat::Binary(Order::LittleEndian),
        "binary_big_endian" => PlyFormat::Binary(Order::BigEndian),
        _ => return Err(format!("the format {:?} is unknown", short_text(kind))),
    };
    match format.replace(new) {
        None => Ok(()),
        Some(_) => Err("the format comes a second time".into()),
    }
}

fn add_element(elements: &mut Vec<Element>, name: &str, count: &str, line: usize) -> Result<(), String> {
    let Ok(number) = count.parse() else {
        return Err(format!("{:?} is not a number of elements", short_text(count)));
    };
    if elements.len() >= limits::CLOUD_FIELDS {
        return Err(format!("has more than {} kinds of elements", limits::CLOUD_FIELDS));
    }
    if elements.iter().any(|element| element.name == name) {
        return Err(format!("the element {:?} comes a second time", short_text(name)));
    }
    let (name, properties) = (name.to_string(), Vec::new());
    elements.push(Element { name, count: number, properties, axes: None, corners: None, line });
    Ok(())
}

fn add_property(elements: &mut [Element], words: &[&str]) -> Result<(), String> {
    let Some(element) = elements.last_mut() else {
        return Err("a property stands before the first element".into());
    };
    let scalar = |word: &str| parse_scalar(word).ok_or(format!("the type {:?} is unknown", short_text(word)));
    let (kind, name) = match words {
        ["list", count, item, name] => {
            let (count, item) = (scalar(count)?, scalar(item)?);
            if !count.is_integer() {
                return Err("the number of a list's values has to be of a whole type".into());
            }
            (PropertyKind::List { count, item }, *name)
        }
        [kind, name] => (PropertyKind::Scalar(scalar(kind)?), *name),
        _ => return Err("a property is a type and a name, or list and two types and a name".into()),
    };
    if element.properties.len() >= limits::CLOUD_FIELDS {
        return Err(format!("an element has more than {} properties", limits::CLOUD_FIELDS));
    }
    if element.properties.iter().any(|property| property.name == name) {
        return Err(format!("the property {:?} comes a second time", short_text(name)));
    }
    element.properties.push(Property { name: name.to_string(), kind });
    Ok(())
}

fn parse_scalar(word: &str) -> Option<Scalar> {
    Some(match word {
        "char" | "int8" => Scalar::I8,
        "uchar" | "uint8" => Scalar::U8,
        "short" | "int16" => Scalar::I16,
        "ushort" | "uint16" => Scalar::U16,
        "int" | "int32" => Scalar::I32,
        "uint" | "uint32" => Scalar::U32,
        "float" | "float32" => Scalar::F32,
        "double" | "float64" => Scalar::F64,
        _ => return None,
    })
}

/// Finds the coordinates.
fn find_coordinates(path: &Path, elements: &mut [Element], purpose: &Purpose, log: &mut Log) {
    for element in elements.iter().filter(|element| element.properties.is_empty() && element.count > 0) {
        let what = format!("{} of {:?} have no property", element.count, short_text(&element.name));
        log.add_fault(path, format!("line {}", element.line), what, purpose.export);
    }
    let Some(element) = elements.iter_mut().find(|element| element.name == "vertex") else {
        log.add_fault(path, "", "has no element \"vertex\"", purpose.vertices);
        return;
    };
    let place = format!("line {}, vertex", element.line);
    let find = |axis: &str| {
        element.properties.iter().position(|p| p.name == axis && matches!(p.kind, PropertyKind::Scalar(_)))
    };
    let found = ["x", "y", "z"].map(|axis| (axis, find(axis)));
    for (axis, _) in found.iter().filter(|(_, property)| property.is_none()) {
        let what = format!("has no property {axis} that is a number");
        log.add_fault(path, &*place, what, purpose.vertices);
    }
    if let [(_, Some(x)), (_, Some(y)), (_, Some(z))] = found {
        element.axes = Some([x, y, z]);
    }
}
