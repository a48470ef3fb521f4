//! The files of a baked world make a library that C can use: on this machine, and on a Cortex-M4F where
//! Debian's tools for it are installed. Both answer as the crate does, to the bit.

use elbowroom::World;
use elbowroom_bake::{Baked, bake_world, project_files};
use elbowroom_baked::{Scratch, Verdict};
use elbowroom_files::Options;
use elbowroom_files::world::load_world;
use elbowroom_testkit::rng::Rng;
use elbowroom_testkit::robots::robots_folder;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

fn bake_hand() -> Baked {
    let hand = robots_folder().join("sdh2/hand.toml");
    let loaded = load_world(&hand, &Options::default()).expect("the hand");
    let world = World::compile(&loaded.value).expect("the hand compiles");
    bake_world(&loaded.value, &world).expect("the hand can be baked")
}

fn write_project(baked: &Baked, folder: &Path) {
    for file in project_files(baked) {
        let path = folder.join(file.path);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("folders");
        std::fs::write(path, file.text).expect("a file");
    }
}

/// Random poses, some of them outside the limits.
fn draw_poses(baked: &Baked, count: usize) -> Vec<Vec<f32>> {
    let rng = &mut Rng::new(5);
    let world = baked.world();
    let mut pose = || {
        let share = if rng.chance(0.5) { 1.01 } else { 0.3 };
        let draw =
            |[lower, upper]: &[f32; 2]| (share * rng.range(f64::from(*lower), f64::from(*upper))) as f32;
        world.limits.iter().map(draw).collect()
    };
    (0..count).map(|_| pose()).collect()
}

/// What the example in C prints of a pose.
fn line_of(baked: &Baked, values: &[f32]) -> String {
    let (world, mut scratch) = (baked.world(), Scratch::<8, 26>::new());
    let verdict = match world.test(values, &mut scratch) {
        Verdict::Fault => return "fault".into(),
        Verdict::Clear => "clear -".into(),
        Verdict::NotClear { pair } => format!("not-clear {pair}"),
    };
    let bound = world.lower_bound(values, &mut scratch).expect("no fault");
    format!("{verdict} {} {:.6} {:08x}", bound.pair, bound.metres, bound.metres.to_bits())
}

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|e| panic!("{command:?}: {e}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
    String::from_utf8_lossy(&output.stdout).into()
}

fn has_program(name: &str) -> bool {
    Command::new(name).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
}

#[test]
fn c_has_the_same_answers() {
    if !has_program("gcc") {
        println!("NO gcc HERE: the library is not tried from C");
        return;
    }
    let (baked, folder) = (bake_hand(), tempfile::tempdir().expect("a folder"));
    let folder = folder.path();
    write_project(&baked, folder);
    let cargo = std::env::var_os("CARGO").unwrap_or("cargo".into());
    let mut build = Command::new(cargo);
    build.args(["build", "--release", "--offline", "--target-dir", "target"]).current_dir(folder);
    succeed(&mut build);
    let strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "main.c"];
    let library = ["target/release/libelbowroom_world.a", "-o", "ask"];
    succeed(Command::new("gcc").args(strict).args(library).current_dir(folder));

    let poses = draw_poses(&baked, 1_000);
    let mut input = String::new();
    for values in &poses {
        values.iter().for_each(|v| {
            let _ = write!(input, "{v:?} ");
        });
        input.push('\n');
    }
    let mut asked = Command::new(folder.join("ask"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the example");
    let mut stdin = asked.stdin.take().expect("a pipe");
    let feed = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = asked.wait_with_output().expect("answers");
    feed.join().expect("no panic").expect("all is read");
    let answers = String::from_utf8(output.stdout).expect("text");
    let mut counts = [0; 3];
    assert_eq!(answers.lines().count(), poses.len());
    for (answer, values) in answers.lines().zip(&poses) {
        assert_eq!(answer, line_of(&baked, values), "{values:?}");
        let kind = ["clear", "not", "fault"].iter().position(|word| answer.starts_with(word));
        counts[kind.expect("one of three")] += 1;
    }
    assert!(counts.iter().all(|count| *count > 20), "{counts:?}");
}

const CORTEX: &str = "thumbv7em-none-eabihf";
/// Poses that the emulated Cortex-M4F is asked: 28 bytes each of its 512 KiB.
const CORTEX_POSES: usize = 10_000;

/// The command that builds for a Cortex-M4F: with a toolchain that has the target, or as Debian does it.
fn cortex_build() -> Option<Command> {
    let libraries = Command::new("rustc").args(["--print", "target-libdir", "--target", CORTEX]).output();
    let has_target = libraries.is_ok_and(|o| {
        let folder = String::from_utf8_lossy(&o.stdout).trim().to_string();
        o.status.success() && Path::new(&folder).is_dir()
    });
    if has_target {
        let mut cargo = Command::new(std::env::var_os("CARGO").unwrap_or("cargo".into()));
        cargo.arg("build");
        return Some(cargo);
    }
    let debian = ["/usr/bin/cargo", "/usr/bin/rustc", "/usr/lib/rustlib/src/rust/library/core"];
    if !debian.iter().all(|path| Path::new(path).exists()) {
        return None;
    }
    let mut cargo = Command::new("/usr/bin/cargo");
    for variable in ["CARGO", "RUSTUP_TOOLCHAIN", "RUSTFLAGS", "RUSTUP_HOME"] {
        cargo.env_remove(variable);
    }
    cargo.env("RUSTC", "/usr/bin/rustc").env("RUSTC_BOOTSTRAP", "1").args(["build", "-Zbuild-std=core"]);
    Some(cargo)
}

#[test]
fn a_cortex_m4_has_the_same_answers() {
    let tools = ["arm-none-eabi-gcc", "arm-none-eabi-size", "qemu-system-arm"];
    let (Some(mut build), true) = (cortex_build(), tools.iter().all(|tool| has_program(tool))) else {
        println!("NO TOOLS FOR A CORTEX-M4 HERE: the library is not tried on it");
        return;
    };
    let (baked, folder) = (bake_hand(), tempfile::tempdir().expect("a folder"));
    let folder = folder.path();
    write_project(&baked, folder);
    build.args(["--release", "--target", CORTEX, "--target-dir", "target"]).current_dir(folder);
    let built = build.output().expect("cargo");
    let said = String::from_utf8_lossy(&built.stderr);
    if said.contains("failed to download") || said.contains("failed to get") {
        println!(
            "NO NETWORK for what Debian's cargo builds core with: the library is not tried on a Cortex-M4"
        );
        return;
    }
    assert!(built.status.success(), "{build:?}: {said}");
    let poses = draw_poses(&baked, CORTEX_POSES);
    let rows = poses.iter().map(|values| {
        let row: Vec<String> = values.iter().map(|v| format!("{v:?}F")).collect();
        format!("    {{{}}},\n", row.join(", "))
    });
    let rows: String = rows.collect();
    let header = format!(
        "#define POSE_COUNT {}\nstatic const float poses[POSE_COUNT][ELBOWROOM_VALUES] = {{\n{rows}}};\n",
        poses.len()
    );
    std::fs::write(folder.join("poses.h"), header).expect("poses");
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cortex_m");
    let library = format!("target/{CORTEX}/release/libelbowroom_world.a");
    let chip = ["-mcpu=cortex-m4", "-mthumb", "-mfloat-abi=hard", "-mfpu=fpv4-sp-d16"];
    let strict = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-O2", "-ffreestanding", "-ffunction-sections"];
    let link = ["-nostdlib", "-Wl,--gc-sections", "-I.", "-o", "firmware.elf"];
    let mut gcc = Command::new("arm-none-eabi-gcc");
    gcc.args(chip).args(strict).args(link).arg("-T").arg(sources.join("link.ld"));
    succeed(gcc.arg(sources.join("firmware.c")).arg(&library).current_dir(folder));
    let sizes = succeed(Command::new("arm-none-eabi-size").arg("firmware.elf").current_dir(folder));
    let numbers = sizes.lines().nth(1).expect("a line of sizes").split_whitespace();
    let [text, data, bss] =
        numbers.take(3).map(|n| n.parse::<usize>().expect("a size")).collect::<Vec<_>>()[..]
    else {
        panic!("{sizes}")
    };
    // The poses are the test's.
    let flash = text + data - poses.len() * 7 * size_of::<f32>();
    println!("Cortex-M4F: {flash} bytes of code and constants, {bss} of memory; the world {}", {
        baked.world().constant_bytes()
    });
    assert!(flash <= 48 * 1024 && bss < 256, "{sizes}");

    let mut qemu = Command::new("qemu-system-arm");
    qemu.args(["-M", "mps2-an386", "-cpu", "cortex-m4", "-nographic", "-monitor", "none", "-serial", "none"]);
    // An instruction a nanosecond.
    qemu.args(["-icount", "shift=0,sleep=off"]);
    qemu.args(["-semihosting-config", "enable=on,target=native", "-kernel", "firmware.elf"]);
    let output = qemu.current_dir(folder).output().expect("qemu");
    let said = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).to_string());
    let lines: Vec<&str> = said.iter().flat_map(|text| text.lines()).collect();
    assert_eq!(lines.len(), poses.len() + 1, "{said:?}");
    let last = lines[poses.len()].split(' ').map(|n| u32::from_str_radix(n, 16).expect("a number"));
    let [stack, all, longest] = last.collect::<Vec<_>>()[..] else { panic!("{said:?}") };
    let mean = 40 * u64::from(all) / poses.len() as u64;
    println!("Cortex-M4F: {stack} bytes of stack; instructions a test: {mean}, {} at most", 40 * longest);
    assert!(stack < 4096, "{stack}");
    let (world, mut scratch) = (baked.world(), Scratch::<8, 26>::new());
    for (line, values) in lines.iter().zip(&poses) {
        let (verdict, pair) = match world.test(values, &mut scratch) {
            Verdict::Clear => (1, 0xffff),
            Verdict::NotClear { pair } => (0, pair),
            Verdict::Fault => (u32::MAX, 0xffff),
        };
        let bound = world.lower_bound(values, &mut scratch).map(|bound| (bound.metres, bound.pair));
        let (metres, nearest) = bound.unwrap_or((f32::NEG_INFINITY, 0xffff));
        let here = format!("{verdict:08x} {pair:08x} {:08x} {nearest:08x}", metres.to_bits());
        assert_eq!(*line, here, "{values:?}");
    }
}
