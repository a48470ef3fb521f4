//! Placeholder while the engine grows.
