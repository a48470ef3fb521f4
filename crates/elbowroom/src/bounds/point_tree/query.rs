//! Queries among points: a capsule or a box, and planes.
//!
//! The numbers are f32 relative to the tree's origin. All rounding of a bound that does not grow with the
//! distance is relative to the size of the query and to its own distance from the origin, so it is added to
//! the radius once.

use super::tree::PointTree;
use crate::bounds::aligned_box::AlignedBox;
use crate::bounds::capsule::Capsule;
use crate::bounds::tolerance::{LEAST_HALF_AXIS, POINT_PLANES, POINT_ROUNDING, WIDE_LIMIT};
use core::sync::atomic::{AtomicU32, Ordering::Relaxed};
use elbowroom_describe::math::{Vec3, round_down, round_up};
use elbowroom_pair::numeric::tolerance::{NORM_ROUNDING, ROUNDOFF, UNDERFLOW_F32};

/// A radius so large that its bounds leave nothing out. Differences of such radii are still finite.
const UNBOUNDED: f32 = 1e37;

/// A half-space that contains the body: along the normal, no point of the body is higher than `height` above
/// the middle of the query.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueryPlane {
    pub(super) normal: [f32; 3],
    /// Rounding included.
    pub(super) height: f32,
}

/// A plane that can be replaced while a search reads the queries. It is atomic so that a struct with queries
/// in it can be shared between threads. Only one search at a time uses a query.
#[derive(Debug)]
pub(super) struct PlaneSlot([AtomicU32; 4]);

impl PlaneSlot {
    fn new(plane: QueryPlane) -> PlaneSlot {
        let slot = PlaneSlot(core::array::from_fn(|_| AtomicU32::new(0)));
        slot.store_plane(plane);
        slot
    }
    fn store_plane(&self, QueryPlane { normal: [x, y, z], height }: QueryPlane) {
        self.0.iter().zip([x, y, z, height]).for_each(|(slot, v)| slot.store(v.to_bits(), Relaxed));
    }
    #[inline(always)]
    pub(super) fn get(&self) -> QueryPlane {
        let at = |i: usize| f32::from_bits(self.0[i].load(Relaxed));
        QueryPlane { normal: [at(0), at(1), at(2)], height: at(3) }
    }
}

impl Clone for PlaneSlot {
    fn clone(&self) -> PlaneSlot {
        PlaneSlot::new(self.get())
    }
}

/// How many planes were ever added.
#[derive(Debug)]
struct AddedCount(AtomicU32);

impl AddedCount {
    #[inline(always)]
    fn get(&self) -> u32 {
        self.0.load(Relaxed)
    }
    fn store_count(&self, added: u32) {
        self.0.store(added, Relaxed);
    }
}

impl Clone for AddedCount {
    fn clone(&self) -> AddedCount {
        AddedCount(AtomicU32::new(self.get()))
    }
}

/// A solid around a body, prepared for the points of a tree. Prepare it anew after these are replaced.
///
/// The body lies in the solid and behind each plane. A bound on the distance of a point is the greatest of
/// those that these give.
#[derive(Clone, Debug)]
pub struct PointQuery {
    /// Middle, half the axis of a capsule and the inverse of its square, half the edges of a box.
    pub(super) center: [f32; 3],
    pub(super) half: [f32; 3],
    pub(super) inverse: f32,
    pub(super) edge: [f32; 3],
    /// The box around axis and edges.
    pub(super) low: [f32; 3],
    pub(super) high: [f32; 3],
    /// The least gap to a box of points that counts (metres). For a capsule it is zero, because no point is
    /// nearer to the axis than zero. For a box it is minus infinity, because points can lie inside the box.
    pub(super) nearest: f32,
    /// With all rounding that does not depend on the point.
    pub(super) radius: f32,
    /// The tree's origin, and the sum of all magnitudes.
    pub(super) origin: Vec3,
    magnitude: f64,
    planes: [PlaneSlot; POINT_PLANES],
    /// How many planes were ever added; the last ones are kept.
    added: AddedCount,
}

impl PointTree {
    /// A query with a capsule, in the frame of the points.
    pub fn around_capsule(&self, capsule: &Capsule) -> PointQuery {
        let Capsule { a, b, radius } = *capsule;
        let half = (b - a) * 0.5;
        PointQuery::new(self.origin, capsule.center(), (half, Vec3::ZERO), radius)
    }

    /// A query with a box, in the frame of the points.
    pub fn around_box(&self, around: &AlignedBox) -> PointQuery {
        PointQuery::new(self.origin, around.center(), (Vec3::ZERO, around.size() * 0.5), 0.0)
    }
}

fn sum_of_abs(v: Vec3) -> f64 {
    v.x.abs() + v.y.abs() + v.z.abs()
}

impl PointQuery {
    /// A query from its middle, half its axis and half its edges. A capsule has no edges, a box no axis.
    pub(crate) fn new(origin: Vec3, center: Vec3, (half, edge): (Vec3, Vec3), radius: f64) -> PointQuery {
        // The middle and the halves are rounded, relative to the distance from the frame's origin.
        let far = sum_of_abs(center) + sum_of_abs(half) + sum_of_abs(edge) + radius;
        let mut radius = radius + 8.0 * ROUNDOFF * far;
        let from_origin = center - origin;
        let mut half = half;
        if half.norm_squared() < LEAST_HALF_AXIS * LEAST_HALF_AXIS {
            (half, radius) = (Vec3::ZERO, radius + sum_of_abs(half));
        }
        let magnitude = sum_of_abs(from_origin) + sum_of_abs(half) + sum_of_abs(edge) + radius;
        let plane = QueryPlane { normal: [0.0; 3], height: 0.0 };
        let mut query = PointQuery {
            center: [0.0; 3],
            half: [0.0; 3],
            inverse: 0.0,
            edge: [0.0; 3],
            low: [0.0; 3],
            high: [0.0; 3],
            nearest: if edge == Vec3::ZERO { 0.0 } else { f32::NEG_INFINITY },
            radius: UNBOUNDED,
            origin,
            magnitude,
            planes: core::array::from_fn(|_| PlaneSlot::new(plane)),
            added: AddedCount(AtomicU32::new(0)),
        };
        // A query with NaN fails this test too: it keeps the radius that leaves nothing out.
        if !(magnitude <= WIDE_LIMIT && edge.x >= 0.0 && edge.y >= 0.0 && edge.z >= 0.0) {
            return query;
        }
        for k in 0..3 {
            query.center[k] = from_origin[k] as f32;
            query.half[k] = half[k] as f32;
            query.edge[k] = round_up(edge[k]);
            let center = f64::from(query.center[k]);
            let reach = f64::from(query.half[k]).abs() + f64::from(query.edge[k]);
            query.low[k] = round_down(center - reach).next_down();
            query.high[k] = round_up(center + reach).next_up();
        }
        let [x, y, z] = query.half.map(f64::from);
        let square = x * x + y * y + z * z;
        query.inverse = if square > 0.0 { (1.0 / square) as f32 } else { 0.0 };
        query.radius = round_up(radius + POINT_ROUNDING * magnitude + UNDERFLOW_F32);
        query
    }

    /// Tells that no point `x` of the body has `normal · x` above `height`, in the frame of the points. Of
    /// more than [`POINT_PLANES`] the last are kept. A normal whose length is not one within rounding is
    /// ignored.
    pub fn add_plane(&self, normal: Vec3, height: f64) {
        if !((normal.norm_squared() - 1.0).abs() <= 4.0 * NORM_ROUNDING) || self.radius == UNBOUNDED {
            return;
        }
        let center = Vec3::from(self.center.map(f64::from));
        let from_center = height - (normal.dot(self.origin) + normal.dot(center));
        let rounding = 16.0 * ROUNDOFF * (sum_of_abs(self.origin) + sum_of_abs(center) + height.abs());
        let in_f32 = POINT_ROUNDING * (self.magnitude + from_center.abs()) + UNDERFLOW_F32;
        let height = round_up(from_center + rounding + in_f32);
        if !height.is_finite() {
            return;
        }
        let added = self.added.get();
        self.planes[added as usize % POINT_PLANES]
            .store_plane(QueryPlane { normal: normal.to_array().map(|x| x as f32), height });
        self.added.store_count(added.wrapping_add(1));
    }

    /// The planes that are kept.
    #[inline(always)]
    pub(super) fn plane_slots(&self) -> &[PlaneSlot] {
        &self.planes[..(self.added.get() as usize).min(POINT_PLANES)]
    }

    /// How many planes were ever added.
    #[inline(always)]
    pub(super) fn added_plane_count(&self) -> u32 {
        self.added.get()
    }
}
