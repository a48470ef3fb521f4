//! What is wrong with a file, where, and what to do: collected, never stopping at the first.
//!
//! ```
//! use elbowroom_files::source::InMemory;
//! use elbowroom_files::{Options, world::load_world_from};
//!
//! let mut files = InMemory::default();
//! files.0.insert("cell.toml".into(), b"margin = -1\nmargn = 2\n[[robot]]\nurdf = 'arm.urdf'\n".to_vec());
//! let faults = load_world_from(&files, "cell.toml".as_ref(), &Options::default()).expect_err("three");
//! for fault in &faults.0 {
//!     println!("{fault}");
//! }
//! assert_eq!(faults.0.len(), 3);
//! let misspelt = faults.0.iter().find(|fault| fault.what.contains("margn")).expect("it is named");
//! assert!(misspelt.place == "line 2" && misspelt.help.starts_with("did you mean \"margin\"?"));
//! ```

use crate::limits;
use crate::rates::data::JointRates;
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Something that makes a description unusable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The file it is in.
    pub file: PathBuf,
    /// Where in the file, e.g. `line 12, <joint name="elbow">`; empty if the whole file is meant.
    pub place: String,
    /// What is wrong.
    pub what: String,
    /// What a person can do about it.
    pub help: String,
}

/// Something that a person should know, though the description can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The file it is in.
    pub file: PathBuf,
    /// Where in the file; empty if the whole file is meant.
    pub place: String,
    /// What was noticed, and what was done about it.
    pub what: String,
    /// What a person can do about it; may be empty.
    pub help: String,
}

fn write_one(f: &mut fmt::Formatter<'_>, file: &Path, place: &str, what: &str, help: &str) -> fmt::Result {
    if !file.as_os_str().is_empty() {
        write!(f, "{}: ", file.display())?;
    }
    if !place.is_empty() {
        write!(f, "{place}: ")?;
    }
    f.write_str(what)?;
    if !help.is_empty() {
        write!(f, "; {help}")?;
    }
    Ok(())
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_one(f, &self.file, &self.place, &self.what, &self.help)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_one(f, &self.file, &self.place, &self.what, &self.help)
    }
}

/// All faults of a description, in the order they were found; at least one.
#[derive(Clone, PartialEq, Eq)]
pub struct Faults(pub Vec<Fault>);

impl fmt::Display for Faults {
    /// One a line, then the count.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for fault in &self.0 {
            writeln!(f, "{fault}")?;
        }
        f.write_str(&counted_things(self.0.len(), "fault"))
    }
}

impl fmt::Debug for Faults {
    /// The words of `Display`: a `main` that returns these faults prints them for a person.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl std::error::Error for Faults {}

/// A value and what was noticed while it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Loaded<T> {
    /// The value.
    pub value: T,
    /// What a person should know.
    pub warnings: Vec<Warning>,
    /// Every file that was read for it, by the paths that led there, in order and once each.
    pub files: Vec<PathBuf>,
    /// Those of them that are SRDFs.
    pub srdfs: Vec<PathBuf>,
    /// The folders in which packages were found that `package://` names.
    pub packages: Vec<(String, PathBuf)>,
    /// By the full name of a movable obstacle: the bodies that a world file lets it `touch` while it is
    /// carried, for [`Checker::attach`](elbowroom::Checker::attach).
    pub touch: BTreeMap<String, Vec<String>>,
    /// By their full names, the obstacles that stand for zones of a world file.
    pub zones: BTreeMap<String, ZoneKind>,
    /// How fast joints may go, as their URDFs say, by full name; of joints that have such a limit.
    pub rates: BTreeMap<String, JointRates>,
    /// What is wrong with such limits in URDFs: faults only for who holds motions against them.
    pub rate_faults: Vec<Fault>,
}

impl<T> Loaded<T> {
    /// Another value with the same warnings and files.
    pub(crate) fn replace_value<U>(self, value: U) -> Loaded<U> {
        let Loaded { value: _, warnings, files, srdfs, packages, touch, zones, rates, rate_faults } = self;
        Loaded { value, warnings, files, srdfs, packages, touch, zones, rates, rate_faults }
    }
}

/// What a zone of a world file asks of the bodies that it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ZoneKind {
    /// To keep out of it.
    KeepOut,
    /// To stay in it.
    KeepIn,
}

impl ZoneKind {
    /// The word of world files.
    pub const fn file_word(self) -> &'static str {
        match self {
            ZoneKind::KeepOut => "keep_out",
            ZoneKind::KeepIn => "keep_in",
        }
    }
}

/// Faults and warnings as they come in.
#[derive(Default)]
pub(crate) struct Log {
    faults: Vec<Fault>,
    /// What is wrong with lines, and what to do: which fault of the list it is, and on how many lines more.
    of_lines: BTreeMap<(PathBuf, String, String), (usize, usize)>,
    /// All of these lines together.
    on_more_lines: usize,
    warnings: Vec<Warning>,
    more_faults: usize,
    more_warnings: usize,
    hints: usize,
}

impl Log {
    pub fn add_fault(
        &mut self,
        file: &Path,
        place: impl Into<String>,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        let (place, what, help) = (place.into(), what.into(), help.into());
        // A fault that many lines have is listed once.
        if is_line_place(&place) {
            let kind = (file.to_path_buf(), what.clone(), help.clone());
            if let Some((_, more)) = self.of_lines.get_mut(&kind) {
                *more += 1;
                self.on_more_lines += 1;
                return;
            }
            if !self.is_full() {
                self.of_lines.insert(kind, (self.faults.len(), 0));
            }
        }
        if self.is_full() {
            self.more_faults += 1;
            return;
        }
        self.faults.push(Fault { file: file.into(), place, what, help });
    }

    /// A fault that stands before all others, also where no more are listed: it sums up many of them.
    pub fn add_first_fault(&mut self, file: &Path, what: impl Into<String>, help: impl Into<String>) {
        let (place, what, help) = (String::new(), what.into(), help.into());
        self.faults.insert(0, Fault { file: file.into(), place, what, help });
        self.of_lines.values_mut().for_each(|(place, _)| *place += 1);
    }

    pub fn add_warning(
        &mut self,
        file: &Path,
        place: impl Into<String>,
        what: impl Into<String>,
        help: impl Into<String>,
    ) {
        if self.warnings.len() >= limits::FAULTS {
            self.more_warnings += 1;
            return;
        }
        self.warnings.push(Warning {
            file: file.into(),
            place: place.into(),
            what: what.into(),
            help: help.into(),
        });
    }

    /// How many faults so far; compare before and after a part to know whether it went well.
    pub fn fault_count(&self) -> usize {
        self.faults.len() + self.more_faults + self.on_more_lines
    }

    /// True once no more faults are listed; work that only finds more of them may stop.
    pub fn is_full(&self) -> bool {
        self.faults.len() >= limits::FAULTS
    }

    /// The candidate that `name` was probably meant to be; empty where none is near, or after many hints.
    pub fn did_you_mean<'a>(&mut self, name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
        self.hints += 1;
        if self.hints > limits::HINTS { String::new() } else { did_you_mean(name, candidates) }
    }

    pub fn finish<T>(mut self, value: Option<T>) -> Result<Loaded<T>, Faults> {
        for (place, more) in self.of_lines.values().filter(|(_, more)| *more > 0) {
            if let Some(fault) = self.faults.get_mut(*place) {
                fault.place += &format!(", and {}", counted_things(*more, "more time"));
            }
        }
        if self.more_faults > 0 {
            let what = format!("not listed: {}", counted_things(self.more_faults, "more fault"));
            self.faults.push(Fault {
                file: PathBuf::new(),
                place: String::new(),
                what,
                help: "fix these first".into(),
            });
        }
        if self.more_warnings > 0 {
            let what = format!("not listed: {}", counted_things(self.more_warnings, "more warning"));
            let (file, place, help) = Default::default();
            self.warnings.push(Warning { file, place, what, help });
        }
        match value {
            Some(value) if self.faults.is_empty() => {
                let (files, srdfs, packages, touch, zones, rates, rate_faults) = Default::default();
                let warnings = self.warnings;
                Ok(Loaded { value, warnings, files, srdfs, packages, touch, zones, rates, rate_faults })
            }
            _ => {
                if self.faults.is_empty() {
                    // A reader gave up without saying why: still a refusal, never a success.
                    let (file, place, help) = Default::default();
                    self.faults.push(Fault { file, place, what: "could not be read".into(), help });
                }
                Err(Faults(self.faults))
            }
        }
    }
}

/// Whether a place is a line of a table or of a list, and says no more than that.
fn is_line_place(place: &str) -> bool {
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    place.strip_prefix("line ").is_some_and(|rest| match rest.split_once(", sample ") {
        Some((line, sample)) => number(line) && number(sample),
        None => number(rest),
    })
}

/// Warnings for people, a line each: those that differ only in where they are become one, with the first
/// places and how many there are besides. In the order of the first of each kind.
pub fn warning_lines(warnings: &[Warning]) -> Vec<String> {
    let mut kinds: BTreeMap<(&str, &str), Vec<&Warning>> = BTreeMap::new();
    let mut order = Vec::new();
    for warning in warnings {
        let alike = kinds.entry((&warning.what, &warning.help)).or_default();
        if alike.is_empty() {
            order.push((&*warning.what, &*warning.help));
        }
        alike.push(warning);
    }
    let line = |kind| {
        let alike: &[&Warning] = kinds.get(kind).map_or(&[], |alike| alike);
        let [first, rest @ ..] = alike else { return String::new() };
        if rest.is_empty() {
            return first.to_string();
        }
        let one_file = rest.iter().all(|w| w.file == first.file);
        let mut places: Vec<String> = Vec::new();
        for warning in alike {
            let place = match (one_file, warning.place.is_empty()) {
                (true, _) => warning.place.clone(),
                (false, true) => warning.file.display().to_string(),
                (false, false) => format!("{}: {}", warning.file.display(), warning.place),
            };
            // Faults of one place usually follow each other, so the place is named once.
            if places.last() != Some(&place) {
                places.push(place);
            }
        }
        let more = places.len().saturating_sub(limits::PLACES);
        places.truncate(limits::PLACES);
        let mut place = places.join("; ");
        if more > 0 {
            place.push_str(&format!(" and {}", counted_things(more, "other")));
        }
        let file = if one_file { first.file.clone() } else { PathBuf::new() };
        Warning { file, place, what: first.what.clone(), help: first.help.clone() }.to_string()
    };
    order.iter().map(line).collect()
}

/// A hint such as `did you mean "elbow"?`: the one candidate that ends in the name behind a mark, as
/// `arm_joint_2` ends in `joint_2`; or the candidate most like it by its letters, or without its robot
/// (`arm/elbow` for `elbw`); or the one that has the name between marks, as `elbow_joint` has `elbow`. Empty
/// where none is.
pub fn did_you_mean<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    let wanted: Vec<char> = name.chars().take(limits::HINT_LETTERS + 1).collect();
    if wanted.is_empty() || wanted.len() > limits::HINT_LETTERS {
        return String::new();
    }
    let candidates: Vec<&str> = candidates.into_iter().take(limits::HINT_CANDIDATES).collect();
    // Letters that changed places are one slip.
    let slips = |c: &str| edit_distance(&wanted, c, 1).filter(|_| share_an_end(name, c));
    let near = candidates.iter().filter_map(|c| {
        let bare = c.split_once('/').filter(|_| !name.contains('/')).and_then(|(_, bare)| slips(bare));
        let d = slips(c).into_iter().chain(bare).min()?;
        (d <= 1 + wanted.len() / limits::HINT_LETTERS_A_SLIP).then_some((d, *c))
    });
    let meant = find_holder(&candidates, |c| ends_behind_mark(c, name))
        .or_else(|| near.min().map(|(_, c)| c))
        .or_else(|| find_holder(&candidates, |c| has_between_marks(c, name)));
    meant.map(|c| format!("did you mean {c:?}?")).unwrap_or_default()
}

/// The one candidate that is such; of those that end in each other, the shortest.
fn find_holder<'a>(candidates: &[&'a str], is_such: impl Fn(&str) -> bool) -> Option<&'a str> {
    let mut all: Vec<&str> = candidates.iter().copied().filter(|c| is_such(c)).collect();
    all.sort_by_key(|c| c.len());
    let (first, rest) = all.split_first()?;
    rest.iter().all(|c| c == first || ends_behind_mark(c, first)).then_some(*first)
}

/// Whether a name ends in another, behind a mark such as `_`.
fn ends_behind_mark(name: &str, end: &str) -> bool {
    name.strip_suffix(end).is_some_and(|rest| rest.ends_with(|mark: char| !mark.is_alphanumeric()))
}

/// Whether a name has another with marks, or nothing, on both of its sides.
fn has_between_marks(name: &str, part: &str) -> bool {
    name.match_indices(part).any(|(at, _)| {
        let before = name.get(..at).and_then(|text| text.chars().next_back());
        let behind = name.get(at + part.len()..).and_then(|text| text.chars().next());
        [before, behind].into_iter().flatten().all(|mark| !mark.is_alphanumeric())
    })
}

/// Whether two names begin or end with the same letter, case aside.
fn share_an_end(a: &str, b: &str) -> bool {
    let same = |a: Option<char>, b: Option<char>| a.zip(b).is_some_and(|(a, b)| a.eq_ignore_ascii_case(&b));
    same(a.chars().next(), b.chars().next()) || same(a.chars().next_back(), b.chars().next_back())
}

/// So many of a thing, for a message.
pub fn counted_things(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// The known key that an unknown one was most likely meant to be: the same but for case, or, for keys of more
/// than three letters, within two letters. Where unknown keys are ignored this is the line between a remark
/// and a slip of the pen.
pub(crate) fn meant_key<'k>(key: &str, known: &[&'k str]) -> Option<&'k str> {
    let letters: Vec<char> = key.chars().take(limits::HINT_LETTERS + 1).collect();
    let near = known.iter().filter_map(|k| Some((edit_distance(&letters, k, 2)?, *k)));
    near.filter(|(d, k)| *d == 0 || (k.len() > 3 && *d <= 2)).min().map(|(_, k)| k)
}

/// Letters to insert, remove or replace to make one name of the other, case aside; two neighbours that
/// changed places cost `swap`. With 2 this is Levenshtein's distance, with 1 that of optimal string
/// alignment.
fn edit_distance(a: &[char], b: &str, swap: usize) -> Option<usize> {
    let b: Vec<char> = b.chars().take(limits::HINT_LETTERS + 1).collect();
    if b.len() > limits::HINT_LETTERS {
        return None;
    }
    let same = |i: usize, j: usize| a[i].eq_ignore_ascii_case(&b[j]);
    // Costs for the letters of `a` before the last two, before the last, and now.
    let mut rows = [vec![0; b.len() + 1], vec![0; b.len() + 1], (0..=b.len()).collect::<Vec<usize>>()];
    for i in 0..a.len() {
        rows.rotate_left(1);
        rows[2][0] = i + 1;
        for j in 0..b.len() {
            let replaced = rows[1][j] + usize::from(!same(i, j));
            let mut least = replaced.min(rows[1][j + 1] + 1).min(rows[2][j] + 1);
            if i > 0 && j > 0 && same(i, j - 1) && same(i - 1, j) {
                least = least.min(rows[0][j - 1] + swap);
            }
            rows[2][j + 1] = least;
        }
    }
    rows[2].last().copied()
}
