//! A triangle mesh as its file has it, and what to do with the file's unit.

/// A triangle mesh. Corner points that agree exactly are one vertex.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshData {
    /// Corner points, all of them used; those of degenerate triangles too, so that a hull contains them.
    pub vertices: Vec<[f64; 3]>,
    /// Three indices into `vertices` each, counter-clockwise seen from outside. Two are equal only in a
    /// triangle that is a mere segment or point and lies on no edge of the others: leaving it out would lose
    /// it.
    pub triangles: Vec<[u32; 3]>,
}

impl MeshData {
    /// The mesh with each coordinate multiplied; a mirroring scale turns the triangles round so that outside
    /// stays outside.
    pub fn scaled_by(&self, scale: [f64; 3]) -> MeshData {
        let mirrored = scale.iter().filter(|s| **s < 0.0).count() % 2 == 1;
        let vertices =
            self.vertices.iter().map(|v| [v[0] * scale[0], v[1] * scale[1], v[2] * scale[2]]).collect();
        let turn = |&[a, b, c]: &[u32; 3]| if mirrored { [a, c, b] } else { [a, b, c] };
        MeshData { vertices, triangles: self.triangles.iter().map(turn).collect() }
    }
}

/// What to do with the length unit that a DAE states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum UnitRule {
    /// Multiply by it, as viewers and simulators do.
    Apply,
    /// Leave it out and warn, as MoveIt does; scales in its scenes make up for it.
    Ignore,
}
