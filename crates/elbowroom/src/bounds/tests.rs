pub(super) mod bodies;
mod every;
mod fits;
mod gaps;
mod lanes;
