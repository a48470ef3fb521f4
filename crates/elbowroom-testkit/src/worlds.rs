//! Worlds at the edge of what a description may say.

use super::describe::*;
use super::rng::Rng;
use elbowroom::describe::*;
use elbowroom::math::Vec3;

/// What is known of all poses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Known {
    /// Nothing beforehand.
    Nothing,
    /// No pair is checked: nothing is proved.
    NoPairs,
    /// Everything overlaps.
    Inside,
}

#[derive(Debug)]
pub struct Odd {
    pub name: &'static str,
    pub description: WorldDescription,
    pub known: Known,
}

/// A chain of four balls and a box that turns and slides.
pub fn odd_arm() -> RobotDescription {
    let mut robot = row_of_balls("arm", 4, 0.3, 0.06);
    for (i, joint) in robot.joints.iter_mut().enumerate() {
        joint.axis = [Vec3::Z, Vec3::Y, Vec3::X][i % 3];
    }
    robot.joints[2].kind = JointKind::Prismatic;
    robot.joints[2].limits = Some(JointLimits { lower: -0.1, upper: 0.2 });
    robot.joints[3].kind = JointKind::Continuous;
    robot.joints[3].limits = None;
    robot.links[4].shapes = vec![shape(ShapeDescription::Box { size: [0.1, 0.2, 0.05] })];
    robot
}

/// The corners and triangles of a box, its faces outwards or, for a cavity, inwards.
fn box_mesh(half: f64, inwards: bool, from: u32) -> (Vec<[f64; 3]>, Vec<[u32; 3]>) {
    let corners = (0..8).map(|i| [1, 2, 4].map(|b| if i & b == 0 { -half } else { half })).collect();
    let quads = [[0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3], [0, 4, 6, 2], [1, 3, 7, 5]];
    let split = |q: &[u32; 4]| {
        let [a, b, c, d] = q.map(|i| i + from);
        if inwards { [[a, c, b], [a, d, c]] } else { [[a, b, c], [a, c, d]] }
    };
    (corners, quads.iter().flat_map(split).collect())
}

/// A solid box of triangles; with a cavity in the shape of a smaller one.
pub fn block_mesh(half: f64, cavity: Option<f64>) -> ShapeDescription {
    let (mut vertices, mut triangles) = box_mesh(half, false, 0);
    if let Some(inner) = cavity {
        let (v, t) = box_mesh(inner, true, 8);
        vertices.extend(v);
        triangles.extend(t);
    }
    ShapeDescription::Mesh { vertices, triangles }
}

/// A closed shell about the origin made of `n` times `n` boxes a side, that overlap a little.
pub fn add_closed_shell(d: &mut WorldDescription, half: f64, n: usize) {
    let tile = 2.0 * half / n as f64;
    for side in 0..6 {
        for i in 0..n * n {
            let (u, v) = ((i % n) as f64, (i / n) as f64);
            let along = [(u + 0.5) * tile - half, (v + 0.5) * tile - half];
            let (mut at, mut size) = ([0.0; 3], [1.02 * tile; 3]);
            let axis = side / 2;
            at[axis] = if side % 2 == 0 { half } else { -half };
            at[(axis + 1) % 3] = along[0];
            at[(axis + 2) % 3] = along[1];
            size[axis] = 0.02;
            d.obstacles.push(obstacle(
                &format!("{side} {i}"),
                at,
                vec![shape(ShapeDescription::Box { size })],
            ));
        }
    }
}

/// All of them; `many` obstacles where there are many.
pub fn odd_worlds(many: usize) -> Vec<Odd> {
    use Known::*;
    let rng = &mut Rng::new(41);
    let with = |obstacles: Vec<ObstacleDescription>| {
        let mut d = alone(odd_arm());
        d.obstacles = obstacles;
        d.margin = 0.02;
        d
    };
    let post = |i: usize, at: [f64; 3]| obstacle(&format!("o{i}"), at, vec![ball(0.0, 0.0, 0.0, 0.1)]);
    let bare = |name: &str| chain(name, &[(JointKind::Revolute, [0.1, 0.0, 0.0], Vec3::Z)]);
    let still = || {
        let mut robot = chain("still", &[]);
        robot.links[0].shapes.push(ball(0.0, 0.0, 0.5, 0.2));
        robot
    };
    let mut all = Vec::new();
    let mut put = |name, description, known| all.push(Odd { name, description, known });

    put("no obstacles", with(vec![]), Nothing);
    put("one obstacle", with(vec![post(0, [0.5, 0.4, 0.0])]), Nothing);
    put("a thousand in one place", with((0..1000).map(|i| post(i, [0.4, 0.3, 0.2])).collect()), Nothing);
    let kinds = |i: usize| obstacle(&format!("o{i}"), [0.5, -0.3, 0.1], one_of_each());
    put("forty of all kinds in one place", with((0..40).map(kinds).collect()), Nothing);
    put(
        "one body of a thousand identical shapes",
        with(vec![obstacle("o", [0.5, 0.4, 0.0], vec![ball(0.0, 0.0, 0.0, 0.1); 1000])]),
        Nothing,
    );
    // As large as a link, and where it starts: coincident at the neutral pose.
    let at_link =
        |i: usize| obstacle(&format!("o{i}"), [0.3 * i as f64, 0.0, 0.0], vec![ball(0.0, 0.0, 0.0, 0.06)]);
    put("where the links are", with((0..20).map(at_link).collect()), Nothing);
    let flat = |i: usize, rng: &mut Rng| {
        let at = [rng.range(-6.0, 6.0), rng.range(-6.0, 6.0), -0.25];
        // A point, a line, a triangle, a square.
        let corners = [[0.0; 3], [0.02, 0.0, 0.0], [0.0, 0.02, 0.0], [0.02, 0.02, 0.0]];
        let of = ShapeDescription::Convex { vertices: corners[..1 + i % 4].to_vec() };
        obstacle(&format!("o{i}"), at, vec![shape(of)])
    };
    put("all in one plane", with((0..many).map(|i| flat(i, rng)).collect()), Nothing);
    let in_line = |i: usize| post(i, [0.7, 0.0, -3.0 + 0.01 * i as f64]);
    put("all in one line", with((0..600).map(in_line).collect()), Nothing);
    let mut shells = with(vec![]);
    add_closed_shell(&mut shells, 1.0, 1);
    put("in a room of six walls", shells, Nothing);
    let mut shells = with(vec![]);
    add_closed_shell(&mut shells, 1.1, 10);
    put("in a room of six hundred tiles", shells, Nothing);
    let solid = obstacle("solid", [0.0; 3], vec![shape(block_mesh(9.0, None))]);
    put("in a solid of triangles", with(vec![solid.clone()]), Inside);
    let mut many_solids =
        with((0..20).map(|i| ObstacleDescription { name: format!("o{i}"), ..solid.clone() }).collect());
    put("in twenty solids of triangles", many_solids.clone(), Inside);
    many_solids.obstacles.push(post(99, [0.5, 0.4, 0.0]));
    many_solids.obstacles.drain(..20);
    put("the solids gone", many_solids, Nothing);
    put("in a cavity", with(vec![obstacle("o", [0.0; 3], vec![shape(block_mesh(9.0, Some(1.3)))])]), Nothing);
    let hull = ShapeDescription::Box { size: [9.0; 3] };
    put(
        "in a box",
        with((0..17).map(|i| obstacle(&format!("o{i}"), [0.0; 3], vec![shape(hull.clone())])).collect()),
        Inside,
    );
    let sized = |i: usize| {
        let size = [1e-6, 1e-3, 1.0, 1e3, 1e6][i % 5];
        let away = 1.5 + 1.1 * size;
        obstacle(&format!("o{i}"), [away, 0.1 * i as f64, 0.0], vec![ball(0.0, 0.0, 0.0, size)])
    };
    put("a millionth of a metre to a million metres", with((0..30).map(sized).collect()), Nothing);

    let mut d = with((0..30).map(|i| post(i, [0.1 * i as f64, 0.3, 0.0])).collect());
    d.allowed.push(AllowedPair { a: "*".into(), b: "*".into(), reason: "all".into() });
    put("all allowed", d, NoPairs);
    let mut d = with(vec![post(0, [0.5, 0.4, 0.0])]);
    d.groups.push(BodyGroup { name: "none".into(), members: vec![] });
    d.groups.push(BodyGroup { name: "some".into(), members: vec!["arm/4".into()] });
    d.checks.push(["none".into(), "arm".into()]);
    put("a check of an empty group", d.clone(), NoPairs);
    d.checks.push(["some".into(), "world".into()]);
    put("an empty group beside another", d, Nothing);
    put("a robot without joints", alone(still()), NoPairs);
    let mut d = alone(still());
    d.obstacles = (0..30).map(|i| post(i, [0.0, 0.0, 0.1 * i as f64])).collect();
    put("a robot without joints among obstacles", d, NoPairs);
    let mut d = with((0..30).map(|i| post(i, [0.8, 0.3, 0.1 * i as f64])).collect());
    d.robots.push(placed(still()));
    d.robots[1].base_in_world.translation = Vec3 { x: 0.5, y: 0.5, z: 0.0 };
    put("a robot without joints beside an arm", d, Nothing);
    put("no shapes", alone(bare("bare")), NoPairs);
    let mut d = alone(bare("bare"));
    d.obstacles = (0..30).map(|i| post(i, [0.8, 0.3, 0.1 * i as f64])).collect();
    put("no shapes among obstacles", d, NoPairs);
    let mut d = with((0..30).map(|i| post(i, [0.8, 0.3, 0.1 * i as f64])).collect());
    d.robots.push(placed(bare("bare")));
    put("no shapes beside an arm", d, Nothing);
    let empty = |i: usize| obstacle(&format!("o{i}"), [0.1 * i as f64, 0.0, 0.0], vec![]);
    put("obstacles without shapes", with((0..30).map(empty).collect()), Nothing);
    let mut d = with(vec![]);
    d.robots[0].robot.joints.iter_mut().for_each(|j| j.kind = JointKind::Fixed);
    d.obstacles = (0..30).map(|i| post(i, [0.1 * i as f64, 0.0, 0.0])).collect();
    put("fixed joints only", d, NoPairs);
    let obstacles = (0..30).map(|i| post(i, [0.1 * i as f64, 0.0, 0.0])).collect();
    let d = WorldDescription { obstacles, ..WorldDescription::default() };
    put("no robot", d, NoPairs);
    put("nothing", WorldDescription::default(), NoPairs);
    all
}
