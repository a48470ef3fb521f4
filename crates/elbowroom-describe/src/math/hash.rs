//! A hash of bytes that is the same everywhere and always.

/// FNV-1a: tells texts and files apart that differ by accident. It hides nothing, and whoever means to can
/// make two that are alike.
///
/// ```
/// use elbowroom_describe::math::hash_bytes;
///
/// assert_eq!(hash_bytes(*b""), 0xcbf2_9ce4_8422_2325);
/// assert_eq!(hash_bytes(*b"a"), 0xaf63_dc4c_8601_ec8c);
/// ```
pub fn hash_bytes(bytes: impl IntoIterator<Item = u8>) -> u64 {
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}
