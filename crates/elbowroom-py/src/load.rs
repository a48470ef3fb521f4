//! Worlds from files.

use crate::beside_numpy::run_beside_numpy;
use crate::errors::{load_error, unfit_file_error};
use crate::question::checked_length;
use crate::threads::run_on_threads;
use crate::world::PyWorld;
use elbowroom::describe::WorldDescription;
use elbowroom::{Faults, World};
use elbowroom_files::world::load_world;
use elbowroom_files::{Loaded, Options};
use pyo3::prelude::*;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Reads a description from files, without the interpreter's lock.
pub fn read_description(
    py: Python<'_>,
    path: &Path,
    options: &Options,
) -> PyResult<Loaded<WorldDescription>> {
    py.detach(|| load_world(path, options)).map_err(|faults| load_error(py, &faults))
}

/// The program `xacro` beside this Python, which is not on the path of an environment that is not activated.
fn find_xacro(py: Python<'_>) -> Option<PathBuf> {
    let python: PathBuf = py.import("sys").ok()?.getattr("executable").ok()?.extract().ok()?;
    Some(python.with_file_name(XACRO)).filter(|program| program.is_file())
}

#[cfg(windows)]
const XACRO: &str = "xacro.exe";
#[cfg(not(windows))]
const XACRO: &str = "xacro";

/// How a description is compiled.
pub type Compile = fn(&WorldDescription) -> Result<World, Faults>;

/// Compiles a description that was read from this file.
pub fn compile_file(
    py: Python<'_>,
    path: &Path,
    description: &WorldDescription,
    compile: Compile,
) -> PyResult<Arc<World>> {
    let world = run_on_threads(py, || compile(description))?;
    let world = world.map_err(|faults| unfit_file_error(py, &path.display().to_string(), &faults))?;
    Ok(Arc::new(world))
}

/// Reads a robot (.urdf, with the .srdf beside it; .xacro, if the program `xacro` is installed, beside this
/// Python or on the path) or a world
/// file (.toml), and compiles it.
///
/// Parameters
/// ----------
/// path: the file.
/// package_paths: folders of packages: `package://NAME/rest` is the file `DIR/NAME/rest` in one of them.
/// srdf: the SRDF to use, in place of the one beside the URDF.
/// no_srdf: use no SRDF.
/// honour_up_axis: rotate DAE files by their `up_axis`, so that up is z.
/// xacro: arguments for `xacro`, as `["arm:=left"]`.
/// margin: clearance below which a verdict is near (metres), in place of the file's.
/// padding: added to all shapes of robots (metres), in place of the file's.
/// allow_zero_overlaps: do not check two links that overlap at the zero pose, if one moving joint joins them.
///
/// Raises `LoadError`, which has every fault of every file as `faults`.
#[pyfunction]
#[pyo3(signature = (path, *, package_paths=Vec::new(), srdf=None, no_srdf=false, honour_up_axis=false,
    xacro=Vec::new(), margin=None, padding=None, allow_zero_overlaps=None))]
#[allow(clippy::too_many_arguments, clippy::fn_params_excessive_bools, reason = "keywords of Python")]
pub fn load(
    py: Python<'_>,
    path: PathBuf,
    package_paths: Vec<PathBuf>,
    srdf: Option<PathBuf>,
    no_srdf: bool,
    honour_up_axis: bool,
    xacro: Vec<String>,
    margin: Option<f64>,
    padding: Option<f64>,
    allow_zero_overlaps: Option<bool>,
) -> PyResult<PyWorld> {
    let options = Options {
        package_paths,
        srdf,
        no_srdf,
        honour_up_axis,
        xacro: Some(xacro),
        xacro_program: find_xacro(py),
        ..Options::default()
    };
    let margin = checked_length(margin, "margin")?;
    let padding = checked_length(padding, "padding")?;
    let mut loaded = read_description(py, &path, &options)?;
    let description = &mut loaded.value;
    description.margin = margin.unwrap_or(description.margin);
    description.padding = padding.unwrap_or(description.padding);
    description.allow_zero_overlaps = allow_zero_overlaps.unwrap_or(description.allow_zero_overlaps);
    let compile = || compile_file(py, &path, &loaded.value, World::compile_on_demand);
    let world = run_beside_numpy(py, &loaded.value, compile)?;
    let warnings = loaded.warnings.iter().map(|warning| warning.to_string()).collect();
    let read = PyWorld::new(world, Arc::new(loaded.value));
    Ok(read.with_files(Arc::new(loaded.touch), warnings, loaded.files))
}
