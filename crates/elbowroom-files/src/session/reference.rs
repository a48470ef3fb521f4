//! How the names in files lead to other files.

use super::Session;
use crate::case;
use crate::foreign_path::{forward_strokes, has_drive, tell_windows_path};
use crate::limits;
use crate::package::{Ask, Found, folders_above, package_advice, start_folders};
use crate::source::Kind;
use crate::tree::TreeReader;
use crate::tree::node::Node;
use percent_encoding::percent_decode_str;
use std::path::{Path, PathBuf};

impl Session<'_> {
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
        // A name may hold a real percent sign or backslash, so the name as written comes first.
        let written: Vec<&str> = [Some(reference), decoded.as_deref()].into_iter().flatten().collect();
        let turned: Vec<String> = written.iter().filter_map(|text| forward_strokes(text)).collect();
        let turned: Vec<&str> = turned.iter().map(String::as_str).collect();
        if let Some(path) = self.find_file_of(&written, from)? {
            return Ok(path);
        }
        if let Some(path) = self.find_file_of(&turned, from)? {
            if self.turned.insert(from.to_path_buf()) {
                let what = "names files with \"\\\", as Windows does: it is taken as \"/\"";
                self.log.add_warning(from, "", what, "write \"/\", which every computer reads");
            }
            return Ok(path);
        }
        if let Some((what, help)) = written.iter().find_map(|text| tell_windows_path(text)) {
            return Err((format!("the file {reference:?} {what}"), help.into()));
        }
        let readings = if turned.is_empty() { written } else { turned };
        let help = self.missing_help(&readings, from)?;
        Err((format!("the file {reference:?} does not exist"), help))
    }

    /// The file that one of the readings of a name leads to.
    fn find_file_of(&mut self, readings: &[&str], from: &Path) -> Result<Option<PathBuf>, (String, String)> {
        let in_packages = packages_of(readings);
        if !in_packages.is_empty() {
            return Ok(self.find_in_package(&in_packages, from));
        }
        for text in readings {
            let candidates = self.candidate_paths(text, from)?;
            if let Some(found) = candidates.into_iter().find(|path| self.files.kind(path) != Kind::Missing) {
                return Ok(Some(found));
            }
        }
        let found = self.find_in_package(&nameless_packages(readings), from);
        if found.is_some() {
            let what = "names files by package:///NAME/...: NAME is taken as the package";
            self.log.add_warning(from, "", what, "write package://NAME/...");
        }
        Ok(found)
    }

    /// A file of a package, by any of the readings of its name.
    fn find_in_package(&mut self, readings: &[(&str, &str)], from: &Path) -> Option<PathBuf> {
        let rests: Vec<&str> = readings.iter().map(|(_, rest)| *rest).collect();
        readings.iter().find_map(|(name, _)| {
            let ask = Ask { name, rests: &rests, from, given: &self.options.package_paths };
            match self.packages.find_file(self.files, &ask) {
                Found::File(file) => Some(file),
                Found::Incomplete { .. } | Found::Several(_) | Found::Nothing { .. } => None,
            }
        })
    }

    /// What to do about a name that leads nowhere.
    fn missing_help(&mut self, readings: &[&str], from: &Path) -> Result<String, (String, String)> {
        let in_packages = packages_of(readings);
        if !in_packages.is_empty() {
            return Ok(self.missing_in_package(&in_packages, from).unwrap_or_default());
        }
        let mut tried = Vec::new();
        for text in readings {
            for candidate in self.candidate_paths(text, from)? {
                if !tried.contains(&candidate) {
                    tried.push(candidate);
                }
            }
        }
        if let Some(help) = self.other_case(tried.iter().map(PathBuf::as_path)) {
            return Ok(help);
        }
        let help = self.missing_in_package(&nameless_packages(readings), from);
        Ok(help.unwrap_or_else(|| format!("put the file there or correct the name{}", looked_for(&tried))))
    }

    /// What to do about a file that a package lacks, by any of the readings of its name.
    fn missing_in_package(&mut self, readings: &[(&str, &str)], from: &Path) -> Option<String> {
        let rests: Vec<&str> = readings.iter().map(|(_, rest)| *rest).collect();
        let mut names: Vec<&str> = readings.iter().map(|(name, _)| *name).collect();
        names.dedup();
        let mut help = None;
        for name in names {
            let ask = Ask { name, rests: &rests, from, given: &self.options.package_paths };
            match self.packages.find_file(self.files, &ask) {
                Found::File(_) => return None,
                Found::Incomplete { folder, other } => {
                    let wanted: Vec<PathBuf> =
                        rests.iter().map(|rest| folder.join(rest.trim_start_matches('/'))).collect();
                    let here = self.other_case(wanted.iter().map(PathBuf::as_path));
                    return Some(here.unwrap_or_else(|| incomplete_advice(name, &folder, other.as_deref())));
                }
                Found::Several(two) => {
                    let [one, two] = two.map(|folder| folder.display().to_string());
                    let what = format!("the manifests of {one} and {two} both say {name:?}");
                    return Some(format!("{what}: give the one that is meant with --package-path"));
                }
                Found::Nothing { looked_for } => help = help.or(Some((name, looked_for))),
            }
        }
        let (name, tried) = help?;
        let (_, count) = self.missing.entry(name.to_string()).or_insert((from.to_path_buf(), 0));
        *count += 1;
        // A robot names many files of one package: where it was looked for is told once.
        if *count > 1 {
            return Some(package_advice(name));
        }
        Some(format!("{}, or put it beside the file{}", package_advice(name), looked_for(&tried)))
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
            let rest = rest.strip_prefix("localhost").filter(|path| path.starts_with('/')).unwrap_or(rest);
            // `file:///C:/...` names a drive, and nothing below the root.
            let rest = rest.strip_prefix('/').filter(|path| has_drive(path)).unwrap_or(rest);
            return Ok(vec![folder.join(rest)]);
        }
        if let Some((scheme, _)) = text.split_once("://") {
            return Err((
                format!("{scheme}:// is not a kind of reference that is read"),
                "use package://, file:// or a path".into(),
            ));
        }
        let mut out = vec![folder.join(text)];
        out.extend(self.options.package_paths.iter().map(|dir| dir.join(text)));
        Ok(out)
    }
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

/// What readings of a name ask of packages that they name.
fn packages_of<'t>(readings: &[&'t str]) -> Vec<(&'t str, &'t str)> {
    readings.iter().filter_map(|text| package_of(text)).filter(|(name, _)| !name.is_empty()).collect()
}

/// The packages that readings of a name ask for with one stroke too many ([`nameless_package`]).
fn nameless_packages<'t>(readings: &[&'t str]) -> Vec<(&'t str, &'t str)> {
    readings.iter().filter_map(|text| nameless_package(text)).collect()
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
