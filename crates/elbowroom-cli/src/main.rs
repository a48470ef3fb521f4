//! The program `elbowroom`.

fn main() {}
