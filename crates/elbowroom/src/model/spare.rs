//! A shape for a spare place. It is compiled outside of the world, with all bounds that queries ask first, so
//! that it can be put into a place without work.

use super::compile::bounds::body_capsule;
use crate::bounds::fit::{BallSet, FitEffort};
use crate::model::body_bounds::BodyCapsule;
use crate::model::id::BodyId;
use crate::model::solids::BodyShape;
use alloc::string::String;
use alloc::sync::Arc;
use core::fmt;
use elbowroom_describe::PlacedShape;
use elbowroom_describe::fault::ShapeFault;
use elbowroom_describe::math::Transform;
use elbowroom_pair::numeric::rigid::{TransformProblem, pose_defect};
use elbowroom_pair::shape::solid::{Core, Shape};

/// A number that no body has. The shape does not know which place it will fill.
const NO_BODY: BodyId = BodyId(u32::MAX);

/// A convex shape for a spare place ([`SpareDescription`](elbowroom_describe::SpareDescription)), ready for
/// [`Checker::insert_obstacle`](crate::Checker::insert_obstacle). It is compiled once; copies of it, in other
/// places, checkers and threads, share it.
///
/// ```
/// use elbowroom::describe::{PlacedShape, ShapeDescription};
/// use elbowroom::math::Transform;
/// use elbowroom::pose::SpareShape;
///
/// let shape = ShapeDescription::Box { size: [0.1, 0.1, 0.2] };
/// let shape_in_body = Transform::from_translation([0.0, 0.0, 0.1].into());
/// let part = SpareShape::new(&PlacedShape { name: String::new(), shape_in_body, shape, padding: 0.0 })?;
/// assert_eq!(part.corner_count(), 8);
/// # Ok::<(), elbowroom::pose::SpareFault>(())
/// ```
#[derive(Clone, Debug)]
pub struct SpareShape(Arc<Compiled>);

/// The shape and its bounds.
#[derive(Debug)]
struct Compiled {
    shape: BodyShape,
    bounds: BodyCapsule,
}

/// Why a shape cannot fill a spare place.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SpareFault {
    /// The shape's frame in the body is not a rigid transform of ordinary size.
    Frame(TransformProblem),
    /// The shape cannot be compiled.
    Shape(ShapeFault),
    /// It is a mesh that is not proved to be its own hull.
    NotConvex,
}

impl fmt::Display for SpareFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SpareFault::Frame(problem) => write!(f, "the frame of the shape {problem}"),
            SpareFault::Shape(fault) => write!(f, "{fault}"),
            SpareFault::NotConvex => f.write_str(
                "the mesh is not its own hull, and a spare place takes convex shapes: if the hull is meant, \
                 say so (`SpareShape::hull_of`)",
            ),
        }
    }
}

impl core::error::Error for SpareFault {}

impl SpareShape {
    /// Compiles a shape at its place in the body. A mesh must be convex and closed.
    ///
    /// # Errors
    /// The first fault of its frame, its padding or its description; a mesh that is not its own hull.
    pub fn new(described: &PlacedShape) -> Result<SpareShape, SpareFault> {
        let defect = pose_defect(&described.shape_in_body).map_err(SpareFault::Frame)?;
        let shape = Shape::new(&described.shape, described.padding).map_err(SpareFault::Shape)?;
        match shape.core() {
            Core::Mesh { .. } => Err(SpareFault::NotConvex),
            _ => Ok(SpareShape::from_described(described, shape, defect)),
        }
    }

    /// Compiles a shape at its place in the body. A mesh is replaced by its hull: the body then is that hull.
    ///
    /// # Errors
    /// The first fault of its frame, its padding or its description.
    pub fn hull_of(described: &PlacedShape) -> Result<SpareShape, SpareFault> {
        let defect = pose_defect(&described.shape_in_body).map_err(SpareFault::Frame)?;
        let shape = Shape::new(&described.shape, described.padding).map_err(SpareFault::Shape)?;
        Ok(SpareShape::from_described(described, shape.hull_of_mesh(), defect))
    }

    fn from_described(described: &PlacedShape, shape: Shape, defect: f64) -> SpareShape {
        // Names are for the shapes of a world.
        let described = PlacedShape { name: String::new(), ..described.clone() };
        let shape = BodyShape::placed_as(NO_BODY, &described, shape, defect);
        let set = BallSet::of_shapes(core::iter::once(shape.on_body()));
        let bounds = body_capsule((NO_BODY, None), &set, Some(&shape), FitEffort::Quick);
        SpareShape(Arc::new(Compiled { shape, bounds }))
    }

    /// How many corners it has: a hull has its vertices, a box has eight, a round shape has none.
    pub fn corner_count(&self) -> usize {
        match self.0.shape.shape.core() {
            Core::Hull(hull) => hull.vertex_count(),
            Core::Mesh { hull, .. } => hull.vertex_count(),
            Core::Box { .. } => 8,
            Core::Point
            | Core::Segment { .. }
            | Core::Cylinder { .. }
            | Core::Cone { .. }
            | Core::Ellipsoid { .. } => 0,
        }
    }

    /// The shape.
    pub fn shape(&self) -> &Shape {
        &self.0.shape.shape
    }

    /// Its frame in the body's.
    pub fn shape_in_body(&self) -> Transform {
        self.0.shape.shape_in_body()
    }

    /// The shape on its body. It does not know which body that is.
    #[inline]
    pub(crate) fn on_body(&self) -> &BodyShape {
        &self.0.shape
    }

    /// Its bounds, which do not know the body either.
    pub(crate) fn bounds(&self) -> &BodyCapsule {
        &self.0.bounds
    }

    /// Whether two are copies of one.
    pub(crate) fn is_copy_of(&self, other: &SpareShape) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;
    use alloc::vec::Vec;
    use elbowroom_describe::ShapeDescription;

    fn placed(shape: ShapeDescription) -> PlacedShape {
        let shape_in_body = Transform::from_xyz_rpy([0.1, 0.0, 0.2], [0.3, 0.0, 1.0]);
        PlacedShape { name: "a name".into(), shape_in_body, shape, padding: 0.01 }
    }

    #[test]
    fn a_mesh_counts_with_its_hull_only_if_that_is_said() {
        let corner = |i: usize| [(i & 1) as f64, (i >> 1 & 1) as f64, (i >> 2) as f64];
        let vertices: Vec<[f64; 3]> = (0..8).map(corner).collect();
        let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
        let mut triangles: Vec<[u32; 3]> =
            quads.iter().flat_map(|[a, b, c, d]| [[*a, *b, *c], [*a, *c, *d]]).collect();
        let mesh = |triangles: &[[u32; 3]]| {
            placed(ShapeDescription::Mesh { vertices: vertices.clone(), triangles: triangles.into() })
        };
        // A closed cube is its own hull, and one without a lid is not.
        assert_eq!(SpareShape::new(&mesh(&triangles)).unwrap().corner_count(), 8);
        triangles.pop();
        assert_eq!(SpareShape::new(&mesh(&triangles)).unwrap_err(), SpareFault::NotConvex);
        let hull = SpareShape::hull_of(&mesh(&triangles)).unwrap();
        assert!(hull.corner_count() == 8 && hull.shape().mesh().is_none());
    }

    #[test]
    fn nonsense_is_refused() {
        let ball = placed(ShapeDescription::Sphere { radius: 0.1 });
        let mut bad = ball.clone();
        bad.shape_in_body.translation.x = f64::NAN;
        assert_eq!(SpareShape::new(&bad).unwrap_err(), SpareFault::Frame(TransformProblem::NotFinite));
        let bad = PlacedShape { padding: -1.0, ..ball.clone() };
        assert!(matches!(SpareShape::hull_of(&bad), Err(SpareFault::Shape(ShapeFault::Padding { .. }))));
        let bad = PlacedShape { shape: ShapeDescription::Convex { vertices: vec![] }, ..ball };
        assert_eq!(SpareShape::new(&bad).unwrap_err(), SpareFault::Shape(ShapeFault::NoVertices));
    }
}
