//! The peers that are native: how each is compiled and linked.

use super::programs::{is_newer, path_text, require_file, run_to_success};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A native engine: its source and how to compile and link it.
pub(super) struct Native {
    name: &'static str,
    /// Headers in `bench/peers`, besides `common.hpp`; and sources (`.cpp`) that are compiled with its own.
    headers: &'static [&'static str],
    flags: Vec<String>,
}

/// Eigen's alignment is part of the ABI: the wheel was built for 16 bytes, -march=native would make it 32.
const EIGEN: &str = "-DEIGEN_MAX_ALIGN_BYTES=16";

/// Refuses an engine whose headers need Eigen where that is not, and cannot be installed.
fn require_eigen(engine: &str) -> Result<()> {
    if have_header("eigen3/Eigen/Core", "libeigen3-dev")? {
        return Ok(());
    }
    bail!(
        "the headers of {engine} need Eigen: install it (Debian: apt-get install libeigen3-dev) or leave \
         {engine} out with --engines"
    )
}

pub(super) fn coal(root: &Path, site: &Path) -> Result<Native> {
    require_eigen("coal")?;
    let prefix = site.join("cmeel.prefix");
    require_file(&prefix.join("include/coal/distance.h"), root)?;
    let library = prefix.join("lib");
    // These are from the wheel's coal.pc.
    let octomap =
        ["COAL_HAS_OCTOMAP", "COAL_HAVE_OCTOMAP", "OCTOMAP_MAJOR_VERSION=1", "OCTOMAP_MINOR_VERSION=10"];
    let mut flags: Vec<String> = octomap.map(|name| format!("-D{name}")).to_vec();
    flags.extend([
        "-DOCTOMAP_PATCH_VERSION=0".into(),
        EIGEN.into(),
        format!("-isystem{}", prefix.join("include").display()),
        "-isystem/usr/include/eigen3".into(),
        format!("-L{}", library.display()),
        "-lcoal".into(),
        "-loctomap".into(),
        "-loctomath".into(),
        format!("-Wl,-rpath,{0},-rpath-link,{0}", library.display()),
    ]);
    Ok(Native {
        name: "coal",
        headers: &[
            "coal_changes.hpp",
            "coal_seen.hpp",
            "coal_shapes.hpp",
            "coal_whole.hpp",
            "octomap_cells.hpp",
        ],
        flags,
    })
}

/// Pinocchio is all headers here: its shared library was compiled with other alignments than the system's
/// Eigen gives.
pub(super) fn pinocchio(root: &Path, site: &Path) -> Result<Native> {
    let Native { mut flags, .. } = coal(root, site)?;
    require_file(&site.join("cmeel.prefix/include/pinocchio/collision/broadphase.hpp"), root)?;
    // These are from the wheel's cmake files.
    let boost = [
        "BOOST_MPL_LIMIT_LIST_SIZE=30",
        "BOOST_MPL_LIMIT_VECTOR_SIZE=30",
        "BOOST_FUSION_INVOKE_MAX_ARITY=12",
    ];
    flags.extend(boost.map(|name| format!("-D{name}")));
    flags.extend(["-DBOOST_MPL_CFG_NO_PREPROCESSED_HEADERS", "-DPINOCCHIO_WITH_COLLISION"].map(String::from));
    Ok(Native { name: "pinocchio", headers: &["coal_shapes.hpp"], flags })
}

pub(super) fn mujoco(root: &Path, site: &Path) -> Result<Native> {
    let folder = site.join("mujoco");
    require_file(&folder.join("include/mujoco/mujoco.h"), root)?;
    let library = std::fs::read_dir(&folder)?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .find(|path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("libmujoco.so")))
        .with_context(|| format!("{} holds no libmujoco.so", folder.display()))?;
    let flags = vec![
        format!("-isystem{}", folder.join("include").display()),
        path_text(&library),
        format!("-Wl,-rpath,{}", folder.display()),
    ];
    Ok(Native { name: "mujoco", headers: &["mujoco_whole.hpp"], flags })
}

pub(super) fn fcl() -> Result<Native> {
    let flags = [EIGEN, "-isystem/usr/include/eigen3", "-lfcl", "-lccd", "-loctomap", "-loctomath"]
        .map(String::from)
        .to_vec();
    Ok(Native { name: "fcl", headers: &["fcl_whole.hpp", "octomap_cells.hpp"], flags })
}

/// FCL's trees of oriented boxes alone.
pub(super) fn fcl_obb() -> Result<Native> {
    Ok(Native { name: "fcl_obb", headers: &["fcl_whole.hpp", "octomap_cells.hpp"], ..fcl()? })
}

/// VAMP's headers, out of the source package of its Python module; `None`, said why, where it cannot be had.
pub(super) fn vamp(root: &Path, python: &Path, site: &Path) -> Result<Option<Native>> {
    require_eigen("vamp")?;
    let pinned = std::fs::read_to_string(root.join("bench/peers/sources.txt"))?;
    let pinned = pinned.trim();
    let folder = root.join(".venv/sources");
    let unpacked = folder.join(pinned.replace("==", "-").replace("vamp-planner", "vamp_planner"));
    let headers = unpacked.join("src/impl");
    if !headers.join("vamp/robots/panda.hh").exists() {
        println!("fetching the source of {pinned}");
        let mut pip = Command::new(python);
        pip.args([
            "-m",
            "pip",
            "download",
            "--quiet",
            "--disable-pip-version-check",
            "--no-deps",
            "--no-binary",
        ]);
        pip.args(["vamp-planner", "--dest"]).arg(&folder).arg(pinned);
        let archive = PathBuf::from(format!("{}.tar.gz", unpacked.display()));
        let mut unpack = Command::new("tar");
        unpack.arg("-xzf").arg(&archive).arg("-C").arg(&folder);
        if !(pip.status().is_ok_and(|status| status.success()) && unpack.status()?.success()) {
            println!("  it cannot be had: VAMP is left out");
            return Ok(None);
        }
    }
    let boost = site.join("cmeel.prefix/include");
    require_file(&boost.join("boost/sort/pdqsort/pdqsort.hpp"), root)?;
    // These are from its cmake files.
    let mut flags = [
        "-fno-math-errno",
        "-fno-signed-zeros",
        "-fno-trapping-math",
        "-fno-rounding-math",
        "-ffp-contract=fast",
        "-fassociative-math",
        "-Wno-ignored-attributes",
    ]
    .map(String::from)
    .to_vec();
    flags.extend([&headers, &boost].map(|folder| format!("-isystem{}", folder.display())));
    // Its headers find our `pdqsort.h`.
    flags.push(format!("-I{}", root.join("bench/peers").display()));
    flags.push("-isystem/usr/include/eigen3".into());
    Ok(Some(Native { name: "vamp", headers: &["pdqsort.h", "vamp_lanes.cpp"], flags }))
}

/// Compiles unless the program is newer than its sources and was made by the same command.
pub(super) fn build(root: &Path, native: &Native) -> Result<PathBuf> {
    let folder = root.join("bench/peers");
    let (source, program) =
        (folder.join(format!("{}.cpp", native.name)), folder.join("build").join(native.name));
    std::fs::create_dir_all(folder.join("build"))?;
    let mut command = Command::new("g++");
    command.args(["-std=c++17", "-O3", "-march=native", "-Wall"]).arg(&source);
    let more = native.headers.iter().filter(|name| name.ends_with(".cpp"));
    command.args(more.map(|name| folder.join(name))).arg("-o").arg(&program).args(&native.flags);
    let (line, stamp) = (format!("{command:?}"), program.with_extension("command"));
    let same = std::fs::read_to_string(&stamp).is_ok_and(|made| made == line);
    let mut sources = vec![source, folder.join("common.hpp"), folder.join("changes.hpp")];
    sources.extend(native.headers.iter().map(|header| folder.join(header)));
    if !(same && is_newer(&program, &sources)) {
        println!("compiling {}.cpp against its headers and shared library", native.name);
        run_to_success(&mut command, "g++ (Debian: apt-get install g++)")?;
        std::fs::write(&stamp, line)?;
    }
    Ok(program)
}

/// Whether a system header is there; where we may, the package is installed first.
pub(super) fn have_header(header: &str, package: &str) -> Result<bool> {
    let path = Path::new("/usr/include").join(header);
    if path.exists() {
        return Ok(true);
    }
    crate::packages::install_packages(&[package])?;
    Ok(path.exists())
}
