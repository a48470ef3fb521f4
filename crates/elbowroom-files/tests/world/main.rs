//! World files, scenes, motions and cases, and what may have been meant.

#[path = "../support/mod.rs"]
mod support;

mod cases;
mod cubics;
mod frames;
mod guards;
mod hints;
mod jsonl;
mod messages;
mod motions;
mod obstacles;
mod offsets;
mod pads;
mod rates;
mod scene_text;
mod scenes;
mod splines;
mod transforms;
mod twins;
mod worlds;
mod zones;
