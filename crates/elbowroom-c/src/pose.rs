//! Rigid poses, as C has them.

use crate::border::{CallFault, enter_call};
use crate::pointers::{borrow_array, borrow_place};
use crate::status::ElbowroomStatus;
use elbowroom::math::{Mat3, Transform, vec3};

/// A frame in another one: the rotation's rows, and the origin (metres). A point `p` of the inner frame is
/// `rotation p + translation` in the outer one.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ElbowroomPose {
    /// Rows of the rotation, orthonormal.
    pub rotation: [[f64; 3]; 3],
    /// Origin of the inner frame in the outer one (metres).
    pub translation: [f64; 3],
}

impl From<&Transform> for ElbowroomPose {
    fn from(pose: &Transform) -> ElbowroomPose {
        let columns = pose.rotation.cols.map(|column| column.to_array());
        let row = |k: usize| [columns[0][k], columns[1][k], columns[2][k]];
        ElbowroomPose { rotation: [row(0), row(1), row(2)], translation: pose.translation.to_array() }
    }
}

impl From<&ElbowroomPose> for Transform {
    fn from(pose: &ElbowroomPose) -> Transform {
        let [x, y, z] = pose.translation;
        Transform::new(Mat3::from_rows(pose.rotation), vec3(x, y, z))
    }
}

/// The pose that moves nothing.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub extern "C" fn elbowroom_pose_identity() -> ElbowroomPose {
    ElbowroomPose::from(&Transform::IDENTITY)
}

/// A pose from three lengths (metres) and three angles about x, y and z (radians), as URDF has them. `xyz`
/// and `rpy` are arrays of three; `rpy` may be null for no turn.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_pose_from_xyz_rpy(
    xyz: *const f64,
    rpy: *const f64,
    pose: *mut ElbowroomPose,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, `xyz` and `rpy`
        // have three values, `pose` has room for one value.
        let (xyz, rpy, place) = unsafe {
            let rpy = if rpy.is_null() { &[0.0; 3][..] } else { borrow_array(rpy, 3, "rpy")? };
            (borrow_array(xyz, 3, "xyz")?, rpy, borrow_place(pose, "pose")?)
        };
        let three = |values: &[f64]| [values[0], values[1], values[2]];
        place.write(ElbowroomPose::from(&Transform::from_xyz_rpy(three(xyz), three(rpy))));
        Ok(())
    })
}

/// A pose from three lengths (metres) and a quaternion, the real part first; it is normalized. ROS
/// messages and Eigen's `coeffs()` have the real part last.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_pose_from_xyz_quat_wxyz(
    xyz: *const f64,
    quat_wxyz: *const f64,
    pose: *mut ElbowroomPose,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, `xyz` has three
        // values, `quat_wxyz` four, `pose` has room for one value.
        let (xyz, quat, place) = unsafe {
            let quat = borrow_array(quat_wxyz, 4, "quat_wxyz")?;
            (borrow_array(xyz, 3, "xyz")?, quat, borrow_place(pose, "pose")?)
        };
        let Some(rotation) = Mat3::from_quat_wxyz([quat[0], quat[1], quat[2], quat[3]]) else {
            return Err(CallFault::of_argument("quat_wxyz is zero, or not finite"));
        };
        place.write(ElbowroomPose::from(&Transform::new(rotation, vec3(xyz[0], xyz[1], xyz[2]))));
        Ok(())
    })
}
