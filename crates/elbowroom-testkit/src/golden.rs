//! Hashes of answers, held against those in a file: same input, same bits.

use crate::describe::{obstacle, one_of_each, placed, row_of_balls};
use elbowroom::World;
use elbowroom::describe::WorldDescription;

/// What a hash begins with.
pub const START: u64 = 0xcbf2_9ce4_8422_2325;

const PRIME: u64 = 0x0000_0100_0000_01b3;

/// FNV-1a over the bits of numbers.
pub fn fold_numbers(hash: u64, numbers: &[f64]) -> u64 {
    let bytes = numbers.iter().flat_map(|x| x.to_bits().to_le_bytes());
    bytes.fold(hash, |h, byte| (h ^ u64::from(byte)).wrapping_mul(PRIME))
}

/// One hash over those of a block of answers.
pub fn fold_hashes(hash: u64, block: &[u64]) -> u64 {
    block.iter().fold(hash, |h, x| (h ^ x).wrapping_mul(PRIME).rotate_left(29))
}

/// Holds lines, one a block, against a file: the first that differs says where it is. `ELBOWROOM_BLESS=1`
/// writes the file anew.
pub fn hold_to(path: &str, text: &str) {
    if std::env::var_os("ELBOWROOM_BLESS").is_some() {
        std::fs::write(path, text).unwrap();
    }
    let committed = std::fs::read_to_string(path).unwrap_or_default().replace("\r\n", "\n");
    for (old, new) in committed.lines().zip(text.lines()) {
        assert_eq!(
            old, new,
            "answers from here on have other bits; if meant, ELBOWROOM_BLESS=1 writes {path} anew"
        );
    }
    assert_eq!(committed.lines().count(), text.lines().count(), "{path} is not of these answers");
}

/// Two arms with one shape of each kind on their links, among obstacles with one shape of each kind.
pub fn two_arms() -> World {
    let arm = |name: &str| {
        let mut robot = row_of_balls(name, 4, 0.4, 0.05);
        robot.links.iter_mut().skip(1).for_each(|link| link.shapes.extend(one_of_each()));
        robot
    };
    let mut world =
        WorldDescription { robots: vec![placed(arm("l")), placed(arm("r"))], ..Default::default() };
    world.robots[1].base_in_world.translation.y = 0.9;
    world.obstacles = vec![
        obstacle("near", [0.9, -0.5, 0.05], one_of_each()),
        obstacle("far", [-1.5, 0.3, 0.1], one_of_each()),
    ];
    world.margin = 0.02;
    World::compile(&world).expect("no faults")
}

/// Numbers from -2.5 to 2.5, one for each value of a world, always the same for a row.
pub fn draw_values(world: &World, row: usize) -> Vec<f64> {
    let mut state = (row as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    world
        .neutral_values()
        .iter()
        .map(|_| {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            ((state >> 11) as f64 / (1_u64 << 53) as f64 - 0.5) * 5.0
        })
        .collect()
}
