//! How a call ended.

use crate::border::{enter_query, last_message};
use std::ffi::c_char;

/// How a call ended. `elbowroom_last_error` has the words.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ElbowroomStatus {
    /// Done.
    Ok = 0,
    /// A pointer that must be given is null.
    NullPointer = 1,
    /// An argument makes no sense: a wrong length, an unknown number, a pointer that is not aligned.
    BadArgument = 2,
    /// A text is not UTF-8.
    NotUtf8 = 3,
    /// A file or a text cannot be read. The words have every fault, one a line.
    FileRefused = 4,
    /// What was read makes no world. The words have every fault, one a line.
    WorldRefused = 5,
    /// Joint values are no configuration within limits. The words name each value.
    PoseRefused = 6,
    /// A change of the cell makes no sense; everything stays as it was.
    ChangeRefused = 7,
    /// A shape or its pose cannot be used.
    ShapeRefused = 8,
    /// The settings of a guard, or an event, are refused.
    GuardRefused = 9,
    /// The proof of a motion does not hold.
    NotProved = 10,
    /// Another thread is using this object: one call at a time.
    Busy = 11,
    /// A defect of this library. The object of the call is refused from now on: free it.
    Panic = 12,
    /// A process that was forked after the library was used has none of its threads: it may ask single
    /// questions, and make nothing new.
    Forked = 13,
}

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
