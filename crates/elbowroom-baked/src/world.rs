//! A baked world: plain constants, made by `elbowroom bake`.

/// How a joint moves its child.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JointMotion {
    /// It turns about the z axis of the joint's frame (radians).
    Turn,
    /// It slides along the z axis of the joint's frame (metres).
    Slide,
}

/// A joint. Joint `i` moves frame `i + 1`; frame 0 is the cell's and never moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakedJoint {
    /// The frame that it hangs on: one of a joint before it, or 0.
    pub parent: u16,
    /// Index of its value.
    pub value: u16,
    /// How it moves.
    pub kind: JointMotion,
    /// It moves by `scale * value + offset`.
    pub scale: f32,
    /// See `scale`.
    pub offset: f32,
    /// Columns of the rotation of its frame in its parent's.
    pub axes: [[f32; 3]; 3],
    /// Its origin in its parent's frame (metres).
    pub origin: [f32; 3],
}

/// What a ball of the shape's radius sweeps. The axes are those of [`BakedShape::axes`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// The centre.
    Point,
    /// From the centre less the third axis to the centre plus it.
    Segment,
    /// The centre plus each axis times -1 to 1.
    Box,
    /// Discs of the first two axes, along the third.
    Cylinder,
    /// A disc of the first two axes at the centre less the third axis, and the apex at the centre plus it.
    Cone,
    /// The centre plus a unit ball of axes.
    Ellipsoid,
    /// The convex hull of vertices.
    Hull {
        /// The first of them, in [`BakedWorld::vertices`].
        first: u16,
        /// How many.
        count: u16,
    },
}

/// A convex shape, in the frame of its body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakedShape {
    /// What it is.
    pub core: Core,
    /// Its centre (metres).
    pub center: [f32; 3],
    /// Its half axes (metres); for a hull, the columns of its rotation.
    pub axes: [[f32; 3]; 3],
    /// The radius around the core (metres).
    pub radius: f32,
    /// The radius of a ball about the centre that holds all of it (metres).
    pub ball: f32,
}

/// A body: shapes in one frame, and a ball around them.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakedBody {
    /// The frame that it moves with.
    pub frame: u16,
    /// Its first shape.
    pub first: u16,
    /// How many it has.
    pub count: u16,
    /// Centre of its ball, in the frame (metres).
    pub center: [f32; 3],
    /// Radius of its ball (metres).
    pub ball: f32,
}

/// Two bodies that are checked against each other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakedPair {
    /// A body.
    pub a: u16,
    /// Another.
    pub b: u16,
    /// What rounding can do to a distance of this pair (metres).
    pub error: f32,
    /// Margin and error: a computed distance above it is proved clear (metres).
    pub enough: f32,
    /// The engine proves that the two are never nearer within limits (metres); negative infinity where it
    /// proves nothing.
    pub floor: f32,
}

/// Robots and their cell as constants. Pairs have the numbers that they have in the engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BakedWorld<'a> {
    /// That of the world that was baked.
    pub fingerprint: u64,
    /// Nearer than this is not clear (metres).
    pub margin: f32,
    /// Smallest and largest number of each joint value (radians or metres).
    pub limits: &'a [[f32; 2]],
    /// Parents before children.
    pub joints: &'a [BakedJoint],
    /// Bodies with shapes.
    pub bodies: &'a [BakedBody],
    /// Shapes, body by body.
    pub shapes: &'a [BakedShape],
    /// Corners of hulls, from the shape's centre (metres).
    pub vertices: &'a [[f32; 3]],
    /// What is checked.
    pub pairs: &'a [BakedPair],
}

impl BakedWorld<'_> {
    /// Bytes of the constants.
    pub fn constant_bytes(&self) -> usize {
        size_of_val(self.limits)
            + size_of_val(self.joints)
            + size_of_val(self.bodies)
            + size_of_val(self.shapes)
            + size_of_val(self.vertices)
            + size_of_val(self.pairs)
            + size_of_val(self)
    }
}
