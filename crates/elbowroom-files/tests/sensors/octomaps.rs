//! OctoMap files of both kinds: what is read, and what is refused.

use crate::rng::Rng;
use crate::support::{data, refused};
use crate::write::{Cube, bt, ot};
use elbowroom_files::octomap::{Cell, OctoMap, load_octomap, load_octomap_from};
use elbowroom_files::source::InMemory;
use elbowroom_files::{Faults, Loaded, Options};
use std::path::{Path, PathBuf};

fn load(bytes: &[u8]) -> Result<Loaded<OctoMap>, Faults> {
    let files = InMemory([(PathBuf::from("a.bt"), bytes.to_vec())].into());
    load_octomap_from(&files, Path::new("a.bt"), &Options::default())
}

/// A random tree with at least one part that is known, at most so many levels deep.
fn drawn(rng: &mut Rng, levels: u32) -> Cube {
    loop {
        let parts = [(); 8].map(|()| match rng.below(8) {
            0..3 => Cube::Unknown,
            3 | 4 => Cube::Free,
            5 | 6 => Cube::Occupied,
            _ if levels > 1 => drawn(rng, levels - 1),
            _ => Cube::Occupied,
        });
        if parts.iter().any(|part| part.nodes() > 0) {
            return Cube::Parts(Box::new(parts));
        }
    }
}

/// One part of each level has parts, down to the last level; the others are unknown.
fn chain(levels: u32, which: usize) -> Cube {
    let mut tree = Cube::Occupied;
    for _ in 0..levels {
        let mut parts = [(); 8].map(|()| Cube::Unknown);
        parts[which] = tree;
        tree = Cube::Parts(Box::new(parts));
    }
    tree
}

/// The cells of a tree, by their definition.
fn cells(tree: &Cube, low: [f64; 3], edge: f64, map: &mut OctoMap) {
    let centre = low.map(|v| v + 0.5 * edge);
    match tree {
        Cube::Unknown => {}
        Cube::Free => map.free.push(Cell { centre, edge }),
        Cube::Occupied => map.occupied.push(Cell { centre, edge }),
        Cube::Parts(parts) => {
            for (k, part) in parts.iter().enumerate() {
                let far = |axis: usize| if k >> axis & 1 == 1 { centre[axis] } else { low[axis] };
                cells(part, [far(0), far(1), far(2)], 0.5 * edge, map);
            }
        }
    }
}

fn sorted(mut cells: Vec<Cell>) -> Vec<Cell> {
    cells.sort_by(|a, b| a.centre.partial_cmp(&b.centre).unwrap());
    cells
}

#[test]
fn what_is_written_is_read() {
    let mut rng = Rng::new(21);
    let mut trees: Vec<Cube> = (0..200).map(|k| drawn(&mut rng, 1 + k % 6)).collect();
    trees.extend((1..=16).flat_map(|levels| [0, 5, 7].map(|which| chain(levels, which))));
    for tree in &trees {
        // A power of two: all centres are exact.
        let resolution = 0.0625;
        let mut expected = OctoMap { resolution, ..OctoMap::default() };
        cells(tree, [-2048.0; 3], 4096.0, &mut expected);
        let (free, occupied) = (sorted(expected.free), sorted(expected.occupied));
        for id in ["OcTree", "OcTreeStamped", "ColorOcTree", "1"] {
            for write in [bt, ot] {
                let loaded = load(&write(tree, resolution, id, tree.nodes())).unwrap();
                assert!(loaded.warnings.is_empty());
                let map = loaded.value;
                assert_eq!(
                    (map.resolution, sorted(map.free), sorted(map.occupied)),
                    (resolution, free.clone(), occupied.clone()),
                    "{id}"
                );
            }
        }
    }
    // One cell of the finest level in the corner of all: its edge is the resolution.
    let map = load(&bt(&chain(16, 7), 0.1, "OcTree", 17)).unwrap().value;
    assert_eq!(map.occupied, [Cell { centre: [32767.5 * 0.1; 3], edge: 0.1 }]);
    // The root may be all there is of an .ot.
    let map = load(&ot(&Cube::Occupied, 0.5, "OcTree", 1)).unwrap().value;
    assert_eq!(map.occupied, [Cell { centre: [0.0; 3], edge: 32768.0 }]);
}

#[test]
fn faulty_maps_are_refused() {
    let mut parts = [(); 8].map(|()| Cube::Free);
    parts[3] = chain(1, 2);
    let tree = Cube::Parts(Box::new(parts));
    let sound = bt(&tree, 0.5, "OcTree", 10);
    assert_eq!(load(&sound).unwrap().value.free.len(), 7);
    let text = |from: &str, to: &str| {
        let end = sound.windows(5).position(|w| w == b"data\n").unwrap() + 5;
        let head = String::from_utf8(sound[..end].to_vec()).unwrap();
        assert!(head.contains(from), "{from}");
        [head.replacen(from, to, 1).as_bytes(), &sound[end..]].concat()
    };
    for (from, to, words) in [
        ("# Octomap", "# Octo", "line 1: does not begin with \"# Octomap OcTree\"; give an OctoMap"),
        ("id OcTree", "id SemanticOcTree", "line 4: a tree of the kind \"SemanticOcTree\" is not supported"),
        ("id OcTree\n", "", "its header has no line id"),
        ("size 10\n", "", "its header has no line size"),
        ("res 0.5\n", "", "its header has no line res"),
        ("res 0.5\n", "res 0.5\nres 0.5\n", "line 7: res comes a second time"),
        ("size 10", "size 9", "its header counts 9 nodes, and its tree has 10 nodes"),
        ("size 10", "size 0", "line 5: the map is empty"),
        ("size 10", "size -1", "line 5: \"-1\" is not a number of nodes"),
        ("size 10", "size 1000000000000", "counts 1000000000000 nodes"),
        ("res 0.5", "res 0", "line 6: \"0\" is not a resolution"),
        ("res 0.5", "res nan", "\"nan\" is not a resolution"),
        ("res 0.5", "res 1e300", "\"1e300\" is not a resolution from 1e-9 to 1e9 m"),
        ("res 0.5", "rez 0.5", "line 6: \"rez 0.5\" does not belong in the header"),
        ("data\n", "", "does not belong in the header"),
    ] {
        refused(words, load(&text(from, to)), &[words]);
    }
    assert_eq!(load(&text("id OcTree\nsize 10\nres 0.5", "id 7\nsize x\nres -1")).unwrap_err().0.len(), 3);
    assert_eq!(load(&text("# a remark\n#\n", "\r\n")).unwrap().value, load(&sound).unwrap().value);
    refused("empty", load(b""), &["line 1: this file is empty"]);
    refused("old", load(&[3, 0, 0, 0, 1, 2, 3, 4]), &["outdated format", "convert_octree"]);
    refused("head", load(&sound[..60]), &["its header ends without a line data"]);
    let cut = format!("byte {}: is cut off in its tree, after 9 nodes", sound.len() - 2);
    refused("cut", load(&sound[..sound.len() - 1]), &[&cut]);
    let longer = load(&[&sound[..], b"abc"].concat()).unwrap();
    assert_eq!(
        longer.warnings[0].to_string(),
        format!("a.bt: byte {}: 3 bytes behind the tree are ignored", sound.len())
    );
    for (tree, words) in [
        (Cube::Parts(Box::new([(); 8].map(|()| Cube::Unknown))), "the tree is nothing but its root"),
        (chain(17, 0), "a node lies deeper than 16 levels"),
    ] {
        refused(words, load(&bt(&tree, 0.5, "OcTree", tree.nodes())), &[words]);
    }
    refused("deep", load(&ot(&chain(17, 7), 0.5, "OcTree", 18)), &["a node lies deeper than 16 levels"]);
    let mut childless = bt(&chain(2, 0), 0.5, "OcTree", 3);
    let end = childless.len();
    childless[end - 2] = 0;
    refused("childless", load(&childless), &[&format!("byte {}: a node has no children", end - 2)]);
    // Log-odds that are none: each is told.
    let parts = [(); 8].map(|()| Cube::Free);
    let mut odds = ot(&Cube::Parts(Box::new(parts)), 0.5, "OcTree", 9);
    let end = odds.len();
    for k in [1, 6] {
        odds[end - 5 * k..][..4].copy_from_slice(&f32::NAN.to_le_bytes());
    }
    assert_eq!(load(&odds).unwrap_err().0.len(), 2);
    refused("odds", load(&odds), &[&format!("byte {}: the log-odds of a cell are not a number", end - 5)]);
}

/// A file that is cut anywhere, or has a wrong byte, is refused or read; it never does harm.
#[test]
fn cut_and_mangled_maps_do_no_harm() {
    let mut rng = Rng::new(22);
    let (mut read, mut refused) = (0, 0);
    for _ in 0..20 {
        let tree = drawn(&mut rng, 4);
        for bytes in [bt(&tree, 0.1, "OcTree", tree.nodes()), ot(&tree, 0.1, "ColorOcTree", tree.nodes())] {
            for end in 0..bytes.len() {
                assert!(load(&bytes[..end]).is_err(), "cut to {end} bytes");
            }
            for _ in 0..500 {
                let (mut bytes, at) = (bytes.clone(), rng.below(bytes.len()));
                bytes[at] ^= 1 << rng.below(8);
                match load(&bytes) {
                    Ok(loaded) => {
                        read += 1;
                        let map = loaded.value;
                        assert!(map.occupied.iter().chain(&map.free).all(|c| c.edge >= map.resolution));
                    }
                    Err(faults) => {
                        refused += 1;
                        assert!(faults.0.len() < 25 && faults.0.iter().all(|f| !f.help.is_empty()));
                    }
                }
            }
        }
    }
    assert!(read > 1000 && refused > 1000, "{read} read, {refused} refused");
}

/// Noise behind a sound header ends where it contradicts itself.
#[test]
fn noise_is_no_map() {
    let mut rng = Rng::new(23);
    for kind in ["binary file", "file"] {
        for byte in [None, Some(0xff), Some(0x55), Some(0)] {
            let mut bytes =
                format!("# Octomap OcTree {kind}\nid OcTree\nsize 5\nres 0.1\ndata\n").into_bytes();
            bytes.extend((0..2_000_000).map(|_| byte.unwrap_or(rng.bits() as u8)));
            assert!(load(&bytes).is_err());
        }
    }
}

/// Real maps, as OctoMap's own library (pyoctomap) reads them: cells, their volume, and where they lie.
#[test]
fn real_maps_are_read() {
    let Some(data) = data() else { return };
    let load = |file: &str| {
        let path = data.join("scenes/octomap_pointclouds").join(file);
        let loaded = load_octomap(&path, &Options::default()).unwrap_or_else(|faults| panic!("{faults}"));
        assert!(loaded.warnings.is_empty(), "{file}: {:?}", loaded.warnings);
        loaded.value
    };
    for (file, resolution, counts, volumes, sum, low, high) in REAL {
        let map = load(file);
        assert_eq!((map.resolution, [map.occupied.len(), map.free.len()]), (resolution, counts), "{file}");
        let volume = |cells: &[Cell]| cells.iter().map(|c| c.edge * c.edge * c.edge).sum::<f64>();
        let near = |a: f64, b: f64, scale: f64| assert!((a - b).abs() <= 1e-6 * scale, "{file}: {a} {b}");
        near(volume(&map.occupied), volumes[0], 100.0);
        near(volume(&map.free), volumes[1], 500.0);
        for axis in 0..3 {
            near(map.occupied.iter().map(|c| c.centre[axis]).sum(), sum[axis], 1e6);
            let ends = |side: f64| map.occupied.iter().map(move |c| c.centre[axis] + side * c.edge);
            near(ends(-0.5).fold(f64::MAX, f64::min), low[axis], 10.0);
            near(ends(0.5).fold(f64::MIN, f64::max), high[axis], 10.0);
        }
    }
    let [a, b] = ["tesseract/box_2m.bt", "tesseract/box_2m_converted.ot"].map(load);
    assert_eq!(sorted(a.occupied), sorted(b.occupied));
    assert!(a.free.is_empty() && b.free.is_empty());
}

type Real = (&'static str, f64, [usize; 2], [f64; 2], [f64; 3], [f64; 3], [f64; 3]);

/// Resolution, occupied and free cells, their volumes; and of the occupied ones the sum of all centres, and
/// the least and the largest corner.
const REAL: [Real; 3] = [
    (
        "octomap/geb079.bt",
        0.08,
        [143729, 284415],
        [95.06457600006752, 486.788608001023],
        [1770569.4793165475, 8510.36052402854, 188572.8399597481],
        [-8.000000038146972, -7.520000019073486, -0.3200000011920929],
        [30.960000076293944, 7.440000095367432, 2.799999990463257],
    ),
    (
        "tesseract/blender_monkey.bt",
        0.00667572,
        [414194, 0],
        [4.247123745771243, 0.0],
        [-2550.412227869034, 35458.801882214844, 368478.6787530109],
        [-1.715660095107422, -1.341819763076172, -0.013351440322265625],
        [1.7023086546777344, 1.2683868407128907, 1.9760130642770386],
    ),
    ("tesseract/box_2m.bt", 0.5, [8, 0], [8.0, 0.0], [0.0; 3], [-1.0; 3], [1.0; 3]),
];
