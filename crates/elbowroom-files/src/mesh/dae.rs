//! COLLADA (DAE): the geometry of the scene, each piece where the scene puts it.
//!
//! A node's transforms are multiplied in the order they stand in the file, a child's frame lies in its parent's, and
//! geometry is placed by `instance_geometry`, in nodes that may themselves be instances. A mirroring placement turns the
//! triangles round. Lengths are multiplied by the file's unit; the up axis is left as it is unless asked for, as in ROS. Only
//! what has area is read: lines are passed over with a warning, cameras and lights silently; curved surfaces are refused.

use super::{Builder, UnitRule, polygon};
use crate::fault::Log;
use crate::limits;
use crate::xml::{XmlText, elements, number, numbers, shortened};
use elbowroom::math::{Mat3, Vec3, vec3};
use roxmltree::{Document, Node};
use std::collections::BTreeMap;
use std::path::Path;
use std::rc::Rc;

/// A linear map and a shift.
#[derive(Clone, Copy)]
struct Affine {
    linear: Mat3,
    shift: Vec3,
}

impl Affine {
    const IDENTITY: Affine = Affine { linear: Mat3::IDENTITY, shift: Vec3::ZERO };

    fn then_inner(&self, inner: &Affine) -> Affine {
        Affine { linear: self.linear * inner.linear, shift: self.linear * inner.shift + self.shift }
    }

    fn point(&self, p: Vec3) -> Vec3 {
        self.linear * p + self.shift
    }
}

/// One geometry, in its own frame.
struct Geometry {
    points: Vec<[f64; 3]>,
    /// Corners of all polygons, one after the other.
    corners: Vec<u32>,
    /// Where each polygon ends in `corners`.
    ends: Vec<usize>,
}

struct Reader<'a, 'd> {
    text: &'a XmlText,
    log: &'a mut Log,
    before: usize,
    /// Elements by tag and id.
    ids: BTreeMap<(&'d str, &'d str), Node<'d, 'd>>,
    geometries: BTreeMap<usize, Option<Rc<Geometry>>>,
    builder: Builder,
    lines: usize,
    visits: usize,
}

pub(super) fn read(path: &Path, bytes: &[u8], log: &mut Log, honour_up: bool, unit: UnitRule) -> Builder {
    let Some(text) = XmlText::new(path, bytes, log) else { return Builder::default() };
    let Some(document) = text.parse(log) else { return Builder::default() };
    let root = document.root_element();
    if root.tag_name().name() != "COLLADA" {
        let what = format!("its outermost element is <{}>, not <COLLADA>", shortened(root.tag_name().name()));
        log.fault(path, "", what, "give a mesh in STL, OBJ or DAE");
        return Builder::default();
    }
    let mut ids = BTreeMap::new();
    for node in root.descendants().filter(Node::is_element) {
        if let Some(id) = node.attribute("id") {
            ids.entry((node.tag_name().name(), id)).or_insert(node);
        }
    }
    let before = log.count();
    let (geometries, builder) = (BTreeMap::new(), Builder::default());
    let mut reader = Reader { text: &text, log, before, ids, geometries, builder, lines: 0, visits: 0 };
    let frame = reader.file_frame(root, honour_up, unit);
    reader.scene(&document, frame);
    let placed = reader.geometries.len();
    if placed == 0 && reader.log.count() == before {
        let held = reader.ids.keys().filter(|(tag, _)| *tag == "geometry").count();
        let what = format!(
            "its visual scene places none of its {held} geometries (a physics scene alone is not read)"
        );
        reader.log.fault(path, "", what, "export the mesh again, or use an STL of it");
    }
    if reader.lines > 0 {
        let what = format!("{} lines without area are ignored", reader.lines);
        reader.log.warn(path, "", what, "");
    }
    reader.builder
}

impl<'d> Reader<'_, 'd> {
    fn fault(&mut self, node: Node<'_, '_>, what: impl Into<String>, help: &str) {
        self.log.fault(&self.text.path, self.text.place(node), what, help);
    }

    /// Enough faults of this file are listed, or the mesh is too large.
    fn must_stop(&self) -> bool {
        self.log.count() - self.before >= limits::MESH_FAULTS
    }

    /// The element of a kind that a reference such as `#part` means.
    fn target(&mut self, from: Node<'d, 'd>, kind: &'static str, attribute: &str) -> Option<Node<'d, 'd>> {
        let url = from.attribute(attribute).unwrap_or("");
        let found = self.ids.get(&(kind, url.strip_prefix('#').unwrap_or(url))).copied();
        if found.is_none() {
            let what = format!("its {attribute} {:?} names no <{kind}> of this file", shortened(url));
            self.fault(from, what, "export the mesh again, as one file");
        }
        found
    }

    /// Unit and up axis.
    fn file_frame(&mut self, root: Node<'d, 'd>, honour_up: bool, unit: UnitRule) -> Affine {
        let mut frame = Affine::IDENTITY;
        let Some(asset) = child(root, "asset") else { return frame };
        if let Some(node) = child(asset, "unit") {
            let meter = node.attribute("meter").map_or(Some(1.0), number);
            match meter {
                Some(m) if m > 0.0 && unit == UnitRule::Apply => {
                    frame.linear = Mat3 { cols: [Vec3::X * m, Vec3::Y * m, Vec3::Z * m] };
                }
                Some(m) if m > 0.0 => {
                    if m != 1.0 {
                        let what = format!("its unit of {m} m is not applied here, as in MoveIt");
                        let help = "the scale in the scene must make up for it";
                        self.log.warn(&self.text.path, self.text.place(node), what, help);
                    }
                }
                _ => self.fault(node, "its unit is not a positive number of metres", "write meter=\"1\""),
            }
        }
        let up = child(asset, "up_axis").and_then(|n| n.text()).map_or("Y_UP", str::trim);
        let turn = match up {
            "Z_UP" => return frame,
            "Y_UP" => Mat3::from_rows([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]]),
            "X_UP" => Mat3::from_rows([[0.0, -1.0, 0.0], [0.0, 0.0, -1.0], [1.0, 0.0, 0.0]]),
            other => {
                let what = format!("its up_axis {:?} is none of X_UP, Y_UP, Z_UP", shortened(other));
                self.fault(asset, what, "export the mesh again with z up");
                return frame;
            }
        };
        if honour_up {
            frame.linear = turn * frame.linear;
        } else {
            let what = format!("its up axis is {up} and is not applied, as in ROS");
            self.log.warn(
                &self.text.path,
                "",
                what,
                "export it with z up, or ask for the up axis to be honoured",
            );
        }
        frame
    }

    fn scene(&mut self, document: &'d Document<'d>, frame: Affine) {
        let root = document.root_element();
        let stated = child(root, "scene").and_then(|s| child(s, "instance_visual_scene"));
        let scene = match stated {
            Some(instance) => match self.target(instance, "visual_scene", "url") {
                Some(scene) => Some(scene),
                None => return,
            },
            None => document.descendants().find(|n| n.is_element() && n.tag_name().name() == "visual_scene"),
        };
        let Some(scene) = scene else {
            // A library without a scene: everything, where it stands.
            let what = "has no scene; all its geometries are taken, unplaced";
            self.log.warn(&self.text.path, "", what, "");
            for node in document.descendants().filter(|n| n.is_element() && n.tag_name().name() == "geometry")
            {
                self.place(node, &frame);
            }
            return;
        };
        // Nodes still to visit, with their parent's frame and their depth.
        let mut open: Vec<(Node<'d, 'd>, Affine, usize)> = vec![(scene, frame, 0)];
        while let Some((node, parent, depth)) = open.pop() {
            self.visits += 1;
            if depth > limits::SCENE_DEPTH || self.visits > limits::SCENE_VISITS {
                let what = "its nodes are nested too deep or repeated too often";
                self.fault(node, what, "a node must not be an instance of itself; export the mesh again");
                return;
            }
            if self.must_stop() || self.builder.excess().is_some() {
                return;
            }
            let Some(local) = self.transform(node) else { continue };
            let here = parent.then_inner(&local);
            let first = open.len();
            for part in elements(node) {
                self.visits += 1;
                match part.tag_name().name() {
                    "node" => open.push((part, here, depth + 1)),
                    "instance_node" => {
                        if let Some(target) = self.target(part, "node", "url") {
                            open.push((target, here, depth + 1));
                        }
                    }
                    "instance_geometry" => {
                        if let Some(target) = self.target(part, "geometry", "url") {
                            self.place(target, &here);
                        }
                    }
                    "instance_controller" => self.skinned(part, &here),
                    _ => {}
                }
            }
            // The last in is the first out; file order makes for steady vertex numbers.
            open[first..].reverse();
        }
    }

    /// The product of a node's transforms, in file order.
    fn transform(&mut self, node: Node<'d, 'd>) -> Option<Affine> {
        let mut total = Affine::IDENTITY;
        for part in elements(node) {
            let text = part.text().unwrap_or("");
            let step = match part.tag_name().name() {
                "translate" => numbers::<3>(text).map(|t| Affine { linear: Mat3::IDENTITY, shift: t.into() }),
                "scale" => numbers::<3>(text).map(|s| Affine {
                    linear: Mat3 { cols: [Vec3::X * s[0], Vec3::Y * s[1], Vec3::Z * s[2]] },
                    shift: Vec3::ZERO,
                }),
                "rotate" => numbers::<4>(text).and_then(|[x, y, z, degrees]| {
                    let angle = degrees * (core::f64::consts::PI / 180.0);
                    let linear = match vec3(x, y, z).normalized() {
                        Some(axis) => Mat3::from_axis_angle(axis, angle),
                        // No axis but no turn either: harmless, and seen.
                        None if degrees == 0.0 => Mat3::IDENTITY,
                        None => return None,
                    };
                    Some(Affine { linear, shift: Vec3::ZERO })
                }),
                "matrix" => numbers::<16>(text).and_then(|m| {
                    // A projection is no placement.
                    (m[12..15].iter().all(|v| v.abs() < 1e-9) && (m[15] - 1.0).abs() < 1e-9).then(|| Affine {
                        linear: Mat3::from_rows([
                            [m[0], m[1], m[2]],
                            [m[4], m[5], m[6]],
                            [m[8], m[9], m[10]],
                        ]),
                        shift: vec3(m[3], m[7], m[11]),
                    })
                }),
                "skew" | "lookat" if has_geometry(node) => {
                    self.fault(
                        part,
                        "is a transform that is not read",
                        "export the mesh again with matrices",
                    );
                    return None;
                }
                _ => continue,
            };
            match step {
                Some(step) => total = total.then_inner(&step),
                None => {
                    let what = "does not hold the finite numbers of such a transform";
                    self.fault(part, what, "export the mesh again");
                    return None;
                }
            }
        }
        Some(total)
    }

    /// A skin is taken as it is bound, a morph as its base.
    fn skinned(&mut self, instance: Node<'d, 'd>, here: &Affine) {
        let Some(controller) = self.target(instance, "controller", "url") else { return };
        let kind = elements(controller).find(|n| matches!(n.tag_name().name(), "skin" | "morph"));
        let Some(kind) = kind else {
            return self.fault(controller, "holds neither a skin nor a morph", "export the mesh again");
        };
        let Some(geometry) = self.target(kind, "geometry", "source") else { return };
        let bind = match child(kind, "bind_shape_matrix").and_then(|n| n.text()) {
            None => Affine::IDENTITY,
            Some(text) => match numbers::<16>(text) {
                Some(m) => Affine {
                    linear: Mat3::from_rows([[m[0], m[1], m[2]], [m[4], m[5], m[6]], [m[8], m[9], m[10]]]),
                    shift: vec3(m[3], m[7], m[11]),
                },
                None => {
                    return self.fault(
                        kind,
                        "its bind_shape_matrix is not 16 numbers",
                        "export the mesh again",
                    );
                }
            },
        };
        let what = "a skinned or morphed mesh is taken in its rest shape";
        self.log.warn(&self.text.path, self.text.place(instance), what, "");
        self.place(geometry, &here.then_inner(&bind));
    }

    /// Adds a geometry to the mesh.
    fn place(&mut self, node: Node<'d, 'd>, frame: &Affine) {
        let key = node.range().start;
        if !self.geometries.contains_key(&key) {
            let geometry = self.geometry(node).map(Rc::new);
            self.geometries.insert(key, geometry);
        }
        let Some(Some(geometry)) = self.geometries.get(&key).cloned() else { return };
        // Each placing costs its points, so that many placings of a large geometry are bounded too.
        self.visits = self.visits.saturating_add(geometry.points.len() / 100);
        let mirrored = frame.linear.determinant() < 0.0;
        let mut placed: Vec<Option<u32>> = vec![None; geometry.points.len()];
        let mut from = 0;
        let mut polygon: Vec<u32> = Vec::new();
        for &end in &geometry.ends {
            polygon.clear();
            for &corner in &geometry.corners[from..end] {
                let slot = &mut placed[corner as usize];
                let index = match *slot {
                    Some(i) => i,
                    None => {
                        let p = frame.point(Vec3::from(geometry.points[corner as usize]));
                        if !p.is_finite() {
                            return self.fault(
                                node,
                                "a vertex is not finite where the scene puts it",
                                "export the mesh again",
                            );
                        }
                        let i = self.builder.vertex(p.to_array());
                        *slot = Some(i);
                        i
                    }
                };
                polygon.push(index);
            }
            from = end;
            if mirrored {
                polygon.reverse();
            }
            polygon::cut(&mut self.builder, &polygon);
            if let Some(what) = self.builder.excess() {
                return self.fault(node, what, "use a coarser mesh for collision");
            }
        }
    }

    fn geometry(&mut self, node: Node<'d, 'd>) -> Option<Geometry> {
        let before = self.log.count();
        let Some(mesh) =
            elements(node).find(|n| n.tag_name().name() != "asset" && n.tag_name().name() != "extra")
        else {
            self.fault(node, "is empty", "export the mesh again");
            return None;
        };
        match mesh.tag_name().name() {
            "mesh" => {}
            "convex_mesh" if child(mesh, "source").is_some() => {}
            // A spline is a curve: it has no area.
            "spline" => {
                self.lines += 1;
                return None;
            }
            other => {
                self.fault(
                    node,
                    format!("is a <{other}>, which is not read"),
                    "export the mesh as triangles",
                );
                return None;
            }
        }
        let mut out = Geometry { points: Vec::new(), corners: Vec::new(), ends: Vec::new() };
        // Positions may come from several sources; each source is read once.
        let mut bases: BTreeMap<usize, (u32, usize)> = BTreeMap::new();
        for part in elements(mesh) {
            match part.tag_name().name() {
                "triangles" | "polylist" | "polygons" | "trifans" | "tristrips" => {
                    if let Some((base, count, offset, stride)) = self.inputs(mesh, part, &mut out, &mut bases)
                    {
                        self.polygons(part, &mut out, base, count, offset, stride);
                    }
                }
                "lines" | "linestrips" => self.lines += 1,
                _ => {}
            }
            if self.must_stop() {
                break;
            }
        }
        (self.log.count() == before).then_some(out)
    }

    /// Where a primitive's vertices are: first point, number of points, offset of their index and indices a corner.
    fn inputs(
        &mut self,
        mesh: Node<'d, 'd>,
        part: Node<'d, 'd>,
        out: &mut Geometry,
        bases: &mut BTreeMap<usize, (u32, usize)>,
    ) -> Option<(u32, usize, usize, usize)> {
        let (mut position, mut stride) = (None, 1_usize);
        for input in elements(part).filter(|n| n.tag_name().name() == "input") {
            let offset =
                input.attribute("offset").unwrap_or("0").trim().parse::<usize>().ok().filter(|o| *o < 64);
            let Some(offset) = offset else {
                self.fault(input, "its offset is no small whole number", "export the mesh again");
                return None;
            };
            stride = stride.max(offset + 1);
            if position.is_none() && matches!(input.attribute("semantic"), Some("VERTEX" | "POSITION")) {
                position = Some((input, offset));
            }
        }
        let Some((input, offset)) = position else {
            // An empty primitive needs no vertices.
            if part.attribute("count").is_none_or(|c| c.trim() != "0") {
                self.fault(part, "has no VERTEX input", "export the mesh again");
            }
            return None;
        };
        let source = if input.attribute("semantic") == Some("VERTEX") {
            let vertices = self.target(input, "vertices", "source")?;
            let Some(inner) = elements(vertices)
                .find(|n| n.tag_name().name() == "input" && n.attribute("semantic") == Some("POSITION"))
            else {
                self.fault(vertices, "has no POSITION input", "export the mesh again");
                return None;
            };
            self.target(inner, "source", "source")?
        } else {
            self.target(input, "source", "source")?
        };
        let key = source.range().start;
        let (base, count) = match bases.get(&key) {
            Some(known) => *known,
            None => {
                let points = self.points(source)?;
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
            self.fault(mesh, "has too many vertices", "use a coarser mesh for collision");
            return None;
        }
        Some((base, count, offset, stride))
    }

    /// The points of a source, through its accessor.
    fn points(&mut self, source: Node<'d, 'd>) -> Option<Vec<[f64; 3]>> {
        let mend = "export the mesh again";
        let array = child(source, "float_array").or_else(|| child(source, "int_array"));
        let Some(array) = array else {
            self.fault(source, "holds no float_array", mend);
            return None;
        };
        let mut values = Vec::new();
        for (k, word) in text_words(array).enumerate() {
            match number(word) {
                Some(v) => values.push(v),
                None => {
                    let what = format!("value {} of {:?} is not a finite number", k + 1, shortened(word));
                    self.fault(array, what, mend);
                    return None;
                }
            }
        }
        let accessor = child(source, "technique_common").and_then(|t| child(t, "accessor"));
        let whole = |key: &str, default: usize| match accessor.and_then(|a| a.attribute(key)) {
            Some(text) => text.trim().parse::<usize>().ok(),
            None => Some(default),
        };
        let names: Vec<Option<&str>> = accessor
            .map(|a| {
                elements(a).filter(|n| n.tag_name().name() == "param").map(|n| n.attribute("name")).collect()
            })
            .unwrap_or_default();
        let by_name =
            |wanted: &str| names.iter().position(|n| n.is_some_and(|n| n.eq_ignore_ascii_case(wanted)));
        let axes = match (by_name("X"), by_name("Y"), by_name("Z")) {
            (Some(x), Some(y), Some(z)) => [x, y, z],
            _ => [0, 1, 2],
        };
        let (stride, offset) = (whole("stride", 3), whole("offset", 0));
        let (Some(stride), Some(offset)) = (stride, offset) else {
            self.fault(source, "its accessor's stride or offset is no whole number", mend);
            return None;
        };
        if stride == 0 || stride > 64 || axes.iter().any(|a| *a >= stride) {
            self.fault(source, "its accessor does not give three coordinates a point", mend);
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
                self.fault(source, what, mend);
                None
            }
        }
    }

    fn polygons(
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
        if child(part, "ph").is_some() {
            return self.fault(
                part,
                "holds polygons with holes, which are not read",
                "export the mesh as triangles",
            );
        }
        let mut lengths = Vec::new();
        if let Some(vcount) = child(part, "vcount") {
            for word in text_words(vcount) {
                match word.parse::<usize>() {
                    Ok(n) => lengths.push(n),
                    Err(_) => {
                        return self.fault(vcount, format!("{:?} is no whole number", shortened(word)), mend);
                    }
                }
            }
        }
        let mut corners: Vec<u32> = Vec::new();
        for p in elements(part).filter(|n| n.tag_name().name() == "p") {
            corners.clear();
            let mut words = 0_usize;
            for word in text_words(p) {
                if words % stride == offset {
                    match word.parse::<usize>() {
                        // The cast is safe: `inputs` keeps the number of points below 2^32.
                        Ok(i) if i < count => corners.push(base + i as u32),
                        _ => {
                            let what =
                                format!("index {:?} names none of its {count} vertices", shortened(word));
                            return self.fault(part, what, mend);
                        }
                    }
                }
                words += 1;
            }
            if !words.is_multiple_of(stride) {
                return self.fault(part, "its list of indices ends in the middle of a corner", mend);
            }
            match kind {
                "triangles" => {
                    if !corners.len().is_multiple_of(3) {
                        return self.fault(
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
                            return self.fault(part, "its vcount asks for more corners than are there", mend);
                        };
                        if n > limits::POLYGON_CORNERS {
                            return self.fault(
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
                        return self.fault(part, "its vcount asks for fewer corners than are there", mend);
                    }
                }
                "polygons" => {
                    if corners.len() > limits::POLYGON_CORNERS {
                        return self.fault(
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
        let found = out.ends.len() - first_polygon;
        // Fans and strips count runs, not triangles.
        if matches!(kind, "triangles" | "polygons") && claimed.is_some_and(|c| c > found) {
            let what = format!(
                "claims {} polygons but holds {found}: it is cut off or its count is wrong",
                claimed.unwrap_or(0)
            );
            self.fault(part, what, mend);
        }
        if kind == "polylist" && claimed.is_some_and(|c| c > lengths.len()) {
            let what = format!("claims {} polygons but holds {}", claimed.unwrap_or(0), lengths.len());
            self.fault(part, what, mend);
        }
    }
}

impl Geometry {
    fn push(&mut self, polygon: &[u32]) {
        self.corners.extend_from_slice(polygon);
        self.ends.push(self.corners.len());
    }
}

fn child<'d>(node: Node<'d, 'd>, name: &str) -> Option<Node<'d, 'd>> {
    elements(node).find(|n| n.tag_name().name() == name)
}

/// Words of all text in an element: comments may split it.
fn text_words<'d>(node: Node<'d, 'd>) -> impl Iterator<Item = &'d str> {
    node.children().filter(|n| n.is_text()).flat_map(|n| n.text().unwrap_or("").split_ascii_whitespace())
}

/// True if a node or one below it places geometry.
fn has_geometry(node: Node<'_, '_>) -> bool {
    node.descendants()
        .any(|n| matches!(n.tag_name().name(), "instance_geometry" | "instance_controller" | "instance_node"))
}
