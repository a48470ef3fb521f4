//! The programs in C and C++, run: what they print is what the library in Rust answers, to the bit.

use crate::expected::{expect_guard, expect_nearest, expect_nearest_in, expect_plan, expect_plugin};
use crate::tools::{
    CLANG, Compiler, GCC, Link, cell, compile, crate_folder, example, finish, sanitized, succeed,
};

/// Holds printed lines against expected ones. Numbers must be the same numbers.
fn compare_lines(name: &str, printed: &str, expected: &[String]) {
    let lines: Vec<&str> = printed.lines().collect();
    let is_same = |a: &str, b: &str| match (a.parse::<f64>(), b.parse::<f64>()) {
        (Ok(a), Ok(b)) => a == b,
        _ => a == b,
    };
    for (line, wanted) in lines.iter().zip(expected) {
        let [words, wanted_words] = [line, wanted.as_str()].map(|line| line.split_whitespace());
        let same = words.clone().count() == wanted_words.clone().count();
        assert!(
            same && words.zip(wanted_words).all(|(a, b)| is_same(a, b)),
            "{name}: {line:?}, not {wanted:?}"
        );
    }
    assert_eq!(lines.len(), expected.len(), "{name}: {printed}");
}

/// Compiles and runs all examples, and the calls that make no sense.
fn try_compiler(compiler: &Compiler, link_hostile: Link) {
    if !compiler.is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let sanitizers = compiler.sanitizers(folder.path());
    let plan = expect_plan();
    for (name, expected, code) in [
        ("nearest.c", expect_nearest(), 0),
        ("plan.c", plan.clone(), 0),
        ("guard.c", expect_guard(), 0),
        ("plan.cpp", plan, 0),
        ("plugin.cpp", expect_plugin(), 0),
    ] {
        let program = compile(compiler, &example(name), (Link::Shared, sanitizers), folder.path());
        let (found, printed) = finish(sanitized(&program).arg(cell()));
        assert_eq!(found, Some(code), "{name}: {printed}");
        compare_lines(name, &printed, &expected);
    }
    let hostile = crate_folder().join("tests/c/hostile.c");
    let program = compile(compiler, &hostile, (link_hostile, sanitizers), folder.path());
    let arm = crate_folder().join("../elbowroom-files/examples/arm.urdf");
    let (code, printed) = finish(sanitized(&program).arg(arm).arg(cell()));
    assert!(code == Some(0) && printed.contains(" 0 failures"), "{printed}");
}

#[test]
fn gcc_compiles_what_answers_as_rust_does() {
    try_compiler(&GCC, Link::Static);
}

#[test]
fn clang_compiles_what_answers_as_rust_does() {
    try_compiler(&CLANG, Link::Shared);
}

/// A Puma 260 of meshes in its cell, and a refusal.
#[test]
fn the_worked_example_on_a_robot_of_meshes_and_on_none() {
    if !GCC.is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(&GCC, &example("nearest.c"), (Link::Shared, &[]), folder.path());
    let path = crate_folder().join("../../robots/puma260/bottleneck.toml");
    let described = elbowroom_files::load(&path).expect("the Puma in its cell").value;
    let world = elbowroom::World::compile(&described).expect("it compiles");
    let (code, printed) = finish(sanitized(&program).arg(path));
    let expected = expect_nearest_in(&world);
    assert_eq!(code, Some(i32::from(!expected[0].starts_with("clear"))), "{printed}");
    compare_lines("nearest.c", &printed, &expected);
    let (code, printed) = finish(sanitized(&program).arg("no/such/arm.urdf"));
    assert!(code == Some(2) && printed.contains("file_refused: no/such/arm.urdf"), "{printed}");
}

/// A million calls; a program of the system counts its memory.
#[test]
#[cfg(target_os = "linux")]
fn a_million_calls_leave_memory_flat() {
    if !GCC.is_here() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(&GCC, &crate_folder().join("tests/c/memory.c"), (Link::Static, &[]), folder.path());
    let printed = succeed(std::process::Command::new(program).arg(cell()).arg("1000000"));
    assert!(printed.starts_with("10000"), "{printed}");
}
