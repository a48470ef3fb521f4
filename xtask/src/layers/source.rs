//! What a Rust file imports, and which of its functions run lanes without being inlined: read from its
//! tokens, so that comments and strings count for nothing.

use anyhow::{Context, Result, anyhow};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A path that a file names.
#[derive(Clone, Debug)]
pub struct Named {
    /// Its segments; the first may be `crate`, `super` or `self`.
    pub path: Vec<String>,
    /// The line it stands on.
    pub line: usize,
}

/// A source file that is no test.
#[derive(Debug)]
pub struct Source {
    /// Relative to the repository.
    pub file: PathBuf,
    /// Its module, from the crate's root; empty for the root.
    pub module: Vec<String>,
    /// Everything that may be an import.
    pub named: Vec<Named>,
    /// Lines of functions with lanes that are not `#[inline(always)]`, with their names.
    pub lanes: Vec<(usize, String)>,
    /// Lines of what is public and hidden from the documentation.
    pub hidden: Vec<usize>,
}

impl Source {
    /// Reads a file of the crate whose sources lie in `src`.
    pub fn read(root: &Path, src: &Path, file: &Path) -> Result<Source> {
        let text =
            std::fs::read_to_string(file).with_context(|| format!("{} cannot be read", file.display()))?;
        let inside = file.strip_prefix(src)?.with_extension("");
        let mut module: Vec<String> = inside.iter().map(|part| part.to_string_lossy().into_owned()).collect();
        if module.last().is_some_and(|last| ["mod", "lib", "main"].contains(&last.as_str())) {
            module.pop();
        }
        let tokens: TokenStream = text.parse().map_err(|e| anyhow!("{}: {e}", file.display()))?;
        let mut source = Source {
            file: file.strip_prefix(root)?.to_path_buf(),
            module,
            named: Vec::new(),
            lanes: Vec::new(),
            hidden: Vec::new(),
        };
        source.read_items(tokens.into_iter().collect(), 0);
        // A short name means what an import gives that name.
        let mut short: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for named in &source.named {
            if let Some(last) = named.path.last().filter(|_| is_rooted(&named.path)) {
                short.entry(last.clone()).or_insert_with(|| named.path.clone());
            }
        }
        for named in &mut source.named {
            if let Some(whole) = short.get(&named.path[0]).filter(|_| !is_rooted(&named.path)) {
                named.path.splice(0..1, whole.iter().cloned());
            }
        }
        Ok(source)
    }

    /// Reads items or expressions; `nested` counts the modules within the file.
    fn read_items(&mut self, tokens: Vec<TokenTree>, nested: usize) {
        let mut at = 0;
        let mut attributes = String::new();
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Punct(p) if p.as_char() == '#' => {
                    let text = tokens.get(at + 1).map(ToString::to_string).unwrap_or_default();
                    let text: String = text.split_whitespace().collect();
                    if text.starts_with("[cfg(") && text.contains("test") && !text.contains("not(test") {
                        at = after_item(&tokens, at + 2);
                        attributes.clear();
                        continue;
                    }
                    if text == "[doc(hidden)]" {
                        self.hidden.push(p.span().start().line);
                    }
                    attributes.push_str(&text);
                    at += 2;
                    continue;
                }
                TokenTree::Ident(word) if *word == "use" => {
                    let end = (at..tokens.len()).find(|i| is_punct(&tokens[*i], ';')).unwrap_or(tokens.len());
                    self.read_import(&tokens[at + 1..end], &[], word.span().start().line, nested);
                    at = end;
                }
                TokenTree::Ident(word) if *word == "mod" => {
                    if let Some(TokenTree::Group(body)) = tokens.get(at + 2) {
                        self.read_items(body.stream().into_iter().collect(), nested + 1);
                        at += 2;
                    }
                }
                TokenTree::Ident(word) if *word == "fn" => {
                    if let Some(name) = lanes_function(&tokens[at + 1..])
                        && !attributes.contains("inline(always)")
                    {
                        self.lanes.push((word.span().start().line, name));
                    }
                    attributes.clear();
                }
                TokenTree::Ident(_) => {
                    let (path, line, after) = path_at(&tokens, at);
                    if path.len() > 1 {
                        self.name(path, line, nested);
                    }
                    at = after;
                    continue;
                }
                TokenTree::Group(group) => {
                    self.read_items(group.stream().into_iter().collect(), nested);
                    // A body, or what stands between items.
                    if group.delimiter() == Delimiter::Brace {
                        attributes.clear();
                    }
                }
                TokenTree::Punct(p) if p.as_char() == ';' => attributes.clear(),
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            at += 1;
        }
    }

    /// Reads what an import lists.
    fn read_import(&mut self, tokens: &[TokenTree], before: &[String], line: usize, nested: usize) {
        let mut path = before.to_vec();
        let mut at = 0;
        while at < tokens.len() {
            match &tokens[at] {
                TokenTree::Ident(word) if *word == "as" => break,
                TokenTree::Ident(word) => path.push(word.to_string()),
                TokenTree::Group(group) => {
                    let inside: Vec<TokenTree> = group.stream().into_iter().collect();
                    for part in inside.split(|t| is_punct(t, ',')).filter(|part| !part.is_empty()) {
                        self.read_import(part, &path, line, nested);
                    }
                    return;
                }
                TokenTree::Punct(_) | TokenTree::Literal(_) => {}
            }
            at += 1;
        }
        if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
            path.pop();
        }
        self.name(path, line, nested);
    }

    /// Takes a path; within a module of the file, `super` first leads to the file itself.
    fn name(&mut self, mut path: Vec<String>, line: usize, nested: usize) {
        for _ in 0..nested {
            match path.first().map(String::as_str) {
                Some("super") => drop(path.remove(0)),
                _ => break,
            }
        }
        if nested > 0 && path.first().is_some_and(|first| !["crate", "super"].contains(&first.as_str())) {
            path.insert(0, "self".into());
        }
        if !path.is_empty() {
            self.named.push(Named { path, line });
        }
    }
}

/// Whether a path says where it begins.
fn is_rooted(path: &[String]) -> bool {
    path.first().is_some_and(|first| ["crate", "super", "self"].contains(&first.as_str()))
}

fn is_punct(token: &TokenTree, c: char) -> bool {
    matches!(token, TokenTree::Punct(p) if p.as_char() == c)
}

/// The place behind an item: its body, or its semicolon.
fn after_item(tokens: &[TokenTree], from: usize) -> usize {
    let ends = |token: &TokenTree| {
        is_punct(token, ';') || matches!(token, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace)
    };
    (from..tokens.len()).find(|i| ends(&tokens[*i])).map_or(tokens.len(), |i| i + 1)
}

/// The path that begins at an identifier, its line, and the place behind it.
fn path_at(tokens: &[TokenTree], from: usize) -> (Vec<String>, usize, usize) {
    let (mut path, mut at) = (Vec::new(), from);
    let line = tokens[from].span().start().line;
    while let Some(TokenTree::Ident(word)) = tokens.get(at) {
        path.push(word.to_string());
        at += 1;
        let colons = |i: usize| tokens.get(i).is_some_and(|t| is_punct(t, ':'));
        if !(colons(at) && colons(at + 1)) {
            break;
        }
        at += 2;
    }
    (path, line, at)
}

/// The name of a function with a body that is generic over `Lanes`, from the tokens behind `fn`.
fn lanes_function(tokens: &[TokenTree]) -> Option<String> {
    let TokenTree::Ident(name) = tokens.first()? else { return None };
    let body = tokens.iter().position(|t| {
        is_punct(t, ';') || matches!(t, TokenTree::Group(g) if g.delimiter() == Delimiter::Brace)
    })?;
    let generic = tokens[..body].windows(3).any(|w| {
        is_punct(&w[1], ':')
            && matches!(&w[2], TokenTree::Ident(bound) if *bound == "Lanes")
            && matches!(&w[0], TokenTree::Ident(_))
    });
    (generic && !is_punct(&tokens[body], ';')).then(|| name.to_string())
}
