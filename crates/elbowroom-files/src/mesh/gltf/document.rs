//! What a glTF file says, as far as it concerns where its triangles are.

use serde::Deserialize;
use std::collections::BTreeMap;

/// The outermost object.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Document {
    pub asset: Asset,
    pub scene: Option<usize>,
    #[serde(default)]
    pub scenes: Vec<GltfScene>,
    #[serde(default)]
    pub nodes: Vec<GltfNode>,
    #[serde(default)]
    pub meshes: Vec<Mesh>,
    #[serde(default)]
    pub accessors: Vec<Accessor>,
    #[serde(default)]
    pub buffer_views: Vec<View>,
    #[serde(default)]
    pub buffers: Vec<Buffer>,
    #[serde(default)]
    pub extensions_used: Vec<String>,
    #[serde(default)]
    pub extensions_required: Vec<String>,
}

#[derive(Deserialize)]
pub(super) struct Asset {
    pub version: String,
}

#[derive(Deserialize)]
pub(super) struct GltfScene {
    #[serde(default)]
    pub nodes: Vec<usize>,
}

/// A frame in that of its parent. Boxes, since most nodes have few of these.
#[derive(Deserialize)]
pub(super) struct GltfNode {
    #[serde(default)]
    pub children: Vec<usize>,
    pub mesh: Option<usize>,
    pub skin: Option<usize>,
    /// Column by column.
    pub matrix: Option<Box<[f64; 16]>>,
    pub translation: Option<Box<[f64; 3]>>,
    /// A quaternion x, y, z, w.
    pub rotation: Option<Box<[f64; 4]>>,
    pub scale: Option<Box<[f64; 3]>>,
    #[serde(default)]
    pub weights: Vec<f64>,
}

#[derive(Deserialize)]
pub(super) struct Mesh {
    #[serde(default)]
    pub name: String,
    pub primitives: Vec<Primitive>,
    #[serde(default)]
    pub weights: Vec<f64>,
}

#[derive(Deserialize)]
pub(super) struct Primitive {
    pub attributes: BTreeMap<String, usize>,
    pub indices: Option<usize>,
    #[serde(default = "triangles")]
    pub mode: u32,
}

/// How corners make triangles.
pub(super) const TRIANGLES: u32 = 4;
pub(super) const STRIP: u32 = 5;
pub(super) const FAN: u32 = 6;

fn triangles() -> u32 {
    TRIANGLES
}

/// A list of numbers, of vectors of them, or of matrices.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Accessor {
    pub buffer_view: Option<usize>,
    #[serde(default)]
    pub byte_offset: usize,
    pub component_type: u32,
    #[serde(default)]
    pub normalized: bool,
    pub count: usize,
    #[serde(rename = "type")]
    pub kind: String,
    pub sparse: Option<serde::de::IgnoredAny>,
}

/// Part of a buffer.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct View {
    pub buffer: usize,
    #[serde(default)]
    pub byte_offset: usize,
    pub byte_length: usize,
    pub byte_stride: Option<usize>,
}

/// Bytes, in the file itself or beside it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Buffer {
    pub uri: Option<String>,
    pub byte_length: usize,
}
