//! Vectors, poses, descriptions and answers in the types and formats of other crates. Each part is a feature.
#![cfg(any(feature = "mint", feature = "nalgebra", feature = "serde"))]

use elbowroom_testkit::rng;

use elbowroom::math::{Mat3, Transform, Vec3, vec3};
use rng::Rng;

/// How far apart two poses are: the largest difference of a number.
fn difference(a: &Transform, b: &Transform) -> f64 {
    let columns = a.rotation.cols.into_iter().zip(b.rotation.cols);
    let all = columns.chain([(a.translation, b.translation)]);
    all.fold(0.0, |most, (a, b)| (a - b).max_abs().max(most))
}

#[cfg(feature = "mint")]
#[test]
fn mint_keeps_every_bit() {
    let mut rng = Rng::new(1);
    for _ in 0..100 {
        let pose = rng.pose(2.0);
        let matrix = mint::ColumnMatrix4::from(pose);
        assert_eq!(Transform::try_from(matrix).unwrap(), pose);
        assert_eq!(Mat3::from(mint::ColumnMatrix3::from(pose.rotation)), pose.rotation);
        let p = pose.translation;
        assert_eq!(Vec3::from(mint::Vector3::from(p)), p);
        assert_eq!(Vec3::from(mint::Point3::from(p)), p);
        // The matrix is stored by columns: its first column is the image of x.
        assert_eq!(vec3(matrix.x.x, matrix.x.y, matrix.x.z), pose.direction(Vec3::X));
        // Written by rows its translation is in the last row, and it is refused.
        let rows = mint::RowMatrix4::from(matrix);
        let by_rows = mint::ColumnMatrix4 { x: rows.x, y: rows.y, z: rows.z, w: rows.w };
        let refused = Transform::try_from(by_rows).unwrap_err();
        assert!(refused.to_string().contains("by columns") && refused.last[3] == 1.0);
    }
}

#[cfg(feature = "nalgebra")]
#[test]
fn nalgebra_moves_points_alike() {
    use nalgebra::{Isometry3, Point3, Rotation3, Vector3};
    let mut rng = Rng::new(2);
    for _ in 0..100 {
        let pose = rng.pose(2.0);
        let theirs = Isometry3::from(pose);
        assert!(difference(&Transform::from(theirs), &pose) < 1e-14);
        let p = rng.point(1.0);
        assert!((Vec3::from(theirs * Point3::from(p)) - pose.point(p)).norm() < 1e-14);
        assert_eq!(Vec3::from(Vector3::from(p)), p);
        let turned = Mat3::from(Rotation3::from_axis_angle(&Vector3::z_axis(), 0.7));
        assert!((turned * Vec3::X - Mat3::from_axis_angle(Vec3::Z, 0.7) * Vec3::X).norm() < 1e-15);
    }
    // What is no pose is none afterwards either.
    let lost = Isometry3::translation(f64::NAN, 0.0, 0.0);
    assert!(!Transform::from(lost).is_finite());
}

#[cfg(feature = "serde")]
mod written {
    use super::*;
    use elbowroom::describe::WorldDescription;
    use elbowroom::describe::examples::rod_and_post;
    use elbowroom::{Checker, Question, World};
    use serde_json::Value;

    #[test]
    fn a_description_is_read_as_it_was_written() {
        let description = rod_and_post();
        let text = serde_json::to_string(&description).unwrap();
        let read: WorldDescription = serde_json::from_str(&text).unwrap();
        assert_eq!(read, description);
        assert_eq!(
            World::compile(&read).unwrap().fingerprint(),
            World::compile(&description).unwrap().fingerprint()
        );
        let mut rng = Rng::new(3);
        let pose = rng.pose(1.0);
        let read: Transform = serde_json::from_str(&serde_json::to_string(&pose).unwrap()).unwrap();
        assert_eq!(difference(&read, &pose), 0.0);
        // A name that no field has is a spelling mistake, and not ignored.
        let misspelt = text.replacen("\"margin\"", "\"magrin\"", 1);
        assert!(serde_json::from_str::<WorldDescription>(&misspelt).is_err());
    }

    #[test]
    fn an_answer_is_written_in_the_words_of_the_program() {
        let world = World::compile(&rod_and_post()).unwrap();
        let mut checker = Checker::new(&world);
        checker.set(&[0.0]).unwrap();
        let answer = checker.ask(&Question::distance());
        let value: Value = serde_json::to_value(answer).unwrap();
        assert_eq!((value["verdict"].as_str(), value["stop"].as_str()), (Some("clear"), Some("closed_form")));
        assert_eq!(value["interval"]["lower"].as_f64(), Some(answer.interval.lower));
        assert!(value["witness"]["normal"]["x"].is_f64(), "{value}");
    }
}
