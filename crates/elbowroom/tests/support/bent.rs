/// Two cubes joined at right angles: closed, and not convex.
fn bent(size: f64) -> ShapeDescription {
    let outline = [[0.0, 0.0], [2.0, 0.0], [2.0, 1.0], [1.0, 1.0], [1.0, 2.0], [0.0, 2.0]];
    let vertices: Vec<[f64; 3]> =
        [0.0, 1.0].iter().flat_map(|z| outline.map(|[x, y]| [x * size, y * size, z * size])).collect();
    let mut triangles = Vec::new();
    for i in 0..6_u32 {
        let j = (i + 1) % 6;
        triangles.extend([[i, j, j + 6], [i, j + 6, i + 6]]);
    }
    for [a, b, c] in [[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]] {
        triangles.extend([[a, c, b], [a + 6, b + 6, c + 6]]);
    }
    ShapeDescription::Mesh { vertices, triangles }
}
