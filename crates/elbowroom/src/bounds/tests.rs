mod fits;
mod gaps;
mod lanes;
