//! Names of files as Windows has them: `meshes\a.stl`, `C:\robots\a.stl`, `\\server\robots\a.stl`.

/// What to do about a path that is none here.
const NAME_IT: &str = "copy the file here, and name it by a path relative to the file that names it, or by \
                       package://NAME/... with --package-path";

/// A name with `/` for each `\`; `None` if it has none.
pub(crate) fn forward_strokes(name: &str) -> Option<String> {
    name.contains('\\').then(|| name.replace('\\', "/"))
}

/// Whether a name begins with a drive: `C:\` or `C:/`.
pub(crate) fn has_drive(name: &str) -> bool {
    matches!(name.as_bytes(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

/// What a name is that only Windows can follow, and what to do; `None` on Windows.
pub(crate) fn tell_windows_path(name: &str) -> Option<(&'static str, &'static str)> {
    if cfg!(windows) {
        return None;
    }
    let scheme = name.get(..5).filter(|scheme| scheme.eq_ignore_ascii_case("file:"));
    let path = scheme.and_then(|scheme| name.get(scheme.len()..)).unwrap_or(name);
    let inner = path.trim_start_matches(['/', '\\']);
    let what = if has_drive(inner) {
        "is a path of a Windows computer, with a drive, and does not exist here"
    } else if path.starts_with("\\\\") && !inner.is_empty() {
        "is a path of a Windows network, and does not exist here"
    } else {
        return None;
    };
    Some((what, NAME_IT))
}

#[cfg(all(test, not(windows)))]
mod tests {
    use super::*;

    #[test]
    fn drives_and_shares_are_told_from_other_names() {
        let windows = [
            "C:\\robots\\a.stl",
            "c:/robots/a.stl",
            "file:///C:/robots/a.stl",
            "FILE://C:\\robots\\a.stl",
            "\\\\server\\robots\\a.stl",
            "file:\\\\server\\robots\\a.stl",
        ];
        assert!(windows.iter().all(|name| tell_windows_path(name).is_some()));
        let others =
            ["/a.stl", "a:b.stl", "meshes\\a.stl", "..\\a.stl", "file:///a.stl", "//a/b.stl", "C:", ""];
        for name in others {
            assert_eq!(tell_windows_path(name), None, "{name}");
        }
    }
}
