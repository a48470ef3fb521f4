//! Robots' files that are written for xacro: expanded by the program of that name, where there is one.

use crate::support::{folder, lines, text};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

/// A folder with the program `xacro` from the registry of Python; `None`, with a loud line, where
/// there is no Python or no registry. Made once: tests run beside each other, and one would find what another
/// is still installing.
fn program() -> Option<PathBuf> {
    static MADE: OnceLock<Option<PathBuf>> = OnceLock::new();
    MADE.get_or_init(install_xacro).clone()
}

fn install_xacro() -> Option<PathBuf> {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("xacro-2.1.1");
    let bin = place.join("bin");
    if !bin.join("xacro").exists() {
        let ran = |program: &Path, arguments: &[&str]| {
            Command::new(program).args(arguments).output().is_ok_and(|out| out.status.success())
        };
        let made = ran("python3".as_ref(), &["-m", "venv", place.to_str()?])
            && ran(&bin.join("python3"), &["-m", "pip", "install", "--quiet", "xacro==2.1.1"]);
        if !made {
            println!("SKIPPED: python3 cannot install xacro here: it is not tested");
            let _ = std::fs::remove_dir_all(&place);
            return None;
        }
    }
    Some(bin)
}

/// Runs the program in a folder where these folders have programs.
fn run_with(programs: &[&Path], at: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_elbowroom"));
    command.current_dir(at).args(arguments).env_remove("AMENT_PREFIX_PATH").env_remove("ROS_PACKAGE_PATH");
    command.env("PATH", std::env::join_paths(programs).unwrap()).output().unwrap()
}

/// A rod whose length is an argument, from a macro of a package, with its mesh there.
fn rod(at: &Path) {
    let put = |name: &str, what: &str| {
        let path = at.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, what).unwrap();
    };
    put(
        "robot/urdf/rod.urdf.xacro",
        r#"<robot name="rod" xmlns:xacro="http://ros.org/wiki/xacro">
  <xacro:arg name="length" default="1"/>
  <xacro:include filename="$(find parts)/ball.xacro"/>
  <xacro:include filename="$(find more_parts)/none.xacro"/>
  <link name="base"/>
  <xacro:ball name="arm" at="$(arg length)"/>
  <joint name="turn" type="revolute">
    <parent link="base"/><child link="arm"/><axis xyz="0 0 1"/>
    <limit lower="${-pi / 2}" upper="2" effort="1" velocity="1"/>
  </joint>
</robot>
"#,
    );
    let robot = |inside: &str| format!("<robot xmlns:xacro=\"http://ros.org/wiki/xacro\">{inside}</robot>");
    put(
        "else where/parts/ball.xacro",
        &robot(
            "<xacro:macro name=\"ball\" params=\"name at\"><link name=\"${name}\"><collision>\
             <origin xyz=\"${at} 0 0\"/><geometry><sphere radius=\"0.1\"/></geometry></collision><collision>\
             <geometry><mesh filename=\"package://parts/m.obj\"/></geometry></collision></link>\
             </xacro:macro>",
        ),
    );
    put("else where/parts/m.obj", "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nf 1 2 3\n");
    // Unpacked of an archive: by its manifest it has the name.
    put("else where/more-main/none.xacro", &robot(""));
    put("else where/more-main/package.xml", "<package><name>more_parts</name></package>");
    put(
        "robot/urdf/cell.toml",
        "[[robot]]\nurdf = \"rod.urdf.xacro\"\n[[obstacle]]\nname = \"post\"\nxyz = [3, 0, 0]\n\
         shape = { type = \"sphere\", radius = 0.5 }\n",
    );
}

#[test]
fn a_xacro_file_is_read_as_xacro_expands_it() {
    let Some(bin) = program() else { return };
    let folder = folder("xacro");
    rod(&folder);
    let at = folder.join("robot/urdf");
    let ask = |arguments: &[&str]| run_with(&[&bin], &at, arguments);
    let packages = ["--package-path", "../../else where"];
    let info = ask(&[&["info", "rod.urdf.xacro", "--json", "-"][..], &packages].concat());
    assert_eq!(info.status.code(), Some(0), "{}", text(&info.stderr));
    let told = lines(&info.stdout).remove(0);
    assert_eq!(told["values"][0]["lower"], -std::f64::consts::FRAC_PI_2, "{told}");
    let names: Vec<&str> =
        told["packages"].as_array().unwrap().iter().filter_map(|p| p["name"].as_str()).collect();
    assert_eq!(names, ["more_parts", "parts"]);
    // Arguments reach it, from a world file's robot as well, and whatever they hold is no shell's.
    let distance = |more: &[&str]| {
        let out = ask(&[&["check", "cell.toml", "--json", "-"][..], &packages, more].concat());
        assert_eq!(out.status.code(), Some(0), "{}", text(&out.stderr));
        lines(&out.stdout)[0]["distance"].as_f64().unwrap()
    };
    assert!((distance(&[]) - 1.4).abs() < 1e-9 && (distance(&["length:=2"]) - 0.4).abs() < 1e-9);
    let evil =
        ask(&[&["info", "rod.urdf.xacro", "length:=1; touch evil $(touch evil)"][..], &packages].concat());
    assert_eq!(evil.status.code(), Some(2));
    assert!(!at.join("evil").exists() && text(&evil.stderr).contains("rod.urdf.xacro"));
    // A fault names the line of the text that it is in.
    let torn =
        std::fs::read_to_string(at.join("rod.urdf.xacro")).unwrap().replace("upper=\"2\"", "upper=\"x\"");
    std::fs::write(at.join("torn.urdf.xacro"), torn).unwrap();
    let said = text(&ask(&[&["info", "torn.urdf.xacro"][..], &packages].concat()).stderr);
    assert!(said.contains(" of the expanded text, <limit>: upper=\"x\" is not a finite number"), "{said}");
    assert!(said.contains("to look at it, expand it: xacro torn.urdf.xacro -o torn.urdf"), "{said}");
    // A package that is nowhere, and a file that xacro itself refuses.
    let said = text(&ask(&["info", "rod.urdf.xacro"]).stderr);
    let words = "$(find parts): the package was not found; give the folder that holds the package \"parts\" \
                 with --package-path";
    assert!(said.contains(words), "{said}");
    std::fs::write(
        at.join("bad.urdf.xacro"),
        "<robot xmlns:xacro=\"http://ros.org/wiki/xacro\"><xacro:m/></robot>",
    )
    .unwrap();
    let bad = ask(&["info", "bad.urdf.xacro"]);
    let said = text(&bad.stderr);
    assert!(
        bad.status.code() == Some(2) && said.contains("xacro refuses it: ") && said.contains("xacro:m"),
        "{said}"
    );
    // A second world is not taken for an argument.
    let two = ask(&["info", "rod.urdf.xacro", "cell.toml"]);
    assert!(text(&two.stderr).contains("only one world is taken"), "{}", text(&two.stderr));
}

#[test]
fn an_argument_that_no_file_knows_is_refused() {
    let Some(bin) = program() else { return };
    let folder = folder("xacro_names");
    rod(&folder);
    let robot = ["check", "robot/urdf/rod.urdf.xacro", "--package-path", "else where"];
    let ask = |arguments: &[&str]| run_with(&[&bin], &folder, &[&robot[..], arguments].concat());
    let good = ask(&["length:=2"]);
    assert_ne!(good.status.code(), Some(2), "{}", text(&good.stderr));
    let bad = ask(&["lenght:=2"]);
    assert_eq!(bad.status.code(), Some(2));
    let said = text(&bad.stderr);
    assert!(said.contains("no argument of xacro is called \"lenght\"; did you mean \"length\"?"), "{said}");
}

#[test]
fn without_xacro_it_is_said_what_to_install() {
    let folder = folder("no_xacro");
    rod(&folder);
    let empty = folder.join("empty");
    std::fs::create_dir_all(&empty).unwrap();
    let none = run_with(&[&empty], &folder, &["check", "robot/urdf/rod.urdf.xacro"]);
    let said = text(&none.stderr);
    assert_eq!(none.status.code(), Some(2), "{said}");
    assert!(
        said.contains("there is no program xacro to expand it; install it (pip install xacro, or ROS)"),
        "{said}"
    );
}

#[test]
#[cfg(unix)]
fn a_xacro_that_writes_without_end_is_ended() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("endless_xacro");
    rod(&folder);
    let fake = folder.join("xacro");
    // It ends itself where nobody ends it, so that a failing test leaves nothing behind.
    std::fs::write(&fake, "#!/bin/sh\n/bin/echo $$ > pid\nexec /usr/bin/head -c 2000000000 /dev/zero\n")
        .unwrap();
    std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).unwrap();
    let out = run_with(&[&folder], &folder, &["check", "robot/urdf/rod.urdf.xacro"]);
    let said = text(&out.stderr);
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("or writes more than 67108864 bytes"), "{said}");
    let pid = std::fs::read_to_string(folder.join("pid")).unwrap();
    assert!(!Path::new("/proc").join(pid.trim()).exists(), "it is still there");
}
