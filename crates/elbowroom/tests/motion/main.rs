//! Between poses: straight ways, first contacts, proofs over ranges, and answers that are kept.

#[path = "../support/mod.rs"]
mod support;

mod contacts;
mod fits;
mod joints;
mod proofs;
mod straight;
