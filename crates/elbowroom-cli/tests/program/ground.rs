//! Height fields as ground: `heights` of an obstacle.

use crate::support::{PROBE, checked, folder, run, text};
use serde_json::Value;
use std::path::Path;

/// Millimetres, two rows of three cells; one is unknown.
const FIELD: [[u16; 3]; 2] = [[200, 800, 0], [100, 100, 300]];

/// A chunk of a PNG.
fn chunk(kind: &[u8], data: &[u8]) -> Vec<u8> {
    let body = [kind, data].concat();
    let crc = body.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |c, _| if c & 1 == 1 { c >> 1 ^ 0xedb8_8320 } else { c >> 1 })
    });
    [&(data.len() as u32).to_be_bytes()[..], &body, &(!crc).to_be_bytes()].concat()
}

/// The field as a PNG of 16 bits of grey, not compressed.
fn png() -> Vec<u8> {
    let rows: Vec<u8> = FIELD
        .iter()
        .flat_map(|row| [0].into_iter().chain(row.iter().flat_map(|v| v.to_be_bytes())))
        .collect();
    let (a, b) = rows.iter().fold((1_u32, 0_u32), |(a, b), byte| {
        let a = (a + u32::from(*byte)) % 65521;
        (a, (b + a) % 65521)
    });
    let length = rows.len() as u16;
    let stored = [
        &[0x78, 0x01, 0x01][..],
        &length.to_le_bytes(),
        &(!length).to_le_bytes(),
        &rows,
        &(b << 16 | a).to_be_bytes(),
    ];
    let header = [&3_u32.to_be_bytes()[..], &2_u32.to_be_bytes(), &[16, 0, 0, 0, 0]].concat();
    let parts = [chunk(b"IHDR", &header), chunk(b"IDAT", &stored.concat()), chunk(b"IEND", &[])];
    [b"\x89PNG\r\n\x1a\n".to_vec(), parts.concat()].concat()
}

/// The field as numpy.save writes it, in metres, with NaN for what is unknown.
fn npy() -> Vec<u8> {
    let mut out = b"\x93NUMPY\x01\x00\x3e\x00".to_vec();
    out.extend(b"{'descr': '<f8', 'fortran_order': False, 'shape': (2, 3), }  \n");
    let metres = |v: &u16| if *v == 0 { f64::NAN } else { f64::from(*v) * 1e-3 };
    out.extend(FIELD.iter().flatten().flat_map(|v| metres(v).to_le_bytes()));
    out
}

fn check(folder: &Path, heights: &str, more: &[&str]) -> (Option<i32>, Vec<Value>, String) {
    let cell = format!(
        "[[robot]]\nurdf = \"arm.urdf\"\n[[obstacle]]\nname = \"ground\"\nxyz = [0, -0.25, 0]\n\
         heights = {{ {heights} }}\n"
    );
    std::fs::write(folder.join("ground.toml"), cell).unwrap();
    checked(folder, "ground.toml", more)
}

#[test]
fn ground_is_checked() {
    let folder = folder("ground");
    std::fs::write(folder.join("arm.urdf"), PROBE).unwrap();
    std::fs::write(folder.join("ground.png"), png()).unwrap();
    std::fs::write(folder.join("ground.npy"), npy()).unwrap();
    let far = |dx: f64, dy: f64, dz: f64| (dx * dx + dy * dy + dz * dz).sqrt() - 0.03;
    let at = ["--at", "0.25", "--at", "1.25"];
    // Below the probe is the second row; beside it, at y from 0.25 on, the first one.
    let [first, second] = [far(0.25, 0.25, 0.2), far(0.0, 0.25, 0.2)];
    for heights in [
        "file = \"ground.png\", cell = 0.5, scale = 0.001, unknown_value = 0",
        "file = \"ground.npy\", cell = 0.5, scale = 1",
    ] {
        let ask = |more: &str| {
            let (code, lines, said) = check(&folder, &format!("{heights}{more}"), &at);
            assert_eq!((code, lines.len()), (Some(0), 2), "{said}");
            assert_eq!(lines[0]["pair"], serde_json::json!(["arm/probe", "world/ground"]));
            (lines.iter().map(|line| line["distance"].as_f64().unwrap()).collect::<Vec<_>>(), said)
        };
        let same = |found: &[f64], wanted: [f64; 2]| {
            assert!(found.iter().zip(wanted).all(|(a, b)| (a - b).abs() < 1e-9), "{found:?}, not {wanted:?}");
        };
        let (found, said) = ask("");
        same(&found, [first, second]);
        assert!(said.contains("1 of 6 heights is unknown; they count as high as the highest"), "{said}");
        let (found, said) = ask(", unknown = \"free\"");
        same(&found, [first, first]);
        assert!(said.contains("1 of 6 heights is unknown; they count as free"), "{said}");
        // The other way round the first row is below the probe.
        same(&ask(", first_row = \"bottom\"").0, [far(0.25, 0.0, 0.2), far(0.0, 0.0, 0.2)]);
        // Raised, turned, and padded.
        same(
            &ask(", xyz = [0, 0, 0.1], padding = 0.05").0,
            [far(0.25, 0.25, 0.1) - 0.05, far(0.0, 0.25, 0.1) - 0.05],
        );
    }
    // Below the heights all is solid, down to the bottom.
    let deep = "file = \"ground.npy\", cell = 0.5, scale = 1, xyz = [0, 0, 1.5], bottom = ";
    for (bottom, code) in [("-1", Some(1)), ("-0.2", Some(0))] {
        let (found, lines, said) = check(&folder, &format!("{deep}{bottom}"), &at);
        assert_eq!(found, code, "{said}");
        assert!(lines.iter().all(|line| (line["verdict"] == "collision") == (code == Some(1))), "{lines:?}");
    }
    let (code, _, said) = check(&folder, &format!("{deep}0.2"), &at);
    assert!(
        code == Some(2) && said.contains("obstacle \"ground\", heights: the bottom is at 0.2 m"),
        "{said}"
    );
    let info = text(&run(&folder, &["info", "ground.toml", "--json", "-"]).stdout);
    assert!(info.is_empty(), "it is refused");
}
