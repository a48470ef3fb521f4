//! The lists of a hull's vertices and faces: four vertices a block, and numbers of vertices as short as
//! possible.

use super::block::Block;
use super::rank::Rank;
use alloc::vec::Vec;
use core::ops::Range;
use elbowroom_describe::math::Vec3;

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

/// Bits of a number of a vertex.
fn index_bits(vertices: usize) -> usize {
    match vertices {
        0..=0x10 => 4,
        0x11..=0x100 => 8,
        0x101..=0x1_0000 => 16,
        _ => 32,
    }
}

/// How many triangles a hull has: with Euler a solid has two a vertex less four, and so have both sides of a
/// polygon.
fn triangle_count(rank: Rank, vertices: usize) -> usize {
    match rank {
        Rank::Point | Rank::Segment => 0,
        Rank::Polygon | Rank::Solid => (2 * vertices).saturating_sub(4),
    }
}

/// Bytes of the triangles of a hull.
pub(super) fn triangle_bytes(rank: Rank, vertices: usize) -> usize {
    (3 * index_bits(vertices) * triangle_count(rank, vertices)).div_ceil(8)
}

/// Adds triangles by numbers of vertices, each of a half, one, two or four bytes, as so many vertices need.
pub(super) fn write(faces: &[[u32; 3]], vertices: usize, bytes: &mut Vec<u8>) {
    let numbers = faces.as_flattened();
    match index_bits(vertices) {
        4 => bytes.extend(numbers.chunks(2).map(|two| match *two {
            [a, b] => (a | b << 4) as u8,
            [a] => a as u8,
            _ => 0,
        })),
        8 => bytes.extend(numbers.iter().map(|v| *v as u8)),
        width => numbers.iter().for_each(|v| bytes.extend_from_slice(&v.to_le_bytes()[..width / 8])),
    }
}

/// The triangles of a hull in their order, as three vertex numbers each.
#[derive(Clone, Debug)]
pub struct Faces<'a> {
    bytes: &'a [u8],
    width: usize,
    left: Range<usize>,
}

impl<'a> Faces<'a> {
    /// The triangles of a hull whose bytes these begin with.
    pub(super) fn new(bytes: &'a [u8], rank: Rank, vertices: usize) -> Faces<'a> {
        Faces { bytes, width: index_bits(vertices), left: 0..triangle_count(rank, vertices) }
    }
    #[inline(always)]
    fn get(&self, i: usize) -> [u32; 3] {
        let two = |a, b| u32::from(u16::from_le_bytes([a, b]));
        match self.width {
            4 => core::array::from_fn(|k| {
                let number = 3 * i + k;
                u32::from(self.bytes[number / 2] >> (4 * (number % 2)) & 0xf)
            }),
            8 => match self.bytes[3 * i..3 * i + 3] {
                [a, b, c] => [a, b, c].map(u32::from),
                _ => [0; 3],
            },
            16 => match self.bytes[6 * i..6 * i + 6] {
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
