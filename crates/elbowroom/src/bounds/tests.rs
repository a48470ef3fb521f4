mod every;
mod fits;
mod gaps;
mod lanes;
