//! The state of one load.

mod reference;

use crate::fault::{Fault, Faults, Loaded, Log, ZoneKind, counted_things};
use crate::foreign_path::tell_windows_path;
use crate::limits;
use crate::mesh::data::MeshData;
use crate::package::{Packages, package_advice};
use crate::rates::data::JointRates;
use crate::source::{Files, Kind, Options, TOO_LARGE};
use crate::text::{NotText, decode_text, strip_mark_of};
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
    /// How fast the joints of robots may go that have their names in the world, by full names.
    rates: BTreeMap<String, JointRates>,
    /// What is wrong with these limits.
    pub rate_faults: Vec<Fault>,
    packages: Packages,
    /// Packages that were not found: the first file that asked, and how many references did.
    missing: BTreeMap<String, (PathBuf, usize)>,
    /// How often a name in another case was searched for.
    case_hints: usize,
    /// Files that name others with `\` where `/` is meant.
    turned: BTreeSet<PathBuf>,
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
            turned: BTreeSet::new(),
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
        let bytes = session.read_plain(path, options.max_file_bytes);
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
                if let Some((what, help)) = path.to_str().and_then(tell_windows_path) {
                    self.log.add_fault(path, "", what, help);
                    return None;
                }
                let meant = self.meant_file(path);
                let help = if meant.is_empty() { help.into() } else { format!("{meant} {help}") };
                self.log.add_fault(path, "", format!("cannot be read: {why}"), help);
                None
            }
        }
    }

    /// The bytes of a file of text, or of one that begins with text, without a byte-order mark.
    pub fn read_plain(&mut self, path: &Path, max_bytes: u64) -> Option<Vec<u8>> {
        let mut bytes = self.read(path, max_bytes)?;
        let plain = strip_mark_of(path, &bytes, &mut self.log)?.len();
        bytes.drain(..bytes.len() - plain);
        Some(bytes)
    }

    /// The text of a file. `wanted` says which file to give in place of one that is none.
    pub fn read_text(&mut self, path: &Path, max_bytes: u64, wanted: &str) -> Option<String> {
        let bytes = self.read(path, max_bytes)?;
        match decode_text(&bytes) {
            Ok(text) => Some(text.to_string()),
            Err(NotText { what, help }) => {
                self.log.add_fault(path, "", what, if help.is_empty() { wanted } else { help });
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
}
