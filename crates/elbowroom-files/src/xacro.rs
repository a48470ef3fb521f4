//! Robots' files that are written for xacro: expanded by the program `xacro`, if the options want that.
//!
//! Most makers ship no URDF but a xacro file, which only ROS's own program reads as it is meant. It is
//! started as a program, never through a shell, with a bound on its time and on what it writes. What
//! `$(find NAME)` means follows the rules of `package://NAME`: a module that stands in for ROS's index of
//! packages ends the program with the name that it lacks, the name is looked up here, and the program is
//! started again with it.

use crate::fault::Log;
use crate::limits;
use crate::session::Session;
use crate::source::Options;
use crate::xml::XmlText;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, channel};
use std::time::Instant;

/// The program.
const PROGRAM: &str = "xacro";

/// What the module below writes before the name of a package that it lacks.
const LACKS: &str = "elbowroom lacks the package: ";

/// The variable that tells the module below where packages are: a line for each name, and one for its folder.
const PACKAGES: &str = "ELBOWROOM_PACKAGES";

/// ROS's index of packages, as far as xacro asks it.
const INDEX: &str = r#"import os


class PackageNotFoundError(KeyError):
    pass


def get_package_share_directory(name):
    known = os.environ["ELBOWROOM_PACKAGES"].split("\n")
    if name in known[::2]:
        return known[1::2][known[::2].index(name)]
    for prefix in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        if os.path.exists(os.path.join(prefix, "share", "ament_index", "resource_index", "packages", name)):
            return os.path.join(prefix, "share", name)
    os.write(2, ("elbowroom lacks the package: " + name + "\n").encode())
    os._exit(3)
"#;

/// Whether a file is written for xacro, by its name.
pub(crate) fn is_for_xacro(path: &Path) -> bool {
    path.extension().is_some_and(|e| e.eq_ignore_ascii_case("xacro"))
}

/// The command line that makes a URDF of a xacro file.
pub(crate) fn expand_command(path: &Path) -> String {
    let out = if is_for_xacro(path) {
        let stem = path.with_extension("");
        if stem.extension().is_some() { stem } else { path.with_extension("urdf") }
    } else {
        path.with_extension("expanded.urdf")
    };
    format!("expand it: xacro {} -o {} (pip install xacro, or ROS)", path.display(), out.display())
}

/// The text of a file of XML, or what a xacro file stands for. `wanted` is what the file should be.
pub(crate) fn read_xml_text(session: &mut Session<'_>, path: &Path, wanted: &str) -> Option<XmlText> {
    if !is_for_xacro(path) {
        let bytes = session.read(path, limits::DESCRIPTION_BYTES)?;
        return XmlText::new(path, &bytes, &mut session.log);
    }
    let bytes = expand_file(session, path, wanted)?;
    XmlText::from_expanded(path, &bytes, &mut session.log)
}

/// Where a file that was expanded has faults: whose lines they name.
pub(crate) fn tell_lines(session: &mut Session<'_>, path: &Path) {
    let what = "has faults in the text that xacro makes of it, whose lines they name";
    session.log.add_first_fault(path, what, format!("to look at it, {}", expand_command(path)));
}

/// The text that a xacro file stands for; says why if there is none.
fn expand_file(session: &mut Session<'_>, path: &Path, wanted: &str) -> Option<Vec<u8>> {
    let Some(arguments) = session.options.xacro.clone() else {
        session.log.add_fault(path, "", format!("is a xacro file, not {wanted}"), expand_command(path));
        return None;
    };
    if !session.files.is_disk() {
        let what = "is a xacro file, and it is not on the disk, where programs find it";
        session.log.add_fault(path, "", what, expand_command(path));
        return None;
    }
    // What cannot be read is told as of every other file, and the file is one of those that were read.
    session.read(path, limits::DESCRIPTION_BYTES)?;
    let mut packages: Vec<(String, PathBuf)> = Vec::new();
    loop {
        match run_xacro(path, &arguments, &packages, &session.options) {
            Ok([text, said]) => {
                let said = String::from_utf8_lossy(&said);
                if !said.trim().is_empty() {
                    session.log.add_warning(path, "", format!("xacro says: {}", last_lines(&said)), "");
                }
                note_names(session, path, &arguments, &packages);
                return Some(text);
            }
            Err(Failure::Lacks(name)) if packages.len() < limits::XACRO_PACKAGES => {
                let folder = find_package(session, path, &name)?;
                packages.push((name, folder));
            }
            Err(Failure::Lacks(_)) => {
                let what = format!("asks for more than {} packages", limits::XACRO_PACKAGES);
                session.log.add_fault(path, "", what, expand_command(path));
                return None;
            }
            Err(Failure::Other(what, help)) => {
                session.log.add_fault(path, "", what, help);
                return None;
            }
        }
    }
}

/// Keeps the names of the arguments that a file and its includes know. Without them xacro takes any name, and
/// a misspelt one changes nothing.
fn note_names(session: &mut Session<'_>, path: &Path, arguments: &[String], packages: &[(String, PathBuf)]) {
    if arguments.is_empty() {
        return;
    }
    let found = find_names(session, path, arguments, packages);
    let (_, names) = session.xacro_names.get_or_insert((path.to_path_buf(), Some(BTreeSet::new())));
    // Where the names of one file are not known, none is refused: it may be for that file.
    *names = names.take().zip(found).map(|(mut names, found)| {
        names.extend(found);
        names
    });
}

/// The names of the arguments that a file and its includes know; `None` if one of them is not found or read.
fn find_names(
    session: &mut Session<'_>,
    path: &Path,
    arguments: &[String],
    packages: &[(String, PathBuf)],
) -> Option<Vec<String>> {
    let mut with: Vec<String> = vec!["--deps".into()];
    with.extend(arguments.iter().cloned());
    let [listed, _] = run_xacro(path, &with, packages, &session.options).ok()?;
    let mut files = read_includes(session, &String::from_utf8_lossy(&listed))?;
    files.push((path.to_path_buf(), session.files.read(path, limits::DESCRIPTION_BYTES).ok()?));
    let names: Option<Vec<_>> = files.iter().map(|(file, bytes)| argument_names(file, bytes)).collect();
    Some(names?.concat())
}

/// The files that xacro lists, with their bytes. Blanks stand between the paths, and may stand in them too.
fn read_includes(session: &mut Session<'_>, listed: &str) -> Option<Vec<(PathBuf, Vec<u8>)>> {
    let (mut files, mut path) = (Vec::new(), String::new());
    for word in listed.split_whitespace() {
        let blank = if path.is_empty() { "" } else { " " };
        path = format!("{path}{blank}{word}");
        if let Ok(bytes) = session.files.read(Path::new(&path), limits::DESCRIPTION_BYTES) {
            files.push((std::mem::take(&mut path).into(), bytes));
        }
    }
    path.is_empty().then_some(files)
}

/// The names of the arguments in a file: those that an element `<xacro:arg name="...">` declares, and those
/// that `$(arg ...)` uses. A file that is no XML, as one of YAML, declares none. `None` for XML that this
/// crate does not read.
fn argument_names(path: &Path, bytes: &[u8]) -> Option<Vec<String>> {
    let text = String::from_utf8_lossy(bytes);
    let used = text.split("$(arg ").skip(1).filter_map(|rest| rest.split(')').next());
    let mut names: Vec<String> = used.map(|name| name.trim().to_string()).collect();
    if text.trim_start().starts_with('<') {
        // What is wrong with the file was said by xacro, or will be said of what it makes.
        let mut unsaid = Log::default();
        let xml = XmlText::new(path, bytes, &mut unsaid)?;
        let document = xml.parse(&mut unsaid)?;
        let declared = document.descendants().filter(|node| {
            let name = node.tag_name();
            name.name() == "arg" && name.namespace().is_some_and(|namespace| namespace.ends_with("/xacro"))
        });
        names.extend(declared.filter_map(|node| Some(node.attribute("name")?.to_string())));
    }
    Some(names)
}

/// Refuses arguments that no expanded file knows.
pub(crate) fn refuse_unknown_names(session: &mut Session<'_>) {
    let Some((path, Some(names))) = session.xacro_names.take() else { return };
    for argument in session.options.xacro.clone().unwrap_or_default() {
        let name = argument.split(":=").next().unwrap_or(&argument);
        if names.contains(name) {
            continue;
        }
        let meant = session.log.did_you_mean(name, names.iter().map(String::as_str));
        let known = match names.iter().take(limits::PLACES).map(String::as_str).collect::<Vec<_>>() {
            known if known.is_empty() => "it takes none: leave it out".into(),
            known if known.len() < names.len() => format!("there are {}, ...", known.join(", ")),
            known => format!("there are {}", known.join(", ")),
        };
        let help = if meant.is_empty() { known } else { format!("{meant} {known}") };
        session.log.add_fault(&path, "", format!("no argument of xacro is called {name:?}"), help);
    }
}

/// The folder of a package that a file asks for with `$(find NAME)`.
fn find_package(session: &mut Session<'_>, path: &Path, name: &str) -> Option<PathBuf> {
    // Its folder itself, whatever is in it.
    let found = session.resolve_reference(&format!("package://{name}/"), path);
    match found {
        Ok(folder) => std::path::absolute(folder).ok(),
        Err((_, help)) => {
            let what = format!("$(find {name}): the package was not found");
            session.log.add_fault(path, "", what, help);
            None
        }
    }
}

/// Why there is no text.
enum Failure {
    /// This package is needed.
    Lacks(String),
    /// What is wrong, and what to do.
    Other(String, String),
}

impl Failure {
    fn new(what: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Other(what.into(), help.into())
    }
}

/// Runs the program once: what it makes of the file, and what it says beside that.
fn run_xacro(
    path: &Path,
    arguments: &[String],
    packages: &[(String, PathBuf)],
    options: &Options,
) -> Result<[Vec<u8>; 2], Failure> {
    let index = Index::new().map_err(|e| {
        Failure::new(
            format!("xacro needs a folder of its own, and none can be made: {e}"),
            "make room for one",
        )
    })?;
    // A name that begins with a hyphen would be an option.
    let file = if path.is_absolute() { path.to_path_buf() } else { Path::new(".").join(path) };
    let known = packages.iter().flat_map(|(name, folder)| [name.clone(), folder.display().to_string()]);
    let program = options.xacro_program.as_deref().unwrap_or(Path::new(PROGRAM));
    let mut child = Command::new(program)
        .arg(file)
        .args(arguments)
        .env(PACKAGES, known.collect::<Vec<_>>().join("\n"))
        .env("PYTHONPATH", prepend_folders(std::slice::from_ref(&index.0), "PYTHONPATH"))
        // The first ROS has an index of its own.
        .env("ROS_PACKAGE_PATH", prepend_folders(&options.package_paths, "ROS_PACKAGE_PATH"))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|e| {
            let what = match e.kind() {
                ErrorKind::NotFound => "is a xacro file, and there is no program xacro to expand it".into(),
                _ => format!("is a xacro file, and the program xacro cannot be started: {e}"),
            };
            Failure::new(what, "install it (pip install xacro, or ROS), or give the expanded URDF")
        })?;
    let outputs = [
        read_output(child.stdout.take(), limits::DESCRIPTION_BYTES),
        read_output(child.stderr.take(), limits::XACRO_SAID),
    ];
    let ended = wait_for_end(&mut child, &outputs, Instant::now() + limits::XACRO_TIME);
    let Some((well, [text, said])) = ended else {
        let _ = child.kill();
        let _ = child.wait();
        let (seconds, most) = (limits::XACRO_TIME.as_secs(), limits::DESCRIPTION_BYTES);
        let what = format!("xacro takes longer than {seconds} s, or writes more than {most} bytes");
        return Err(Failure::new(what, "look for a macro without an end"));
    };
    if well {
        return Ok([text, said]);
    }
    let said = String::from_utf8_lossy(&said);
    match said.lines().find_map(|line| line.strip_prefix(LACKS)) {
        Some(name) => Err(Failure::Lacks(name.trim().to_string())),
        None => {
            let what = format!("xacro refuses it: {}", last_lines(&said));
            Err(Failure::new(what, "correct the file, or give what it asks for as NAME:=VALUE behind it"))
        }
    }
}

/// The last lines of what a program said, as one.
fn last_lines(said: &str) -> String {
    let lines: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let first = lines.len().saturating_sub(limits::XACRO_LINES);
    shorten_text(&lines.get(first..).unwrap_or(&[]).join("; "), limits::XACRO_LETTERS)
}

fn shorten_text(text: &str, letters: usize) -> String {
    match text.char_indices().nth(letters) {
        Some((end, _)) => format!("{}...", text.split_at(end).0),
        None => text.to_string(),
    }
}

/// A list of folders for a variable, before those that it has.
fn prepend_folders(folders: &[PathBuf], variable: &str) -> OsString {
    let old = std::env::var_os(variable).unwrap_or_default();
    let all = folders.iter().cloned().chain(std::env::split_paths(&old));
    // A folder with a separator in its name cannot be in such a list.
    std::env::join_paths(all).unwrap_or(old.clone())
}

/// Reads an output on a thread of its own, one byte more than is taken.
fn read_output(from: Option<impl Read + Send + 'static>, most: u64) -> Receiver<Vec<u8>> {
    let (give, take) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let read = from.map(|from| from.take(most + 1).read_to_end(&mut bytes));
        if bytes.len() as u64 <= most && !matches!(read, Some(Err(_))) {
            // Nobody may be waiting for it any more.
            let _ = give.send(bytes);
        }
    });
    take
}

/// Waits for both outputs and the end; whether it ended well. `None` where that does not come in time, or
/// where too much was written.
fn wait_for_end(
    child: &mut Child,
    outputs: &[Receiver<Vec<u8>>; 2],
    deadline: Instant,
) -> Option<(bool, [Vec<u8>; 2])> {
    let left = || deadline.saturating_duration_since(Instant::now());
    let [text, said] = outputs;
    let both = [text.recv_timeout(left()).ok()?, said.recv_timeout(left()).ok()?];
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Some((status.success(), both)),
            Ok(None) if !left().is_zero() => std::thread::sleep(limits::XACRO_LOOK),
            Ok(None) | Err(_) => return None,
        }
    }
}

/// A folder that holds the module of [`INDEX`]; it is removed with this.
struct Index(PathBuf);

impl Index {
    fn new() -> std::io::Result<Index> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("elbowroom-xacro-{}-{number}", std::process::id());
        // A folder that is there already is not ours, and refused.
        let index = Index(std::env::temp_dir().join(name));
        std::fs::create_dir(&index.0)?;
        let module = index.0.join("ament_index_python");
        std::fs::create_dir(&module)?;
        std::fs::write(module.join("__init__.py"), "")?;
        std::fs::write(module.join("packages.py"), INDEX)?;
        Ok(index)
    }
}

impl Drop for Index {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::argument_names;
    use std::path::Path;

    #[test]
    fn arguments_are_known_however_they_are_written() {
        let names = |text: &str| argument_names(Path::new("a.xacro"), text.as_bytes());
        let robot = |inside: &str| {
            format!("<robot xmlns:x=\"http://www.ros.org/wiki/xacro\" name=\"r\">{inside}</robot>")
        };
        let written = robot(
            "<x:arg default=\"a name\" name=\"one\"/><x:arg\n  name='two'/><arg name=\"none\"/>\
             <!-- <x:arg name=\"off\"/> --><link name=\"$(arg three)\"/>",
        );
        assert_eq!(names(&written).unwrap(), ["three", "one", "two"]);
        assert_eq!(names("length: $(arg four)\n").unwrap(), ["four"], "a file of YAML");
        assert_eq!(names("<robot><x:arg name=\"one\"/></robot>").unwrap(), [""; 0], "x is not xacro");
        assert_eq!(names("<robot><arg name=\"one\"></robot>"), None, "no XML that is read");
    }
}
