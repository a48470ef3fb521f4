//! The state of one load, and how the names in files lead to other files.

use crate::case;
use crate::fault::{Fault, Faults, Loaded, Log, ZoneKind, counted_things};
use crate::limits;
use crate::mesh::data::MeshData;
use crate::package::{Ask, Found, Packages, folders_above, start_folders};
use crate::rates::data::JointRates;
use crate::source::{Files, Kind, Options, TOO_LARGE};
use crate::tree::TreeReader;
use crate::tree::node::Node;
use percent_encoding::percent_decode_str;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::rc::Rc;

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
    /// What movable obstacles may touch while they are carried, by their full names.
    pub touch: BTreeMap<String, Vec<String>>,
    /// The zones, by the full names of the obstacles that stand for them.
    pub zones: BTreeMap<String, ZoneKind>,
    /// How fast the joints of the robot that was read last may go, by their own names.
    pub robot_rates: BTreeMap<String, JointRates>,
    /// The same of the robots that have their names in the world, by full names.
    rates: BTreeMap<String, JointRates>,
    /// What is wrong with these limits.
    pub rate_faults: Vec<Fault>,
    packages: Packages,
    /// Packages that were not found: the first file that asked, and how many references did.
    missing: BTreeMap<String, (PathBuf, usize)>,
    /// How often a name in another case was searched for.
    case_hints: usize,
    /// The first file that xacro expanded with arguments, and the names of arguments that the expanded files
    /// know; `None` where those of one file are not known.
    pub xacro_names: Option<(PathBuf, Option<BTreeSet<String>>)>,
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
            touch: BTreeMap::new(),
            zones: BTreeMap::new(),
            robot_rates: BTreeMap::new(),
            rates: BTreeMap::new(),
            rate_faults: Vec::new(),
            packages: Packages::default(),
            missing: BTreeMap::new(),
            case_hints: 0,
            xacro_names: None,
        }
    }

    /// Loads a file that refers to no others. `parse` makes a value of its bytes; it gives `None` after a
    /// fault.
    pub fn load_alone<T>(
        files: &'a dyn Files,
        path: &Path,
        options: &Options,
        parse: impl FnOnce(&[u8], &mut Log) -> Option<T>,
    ) -> Result<Loaded<T>, Faults> {
        let mut session = Session::new(files, options);
        let bytes = session.read(path, options.max_file_bytes);
        let value = bytes.and_then(|bytes| parse(&bytes, &mut session.log));
        session.finish(value)
    }

    /// Gives the robot that was read last its name in the world.
    pub fn name_rates(&mut self, robot: &str) {
        let own = std::mem::take(&mut self.robot_rates);
        self.rates.extend(own.into_iter().map(|(joint, rates)| (format!("{robot}/{joint}"), rates)));
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
                let meant = self.meant_file(path);
                let help = if meant.is_empty() { help.into() } else { format!("{meant} {help}") };
                self.log.add_fault(path, "", format!("cannot be read: {why}"), help);
                None
            }
        }
    }

    /// The file beside one that is missing that was probably meant to be it.
    fn meant_file(&mut self, path: &Path) -> String {
        let missing = self.files.kind(path) == Kind::Missing;
        let Some((folder, name)) = path.parent().zip(path.file_name()).filter(|_| missing) else {
            return String::new();
        };
        let name = name.to_string_lossy();
        let beside = self.files.inside(folder);
        let names: Vec<_> = beside.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        self.log.did_you_mean(&name, names)
    }

    /// What was loaded, or all faults.
    pub fn finish<T>(mut self, value: Option<T>) -> Result<Loaded<T>, Faults> {
        self.lead_with_missing_packages();
        self.warn_of_ambiguous_packages();
        let files = self.read.into_iter().collect();
        let srdfs = self.srdfs.into_iter().collect();
        let (packages, touch, zones) = (self.packages.used_folders(), self.touch, self.zones);
        let (rates, rate_faults) = (self.rates, self.rate_faults);
        let loaded = self.log.finish(value)?;
        Ok(Loaded { files, srdfs, packages, touch, zones, rates, rate_faults, ..loaded })
    }

    /// If many references name a package that is missing, one line before all faults says so.
    fn lead_with_missing_packages(&mut self) {
        let least = if self.log.is_full() { "at least " } else { "" };
        for (name, (from, count)) in self.missing.iter().rev().filter(|(_, (_, count))| *count > 1) {
            let need = counted_things(*count, "reference");
            let what = format!("the package {name:?} was not found, and {least}{need} need it");
            let help = format!("{}, or put it beside the file", package_advice(name));
            self.log.add_first_fault(from, what, help);
        }
    }

    fn warn_of_ambiguous_packages(&mut self) {
        for (name, uses) in self.packages.ambiguous_names() {
            let [(_, first), ..] = &uses[..] else { continue };
            let of = |(folder, from): &(&Path, &Path)| format!("{} for {}", folder.display(), from.display());
            let shown: Vec<String> = uses.iter().take(limits::PLACES).map(of).collect();
            let more = uses.len() - shown.len();
            let more =
                if more == 0 { String::new() } else { format!(" and {}", counted_things(more, "other")) };
            let what = format!("the package {name:?} is not one folder: it is {}{more}", shown.join(", "));
            let help = "if one is meant, give the folder that holds it with --package-path";
            self.log.add_warning(first, "", what, help);
        }
    }

    /// The file that a key of a file's tree names.
    pub fn named_file(&mut self, file: &Path, node: &Node, label: &str, key: &str) -> Option<PathBuf> {
        let reference =
            TreeReader { file, log: &mut self.log }.read_text(node, label, key, false)?.to_string();
        match self.resolve_reference(&reference, file) {
            Ok(path) => Some(path),
            Err((what, help)) => {
                let node = node.get(key).unwrap_or(node);
                TreeReader { file, log: &mut self.log }.add_fault(node, label, what, help);
                None
            }
        }
    }

    /// The file that a reference in `from` means, or what is wrong and where it was looked for.
    pub fn resolve_reference(&mut self, reference: &str, from: &Path) -> Result<PathBuf, (String, String)> {
        let reference = reference.trim();
        if reference.is_empty() {
            return Err(("the file name is empty".into(), "name a mesh file".into()));
        }
        let decoded = percent_decode_str(reference).decode_utf8().ok().filter(|d| d.as_ref() != reference);
        // A name may hold a real percent sign, so the name as written comes first.
        let readings: Vec<&str> = [Some(reference), decoded.as_deref()].into_iter().flatten().collect();
        let in_packages: Vec<(&str, &str)> = readings
            .iter()
            .filter_map(|text| package_of(text))
            .filter(|(name, _)| !name.is_empty())
            .collect();
        let help = if in_packages.is_empty() {
            let mut tried = Vec::new();
            for text in &readings {
                for candidate in self.candidate_paths(text, from)? {
                    if self.files.kind(&candidate) != Kind::Missing {
                        return Ok(candidate);
                    }
                    if !tried.contains(&candidate) {
                        tried.push(candidate);
                    }
                }
            }
            if let Some(help) = self.other_case(tried.iter().map(PathBuf::as_path)) {
                return Err((format!("the file {reference:?} does not exist"), help));
            }
            let nameless: Vec<(&str, &str)> =
                readings.iter().filter_map(|text| nameless_package(text)).collect();
            match self.find_in_package(&nameless, from) {
                Ok(file) => {
                    let what = "names files by package:///NAME/...: NAME is taken as the package";
                    self.log.add_warning(from, "", what, "write package://NAME/...");
                    return Ok(file);
                }
                Err(help) if !help.is_empty() => help,
                Err(_) => format!("put the file there or correct the name{}", looked_for(&tried)),
            }
        } else {
            match self.find_in_package(&in_packages, from) {
                Ok(file) => return Ok(file),
                Err(help) => help,
            }
        };
        Err((format!("the file {reference:?} does not exist"), help))
    }

    /// A file of a package, by any of the readings of its name; or what to do about it.
    fn find_in_package(&mut self, readings: &[(&str, &str)], from: &Path) -> Result<PathBuf, String> {
        let rests: Vec<&str> = readings.iter().map(|(_, rest)| *rest).collect();
        let mut names: Vec<&str> = readings.iter().map(|(name, _)| *name).collect();
        names.dedup();
        let mut help = None;
        for name in names {
            let ask = Ask { name, rests: &rests, from, given: &self.options.package_paths };
            match self.packages.find_file(self.files, &ask) {
                Found::File(file) => return Ok(file),
                Found::Incomplete { folder, other } => {
                    let wanted: Vec<PathBuf> =
                        rests.iter().map(|rest| folder.join(rest.trim_start_matches('/'))).collect();
                    let here = self.other_case(wanted.iter().map(PathBuf::as_path));
                    return Err(here.unwrap_or_else(|| incomplete_advice(name, &folder, other.as_deref())));
                }
                Found::Several(two) => {
                    let [one, two] = two.map(|folder| folder.display().to_string());
                    let what = format!("the manifests of {one} and {two} both say {name:?}");
                    return Err(format!("{what}: give the one that is meant with --package-path"));
                }
                Found::Nothing { looked_for } => help = help.or(Some((name, looked_for))),
            }
        }
        let Some((name, tried)) = help else { return Err(String::new()) };
        let (_, count) = self.missing.entry(name.to_string()).or_insert((from.to_path_buf(), 0));
        *count += 1;
        // A robot names many files of one package: where it was looked for is told once.
        if *count > 1 {
            return Err(package_advice(name));
        }
        Err(format!("{}, or put it beside the file{}", package_advice(name), looked_for(&tried)))
    }

    /// What to do if one of the files is there, but for the case of its name.
    fn other_case<'p>(&mut self, mut wanted: impl Iterator<Item = &'p Path>) -> Option<String> {
        if self.case_hints >= limits::HINTS {
            return None;
        }
        self.case_hints += 1;
        let found = wanted.find_map(|wanted| case::find_in_other_case(self.files, wanted))?;
        Some(format!("{} is there: write its name with the same capitals", found.display()))
    }

    /// The paths that a reference without a package may lead to.
    fn candidate_paths(&self, text: &str, from: &Path) -> Result<Vec<PathBuf>, (String, String)> {
        let folder = from.parent().unwrap_or(Path::new(""));
        if let Some((_, rest)) = package_of(text) {
            let inside = rest.trim_start_matches('/');
            let mut out: Vec<PathBuf> =
                self.options.package_paths.iter().map(|dir| dir.join(inside)).collect();
            for start in start_folders(self.files, from) {
                out.extend(folders_above(&start).map(|folder| folder.join(inside)));
            }
            out.push(PathBuf::from(rest));
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
        let mut out = vec![folder.join(text)];
        if text.contains('\\') {
            out.push(folder.join(text.replace('\\', "/")));
        }
        out.extend(self.options.package_paths.iter().map(|dir| dir.join(text)));
        Ok(out)
    }
}

/// How to say where a package is.
fn package_advice(package: &str) -> String {
    format!("give the folder that holds the package {package:?} with --package-path")
}

/// What to do about a package that lacks a file.
fn incomplete_advice(package: &str, folder: &Path, other: Option<&Path>) -> String {
    let used = format!("the package {package:?} is {}, which lacks it", folder.display());
    let Some(other) = other else {
        return format!("{used}: put the file there, or {}", package_advice(package));
    };
    let holder = other.parent().filter(|holder| !holder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (other, holder) = (other.display(), holder.display());
    format!("{used}; another copy, {other}, has it: to use that copy, give --package-path {holder} first")
}

/// The places where something was looked for, to be put behind a help.
fn looked_for(tried: &[PathBuf]) -> String {
    let shown: Vec<String> = tried.iter().take(4).map(|p| p.display().to_string()).collect();
    let more = tried.len() - shown.len();
    let more = if more == 0 { String::new() } else { format!(" and {more} more") };
    format!("; looked for {}{more}", shown.join(", "))
}

/// `package://NAME/rest` (or Gazebo's `model://`) as `(NAME, rest)`; `package:///rest` has an empty name.
fn package_of(text: &str) -> Option<(&str, &str)> {
    let rest = strip_scheme(text, "package").or_else(|| strip_scheme(text, "model"))?;
    Some(rest.find('/').map_or((rest, ""), |i| rest.split_at(i)))
}

/// `package:///NAME/rest` as `(NAME, rest)`: one stroke too many.
fn nameless_package(text: &str) -> Option<(&str, &str)> {
    let (_, rest) = package_of(text).filter(|(name, _)| name.is_empty())?;
    let (name, rest) = rest.trim_start_matches('/').split_once('/')?;
    (!name.is_empty()).then_some((name, rest))
}

fn strip_scheme<'t>(text: &'t str, scheme: &str) -> Option<&'t str> {
    let (head, rest) = text.split_once("://")?;
    head.eq_ignore_ascii_case(scheme).then_some(rest)
}
