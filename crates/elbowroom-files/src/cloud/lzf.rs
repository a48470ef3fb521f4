//! LZF, the compression of PCD files.
//!
//! A byte below 32 is followed by that many literal bytes and one more. Any other begins a copy of what came
//! before: its upper three bits are the length less two (7 adds the next byte), its lower five and the next
//! byte are the distance less one.

/// Most bytes that a byte of packed data can become: three bytes copy 264.
const GROWTH: usize = 88;

/// The `size` bytes that these were packed from; `None` if they are not that many, or not packed so.
pub(super) fn unpack(packed: &[u8], size: usize) -> Option<Vec<u8>> {
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
            // A copy may run into what it writes: it repeats.
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
    use super::unpack;

    #[test]
    fn literals_copies_and_repeats() {
        assert_eq!(unpack(b"\x02abc", 3).unwrap(), b"abc");
        // Three bytes from three before; ten more from one before.
        assert_eq!(unpack(b"\x02abc\x20\x02", 6).unwrap(), b"abcabc");
        assert_eq!(unpack(b"\x00a\xe0\x01\x00", 11).unwrap(), b"aaaaaaaaaaa");
        let long = unpack(b"\x00a\xe0\xff\x00", 265).unwrap();
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
            assert_eq!(unpack(packed, size), None, "{packed:?} to {size}");
        }
        assert_eq!(unpack(b"", 0), Some(Vec::new()));
    }
}
