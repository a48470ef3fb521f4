//! How many bytes something keeps, in a program whose global allocator is [`Counting`].

pub use elbowroom_testkit::counting::Counting;

use anyhow::Result;
use elbowroom_testkit::counting::held_bytes;

/// What is made, and the bytes that were allocated for it and not freed. All on one thread, because the
/// allocator counts by thread.
///
/// # Errors
/// That of `make`; no thread can be started.
pub fn count_kept<T: Send>(make: impl FnOnce() -> Result<T> + Send) -> Result<(T, usize)> {
    rayon::ThreadPoolBuilder::new().num_threads(1).build()?.install(|| {
        let before = held_bytes();
        let made = make()?;
        Ok((made, (held_bytes() - before).max(0) as usize))
    })
}
