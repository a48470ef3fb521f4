//! Lines of a text file, whichever system wrote it.

/// Lines by any of LF, CR LF and CR.
pub(crate) fn numbered_lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let mut rest = Some(bytes);
    let mut line = 0;
    std::iter::from_fn(move || {
        let now = rest?;
        line += 1;
        match now.iter().position(|&b| b == b'\n' || b == b'\r') {
            Some(i) => {
                let next = if now[i..].starts_with(b"\r\n") { i + 2 } else { i + 1 };
                rest = Some(&now[next..]);
                Some((line, &now[..i]))
            }
            None => {
                rest = None;
                Some((line, now))
            }
        }
    })
}

/// The lines at the beginning of a file that may go on in binary: each ends in a line feed, and a carriage
/// return before it is dropped.
pub(crate) struct Head<'b> {
    bytes: &'b [u8],
    /// Where the next line begins (bytes).
    pub at: usize,
    /// The number of the last line, from 1.
    pub line: usize,
}

impl<'b> Head<'b> {
    pub fn new(bytes: &'b [u8]) -> Self {
        Head { bytes, at: 0, line: 0 }
    }

    /// The bytes behind the lines that were read.
    pub fn rest_bytes(&self) -> &'b [u8] {
        self.bytes.get(self.at..).unwrap_or(&[])
    }
}

impl<'b> Iterator for Head<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        let rest = self.rest_bytes();
        if rest.is_empty() {
            return None;
        }
        let end = rest.iter().position(|&b| b == b'\n');
        let line = &rest[..end.unwrap_or(rest.len())];
        self.at += end.map_or(rest.len(), |end| end + 1);
        self.line += 1;
        Some(line.strip_suffix(b"\r").unwrap_or(line))
    }
}
