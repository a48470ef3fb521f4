//! Questions about worlds, as more than one suite asks them.

use elbowroom::CheckWork;
use elbowroom::check::{Options, all_pairs};
use elbowroom::motion::edge::{Edge, EdgeOptions, EdgeWork, check_edge, verify};
use elbowroom::report::{PairReport, Report};
use elbowroom::world::World;

/// Every pair by itself at the pose that is set, and all of them together.
pub fn every_pair(world: &World, pose: &mut CheckWork, options: &Options) -> (Vec<PairReport>, Report) {
    let mut pairs = Vec::new();
    let report = all_pairs(world, pose, options, |p| pairs.push(*p));
    (pairs, report)
}

/// A straight way, asked anew. The certificate of a free one is whole: it is verified, and without its first
/// piece it is none.
pub fn edge(world: &World, ends: [&[f64]; 2], options: &EdgeOptions) -> Edge {
    let (mut pose, mut work) = (CheckWork::new(world), EdgeWork::new(world));
    let answer = check_edge(world, &mut pose, &mut work, ends, options).unwrap();
    if answer == Edge::Free {
        verify(world, &mut pose, ends, work.pieces(), options).unwrap();
        let some = &work.pieces()[1..];
        assert!(verify(world, &mut pose, ends, some, options).is_err());
    }
    answer
}
