//! Names of joint values as people write them: in full, or without the robot where that leaves one of them.
//!
//! ```
//! use elbowroom_files::motion::names::{Named, ValueNames};
//!
//! let names = ValueNames::new(["left/elbow", "right/elbow", "right/wrist"].into_iter());
//! assert_eq!(names.find_value("wrist"), Named::One(2));
//! assert_eq!(names.find_value("elbow"), Named::Several);
//! assert_eq!((names.find_value("left/elbow"), names.find_value("hand")), (Named::One(0), Named::Nothing));
//! ```

use std::collections::BTreeMap;

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Named {
    /// The name of this number.
    One(usize),
    /// Several robots have a joint of this name.
    Several,
    /// Nothing.
    Nothing,
}

/// Full names (`robot/joint`, `robot/joint/x`), numbered in their order, and what is short for one of them.
#[derive(Clone, Debug)]
pub struct ValueNames<'a>(BTreeMap<&'a str, Option<usize>>);

impl<'a> ValueNames<'a> {
    /// Takes full names. A full name always stands for itself.
    pub fn new(names: impl Iterator<Item = &'a str> + Clone) -> ValueNames<'a> {
        let mut index: BTreeMap<&str, Option<usize>> = BTreeMap::new();
        for (i, name) in names.clone().enumerate() {
            if let Some((_, bare)) = name.split_once('/') {
                index.entry(bare).and_modify(|e| *e = None).or_insert(Some(i));
            }
        }
        index.extend(names.enumerate().map(|(i, name)| (name, Some(i))));
        ValueNames(index)
    }

    /// What a name stands for.
    pub fn find_value(&self, name: &str) -> Named {
        match self.0.get(name) {
            Some(Some(i)) => Named::One(*i),
            Some(None) => Named::Several,
            None => Named::Nothing,
        }
    }

    /// All names that are understood.
    pub fn known_names(&self) -> impl Iterator<Item = &'a str> + '_ {
        self.0.keys().copied()
    }
}
