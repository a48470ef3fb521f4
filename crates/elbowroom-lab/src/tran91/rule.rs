//! When a node is split: the paper's two decomposition rules.

/// Classes that bodies may have: bits of one number.
pub const CLASSES: usize = u64::BITS as usize;

/// When a node is split.
#[derive(Clone, Debug)]
pub enum Rule {
    /// The n-objects rule: when more than so many bodies are in it.
    Objects(u32),
    /// The compatibility rule: when two bodies that are not compatible are in it.
    Compatibility(Compatibility),
}

impl Rule {
    /// Whether two bodies of these classes can collide.
    #[inline]
    pub fn may_collide(&self, a: u8, b: u8) -> bool {
        match self {
            Rule::Objects(_) => true,
            Rule::Compatibility(table) => !table.is_compatible(a, b),
        }
    }
    /// Whether bodies can have this class.
    pub fn has_class(&self, class: u8) -> bool {
        match self {
            Rule::Objects(_) => true,
            Rule::Compatibility(table) => (class as usize) < table.class_count(),
        }
    }
}

/// Which classes of bodies are compatible: none of the one can collide with any of the other. A body that is
/// like no other has a class of its own; all that is fixed is one class, compatible with itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Compatibility {
    /// For each class those that it is not compatible with, as bits.
    against: Vec<u64>,
}

impl Compatibility {
    /// A table of so many classes, none of them compatible with any class, not even with itself. `None` for
    /// more than [`CLASSES`].
    pub fn none_compatible(classes: usize) -> Option<Compatibility> {
        let all = if classes < CLASSES { (1 << classes) - 1 } else { u64::MAX };
        (classes <= CLASSES).then(|| Compatibility { against: vec![all; classes] })
    }

    /// Makes two classes compatible, or one with itself. A class that the table does not have changes
    /// nothing.
    pub fn make_compatible(&mut self, a: u8, b: u8) {
        if (a as usize) < self.class_count() && (b as usize) < self.class_count() {
            self.against[a as usize] &= !(1 << b);
            self.against[b as usize] &= !(1 << a);
        }
    }

    /// Number of classes.
    pub fn class_count(&self) -> usize {
        self.against.len()
    }

    /// Whether two classes are compatible. Those that are not there are not.
    #[inline]
    pub fn is_compatible(&self, a: u8, b: u8) -> bool {
        let known = (b as usize) < self.class_count();
        known && self.against.get(a as usize).is_some_and(|against| against >> b & 1 == 0)
    }

    /// Whether two bodies of those present are not compatible.
    #[inline]
    pub fn any_incompatible(&self, present: Present) -> bool {
        set_bits(present.once).any(|class| {
            let own = present.twice & (1 << class);
            self.against[class] & (present.once & !(1 << class) | own) != 0
        })
    }

    /// The classes that are not compatible with themselves, as bits.
    pub fn against_themselves(&self) -> u64 {
        (0..self.class_count()).fold(0, |all, class| all | self.against[class] & (1 << class))
    }
}

/// The bits of a number, the least first.
#[inline]
pub fn set_bits(of: u64) -> impl Iterator<Item = usize> {
    let mut left = of;
    std::iter::from_fn(move || {
        let bit = left.trailing_zeros() as usize;
        left &= left.wrapping_sub(1);
        (bit < CLASSES).then_some(bit)
    })
}

/// The classes of some bodies, as bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Present {
    /// Classes of at least one body.
    pub once: u64,
    /// Classes of at least two bodies.
    pub twice: u64,
}

impl Present {
    /// No body.
    pub const NONE: Present = Present { once: 0, twice: 0 };

    /// Counts one more body.
    #[inline]
    pub fn add(&mut self, class: u8) {
        let bit = 1_u64.checked_shl(u32::from(class)).unwrap_or(0);
        self.twice |= self.once & bit;
        self.once |= bit;
    }

    /// Counts one body less; `false` where the bodies must be counted again.
    #[inline]
    pub fn remove(&mut self, class: u8) -> bool {
        let bit = 1_u64.checked_shl(u32::from(class)).unwrap_or(0);
        self.once &= !bit | self.twice;
        self.twice & bit == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_clashes() {
        let mut table = Compatibility::none_compatible(3).unwrap();
        table.make_compatible(0, 0);
        table.make_compatible(1, 2);
        table.make_compatible(9, 0);
        assert!(table.is_compatible(0, 0) && table.is_compatible(2, 1) && !table.is_compatible(1, 1));
        assert!(
            !table.is_compatible(0, 9) && !table.is_compatible(9, 9) && table.against_themselves() == 0b110
        );
        let clash = |classes: &[u8]| {
            let mut present = Present::NONE;
            classes.iter().for_each(|class| present.add(*class));
            table.any_incompatible(present)
        };
        assert!(!clash(&[]) && !clash(&[0, 0, 0]) && !clash(&[1, 2]) && !clash(&[1]));
        assert!(clash(&[1, 1]) && clash(&[0, 1]) && clash(&[0, 0, 2]) && clash(&[1, 2, 2]));
        assert!(Compatibility::none_compatible(64).unwrap().against_themselves() == u64::MAX);
        assert!(Compatibility::none_compatible(65).is_none() && Rule::Objects(3).may_collide(200, 200));
    }

    #[test]
    fn one_less() {
        let mut present = Present::NONE;
        present.add(63);
        present.add(2);
        assert!(present.remove(63));
        assert_eq!(present, Present { once: 0b100, twice: 0 });
        present.add(2);
        assert!(!present.remove(2));
        assert_eq!(set_bits(0b1010_0001).collect::<Vec<_>>(), [0, 5, 7]);
        assert_eq!(set_bits(1 << 63).collect::<Vec<_>>(), [63]);
    }
}
