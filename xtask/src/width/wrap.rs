//! Wraps paragraphs anew that have a line which is too wide: comments of Rust, of TOML and of Python, and the
//! text of Markdown. What is no running text stays as it is: code, tables, headings, strings.

/// How a file marks its running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Marks {
    /// Behind `//`, `///` or `//!`.
    Slashes,
    /// Behind `#`.
    Hash,
    /// All of it.
    Nothing,
}

impl Marks {
    /// What a file's name says; `None` where nothing is wrapped.
    pub fn of_file(name: &str) -> Option<Marks> {
        match name.rsplit_once('.')?.1 {
            "rs" | "cpp" | "hpp" | "c" => Some(Marks::Slashes),
            "toml" | "py" => Some(Marks::Hash),
            "md" => Some(Marks::Nothing),
            _ => None,
        }
    }

    /// A line in two: its indent with the mark, and the text behind it. `None` for a line without a mark.
    fn split(self, line: &str) -> Option<(&str, &str)> {
        let indent = line.len() - line.trim_start().len();
        let rest = &line[indent..];
        let mark = match self {
            Marks::Slashes => ["///", "//!", "//"].into_iter().find(|mark| rest.starts_with(mark))?.len(),
            Marks::Hash if rest.starts_with('#') => 1,
            Marks::Hash => return None,
            Marks::Nothing => return Some(("", line)),
        };
        Some(line.split_at(indent + mark))
    }
}

/// Lines that belong together.
struct Paragraph<'t> {
    /// Before the text of each line.
    mark: &'t str,
    /// How far the text of the first line is indented behind the mark, its bullet included or not.
    indents: [usize; 2],
    lines: Vec<&'t str>,
}

/// The text with its wide paragraphs wrapped to a width.
pub fn wrap_text(text: &str, marks: Marks, width: usize) -> String {
    let mut wrapped = String::with_capacity(text.len());
    let mut open: Option<Paragraph> = None;
    let mut in_code = false;
    for line in text.lines() {
        let split = marks.split(line);
        let body = split.map_or("", |(_, body)| body);
        let is_fence = body.trim_start().starts_with("```");
        let is_text = split.is_some() && !in_code && !is_fence && is_running(body, marks);
        in_code ^= is_fence;
        let (mark, body) = split.unwrap_or(("", line));
        let indent = body.len() - body.trim_start().len();
        let bullet = bullet_length(body.trim_start());
        let goes_on = open.as_ref().is_some_and(|paragraph| {
            is_text && bullet == 0 && paragraph.mark == mark && paragraph.indents[1] == indent
        });
        if !goes_on {
            close(&mut wrapped, open.take(), width);
        }
        match (&mut open, is_text) {
            (Some(paragraph), true) => paragraph.lines.push(line),
            (None, true) => {
                open = Some(Paragraph { mark, indents: [indent, indent + bullet], lines: vec![line] });
            }
            (_, false) => {
                wrapped.push_str(line);
                wrapped.push('\n');
            }
        }
    }
    close(&mut wrapped, open, width);
    wrapped
}

/// Whether text behind a mark is a line of running text.
fn is_running(body: &str, marks: Marks) -> bool {
    let text = body.trim_start();
    let is_code = body.len() - text.len() >= 5 || (marks == Marks::Nothing && body.starts_with("    "));
    let is_reference = text.starts_with('[') && text.contains("]: ");
    let is_markup = text.starts_with(['|', '#', '<', '!', '=']) || text.starts_with("---");
    !(text.is_empty() || is_code || is_reference || is_markup)
}

/// Length of the bullet or number that a text begins with, with the blank behind it; 0 without one.
fn bullet_length(text: &str) -> usize {
    let Some((first, _)) = text.split_once(' ') else { return 0 };
    let number = first.strip_suffix(['.', ')']).unwrap_or("");
    let is_bullet = matches!(first, "-" | "*" | "+")
        || (!number.is_empty() && number.bytes().all(|b| b.is_ascii_digit()));
    if is_bullet { first.len() + 1 } else { 0 }
}

/// Writes a paragraph: as it is, or wrapped if one of its lines is too wide.
fn close(wrapped: &mut String, paragraph: Option<Paragraph>, width: usize) {
    let Some(Paragraph { mark, indents, lines }) = paragraph else { return };
    if lines.iter().all(|line| line.chars().count() <= width) {
        for line in lines {
            wrapped.push_str(line);
            wrapped.push('\n');
        }
        return;
    }
    let words: Vec<&str> = lines.iter().flat_map(|line| line[mark.len()..].split_whitespace()).collect();
    let mut line = format!("{mark}{}", " ".repeat(indents[0]));
    let mut is_empty = true;
    for (number, word) in words.iter().enumerate() {
        // A bullet at the start of a line would begin a list, so it stays with the word before it.
        let next_is_bullet = words.get(number + 1).is_some_and(|next| bullet_length(&format!("{next} ")) > 0);
        let more = if next_is_bullet { words[number + 1].chars().count() + 1 } else { 0 };
        let starts_list = number > 0 && bullet_length(&format!("{word} ")) > 0;
        if !is_empty && !starts_list && line.chars().count() + 1 + word.chars().count() + more > width {
            wrapped.push_str(&line);
            wrapped.push('\n');
            line = format!("{mark}{}", " ".repeat(indents[1]));
            is_empty = true;
        }
        if !is_empty {
            line.push(' ');
        }
        line.push_str(word);
        is_empty = false;
    }
    wrapped.push_str(&line);
    wrapped.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_paragraphs_with_a_wide_line_are_wrapped() {
        let text =
            "/// one two three four\n/// five\n\n/// short\n/// lines\nlet x = \"one two three four\";\n";
        let wrapped = wrap_text(text, Marks::Slashes, 16);
        assert_eq!(
            wrapped,
            "/// one two\n/// three four\n/// five\n\n/// short\n/// lines\nlet x = \"one two three four\";\n"
        );
        assert_eq!(wrap_text(&wrapped, Marks::Slashes, 16), wrapped);
    }

    #[test]
    fn bullets_hang_and_begin_paragraphs_of_their_own() {
        let text = "- one two three four\n  five\n- six\n\n1. one two three four\n";
        let wrapped = wrap_text(text, Marks::Nothing, 12);
        assert_eq!(wrapped, "- one two\n  three four\n  five\n- six\n\n1. one two\n   three\n   four\n");
        // A dash in a sentence begins no line.
        assert_eq!(wrap_text("one two - three four\n", Marks::Nothing, 8), "one\ntwo -\nthree\nfour\n");
    }

    #[test]
    fn code_tables_and_headings_stay() {
        let code = "```\none two three four\n```\n\n    one two three four\n";
        let text = format!("# one two three four\n\n{code}| a b c d e f |\n");
        assert_eq!(wrap_text(&text, Marks::Nothing, 12), text);
        let text = "//! ```\n//! one two three four\n//! ```\n";
        assert_eq!(wrap_text(text, Marks::Slashes, 12), text);
    }
}
