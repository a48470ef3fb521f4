//! Equal meshes among the shapes of a world: they are compiled once, and share what they are made of. The two
//! fingers of a gripper usually have one file, and mesh hulls and trees are most of what loading costs.

use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use elbowroom_describe::ShapeDescription;

/// A shape and its padding (metres).
type Described<'a> = (&'a ShapeDescription, f64);

/// Which descriptions are meshes that came before.
#[derive(Clone, Debug)]
pub struct Repeats {
    /// By description, the number of the first that is equal, which may be its own.
    first: Vec<usize>,
}

impl Repeats {
    /// Meshes are equal if all their numbers are, to the bit.
    pub fn new(described: &[Described]) -> Repeats {
        let mut alike: BTreeMap<[u64; 3], Vec<usize>> = BTreeMap::new();
        let first = |(k, (shape, padding)): (usize, &Described)| {
            let ShapeDescription::Mesh { vertices, triangles } = shape else { return k };
            let size = [vertices.len() as u64, triangles.len() as u64, padding.to_bits()];
            let before = alike.entry(size).or_default();
            let equal = before.iter().copied().find(|other| have_equal_numbers(shape, described[*other].0));
            equal.unwrap_or_else(|| {
                before.push(k);
                k
            })
        };
        Repeats { first: described.iter().enumerate().map(first).collect() }
    }

    /// The descriptions without those that came before.
    pub fn distinct_descriptions<'a>(&self, described: &[Described<'a>]) -> Vec<Described<'a>> {
        let all = described.iter().zip(&self.first).enumerate();
        all.filter(|(k, (_, first))| *k == **first).map(|(_, (described, _))| *described).collect()
    }

    /// What each description was compiled to, in order, from what the distinct ones were.
    pub fn repeat_results<R: Clone>(self, mut compiled: impl Iterator<Item = R>) -> impl Iterator<Item = R> {
        let mut again: Vec<usize> =
            self.first.iter().enumerate().filter(|(k, f)| k != *f).map(|(_, f)| *f).collect();
        again.sort_unstable();
        let mut kept: BTreeMap<usize, R> = BTreeMap::new();
        self.first.into_iter().enumerate().map_while(move |(k, first)| {
            if first != k {
                return kept.get(&first).cloned();
            }
            let shape = compiled.next()?;
            if again.binary_search(&k).is_ok() {
                kept.insert(k, shape.clone());
            }
            Some(shape)
        })
    }
}

fn have_equal_numbers(a: &ShapeDescription, b: &ShapeDescription) -> bool {
    let (
        ShapeDescription::Mesh { vertices: a, triangles: of_a },
        ShapeDescription::Mesh { vertices: b, triangles: of_b },
    ) = (a, b)
    else {
        return false;
    };
    of_a == of_b && a.iter().flatten().map(|x| x.to_bits()).eq(b.iter().flatten().map(|x| x.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[test]
    fn equal_meshes_are_asked_for_once_and_given_to_all() {
        let mesh = |x: f64| ShapeDescription::Mesh {
            vertices: vec![[0.0; 3], [x, 0.0, 0.0], [0.0, 1.0, 0.0]],
            triangles: vec![[0, 1, 2]],
        };
        let ball = ShapeDescription::Sphere { radius: 1.0 };
        let (one, same, other, zero) = (mesh(1.0), mesh(1.0), mesh(2.0), mesh(-0.0));
        let described = [
            (&ball, 0.0),
            (&one, 0.0),
            (&other, 0.0),
            (&same, 0.0),
            (&ball, 0.0),
            (&same, 0.1),
            (&one, 0.0),
            (&zero, 0.0),
        ];
        let repeats = Repeats::new(&described);
        let distinct = repeats.distinct_descriptions(&described);
        assert_eq!(distinct.len(), 6);
        let numbers: Vec<usize> = repeats.repeat_results(0..distinct.len()).collect();
        assert_eq!(numbers, [0, 1, 2, 1, 3, 4, 1, 5]);
    }
}
