//! From a file or a text to a world.

use crate::border::{CallFault, check_process, enter_call, text_for_c};
use crate::pointers::{borrow_array, borrow_if_given, borrow_place, borrow_text, give_object};
use crate::status::ElbowroomStatus;
use crate::world::{ElbowroomWorld, WorldParts};
use elbowroom::World;
use elbowroom::describe::WorldDescription;
use elbowroom_files::fault::warning_lines;
use elbowroom_files::source::{Disk, Files, Kind};
use elbowroom_files::world::load_world_from;
use elbowroom_files::{Loaded, Options};
use std::ffi::c_char;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How a world is read. All zero is the default; a null pointer stands for the default too:
/// `ElbowroomLoadOptions options = {0};`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct ElbowroomLoadOptions {
    /// Folders that hold packages: `package://NAME/rest` is looked for as `FOLDER/NAME/rest`.
    pub package_paths: *const *const c_char,
    /// How many there are.
    pub package_path_count: usize,
    /// The SRDF to use; null for the one beside the URDF, if there is one.
    pub srdf: *const c_char,
    /// Use no SRDF.
    pub no_srdf: bool,
    /// Do not check two links that overlap at the zero pose, where one moving joint would join them if links
    /// without shapes were left out.
    pub allow_zero_overlaps: bool,
    /// Clearance below which a verdict is `near` (metres); null for the file's.
    pub margin: *const f64,
    /// Added to the padding of all shapes of robots (metres); null for the file's.
    pub padding: *const f64,
}

/// The options as Rust has them.
struct LoadOptions {
    files: Options,
    allow_zero_overlaps: bool,
    margin: Option<f64>,
    padding: Option<f64>,
}

/// Reads options, and the texts and numbers that they point to.
///
/// # Safety
/// The pointer is null or points to options. The pointers in the options are null or valid for their types.
unsafe fn read_options(options: *const ElbowroomLoadOptions) -> Result<LoadOptions, CallFault> {
    let mut read =
        LoadOptions { files: Options::default(), allow_zero_overlaps: false, margin: None, padding: None };
    // SAFETY: the caller of this function guarantees it, here and below.
    let Some(options) = (unsafe { borrow_if_given(options, "options")? }) else { return Ok(read) };
    let count = options.package_path_count;
    // SAFETY: as above.
    for path in unsafe { borrow_array(options.package_paths, count, "package_paths")? } {
        // SAFETY: as above.
        read.files.package_paths.push(unsafe { borrow_text(*path, "a path of package_paths")? }.into());
    }
    if !options.srdf.is_null() {
        // SAFETY: as above.
        read.files.srdf = Some(unsafe { borrow_text(options.srdf, "srdf")? }.into());
    }
    read.files.no_srdf = options.no_srdf;
    read.allow_zero_overlaps = options.allow_zero_overlaps;
    // SAFETY: as above.
    (read.margin, read.padding) = unsafe {
        let margin = borrow_if_given(options.margin, "margin")?;
        (margin.copied(), borrow_if_given(options.padding, "padding")?.copied())
    };
    Ok(read)
}

/// A text in memory that stands for the file at a path. All other files come from the disk.
pub(crate) struct TextAt<'a> {
    pub path: PathBuf,
    pub text: &'a [u8],
}

impl Files for TextAt<'_> {
    fn kind(&self, path: &Path) -> Kind {
        if path == self.path { Kind::File } else { Disk.kind(path) }
    }
    fn read(&self, path: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
        if path != self.path {
            return Disk.read(path, max_bytes);
        }
        match self.text.len() as u64 <= max_bytes {
            true => Ok(self.text.to_vec()),
            false => Err(format!("it is larger than the limit of {max_bytes} bytes")),
        }
    }
    fn identity(&self, path: &Path) -> PathBuf {
        if path == self.path { path.to_path_buf() } else { Disk.identity(path) }
    }
    fn inside(&self, folder: &Path) -> Vec<PathBuf> {
        Disk.inside(folder)
    }
}

/// Reads a robot (`.urdf`, with the `.srdf` beside it) or a world file (`.toml`), and compiles it. Where it
/// is refused, the words have every fault of every file, one a line.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_load(
    path: *const c_char,
    options: *const ElbowroomLoadOptions,
    world: *mut *mut ElbowroomWorld,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, `path` ends in a
        // zero, `options` is what `read_options` requires, `world` has room for one value.
        let (path, options, place) = unsafe {
            let place = borrow_place(world, "world")?;
            place.write(std::ptr::null_mut());
            (borrow_text(path, "path")?, read_options(options)?, place)
        };
        give_object(place, load_parts(&Disk, path, &options)?);
        Ok(())
    })
}

/// [elbowroom_world_load] of a text in memory, `length` bytes of UTF-8. It is read as if it lay at `path`:
/// the ending says what it is (`cell.toml`, `arm.urdf`), and the files that it names are looked for beside
/// it, on the disk.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elbowroom_world_from_text(
    text: *const c_char,
    length: usize,
    path: *const c_char,
    options: *const ElbowroomLoadOptions,
    world: *mut *mut ElbowroomWorld,
) -> ElbowroomStatus {
    enter_call(|| {
        // SAFETY: the caller promised that a pointer is null or valid. If it is not null, `text` has `length`
        // bytes, `path` ends in a zero, `options` is what `read_options` requires, `world` has room for one
        // value.
        let (text, path, options, place) = unsafe {
            let place = borrow_place(world, "world")?;
            place.write(std::ptr::null_mut());
            let text = borrow_array(text.cast::<u8>(), length, "text")?;
            (text, borrow_text(path, "path")?, read_options(options)?, place)
        };
        give_object(place, load_parts(&TextAt { path: path.into(), text }, path, &options)?);
        Ok(())
    })
}

fn load_parts(files: &dyn Files, path: &str, options: &LoadOptions) -> Result<ElbowroomWorld, CallFault> {
    check_process()?;
    let loaded = load_world_from(files, Path::new(path), &options.files)
        .map_err(|faults| CallFault::new(ElbowroomStatus::FileRefused, faults))?;
    let Loaded { value: mut description, warnings, touch, .. } = loaded;
    change_description(&mut description, options);
    let world = World::compile(&description)
        .map_err(|faults| CallFault::new(ElbowroomStatus::WorldRefused, faults))?;
    let warnings = text_for_c(&warning_lines(&warnings).join("\n"));
    Ok(ElbowroomWorld { parts: Arc::new(WorldParts::new(Arc::new(world), warnings, &touch)) })
}

fn change_description(description: &mut WorldDescription, options: &LoadOptions) {
    description.margin = options.margin.unwrap_or(description.margin);
    description.padding = options.padding.unwrap_or(description.padding);
    description.allow_zero_overlaps |= options.allow_zero_overlaps;
}
