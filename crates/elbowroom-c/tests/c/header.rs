//! The committed header is what cbindgen makes of the sources.

use crate::tools::crate_folder;

/// Makes the header. The sources are given one by one, in order: the crate's dependencies are not looked at.
fn make_header() -> String {
    let folder = crate_folder();
    let mut config = cbindgen::Config::from_file(folder.join("cbindgen.toml")).expect("cbindgen.toml");
    config.autogen_warning = None;
    let mut builder = cbindgen::Builder::new().with_config(config);
    // In the order in which a reader meets them.
    let sources = [
        "status", "words", "world", "load", "pose", "answer", "checker", "shape", "changes", "batch", "edge",
        "command", "guard", "event",
    ];
    for name in sources {
        builder = builder.with_src(folder.join("src").join(name).with_extension("rs"));
    }
    let mut bytes = Vec::new();
    builder.generate().expect("cbindgen reads the sources").write(&mut bytes);
    String::from_utf8(bytes).expect("text")
}

#[test]
fn the_committed_header_is_what_cbindgen_makes() {
    let (made, path) = (make_header(), crate_folder().join("include/elbowroom.h"));
    if std::env::var_os("ELBOWROOM_WRITE_HEADER").is_some() {
        std::fs::write(&path, &made).expect("the header");
    }
    let committed = std::fs::read_to_string(&path).expect("the header");
    let differs = made.lines().zip(committed.lines()).find(|(made, committed)| made != committed);
    assert!(
        made == committed,
        "include/elbowroom.h is not what cbindgen makes: the first line that differs is {differs:?}; write \
         it with ELBOWROOM_WRITE_HEADER=1 cargo test -p elbowroom-c --test c header"
    );
}

/// Who calls a function must know from which thread.
#[test]
fn each_function_says_which_thread_may_call_it() {
    let header = std::fs::read_to_string(crate_folder().join("include/elbowroom.h")).expect("the header");
    let mut said = String::new();
    let mut functions = 0;
    for line in header.lines() {
        if line.starts_with("//") {
            said.push_str(line);
        } else {
            let is_function = line.contains(" elbowroom_") || line.contains("*elbowroom_");
            if is_function && line.contains('(') {
                functions += 1;
                assert!(said.contains("Thread: "), "{line}");
            }
            said.clear();
        }
    }
    assert!(functions > 70, "{functions} functions were found");
}
