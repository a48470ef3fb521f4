//! `docs/c.md` shows the programs as they are.

use crate::tools::{crate_folder, example};

/// The blocks of code of a language in a page.
fn blocks_of<'a>(page: &'a str, language: &str) -> Vec<&'a str> {
    let begin = format!("```{language}\n");
    page.split(&*begin).skip(1).filter_map(|rest| rest.split("```").next()).collect()
}

#[test]
fn the_guide_shows_an_example_that_is_compiled() {
    let page = crate_folder().join("../../docs/c.md");
    let page = std::fs::read_to_string(page).expect("docs/c.md");
    let nearest = std::fs::read_to_string(example("nearest.c")).expect("the example");
    assert_eq!(
        blocks_of(&page, "c").first(),
        Some(&&*nearest),
        "docs/c.md shows examples/nearest.c as it is"
    );
    let plugin = std::fs::read_to_string(example("plugin.cpp")).expect("the example");
    let shown = blocks_of(&page, "cpp");
    assert!(shown.len() >= 2, "the wrapper and the plugin are shown");
    let of_plugin = shown.iter().filter(|block| plugin.contains(block.trim_end())).count();
    assert!(of_plugin >= 1, "docs/c.md shows parts of examples/plugin.cpp as they are");
}
