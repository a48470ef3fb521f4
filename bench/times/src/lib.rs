//! How long the engine, the readers and the guard take on this machine: a program for each question, in
//! `src/bin`. What a program prints is a measurement, never a test.

pub mod memory;
pub mod robots;
pub mod script;
