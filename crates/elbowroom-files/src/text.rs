//! Text of files, whichever computer wrote it.
//!
//! Windows puts a byte-order mark before UTF-8 and ends lines in CR LF; its PowerShell writes UTF-16. The
//! mark is dropped here, for every reader. Text in UTF-16 is refused, with how to convert it.
//!
//! ```
//! use elbowroom_files::text::decode_text;
//!
//! assert_eq!(decode_text(b"\xef\xbb\xbfa,b\r\n"), Ok("a,b\r\n"));
//! let refused = decode_text(b"\xff\xfea\0,\0b\0").expect_err("of PowerShell");
//! assert!(refused.what.contains("UTF-16"));
//! ```

use crate::fault::Log;
use std::path::Path;

/// The byte-order mark of UTF-8.
const MARK: &[u8] = b"\xef\xbb\xbf";

/// What to do about numbers with decimal commas.
pub(crate) const DECIMAL_POINT: &str = "write decimals with a point";

/// Why bytes are no text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotText {
    /// What they are.
    pub what: &'static str,
    /// What to do; empty where that depends on what is wanted.
    pub help: &'static str,
}

/// Bytes as text, without a byte-order mark.
///
/// # Errors
/// They are UTF-16, or no UTF-8.
pub fn decode_text(bytes: &[u8]) -> Result<&str, NotText> {
    std::str::from_utf8(strip_mark(bytes)?).map_err(|_| NotText { what: "is not UTF-8 text", help: "" })
}

/// Bytes that are text, or begin with text, without a byte-order mark.
///
/// # Errors
/// They are UTF-16.
pub fn strip_mark(bytes: &[u8]) -> Result<&[u8], NotText> {
    // Every format begins with a letter of ASCII, which tells UTF-16 from numbers that begin so.
    let is_utf16 = match *bytes {
        [0xff, 0xfe] | [0xfe, 0xff] => true,
        [0xff, 0xfe, low, high, ..] | [0xfe, 0xff, high, low, ..] => high == 0 && low != 0,
        _ => false,
    };
    if is_utf16 {
        return Err(NotText {
            what: "is text in UTF-16, as > of Windows PowerShell writes it",
            help: "save it as UTF-8; in PowerShell: Get-Content OLD | Set-Content -Encoding utf8 NEW, \
                   elsewhere: iconv -f UTF-16 -t UTF-8 OLD > NEW",
        });
    }
    Ok(bytes.strip_prefix(MARK).unwrap_or(bytes))
}

/// [`strip_mark`] of a file; says why if it must be refused.
pub(crate) fn strip_mark_of<'b>(path: &Path, bytes: &'b [u8], log: &mut Log) -> Option<&'b [u8]> {
    strip_mark(bytes).map_err(|refused| log.add_fault(path, "", refused.what, refused.help)).ok()
}

/// Whether a word is a number but for its comma.
pub(crate) fn has_decimal_comma(word: &str) -> bool {
    word.matches(',').count() == 1 && word.trim().replace(',', ".").parse::<f64>().is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn utf16_is_told_from_numbers_that_begin_like_it() {
        for text in [&b"\xff\xfe{\0"[..], b"\xfe\xff\0{", b"\xff\xfe", b"\xfe\xff"] {
            assert!(strip_mark(text).is_err(), "{text:?}");
        }
        for bytes in [&b"\xff\xfe\0\0"[..], b"\xff\xfeab", b"\xfe\xffab", b"\xff", b"", b"{\0"] {
            assert_eq!(strip_mark(bytes), Ok(bytes));
        }
    }

    #[test]
    fn decimal_commas_are_those_of_numbers() {
        assert!(["0,5", " -1,25e-3 ", "3,"].map(has_decimal_comma).iter().all(|is| *is));
        assert!(["0.5", "1,2,3", "a,b", ",", "", "1.5,2"].map(has_decimal_comma).iter().all(|is| !*is));
    }
}
