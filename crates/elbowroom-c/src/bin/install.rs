//! `cargo run --release -p elbowroom-c --bin elbowroom-c-install -- PREFIX`: headers, libraries, the file for
//! pkg-config and the package for CMake, into a folder. What is installed finds its parts from where it lies,
//! so the folder can be moved.

use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is written as it is: where, and its text. `@VERSION@` in it becomes the version.
const TEXTS: &[(&str, &str)] = &[
    ("include/elbowroom.h", include_str!("../../include/elbowroom.h")),
    ("include/elbowroom.hpp", include_str!("../../include/elbowroom.hpp")),
    ("lib/pkgconfig/elbowroom.pc", include_str!("../../package/elbowroom.pc")),
    ("lib/cmake/elbowroom/elbowroom-config.cmake", include_str!("../../package/elbowroom-config.cmake")),
    (
        "lib/cmake/elbowroom/elbowroom-config-version.cmake",
        include_str!("../../package/elbowroom-config-version.cmake"),
    ),
];

const USAGE: &str = "usage: elbowroom-c-install PREFIX\n\
    Installs the C and C++ library into PREFIX/include and PREFIX/lib.";

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [prefix] = &words[..] else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if prefix.starts_with('-') {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    }
    match install_all(Path::new(prefix)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("elbowroom-c-install: {fault}");
            ExitCode::from(2)
        }
    }
}

fn install_all(prefix: &Path) -> io::Result<()> {
    for (path, text) in TEXTS {
        let path = make_room(&prefix.join(path))?;
        std::fs::write(&path, text.replace("@VERSION@", env!("CARGO_PKG_VERSION")))?;
        println!("{}", path.display());
    }
    let built = std::env::current_exe()?;
    copy_library(&built, "libelbowroom_c.a", &make_room(&prefix.join("lib/libelbowroom_c.a"))?)?;
    install_shared(&built, &prefix.join("lib"))
}

/// The shared library under the name that the loader looks for, and under the one that linkers do.
fn install_shared(built: &Path, folder: &Path) -> io::Result<()> {
    if cfg!(target_os = "macos") {
        return copy_library(built, "libelbowroom_c.dylib", &folder.join("libelbowroom_c.dylib"));
    }
    let [major, minor] = [env!("CARGO_PKG_VERSION_MAJOR"), env!("CARGO_PKG_VERSION_MINOR")];
    let name = format!("libelbowroom_c.so.{major}.{minor}");
    copy_library(built, "libelbowroom_c.so", &folder.join(&name))?;
    link_name(&name, &folder.join("libelbowroom_c.so"))
}

#[cfg(unix)]
fn link_name(name: &str, link: &Path) -> io::Result<()> {
    match std::fs::remove_file(link) {
        Err(fault) if fault.kind() != ErrorKind::NotFound => return Err(fault),
        _ => {}
    }
    std::os::unix::fs::symlink(name, link)?;
    println!("{}", link.display());
    Ok(())
}

#[cfg(not(unix))]
fn link_name(_: &str, _: &Path) -> io::Result<()> {
    Err(io::Error::new(ErrorKind::Unsupported, "installing is written for Linux and macOS: copy by hand"))
}

/// Makes the folder of a file.
fn make_room(file: &Path) -> io::Result<PathBuf> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    Ok(file.to_path_buf())
}

/// Copies a library that was built together with this program. Cargo has it in `deps`, and only after `cargo
/// build` beside the program too, where it may be an older one.
fn copy_library(program: &Path, name: &str, to: &Path) -> io::Result<()> {
    let folder = program.parent().unwrap_or(Path::new("."));
    let candidates = [folder.join("deps").join(name), folder.join(name)];
    let Some(found) = candidates.iter().find(|path| path.is_file()) else {
        let words = format!("there is no {name} in {}: build with cargo first", folder.display());
        return Err(io::Error::new(ErrorKind::NotFound, words));
    };
    std::fs::copy(found, to)?;
    println!("{}", to.display());
    Ok(())
}
