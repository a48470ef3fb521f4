//! Bytes into lines, in bounded memory.

use elbowroom_files::states::LINE_BYTES;

/// Bytes that are usually read at once: the states of some periods, so that little waits behind them.
pub const CHUNK: usize = 1 << 13;

/// A line that was taken.
#[derive(Debug, PartialEq, Eq)]
pub enum TakenLine<'l> {
    /// Without its end.
    Line(&'l [u8]),
    /// It was longer than [`LINE_BYTES`], and is not kept.
    TooLong,
}

/// What was read and not yet taken.
#[derive(Debug, Default)]
pub struct LineBuffer {
    held: Vec<u8>,
    /// Where the next line begins, and up to where no line ends.
    start: usize,
    searched: usize,
    /// The rest of a line that is too long is passed over.
    skipping: bool,
}

impl LineBuffer {
    /// Room for so many bytes that are read.
    pub fn read<E>(
        &mut self,
        room: usize,
        read: impl FnOnce(&mut [u8]) -> Result<usize, E>,
    ) -> Result<usize, E> {
        self.held.drain(..self.start);
        self.searched -= self.start;
        self.start = 0;
        let before = self.held.len();
        self.held.resize(before + room, 0);
        let count = read(self.held.get_mut(before..).unwrap_or_default());
        self.held.truncate(before + count.as_ref().map_or(0, |count| (*count).min(room)));
        count
    }

    /// The next line that is complete. Empty ones are passed over.
    pub fn next(&mut self) -> Option<TakenLine<'_>> {
        loop {
            let rest = self.held.get(self.searched..).unwrap_or_default();
            let Some(length) = rest.iter().position(|byte| *byte == b'\n') else {
                self.searched = self.held.len();
                if self.skipping || self.held.len() - self.start > LINE_BYTES {
                    self.start = self.held.len();
                    return (!std::mem::replace(&mut self.skipping, true)).then_some(TakenLine::TooLong);
                }
                return None;
            };
            let (from, to) = (self.start, self.searched + length);
            (self.start, self.searched) = (to + 1, to + 1);
            if std::mem::replace(&mut self.skipping, false) {
                continue;
            }
            if to - from > LINE_BYTES {
                return Some(TakenLine::TooLong);
            }
            if !self.held.get(from..to).unwrap_or_default().trim_ascii().is_empty() {
                return Some(TakenLine::Line(self.held.get(from..to).unwrap_or_default().trim_ascii()));
            }
        }
    }

    /// What is left behind the last line's end, when there is no more to read.
    pub fn take_rest(&mut self) -> Option<&[u8]> {
        let from = std::mem::replace(&mut self.start, self.held.len());
        self.searched = self.held.len();
        let rest = self.held.get(from..).unwrap_or_default().trim_ascii();
        (!rest.is_empty() && !self.skipping).then_some(rest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn feed(lines: &mut LineBuffer, bytes: &[u8]) {
        let done = lines.read(CHUNK, |room| {
            room[..bytes.len()].copy_from_slice(bytes);
            Ok::<_, ()>(bytes.len())
        });
        done.unwrap();
    }

    #[test]
    fn lines_come_whole_however_they_were_cut() {
        let text = b"one\r\n\n  \ntwo\nthree";
        for cut in 1..text.len() {
            let (mut lines, mut all) = (LineBuffer::default(), Vec::new());
            for part in text.chunks(cut) {
                feed(&mut lines, part);
                while let Some(TakenLine::Line(line)) = lines.next() {
                    all.push(line.to_vec());
                }
            }
            assert_eq!(all, [b"one".to_vec(), b"two".to_vec()], "{cut}");
            assert_eq!(lines.take_rest(), Some(&b"three"[..]));
            assert_eq!(lines.take_rest(), None);
        }
    }

    #[test]
    fn a_line_without_an_end_takes_bounded_memory_and_is_told_once() {
        let mut lines = LineBuffer::default();
        let mut told = 0;
        for _ in 0..10 * LINE_BYTES / CHUNK {
            feed(&mut lines, &[b'x'; CHUNK]);
            told += usize::from(lines.next() == Some(TakenLine::TooLong));
            assert!(lines.held.len() <= LINE_BYTES + CHUNK);
        }
        assert_eq!(told, 1);
        feed(&mut lines, b"x\nafter\n");
        assert_eq!(lines.next(), Some(TakenLine::Line(b"after")));
        assert_eq!(lines.next(), None);
        assert_eq!(lines.take_rest(), None);
    }
}
