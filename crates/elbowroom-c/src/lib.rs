//! The C face of elbowroom: what `include/elbowroom.h` declares. The guide is `docs/c.md`.
//!
//! # The rules of the border
//!
//! - An object is a pointer that a `_new`, `_load` or `_from_text` wrote, and that the `_free` of its kind
//!   takes back. Null may be freed. A freed pointer may not be used, and nothing can find out that it was.
//! - A call returns a status; [`words::elbowroom_last_error`] has the words, by thread. Questions that cannot
//!   fail but by a null pointer or an unknown number return their answer: null, zero or
//!   [`world::ELBOWROOM_NONE`] then.
//! - Pointers are looked at before anything happens: null and what is not aligned is refused
//!   (`pointers`). That arrays are as long as they are said to be is the caller's promise.
//! - Numbers of C stand for C's enumerations where they come in, since a number that none has would be
//!   undefined here. Where they go out they are enumerations.
//! - No panic crosses the border (`border`): it becomes a status. What it left half done is behind a lock,
//!   which it poisons, so the object is refused from then on.
//! - Two threads in one object are found out by the same lock, which nobody waits for.
//!
//! `cbindgen` makes the header of these sources; a test fails where the committed one is another.

// C's callers promise in words, in the header, what Rust's would read under a heading of their own.
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
