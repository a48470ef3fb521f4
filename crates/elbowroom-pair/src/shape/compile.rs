//! From a described shape to a core, a radius and a ball around both, or to a fault.

use crate::numeric::parallel;
use crate::numeric::tolerance::NORM_ROUNDING;
use crate::shape::hull::{Draft, Filling, Hull, HullScratch, InBall, Laid, Rank, Store};
use crate::shape::mesh::Mesh;
use crate::shape::mesh::area::have_area;
use crate::shape::own_hull::{covers_hull, hollow_depth, is_own_hull};
use crate::shape::solid::{Core, Shape};
use crate::shape::tolerance::TASK_POINTS;
use alloc::sync::Arc;
use alloc::vec::Vec;
use elbowroom_describe::ShapeDescription;
pub use elbowroom_describe::fault::ShapeFault;
use elbowroom_describe::limits::{MAX_COORDINATE, MIN_EXTENT};
use elbowroom_describe::math::{Vec3, sqrt, vec3};

impl Shape {
    /// Checks and compiles a description. `padding` (metres, >= 0) is added to its radius.
    ///
    /// ```
    /// use elbowroom_pair::describe::ShapeDescription;
    /// use elbowroom_pair::{Shape, ShapeFault};
    ///
    /// let shape = Shape::new(&ShapeDescription::Cylinder { radius: 0.2, length: 1.0 }, 0.01)?;
    /// assert!(shape.bounding_radius() > 0.5, "of a ball that contains it");
    /// let fault = Shape::new(&ShapeDescription::Sphere { radius: -1.0 }, 0.0).expect_err("no radius");
    /// assert_eq!(fault, ShapeFault::Extent { what: "the radius", value: -1.0 });
    /// # Ok::<(), ShapeFault>(())
    /// ```
    ///
    /// # Errors
    /// The first fault of the padding or of the description.
    pub fn new(description: &ShapeDescription, padding: f64) -> Result<Shape, ShapeFault> {
        let scratch = &mut HullScratch::new();
        let part = ShapePart::new(scratch, &mut Vec::new(), description, padding, Preparation::Whole)?;
        let center = scratch.ball_center(part.ball_points());
        Ok(part.finish_shape(center))
    }
}

/// How much of a shape is made before the first question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preparation {
    /// All of it. No question has to make anything, so none allocates, and none takes longer for it.
    Whole,
    /// All but the data that only searches between surfaces use. The first such search makes them, and they
    /// are kept. The answers have the same bits. Without the feature `std` all is made at once.
    OnDemand,
}

/// [`Shape::new`] of many descriptions, each with its padding, on all threads: by description, the shape or
/// its first fault.
pub fn compile_shapes(
    described: &[(&ShapeDescription, f64)],
    preparation: Preparation,
) -> impl Iterator<Item = Result<Shape, ShapeFault>> {
    let points = |(d, _): &(&ShapeDescription, f64)| match d {
        ShapeDescription::Convex { vertices } | ShapeDescription::Mesh { vertices, .. } => vertices.len() + 1,
        _ => 1,
    };
    parallel::in_parts(parallel::split_runs(described, TASK_POINTS, points), move |run| {
        shapes_of_run(run, preparation)
    })
    .flatten()
}

/// Like [`compile_shapes`], for a run of descriptions on one thread.
fn shapes_of_run(
    run: &[(&ShapeDescription, f64)],
    preparation: Preparation,
) -> Vec<Result<Shape, ShapeFault>> {
    let (scratch, points) = (&mut HullScratch::new(), &mut Vec::new());
    let part =
        |(d, padding): &(&ShapeDescription, f64)| ShapePart::new(scratch, points, d, *padding, preparation);
    let parts: Vec<_> = run.iter().map(part).collect();
    let sets: Vec<&[Vec3]> =
        parts.iter().map(|p| p.as_ref().map_or(&[][..], ShapePart::ball_points)).collect();
    let centers = scratch.ball_centers(&sets);
    let mut filling = Draft::room_for(parts.iter().flatten().filter_map(ShapePart::hull_draft));
    let laid: Vec<_> = parts
        .into_iter()
        .zip(centers)
        .map(|(part, center)| part.map(|part| part.lay_in_store(center, &mut filling)))
        .collect();
    let store = filling.into_shared();
    laid.into_iter().map(|laid| laid.map(|laid| laid.in_store(&store))).collect()
}

/// A shape as it is before the balls around hulls are found, several at a time.
enum ShapePart {
    /// All of it.
    Shape(Shape),
    /// A hull and its padding.
    Hull(Draft, f64),
}

impl ShapePart {
    /// Compiles a description, or returns its first fault. `points` is work space too.
    fn new(
        scratch: &mut HullScratch,
        points: &mut Vec<Vec3>,
        description: &ShapeDescription,
        padding: f64,
        preparation: Preparation,
    ) -> Result<ShapePart, ShapeFault> {
        if !(0.0..=MAX_COORDINATE).contains(&padding) {
            return Err(ShapeFault::Padding { value: padding });
        }
        let (core, radius, center, bounding_radius) = match description {
            ShapeDescription::Sphere { radius } => {
                (Core::Point, check_extent("the radius", *radius)?, Vec3::ZERO, 0.0)
            }
            ShapeDescription::Box { size } => {
                for (what, value) in
                    ["the size along x", "the size along y", "the size along z"].iter().zip(size)
                {
                    check_extent(what, *value)?;
                }
                let half = Vec3::from(*size) * 0.5;
                (Core::Box { half }, 0.0, Vec3::ZERO, half.norm())
            }
            ShapeDescription::Capsule { radius, length } => {
                let radius = check_extent("the radius", *radius)?;
                // A capsule of no length is a ball.
                if *length == 0.0 {
                    (Core::Point, radius, Vec3::ZERO, 0.0)
                } else {
                    let half_length = 0.5 * check_extent("the length", *length)?;
                    (Core::Segment { half_length }, radius, Vec3::ZERO, half_length)
                }
            }
            ShapeDescription::Cylinder { radius, length } => {
                let (radius, half_length) =
                    (check_extent("the radius", *radius)?, 0.5 * check_extent("the length", *length)?);
                let bounding_radius = sqrt(radius * radius + half_length * half_length);
                (Core::Cylinder { radius, half_length }, 0.0, Vec3::ZERO, bounding_radius)
            }
            ShapeDescription::Cone { radius, length } => {
                let (radius, half_length) =
                    (check_extent("the radius", *radius)?, 0.5 * check_extent("the length", *length)?);
                // The ball through apex and rim if its centre lies inside, else the ball over the base.
                let below = (radius * radius / (4.0 * half_length)).min(half_length);
                let bounding_radius =
                    if below < half_length { half_length + below } else { radius.max(2.0 * half_length) };
                (Core::Cone { radius, half_length }, 0.0, vec3(0.0, 0.0, -below), bounding_radius)
            }
            ShapeDescription::Ellipsoid { radii } => {
                for (what, value) in
                    ["the half axis along x", "the half axis along y", "the half axis along z"]
                        .iter()
                        .zip(radii)
                {
                    check_extent(what, *value)?;
                }
                let radii = Vec3::from(*radii);
                (Core::Ellipsoid { radii }, 0.0, Vec3::ZERO, radii.max_abs())
            }
            ShapeDescription::Convex { vertices } => {
                check_vertices(vertices)?;
                points.clear();
                points.extend(vertices.iter().map(|v| Vec3::from(*v)));
                let draft = Draft::for_queries(points, scratch).map_err(ShapeFault::Hull)?;
                return Ok(ShapePart::Hull(draft, padding));
            }
            ShapeDescription::Mesh { vertices, triangles } => {
                check_vertices(vertices)?;
                let points: Vec<Vec3> = vertices.iter().map(|v| Vec3::from(*v)).collect();
                let used = used_points(&points, triangles)?;
                if !have_area(triangles.iter().map(|t| t.map(|k| points[k as usize]))) {
                    return Err(ShapeFault::NoArea { triangles: triangles.len() });
                }
                let (hull, mesh) =
                    parallel::both(|| Hull::for_queries(&used), || Mesh::new(&points, triangles));
                let (hull, mut mesh) = (hull.map_err(ShapeFault::Hull)?, mesh.map_err(ShapeFault::Mesh)?);
                let InBall { hull, center, radius: bounding_radius } = hull;
                let convex = match hull.rank() {
                    Rank::Solid => {
                        mesh.is_closed()
                            && mesh.crack_half_width() == 0.0
                            && is_own_hull(&hull, &points, triangles)
                    }
                    Rank::Polygon => covers_hull(&points, triangles),
                    Rank::Point | Rank::Segment => false,
                };
                let core = if convex {
                    Core::Hull(hull)
                } else {
                    mesh.hollow = hollow_depth(&hull, &mesh);
                    if preparation == Preparation::Whole {
                        mesh.make_node_hulls();
                    }
                    Core::Mesh { hull: Arc::new(hull), mesh: Arc::new(mesh) }
                };
                (core, 0.0, center, bounding_radius)
            }
        };
        Ok(ShapePart::Shape(sweep_core(core, radius + padding, center, bounding_radius)))
    }

    /// A hull that is not laid in a store yet.
    fn hull_draft(&self) -> Option<&Draft> {
        match self {
            ShapePart::Shape(_) => None,
            ShapePart::Hull(draft, _) => Some(draft),
        }
    }

    /// The points around which a ball is to be found.
    fn ball_points(&self) -> &[Vec3] {
        self.hull_draft().map_or(&[], Draft::points)
    }

    /// The shape, where a ball about `center` is around its points.
    fn finish_shape(self, center: Vec3) -> Shape {
        let mut filling = Draft::room_for(self.hull_draft().into_iter());
        let laid = self.lay_in_store(center, &mut filling);
        laid.in_store(&filling.into_shared())
    }

    /// The shape, where a ball about `center` is around its points, with its hull laid in a store that it
    /// shares with others.
    fn lay_in_store(self, center: Vec3, others: &mut Filling) -> LaidPart {
        match self {
            ShapePart::Shape(shape) => LaidPart::Shape(shape),
            ShapePart::Hull(draft, padding) => LaidPart::Hull(draft.lay_in_store(center, others), padding),
        }
    }
}

/// A shape whose hull has no store yet.
enum LaidPart {
    /// All of it.
    Shape(Shape),
    /// A hull and its padding.
    Hull(Laid, f64),
}

impl LaidPart {
    fn in_store(self, store: &Arc<Store>) -> Shape {
        match self {
            LaidPart::Shape(shape) => shape,
            LaidPart::Hull(laid, padding) => {
                let InBall { hull, center, radius } = laid.in_store(store);
                sweep_core(Core::Hull(hull), padding, center, radius)
            }
        }
    }
}

/// A core and a radius; a ball of `bounding_radius` about `center` is around the core.
fn sweep_core(core: Core, radius: f64, center: Vec3, bounding_radius: f64) -> Shape {
    // The ball grows by the rounding of its sums.
    Shape { core, radius, center, bounding_radius: (bounding_radius + radius) * (1.0 + NORM_ROUNDING) }
}

fn check_extent(what: &'static str, value: f64) -> Result<f64, ShapeFault> {
    if (MIN_EXTENT..=MAX_COORDINATE).contains(&value) {
        Ok(value)
    } else {
        Err(ShapeFault::Extent { what, value })
    }
}

fn check_vertices(vertices: &[[f64; 3]]) -> Result<(), ShapeFault> {
    if vertices.is_empty() {
        return Err(ShapeFault::NoVertices);
    }
    let largest = vertices.iter().flatten().fold(0.0, |m: f64, x| m.max(x.abs()));
    if largest > 0.0 && largest < MIN_EXTENT {
        return Err(ShapeFault::Extent { what: "the largest coordinate", value: largest });
    }
    let fits = |v: &[f64; 3]| v.iter().all(|x| x.abs() <= MAX_COORDINATE);
    match vertices.iter().position(|v| !fits(v)) {
        Some(index) => Err(ShapeFault::Vertex { index, vertex: vertices[index] }),
        None => Ok(()),
    }
}

/// The points that triangles use: a stray vertex must not enlarge the hull.
fn used_points(points: &[Vec3], triangles: &[[u32; 3]]) -> Result<Vec<Vec3>, ShapeFault> {
    if triangles.is_empty() {
        return Err(ShapeFault::NoTriangles);
    }
    let mut used = alloc::vec![false; points.len()];
    for (triangle, corners) in triangles.iter().enumerate() {
        for &index in corners {
            match used.get_mut(index as usize) {
                Some(flag) => *flag = true,
                None => return Err(ShapeFault::Index { triangle, index, vertices: points.len() }),
            }
        }
    }
    Ok(points.iter().zip(&used).filter(|(_, used)| **used).map(|(p, _)| *p).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn balls_contain_their_shapes() {
        let all = |d: ShapeDescription| Shape::new(&d, 0.25).unwrap();
        let sphere = all(ShapeDescription::Sphere { radius: 2.0 });
        assert!(
            matches!(sphere.core, Core::Point) && sphere.radius == 2.25 && sphere.bounding_radius >= 2.25
        );
        let capsule = all(ShapeDescription::Capsule { radius: 1.0, length: 0.0 });
        assert!(matches!(capsule.core, Core::Point));
        let capsule = all(ShapeDescription::Capsule { radius: 1.0, length: 4.0 });
        assert!(capsule.bounding_radius >= 3.25 && capsule.bounding_radius < 3.26);
        // Slender and flat cones: apex and rim are inside, and the slender one's ball is no larger than
        // needed.
        for (radius, length) in [(0.1, 2.0), (1.0, 1.0), (3.0, 0.5), (1.0, 0.5)] {
            let cone = all(ShapeDescription::Cone { radius, length });
            for p in [vec3(0.0, 0.0, length / 2.0), vec3(radius, 0.0, -length / 2.0)] {
                assert!((p - cone.center).norm() + 0.25 <= cone.bounding_radius, "{radius} {length}");
            }
            assert!(cone.bounding_radius < (radius + length) + 0.25 + 1e-9);
        }
        let convex =
            all(ShapeDescription::Convex { vertices: alloc::vec![[5.0, 0.0, 0.0], [7.0, 0.0, 0.0]] });
        assert!((convex.center.x - 6.0).abs() < 0.5 && convex.bounding_radius >= 1.25);
    }

    #[test]
    fn nonsense_is_refused() {
        let fault = |d: ShapeDescription| Shape::new(&d, 0.0).unwrap_err();
        for bad in [f64::NAN, f64::INFINITY, -1.0, 0.0, 1e-13, 1e10] {
            assert!(matches!(fault(ShapeDescription::Sphere { radius: bad }), ShapeFault::Extent { .. }));
            assert!(matches!(
                fault(ShapeDescription::Box { size: [1.0, 1.0, bad] }),
                ShapeFault::Extent { what: "the size along z", .. }
            ));
        }
        for bad in [f64::NAN, -1e-3, f64::INFINITY] {
            let sphere = ShapeDescription::Sphere { radius: 1.0 };
            assert!(matches!(Shape::new(&sphere, bad), Err(ShapeFault::Padding { .. })));
        }
        let corner = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let mesh = |vertices: &[[f64; 3]], triangles: &[[u32; 3]]| {
            fault(ShapeDescription::Mesh { vertices: vertices.into(), triangles: triangles.into() })
        };
        assert_eq!(mesh(&[], &[]), ShapeFault::NoVertices);
        assert_eq!(mesh(&corner, &[]), ShapeFault::NoTriangles);
        assert_eq!(
            mesh(&corner, &[[0, 1, 2], [0, 1, 3]]),
            ShapeFault::Index { triangle: 1, index: 3, vertices: 3 }
        );
        // Two of three corners are one, all three are on a line, or flattened to one.
        let line = [[0.0; 3], [0.1, 0.2, 0.3], [0.3, 0.6, 0.9]];
        let flat = [[0.0; 3], [1e-300, 1.0, 0.0], [0.0, 2.0, 0.0]];
        for (corners, triangle) in [(corner, [0, 1, 1]), (line, [0, 1, 2]), (flat, [0, 1, 2])] {
            assert_eq!(mesh(&corners, &[triangle; 2]), ShapeFault::NoArea { triangles: 2 }, "{corners:?}");
        }
        assert!(matches!(mesh(&[[0.0; 3], [f64::NAN, 0.0, 0.0]], &[]), ShapeFault::Vertex { index: 1, .. }));
    }

    #[test]
    fn stray_vertices_do_not_widen_the_hull() {
        let vertices = alloc::vec![[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [500.0, 0.0, 0.0]];
        let mesh = ShapeDescription::Mesh { vertices, triangles: alloc::vec![[0, 1, 2]] };
        assert!(Shape::new(&mesh, 0.0).unwrap().bounding_radius < 2.0);
    }

    #[test]
    fn a_convex_closed_mesh_is_its_hull_and_a_dented_or_open_one_is_not() {
        let corner = |i: usize| [(i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64];
        let mut vertices: Vec<[f64; 3]> = (0..8).map(corner).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let mut triangles: Vec<[u32; 3]> =
            quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]).collect();
        let core = |vertices: &[[f64; 3]], triangles: &[[u32; 3]]| {
            let (vertices, triangles) = (vertices.to_vec(), triangles.to_vec());
            Shape::new(&ShapeDescription::Mesh { vertices, triangles }, 0.0).unwrap().core
        };
        assert!(matches!(core(&vertices, &triangles), Core::Hull(_)));
        let inward: Vec<[u32; 3]> = triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        assert!(matches!(core(&vertices, &inward), Core::Hull(_)));
        assert!(matches!(core(&vertices, &triangles[1..]), Core::Mesh { .. }));
        // The top's middle, pushed in by the smallest step there is.
        vertices.push([0.5, 0.5, 1.0_f64.next_down()]);
        triangles.retain(|t| *t != [4, 5, 7] && *t != [4, 7, 6]);
        triangles.extend([[4, 5, 8], [5, 7, 8], [7, 6, 8], [6, 4, 8]]);
        assert!(matches!(core(&vertices, &triangles), Core::Mesh { .. }));
        vertices[8][2] = 1.0;
        assert!(matches!(core(&vertices, &triangles), Core::Hull(_)));
        // The centre of this one's smallest ball is on a face.
        let wedge = [[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        assert!(matches!(core(&wedge, &[[0, 2, 1], [0, 1, 3], [1, 2, 3], [0, 3, 2]]), Core::Hull(_)));
    }
}
