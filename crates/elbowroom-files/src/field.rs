//! Files of fields: what is proved of a pair over the joints between its bodies
//! ([`elbowroom::motion::Field`]).
//!
//! The first line is JSON: the world's fingerprint, the names of the pair and of the joint values, ranges,
//! how many cells, and a hash. Behind it are the bricks (4 bytes each, least first) and the cells of those
//! that are not alike (8 bytes each). A field is only of use for the world that it was proved for, so that of
//! another world is refused.
//!
//! ```
//! use elbowroom::motion::{FieldOptions, FieldState, Prover};
//! use elbowroom::{PairId, World};
//! use elbowroom_files::field::{read_field, write_field};
//!
//! let loaded = elbowroom_files::load(concat!(env!("CARGO_MANIFEST_DIR"), "/examples/arm.urdf"))?;
//! let world = World::compile(&loaded.value)?;
//! let pair = world.pairs().get(PairId(0)).expect("a checked pair");
//! let field = Prover::new(&world).field(pair, &FieldOptions::default())?;
//! let bytes = write_field(&field, &world);
//! assert_eq!(read_field("arm.field".as_ref(), &bytes, &world)?, field);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::fault::{Fault, Faults};
use elbowroom::math::hash_bytes;
use elbowroom::motion::{Field, FieldJoint};
use elbowroom::world::BodyPair;
use elbowroom::{Geometry, World};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What the first line says.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Header {
    /// The version of the format.
    elbowroom_field: u32,
    world: String,
    pair: [String; 2],
    margin: f64,
    /// What meshes stood for.
    geometry: HeaderGeometry,
    joints: Vec<HeaderJoint>,
    bricks: usize,
    words: usize,
    /// Of all that follows the line.
    hash: String,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum HeaderGeometry {
    Mesh,
    Hull,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct HeaderJoint {
    name: String,
    lower: f64,
    upper: f64,
    cells: u32,
}

const VERSION: u32 = 1;
/// Longest first line: names of two bodies and three joints.
const LONGEST_LINE: usize = 1 << 16;

/// The file of a field of a world.
pub fn write_field(field: &Field, world: &World) -> Vec<u8> {
    let bricks = field.bricks().iter().flat_map(|brick| brick.to_le_bytes());
    let cells = field.brick_cells().iter().flat_map(|word| word.to_le_bytes());
    let body: Vec<u8> = bricks.chain(cells).collect();
    let pair = field.pair();
    let joint = |joint: &FieldJoint| HeaderJoint {
        name: world.dof_names().get(joint.value).cloned().unwrap_or_default(),
        lower: joint.range[0],
        upper: joint.range[1],
        cells: joint.cells,
    };
    let header = Header {
        elbowroom_field: VERSION,
        world: format!("{:016x}", field.fingerprint()),
        pair: [pair.a, pair.b].map(|body| world.bodies()[body.index()].name.to_string()),
        margin: field.margin(),
        geometry: match field.geometry() {
            Geometry::Mesh => HeaderGeometry::Mesh,
            Geometry::Hull => HeaderGeometry::Hull,
        },
        joints: field.joints().iter().map(joint).collect(),
        bricks: field.bricks().len(),
        words: field.brick_cells().len(),
        hash: format!("{:016x}", hash_bytes(body.iter().copied())),
    };
    let mut bytes = serde_json::to_vec(&header).unwrap_or_default();
    bytes.push(b'\n');
    bytes.extend(body);
    bytes
}

/// The field in a file, for the world that it was proved for.
///
/// # Errors
/// It is no field, not whole, or one of another world.
pub fn read_field(path: &Path, bytes: &[u8], world: &World) -> Result<Field, Faults> {
    let refuse = |place: &str, what: String, help: &str| {
        Err(Faults(vec![Fault { file: path.into(), place: place.into(), what, help: help.into() }]))
    };
    let again = "write it again with `elbowroom field`";
    let line_end = bytes.iter().take(LONGEST_LINE).position(|byte| *byte == b'\n');
    let Some((line, body)) = line_end.map(|end| (&bytes[..end], &bytes[end + 1..])) else {
        return refuse("line 1", "this is no file of a field".into(), again);
    };
    let header: Header = match serde_json::from_slice(line) {
        Ok(header) => header,
        Err(error) => return refuse("line 1", format!("this is no file of a field: {error}"), again),
    };
    if header.elbowroom_field != VERSION {
        let what = format!("version {} of the format, and {VERSION} is read", header.elbowroom_field);
        return refuse("line 1", what, again);
    }
    if u64::from_str_radix(&header.world, 16) != Ok(world.fingerprint()) {
        let what =
            format!("it was proved for the world {}, and this is {:016x}", header.world, world.fingerprint());
        return refuse("line 1", what, "a field holds for its own world alone: write it again");
    }
    let size = header.bricks.checked_mul(4).zip(header.words.checked_mul(8));
    let size = size.and_then(|(bricks, words)| bricks.checked_add(words));
    if size != Some(body.len()) || header.hash != format!("{:016x}", hash_bytes(body.iter().copied())) {
        return refuse("", "it is cut off or spoilt".into(), again);
    }
    let (bricks, cells) = body.split_at(4 * header.bricks);
    let bricks = bricks.chunks_exact(4).map(|b| u32::from_le_bytes(std::array::from_fn(|k| b[k])));
    let cells = cells.chunks_exact(8).map(|b| u64::from_le_bytes(std::array::from_fn(|k| b[k])));
    let body = |name: &String| world.body_by_name(name);
    let joint = |joint: &HeaderJoint| {
        let value = world.dof_names().iter().position(|name| *name == joint.name)?;
        Some(FieldJoint { value, range: [joint.lower, joint.upper], cells: joint.cells })
    };
    let field = body(&header.pair[0]).zip(body(&header.pair[1])).and_then(|(a, b)| {
        let joints: Option<Vec<FieldJoint>> = header.joints.iter().map(joint).collect();
        let geometry = match header.geometry {
            HeaderGeometry::Mesh => Geometry::Mesh,
            HeaderGeometry::Hull => Geometry::Hull,
        };
        let (pair, meaning) = (BodyPair { a, b }, (header.margin, geometry));
        Field::from_parts(world, pair, meaning, joints?, bricks.collect(), cells.collect())
    });
    match field {
        Some(field) => Ok(field),
        None => refuse("line 1", "its names and sizes are not those of a field of this world".into(), again),
    }
}
