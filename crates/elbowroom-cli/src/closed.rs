//! Whether standard output was closed when the program began (`>&-`).
//!
//! Before `main` the runtime opens `/dev/null` in place of a standard stream that is closed, and every write then succeeds: an
//! answer that nobody took would count as taken. Afterwards nothing tells that file from one the caller opened to throw the
//! answer away on purpose, so this has to look earlier: the linker's list of initialisers runs before the runtime does.

#[cfg(target_os = "linux")]
mod early {
    use std::path::Path;
    use std::sync::atomic::{AtomicBool, Ordering};

    pub static CLOSED: AtomicBool = AtomicBool::new(false);

    /// Asks the kernel alone: no allocation, no thread, nothing of the runtime.
    extern "C" fn look() {
        let there = |path: &str| Path::new(path).symlink_metadata().is_ok();
        CLOSED.store(there("/proc/self/fd") && !there("/proc/self/fd/1"), Ordering::Relaxed);
    }

    // SAFETY: `.init_array` holds pointers to functions that the loader calls once, in order, before `main`, on the only thread.
    // `look` takes none of the arguments it is called with, which the C calling convention allows, and cannot unwind.
    #[used]
    #[allow(unsafe_code)]
    #[unsafe(link_section = ".init_array")]
    static LOOK: extern "C" fn() = look;
}

/// True if there was no standard output; false where that cannot be told.
pub fn stdout_was_closed() -> bool {
    #[cfg(target_os = "linux")]
    return early::CLOSED.load(std::sync::atomic::Ordering::Relaxed);
    #[cfg(not(target_os = "linux"))]
    return false;
}
