//! The bodies of each leaf, as chains of blocks in one array. The first block of a chain may be part full;
//! all others are full.

use super::nodes::NONE;

/// Bodies a block: a block is 32 bytes, two to a cache line.
const ROOM: usize = 6;

#[derive(Clone, Copy, Debug)]
struct Block {
    bodies: [u32; ROOM],
    len: u32,
    next: u32,
}

/// All blocks.
#[derive(Clone, Debug)]
pub struct Lists {
    blocks: Vec<Block>,
    /// The first of the blocks that are not in use.
    free: u32,
}

impl Lists {
    /// None.
    pub fn new() -> Lists {
        Lists { blocks: Vec::new(), free: NONE }
    }

    /// Adds a body to the list whose first block is `list`. Returns the list's first block.
    #[inline]
    pub fn add(&mut self, list: u32, body: u32) -> u32 {
        if let Some(block) = self.blocks.get_mut(list as usize)
            && (block.len as usize) < ROOM
        {
            block.bodies[block.len as usize] = body;
            block.len += 1;
            return list;
        }
        let mut bodies = [NONE; ROOM];
        bodies[0] = body;
        let new = Block { bodies, len: 1, next: list };
        if let Some(block) = self.blocks.get_mut(self.free as usize) {
            let at = self.free;
            self.free = block.next;
            *block = new;
            return at;
        }
        self.blocks.push(new);
        self.blocks.len() as u32 - 1
    }

    /// Takes a body out of a list; the last body of the first block takes its place. Returns the list's first
    /// block, unchanged if the body is not in the list.
    #[inline]
    pub fn remove(&mut self, list: u32, body: u32) -> u32 {
        let mut at = list;
        while at != NONE {
            let block = self.blocks[at as usize];
            if let Some(slot) = block.bodies[..block.len as usize].iter().position(|b| *b == body) {
                let first = &mut self.blocks[list as usize];
                first.len -= 1;
                let (last, next, empty) = (first.bodies[first.len as usize], first.next, first.len == 0);
                self.blocks[at as usize].bodies[slot] = last;
                if empty {
                    self.give_back(list);
                    return next;
                }
                return list;
            }
            at = block.next;
        }
        list
    }

    /// Gives a whole list back.
    pub fn clear(&mut self, mut list: u32) {
        while list != NONE {
            let next = self.blocks[list as usize].next;
            self.give_back(list);
            list = next;
        }
    }

    fn give_back(&mut self, block: u32) {
        self.blocks[block as usize].len = 0;
        self.blocks[block as usize].next = self.free;
        self.free = block;
    }

    /// The bodies of a list.
    #[inline]
    pub fn bodies_of_list(&self, list: u32) -> impl Iterator<Item = u32> {
        let mut at = list;
        std::iter::from_fn(move || {
            let block = self.blocks.get(at as usize)?;
            at = block.next;
            Some(&block.bodies[..block.len as usize])
        })
        .flatten()
        .copied()
    }

    /// Blocks of the array, in use or not, and those not in use.
    pub fn block_counts(&self) -> (usize, usize) {
        let mut free = 0;
        let mut at = self.free;
        while let Some(block) = self.blocks.get(at as usize) {
            (free, at) = (free + 1, block.next);
        }
        (self.blocks.len(), free)
    }
    /// Blocks of a list.
    pub fn blocks_of(&self, mut list: u32) -> usize {
        let mut count = 0;
        while let Some(block) = self.blocks.get(list as usize) {
            (count, list) = (count + 1, block.next);
        }
        count
    }
    /// Bytes that they allocated.
    pub fn allocated_bytes(&self) -> usize {
        self.blocks.capacity() * size_of::<Block>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_hold_what_was_added_and_give_back_their_blocks() {
        let mut random = elbowroom::math::Random(3);
        let mut lists = Lists::new();
        let mut heads = [NONE; 5];
        let mut held: [Vec<u32>; 5] = Default::default();
        for step in 0..20_000 {
            let k = (random.unit() * 5.0) as usize;
            let some = held[k].get((random.unit() * 40.0) as usize).copied();
            if let Some(body) = some {
                heads[k] = lists.remove(heads[k], body);
                held[k].retain(|b| *b != body);
            } else {
                heads[k] = lists.add(heads[k], step);
                held[k].push(step);
            }
            let mut found: Vec<u32> = lists.bodies_of_list(heads[k]).collect();
            found.sort_unstable();
            assert_eq!(found, held[k]);
            assert_eq!(lists.remove(heads[k], NONE - 1), heads[k]);
        }
        let (all, free) = lists.block_counts();
        assert_eq!(all - free, heads.iter().map(|head| lists.blocks_of(*head)).sum::<usize>());
        for head in heads {
            lists.clear(head);
        }
        assert_eq!(lists.block_counts(), (all, all));
    }
}
