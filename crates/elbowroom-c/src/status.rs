//! How a call ended.

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
    /// The process was forked after its parent had used the library, so it lacks the library's threads.
    /// Single questions work; worlds, shapes and batches are refused.
    Forked = 13,
}
