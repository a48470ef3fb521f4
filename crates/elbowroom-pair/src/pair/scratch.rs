//! The warm start and the scratch space of queries of shapes.

use crate::pair::depth::space::DepthScratch;
use crate::pair::gjk::{GjkStart, Nearest};
use crate::pair::mesh::gap::MeshWarm;
use crate::pair::mesh::queue::MeshScratch;
use crate::pair::penetration::Polytope;
use alloc::boxed::Box;

/// The warm start of a pair, from its last query; owned by the caller. `Default` is a cold start. It changes
/// how fast a query is and its last digits, never what is proved. Keep one for each pair of shapes: that of
/// another pair is allowed, and saves nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Warm {
    pub(crate) gjk: GjkStart,
    pub(crate) mesh: MeshWarm,
}

/// Work space of the searches for a pair of convex cores.
#[derive(Clone, Debug)]
pub(crate) struct Work {
    pub nearest: Nearest,
    pub polytope: Polytope,
}

impl Default for Work {
    fn default() -> Work {
        Work { nearest: Nearest::NEW, polytope: Polytope::default() }
    }
}

/// Work space of queries: one per thread, allocated here and never grown by a query. After two meshes it
/// keeps how they were searched, for the next query with the same warm start; one with a cold start takes
/// nothing of it, so its answer does not depend on earlier ones.
#[derive(Debug)]
pub struct Scratch {
    /// The depth of the meshes that it was made for.
    mesh_depth: usize,
    pub(crate) work: Work,
    pub(crate) mesh: MeshScratch,
    /// None while a search has it, and where no mesh is expected.
    pub(crate) depth: Option<Box<DepthScratch>>,
}

impl Clone for Scratch {
    /// The copy has the same capacity. What queries left in the original is not copied.
    fn clone(&self) -> Scratch {
        Scratch::new(self.mesh_depth)
    }
}

impl Scratch {
    /// For shapes whose meshes are at most this deep; deeper ones work, but allocate. Shapes without meshes
    /// have depth zero, and `Scratch::default()` is for them.
    ///
    /// ```
    /// use elbowroom_pair::describe::ShapeDescription;
    /// use elbowroom_pair::{Scratch, Shape};
    ///
    /// let ball = Shape::new(&ShapeDescription::Sphere { radius: 0.5 }, 0.0)?;
    /// let cube = Shape::new(&ShapeDescription::Box { size: [1.0; 3] }, 0.0)?;
    /// let scratch = Scratch::new(ball.mesh_depth().max(cube.mesh_depth()));
    /// # let _ = scratch;
    /// # Ok::<(), elbowroom_pair::ShapeFault>(())
    /// ```
    pub fn new(mesh_depth: usize) -> Scratch {
        Scratch {
            mesh_depth,
            work: Work::default(),
            mesh: MeshScratch::for_depths(mesh_depth, mesh_depth),
            depth: (mesh_depth > 0).then(Box::default),
        }
    }

    /// How many nodes, triangles and parts of meshes all queries visited so far.
    #[inline]
    pub fn visits(&self) -> u64 {
        self.mesh.nearest.visits
    }
}

impl Default for Scratch {
    fn default() -> Scratch {
        Scratch::new(0)
    }
}
