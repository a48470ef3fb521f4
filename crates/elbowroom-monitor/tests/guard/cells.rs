//! Many cells that differ only in their posts.

use crate::cell::{describe, draw_posts};
use crate::rng::Rng;
use elbowroom::World;
use elbowroom::describe::WorldDescription;

/// The cell without posts, compiled once for all motions. To compile a cell takes as long as to move in it.
pub struct Cells {
    pub bare: World,
    /// The cell without posts, in which the left hand and the part are the only pair.
    pub only_meant: World,
}

impl Cells {
    pub fn new() -> Cells {
        let bare = describe(0, &mut Rng::new(0));
        let checks = vec![["left/3".into(), "world/part".into()]];
        let only_meant = WorldDescription { checks, ..bare.clone() };
        let compile = |description| World::compile(description).unwrap();
        Cells { only_meant: compile(&only_meant), bare: compile(&bare) }
    }

    /// The cell with some posts.
    pub fn draw(&self, posts: usize, rng: &mut Rng) -> World {
        let mut edit = self.bare.edit();
        for post in draw_posts(posts, rng) {
            edit.add(post);
        }
        edit.finish().unwrap()
    }
}
