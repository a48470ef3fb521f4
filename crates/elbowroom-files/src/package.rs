//! Packages: which folder `package://NAME/...` means.
//!
//! A disk may hold several copies of one package. All that a file asks of a package comes from one of them:
//! parts of two would make a robot that nobody built. These folders are looked at, in order: in each of the
//! folders that were given for packages, the one of that name, or the given folder itself if it has the name;
//! then those of that name in the folders above the asking file, nearest first, along its path as written and
//! as links lead. The first that is the package is taken, and what it lacks is missing, whatever other copies
//! hold.
//!
//! A folder has a name of its own, and by the `<name>` in its `package.xml` another: what is unpacked of an
//! archive is often called `NAME-main`. In each of the folders that are looked into, what is called so comes
//! before what says so, and two that merely say so are not chosen between. A folder above the asking file
//! that says so itself comes before what is in it.
//!
//! A package often holds a folder of its own name, for its Python code. So what merely has the name is the
//! package only if it has a manifest, holds the asking file, or has the first part of a path that is asked
//! for.

use crate::fault::Log;
use crate::limits;
use crate::source::{Files, Kind};
use crate::xml::{XmlText, named_children};
use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

/// Files of which a package has one.
const MANIFESTS: [&str; 3] = ["package.xml", "manifest.xml", "model.config"];

/// The packages of one load.
#[derive(Default)]
pub(crate) struct Packages {
    /// By name, asking file, and the folders that were given.
    asked: BTreeMap<(String, PathBuf, Vec<PathBuf>), Copies>,
    /// The packages that were used, by name and identity of the folder.
    used: BTreeMap<(String, PathBuf), Use>,
    manifests: Manifests,
}

/// The folders that have the name of a package, in the order of search.
#[derive(Default)]
struct Copies {
    copies: Vec<Copy>,
    chosen: Option<usize>,
    /// All folders that were looked for.
    looked_for: Vec<PathBuf>,
}

/// The names that the manifests in a folder give, by folder.
#[derive(Default)]
struct Manifests(BTreeMap<PathBuf, Vec<(String, PathBuf)>>);

struct Copy {
    folder: PathBuf,
    /// Whether a folder that was given led there.
    given: bool,
    /// Whether it is the package whatever is asked of it.
    sure: bool,
    /// Another folder that is it just as well.
    twin: Option<PathBuf>,
}

/// A folder that served as a package.
struct Use {
    folder: PathBuf,
    /// The first file that asked.
    from: PathBuf,
    given: bool,
}

/// What a search for a file of a package found.
pub(crate) enum Found {
    /// The file.
    File(PathBuf),
    /// The package, which lacks the file; and another copy that has it.
    Incomplete { folder: PathBuf, other: Option<PathBuf> },
    /// Two folders of which the manifests have that name, and nothing else tells which is meant.
    Several([PathBuf; 2]),
    /// No package of that name.
    Nothing { looked_for: Vec<PathBuf> },
}

/// What is asked for, and by whom.
pub(crate) struct Ask<'a> {
    /// The package.
    pub name: &'a str,
    /// The path in it, in each of the ways that it may be read.
    pub rests: &'a [&'a str],
    /// The file that asks.
    pub from: &'a Path,
    /// The folders that were given for packages.
    pub given: &'a [PathBuf],
}

impl Packages {
    /// The file that is asked for, from the one folder that serves the asking file as that package.
    pub fn find_file(&mut self, files: &dyn Files, ask: &Ask<'_>) -> Found {
        let key = (ask.name.to_string(), ask.from.to_path_buf(), ask.given.to_vec());
        let known = self.asked.entry(key).or_insert_with(|| search_copies(files, ask, &mut self.manifests));
        if known.chosen.is_none() {
            known.chosen = known.copies.iter().position(|copy| copy.sure || has_part(files, copy, ask.rests));
        }
        let Some(chosen) = known.chosen.and_then(|chosen| known.copies.get(chosen)) else {
            return Found::Nothing { looked_for: known.looked_for.clone() };
        };
        if let Some(twin) = &chosen.twin {
            return Found::Several([chosen.folder.clone(), twin.clone()]);
        }
        let identity = files.identity(&chosen.folder);
        if let Some(file) = file_in(files, chosen, ask.rests) {
            let (folder, given) = (chosen.folder.clone(), chosen.given);
            let first = Use { folder, from: ask.from.to_path_buf(), given };
            self.used.entry((ask.name.to_string(), identity)).or_insert(first);
            return Found::File(file);
        }
        let has_it = |copy: &&Copy| {
            files.identity(&copy.folder) != identity && file_in(files, copy, ask.rests).is_some()
        };
        let other = known.copies.iter().find(has_it).map(|copy| copy.folder.clone());
        Found::Incomplete { folder: chosen.folder.clone(), other }
    }

    /// The folders that served as packages, once each, by name.
    pub fn used_folders(&self) -> Vec<(String, PathBuf)> {
        self.used.iter().map(|((name, _), used)| (name.clone(), used.folder.clone())).collect()
    }

    /// Names that stood for several folders, unless all of these were given: each with the file that asked
    /// first.
    pub fn ambiguous_names<'a>(&'a self) -> Vec<(&'a str, Vec<(&'a Path, &'a Path)>)> {
        let mut uses: BTreeMap<&str, Vec<&'a Use>> = BTreeMap::new();
        for ((name, _), used) in &self.used {
            uses.entry(name).or_default().push(used);
        }
        uses.retain(|_, uses| uses.len() > 1 && uses.iter().any(|used| !used.given));
        let told = |uses: Vec<&'a Use>| uses.iter().map(|used| (&*used.folder, &*used.from)).collect();
        uses.into_iter().map(|(name, uses)| (name, told(uses))).collect()
    }
}

impl Manifests {
    /// What lies in a folder and is the package by its manifest.
    fn packages_inside(&mut self, files: &dyn Files, folder: &Path, name: &str) -> Vec<PathBuf> {
        let known = self.0.entry(folder.to_path_buf()).or_insert_with(|| {
            let named = |path: PathBuf| Some((manifest_name(files, &path)?, path));
            files.inside(folder).into_iter().filter_map(named).collect()
        });
        known.iter().filter(|(other, _)| other == name).map(|(_, path)| path.clone()).collect()
    }
}

/// How to say where a package is.
pub(crate) fn package_advice(package: &str) -> String {
    format!("give the folder that holds the package {package:?} with --package-path")
}

/// The name in the manifest of a folder. One with two names has none: it is not known which is meant.
fn manifest_name(files: &dyn Files, folder: &Path) -> Option<String> {
    let path = folder.join(MANIFESTS[0]);
    if files.kind(&path) != Kind::File {
        return None;
    }
    let bytes = files.read(&path, limits::MANIFEST_BYTES).ok()?;
    let mut log = Log::default();
    let text = XmlText::new(&path, &bytes, &mut log)?;
    let document = text.parse(&mut log)?;
    let root = Some(document.root_element()).filter(|root| root.tag_name().name() == "package")?;
    let mut names = named_children(root, "name");
    let name = names.next()?.text()?.trim().to_string();
    names.next().is_none().then_some(name)
}

/// All folders of the package's name.
fn search_copies(files: &dyn Files, ask: &Ask<'_>, manifests: &mut Manifests) -> Copies {
    let starts = start_folders(files, ask.from);
    let mut found = Copies::default();
    // A folder by its name.
    let look = |found: &mut Copies, folder: PathBuf, given: bool, meant: bool| {
        if found.looked_for.contains(&folder) {
            return;
        }
        if files.kind(&folder) == Kind::Folder {
            let sure = meant
                || starts.iter().any(|start| start.starts_with(&folder))
                || MANIFESTS.iter().any(|name| files.kind(&folder.join(name)) == Kind::File);
            found.copies.push(Copy { folder: folder.clone(), given, sure, twin: None });
        }
        found.looked_for.push(folder);
    };
    let says_so = |folder: &Path| manifest_name(files, folder).is_some_and(|name| name == ask.name);
    let add = |found: &mut Copies, mut folders: Vec<PathBuf>, given: bool| {
        folders.retain(|folder| found.copies.iter().all(|copy| copy.folder != *folder));
        let mut folders = folders.into_iter();
        let Some(folder) = folders.next() else { return };
        let identity = files.identity(&folder);
        let twin = folders.find(|other| files.identity(other) != identity);
        found.copies.push(Copy { folder, given, sure: true, twin });
    };
    for dir in ask.given {
        let is_one = dir.file_name().is_some_and(|n| n == ask.name);
        look(&mut found, dir.join(ask.name), true, !is_one);
        if is_one {
            look(&mut found, dir.clone(), true, true);
        } else if says_so(dir) {
            add(&mut found, vec![dir.clone()], true);
        }
        if found.copies.is_empty() {
            add(&mut found, manifests.packages_inside(files, dir, ask.name), true);
        }
    }
    for start in &starts {
        for folder in folders_above(start) {
            if says_so(folder) {
                add(&mut found, vec![folder.to_path_buf()], false);
            }
            look(&mut found, folder.join(ask.name), false, false);
            if !found.copies.iter().any(|copy| copy.sure) {
                add(&mut found, manifests.packages_inside(files, folder, ask.name), false);
            }
        }
    }
    found
}

/// The folder of a file: as its path says, in full, and as links lead.
pub(crate) fn start_folders(files: &dyn Files, from: &Path) -> Vec<PathBuf> {
    let folder = from.parent().unwrap_or(Path::new(""));
    let mut starts = vec![folder.to_path_buf()];
    let here = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    starts.extend(std::path::absolute(here));
    starts.extend(files.identity(from).parent().map(Path::to_path_buf));
    starts
}

/// A folder and those above it. What stands before a `..` is not above it.
pub(crate) fn folders_above(folder: &Path) -> impl Iterator<Item = &Path> {
    let climbs = |folder: &Path| folder.components().next_back() == Some(Component::ParentDir);
    let mut next = Some(folder);
    std::iter::from_fn(move || {
        let now = next?;
        next = now.parent().filter(|_| !climbs(now));
        Some(now)
    })
}

/// Whether a folder has the first part of a path.
fn has_part(files: &dyn Files, copy: &Copy, rests: &[&str]) -> bool {
    let part = |rest: &&str| {
        Path::new(rest.trim_start_matches('/')).components().next().map(|c| copy.folder.join(c))
    };
    rests.iter().filter_map(part).any(|path| files.kind(&path) != Kind::Missing)
}

/// The path in a folder, if something lies there.
fn file_in(files: &dyn Files, copy: &Copy, rests: &[&str]) -> Option<PathBuf> {
    let path = |rest: &&str| copy.folder.join(rest.trim_start_matches('/'));
    rests.iter().map(path).find(|path| files.kind(path) != Kind::Missing)
}
