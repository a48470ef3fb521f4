//! Hulls of the bench's polytopes and of a real arm's links.

use super::climbs::examine_climbs;
use super::*;
use crate::data::data;
use crate::rng::Rng;
use alloc::format;
use alloc::string::String;
use elbowroom_describe::math::Vec3;

fn obj(text: &str) -> Vec<Vec3> {
    let number = |t: Option<&str>| t.and_then(|t| t.parse().ok()).unwrap();
    text.lines()
        .filter_map(|l| l.strip_prefix("v "))
        .map(|l| {
            let mut t = l.split_whitespace();
            vec3(number(t.next()), number(t.next()), number(t.next()))
        })
        .collect()
}

fn stl(bytes: &[u8]) -> Vec<Vec3> {
    let number = |at: usize| f64::from(f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()));
    let count = u32::from_le_bytes(bytes[80..84].try_into().unwrap()) as usize;
    (0..3 * count)
        .map(|k| {
            let at = 84 + k / 3 * 50 + 12 + k % 3 * 12;
            vec3(number(at), number(at + 4), number(at + 8))
        })
        .collect()
}

fn describe(name: &str, points: &[Vec3]) -> (Hull, String) {
    let begin = std::time::Instant::now();
    let h = hull_quick(points);
    let ms = begin.elapsed().as_secs_f64() * 1e3;
    let mut slack: Vec<f64> = (0..h.vertex_count()).map(|v| h.climb_slack(v)).collect();
    slack.sort_unstable_by(f64::total_cmp);
    let at = |q: f64| slack[((slack.len() - 1) as f64 * q) as usize];
    let degree =
        (0..h.vertex_count()).map(|v| h.neighbours(v).len()).sum::<usize>() as f64 / h.vertex_count() as f64;
    let line = format!(
        "{name}: {} points, {} vertices, {} faces, degree {degree:.2}, {ms:.2} ms, \
         slack min {:.3e} median {:.3e} 90% {:.3e} 99% {:.3e} max {:.3e}",
        points.len(),
        h.vertex_count(),
        h.faces().len(),
        slack[0],
        at(0.5),
        at(0.9),
        at(0.99),
        at(1.0)
    );
    (h, line)
}

fn hull_quick(points: &[Vec3]) -> Hull {
    Hull::from_points(points).unwrap()
}

#[test]
fn hulls_of_the_narrow_bench() {
    let Some(root) = data() else { return };
    let mut rng = Rng::new(9);
    for n in [8, 32, 128, 512, 2048] {
        for k in 0..8 {
            let text = std::fs::read_to_string(root.join(format!("bench/narrow/h{n}_{k}.obj"))).unwrap();
            let points = obj(&text);
            let (h, line) = describe(&format!("h{n}_{k}"), &points);
            std::println!("{line}");
            assert_eq!(h.vertex_count(), n);
            assert!((0..h.vertex_count()).all(|v| h.climb_slack(v).is_finite()));
            if k < 2 {
                examine(&points, &h);
                examine_climbs(&h, &mut rng, 100);
            }
        }
    }
}

#[test]
fn hulls_of_a_real_arm() {
    let Some(root) = data() else { return };
    let folder =
        root.join("robots/kuka_lbr_iiwa_7_r800_pr117/kuka_lbr_iiwa_support/meshes/lbr_iiwa_7_r800/collision");
    let expected = [
        ("base_link", 770),
        ("link_1", 1326),
        ("link_2", 1853),
        ("link_3", 1327),
        ("link_4", 1851),
        ("link_5", 1397),
        ("link_6", 2468),
        ("flange_basic", 2591),
    ];
    let mut rng = Rng::new(10);
    for (name, vertices) in expected {
        let points = stl(&std::fs::read(folder.join(name).with_extension("stl")).unwrap());
        let (h, line) = describe(name, &points);
        std::println!("{line}  (another program found {vertices} vertices)");
        // Ours keeps every extreme point; qhull merges facets within its tolerance.
        assert!(h.vertex_count() >= vertices * 99 / 100 && h.vertex_count() <= vertices * 102 / 100);
        examine(&points[..points.len().min(1500)], &hull_quick(&points[..points.len().min(1500)]));
        let steps = examine_climbs(&h, &mut rng, 200);
        let blunt = (0..2000)
            .filter(|_| {
                let d = rng.direction();
                h.climb_slack(h.climb_from(h.start_vertex(d), d) as usize) > 1e5
            })
            .count();
        std::println!("  {steps:.2} steps from the table; {blunt} of 2000 supports have a slack above 1e5");
        assert!(blunt <= 20, "{blunt}");
    }
}
