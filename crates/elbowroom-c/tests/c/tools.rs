//! Compilers and other tools, and how programs are made with them.

use std::ffi::OsStr;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use tempfile::TempDir;

/// How all sources are compiled.
const STRICT: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-pedantic"];

/// What finds out what C does wrong.
const SANITIZERS: [&str; 4] = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// What the static library needs beside itself.
const STATIC_NEEDS: [&str; 3] = ["-lpthread", "-ldl", "-lm"];

pub fn crate_folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub fn example(name: &str) -> PathBuf {
    crate_folder().join("examples").join(name)
}

/// The world of all examples.
pub fn cell() -> PathBuf {
    example("cell.toml")
}

/// Says that a test was left out, past the test harness, which keeps other words to itself.
pub fn say_skipped(what: &str) {
    let _ = std::io::stderr().write_all(format!("SKIPPED: {what}\n").as_bytes());
}

/// Whether a program is here; loudly if it is not.
pub fn has_program(name: &str, for_what: &str) -> bool {
    let mut asked = Command::new(name);
    let found = asked.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let is_here = found.is_ok_and(|status| status.success());
    if !is_here {
        say_skipped(&format!("there is no {name}, so {for_what}"));
    }
    is_here
}

/// A C compiler and its C++ half.
#[derive(Clone, Copy)]
pub struct Compiler {
    pub c: &'static str,
    pub cpp: &'static str,
}

/// With which library a program is linked.
#[derive(Clone, Copy)]
pub enum Link {
    Static,
    Shared,
}

pub const GCC: Compiler = Compiler { c: "gcc", cpp: "g++" };
pub const CLANG: Compiler = Compiler { c: "clang", cpp: "clang++" };

impl Compiler {
    pub fn is_here(&self) -> bool {
        let for_what = "the C face is not tried with it";
        has_program(self.c, for_what) && has_program(self.cpp, for_what)
    }
}

impl Compiler {
    /// The flags of the sanitizers; none, and loudly, where the compiler's are not installed.
    pub fn sanitizers(&self, folder: &Path) -> &'static [&'static str] {
        let source = folder.join("empty.c");
        std::fs::write(&source, "int main(void) { return 0; }\n").expect("a source");
        let mut tried = Command::new(self.c);
        let (code, said) = finish(tried.args(SANITIZERS).arg(&source).arg("-o").arg(folder.join("empty")));
        if code == Some(0) {
            return &SANITIZERS;
        }
        say_skipped(&format!("the sanitizers of {} are not used: {said}", self.c));
        &[]
    }
}

/// The library, installed once for all tests of this program.
pub fn installed() -> &'static Path {
    static PREFIX: OnceLock<TempDir> = OnceLock::new();
    PREFIX
        .get_or_init(|| {
            let folder = tempfile::tempdir().expect("a folder");
            let _ = succeed(Command::new(env!("CARGO_BIN_EXE_elbowroom-c-install")).arg(folder.path()));
            folder
        })
        .path()
}

/// Runs a command that must succeed, and returns what it wrote.
pub fn succeed(command: &mut Command) -> String {
    let (code, said) = finish(command);
    assert_eq!(code, Some(0), "{command:?}: {said}");
    said
}

/// Runs a command; its exit code, and what it wrote. Its words of complaint stand at the end.
pub fn finish(command: &mut Command) -> (Option<i32>, String) {
    let output = command.output().unwrap_or_else(|fault| panic!("{command:?}: {fault}"));
    let [said, complaint] =
        [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    (output.status.code(), said + &complaint)
}

/// Compiles a source into a program in a folder. To link the static library takes ten times as long.
pub fn compile(compiler: &Compiler, source: &Path, (link, more): (Link, &[&str]), folder: &Path) -> PathBuf {
    let is_cpp = source.extension() == Some(OsStr::new("cpp"));
    let (name, standard) = if is_cpp { (compiler.cpp, "-std=c++17") } else { (compiler.c, "-std=c99") };
    let program = folder.join(source.file_stem().expect("a name"));
    let (include, libraries) = (installed().join("include"), installed().join("lib"));
    let mut command = Command::new(name);
    command.arg(standard).args(STRICT).args(more).arg("-I").arg(include).arg(source);
    match link {
        Link::Static => command.arg(libraries.join("libelbowroom_c.a")).args(STATIC_NEEDS),
        Link::Shared => {
            let path = format!("-Wl,-rpath,{}", libraries.display());
            command.arg("-L").arg(&libraries).args(["-lelbowroom_c", "-lm", &path])
        }
    };
    let _ = succeed(command.arg("-pthread").arg("-o").arg(&program));
    program
}

/// A program of a test's own, under the sanitizers' rules.
pub fn sanitized(program: &Path) -> Command {
    let mut command = Command::new(program);
    command.env("ASAN_OPTIONS", "detect_leaks=1:abort_on_error=0").env("UBSAN_OPTIONS", "print_stacktrace=1");
    command
}
