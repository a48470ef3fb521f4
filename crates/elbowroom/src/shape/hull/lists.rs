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

/// Triangles by vertex numbers, of one, two or four bytes each, as the number of vertices needs.
#[derive(Clone, Debug)]
pub(super) struct FaceList(Box<[u8]>);

/// Bytes of a number of a vertex.
fn width(vertices: usize) -> usize {
    match vertices {
        0..=0x100 => 1,
        0x101..=0x1_0000 => 2,
        _ => 4,
    }
}

impl FaceList {
    /// The faces of a hull with so many vertices.
    pub(super) fn new(faces: &[[u32; 3]], vertices: usize) -> FaceList {
        let width = width(vertices);
        let mut bytes = Vec::with_capacity(3 * width * faces.len());
        match width {
            1 => bytes.extend(faces.iter().flatten().map(|v| *v as u8)),
            _ => faces.iter().flatten().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes()[..width])),
        }
        FaceList(bytes.into_boxed_slice())
    }
    pub(super) fn bytes(&self) -> usize {
        self.0.len()
    }
    /// The most bytes that the faces of so many vertices take: a solid has two triangles a vertex less four,
    /// and so have both sides of a polygon.
    pub(super) fn most_bytes(vertices: usize) -> usize {
        3 * width(vertices) * 2 * vertices
    }
    /// The faces, given how many vertices there are.
    pub(super) fn iter(&self, vertices: usize) -> Faces<'_> {
        let width = width(vertices);
        Faces { bytes: &self.0, width, left: 0..self.0.len() / (3 * width) }
    }
}

/// The triangles of a hull in their order, as three vertex numbers each.
#[derive(Clone, Debug)]
pub struct Faces<'a> {
    bytes: &'a [u8],
    width: usize,
    left: Range<usize>,
}

impl Faces<'_> {
    #[inline(always)]
    fn get(&self, i: usize) -> [u32; 3] {
        let two = |a, b| u32::from(u16::from_le_bytes([a, b]));
        match self.width {
            1 => match self.bytes[3 * i..3 * i + 3] {
                [a, b, c] => [a, b, c].map(u32::from),
                _ => [0; 3],
            },
            2 => match self.bytes[6 * i..6 * i + 6] {
                [a, b, c, d, e, f] => [two(a, b), two(c, d), two(e, f)],
                _ => [0; 3],
            },
            _ => {
                let number = |k: usize| match self.bytes[12 * i + 4 * k..12 * i + 4 * k + 4] {
                    [a, b, c, d] => u32::from_le_bytes([a, b, c, d]),
                    _ => 0,
                };
                [number(0), number(1), number(2)]
            }
        }
    }
}

impl Iterator for Faces<'_> {
    type Item = [u32; 3];
    #[inline]
    fn next(&mut self) -> Option<[u32; 3]> {
        self.left.next().map(|i| self.get(i))
    }
    fn size_hint(&self) -> (usize, Option<usize>) {
        self.left.size_hint()
    }
}
impl ExactSizeIterator for Faces<'_> {}
