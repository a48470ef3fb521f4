//! Words as a shell takes them: what a user is told can be pasted.

use crate::arguments::WorldArguments;
use elbowroom::fault::Numeral;
use std::path::Path;

/// The world and its options as a shell takes them.
pub fn world_options(arguments: &WorldArguments) -> String {
    let WorldArguments {
        world,
        xacro,
        package_path,
        srdf,
        no_srdf,
        honour_up_axis,
        padding,
        margin,
        allow_zero_overlaps,
    } = arguments;
    let mut words = vec![shell(world)];
    words.extend(xacro.iter().map(|argument| shell(Path::new(argument))));
    words.extend(package_path.iter().map(|path| format!("--package-path {}", shell(path))));
    words.extend(srdf.iter().map(|path| format!("--srdf {}", shell(path))));
    for (given, option) in [
        (*no_srdf, "--no-srdf"),
        (*honour_up_axis, "--honour-up-axis"),
        (*allow_zero_overlaps, "--allow-zero-overlaps"),
    ] {
        words.extend(given.then(|| option.to_string()));
    }
    for (value, option) in [(padding, "--padding"), (margin, "--margin")] {
        words.extend(value.map(|value| format!("{option} {}", Numeral(value))));
    }
    words.join(" ")
}

/// A path as a shell takes it.
pub fn shell(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || "/._-+=:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        text
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}
