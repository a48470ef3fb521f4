//! The C face of elbowroom: what `include/elbowroom.h` declares. The guide is `docs/c.md`.
//!
//! # The rules of the border
//!
//! - An object is a pointer that a `_new`, `_load` or `_from_text` wrote, and that the `_free` of its kind
//!   takes back. Null may be freed. A freed pointer may not be used, and nothing can find out that it was.
//! - A call returns a status; [`words::elbowroom_last_error`] has the words, by thread. A question that fails
//!   only for a null pointer or an unknown number returns its answer instead. On failure it returns null,
//!   zero or [`world::ELBOWROOM_NONE`].
//! - Pointers are checked before anything happens: null and misaligned ones are refused (`pointers`). The
//!   caller guarantees that arrays have their lengths.
//! - An argument that stands for an enumeration of C is a number, since an unknown value of an enumeration is
//!   undefined behaviour in Rust. Results are enumerations. An answer that comes in again
//!   ([`checker::elbowroom_checker_gradient`]) must be one that this library wrote.
//! - No panic crosses the border (`border`): it becomes a status. The panic poisons the lock of the object,
//!   so later calls refuse the object.
//! - The same lock detects two threads in one object. No call waits for it.
//!
//! `cbindgen` makes the header from these sources. A test compares it with the committed one.

// The header has the promises of C's callers, so the functions have no `# Safety` of their own.
#![allow(clippy::missing_safety_doc, reason = "the header says it once for all functions")]
#![allow(unsafe_code, reason = "pointers of C are looked at here, and nowhere else in the workspace")]
// No input makes this crate panic.
#![cfg_attr(not(test), warn(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod answer;
pub mod batch;
pub mod changes;
pub mod checker;
pub mod command;
pub mod edge;
pub mod event;
pub mod guard;
pub mod load;
pub mod pose;
pub mod shape;
pub mod status;
pub mod words;
pub mod world;

mod border;
mod edge_state;
mod pointers;
