//! Lines of a text file, whichever system wrote it.

/// Lines by any of LF, CR LF and CR.
pub(crate) fn lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
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
