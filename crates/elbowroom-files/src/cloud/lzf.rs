//! LZF, the compression of PCD files.
//!
//! The data is a sequence of literal runs and copies; each begins with a control byte. A control byte below
//! 32 begins a literal run: as many bytes follow as its value plus one. Any other begins a copy of bytes that
//! are already unpacked. Its upper three bits are the length of the copy minus two; if they are 7, the next
//! byte is added. Its lower five bits and one more byte say how far back the copy starts, minus one.

/// Most bytes that a byte of packed data can become: three bytes copy 264.
const GROWTH: usize = 88;

/// Unpacks to exactly `size` bytes. `None` if the data gives another number of bytes, or breaks the format.
pub(super) fn unpack_lzf(packed: &[u8], size: usize) -> Option<Vec<u8>> {
    if size > packed.len().saturating_mul(GROWTH) {
        return None;
    }
    let mut out = Vec::with_capacity(size);
    let mut rest = packed;
    while let [control, after @ ..] = rest {
        let control = usize::from(*control);
        if control < 32 {
            let (literal, after) = after.split_at_checked(control + 1)?;
            out.extend_from_slice(literal);
            rest = after;
        } else {
            let (length, after) = match (control >> 5, after) {
                (7, [more, after @ ..]) => (7 + usize::from(*more), after),
                (length, after) => (length, after),
            };
            let [low, after @ ..] = after else { return None };
            let distance = ((control & 31) << 8 | usize::from(*low)) + 1;
            let start = out.len().checked_sub(distance)?;
            // A copy may be longer than its distance. It then reads bytes that it has just written, so the
            // bytes between repeat.
            for k in start..start + length + 2 {
                out.push(*out.get(k)?);
            }
            rest = after;
        }
        if out.len() > size {
            return None;
        }
    }
    (out.len() == size).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::unpack_lzf;

    #[test]
    fn literals_copies_and_repeats() {
        assert_eq!(unpack_lzf(b"\x02abc", 3).unwrap(), b"abc");
        // A copy of three bytes from three bytes back; one of ten bytes from one byte back.
        assert_eq!(unpack_lzf(b"\x02abc\x20\x02", 6).unwrap(), b"abcabc");
        assert_eq!(unpack_lzf(b"\x00a\xe0\x01\x00", 11).unwrap(), b"aaaaaaaaaaa");
        let long = unpack_lzf(b"\x00a\xe0\xff\x00", 265).unwrap();
        assert!(long.len() == 265 && long.iter().all(|&b| b == b'a'));
    }

    #[test]
    fn what_is_not_packed_so_is_refused() {
        for (packed, size) in [
            (&b"\x02ab"[..], 3),
            (b"\x02abc", 2),
            (b"\x02abc", 4),
            (b"\x20\x00", 3),
            (b"\x00a\x20\x01", 4),
            (b"\x00a\xe0\x01", 11),
            (b"\x00a\xe0", 11),
            (b"\x00a", usize::MAX),
            (b"", 1),
        ] {
            assert_eq!(unpack_lzf(packed, size), None, "{packed:?} to {size}");
        }
        assert_eq!(unpack_lzf(b"", 0), Some(Vec::new()));
    }
}
