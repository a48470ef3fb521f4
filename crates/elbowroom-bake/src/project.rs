//! The files of a baked world: all that a compiler needs.

use crate::baked::Baked;
use crate::header::world_header;
use crate::source::world_source;

/// A file to be written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectFile {
    /// Its path in the folder, with `/`.
    pub path: &'static str,
    /// What is in it.
    pub text: String,
}

/// The sources of `elbowroom-baked`, as this program was built with.
const SOURCES: [(&str, &str); 10] = [
    ("elbowroom-baked/Cargo.toml", include_str!("../template/baked.toml.txt")),
    ("elbowroom-baked/src/lib.rs", include_str!("../../elbowroom-baked/src/lib.rs")),
    ("elbowroom-baked/src/answer.rs", include_str!("../../elbowroom-baked/src/answer.rs")),
    ("elbowroom-baked/src/arithmetic.rs", include_str!("../../elbowroom-baked/src/arithmetic.rs")),
    ("elbowroom-baked/src/frames.rs", include_str!("../../elbowroom-baked/src/frames.rs")),
    ("elbowroom-baked/src/gap.rs", include_str!("../../elbowroom-baked/src/gap.rs")),
    ("elbowroom-baked/src/simplex.rs", include_str!("../../elbowroom-baked/src/simplex.rs")),
    ("elbowroom-baked/src/support.rs", include_str!("../../elbowroom-baked/src/support.rs")),
    ("elbowroom-baked/src/tolerance.rs", include_str!("../../elbowroom-baked/src/tolerance.rs")),
    ("elbowroom-baked/src/world.rs", include_str!("../../elbowroom-baked/src/world.rs")),
];

/// All files of a baked world.
pub fn project_files(baked: &Baked) -> Vec<ProjectFile> {
    let file = |path, text: &str| ProjectFile { path, text: text.into() };
    let mut files = vec![
        file("src/world.rs", &world_source(baked)),
        file("src/lib.rs", include_str!("../template/lib.rs")),
        file("elbowroom_world.h", &world_header(baked)),
        file("main.c", include_str!("../template/main.c")),
        file("Cargo.toml", include_str!("../template/Cargo.toml.txt")),
        file("README.md", include_str!("../template/README.md")),
    ];
    files.extend(SOURCES.iter().map(|(path, text)| file(path, text)));
    files
}
