//! Planning scenes as RViz's MotionPlanning panel writes them (`.scene`): words in an order.
//!
//! A name, and then objects. Each begins with `* id`. Newer MoveIt puts a pose behind it, and subframes
//! behind the shapes, and so the line behind the first `* id` tells which of the two a file is, as in MoveIt:
//! it is a position, or the number of shapes. Each shape has its pose (in the object's frame, or in older
//! files in the planning frame) and a colour. A full stop ends the file. There is no allowed collision matrix
//! in it, and no robot state.

use crate::fault::{Log, counted_things};
use crate::limits;
use crate::mesh::builder::{Builder, NO_SURFACE};
use crate::mesh::data::MeshData;
use crate::shape::{Zero, size_problem, whole_indices};
use crate::xml::{parse_number, short_text};
use elbowroom::describe::{ObstacleDescription, PlacedShape, ShapeDescription};
use elbowroom::fault::Numeral;
use elbowroom::math::{Mat3, Transform};
use std::path::Path;

const SAVE: &str = "save the scene again";

/// Whether a file is a scene of this kind: its second line begins an object, or ends the file.
pub(crate) fn is_text(text: &str) -> bool {
    let second = text.lines().skip(1).map(str::trim).find(|line| !line.is_empty());
    second.is_some_and(|line| line.starts_with("* ") || line == ".")
}

/// What such a file holds.
#[derive(Default)]
pub(super) struct Saved {
    pub name: String,
    /// In the planning frame.
    pub obstacles: Vec<ObstacleDescription>,
}

/// Reads the objects; what is wrong is told.
pub(super) fn read(text: &str, path: &Path, log: &mut Log) -> Saved {
    let mut words = Words { rest: text, line: 1 };
    let name = words.rest_of_line().to_string();
    let mut objects = text.lines().skip(1).skip_while(|line| !line.trim_start().starts_with('*')).skip(1);
    // A position has blanks in it, a number of shapes has none.
    let has_poses = objects.next().is_some_and(|line| line.trim().contains(' '));
    let mut reader = SceneTextReader { words, path, log, has_poses };
    let mut saved = Saved { name, ..Saved::default() };
    loop {
        let line = reader.words.line;
        match reader.words.next() {
            Some("*") => match reader.read_object() {
                Ok(object) => saved.obstacles.extend(object),
                Err(Lost) => return saved,
            },
            Some(".") => break,
            Some(other) => {
                let what = format!("{:?} begins no object", short_text(other));
                reader.add_fault(reader.words.line, "", what, SAVE);
                return saved;
            }
            None => {
                reader.add_fault(line, "", "the file is cut off: no full stop ends it", SAVE);
                return saved;
            }
        }
    }
    if reader.words.next().is_some() {
        let what = "what stands behind the full stop is ignored, as in MoveIt";
        let place = format!("line {}", reader.words.line);
        reader.log.add_warning(path, place, what, "");
    }
    saved
}

/// The words of a text, with the line of the last one.
struct Words<'t> {
    rest: &'t str,
    line: usize,
}

impl<'t> Words<'t> {
    fn next(&mut self) -> Option<&'t str> {
        let word = self.rest.trim_start();
        let (skipped, _) = self.rest.split_at(self.rest.len() - word.len());
        self.line += skipped.bytes().filter(|b| *b == b'\n').count();
        let (word, rest) = word.split_at(word.find(char::is_whitespace).unwrap_or(word.len()));
        self.rest = rest;
        (!word.is_empty()).then_some(word)
    }

    fn rest_of_line(&mut self) -> &'t str {
        let (line, rest) = self.rest.split_at(self.rest.find('\n').unwrap_or(self.rest.len()));
        self.rest = rest;
        line.trim()
    }
}

/// The words are not where they should be, which is told: nothing behind it can be trusted.
struct Lost;

struct SceneTextReader<'t, 'l> {
    words: Words<'t>,
    path: &'l Path,
    log: &'l mut Log,
    has_poses: bool,
}

impl SceneTextReader<'_, '_> {
    fn add_fault(&mut self, line: usize, label: &str, what: impl Into<String>, help: &str) {
        let label = if label.is_empty() { String::new() } else { format!(", {label}") };
        self.log.add_fault(self.path, format!("line {line}{label}"), what, help);
    }

    /// Numbers in a row.
    fn read_numbers<const N: usize>(&mut self, label: &str, of: &str) -> Result<[f64; N], Lost> {
        let mut all = [0.0; N];
        for slot in &mut all {
            let word = self.words.next();
            let Some(value) = word.and_then(parse_number) else {
                let found =
                    word.map_or("the end of the file".into(), |word| format!("{:?}", short_text(word)));
                let what =
                    format!("where {of} should be ({}) is {found}", counted_things(N, "finite number"));
                self.add_fault(self.words.line, label, what, SAVE);
                return Err(Lost);
            };
            *slot = value;
        }
        Ok(all)
    }

    /// How many of something follow. What the file cannot hold ends with the file.
    fn read_count(&mut self, label: &str, of: &str) -> Result<usize, Lost> {
        let [value] = self.read_numbers(label, of)?;
        if value < 0.0 || value.fract() != 0.0 || value > 3.0 * limits::MESH_TRIANGLES as f64 {
            self.add_fault(self.words.line, label, format!("{of} is {}", Numeral(value)), SAVE);
            return Err(Lost);
        }
        Ok(value as usize)
    }

    /// Position and quaternion x, y, z, w.
    fn read_pose(&mut self, label: &str, of: &str) -> Result<Option<Transform>, Lost> {
        let xyz = self.read_numbers::<3>(label, of)?;
        let [x, y, z, w] = self.read_numbers(label, of)?;
        let rotation = Mat3::from_quat_wxyz([w, x, y, z]);
        if rotation.is_none() {
            self.add_fault(self.words.line, label, format!("{of} has a quaternion of zeros"), "correct it");
        }
        Ok(rotation.map(|rotation| Transform::new(rotation, xyz.into())))
    }

    /// An object, or `None` after a fault behind which the file is still clear.
    fn read_object(&mut self) -> Result<Option<ObstacleDescription>, Lost> {
        let name = self.words.rest_of_line().to_string();
        let first = self.words.line;
        let label = &format!("object {:?}", short_text(&name));
        if name.is_empty() {
            self.add_fault(first, "", "an object has no id", "give it one behind the *");
        }
        let pose = if self.has_poses {
            self.read_pose(label, "the object's pose")?
        } else {
            Some(Transform::IDENTITY)
        };
        let count = self.read_count(label, "the number of shapes")?;
        let mut shapes = Vec::new();
        for k in 0..count {
            let shape = self.read_shape(label)?;
            let pose = self.read_pose(label, "a shape's pose")?;
            self.read_numbers::<4>(label, "a colour")?;
            if let (Some(shape), Some(shape_in_body)) = (shape, pose) {
                let name = format!("shapes[{k}]");
                shapes.push(PlacedShape { name, shape_in_body, shape, padding: 0.0 });
            }
        }
        if self.has_poses {
            // Frames on the object have no shape.
            for _ in 0..self.read_count(label, "the number of subframes")? {
                self.words.next();
                self.read_pose(label, "a subframe's pose")?;
            }
        }
        if count == 0 {
            self.add_fault(first, label, "has no shape", "give it one, or remove the object");
        }
        let whole = shapes.len() == count && count > 0 && !name.is_empty();
        let object = |pose| ObstacleDescription { name, pose, shapes, attached_to: None, movable: false };
        Ok(pose.filter(|_| whole).map(object))
    }

    /// A shape, or `None` after a fault behind which the file is still clear.
    fn read_shape(&mut self, label: &str) -> Result<Option<ShapeDescription>, Lost> {
        let kind = self.words.next().unwrap_or("");
        Ok(match kind {
            "sphere" => {
                self.read_sizes::<1>(label, kind)?.map(|[radius]| ShapeDescription::Sphere { radius })
            }
            "box" => self.read_sizes(label, kind)?.map(|size| ShapeDescription::Box { size }),
            "cylinder" => self
                .read_sizes(label, kind)?
                .map(|[radius, length]| ShapeDescription::Cylinder { radius, length }),
            "cone" => self
                .read_sizes(label, kind)?
                .map(|[radius, length]| ShapeDescription::Cone { radius, length }),
            "mesh" => self.read_mesh(label)?,
            "plane" => {
                let line = self.words.line;
                self.read_numbers::<4>(label, "a plane")?;
                self.add_fault(
                    line,
                    label,
                    "holds a plane, which is infinite and is not supported",
                    "use a large box",
                );
                None
            }
            other => {
                let what = format!("the shape {:?} is unknown", short_text(other));
                self.add_fault(self.words.line, label, what, "use box, sphere, cylinder, cone or mesh");
                return Err(Lost);
            }
        })
    }

    /// The sizes of a primitive.
    fn read_sizes<const N: usize>(&mut self, label: &str, kind: &str) -> Result<Option<[f64; N]>, Lost> {
        let sizes = self.read_numbers::<N>(label, &format!("the sizes of a {kind}"))?;
        for value in sizes {
            if let Some((problem, help)) = size_problem(value, Zero::Refused) {
                let what = format!("a size of its {kind}, {}, is {problem}", Numeral(value));
                self.add_fault(self.words.line, label, what, &help);
                return Ok(None);
            }
        }
        Ok(Some(sizes))
    }

    fn read_mesh(&mut self, label: &str) -> Result<Option<ShapeDescription>, Lost> {
        let vertices = self.read_count(label, "the number of vertices")?;
        let triangles = self.read_count(label, "the number of triangles")?;
        let line = self.words.line;
        let mut builder = Builder::default();
        let mut welded = Vec::new();
        for _ in 0..vertices {
            let point = self.read_numbers(label, "a vertex")?;
            welded.push(builder.add_vertex(point));
        }
        let mut whole = true;
        for k in 0..triangles {
            let corners = self.read_numbers::<3>(label, "a triangle")?;
            match whole_indices(corners, vertices) {
                Some(corners) => builder.add_triangle(corners.map(|i| welded[i as usize])),
                None if whole => {
                    let what = format!("triangle {k} is not three indices of its {vertices} vertices");
                    self.add_fault(self.words.line, label, what, "indices count from 0");
                    whole = false;
                }
                None => {}
            }
        }
        match builder.finish() {
            _ if !whole => Ok(None),
            Ok(MeshData { vertices, triangles }) => Ok(Some(ShapeDescription::Mesh { vertices, triangles })),
            Err(what) => {
                self.add_fault(line, label, format!("the mesh holds {what}"), NO_SURFACE);
                Ok(None)
            }
        }
    }
}
