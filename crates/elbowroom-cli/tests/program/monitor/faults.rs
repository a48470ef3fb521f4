//! Bad input, and clients that do not behave.
