//! Pictures of a moment: the pose seen from three sides, and a close-up where the vector would be too short
//! to be seen.
//!
//! They are drawn from the collision geometry. Large bodies of the cell are glass: their edges, and next to
//! nothing between them, so that no table hides the robot on it. Each view is first a grid in which the
//! nearest body is found cell by cell; drawn are the outlines of the grid's regions, with the exact points
//! and the vector over them. So a picture is bounded in size whatever the geometry is, and shows the
//! triangles themselves, dents included, to about a cell.

mod camera;
mod creases;
mod drawing;
mod labels;
mod marks;
mod points;
mod raster;
mod regions;
mod scene;
mod surface;

use crate::limits::{LARGE_VIEW_BYTES, PICTURE_TRIANGLES, VIEW_BYTES};
use camera::{Axes, Camera, Extent, Size};
use creases::Crease;
use drawing::SeenRegions;
use elbowroom::Checker;
use elbowroom::math::Vec3;
use elbowroom::pair::Witness;
use elbowroom::world::BodyId;
use points::Cloud;
pub use scene::Round;
use scene::{Role, Scene};
use std::collections::BTreeSet;
use std::fmt::Write;
use surface::{Detail, Triangle};

/// The large view.
const LARGE: Size = Size { width: 1140, height: 960 };

/// The others.
const SMALL: Size = Size { width: 630, height: 340 };

/// The stills of a film.
const STILL: Size = Size { width: 800, height: 540 };

/// Flat faces around something round in them.
const STILL_ROUND: usize = 24;

/// Angles around z of the oblique views (radians).
const OBLIQUES: [f64; 4] = [-0.96, 0.61, 2.18, 3.75];

/// A view in which directions are compared: only what hides what matters.
const TRIAL: Size = Size { width: 110, height: 110 };

/// Flat faces around something round, in a view of a whole robot.
const ROUND: usize = 40;

/// The part of the large view that the vector must span to need no close-up.
const LONG: f64 = 0.25;

/// A close-up is so many times as wide as the vector is long ...
const WINDOW: f64 = 4.0;

/// ... but no smaller a part of the smaller body than this: nearer, a surface without edges shows nothing.
const CLOSEST: f64 = 0.1;

/// Its caption.
const CLOSE_UP: &str = "Close-up, at right angles to the vector";

/// The words under it where there is none.
const CLOSE_UP_POINT: &str = "Close-up of the place where overlap was found; there is no vector";

/// The words about how points are drawn ...
const POINTS_ARE: &str = "Points of clouds are dots of their size, where nothing stands in front of them.";

/// ... and about how they are drawn if there are many.
const THINNED: &str = "Where they are dense, one dot stands for several points.";

/// What a picture is of.
#[derive(Clone, Copy)]
pub struct Subject<'a> {
    /// At the pose.
    pub checker: &'a Checker<'a>,
    /// The two bodies.
    pub pair: Option<[BodyId; 2]>,
    /// Their nearest points.
    pub witness: Option<&'a Witness>,
    /// Meshes are declared to be their hulls.
    pub hulls: bool,
    /// Bodies that are hidden, so not drawn.
    pub hidden: &'a BTreeSet<BodyId>,
    /// The points of each cloud (metres, world frame).
    pub clouds: &'a [(BodyId, &'a [[f64; 3]])],
    /// Radius of the points (metres).
    pub radius: f64,
    /// What holds all that moves, at all moments that are drawn.
    pub reach: Option<Round>,
}

/// A moment's pictures.
pub struct Picture {
    /// As HTML: figures, each with its caption.
    pub html: String,
    /// What a reader must know besides the captions.
    pub notes: Vec<String>,
}

/// Draws a moment; `None` if there is nothing to be seen.
pub fn picture<'a>(subject: Subject<'a>) -> Option<Picture> {
    let Subject { witness, hulls, .. } = subject;
    let (scene, clouds) = subject.scene()?;
    let trial = Trial::new(&scene, witness, &clouds)?;
    let details = scene.details(Detail { round: ROUND, hulls }, PICTURE_TRIANGLES);
    let triangles = scene.triangles(&details, |_| true);
    let creases = scene.creases(&triangles, false);

    let sides = [-Vec3::Y, Vec3::X, Vec3::Y, -Vec3::X].map(Axes::from);
    let oblique = trial.best(OBLIQUES.map(Axes::oblique).into_iter());
    let views = [
        (oblique, LARGE, "From above, at an angle".to_string()),
        (trial.best(sides.into_iter().flatten()), SMALL, String::new()),
        (Axes::from(Vec3::Z)?, SMALL, "From above".into()),
    ];
    let mut out = Picture { html: String::new(), notes: Vec::new() };
    let mut needs_close = None;
    for (axes, size, mut caption) in views {
        if caption.is_empty() {
            caption = side_name(axes.toward).into();
        }
        let Some(camera) = Camera::around(axes, size, trial.framed.iter().copied()) else { continue };
        let most = if size == LARGE { LARGE_VIEW_BYTES } else { VIEW_BYTES };
        let seen = SeenRegions::new(&camera, &scene, &triangles);
        figure(&mut out, &camera, &scene, (&seen, &creases), &clouds, witness, (&caption, most));
        if size == LARGE {
            let short = |w: &&Witness| marks::seen_length(&camera, w) < LONG * size.width as f64;
            needs_close = witness.filter(short);
        }
    }
    if let Some(witness) = needs_close {
        close_up(&mut out, &scene, &trial, &clouds, witness, oblique.toward, hulls);
    }
    notes(&mut out.notes, &scene, &details, hulls);
    Some(out)
}

impl<'a> Subject<'a> {
    /// What is drawn of it; `None` if there is nothing to be seen.
    fn scene(&self) -> Option<(Scene<'a>, Vec<Cloud<'a>>)> {
        let Subject { checker, pair, witness, hidden, clouds, radius, reach, .. } = *self;
        let focus = witness.map(|w| (w.a + w.b) * 0.5);
        let there = clouds.iter().filter(|(body, _)| !hidden.contains(body));
        let cloud = |(body, points): &(BodyId, &'a [[f64; 3]])| Cloud {
            role: Role::from_pair(*body, pair),
            radius,
            points,
        };
        Some((Scene::collect_bodies(checker, hidden, pair, focus, reach)?, there.map(cloud).collect()))
    }
}

/// Stills of many moments from one place, so that they can follow each other.
pub struct Film {
    axes: Axes,
    extent: Extent,
}

impl Film {
    /// Seen from where a moment is seen best.
    pub fn from_subject(subject: &Subject<'_>) -> Option<Film> {
        let (scene, clouds) = subject.scene()?;
        let axes =
            Trial::new(&scene, subject.witness, &clouds)?.best(OBLIQUES.map(Axes::oblique).into_iter());
        Some(Film { axes, extent: Extent::NOTHING })
    }

    /// Makes room for a moment.
    pub fn extend(&mut self, subject: &Subject<'_>) {
        let trial = subject.scene();
        let trial = trial.as_ref().and_then(|(scene, clouds)| Trial::new(scene, subject.witness, clouds));
        self.extent.extend(&self.axes, trial.iter().flat_map(|trial| trial.framed.iter().copied()));
    }

    /// The still of a moment, of no more than about so many bytes and drawn from so many triangles; empty if
    /// it would need more.
    pub fn still(&self, subject: &Subject<'_>, bytes: usize, triangles: usize) -> String {
        let camera = Camera::fit_extent(self.axes, STILL, &self.extent);
        let Some((camera, (scene, clouds))) = camera.zip(subject.scene()) else { return String::new() };
        let details = scene.details(Detail { round: STILL_ROUND, hulls: subject.hulls }, triangles);
        let triangles = scene.triangles(&details, |_| true);
        let (seen, creases) =
            (SeenRegions::new(&camera, &scene, &triangles), scene.creases(&triangles, false));
        let mut svg = drawing::paths(&camera, &scene, &seen, &creases, bytes).map_or(String::new(), |p| p.0);
        svg.push_str(&points::dots(&camera, &scene, &seen, &clouds).0);
        svg.push_str(&marks::marks(&camera, subject.witness, false, None));
        svg
    }

    /// The size of stills, as the box of a view.
    pub fn view_box() -> String {
        format!("0 0 {} {}", STILL.width, STILL.height)
    }
}

fn notes(notes: &mut Vec<String>, scene: &Scene<'_>, details: &[Detail], hulls: bool) {
    if hulls && scene.has_hulls(details) {
        notes.push("Meshes are drawn as their convex hulls.".into());
    } else if scene.has_hulls(details) {
        notes.push(
            "To keep the pictures small, meshes with very many triangles are drawn as their convex hulls."
                .into(),
        );
    }
    if scene.has_padding() {
        notes.push("Padding is drawn, but with sharp corners instead of rounded ones.".into());
    }
    if scene.left_out > 0 {
        let drawn: usize = scene.parts.iter().map(|part| part.shapes.len()).sum();
        notes.push(format!("Only the {drawn} shapes nearest to the points are drawn."));
    }
}

/// The name of a view along x or y.
fn side_name(toward: Vec3) -> &'static str {
    match [toward.x, toward.y] {
        [x, _] if x > 0.5 => "From the side, along \u{2212}x",
        [x, _] if x < -0.5 => "From the side, along +x",
        [_, y] if y > 0.5 => "From the side, along \u{2212}y",
        _ => "From the side, along +y",
    }
}

/// Adds a view.
fn figure(
    out: &mut Picture,
    camera: &Camera,
    scene: &Scene<'_>,
    (seen, creases): (&SeenRegions, &[Crease]),
    clouds: &[Cloud<'_>],
    witness: Option<&Witness>,
    (caption, most): (&str, usize),
) {
    let close = [CLOSE_UP, CLOSE_UP_POINT].contains(&caption);
    let drawn = drawing::paths(camera, scene, seen, creases, most);
    match &drawn {
        Some((_, false)) => {}
        Some((_, true)) => {
            out.notes
                .push("Small bodies that are not of the pair are left out where there are very many.".into());
        }
        None => out.notes.push("Views that would need too many lines have none, only the points.".into()),
    }
    let mut paths = drawn.map_or(String::new(), |(paths, _)| paths);
    let (dots, thinned) = points::dots(camera, scene, seen, clouds);
    paths.push_str(&dots);
    if !dots.is_empty() {
        out.notes.push(POINTS_ARE.into());
    }
    if thinned {
        out.notes.push(THINNED.into());
    }
    let Size { width, height } = camera.size;
    let class = if camera.size == LARGE { "large" } else { "small" };
    // Writing to a string cannot fail.
    let _ = write!(
        out.html,
        "<figure class=\"{class}\"><svg viewBox=\"0 0 {width} {height}\" role=\"img\" \
            aria-label=\"{caption}\">{paths}{}</svg>\
         <figcaption>{caption}</figcaption></figure>",
        marks::marks(camera, witness, close, Some(seen))
    );
}

/// The two bodies alone, about the vector, from where it is seen in its whole length.
fn close_up(
    out: &mut Picture,
    scene: &Scene<'_>,
    trial: &Trial<'_>,
    clouds: &[Cloud<'_>],
    witness: &Witness,
    wish: Vec3,
    hulls: bool,
) {
    let vector = witness.vector();
    let along = if vector.norm() > 0.0 { vector } else { witness.normal };
    let middle = (witness.a + witness.b) * 0.5;
    let width = (WINDOW * vector.norm()).max(CLOSEST * scene.smaller);
    let Some(wish) = marks::across(along, wish) else { return };
    // All the way round the vector, the wish first.
    let other = along.normalized().unwrap_or(Vec3::Z).cross(wish);
    let turns = [
        (1.0, 0.0),
        (0.8, 0.6),
        (0.8, -0.6),
        (0.0, 1.0),
        (0.0, -1.0),
        (-0.8, 0.6),
        (-0.8, -0.6),
        (-1.0, 0.0),
    ];
    let around = turns.into_iter().filter_map(|(c, s)| Axes::from(wish * c + other * s));
    let cameras = around.filter_map(|axes| Camera::window(axes, SMALL, middle, width));
    let Some(camera) = trial.clearest(cameras, witness) else { return };
    // Round surfaces to about a cell.
    let round = |reach: f64| (2.5 * (reach * camera.scale).sqrt()).clamp(48.0, 320.0) as usize / 4 * 4;
    let detail = |part: &scene::Part<'_>| {
        let reach = part.shapes.iter().map(|(s, _)| s.bounding_radius()).fold(0.0, f64::max);
        Detail { round: round(reach), hulls }
    };
    let details: Vec<Detail> = scene.parts.iter().map(detail).collect();
    let triangles = scene.triangles(&details, Role::is_of_pair);
    let (seen, creases) = (SeenRegions::close(&camera, scene, &triangles), scene.creases(&triangles, true));
    let caption = if vector.norm() > 0.0 { CLOSE_UP } else { CLOSE_UP_POINT };
    let clouds: Vec<Cloud<'_>> = clouds.iter().filter(|cloud| cloud.role.is_of_pair()).copied().collect();
    figure(out, &camera, scene, (&seen, &creases), &clouds, Some(witness), (caption, VIEW_BYTES));
}

/// The scene in a few triangles, from which directions are chosen.
struct Trial<'s> {
    scene: &'s Scene<'s>,
    triangles: Vec<Vec<Triangle>>,
    /// The points that should be in the picture.
    framed: Vec<Vec3>,
    witness: Option<&'s Witness>,
}

impl<'s> Trial<'s> {
    fn new(scene: &'s Scene<'s>, witness: Option<&'s Witness>, clouds: &[Cloud<'_>]) -> Option<Trial<'s>> {
        let details = vec![Detail { round: 16, hulls: true }; scene.parts.len()];
        let triangles = scene.triangles(&details, |_| true);
        let mut framed: Vec<Vec3> = witness.iter().flat_map(|w| [w.a, w.b]).collect();
        for (part, triangles) in scene.parts.iter().zip(&triangles) {
            if part.framed {
                framed.extend(triangles.iter().flatten());
            }
        }
        framed.extend(points::framed(scene, clouds));
        (!framed.is_empty()).then_some(Trial { scene, triangles, framed, witness })
    }

    /// The direction from which most of both bodies and of the vector is seen; of equally good ones the
    /// first.
    fn best(&self, axes: impl Iterator<Item = Axes>) -> Axes {
        let (mut most, mut best) = (-1, Axes::oblique(0.61));
        for axes in axes {
            let score = self.score(axes).unwrap_or(0);
            if score > most {
                (most, best) = (score, axes);
            }
        }
        best
    }

    /// In steps of a few hundredths, so that a small gain does not turn the picture.
    fn score(&self, axes: Axes) -> Option<i64> {
        let camera = Camera::around(axes, TRIAL, self.framed.iter().copied())?;
        let seen = SeenRegions::new(&camera, self.scene, &self.triangles);
        let mut cells = [[0u32; 2]; 2];
        for cell in 0..seen.count() {
            for (body, counts) in seen.pair.iter().zip(&mut cells) {
                let own = &body.cells[cell];
                counts[0] += u32::from(own.part != 0);
                counts[1] += u32::from(own.part != 0 && !seen.is_hidden(own, cell));
            }
        }
        let share = |[all, free]: [u32; 2]| if all == 0 { 0.0 } else { f64::from(free) / f64::from(all) };
        let visible = cells.map(share);
        let of_vector = self.witness.map_or(0.0, |w| {
            let long = w.vector().norm() * camera.scale;
            if long > 0.0 { marks::seen_length(&camera, w) / long } else { 0.0 }
        });
        Some(((visible[0].min(visible[1]) + 0.5 * (visible[0] + visible[1]) + of_vector) * 25.0) as i64)
    }

    /// The camera between which and the vector least of the two bodies stands; of equally good ones the
    /// first.
    fn clearest(&self, cameras: impl Iterator<Item = Camera>, witness: &Witness) -> Option<Camera> {
        let mut best: Option<(usize, Camera)> = None;
        for camera in cameras {
            let small = camera.resized(TRIAL);
            let seen = SeenRegions::new(&small, self.scene, &self.triangles);
            let hidden = (0..9).filter(|k| {
                let at = small.project(witness.b + witness.vector() * (f64::from(*k) / 8.0));
                seen.pair
                    .iter()
                    .any(|body| body.cell_at(at[0], at[1]).is_some_and(|cell| cell.hides(at[2] + 2.0)))
            });
            let hidden = hidden.count();
            if best.is_none_or(|(least, _)| hidden < least) {
                best = Some((hidden, camera));
            }
        }
        best.map(|(_, camera)| camera)
    }
}
