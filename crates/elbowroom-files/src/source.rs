//! Where bytes come from: the disk or memory, and how the names that files use lead to other files.

use crate::fault::{Faults, Loaded, Log};
use crate::limits;
use crate::mesh::MeshData;
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Read;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

/// How files are to be read.
#[derive(Clone, Debug)]
pub struct Options {
    /// Folders that hold packages: `package://NAME/rest` is looked for as `DIR/NAME/rest`.
    pub package_paths: Vec<PathBuf>,
    /// Turn DAE files whose `up_axis` is not Z so that their up is z. Off by default, as in ROS.
    pub honour_up_axis: bool,
    /// The SRDF to use, in place of the one beside the URDF.
    pub srdf: Option<PathBuf>,
    /// Use no SRDF, even if one lies beside the URDF.
    pub no_srdf: bool,
    /// Largest mesh, scene or motion file that is read, in bytes.
    pub max_file_bytes: u64,
    /// Let a motion have columns that name no value of the model.
    pub ignore_unknown_columns: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            package_paths: Vec::new(),
            honour_up_axis: false,
            srdf: None,
            no_srdf: false,
            max_file_bytes: limits::FILE_BYTES,
            ignore_unknown_columns: false,
        }
    }
}

/// What lies at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A device, a pipe, a socket.
    Special,
    /// Nothing.
    Missing,
}

/// Something that holds files.
pub trait Files {
    /// What lies at a path, links followed. Never blocks.
    fn kind(&self, path: &Path) -> Kind;
    /// The bytes of a regular file of at most `max_bytes`, or why not.
    fn read(&self, path: &Path, max_bytes: u64) -> Result<Vec<u8>, String>;
    /// A name that is the same for every path to one file.
    fn identity(&self, path: &Path) -> PathBuf;
}

/// The file system.
pub struct Disk;

impl Files for Disk {
    fn kind(&self, path: &Path) -> Kind {
        match fs::metadata(path) {
            Ok(m) if m.is_file() => Kind::File,
            Ok(m) if m.is_dir() => Kind::Folder,
            Ok(_) => Kind::Special,
            Err(_) => Kind::Missing,
        }
    }

    fn read(&self, path: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
        let metadata = fs::metadata(path).map_err(|e| e.to_string())?;
        if metadata.is_dir() {
            return Err("it is a folder".into());
        }
        // Opening a pipe blocks and a device never ends: only regular files are opened.
        if !metadata.is_file() {
            return Err("it is a device, pipe or socket, not a regular file".into());
        }
        let too_large = || format!("{TOO_LARGE} of {max_bytes} bytes");
        if metadata.len() > max_bytes {
            return Err(too_large());
        }
        let mut bytes = Vec::new();
        let file = fs::File::open(path).map_err(|e| e.to_string())?;
        file.take(max_bytes.saturating_add(1)).read_to_end(&mut bytes).map_err(|e| e.to_string())?;
        if bytes.len() as u64 > max_bytes {
            return Err(too_large());
        }
        Ok(bytes)
    }

    fn identity(&self, path: &Path) -> PathBuf {
        fs::canonicalize(path).unwrap_or_else(|_| path.to_path_buf())
    }
}

/// How a refusal for size begins.
const TOO_LARGE: &str = "it is larger than the limit";

/// Files held in memory, by path; nothing touches the disk.
#[derive(Clone, Debug, Default)]
pub struct InMemory(pub BTreeMap<PathBuf, Vec<u8>>);

impl Files for InMemory {
    fn kind(&self, path: &Path) -> Kind {
        let path = plain(path);
        // What lies in a folder comes right behind its name.
        match self.0.range(path.clone()..).next() {
            Some((found, _)) if *found == path => Kind::File,
            Some((found, _)) if found.starts_with(&path) => Kind::Folder,
            _ => Kind::Missing,
        }
    }

    fn read(&self, path: &Path, max_bytes: u64) -> Result<Vec<u8>, String> {
        match self.0.get(&plain(path)) {
            Some(bytes) if bytes.len() as u64 <= max_bytes => Ok(bytes.clone()),
            Some(_) => Err(format!("{TOO_LARGE} of {max_bytes} bytes")),
            None => Err("there is no such file".into()),
        }
    }

    fn identity(&self, path: &Path) -> PathBuf {
        plain(path)
    }
}

/// The path without `.` and `..`, by text alone.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for c in path.components() {
        match c {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            c => out.push(c),
        }
    }
    out
}

/// Everything one load carries along.
pub(crate) struct Session<'a> {
    pub files: &'a dyn Files,
    pub options: Options,
    pub log: Log,
    /// Meshes read so far by identity and unit rule; `None` for one that is broken.
    pub meshes: BTreeMap<(PathBuf, bool), Option<Rc<MeshData>>>,
    /// What is left of [`limits::TOTAL_TRIANGLES`].
    pub triangles_left: usize,
    /// What was read so far.
    read: BTreeSet<PathBuf>,
    /// The SRDFs among them.
    pub srdfs: BTreeSet<PathBuf>,
    /// Packages by name, and the folders in which they were found.
    packages: BTreeSet<(String, PathBuf)>,
    /// Packages of which it was said where they were looked for.
    missing: BTreeSet<String>,
}

impl<'a> Session<'a> {
    pub fn new(files: &'a dyn Files, options: &Options) -> Self {
        Session {
            files,
            options: options.clone(),
            log: Log::default(),
            meshes: BTreeMap::new(),
            triangles_left: limits::TOTAL_TRIANGLES,
            read: BTreeSet::new(),
            srdfs: BTreeSet::new(),
            packages: BTreeSet::new(),
            missing: BTreeSet::new(),
        }
    }

    /// Reads a file that must be there; says why if it cannot.
    pub fn read(&mut self, path: &Path, max_bytes: u64) -> Option<Vec<u8>> {
        match self.files.read(path, max_bytes.min(self.options.max_file_bytes)) {
            Ok(bytes) => {
                self.read.insert(path.to_path_buf());
                Some(bytes)
            }
            Err(why) => {
                let help = if why.starts_with(TOO_LARGE) {
                    "give a smaller one, or use the library for larger ones"
                } else {
                    "give the path of a readable file"
                };
                self.log.fault(path, "", format!("cannot be read: {why}"), help);
                None
            }
        }
    }

    /// What was loaded, or all faults.
    pub fn finish<T>(self, value: Option<T>) -> Result<Loaded<T>, Faults> {
        let files = self.read.into_iter().collect();
        let srdfs = self.srdfs.into_iter().collect();
        let packages = self.packages.into_iter().collect();
        self.log.finish(value).map(|loaded| Loaded { files, srdfs, packages, ..loaded })
    }

    /// The file that a reference in `from` means, or what is wrong and where it was looked for.
    pub fn resolve(&mut self, reference: &str, from: &Path) -> Result<PathBuf, (String, String)> {
        let reference = reference.trim();
        if reference.is_empty() {
            return Err(("the file name is empty".into(), "name a mesh file".into()));
        }
        let decoded = percent_decode_str(reference).decode_utf8().ok().filter(|d| d.as_ref() != reference);
        // A name may hold a real percent sign, so the name as written comes first.
        let mut tried = Vec::new();
        for text in [Some(reference), decoded.as_deref()].into_iter().flatten() {
            for candidate in self.candidates(text, from)? {
                if self.files.kind(&candidate) != Kind::Missing {
                    self.packages.extend(package_folder(text, &candidate));
                    return Ok(candidate);
                }
                if !tried.contains(&candidate) {
                    tried.push(candidate);
                }
            }
        }
        let mut help = match package_of(reference) {
            Some((package, _)) if !package.is_empty() => {
                let package = package.to_string();
                let give = format!("give the folder that holds the package {package:?} with --package-path");
                // A robot names many files of one package: where it was looked for is told once.
                if !self.missing.insert(package) {
                    return Err((format!("the file {reference:?} does not exist"), give));
                }
                format!("{give}, or put it beside the file")
            }
            _ => "put the file there or correct the name".into(),
        };
        help.push_str("; looked for ");
        let shown: Vec<String> = tried.iter().take(4).map(|p| p.display().to_string()).collect();
        help.push_str(&shown.join(", "));
        if tried.len() > 4 {
            help.push_str(&format!(" and {} more", tried.len() - 4));
        }
        Err((format!("the file {reference:?} does not exist"), help))
    }

    fn candidates(&self, text: &str, from: &Path) -> Result<Vec<PathBuf>, (String, String)> {
        let folder = from.parent().unwrap_or(Path::new(""));
        let mut out = Vec::new();
        if let Some((package, rest)) = package_of(text) {
            let inside = Path::new(package).join(rest.trim_start_matches('/'));
            for dir in &self.options.package_paths {
                out.push(dir.join(&inside));
                if !package.is_empty() && dir.file_name().is_some_and(|n| n == package) {
                    out.push(dir.join(rest.trim_start_matches('/')));
                }
            }
            let mut starts = vec![folder.to_path_buf()];
            if let Ok(absolute) =
                std::path::absolute(if folder.as_os_str().is_empty() { Path::new(".") } else { folder })
            {
                starts.push(absolute);
            }
            if let Some(real) = self.files.identity(from).parent() {
                starts.push(real.to_path_buf());
            }
            for start in starts {
                for above in start.ancestors() {
                    let candidate = above.join(&inside);
                    if !out.contains(&candidate) {
                        out.push(candidate);
                    }
                }
            }
            if package.is_empty() {
                out.push(PathBuf::from(rest));
            }
            return Ok(out);
        }
        if let Some(rest) = strip_scheme(text, "file") {
            let rest = rest.strip_prefix("localhost/").map_or(rest.to_string(), |r| format!("/{r}"));
            return Ok(vec![folder.join(rest)]);
        }
        if let Some((scheme, _)) = text.split_once("://") {
            return Err((
                format!("{scheme}:// is not a kind of reference that is read"),
                "use package://, file:// or a path".into(),
            ));
        }
        out.push(folder.join(text));
        if text.contains('\\') {
            out.push(folder.join(text.replace('\\', "/")));
        }
        out.extend(self.options.package_paths.iter().map(|dir| dir.join(text)));
        Ok(out)
    }
}

/// `package://NAME/rest` (or Gazebo's `model://`) as `(NAME, rest)`; `package:///rest` has an empty name.
fn package_of(text: &str) -> Option<(&str, &str)> {
    let rest = strip_scheme(text, "package").or_else(|| strip_scheme(text, "model"))?;
    Some(match rest.find('/') {
        Some(i) => (&rest[..i], &rest[i..]),
        None => (rest, ""),
    })
}

/// The package that a reference names, and its folder: what is left of the file's path without what the
/// reference names behind the package.
fn package_folder(reference: &str, file: &Path) -> Option<(String, PathBuf)> {
    let (package, rest) = package_of(reference).filter(|(package, _)| !package.is_empty())?;
    let inside = Path::new(rest.trim_start_matches('/')).components().count();
    Some((package.to_string(), file.ancestors().nth(inside)?.to_path_buf()))
}

fn strip_scheme<'t>(text: &'t str, scheme: &str) -> Option<&'t str> {
    let (head, rest) = text.split_once("://")?;
    head.eq_ignore_ascii_case(scheme).then_some(rest)
}
