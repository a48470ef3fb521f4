//! The lists of a hull's vertices and faces: four vertices a block, and vertex numbers as short as possible.

use super::block::Block;
use crate::numeric::math::Vec3;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;

/// The vertices of a hull in their order.
#[derive(Clone, Debug)]
pub struct Vertices<'a> {
    blocks: &'a [Block],
    left: Range<usize>,
}

impl<'a> Vertices<'a> {
    pub(super) fn new(blocks: &'a [Block], count: usize) -> Vertices<'a> {
        Vertices { blocks, left: 0..count }
    }
}

impl Iterator for Vertices<'_> {
    type Item = Vec3;
    #[inline]
    fn next(&mut self) -> Option<Vec3> {
        self.left.next().map(|v| self.blocks[v / 4].point(v % 4))
    }
    #[inline]
    fn nth(&mut self, n: usize) -> Option<Vec3> {
        self.left.nth(n).map(|v| self.blocks[v / 4].point(v % 4))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}
impl ExactSizeIterator for Vertices<'_> {}

/// Triangles by vertex numbers, of one, two or four bytes.
#[derive(Clone, Debug)]
pub(super) enum FaceList {
    Bytes(Box<[[u8; 3]]>),
    Words(Box<[[u16; 3]]>),
    Long(Box<[[u32; 3]]>),
}

impl FaceList {
    /// The faces of a hull with so many vertices.
    pub(super) fn new(faces: Vec<[u32; 3]>, vertices: usize) -> FaceList {
        if vertices <= 1 << 8 {
            FaceList::Bytes(faces.iter().map(|&[a, b, c]| [a as u8, b as u8, c as u8]).collect())
        } else if vertices <= 1 << 16 {
            FaceList::Words(faces.iter().map(|&[a, b, c]| [a as u16, b as u16, c as u16]).collect())
        } else {
            FaceList::Long(faces.into_boxed_slice())
        }
    }
    fn get(&self, i: usize) -> [u32; 3] {
        match self {
            FaceList::Bytes(f) => f[i].map(u32::from),
            FaceList::Words(f) => f[i].map(u32::from),
            FaceList::Long(f) => f[i],
        }
    }
    pub(super) fn bytes(&self) -> usize {
        match self {
            FaceList::Bytes(f) => size_of_val(&**f),
            FaceList::Words(f) => size_of_val(&**f),
            FaceList::Long(f) => size_of_val(&**f),
        }
    }
    pub(super) fn iter(&self) -> Faces<'_> {
        let count = match self {
            FaceList::Bytes(f) => f.len(),
            FaceList::Words(f) => f.len(),
            FaceList::Long(f) => f.len(),
        };
        Faces { list: self, left: 0..count }
    }
}

/// The triangles of a hull in their order, as three vertex numbers each.
#[derive(Clone, Debug)]
pub struct Faces<'a> {
    list: &'a FaceList,
    left: Range<usize>,
}

impl Iterator for Faces<'_> {
    type Item = [u32; 3];
    #[inline]
    fn next(&mut self) -> Option<[u32; 3]> {
        self.left.next().map(|i| self.list.get(i))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}
impl ExactSizeIterator for Faces<'_> {}
