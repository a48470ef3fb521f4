//! Files from other computers: their text, and how they name other files.

#[path = "../support/mod.rs"]
mod support;
// Some of it writes what is no text.
#[allow(dead_code, unused_imports)]
#[path = "../sensors/write.rs"]
mod write;

mod commas;
mod paths;
mod texts;
