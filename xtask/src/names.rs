//! How well names say what they name: the share of functions with one word, and types that share a name.
//!
//! A name of one word fails where its room is not shown: in a search, a stack trace, a profile. Getters with
//! a plain noun (`hull.vertices()`) read well, so a share of them is right; what is counted only watches, and
//! a reader judges. Functions that a trait names are not counted, nor those that Rust programmers expect, nor
//! methods for Python. Two types of one crate with the same name differ in their paths alone: that is
//! refused. So is a function whose name is a bare particle (`of`, `told`), or begins with a verb that says
//! nothing (`do_`, `perform_`, `handle_`).
//!
//! Who jumps to an item by its name reads its doc comment alone, not the one above. So a doc comment that
//! begins with "The same" is refused, too.

mod idioms;

use anyhow::{Result, anyhow, bail, ensure};
use idioms::is_idiom;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::path::Path;

/// The largest share of functions with one word in a crate, in hundredths. memchr has 30, ripgrep 23,
/// parry 18.
const ONE_WORD: usize = 35;

/// Words that are no name of a function by themselves.
const PARTICLES: &[&str] =
    &["of", "at", "on", "in", "by", "to", "over", "under", "through", "off", "with", "told", "put", "once"];

/// What a name may not begin with.
const EMPTY_VERBS: &[&str] = &["do_", "perform_", "handle_"];

/// What a doc comment may not begin with: it leans on the comment above it.
const LEANING: &str = "The same";

/// What a crate's sources name.
#[derive(Debug, Default)]
struct Names {
    /// Functions that no trait names, with their files.
    functions: Vec<(String, String)>,
    /// Types, with the files that define them.
    types: BTreeMap<String, Vec<String>>,
    /// Doc comments that lean on the one above: their files, and the lines on which they begin.
    leaning: Vec<(String, usize)>,
}

/// Runs the chore. With `--list` every function with one word is printed with its file.
pub fn run(arguments: &[String]) -> Result<()> {
    let is_listing = arguments == ["--list"];
    ensure!(arguments.is_empty() || is_listing, "cargo xtask names takes only --list");
    let root = crate::repository_root()?;
    let mut wrong = Vec::new();
    for src in crate::layers::CRATES {
        let names = read_crate(&root, &root.join(src))?;
        let short: Vec<_> = names.functions.iter().filter(|(name, _)| is_one_word(name)).collect();
        let counted = names.functions.iter().filter(|(name, _)| !is_idiom(name)).count();
        let share = 100 * short.len() / counted.max(1);
        println!("{src}: {} of {counted} functions have one word: {share} %", short.len());
        if is_listing {
            short.iter().for_each(|(name, file)| println!("  {file}: {name}"));
        }
        if share > ONE_WORD {
            wrong.push(format!("{src}: {share} % of its functions have one word, more than {ONE_WORD}"));
        }
        wrong.extend(names.functions.iter().filter(|(name, _)| says_nothing(name)).map(|(name, file)| {
            format!("{file}: the name `{name}` does not say what the function does, or gives")
        }));
        for (name, files) in names.types.iter().filter(|(_, files)| files.len() > 1) {
            wrong.push(format!("{src}: {} types are called `{name}`: {}", files.len(), files.join(", ")));
        }
        wrong.extend(names.leaning.iter().map(|(file, line)| {
            format!(
                "{file}:{line}: a doc comment that begins with \"{LEANING}\" leans on the one above it: say \
                 what this item does or gives, or name the function it is like"
            )
        }));
    }
    if !wrong.is_empty() {
        bail!("{}", wrong.join("\n"));
    }
    Ok(())
}

/// Whether a function's name is a particle, or begins with a verb that says nothing.
fn says_nothing(name: &str) -> bool {
    PARTICLES.contains(&name) || EMPTY_VERBS.iter().any(|verb| name.starts_with(verb))
}

/// Whether a function's name has one word and is not one that everybody expects.
fn is_one_word(name: &str) -> bool {
    !name.trim_start_matches("r#").contains('_') && !is_idiom(name)
}

fn read_crate(root: &Path, src: &Path) -> Result<Names> {
    let mut names = Names::default();
    for file in crate::map::find_files(src)? {
        let text = std::fs::read_to_string(&file)?;
        let name = file.strip_prefix(root).unwrap_or(&file).display().to_string();
        let tokens: TokenStream = text.parse().map_err(|e| anyhow!("{name}: {e}"))?;
        names.read_items(tokens, &name, true);
        names.leaning.extend(leaning_lines(&text).map(|line| (name.clone(), line)));
    }
    Ok(names)
}

/// The lines, counted from 1, on which a doc comment begins that leans on the one above it.
fn leaning_lines(text: &str) -> impl Iterator<Item = usize> {
    let mut before = None;
    (1..).zip(text.lines()).filter_map(move |(number, line)| {
        let doc = split_doc(line);
        let mark = doc.map(|(mark, _)| mark);
        let begins = std::mem::replace(&mut before, mark) != mark;
        (begins && doc.is_some_and(|(_, words)| words.starts_with(LEANING))).then_some(number)
    })
}

/// The mark of a line of a doc comment, and its words. Four slashes are no doc comment.
fn split_doc(line: &str) -> Option<(&'static str, &str)> {
    let line = line.trim_start();
    let mark = ["///", "//!"].into_iter().find(|mark| line.starts_with(*mark))?;
    let words = &line[mark.len()..];
    (!words.starts_with('/')).then(|| (mark, words.trim_start()))
}

impl Names {
    /// Reads items; `counts` is whether functions here have names of our own choice.
    fn read_items(&mut self, tokens: TokenStream, file: &str, counts: bool) {
        let tokens: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        let (mut in_trait_impl, mut for_python) = (false, false);
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Punct(p) if p.as_char() == '#' => {
                    let text = tokens.get(at + 1).map(ToString::to_string).unwrap_or_default();
                    if is_for_tests(&text) {
                        at = skip_item(&tokens, at + 2);
                        continue;
                    }
                    // What a class offers to Python is named as Python's users expect.
                    for_python |= text == "[pymethods]";
                    at += 2;
                    continue;
                }
                TokenTree::Ident(word) => {
                    let word = word.to_string();
                    let next = tokens.get(at + 1).map(ToString::to_string).unwrap_or_default();
                    match word.as_str() {
                        "fn" if counts && is_name(&next) => {
                            self.functions.push((next, file.into()));
                        }
                        "struct" | "enum" | "union" if is_name(&next) => {
                            self.types.entry(next).or_default().push(file.into());
                        }
                        "impl" => {
                            in_trait_impl =
                                std::mem::take(&mut for_python) || names_a_trait(&tokens[at + 1..]);
                        }
                        _ => {}
                    }
                }
                TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                    self.read_items(group.stream(), file, counts && !in_trait_impl);
                    in_trait_impl = false;
                }
                _ => {}
            }
            at += 1;
        }
    }
}

fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

fn is_for_tests(attribute: &str) -> bool {
    let text: String = attribute.split_whitespace().collect();
    text == "[test]" || (text.starts_with("[cfg(") && text.contains("test") && !text.contains("not(test"))
}

/// Behind the item that begins here: its block, or its semicolon.
fn skip_item(tokens: &[TokenTree], from: usize) -> usize {
    let ends = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        TokenTree::Punct(p) => p.as_char() == ';',
        _ => false,
    };
    tokens[from.min(tokens.len())..].iter().position(ends).map_or(tokens.len(), |n| from + n + 1)
}

/// Whether an `impl` is of a trait: a `for` stands before its block, and not for lifetimes.
fn names_a_trait(rest: &[TokenTree]) -> bool {
    let is_block = |token: &TokenTree| match token {
        TokenTree::Group(group) => group.delimiter() == Delimiter::Brace,
        _ => false,
    };
    let head: Vec<&TokenTree> = rest.iter().take_while(|token| !is_block(token)).collect();
    head.windows(2).any(|pair| {
        matches!(pair[0], TokenTree::Ident(word) if word == "for")
            && !matches!(pair[1], TokenTree::Punct(p) if p.as_char() == '<')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Names {
        let mut names = Names::default();
        names.read_items(text.parse().unwrap(), "a.rs", true);
        names
    }

    #[test]
    fn functions_of_our_own_choice_are_counted() {
        let names = read(
            "fn ask() {} impl A { pub fn tell_all(&self) { fn inner() {} } }\
             impl Iterator for A { fn next(&mut self) { fn hidden() {} } } impl<'a> A { fn told() {} }\
             #[test] fn a_test() {} #[cfg(test)] mod tests { fn helper() {} } trait T { fn named(); }\
             fn takes(f: impl for<'x> Fn(&'x u8)) {}",
        );
        let functions: Vec<&str> = names.functions.iter().map(|(name, _)| &**name).collect();
        assert_eq!(functions, ["ask", "tell_all", "inner", "told", "named", "takes"]);
    }

    #[test]
    fn types_with_one_name_are_found() {
        let code = "struct A; mod x { enum A {} struct B { x: u8 } } #[cfg(test)] mod t { struct B; }";
        let names = read(code);
        assert_eq!((names.types["A"].len(), names.types["B"].len()), (2, 1));
    }

    #[test]
    fn a_particle_or_an_empty_verb_says_nothing() {
        assert!(["of", "told", "do_boxes_meet", "handle_pose"].iter().all(|name| says_nothing(name)));
        assert!(["offset", "boxes_overlap", "at_rest", "handles"].iter().all(|name| !says_nothing(name)));
    }

    #[test]
    fn a_doc_comment_that_begins_with_the_same_leans_on_the_one_above() {
        let text = "//! The same of a file.\n\n/// A thing.\nfn a() {}\n    /// The same, twice.\n\
                    fn b() {}\n//! Inside.\n/// The same behind another kind.\nfn c() {}\n";
        assert_eq!(leaning_lines(text).collect::<Vec<_>>(), [1, 5, 8]);
    }

    #[test]
    fn a_doc_comment_may_say_the_same_after_its_beginning() {
        let text = "/// A thing. See\n/// The same word on a later line.\n///\n/// The same, a paragraph.\n\
                    fn a() {}\n// The same for readers of the code.\n//// The same is no doc comment.\n\
                    /// Like `a`, for the same things.\nlet x = \"/// The same\";\n";
        assert_eq!(leaning_lines(text).count(), 0);
    }

    #[test]
    fn idioms_are_apart() {
        assert!(is_one_word("ask") && !is_one_word("ask_all") && !is_one_word("new") && !is_one_word("len"));
    }
}
