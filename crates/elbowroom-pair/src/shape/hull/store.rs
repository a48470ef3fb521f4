//! Where hulls keep their vertices and faces.
//!
//! A world has many small hulls. Hulls that are compiled together share one store and lie in it one after
//! another. One allocation for each hull would cost more memory than a small hull itself. A hull with a graph
//! or a defect has its own store.

use super::block::Block;
use super::graph::Graph;
use super::lists;
use super::rank::Rank;
use alloc::boxed::Box;
use alloc::sync::Arc;
use alloc::vec::Vec;

/// Vertices and faces of one hull or several.
#[derive(Debug)]
pub(crate) struct Store {
    /// The vertices of each hull; its last block repeats its last vertex.
    pub(super) blocks: Box<[Block]>,
    /// The faces of each hull; see [`lists`].
    pub(super) faces: Box<[u8]>,
    /// The graph of the hull, if the store has only one.
    pub(super) graph: Option<Box<Graph>>,
    /// The defect of the hull, if the store has only one; else zero.
    pub(super) defect: f64,
}

/// A store that is being filled.
#[derive(Default)]
pub(crate) struct Filling {
    blocks: Vec<Block>,
    faces: Vec<u8>,
}

impl Filling {
    /// With room for hulls of these ranks and numbers of vertices, and no more.
    pub(super) fn with_room(hulls: impl Iterator<Item = (Rank, usize)>) -> Filling {
        let each = hulls.map(|(rank, count)| (count.div_ceil(4), lists::triangle_bytes(rank, count)));
        let (blocks, faces) = each.fold((0, 0), |(b, f), (blocks, faces)| (b + blocks, f + faces));
        Filling { blocks: Vec::with_capacity(blocks), faces: Vec::with_capacity(faces) }
    }
    /// Adds a hull: the numbers of its first block and of its first byte of faces.
    pub(super) fn add(
        &mut self,
        blocks: impl Iterator<Item = Block>,
        faces: &[[u32; 3]],
        vertices: usize,
    ) -> [u32; 2] {
        let start = [self.blocks.len() as u32, self.faces.len() as u32];
        self.blocks.extend(blocks);
        lists::write(faces, vertices, &mut self.faces);
        start
    }
    /// The store of what was added.
    pub(super) fn into_store(self, graph: Option<Box<Graph>>, defect: f64) -> Store {
        Store { blocks: self.blocks.into(), faces: self.faces.into(), graph, defect }
    }
    /// The store of what was added, to be shared, for hulls that have neither graphs nor defects.
    pub fn into_shared(self) -> Arc<Store> {
        Arc::new(self.into_store(None, 0.0))
    }
    /// The blocks so far.
    pub(super) fn blocks(&self) -> &[Block] {
        &self.blocks
    }
}
