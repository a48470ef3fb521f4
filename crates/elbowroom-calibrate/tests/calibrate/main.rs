//! Offsets from simulated contacts: a hand, an arm before a table, and what slides.

mod arm;
mod hand;
mod simulated;
mod small;
