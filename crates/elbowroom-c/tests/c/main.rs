//! The C face as its users have it: the header, the programs of `examples` in C and C++ compiled by gcc and
//! clang and run under sanitizers, calls that make no sense, a million calls, CMake and pkg-config.
//!
//! Programs are linked with the libraries that cargo has made for this test anyway. A tool that is not here
//! leaves its test out, and says so loudly.

mod docs;
mod expected;
mod header;
mod packages;
mod programs;
mod tools;
