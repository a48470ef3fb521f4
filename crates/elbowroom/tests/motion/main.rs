//! Between poses: straight ways, first contacts, proofs over ranges, and answers that are kept.

use elbowroom_testkit as support;

mod contacts;
mod field_lines;
mod fields;
mod fits;
mod joints;
mod proofs;
mod rates;
mod sockets;
mod splines;
mod straight;
