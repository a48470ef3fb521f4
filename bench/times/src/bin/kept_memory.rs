//! `cargo run --release -p elbowroom-times --bin kept_memory -- [ROBOT.urdf ...]`: the bytes that a robot's
//! world keeps, and those of one checker and one batch that ask it. None grows while it is used. What the
//! allocator adds, some 8 to 16 bytes an allocation, is not counted.
//!
//! Without robots, those of the data folder whose meshes users have.

use anyhow::Result;
use elbowroom::{Batch, Checker, World};
use elbowroom_times::memory::{Counting, count_kept};
use elbowroom_times::robots::{lone_robot_world, name, named_or_users};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> Result<()> {
    println!("{:>28} {:>10} {:>10} {:>10}", "kB", "world", "checker", "batch");
    for robot in named_or_users(std::env::args().skip(1).peekable()) {
        let described = lone_robot_world(&robot)?;
        let (world, world_bytes) = count_kept(|| Ok(World::compile(&described)?))?;
        let (_checker, checker_bytes) = count_kept(|| Ok(Checker::new(&world)))?;
        let (_batch, batch_bytes) = count_kept(|| Ok(Batch::new(&world)))?;
        let [world, checker, batch] =
            [world_bytes, checker_bytes, batch_bytes].map(|bytes| bytes.div_ceil(1000));
        println!("{:>28} {world:>10} {checker:>10} {batch:>10}", name(&robot));
    }
    Ok(())
}
