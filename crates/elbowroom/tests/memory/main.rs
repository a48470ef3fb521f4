//! What is allocated, held against an allocator that counts.

use elbowroom_testkit as support;
use elbowroom_testkit::counting;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

mod calls;
mod kept;
mod on_demand;
mod points;
mod ugly;
