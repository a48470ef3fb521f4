//! `elbowroom distance`: signed distances of pairs of shapes, a case a line, an answer a line, in order.

use crate::answer::{SCHEMA, json_number, json_vector, stop_word};
use crate::arguments::{DepthChoice, GeometryChoice};
use crate::limits;
use crate::line_faults::LineFaults;
use crate::out::{Sink, delivered_code, say_line};
use anyhow::{Context, Result, bail};
use clap::Args;
use elbowroom::describe::ShapeDescription;
use elbowroom::fault::Numeral;
use elbowroom::pair::{Ask, Clearance, Query, Scratch, Shape, Warm, posed};
use elbowroom::{Geometry, Interval};
use elbowroom_files::cases::{Case, parse_case};
use elbowroom_files::fault::counted_things;
use elbowroom_files::other_kind::{OtherKind, recognize_other_kind};
use elbowroom_files::text::{decode_text, strip_mark};
use elbowroom_reference::{Solid, Truth, engine as reference};
use serde_json::{Map, Value, json};
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::PathBuf;

/// A case and its answer, as `--help` shows them.
const EXAMPLE: &str = concat!(
    "Example: a ball of radius 0.5 at x = 2 beside a cube of edge 1. A file with the line\n\n",
    r#"{"id":1,"a":{"type":"box","size":[1,1,1]},"b":{"type":"sphere","radius":0.5},"#,
    r#""pose_b":{"xyz":[2,0,0],"quat_wxyz":[1,0,0,0]}}"#,
    "\n\nis answered by\n\n",
    r#"{"schema":1,"id":1,"overlap":false,"lower":0.9999999999999686,"upper":1.0000000000000302,"#,
    r#""distance":0.9999999999999993,"witness_a":[0.5,0.0,0.0],"witness_b":[1.5,0.0,0.0],"#,
    r#""vector":[-1.0,0.0,0.0],"normal":[-1.0,-0.0,-0.0],"stop":"closed_form","geometry":"mesh"}"#,
    "\n\n`distance` is the signed distance (negative: depth of penetration), proved to lie between `lower` \
     and `upper`; `vector` leads from b's nearest point to a's. Of a depth that is only bracketed, \
     `distance` is the middle of the bracket, and `vector` may be longer or shorter. Shapes: sphere, box, \
     capsule, cylinder, cone, ellipsoid, convex (vertices), mesh (vertices, triangles); each may have a \
     padding. A pose that is left out is the origin."
);

/// The options of `distance`.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLE)]
pub struct DistanceArguments {
    /// Cases, one JSON object a line (`-`: standard input)
    cases: PathBuf,
    /// What meshes count as
    #[arg(long, value_enum, default_value = "mesh")]
    geometry: GeometryChoice,
    /// How narrowly to bracket the depth of overlapping meshes that are not convex
    #[arg(long, value_enum, default_value = "ordinary")]
    depth: DepthChoice,
    /// Answer by the slow reference too, and say whether the two agree
    #[arg(long)]
    reference: bool,
}

/// Runs the command and returns the exit code.
pub fn run(arguments: &DistanceArguments) -> Result<u8> {
    let name = arguments.cases.display().to_string();
    let input: Box<dyn Read> = if arguments.cases.as_os_str() == "-" {
        Box::new(std::io::stdin())
    } else {
        if arguments.cases.is_dir() {
            bail!("{name} is a folder: give a file of cases, one JSON object a line");
        }
        Box::new(File::open(&arguments.cases).with_context(|| format!("{name} cannot be read"))?)
    };
    let mut reader = BufReader::with_capacity(1 << 16, input);
    let mut out = Sink::open_stdout();
    let mut line = Vec::new();
    let (mut faults, mut at, mut open) = (LineFaults::new(&name), 0_u64, 0);
    loop {
        // A program that feeds one case and waits for its answer gets it.
        if reader.buffer().is_empty() {
            out.flush()?;
        }
        let Some(whole) =
            next_line(&mut reader, &mut line).with_context(|| format!("{name} cannot be read"))?
        else {
            break;
        };
        at += 1;
        if at == 1 {
            match strip_mark(&line) {
                Err(refused) => bail!("{name} {}: {}", refused.what, refused.help),
                Ok(text) => {
                    if let Some(OtherKind { what, help }) = recognize_other_kind(text) {
                        bail!("{name} is {what}, and no list of cases; {help}");
                    }
                }
            }
        }
        let answer = if !whole {
            Err(fault_without_id(format!(
                "the line is longer than {} bytes: it and the lines behind it are not read",
                limits::LINE_BYTES
            )))
        } else {
            match decode_text(&line) {
                Err(_) => Err(fault_without_id("the line is not UTF-8 text".to_string())),
                Ok(text) if text.trim().is_empty() => continue,
                Ok(text) => parse_case(text).and_then(|case| match ask_case(&case, arguments) {
                    Ok(answered) => Ok((case.id, answered)),
                    Err(fault) => Err((case.id, fault)),
                }),
            }
        };
        let (id, fields) = match answer {
            Ok((id, answered)) => {
                if !answered.open.is_empty() {
                    open += 1;
                    if open == 1 {
                        say_line(&open_note(&format!("{name}: line {at}"), &answered.open));
                    }
                }
                if let Some(words) = &answered.disagreement {
                    say_line(&format!("{name}: line {at}: {words}"));
                }
                (id, answered.fields)
            }
            Err((id, fault)) => {
                faults.say_fault(at, &fault);
                let fields = [("fault", Value::from(fault)), ("line", at.into())];
                (id, fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect())
            }
        };
        out.put_text(&line_of(&id, fields))?;
        // The end of an endless line cannot be found.
        if out.closed || !whole {
            break;
        }
    }
    let closed = out.finish()?;
    if open > 1 {
        say_line(&format!("note: {} with open meshes", counted_things(open - 1, "more case")));
    }
    faults.say_repeated();
    Ok(delivered_code(if faults.is_empty() { 0 } else { 2 }, closed))
}

fn fault_without_id(fault: String) -> (String, String) {
    ("null".into(), fault)
}

/// The line of an answer: the id as it was written, then the fields, of which there is at least one.
fn line_of(id: &str, fields: Map<String, Value>) -> String {
    let fields = Value::Object(fields).to_string();
    format!("{{\"schema\":{SCHEMA},\"id\":{id},{}\n", fields.trim_start_matches('{'))
}

fn open_note(place: &str, open: &[&str]) -> String {
    let are = if open.len() == 1 {
        "is an open mesh and is treated as a surface"
    } else {
        "are open meshes and are treated as surfaces"
    };
    format!(
        "{place}: note: {} {are}; where one encloses the other shape, overlap is null (--geometry hull takes \
         them as solid hulls)",
        open.join(" and ")
    )
}

/// An answer without its id.
struct AnsweredCase {
    fields: Map<String, Value>,
    /// Shapes that count as open surfaces.
    open: Vec<&'static str>,
    /// What the reference answers, if the two cannot both be true.
    disagreement: Option<String>,
}

/// The next line without its end; `Some(false)` if it is too long, of which only the beginning is kept;
/// `None` at the end.
fn next_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<Option<bool>> {
    line.clear();
    let limit = limits::LINE_BYTES as u64 + 2;
    if reader.by_ref().take(limit).read_until(b'\n', line)? == 0 {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') {
        line.pop();
        if line.last() == Some(&b'\r') {
            line.pop();
        }
    } else if line.len() as u64 == limit {
        return Ok(Some(false));
    }
    Ok(Some(line.len() <= limits::LINE_BYTES))
}

fn ask_case(case: &Case, arguments: &DistanceArguments) -> Result<AnsweredCase, String> {
    let compiled = |name: &str, (shape, padding): &(ShapeDescription, f64)| {
        Shape::new(shape, *padding).map_err(|fault| format!("{name}: {}", fault))
    };
    let (a, b) = match (compiled("a", &case.a), compiled("b", &case.b)) {
        (Ok(a), Ok(b)) => (a, b),
        (a, b) => return Err([a.err(), b.err()].into_iter().flatten().collect::<Vec<_>>().join(" | ")),
    };
    let geometry = arguments.geometry.to_geometry();
    let depth = arguments.depth.to_effort();
    let query = Query { ask: Ask::Distance, geometry, depth, ..Query::default() };
    // Every case is cold: its answer does not depend on the lines before it.
    let mut scratch = Scratch::new(a.mesh_depth().max(b.mesh_depth()));
    let poses = [&case.pose_a, &case.pose_b];
    let found = posed::clearance([&a, &b], poses, &query, &mut Warm::default(), &mut scratch)
        .map_err(|fault| format!("pose_{}: the pose {}", ["a", "b"][fault.pose], fault.problem))?;
    let mut fields = clearance_fields(&found);
    fields.insert("geometry".into(), arguments.geometry.json_word().into());
    let mut disagreement = None;
    if arguments.reference {
        disagreement = add_reference(&mut fields, case, &found, [&a, &b], geometry);
    }
    let counts = |shape: &Shape| {
        arguments.geometry != GeometryChoice::Hull && shape.mesh().is_some_and(|m| !m.is_closed())
    };
    let open = [("a", counts(&a)), ("b", counts(&b))];
    let open = open.into_iter().filter(|(_, open)| *open).map(|(name, _)| name).collect();
    Ok(AnsweredCase { fields, open, disagreement })
}

fn clearance_fields(c: &Clearance) -> Map<String, Value> {
    let overlap = if c.interval.lower > 0.0 {
        Some(false)
    } else if c.interval.upper < 0.0 {
        Some(true)
    } else {
        None
    };
    let fields = [
        ("overlap", json!(overlap)),
        ("lower", json_number(c.interval.lower)),
        ("upper", json_number(c.interval.upper)),
        ("distance", json_number(c.interval.estimate())),
        ("witness_a", json_vector(c.witness_a)),
        ("witness_b", json_vector(c.witness_b)),
        ("vector", json_vector(c.witness_a - c.witness_b)),
        ("normal", json_vector(c.normal)),
        ("stop", stop_word(c.stop).into()),
    ];
    fields.into_iter().map(|(key, value)| (key.to_string(), value)).collect()
}

/// The slow answer beside the fast one, and whether the intervals meet, as they must; words where they do
/// not.
fn add_reference(
    answer: &mut Map<String, Value>,
    case: &Case,
    c: &Clearance,
    shapes: [&Shape; 2],
    geometry: Geometry,
) -> Option<String> {
    let solid = |(shape, padding): &(ShapeDescription, f64)| match shape {
        ShapeDescription::Mesh { vertices, triangles } if geometry == Geometry::Hull => {
            reference::prepare(&hull_of(vertices, triangles), *padding)
        }
        _ => reference::prepare(shape, *padding),
    };
    let prepared = solid(&case.a).zip(solid(&case.b));
    // It knows nothing of cracks, copies and fins. A mesh that is its own hull is compiled to that.
    let surface = |shape: &Shape, solid: &Solid| {
        let (encloses, crack) =
            shape.mesh().map_or((true, 0.0), |m| (m.encloses_volume(), m.crack_half_width()));
        !solid.triangles.is_empty() && (crack > 0.0 || encloses && !solid.is_closed())
    };
    let truth = match prepared {
        None => Err("the reference does not take these shapes".to_string()),
        Some((a, b)) if c.interval.lower <= 0.0 && (surface(shapes[0], &a) || surface(shapes[1], &b)) => {
            Err("the reference takes this mesh as a surface".to_string())
        }
        Some(_) if too_large(case, c) => Err("too large for the slow reference".to_string()),
        Some((a, b)) => Ok(reference::truth_of(&a, &b, &case.pose_a.relative(&case.pose_b))),
    };
    let reference = |t: &Truth| Interval::new(t.lower, t.upper, geometry);
    let disagreement = truth.as_ref().ok().and_then(|t| disagreement_in_words(&c.interval, &reference(t)));
    let value = match truth {
        Err(note) => json!({"note": note}),
        Ok(t) => json!({
            "lower": json_number(t.lower),
            "upper": json_number(t.upper),
            "witness_a": json_vector(case.pose_a.point(reference::back(t.witness_a))),
            "witness_b": json_vector(case.pose_a.point(reference::back(t.witness_b))),
            "normal": json_vector(case.pose_a.direction(reference::back(t.normal))),
            "method": format!("{:?}", t.method).to_lowercase(),
            "agrees": disagreement.is_none(),
        }),
    };
    answer.insert("reference".into(), value);
    disagreement
}

/// The corners that triangles use, for their hull.
fn hull_of(vertices: &[[f64; 3]], triangles: &[[u32; 3]]) -> ShapeDescription {
    let used = triangles.iter().flatten().filter_map(|&k| vertices.get(k as usize).copied());
    ShapeDescription::Convex { vertices: used.collect() }
}

/// Two proved intervals of one number share a point, or one of them is wrong.
fn disagreement_in_words(ours: &Interval, reference: &Interval) -> Option<String> {
    let agrees = reference.lower <= ours.upper && ours.lower <= reference.upper;
    (!agrees).then(|| {
        let [a, b, c, d] = [ours.lower, ours.upper, reference.lower, reference.upper].map(Numeral);
        format!("DISAGREES: the answer is in [{a}, {b}], the reference's in [{c}, {d}]")
    })
}

fn too_large(case: &Case, c: &Clearance) -> bool {
    let size = |shape: &ShapeDescription| match shape {
        ShapeDescription::Convex { vertices } => (vertices.len(), 1),
        ShapeDescription::Mesh { vertices, triangles } => (vertices.len(), triangles.len()),
        _ => (8, 1),
    };
    let ((points_a, triangles_a), (points_b, triangles_b)) = (size(&case.a.0), size(&case.b.0));
    let apart = c.interval.lower > 0.0;
    (!apart && points_a.max(points_b) > limits::REFERENCE_VERTICES)
        || triangles_a.saturating_mul(triangles_b) > limits::REFERENCE_TRIANGLE_PAIRS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_that_share_no_point_disagree() {
        let disagreement = |ours: [f64; 2], reference: [f64; 2]| {
            let interval = |[lower, upper]: [f64; 2]| Interval::new(lower, upper, Geometry::Mesh);
            disagreement_in_words(&interval(ours), &interval(reference))
        };
        assert_eq!(disagreement([0.1, 0.2], [0.2, 0.3]), None);
        for (ours, reference) in
            [([0.1, 0.2], [0.3, 0.4]), ([0.3, 0.4], [0.1, 0.2]), ([0.1, 0.2], [f64::NAN, 0.2])]
        {
            assert!(disagreement(ours, reference).unwrap().starts_with("DISAGREES"));
        }
    }
}
