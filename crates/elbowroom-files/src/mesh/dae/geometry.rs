//! One geometry of a DAE file: its sources, accessors and primitives as points and polygons.

use super::reader::{DaeReader, Geometry};
use crate::limits;
use crate::xml::{child_elements, is_own, parse_number, short_text};
use roxmltree::Node;
use std::collections::BTreeMap;

/// The elements that hold a source's numbers.
const ARRAYS: [&str; 2] = ["float_array", "int_array"];

impl<'d> DaeReader<'_, 'd> {
    pub(super) fn read_geometry(&mut self, node: Node<'d, 'd>) -> Option<Geometry> {
        let before = self.log.fault_count();
        let mut kinds = child_elements(node).filter(|n| !matches!(n.tag_name().name(), "asset" | "extra"));
        let Some(mesh) = kinds.next() else {
            self.add_fault(node, "is empty", "export the mesh again");
            return None;
        };
        if let Some(second) = kinds.find(|n| is_own(*n)) {
            self.add_fault(second, "is the second shape of one geometry", "write one <geometry> for each");
        }
        match mesh.tag_name().name() {
            "mesh" => {}
            "convex_mesh" if child_elements(mesh).any(|n| n.tag_name().name() == "source") => {}
            // A spline is a curve: it has no area.
            "spline" => {
                self.lines += 1;
                return None;
            }
            other => {
                self.add_fault(
                    node,
                    format!("is a <{other}>, which is not supported"),
                    "export the mesh as triangles",
                );
                return None;
            }
        }
        let mut out = Geometry { points: Vec::new(), corners: Vec::new(), ends: Vec::new() };
        // Positions may come from several sources; each source is read once.
        let mut bases: BTreeMap<usize, (u32, usize)> = BTreeMap::new();
        for part in child_elements(mesh) {
            match part.tag_name().name() {
                "triangles" | "polylist" | "polygons" | "trifans" | "tristrips" => {
                    if let Some((base, count, offset, stride)) =
                        self.read_inputs(mesh, part, &mut out, &mut bases)
                    {
                        self.read_polygons(part, &mut out, base, count, offset, stride);
                    }
                }
                "lines" | "linestrips" => self.lines += 1,
                "source" | "vertices" | "asset" | "extra" => {}
                _ => self.refuse_unknown(part, mesh),
            }
            if self.must_stop() {
                break;
            }
        }
        (self.log.fault_count() == before).then_some(out)
    }

    /// Where a primitive's vertices are: first point, number of points, offset of their index and indices a
    /// corner.
    fn read_inputs(
        &mut self,
        mesh: Node<'d, 'd>,
        part: Node<'d, 'd>,
        out: &mut Geometry,
        bases: &mut BTreeMap<usize, (u32, usize)>,
    ) -> Option<(u32, usize, usize, usize)> {
        let (mut position, mut stride) = (None, 1_usize);
        for input in child_elements(part).filter(|n| n.tag_name().name() == "input") {
            let offset =
                input.attribute("offset").unwrap_or("0").trim().parse::<usize>().ok().filter(|o| *o < 64);
            let Some(offset) = offset else {
                self.add_fault(input, "its offset is not a small whole number", "export the mesh again");
                return None;
            };
            stride = stride.max(offset + 1);
            if matches!(input.attribute("semantic"), Some("VERTEX" | "POSITION")) {
                if position.is_some() {
                    self.add_fault(input, "is the second input of vertices here", "keep one");
                    return None;
                }
                position = Some((input, offset));
            }
        }
        let Some((input, offset)) = position else {
            // An empty primitive needs no vertices.
            if part.attribute("count").is_none_or(|c| c.trim() != "0") {
                self.add_fault(part, "has no VERTEX input", "export the mesh again");
            }
            return None;
        };
        let source = if input.attribute("semantic") == Some("VERTEX") {
            let vertices = self.find_target(input, "vertices", "source")?;
            let mut inner = child_elements(vertices)
                .filter(|n| n.tag_name().name() == "input" && n.attribute("semantic") == Some("POSITION"));
            let (Some(inner), second) = (inner.next(), inner.next()) else {
                self.add_fault(vertices, "has no POSITION input", "export the mesh again");
                return None;
            };
            if let Some(second) = second {
                self.add_fault(second, "is the second POSITION input of these vertices", "keep one");
                return None;
            }
            self.find_target(inner, "source", "source")?
        } else {
            self.find_target(input, "source", "source")?
        };
        let key = source.range().start;
        let (base, count) = match bases.get(&key) {
            Some(known) => *known,
            None => {
                let points = self.read_points(source)?;
                let base = u32::try_from(out.points.len()).ok()?;
                let found = (base, points.len());
                if out.points.is_empty() {
                    out.points = points;
                } else {
                    out.points.extend(points);
                }
                bases.insert(key, found);
                found
            }
        };
        if out.points.len() > u32::MAX as usize {
            self.add_fault(mesh, "has too many vertices", "use a coarser mesh for collision");
            return None;
        }
        Some((base, count, offset, stride))
    }

    /// The points of a source, through its accessor.
    fn read_points(&mut self, source: Node<'d, 'd>) -> Option<Vec<[f64; 3]>> {
        let mend = "export the mesh again";
        let technique = self.find_child(source, "technique_common");
        let accessor = technique.and_then(|t| self.find_child(t, "accessor"));
        let mut arrays = child_elements(source).filter(|n| ARRAYS.contains(&n.tag_name().name()));
        let own = arrays.next();
        if let Some(second) = arrays.next() {
            self.add_fault(second, "is the second array of one source", "write one <source> for each");
            return None;
        }
        // An accessor names its array. It may be that of another source.
        let id = |url: &'d str| url.strip_prefix('#').unwrap_or(url);
        let array = match accessor.and_then(|a| a.attribute("source")).map(id) {
            Some(wanted) if own.is_none_or(|own| own.attribute("id") != Some(wanted)) => {
                let kind =
                    own.map_or(ARRAYS[0], |own| ARRAYS[usize::from(own.tag_name().name() == ARRAYS[1])]);
                accessor.and_then(|accessor| self.find_target(accessor, kind, "source"))?
            }
            _ => match own {
                Some(own) => own,
                None => {
                    self.add_fault(source, "holds no float_array", mend);
                    return None;
                }
            },
        };
        let mut values = Vec::new();
        for (k, word) in text_words(array).enumerate() {
            match parse_number(word) {
                Some(v) => values.push(v),
                None => {
                    let what = format!("value {} of {:?} is not a finite number", k + 1, short_text(word));
                    self.add_fault(array, what, mend);
                    return None;
                }
            }
        }
        let whole = |key: &str, default: usize| match accessor.and_then(|a| a.attribute(key)) {
            Some(text) => text.trim().parse::<usize>().ok(),
            None => Some(default),
        };
        let names: Vec<Option<&str>> = accessor
            .map(|a| {
                child_elements(a)
                    .filter(|n| n.tag_name().name() == "param")
                    .map(|n| n.attribute("name"))
                    .collect()
            })
            .unwrap_or_default();
        let are =
            |wanted: &str| names.iter().filter(|n| n.is_some_and(|n| n.eq_ignore_ascii_case(wanted))).count();
        if let Some(twice) = ["X", "Y", "Z"].into_iter().find(|axis| are(axis) > 1) {
            self.add_fault(source, format!("its accessor has {twice} twice"), mend);
            return None;
        }
        let by_name =
            |wanted: &str| names.iter().position(|n| n.is_some_and(|n| n.eq_ignore_ascii_case(wanted)));
        let axes = match (by_name("X"), by_name("Y"), by_name("Z")) {
            (Some(x), Some(y), Some(z)) => [x, y, z],
            _ => [0, 1, 2],
        };
        let (stride, offset) = (whole("stride", 3), whole("offset", 0));
        let (Some(stride), Some(offset)) = (stride, offset) else {
            self.add_fault(source, "its accessor's stride or offset is not a whole number", mend);
            return None;
        };
        if stride == 0 || stride > 64 || axes.iter().any(|a| *a >= stride) {
            self.add_fault(source, "its accessor does not give three coordinates a point", mend);
            return None;
        }
        let held = values.len().saturating_sub(offset) / stride;
        let count = whole("count", held);
        match count {
            Some(n) if n <= held => {
                let at = |i: usize| axes.map(|a| values[offset + i * stride + a]);
                Some((0..n).map(at).collect())
            }
            _ => {
                let what = format!("its accessor claims more points than the {held} that are there");
                self.add_fault(source, what, mend);
                None
            }
        }
    }

    fn read_polygons(
        &mut self,
        part: Node<'d, 'd>,
        out: &mut Geometry,
        base: u32,
        count: usize,
        offset: usize,
        stride: usize,
    ) {
        let mend = "export the mesh again";
        let kind = part.tag_name().name();
        let claimed = part.attribute("count").and_then(|c| c.trim().parse::<usize>().ok());
        let first_polygon = out.ends.len();
        if child_elements(part).any(|n| n.tag_name().name() == "ph") {
            return self.add_fault(
                part,
                "holds polygons with holes, which are not supported",
                "export the mesh as triangles",
            );
        }
        let mut lengths = Vec::new();
        if let Some(vcount) = self.find_child(part, "vcount") {
            for word in text_words(vcount) {
                match word.parse::<usize>() {
                    Ok(n) => lengths.push(n),
                    Err(_) => {
                        return self.add_fault(
                            vcount,
                            format!("{:?} is not a whole number", short_text(word)),
                            mend,
                        );
                    }
                }
            }
        }
        for odd in child_elements(part) {
            if !matches!(odd.tag_name().name(), "input" | "vcount" | "p" | "extra") {
                self.refuse_unknown(odd, part);
            }
        }
        let mut corners: Vec<u32> = Vec::new();
        let mut runs = 0;
        for p in child_elements(part).filter(|n| n.tag_name().name() == "p") {
            corners.clear();
            runs += 1;
            let mut words = 0_usize;
            for word in text_words(p) {
                if words % stride == offset {
                    match word.parse::<usize>() {
                        // The cast is safe: `inputs` keeps the number of points below 2^32.
                        Ok(i) if i < count => corners.push(base + i as u32),
                        _ => {
                            let what =
                                format!("index {:?} is not one of its {count} vertices", short_text(word));
                            return self.add_fault(part, what, mend);
                        }
                    }
                }
                words += 1;
            }
            if !words.is_multiple_of(stride) {
                return self.add_fault(part, "its list of indices ends in the middle of a corner", mend);
            }
            match kind {
                "triangles" => {
                    if !corners.len().is_multiple_of(3) {
                        return self.add_fault(
                            part,
                            "its list of indices ends in the middle of a triangle",
                            mend,
                        );
                    }
                    for t in corners.chunks_exact(3) {
                        out.push(t);
                    }
                }
                "polylist" => {
                    let mut from = 0_usize;
                    for &n in &lengths {
                        let to = from.saturating_add(n);
                        let Some(polygon) = corners.get(from..to) else {
                            return self.add_fault(
                                part,
                                "its vcount asks for more corners than are there",
                                mend,
                            );
                        };
                        if n > limits::POLYGON_CORNERS {
                            return self.add_fault(
                                part,
                                "a polygon has too many corners",
                                "export the mesh as triangles",
                            );
                        }
                        if n >= 3 {
                            out.push(polygon);
                        }
                        from = to;
                    }
                    if from != corners.len() {
                        return self.add_fault(
                            part,
                            "its vcount asks for fewer corners than are there",
                            mend,
                        );
                    }
                }
                "polygons" => {
                    if corners.len() > limits::POLYGON_CORNERS {
                        return self.add_fault(
                            part,
                            "a polygon has too many corners",
                            "export the mesh as triangles",
                        );
                    }
                    if corners.len() >= 3 {
                        out.push(&corners);
                    }
                }
                "trifans" => {
                    for w in corners.get(1..).unwrap_or(&[]).windows(2) {
                        out.push(&[corners[0], w[0], w[1]]);
                    }
                }
                _ => {
                    for (k, w) in corners.windows(3).enumerate() {
                        if k % 2 == 0 { out.push(w) } else { out.push(&[w[1], w[0], w[2]]) }
                    }
                }
            }
        }
        // Fans and strips count runs, not triangles.
        let (found, things) = match kind {
            "trifans" | "tristrips" => (runs, "runs of triangles"),
            _ => (out.ends.len() - first_polygon, "polygons"),
        };
        if kind != "polylist" && claimed.is_some_and(|c| c > found) {
            let what = format!(
                "claims {} {things} but holds {found}: it is cut off or its count is wrong",
                claimed.unwrap_or(0)
            );
            self.add_fault(part, what, mend);
        }
        if kind == "polylist" && claimed.is_some_and(|c| c > lengths.len()) {
            let what = format!("claims {} polygons but holds {}", claimed.unwrap_or(0), lengths.len());
            self.add_fault(part, what, mend);
        }
    }
}

/// Words of all text in an element: comments may split it.
fn text_words<'d>(node: Node<'d, 'd>) -> impl Iterator<Item = &'d str> {
    node.children().filter(|n| n.is_text()).flat_map(|n| n.text().unwrap_or("").split_ascii_whitespace())
}
