//! The header of a PCD: which fields a point has, and how they are written.

use crate::cloud::points::{THIN_OUT, too_many};
use crate::fault::{Log, counted_things};
use crate::limits;
use crate::lines::Head;
use crate::scalar::Scalar;
use crate::xml::{parse_numbers, short_text};
use elbowroom::math::{Mat3, Transform};
use std::collections::BTreeMap;
use std::path::Path;

/// How points are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Data {
    Ascii,
    Binary,
    Compressed,
}

/// One field of every point: `count` numbers of `size` bytes.
#[derive(Debug)]
pub(super) struct Field {
    pub size: usize,
    pub count: usize,
    /// Bytes between fields that mean nothing.
    pub is_padding: bool,
}

/// A header whose lines agree with each other.
#[derive(Debug)]
pub(super) struct PcdHeader {
    /// No point of them is larger than [`limits::POINT_BYTES`].
    pub fields: Vec<Field>,
    /// Which fields are x, y and z: each is one number.
    pub axes: [usize; 3],
    /// What numbers these are.
    pub scalars: [Scalar; 3],
    /// At least one, at most [`limits::CLOUD_POINTS`].
    pub points: usize,
    pub viewpoint: Option<Transform>,
    pub data: Data,
}

/// The lines of a header. Version 0.5 says COLUMNS for FIELDS.
const KEYS: [&str; 11] = [
    "VERSION",
    "FIELDS",
    "COLUMNS",
    "SIZE",
    "TYPE",
    "COUNT",
    "WIDTH",
    "HEIGHT",
    "VIEWPOINT",
    "POINTS",
    "DATA",
];

/// What to do about a header that lacks something.
const SEE: &str = "a PCD of version 0.7 has VERSION, FIELDS, SIZE, TYPE, COUNT, WIDTH, HEIGHT, VIEWPOINT, \
                   POINTS and DATA";

/// Reads up to the line DATA and tells all faults. `None` after any.
pub(super) fn read(path: &Path, head: &mut Head<'_>, log: &mut Log) -> Option<PcdHeader> {
    let before = log.fault_count();
    let entries = read_header_entries(path, head, log)?;
    let mut reading = PcdHeaderReader { path, entries, log };
    let header = reading.read_header();
    header.filter(|_| log.fault_count() == before)
}

struct Entry {
    line: usize,
    words: Vec<String>,
}

/// All lines by their first words.
fn read_header_entries(
    path: &Path,
    head: &mut Head<'_>,
    log: &mut Log,
) -> Option<BTreeMap<&'static str, Entry>> {
    let (mut entries, before) = (BTreeMap::<&'static str, Entry>::new(), log.fault_count());
    while let Some(raw) = head.next() {
        let (raw, place) = (raw.trim_ascii(), format!("line {}", head.line));
        if raw.is_empty() || raw.starts_with(b"#") {
            continue;
        }
        if log.fault_count() - before >= limits::SENSOR_FAULTS {
            return None;
        }
        if raw.len() > limits::HEADER_LINE {
            log.add_fault(path, place, "is longer than any line of a PCD's header", SEE);
            return None;
        }
        let text = String::from_utf8_lossy(raw);
        let mut words = text.split_ascii_whitespace();
        let first = words.next().unwrap_or("");
        let Some(key) = KEYS.into_iter().find(|key| *key == first) else {
            let what = format!("{:?} does not begin a line of a PCD's header", short_text(first));
            let meant = log.did_you_mean(first, KEYS);
            log.add_fault(path, place, what, if meant.is_empty() { SEE } else { &meant });
            return None;
        };
        let key = if key == "COLUMNS" { "FIELDS" } else { key };
        let entry = Entry { line: head.line, words: words.map(str::to_string).collect() };
        if let Some(first) = entries.insert(key, entry) {
            let help = format!("keep one; the first is line {}", first.line);
            log.add_fault(path, place, format!("{key} comes a second time"), help);
        }
        if key == "DATA" {
            return Some(entries);
        }
    }
    log.add_fault(path, format!("line {}", head.line), "its header ends without a line DATA", SEE);
    None
}

struct PcdHeaderReader<'a> {
    path: &'a Path,
    entries: BTreeMap<&'static str, Entry>,
    log: &'a mut Log,
}

impl PcdHeaderReader<'_> {
    fn add_fault(&mut self, key: &str, what: impl Into<String>, help: &str) {
        let place = self.entries.get(key).map(|entry| format!("line {}, {key}", entry.line));
        self.log.add_fault(self.path, place.unwrap_or_default(), what, help);
    }

    /// The words of a line that must be there.
    fn line_words(&mut self, key: &str) -> Option<Vec<String>> {
        let words = self.entries.get(key).map(|entry| entry.words.clone());
        if words.is_none() {
            self.add_fault("", format!("its header has no line {key}"), SEE);
        }
        words
    }

    /// The whole number of a line that holds just one. `None` otherwise, and if the line is absent.
    fn whole_number(&mut self, key: &str) -> Option<usize> {
        let words = &self.entries.get(key)?.words;
        let number = match &words[..] {
            [word] => word.parse().ok(),
            _ => None,
        };
        if number.is_none() {
            let what = format!("{:?} is not a number of points", short_text(&words.join(" ")));
            self.add_fault(key, what, "write one whole number");
        }
        number
    }

    fn read_header(&mut self) -> Option<PcdHeader> {
        self.check_version();
        let fields = self.read_fields();
        let points = self.read_point_count();
        let viewpoint = self.read_viewpoint();
        let data = self.read_data_kind();
        let (fields, axes, scalars) = fields?;
        Some(PcdHeader { fields, axes, scalars, points: points?, viewpoint, data: data? })
    }

    fn check_version(&mut self) {
        let Some(entry) = self.entries.get("VERSION") else { return };
        let word = entry.words.join(" ");
        if !matches!(word.trim_start_matches('0'), ".5" | ".6" | ".7") {
            let what = format!("the version {:?} is unknown", short_text(&word));
            self.add_fault("VERSION", what, "write the file as version 0.7");
        }
    }

    fn read_fields(&mut self) -> Option<(Vec<Field>, [usize; 3], [Scalar; 3])> {
        let (names, sizes, types) =
            (self.line_words("FIELDS"), self.line_words("SIZE"), self.line_words("TYPE"));
        let (names, sizes, types) = (names?, sizes?, types?);
        // Without the line COUNT, each field is one number.
        let counts = match self.entries.get("COUNT") {
            Some(entry) => entry.words.clone(),
            None => vec!["1".to_string(); names.len()],
        };
        let before = self.log.fault_count();
        if names.len() > limits::CLOUD_FIELDS {
            let what = format!("names {} fields; at most {} are read", names.len(), limits::CLOUD_FIELDS);
            self.add_fault("FIELDS", what, "write fewer fields");
            return None;
        }
        for (key, given) in [("SIZE", sizes.len()), ("TYPE", types.len()), ("COUNT", counts.len())] {
            if given != names.len() {
                let what = format!("has {}, and FIELDS has {}", counted_things(given, "word"), names.len());
                self.add_fault(key, what, "give one for each field");
            }
        }
        if self.log.fault_count() > before {
            return None;
        }
        let mut fields = Vec::new();
        for (name, (size, count)) in names.iter().zip(sizes.iter().zip(&counts)) {
            if self.log.fault_count() - before >= limits::SENSOR_FAULTS {
                return None;
            }
            let bytes = size.parse().ok().filter(|size| matches!(size, 1 | 2 | 4 | 8));
            if bytes.is_none() {
                let what = format!("field {:?}: a number of {:?} bytes", short_text(name), short_text(size));
                self.add_fault("SIZE", what, "sizes are 1, 2, 4 and 8");
            }
            let numbers = count.parse().ok().filter(|count| (1..=limits::POINT_BYTES).contains(count));
            if numbers.is_none() {
                let what = format!("field {:?}: {:?} numbers", short_text(name), short_text(count));
                self.add_fault("COUNT", what, "write how many numbers the field has");
            }
            if let (Some(size), Some(count)) = (bytes, numbers) {
                fields.push(Field { size, count, is_padding: name == "_" });
            }
        }
        let bytes = fields.iter().fold(0_usize, |sum, field| sum.saturating_add(field.size * field.count));
        if bytes > limits::POINT_BYTES {
            let what = format!("a point has more than {} bytes", limits::POINT_BYTES);
            self.add_fault("COUNT", what, "write fewer fields");
        }
        let axes = ["x", "y", "z"].map(|axis| self.find_axis(axis, &names, &counts));
        let [Some(x), Some(y), Some(z)] = axes else { return None };
        let scalars = [x, y, z].map(|axis| self.read_scalar(&names[axis], &types[axis], &sizes[axis]));
        let [Some(a), Some(b), Some(c)] = scalars else { return None };
        (self.log.fault_count() == before).then_some((fields, [x, y, z], [a, b, c]))
    }

    /// Which field is a coordinate.
    fn find_axis(&mut self, axis: &str, names: &[String], counts: &[String]) -> Option<usize> {
        let mut all = names.iter().enumerate().filter(|(_, name)| *name == axis).map(|(k, _)| k);
        let (first, more) = (all.next(), all.next());
        let Some(found) = first else {
            let what = format!("has no field {axis}");
            self.add_fault("FIELDS", what, "give a cloud with the fields x, y and z");
            return None;
        };
        if more.is_some() {
            self.add_fault("FIELDS", format!("has several fields {axis}"), "keep one");
        }
        if counts[found] != "1" {
            let what = format!("field {axis:?} has {} numbers", short_text(&counts[found]));
            self.add_fault("COUNT", what, "a coordinate is one number");
            return None;
        }
        more.is_none().then_some(found)
    }

    fn read_scalar(&mut self, name: &str, kind: &str, size: &str) -> Option<Scalar> {
        let scalar = match (kind, size) {
            ("F", "4") => Some(Scalar::F32),
            ("F", "8") => Some(Scalar::F64),
            ("I", "1") => Some(Scalar::I8),
            ("I", "2") => Some(Scalar::I16),
            ("I", "4") => Some(Scalar::I32),
            ("I", "8") => Some(Scalar::I64),
            ("U", "1") => Some(Scalar::U8),
            ("U", "2") => Some(Scalar::U16),
            ("U", "4") => Some(Scalar::U32),
            ("U", "8") => Some(Scalar::U64),
            _ => None,
        };
        if scalar.is_none() {
            let what = format!("field {name:?} is of type {:?} with {size} bytes", short_text(kind));
            let help = "types are F (4 or 8 bytes), and I and U (1, 2, 4 or 8 bytes)";
            self.add_fault("TYPE", what, help);
        }
        scalar
    }

    fn read_point_count(&mut self) -> Option<usize> {
        let before = self.log.fault_count();
        let (width, height, points) =
            (self.whole_number("WIDTH"), self.whole_number("HEIGHT"), self.whole_number("POINTS"));
        if self.log.fault_count() > before {
            return None;
        }
        let area = width.map(|width| width.saturating_mul(height.unwrap_or(1)));
        let Some(count) = points.or(area) else {
            self.add_fault("", "its header has neither POINTS nor WIDTH", SEE);
            return None;
        };
        if area.is_some_and(|area| area != count) {
            let product = format!("{} by {}", width.unwrap_or(0), height.unwrap_or(1));
            let what = format!("claims {count} points, and WIDTH by HEIGHT is {product}");
            self.add_fault("POINTS", what, "correct the one that is wrong");
            return None;
        }
        let key = if points.is_some() { "POINTS" } else { "WIDTH" };
        if count == 0 {
            self.add_fault(key, "the cloud has no point", "give a cloud with points");
            return None;
        }
        if count > limits::CLOUD_POINTS {
            self.add_fault(key, too_many(count), THIN_OUT);
            return None;
        }
        Some(count)
    }

    fn read_viewpoint(&mut self) -> Option<Transform> {
        let text = self.entries.get("VIEWPOINT")?.words.join(" ");
        let Some([x, y, z, w, i, j, k]) = parse_numbers::<7>(&text) else {
            let what = format!("{:?} is not a viewpoint", short_text(&text));
            self.add_fault("VIEWPOINT", what, "write x y z and a quaternion w x y z: 0 0 0 1 0 0 0");
            return None;
        };
        let place = self.entries.get("VIEWPOINT").map(|entry| format!("line {}, VIEWPOINT", entry.line));
        let Some(rotation) = Mat3::from_quat_wxyz([w, i, j, k]) else {
            let what = "the quaternion is zero: the viewpoint is passed over";
            self.log.add_warning(self.path, place.unwrap_or_default(), what, "the identity is 0 0 0 1 0 0 0");
            return None;
        };
        let pose = Transform::new(rotation, [x, y, z].into());
        if pose != Transform::IDENTITY {
            let what = "the points are read as they are written, and not moved by the viewpoint";
            let help = "if they are in the sensor's frame, move them by it";
            self.log.add_warning(self.path, place.unwrap_or_default(), what, help);
        }
        Some(pose)
    }

    fn read_data_kind(&mut self) -> Option<Data> {
        let word = self.entries.get("DATA")?.words.join(" ");
        match word.to_ascii_lowercase().as_str() {
            "ascii" => Some(Data::Ascii),
            "binary" => Some(Data::Binary),
            "binary_compressed" => Some(Data::Compressed),
            _ => {
                let what = format!("{:?} is not a kind of data", short_text(&word));
                self.add_fault("DATA", what, "kinds are ascii, binary and binary_compressed");
                None
            }
        }
    }
}
