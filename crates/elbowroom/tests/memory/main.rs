//! What is allocated, held against an allocator that counts.

#[path = "../support/counting.rs"]
mod counting;
#[path = "../support/mod.rs"]
mod support;

mod calls;
mod kept;
mod points;
mod ugly;
