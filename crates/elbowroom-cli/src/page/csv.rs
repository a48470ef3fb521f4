//! What a page shows as CSV, in a link that holds the whole file: nothing is loaded from anywhere.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

/// The characters that an address, or HTML, may not hold as they are.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.').remove(b',').remove(b'/');

/// A table of values as text.
pub struct Csv {
    rows: csv::Writer<Vec<u8>>,
}

impl Csv {
    /// One with a header.
    pub fn new(header: &[&str]) -> Csv {
        let mut csv = Csv { rows: csv::Writer::from_writer(Vec::new()) };
        csv.row(header.iter().map(|s| s.to_string()));
        csv
    }

    /// Adds a row.
    pub fn row(&mut self, values: impl IntoIterator<Item = String>) {
        // Writing to memory cannot fail, and rows are as long as the header.
        let _ = self.rows.write_record(values.into_iter().map(String::into_bytes));
    }

    /// A link that saves it, with words as HTML.
    pub fn link(self, file: &str, words: &str) -> String {
        let text = self.rows.into_inner().unwrap_or_default();
        let text = String::from_utf8(text).unwrap_or_default();
        let data = utf8_percent_encode(&text, ENCODED);
        format!(
            "<a class=\"save\" download=\"{file}\" href=\"data:text/csv;charset=utf-8,{data}\">{words}</a>"
        )
    }
}

/// A number with all its digits; nothing where it is not finite.
pub fn number(x: f64) -> String {
    if x.is_finite() { elbowroom::fault::Numeral(x).to_string() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_quoted_and_links_hold_no_markup() {
        let mut csv = Csv::new(&["a", "b"]);
        csv.row(["1,5\"\n".to_string(), "<\u{e9} & #%>".to_string()]);
        let link = csv.link("x.csv", "save");
        assert!(link.contains(",a,b%0A%221,5%22%22%0A%22,%3C%C3%A9%20%26%20%23%25%3E%0A\""), "{link}");
        assert_eq!(number(0.1 + 0.2), "0.30000000000000004");
        assert_eq!(number(f64::INFINITY), "");
    }
}
