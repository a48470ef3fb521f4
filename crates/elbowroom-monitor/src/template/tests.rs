use super::*;
use elbowroom::math::Random;

const INCHES: Units = Units { metres: INCH, anchor: Anchor::LeastCorner };
const METRES: Units = Units { metres: 1.0, anchor: Anchor::LeastCorner };

/// As the paper prints it, with its missing brackets.
const PRINTED: &str = "(table\n ((table-top\n (supporting (30 42 4) (60 50 34))\n (30 42 38) (60 50 0))\n";
/// The table of [`PRINTED`] with all of its brackets.
const CLOSED: &str = "(table ((table-top (supporting (30 42 4) (60 50 34)))) (30 42 38) (60 50 0))";

fn near(a: &Extent, least: [f64; 3], most: [f64; 3]) -> bool {
    let ends = a.least.iter().zip(least).chain(a.most.iter().zip(most));
    ends.fold(true, |all, (a, b)| all && (a - b * INCH).abs() < 1e-12)
}

/// Line, column and words of each fault.
fn faults(text: &str) -> Vec<(usize, usize, String)> {
    let Err(Faults(faults)) = read(text.as_bytes(), &METRES) else { return Vec::new() };
    faults
        .into_iter()
        .map(|fault| match fault.place {
            Place::At { line, column } => (line, column, format!("{}; {}", fault.what, fault.help)),
            Place::Whole | Place::Field(_) | Place::Row { .. } => (0, 0, fault.to_string()),
        })
        .collect()
}

#[test]
fn the_papers_table_is_read_as_it_is_printed_and_as_it_is_meant() {
    let printed = read(PRINTED.as_bytes(), &INCHES).unwrap();
    let closed = read(CLOSED.as_bytes(), &INCHES).unwrap();
    assert_eq!(printed.bodies, closed.bodies);
    assert!(closed.warnings.is_empty());
    let [warning] = &*printed.warnings else { panic!("{:?}", printed.warnings) };
    assert_eq!(warning.place, Place::At { line: 4, column: 2 });
    assert!(warning.what.starts_with("2 closing brackets"), "{warning}");

    let [table] = &*closed.bodies else { panic!("{closed:?}") };
    assert_eq!((&*table.name, table.role, table.parts.len()), ("table", Role::Neither, 1));
    assert!(near(&table.extent, [60.0, 50.0, 0.0], [90.0, 92.0, 38.0]), "{table:?}");
    let top = &table.parts[0];
    assert_eq!((&*top.name, top.role), ("table-top", Role::Supporting));
    assert!(near(&top.extent, [60.0, 50.0, 34.0], [90.0, 92.0, 38.0]), "{top:?}");
}

#[test]
fn one_bracket_too_few_is_read_too() {
    let text = "(table ((top (supporting (30 42 4) (60 50 34))) (30 42 38) (60 50 0))";
    let read = read(text.as_bytes(), &INCHES).unwrap();
    assert_eq!(
        read.bodies,
        super::read(CLOSED.replace("table-top", "top").as_bytes(), &INCHES).unwrap().bodies
    );
    assert!(read.warnings[0].what.starts_with("1 closing"), "{:?}", read.warnings);
}

#[test]
fn both_forms_roles_comments_and_several_bodies() {
    let text = "; the paper's cell\n(oru (manipulating (1 2 3) (4 5 6))) ; a box\n(wall (neither (1 1 1) \
                (0 0 0)))\n(stand () (1 1 1) (0 0 -1))(box ((handle (manipulating (.1 0.1 1e-1) (0.2 0 0)))\
                (lid (supporting (1 1 .1) (0 0 0.9)))) (1 1 1) (0 0 0))";
    let read = read(text.as_bytes(), &METRES).unwrap();
    let roles: Vec<_> = read.bodies.iter().map(|b| (&*b.name, b.role, b.parts.len())).collect();
    let want = [
        ("oru", Role::Manipulating, 0),
        ("wall", Role::Neither, 0),
        ("stand", Role::Neither, 0),
        ("box", Role::Neither, 2),
    ];
    assert_eq!(roles, want);
    assert_eq!(read.bodies[0].extent, Extent { least: [4.0, 5.0, 6.0], most: [5.0, 7.0, 9.0] });
}

#[test]
fn a_position_is_a_corner_or_the_middle_of_the_foot() {
    let units = Units { metres: INCH, anchor: Anchor::FootCentre };
    let read = read(CLOSED.as_bytes(), &units).unwrap();
    assert!(near(&read.bodies[0].extent, [45.0, 29.0, 0.0], [75.0, 71.0, 38.0]));
}

#[test]
fn every_fault_has_its_place_and_cure() {
    for (text, line, column, word) in [
        (")", 1, 1, "closes nothing"),
        ("table", 1, 1, "outside of any list"),
        ("\n (a (supporting (1 1 1) (0 0 0))", 2, 2, "never closed"),
        ("()", 1, 1, "empty"),
        ("(7 (supporting (1 1 1) (0 0 0)))", 1, 2, "begins with its name"),
        ("(a)", 1, 1, "neither of the two forms"),
        ("(a (supporting (1 1 1) (0 0 0)) (1 1 1))", 1, 1, "neither of the two forms"),
        ("(a (holding (1 1 1) (0 0 0)))", 1, 5, "supporting, manipulating or neither"),
        ("(a (supporting (1 1 1)))", 1, 4, "dimension and a position"),
        ("(a (supporting (1 1) (0 0 0)))", 1, 16, "three numbers"),
        ("(a (supporting (1 1 0) (0 0 0)))", 1, 21, "above zero"),
        ("(a (supporting (1 1 -2) (0 0 0)))", 1, 21, "above zero"),
        ("(a (supporting (1 1 nan) (0 0 0)))", 1, 21, "no number"),
        ("(a (supporting (1 1 1) (0 0 1e999)))", 1, 29, "no number"),
        ("(a (supporting (1 1 1) (0 0 3in)))", 1, 29, "no number"),
        ("(a (supporting (1 1 1) (0 0 1e7)))", 1, 16, "beyond"),
        ("(a (supporting (1 1 1e-14) (0 0 1e3)))", 1, 16, "thin"),
        ("(a ((b (supporting (1 1 1) (0 0 0.5)))) (1 1 1) (0 0 0))", 1, 5, "reaches out"),
        ("(a ((b (supporting (1 1 1) (0 0 0)) c)) (1 1 1) (0 0 0))", 1, 5, "2 items"),
        ("(a (b) (1 1 1) (0 0 0))", 1, 1, "neither of the two forms"),
        ("(a ((((((b)))))) (1 1 1) (0 0 0))", 1, 8, "deeper"),
        ("(a\u{1b}[31m (neither (1 1 1) (0 0 0)))", 1, 2, "\\u{1b}"),
        ("(é (neither (1 1 x) (0 0 0)))", 1, 18, "`x`"),
        ("(a (neither (1 1 1) (0 0 0)))\n(a (neither (1 1 1) (2 0 0)))", 2, 2, "line 1, column 2"),
        ("(a ((b (neither (1 1 1) (0 0 0)))(b (neither (1 1 1) (0 0 0)))) (1 1 1) (0 0 0))", 1, 35, "before"),
    ] {
        let found = faults(text);
        let hit = found.iter().any(|(l, c, words)| (*l, *c) == (line, column) && words.contains(word));
        assert!(hit, "{text:?}: wanted {line}:{column} {word:?}, got {found:?}");
        assert!(found.iter().all(|(_, _, words)| words.contains("; ")), "a cure: {found:?}");
    }
    assert_eq!(read(b"(a \xff", &METRES).unwrap_err().0[0].place, Place::At { line: 1, column: 4 });
    for metres in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let units = Units { metres, anchor: Anchor::LeastCorner };
        assert_eq!(read(b"", &units).unwrap_err().0.len(), 1);
    }
}

#[test]
fn all_faults_come_at_once_and_not_without_end() {
    let text = "(a (holding (1 x 1) (0 0)))\n(b ((c (supporting (0 1 1) (0 0 0))) d) (1 1) (0 0 0))\n)";
    // By where they are found: brackets first.
    let places: Vec<_> = faults(text).iter().map(|(line, column, _)| (*line, *column)).collect();
    assert_eq!(places, [(3, 1), (1, 5), (1, 16), (1, 21), (2, 21), (2, 38), (2, 41)]);
    let many = faults(&")".repeat(1000));
    assert_eq!(many.len(), limits::FAULTS + 1);
    assert!(many[limits::FAULTS].2.starts_with("900 more"), "{:?}", many[limits::FAULTS]);
}

#[test]
fn size_and_depth_are_bounded() {
    let long = vec![b' '; limits::TEMPLATE_BYTES + 1];
    assert!(read(&long, &METRES).unwrap_err().0[0].what.contains("bytes"));
    assert_eq!(read(&long[1..], &METRES).unwrap().bodies, []);
    let deep = "(".repeat(limits::TEMPLATE_BYTES);
    assert_eq!(faults(&deep).len(), 2, "too deep, and never closed");
    let name = format!("({} (neither (1 1 1) (0 0 0)))", "n".repeat(limits::NAME_BYTES + 1));
    assert!(faults(&name)[0].2.contains("at most"));
    // As many bodies as a text holds.
    let mut text = String::new();
    for number in 0.. {
        let body = format!("(b{number}(neither(1 1 1)(0 0 0)))");
        if text.len() + body.len() > limits::TEMPLATE_BYTES {
            break;
        }
        text.push_str(&body);
    }
    assert!(read(text.as_bytes(), &METRES).unwrap().bodies.len() > 30_000);
}

#[test]
fn random_bytes_and_spoilt_templates_are_read_or_refused() {
    let mut random = Random(1);
    let mut below = |n: usize| (random.bits() % n as u64) as usize;
    let valid = format!("{CLOSED}(oru (manipulating (1 2 3) (4 5 6)))\n{PRINTED}").into_bytes();
    let bits: [&[u8]; 12] = [
        b"(",
        b")",
        b" ",
        b";",
        b"\n",
        b"(1 2 3)",
        b"-",
        b"1e400",
        b"supporting",
        b"\xc3\xa9",
        b"\xff",
        b"nan",
    ];
    let (mut read_well, mut refused, mut repaired) = (0, 0, 0);
    for round in 0..60_000 {
        let text: Vec<u8> = if round % 3 == 0 {
            let length = below(80);
            (0..length).flat_map(|_| bits[below(bits.len())].iter().copied()).collect()
        } else if round % 97 == 1 {
            (0..below(60)).map(|_| below(256) as u8).collect()
        } else {
            let mut text = valid.clone();
            for _ in 0..=below(3) {
                let at = below(text.len().max(1));
                if at >= text.len() {
                    break;
                }
                match below(4) {
                    0 => drop(text.remove(at)),
                    1 => text[at] = below(256) as u8,
                    2 => text.truncate(at.max(1)),
                    _ => drop(text.splice(at..at, bits[below(bits.len())].iter().copied())),
                }
            }
            text
        };
        match read(&text, &INCHES) {
            Ok(read) => {
                read_well += 1;
                repaired += usize::from(!read.warnings.is_empty());
                for body in &read.bodies {
                    let extents = body.parts.iter().map(|p| &p.extent).chain([&body.extent]);
                    for extent in extents {
                        assert!(extent.least.iter().zip(&extent.most).all(|(l, m)| l < m && m.is_finite()));
                    }
                }
            }
            Err(Faults(faults)) => {
                refused += 1;
                assert!(
                    !faults.is_empty() && faults.iter().all(|f| !f.what.is_empty() && !f.help.is_empty())
                );
            }
        }
    }
    assert!(read_well > 300 && refused > 30_000 && repaired > 100, "{read_well} {refused} {repaired}");
}
