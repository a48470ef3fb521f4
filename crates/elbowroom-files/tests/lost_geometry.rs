//! Files that would silently lose a shape, or move it, to a reader that passes over what it does not know:
//! each is refused where it says so. What is harmless is still passed over.

mod support;

use elbowroom::math::Vec3;
use elbowroom_files::cases::parse_case;
use elbowroom_files::mesh::{MeshData, load_mesh_from};
use elbowroom_files::source::InMemory;
use elbowroom_files::{Faults, Loaded, Options, robot};
use std::path::{Path, PathBuf};
use support::{files, refused};

fn mesh(name: &str, bytes: &[u8]) -> Result<Loaded<MeshData>, Faults> {
    let files = InMemory([(PathBuf::from(name), bytes.to_vec())].into());
    load_mesh_from(&files, Path::new(name), &Options::default())
}

/// The twelve triangles of a unit cube shifted along x.
fn cube(shift: f32) -> Vec<[[f32; 3]; 3]> {
    let mut out = Vec::new();
    for axis in 0..3 {
        for side in [0.0, 1.0] {
            let corner = |u: f32, v: f32| {
                let mut p = [0.0; 3];
                (p[axis], p[(axis + 1) % 3], p[(axis + 2) % 3]) = (side, u, v);
                [p[0] + shift, p[1], p[2]]
            };
            let [a, b, c, d] = [corner(0., 0.), corner(1., 0.), corner(1., 1.), corner(0., 1.)];
            out.extend([[a, b, c], [a, c, d]]);
        }
    }
    out
}

#[test]
fn an_stl_with_more_facets_than_it_counts_is_refused() {
    let body = |count: u32, more: usize| {
        let mut out = vec![b' '; 80];
        out.extend(count.to_le_bytes());
        for facet in cube(0.0).into_iter().chain(cube(5.0)) {
            out.extend([0; 12]);
            out.extend(facet.iter().flatten().flat_map(|v| v.to_le_bytes()));
            out.extend([0, 0]);
        }
        out.extend(vec![7; more]);
        out
    };
    assert_eq!(mesh("a.stl", &body(24, 0)).unwrap().value.triangles.len(), 24);
    assert_eq!(mesh("a.stl", &body(24, 49)).unwrap().warnings.len(), 1);
    for (count, more, words) in [
        (12, 0, "its header claims 12 triangles, but 600 bytes lie behind them, room for 12 more"),
        (23, 0, "50 bytes lie behind them, room for 1 more"),
        (24, 50, "50 bytes lie behind them, room for 1 more"),
        (12, 7, "607 bytes lie behind them"),
    ] {
        let faults = refused(words, mesh("a.stl", &body(count, more)), &[words, "export the file again"]);
        assert_eq!((faults.0[0].file.as_path(), &*faults.0[0].place), (Path::new("a.stl"), "byte 80"));
    }
}

#[test]
fn no_line_of_an_obj_is_lost() {
    let points = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n";
    let read = |more: &str| mesh("a.obj", format!("{points}{more}").as_bytes());
    for more in [
        "f 1 3 2\nf 1 2 4\\",
        "f 1 3 2\nf 1 2 4 \\",
        "f 1 3 2\nf 1 2 \\\r\n4\\",
        "f 1 3 2\nf 1 2\\\n4 \\\n",
        "f 1 3 2\nf 1 2 4\nvn 0 0 1\nstep 1\nusemtl a\nlod 2\n# F 1 2 3\nl 1 2",
    ] {
        assert_eq!(read(more).unwrap().value.triangles.len(), 2, "{more}");
    }
    for (more, words) in [
        ("F 2 3 4\n", "line 6: \"F\" is not an OBJ statement; write \"f\""),
        ("V 2 3 4\n", "write \"v\""),
        ("Usemtl 2\n", "write \"usemtl\""),
        ("call more.obj\n", "line 6: \"call\" takes in what another file"),
        ("csh cat more.obj\n", "\"csh\" takes in"),
        ("curv 0 1 1 2 3\n", "\"curv\": free-form curves and surfaces are not supported"),
        ("surf 0 1 0 1 1 2\n", "\"surf\": free-form"),
        ("sp 1\n", "\"sp\": free-form"),
        ("fo 2 3 4\n", "\"fo\": free-form"),
        ("face 2 3 4\n", "\"face\" is not an OBJ statement; export the mesh again, or remove the line"),
        ("f1 2 3\n", "\"f1\" is not an OBJ statement"),
        // A continuation whose backslash went missing.
        ("f 1 2 3\n4\n", "line 7: \"4\" is not an OBJ statement"),
        ("f 1 2\\", "a face has fewer than three corners"),
    ] {
        let faults = refused(more, read(&format!("f 1 3 2\n{more}")), &[words]);
        assert!(faults.0.iter().all(|f| f.file == Path::new("a.obj") && !f.help.is_empty()), "{faults}");
    }
    // Counts of points and faces may come first.
    let counted = mesh("a.obj", format!("4 1\n{points}f 1 2 3\n").as_bytes()).unwrap();
    assert!(counted.warnings[0].what.contains("\"4\" is not an OBJ statement"), "{:?}", counted.warnings);
    refused("prose", mesh("a.obj", b"Dear all,\nhere is the mesh\n"), &["does not look like an OBJ file"]);
}

fn dae(mesh: &str, scenes: &str) -> Result<Loaded<MeshData>, Faults> {
    let text = format!(
        "<COLLADA><asset><up_axis>Z_UP</up_axis></asset><library_geometries><geometry id=\"g\"><mesh>\
         <source id=\"p\"><float_array>0 0 0 1 0 0 0 1 0 0 0 1</float_array></source>\
         <vertices id=\"v\"><input semantic=\"POSITION\" source=\"#p\"/></vertices>\
         {mesh}</mesh></geometry></library_geometries><library_visual_scenes>{scenes}</COLLADA>"
    );
    self::mesh("a.dae", text.as_bytes())
}

#[test]
fn nothing_of_a_dae_is_lost() {
    let input = "<input semantic=\"VERTEX\" source=\"#v\" offset=\"0\"/>";
    let part =
        |tag: &str, count: usize, rest: &str| format!("<{tag} count=\"{count}\">{input}{rest}</{tag}>");
    let one = part("triangles", 1, "<p>0 1 2</p>");
    let node = "<node><instance_geometry url=\"#g\"/></node>";
    let scene = |nodes: &str| format!("<visual_scene id=\"s\">{nodes}</visual_scene>");
    let plain = format!("{}</library_visual_scenes>", scene(node));
    let runs = "<p>0 1 2</p><p>1 2 3</p>";
    for more in [
        part("tristrips", 2, runs),
        part("trifans", 2, runs),
        part("lines", 1, "<p>0 1</p>"),
        "<extra><sheet/></extra>".into(),
        "<x:sheet xmlns:x=\"x\"/>".into(),
    ] {
        assert!(dae(&format!("{one}{more}"), &plain).is_ok(), "{more}");
    }
    for (more, words) in [
        (part("tristrips", 3, runs), "<tristrips>: claims 3 runs of triangles but holds 2"),
        (part("trifans", 3, runs), "<trifans>: claims 3 runs of triangles but holds 2"),
        (part("trianglez", 1, "<p>0 1 3</p>"), "<trianglez>: is unknown in <mesh>, and may be geometry"),
        (part("Triangles", 1, "<p>0 1 3</p>"), "<Triangles>: is unknown in <mesh>"),
        (part("spline", 1, ""), "<spline>: is unknown in <mesh>"),
        (format!("<triangles>{input}<P>0 1 3</P></triangles>"), "<P>: is unknown in <triangles>"),
        (format!("</mesh><mesh>{one}"), "<mesh>: is the second shape of one geometry"),
    ] {
        let faults = refused(&more, dae(&format!("{one}{more}"), &plain), &[words]);
        assert!(faults.0.iter().all(|f| !f.help.is_empty() && f.place.starts_with("line ")), "{faults}");
    }
    let other = "<visual_scene id=\"t\"/>";
    let stated = |ids: &[&str]| {
        let all: String = ids.iter().map(|i| format!("<instance_visual_scene url=\"#{i}\"/>")).collect();
        format!("{}{other}</library_visual_scenes><scene>{all}</scene>", scene(node))
    };
    assert!(dae(&one, &stated(&["s"])).is_ok());
    for (scenes, words) in [
        (format!("{other}{plain}"), "is the second visual scene, and no <scene> says which"),
        (stated(&[]), "is the second visual scene, and no <scene> says which"),
        (stated(&["s", "t"]), "is the second visual scene to be shown"),
        (
            format!("{}</library_visual_scenes>", scene(&format!("{node}<nod>{node}</nod>"))),
            "<nod>: is unknown in <visual_scene>",
        ),
        (
            format!(
                "{}</library_visual_scenes>",
                scene(&node.replace("</node>", "<instance_geometri/></node>"))
            ),
            "<instance_geometri>: is unknown in <node>",
        ),
    ] {
        refused(&scenes, dae(&one, &scenes), &[words]);
    }
}

fn urdf(text: &str) -> Result<Loaded<elbowroom::describe::RobotDescription>, Faults> {
    let files = files(&[("/r/a.urdf", text)]);
    robot::load_robot_from(&files, Path::new("/r/a.urdf"), &Options::default())
}

const SOUND: &str = "<robot name=\"r\"><link name=\"a\">
<collision><origin xyz=\"1 2 3\"/><geometry><box size=\"1 1 1\"/></geometry></collision></link>
<link name=\"b\"/><link name=\"c\"/>
<joint name=\"j\" type=\"revolute\"><parent link=\"a\"/><child link=\"b\"/><origin rpy=\"0 0 1\"/>\
<axis xyz=\"0 0 1\"/>\
<limit lower=\"-1\" upper=\"1\"/></joint>
<joint name=\"k\" type=\"continuous\"><parent link=\"b\"/><child link=\"c\"/><mimic joint=\"j\" \
multiplier=\"2\"/></joint>
</robot>";

#[test]
fn slips_in_a_urdf_are_refused() {
    urdf(SOUND).unwrap();
    let shape = "<collision><geometry><sphere radius=\"1\"/></geometry></collision>";
    let within = |tag: &str, inside: &str| format!("<{tag}>{inside}</{tag}></robot>");
    let (link, joint) = (
        format!("<link name=\"d\">{shape}</link>"),
        "<joint name=\"l\" type=\"fixed\"><parent link=\"c\"/><child link=\"d\"/></joint>".to_string(),
    );
    let (end, link_b) = ("</robot>", "<link name=\"b\"/>");
    for (from, to, words) in [
        ("<origin xyz", "<orgin xyz", "line 2, <orgin>: <orgin> is unknown; did you mean <origin>?"),
        ("<origin rpy", "<Origin rpy", "did you mean <origin>?"),
        ("xyz=\"1 2 3\"", "xzy=\"1 2 3\"", "its xzy=\"1 2 3\" is not supported; write xyz, rpy, quat_xyzw"),
        ("rpy=\"0 0 1\"", "ryp=\"0 0 1\"", "its ryp=\"0 0 1\" is not supported"),
        ("rpy=\"0 0 1\"", "rpy=\"0 0 1\" quat_xyzw=\"0 0 0 1\"", "has both rpy and quat_xyzw"),
        ("rpy=\"0 0 1\"", "quat_xyzw=\"0 0 0 0\"", "is not four finite numbers with a direction"),
        ("rpy=\"0 0 1\"", "quat_xyzw=\"0 0 1\"", "is not four finite numbers"),
        ("rpy=\"0 0 1\"", "quat_wxyz=\"1 0 0 1\"", "its quat_wxyz=\"1 0 0 1\" is not supported"),
        ("rpy=\"0 0 1\"", "euler=\"0 0 1\"", "its euler=\"0 0 1\" is not supported"),
        ("<axis xyz=\"0 0 1\"/>", "<axis x=\"0\" y=\"0\" z=\"1\"/>", "<axis>: has no xyz; write xyz="),
        ("<axis xyz=\"0 0 1\"/>", "<axis/>", "<axis>: has no xyz"),
        ("<axis xyz", "<axes xyz", "did you mean <axis>?"),
        ("<axis", "<axis xyz=\"1 0 0\"/><axis", "is the second axis here; keep one"),
        ("<origin", "<origin/><origin", "is the second origin here"),
        ("<geometry>", "<geometry><box size=\"2 2 2\"/></geometry><geometry>", "is the second geometry"),
        ("<limit", "<limit lower=\"0\" upper=\"2\"/><limit", "is the second limit here"),
        ("lower=", "lowr=", "its lowr=\"...\" is unknown; did you mean lower=\"...\"?"),
        ("multiplier", "multipler", "did you mean multiplier=\"...\"?"),
        ("<mimic", "<mimick", "did you mean <mimic>?"),
        ("box size", "box Size", "did you mean size=\"...\"?"),
        (
            link_b,
            &format!("<link name=\"b\">{}</link>", shape.replace("collision", "colission")),
            "did you mean <collision>?",
        ),
        (
            link_b,
            &format!("<link name=\"b\">{}</link>", shape.replace("geometry", "geometery")),
            "did you mean <geometry>?",
        ),
        (
            link_b,
            &format!("<link name=\"b\"><group>{shape}</group></link>"),
            "<collision>: is in <group>, where it has no effect",
        ),
        (link_b, &format!("<link name=\"b\"><visual>{shape}</visual></link>"), "<collision>: is in <visual>"),
        (link_b, &format!("<link name=\"b\">{link}</link>"), "<link name=\"d\">: is in <link>"),
        (link_b, "<link name=\"b\"><x:collision xmlns:x=\"x\"/></link>", "<collision> in another namespace"),
        (
            end,
            &format!("<x:link xmlns:x=\"x\" name=\"d\">{shape}</x:link></robot>"),
            "<link> in another namespace",
        ),
        (
            end,
            &format!("{shape}</robot>"),
            "<collision>: is in <robot>, where it has no effect; put it directly into a <link>",
        ),
        (
            end,
            &within("group", &format!("{link}{joint}")),
            "<link name=\"d\">: is in <group>, where it has no effect",
        ),
        (end, &within("group", &joint), "<joint name=\"l\">: is in <group>"),
        (end, &within("a", &within("b", &link).replace("</robot>", "")), "<link name=\"d\">: is in <a>"),
        (
            end,
            &format!("{}</robot>", link.replace("link", "lnik")),
            "<lnik> is unknown; did you mean <link>?",
        ),
    ] {
        let broken = SOUND.replacen(from, to, 1);
        assert_ne!(broken, SOUND, "{from}");
        let faults = refused(&broken, urdf(&broken), &[words]);
        assert!(faults.0.iter().all(|f| f.place.starts_with("line ") && !f.help.is_empty()), "{faults}");
    }
}

#[test]
fn extensions_of_a_urdf_are_passed_over() {
    let inside = "<link name=\"x\"><collision><geometry/></collision></link>\
        <joint name=\"y\"><parent>a</parent></joint><orgin/>";
    for extension in ["gazebo", "ros2_control", "transmission", "mujoco"] {
        let text = SOUND.replace("</robot>", &format!("<{extension}>{inside}</{extension}></robot>"));
        assert_eq!(urdf(&text).unwrap().value.links.len(), 3, "{extension}");
    }
    for more in [
        "<isaac><joint name=\"j\" gain=\"3\"/><link name=\"a\"/><contact><collision>a</collision></contact>\
         </isaac>",
        "<material name=\"m\"/><frame name=\"f\" link=\"a\" xyz=\"1 2 3\"/><mesh_path/><geometry/>",
    ] {
        urdf(&SOUND.replace("</robot>", &format!("{more}</robot>"))).unwrap();
    }
    let joint = "<dynamics damping=\"1\"/><calibration rising=\"0\"/><safety_controller k_velocity=\"1\"/>\
        <hardwareInterface/>";
    urdf(&SOUND.replace("<limit", &format!("{joint}<limit effort=\"1\" velocity=\"1\""))).unwrap();
    let link = "<link name=\"b\"><sensor><collision><a/></collision></sensor><contact/><inertial>\
        <origin qxyz=\"1\"/></inertial></link>";
    urdf(&SOUND.replace("<link name=\"b\"/>", link)).unwrap();
    // A fixed joint's axis is never used.
    urdf(&SOUND.replace(
        "</robot>",
        "<link name=\"d\"/><joint name=\"l\" type=\"fixed\"><axis/>\
         <parent link=\"c\"/><child link=\"d\"/></joint></robot>",
    ))
    .unwrap();
    // A misspelt zero turns nothing, with or without its name.
    let loaded = urdf(&SOUND.replace("xyz=\"1 2 3\"", "xyz=\"1 2 3\" ryp=\"0 0 0\"")).unwrap();
    assert!(loaded.warnings.iter().any(|w| w.what.contains("its ryp=\"0 0 0\" is not supported")));
}

#[test]
fn a_pose_may_be_a_quaternion() {
    let half = 0.5_f64.sqrt();
    let origin = format!("<origin xyz=\"1 2 3\" quat_xyzw=\"0 0 {half} {half}\"/>");
    let text = SOUND.replace("<origin xyz=\"1 2 3\"/>", &origin);
    let pose = urdf(&text).unwrap().value.links[0].shapes[0].shape_in_body;
    assert!((pose.point(Vec3::X) - Vec3::from([1.0, 3.0, 3.0])).norm() < 1e-15, "{pose:?}");
}

#[test]
fn other_names_for_the_keys_of_a_case_are_refused() {
    let sphere = r#"{"type":"sphere","radius":1}"#;
    let read = |more: &str| parse_case(&format!("{{\"id\":7,\"a\":{sphere},\"b\":{sphere},{more}}}"));
    for (key, meant) in [
        ("b_pose", "pose_b"),
        ("B_pose", "pose_b"),
        ("a_pose", "pose_a"),
        ("b_in_a", "pose_b"),
        ("transform_a", "pose_a"),
        ("transform_b", "pose_b"),
        ("pose", "pose_a or pose_b"),
        ("padding", "padding in a or b"),
    ] {
        let (id, text) = read(&format!("\"{key}\":{{\"xyz\":[9,0,0]}}")).unwrap_err();
        let words = format!("the key {key:?} is unknown; did you mean {meant:?}?");
        assert!(id == "7" && text.contains(&words), "{text}");
    }
    assert!(read("\"note\":\"pose\",\"distance\":1,\"source\":{\"b_pose\":1}").is_ok());
    // Numbers in an id keep their digits, and lie in a float's range like all others.
    let id = |digits: usize| {
        parse_case(&format!("{{\"id\":{},\"a\":{sphere},\"b\":{sphere}}}", "9".repeat(digits)))
    };
    assert_eq!(id(300).unwrap().id, "9".repeat(300));
    assert!(id(5000).unwrap_err().1.contains("id: a number is out of range"));
    let text = format!("{{\"id\":\"{0}\",\"a\":{sphere},\"b\":{sphere}}}", "9".repeat(5000));
    assert_eq!(parse_case(&text).unwrap().id.len(), 5002);
}
