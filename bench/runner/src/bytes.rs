//! The bytes of a work file, little endian, taken one after the other.

use anyhow::{Context, Result};

/// The next bytes.
pub fn take_bytes<'a>(rest: &mut &'a [u8], count: usize) -> Result<&'a [u8]> {
    let (head, tail) = rest.split_at_checked(count).context("work file is cut short")?;
    *rest = tail;
    Ok(head)
}

/// The next whole number.
pub fn read_number(rest: &mut &[u8]) -> Result<u32> {
    Ok(u32::from_le_bytes(take_bytes(rest, 4)?.try_into()?))
}

/// The next whole numbers.
pub fn read_numbers<const N: usize>(rest: &mut &[u8]) -> Result<[u32; N]> {
    let mut row = [0; N];
    for value in &mut row {
        *value = read_number(rest)?;
    }
    Ok(row)
}

/// The next numbers.
pub fn read_floats<const N: usize>(rest: &mut &[u8]) -> Result<[f64; N]> {
    let mut row = [0.0; N];
    for value in &mut row {
        *value = f64::from_le_bytes(take_bytes(rest, 8)?.try_into()?);
    }
    Ok(row)
}
