//! What is installed, found by pkg-config and by CMake's `find_package`, and used.

use crate::expected::expect_nearest;
use crate::tools::{cell, example, finish, has_program, installed, succeed};
use std::path::Path;
use std::process::Command;

fn run_nearest(program: &Path) {
    let (code, printed) = finish(Command::new(program).arg(cell()));
    assert_eq!(code, Some(0), "{printed}");
    let first = &expect_nearest()[0];
    assert_eq!(printed.split_whitespace().next(), first.split_whitespace().next(), "{printed}");
}

/// Moves what is installed: it must be found where it lies, not where it was put first.
fn move_elsewhere(folder: &Path) -> std::path::PathBuf {
    let there = folder.join("moved");
    let _ = succeed(Command::new("cp").arg("-a").arg(installed()).arg(&there));
    there
}

#[test]
fn pkg_config_finds_both_libraries() {
    if !has_program("pkg-config", "its file is not tried") || !has_program("gcc", "pkg-config is not tried") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let prefix = move_elsewhere(folder.path());
    let ask = |words: &[&str]| {
        let mut asked = Command::new("pkg-config");
        succeed(asked.env("PKG_CONFIG_PATH", prefix.join("lib/pkgconfig")).args(words).arg("elbowroom"))
    };
    assert_eq!(ask(&["--modversion"]).trim(), env!("CARGO_PKG_VERSION"));
    let program = folder.path().join("nearest");
    for words in [&["--cflags", "--libs"][..], &["--static", "--cflags", "--libs"]] {
        let flags = ask(words);
        let mut compile = Command::new("gcc");
        compile.arg(example("nearest.c")).args(flags.split_whitespace()).arg("-o").arg(&program);
        let path = format!("-Wl,-rpath,{}", prefix.join("lib").display());
        let _ = succeed(compile.arg(path));
        run_nearest(&program);
    }
}

const PROJECT: &str = r#"
cmake_minimum_required(VERSION 3.16)
project(user C CXX)
find_package(elbowroom 0.1 REQUIRED)
find_package(elbowroom REQUIRED)
add_executable(nearest_shared ${SOURCES}/nearest.c)
target_link_libraries(nearest_shared PRIVATE elbowroom::elbowroom)
add_executable(nearest_static ${SOURCES}/nearest.c)
target_link_libraries(nearest_static PRIVATE elbowroom::static)
add_executable(plan ${SOURCES}/plan.cpp)
target_compile_features(plan PRIVATE cxx_std_17)
target_link_libraries(plan PRIVATE elbowroom::elbowroom)
"#;

#[test]
fn cmake_finds_the_package() {
    if !has_program("cmake", "find_package is not tried") || !has_program("gcc", "cmake is not tried") {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (prefix, build) = (move_elsewhere(folder.path()), folder.path().join("build"));
    std::fs::write(folder.path().join("CMakeLists.txt"), PROJECT).expect("a project");
    let sources = format!("-DSOURCES={}", crate::tools::crate_folder().join("examples").display());
    let configure = |version: &str| {
        let project = PROJECT.replace("elbowroom 0.1 ", &format!("elbowroom {version} "));
        std::fs::write(folder.path().join("CMakeLists.txt"), project).expect("a project");
        let mut command = Command::new("cmake");
        command.arg("-S").arg(folder.path()).arg("-B").arg(&build).arg(&sources);
        command.arg(format!("-DCMAKE_PREFIX_PATH={}", prefix.display()));
        finish(&mut command)
    };
    // A version that this is not is not found.
    for wrong in ["0.2", "1.0", "0.1.7"] {
        let (code, said) = configure(wrong);
        assert!(code != Some(0) && said.contains("elbowroom"), "{wrong}: {said}");
    }
    let (code, said) = configure("0.1");
    assert_eq!(code, Some(0), "{said}");
    let _ = succeed(Command::new("cmake").arg("--build").arg(&build));
    run_nearest(&build.join("nearest_shared"));
    run_nearest(&build.join("nearest_static"));
    let _ = succeed(Command::new(build.join("plan")).arg(cell()));
}
