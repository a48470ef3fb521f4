//! PLY, the polygon file format: elements of named properties, as text or in binary.
//!
//! What is read of it is the coordinates of vertices, and for meshes the lists of corners. All other elements
//! and properties are passed over, but a file that breaks off among them is refused.

pub(crate) mod body;
pub(crate) mod header;
