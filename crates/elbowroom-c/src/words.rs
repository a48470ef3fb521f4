//! Words for a person: of the last failure, of a status, and the version.

use crate::border::{enter_query, last_message};
use std::ffi::c_char;

/// The words of the last call of this thread that failed, for a person; empty before the first. They are
/// valid until the next call of this thread that fails.
///
/// Thread: any; each has its own words.
#[unsafe(no_mangle)]
pub extern "C" fn elbowroom_last_error() -> *const c_char {
    last_message()
}

/// The version of the library, as in `0.1.0`.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub extern "C" fn elbowroom_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// The word of a status, as in `pose_refused`.
///
/// Thread: any.
#[unsafe(no_mangle)]
pub extern "C" fn elbowroom_status_word(status: u32) -> *const c_char {
    let words = [
        c"ok",
        c"null_pointer",
        c"bad_argument",
        c"not_utf8",
        c"file_refused",
        c"world_refused",
        c"pose_refused",
        c"change_refused",
        c"shape_refused",
        c"guard_refused",
        c"not_proved",
        c"busy",
        c"panic",
        c"forked",
    ];
    enter_query(c"no_status".as_ptr(), || Ok(words.get(status as usize).unwrap_or(&c"no_status").as_ptr()))
}
