mod gaps;
mod lanes;
