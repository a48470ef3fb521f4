//! Writers of every format, as simple as they can be.

pub use elbowroom_testkit::numpy::save_rows as npy;

/// A point with other fields around it, as a PCD of this kind of data writes it: an intensity of two bytes,
/// z, three bytes of padding, x and y in f64, all little-endian.
pub fn pcd(points: &[[f64; 3]], data: &str) -> Vec<u8> {
    let n = points.len();
    let mut out = format!(
        "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\nFIELDS intensity z _ x y\n\
         SIZE 2 4 1 8 8\nTYPE U F U F F\nCOUNT 1 1 3 1 1\nWIDTH {n}\nHEIGHT 1\n\
         VIEWPOINT 0 0 0 1 0 0 0\nPOINTS {n}\nDATA {data}\n"
    )
    .into_bytes();
    match data {
        "ascii" => {
            for [x, y, z] in points {
                out.extend(format!("7 {z} 0 0 0 {x} {y}\n").bytes());
            }
        }
        "binary" => {
            for [x, y, z] in points {
                out.extend(7_u16.to_le_bytes());
                out.extend((*z as f32).to_le_bytes());
                out.extend([0; 3]);
                out.extend([*x, *y].iter().flat_map(|v| v.to_le_bytes()));
            }
            // PCL fills up the last page.
            out.extend([0; 100]);
        }
        _ => {
            let mut fields: Vec<u8> = points.iter().flat_map(|_| 7_u16.to_le_bytes()).collect();
            fields.extend(points.iter().flat_map(|p| (p[2] as f32).to_le_bytes()));
            fields.extend(points.iter().flat_map(|p| p[0].to_le_bytes()));
            fields.extend(points.iter().flat_map(|p| p[1].to_le_bytes()));
            let packed = lzf(&fields);
            out.extend((packed.len() as u32).to_le_bytes());
            out.extend((fields.len() as u32).to_le_bytes());
            out.extend(packed);
        }
    }
    out
}

/// Packed as PCL packs: the longest copy of what came before, or a literal byte.
pub fn lzf(bytes: &[u8]) -> Vec<u8> {
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let copy = (1..=at.min(300)).map(|distance| {
            let same =
                (0..264.min(bytes.len() - at)).take_while(|k| bytes[at + k] == bytes[at + k - distance]);
            (same.count(), distance)
        });
        match copy.max_by_key(|(length, distance)| (*length, usize::MAX - distance)) {
            Some((length, distance)) if length >= 3 => {
                let (short, far) = (length - 2, distance - 1);
                out.push(((short.min(7) << 5) | (far >> 8)) as u8);
                out.extend((short >= 7).then(|| (short - 7) as u8));
                out.push((far & 255) as u8);
                at += length;
            }
            _ => {
                out.extend([0, bytes[at]]);
                at += 1;
            }
        }
    }
    out
}

/// Vertices behind an element that has a list, with a list in each of them, and faces at the end; in
/// `ascii`, `binary_little_endian` or `binary_big_endian`.
pub fn ply(points: &[[f64; 3]], format: &str) -> Vec<u8> {
    let n = points.len();
    let mut out = format!(
        "ply\nformat {format} 1.0\ncomment a cloud\nelement camera 2\nproperty list uchar short pixels\n\
         property uchar lens\nelement vertex {n}\nproperty uchar red\nproperty double y\nproperty float z\n\
         property list ushort int seen\nproperty double x\nelement face 1\n\
         property list uchar int vertex_indices\nend_header\n"
    )
    .into_bytes();
    if format == "ascii" {
        out.extend(b"3 -1 2 -3 9\n0 8\n");
        for [x, y, z] in points {
            out.extend(format!("255 {y} {z} 2 5 6 {x}\n").bytes());
        }
        out.extend(b"3 0 0 0\n");
        return out;
    }
    let big = format == "binary_big_endian";
    let mut number = |bytes: &[u8]| {
        if big { out.extend(bytes.iter().rev()) } else { out.extend(bytes) }
    };
    number(&[3]);
    [-1_i16, 2, -3].iter().for_each(|v| number(&v.to_le_bytes()));
    number(&[9]);
    number(&[0]);
    number(&[8]);
    for [x, y, z] in points {
        number(&[255]);
        number(&y.to_le_bytes());
        number(&(*z as f32).to_le_bytes());
        number(&2_u16.to_le_bytes());
        [5_i32, 6].iter().for_each(|v| number(&v.to_le_bytes()));
        number(&x.to_le_bytes());
    }
    number(&[3]);
    [0_i32; 3].iter().for_each(|v| number(&v.to_le_bytes()));
    out
}

/// A cube of an OctoMap.
pub enum Cube {
    Unknown,
    Free,
    Occupied,
    Parts(Box<[Cube; 8]>),
}

impl Cube {
    /// Nodes of the tree; what is unknown is none.
    pub fn nodes(&self) -> usize {
        match self {
            Cube::Unknown => 0,
            Cube::Free | Cube::Occupied => 1,
            Cube::Parts(parts) => 1 + parts.iter().map(Cube::nodes).sum::<usize>(),
        }
    }

    fn bits(&self, out: &mut Vec<u8>) {
        let Cube::Parts(parts) = self else { return };
        let mut kinds = 0_u16;
        for (k, part) in parts.iter().enumerate() {
            kinds |= match part {
                Cube::Unknown => 0,
                Cube::Free => 1,
                Cube::Occupied => 2,
                Cube::Parts(_) => 3,
            } << (2 * k);
        }
        out.extend(kinds.to_le_bytes());
        parts.iter().for_each(|part| part.bits(out));
    }

    fn log_odds(&self, more: &[u8], out: &mut Vec<u8>) {
        let (value, parts) = match self {
            Cube::Unknown => return,
            Cube::Free => (-2.0_f32, &[][..]),
            // Exactly one half is occupied, as OctoMap has it.
            Cube::Occupied => (0.0, &[][..]),
            // What a node with children has says nothing.
            Cube::Parts(parts) => (f32::NAN, &parts[..]),
        };
        out.extend(value.to_le_bytes());
        out.extend(more);
        let children = parts.iter().enumerate().map(|(k, part)| u8::from(part.nodes() > 0) << k);
        out.push(children.sum());
        parts.iter().for_each(|part| part.log_odds(more, out));
    }
}

/// A `.bt` of a tree, with this line id and so many nodes by its header.
pub fn bt(tree: &Cube, resolution: f64, id: &str, size: usize) -> Vec<u8> {
    let mut out = octomap_header("binary file", resolution, id, size);
    tree.bits(&mut out);
    out
}

/// An `.ot` of a tree; a ColorOcTree has colours.
pub fn ot(tree: &Cube, resolution: f64, id: &str, size: usize) -> Vec<u8> {
    let mut out = octomap_header("file", resolution, id, size);
    tree.log_odds(if id == "ColorOcTree" { &[1, 2, 3] } else { &[] }, &mut out);
    out
}

fn octomap_header(kind: &str, resolution: f64, id: &str, size: usize) -> Vec<u8> {
    let text =
        format!("# Octomap OcTree {kind}\n# a remark\n#\nid {id}\nsize {size}\nres {resolution}\ndata\n");
    text.into_bytes()
}

/// A PNG of grey with 16 bits.
pub fn png(columns: u32, rows: u32, values: &[u16]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut encoder = png::Encoder::new(&mut out, columns, rows);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::Sixteen);
    encoder.add_text_chunk("Title".into(), "ground".into()).unwrap();
    let mut writer = encoder.write_header().unwrap();
    let bytes: Vec<u8> = values.iter().flat_map(|value| value.to_be_bytes()).collect();
    writer.write_image_data(&bytes).unwrap();
    writer.finish().unwrap();
    out
}
