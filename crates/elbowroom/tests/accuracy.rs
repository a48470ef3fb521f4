//! Writes ACCURACY.md: how wide the engine's intervals are and how far their ends lie from the truth, for
//! every pair of kinds.
//!
//! The committed table must be the one that is measured; `ELBOWROOM_BLESS=1` writes it anew.
use elbowroom_testkit as support;

use elbowroom::pair::Stop;
use elbowroom_reference::ROUNDING;
use std::fmt::Write;
use support::cases::{Put, draw_facing_pair, draw_squared_pair};
use support::engine::{self, on_threads};
use support::rng::Rng;
use support::shapes::Kind;
use support::slow::{prepare, truth_of};
use support::threads::core_count;

/// The kinds of the outward contract, and what stands for each.
const ROWS: [(&str, &[Kind]); 8] = [
    ("sphere", &[Kind::Sphere]),
    ("box", &[Kind::Box]),
    ("capsule", &[Kind::Capsule]),
    ("cylinder", &[Kind::Cylinder]),
    ("cone", &[Kind::Cone]),
    ("ellipsoid", &[Kind::Ellipsoid]),
    ("convex", &[Kind::Cloud, Kind::Prism, Kind::Grid, Kind::Polygon, Kind::Segment, Kind::Point]),
    ("mesh", &[Kind::ClosedMesh, Kind::Bracket, Kind::OpenMesh]),
];
const COLUMNS: [&str; 4] = ["separated", "touching", "shallow", "deep"];
/// Cases a pair of kinds: in random poses, and squared up.
const RANDOM: u64 = 160;
const SQUARED: u64 = 80;
const CASES: u64 = RANDOM + SQUARED;

/// Worst width, worst error and number of cases of a cell; and of those whose truth is only bracketed the
/// worst width.
#[derive(Clone, Copy, Default)]
struct Cell {
    width: f64,
    error: f64,
    cases: u32,
    open_width: f64,
    open: u32,
}

/// `1e-k` with the smallest k that is not below the value.
fn power(x: f64) -> String {
    if x.is_nan() || x.is_infinite() {
        return "none".into();
    }
    let k = (-17..4).find(|&k| x <= format!("1e{k}").parse().unwrap()).unwrap_or(4);
    format!("1e{k}")
}

fn measure(row: usize, column: usize, i: u64, engine: &mut engine::Engine) -> Option<(usize, Cell)> {
    let rng = &mut Rng::new((row as u64) << 40 | (column as u64) << 32 | i);
    let kinds = [rng.pick(ROWS[row].1), rng.pick(ROWS[column].1)];
    let put = [Put::Clear, Put::Near, Put::Touching, Put::Shallow, Put::Deep][(i % 5) as usize];
    let c = if i < RANDOM {
        draw_facing_pair(kinds, rng.decades(-3.0, 3.0), put, rng)
    } else {
        draw_squared_pair(kinds, put, rng)
    };
    let (a, b) = (prepare(&c.a, c.padding[0])?, prepare(&c.b, c.padding[1])?);
    let t = truth_of(&a, &b, &c.b_in_a());
    let answer = engine.distance(&engine::compile_pair(&c).ok()?, &c.b_in_a());
    // Unknown on purpose, whatever is known of the surface.
    if answer.stop == Stop::ShutIn {
        return None;
    }
    let middle = 0.5 * (t.lower + t.upper);
    let class = if t.lower <= 1e-11 * t.scale && t.upper >= -1e-11 * t.scale {
        1
    } else if middle > 0.0 {
        0
    } else if -middle <= 0.03 * a.reach.min(b.reach) {
        2
    } else {
        3
    };
    let width = answer.interval.width() / t.scale;
    let mut cell = Cell::default();
    if t.upper - t.lower <= 1e-10 * t.scale {
        // The truth is not known better than its own bracket.
        let error =
            (answer.interval.upper - t.lower).max(t.upper - answer.interval.lower) - (t.upper - t.lower);
        (cell.width, cell.error, cell.cases) = (width, (error / t.scale).max(ROUNDING), 1);
    } else {
        (cell.open_width, cell.open) = (width, 1);
    }
    Some((class, cell))
}

#[test]
fn the_table_is_true() {
    let mut text = String::from(include_str!("support/accuracy_head.md"));
    let _ = writeln!(text, "| pair | {} |\n|---|---|---|---|---|", COLUMNS.join(" | "));
    let pairs: Vec<(usize, usize)> = (0..8).flat_map(|r| (r..8).map(move |c| (r, c))).collect();
    let n = pairs.len() as u64 * CASES;
    let measured = on_threads(n, core_count(), |i, engine| {
        let (row, column) = pairs[(i / CASES) as usize];
        measure(row, column, i % CASES, engine)
    });
    for (p, (row, column)) in pairs.iter().enumerate() {
        let mut cells = [Cell::default(); 4];
        for (class, c) in measured[p * CASES as usize..(p + 1) * CASES as usize].iter().flatten() {
            let cell = &mut cells[*class];
            let max = |a: f64, b: f64| if a.is_nan() || b.is_nan() { f64::NAN } else { a.max(b) };
            cell.width = max(cell.width, c.width);
            cell.error = max(cell.error, c.error);
            cell.open_width = max(cell.open_width, c.open_width);
            cell.cases += c.cases;
            cell.open += c.open;
        }
        let _ = write!(text, "| {} - {} |", ROWS[*row].0, ROWS[*column].0);
        for c in cells {
            let mut words = Vec::new();
            if c.cases > 0 {
                words.push(format!("{} / {}", power(c.width), power(c.error)));
            }
            if c.open > 0 {
                words.push(format!("({})", power(c.open_width)));
            }
            let _ = write!(text, " {} |", if words.is_empty() { "-".into() } else { words.join(" ") });
        }
        text.push('\n');
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../ACCURACY.md");
    if std::env::var_os("ELBOWROOM_BLESS").is_some() {
        std::fs::write(path, &text).unwrap();
        return;
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    for (old, new) in committed.lines().zip(text.lines()) {
        assert_eq!(old, new, "ACCURACY.md is not what is measured; ELBOWROOM_BLESS=1 writes it anew");
    }
    assert_eq!(committed.lines().count(), text.lines().count(), "ACCURACY.md is not what is measured");
}
