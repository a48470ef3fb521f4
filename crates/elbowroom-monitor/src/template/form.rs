//! Lists and words: the brackets of a template, and where each stands.
//!
//! The text is walked once, with a stack that is never deeper than a template is. One thing is repaired, and
//! said: the paper's own example leaves the lists of a body's parts open (`read` says more).

use crate::fault::{Fault, Log, Place};
use crate::limits;

/// A word, or a list.
#[derive(Debug)]
pub(super) struct Node<'a> {
    /// Where it begins.
    pub place: Place,
    pub item: Item<'a>,
}

#[derive(Debug)]
pub(super) enum Item<'a> {
    Word(&'a str),
    List(Vec<Node<'a>>),
}

impl<'a> Node<'a> {
    pub fn word(&self) -> Option<&'a str> {
        match &self.item {
            Item::Word(word) => Some(word),
            Item::List(_) => None,
        }
    }
    pub fn list(&self) -> Option<&[Node<'a>]> {
        match &self.item {
            Item::Word(_) => None,
            Item::List(list) => Some(list),
        }
    }
}

/// Whether a word is meant as a number: by how it begins.
pub(super) fn is_number(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.'))
}

/// A word as messages repeat it: short, and without characters that a terminal obeys.
pub(super) fn quote_word(word: &str) -> String {
    let cut: String = word.chars().take(limits::QUOTED).collect();
    let more = if cut.len() < word.len() { "..." } else { "" };
    // Quotes and backslashes stay: a word is found again by its letters.
    let shown: String = cut
        .chars()
        .map(|c| match c {
            '"' | '\'' | '\\' => c.to_string(),
            _ => c.escape_debug().to_string(),
        })
        .collect();
    format!("`{shown}{more}`")
}

/// The lists of a text that are closed. What is wrong with the brackets goes to `log`, what was repaired to
/// `warnings`.
pub(super) fn read_forms<'a>(text: &'a str, log: &mut Log, warnings: &mut Vec<Fault>) -> Vec<Node<'a>> {
    let mut done: Vec<Node<'a>> = Vec::new();
    let mut open: Vec<(Place, Vec<Node<'a>>)> = Vec::new();
    // Lists within a list that is too deep: left out.
    let mut skipped = 0_usize;
    let mut tokens = Tokens::new(text).peekable();
    while let Some((place, token)) = tokens.next() {
        match token {
            "(" if skipped > 0 => skipped += 1,
            "(" if open.len() >= limits::TEMPLATE_DEPTH => {
                let help = "close a list before this one: a part's role has two lists of three numbers in it";
                log.fault(place, "lists lie deeper in each other than in any template", help);
                skipped = 1;
            }
            "(" => {
                if tokens.peek().is_some_and(|(_, next)| is_number(next)) && parts_are_over(&open) {
                    warnings.push(Fault {
                        place,
                        what: format!("{} closing brackets are missing before this list", open.len() - 1),
                        help: "it was read as the dimension of the whole body; write them".into(),
                    });
                    while open.len() > 1 {
                        close(&mut open, &mut done);
                    }
                }
                open.push((place, Vec::new()));
            }
            ")" if skipped > 0 => skipped -= 1,
            ")" if open.is_empty() => {
                log.fault(place, "this bracket closes nothing", "take it away, or open a list before it");
            }
            ")" => close(&mut open, &mut done),
            _ if skipped > 0 => {}
            word => match open.last_mut() {
                Some((_, items)) => items.push(Node { place, item: Item::Word(word) }),
                None => {
                    let what = format!("{} stands outside of any list", quote_word(word));
                    log.fault(place, what, "a body is one list: (name (role dimension position))");
                }
            },
        }
    }
    if let Some((place, _)) = open.first() {
        let (what, help) = match open.len() + skipped {
            1 => ("this list is never closed".to_string(), "write its closing bracket"),
            n => (format!("this list and {} more in it are never closed", n - 1), "write their brackets"),
        };
        log.fault(*place, what, help);
    }
    done
}

/// Whether a list of numbers that begins now can only be the dimension of the whole body, because parts, and
/// lists of parts, hold none.
fn parts_are_over(open: &[(Place, Vec<Node<'_>>)]) -> bool {
    match open {
        // In the list of parts, behind a part.
        [_, (_, parts)] => parts.first().is_some_and(|part| part.list().is_some()),
        // In a part, behind its role.
        [_, (_, parts), (_, part)] => {
            let named = part.first().is_some_and(|name| name.word().is_some());
            named && part.len() > 1 && parts.iter().all(|part| part.list().is_some())
        }
        _ => false,
    }
}

fn close<'a>(open: &mut Vec<(Place, Vec<Node<'a>>)>, done: &mut Vec<Node<'a>>) {
    let Some((place, items)) = open.pop() else { return };
    let node = Node { place, item: Item::List(items) };
    match open.last_mut() {
        Some((_, outer)) => outer.push(node),
        None => done.push(node),
    }
}

/// The tokens of a text with their places: brackets and words. A comment begins with a semicolon, as in Lisp.
struct Tokens<'a> {
    rest: &'a str,
    line: usize,
    column: usize,
}

impl<'a> Tokens<'a> {
    fn new(text: &'a str) -> Self {
        Tokens { rest: text, line: 1, column: 1 }
    }

    /// Takes the next bytes, which end at a character.
    fn take_bytes(&mut self, bytes: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, ""));
        for c in taken.chars() {
            (self.line, self.column) = match c {
                '\n' => (self.line + 1, 1),
                _ => (self.line, self.column + 1),
            };
        }
        self.rest = rest;
        taken
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = (Place, &'a str);

    fn next(&mut self) -> Option<(Place, &'a str)> {
        loop {
            let first = self.rest.chars().next()?;
            let place = Place::At { line: self.line, column: self.column };
            let until = |ends: fn(char) -> bool| self.rest.find(ends).unwrap_or(self.rest.len());
            match first {
                '(' | ')' => return Some((place, self.take_bytes(1))),
                ';' => {
                    let comment = until(|c| c == '\n');
                    self.take_bytes(comment);
                }
                c if c.is_whitespace() => {
                    self.take_bytes(c.len_utf8());
                }
                _ => {
                    let word = until(|c| c.is_whitespace() || matches!(c, '(' | ')' | ';'));
                    return Some((place, self.take_bytes(word)));
                }
            }
        }
    }
}
